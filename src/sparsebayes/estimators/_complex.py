"""Complex dictionaries and targets: a model of their parts, and what it says in complex numbers."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone

from sparsebayes.basis import Basis
from sparsebayes.estimators._any_basis import AnyBasis
from sparsebayes.estimators._asked import Asked
from sparsebayes.estimators._regression import Regression
from sparsebayes.model.given import refuse_masked
from sparsebayes.model.numpy_errors import without_numpy_errors
from sparsebayes.targets import Given
from sparsebayes.targets.complex import (
    ROOT_2,
    halves,
    is_complex,
    joined,
    joined_covariance,
    joined_std,
    of_part,
    parts_of,
    real_inputs,
)


class ComplexTargets(AnyBasis, Regression):
    """A regressor whose dictionary and targets may be complex."""

    def _as_real(self, asked: Asked, given: Given) -> tuple[Asked, Given]:
        """What was asked for and given, of real numbers; complex ones by their parts."""
        if not asked.target.usual or not (is_complex(given.X) or is_complex(given.y)):
            return asked, given
        basis = self._basis_of_parts(asked, given)
        inference = self._make_inference(basis)
        noise = self.noise_std if isinstance(self.noise_std, str) else of_part(self.noise_std)
        target: Any = asked.target
        asked = replace(
            asked,
            basis=basis,
            inference=inference,
            target=target.asked(noise, self.multi_output, inference),
            completes=False,
            of_complex=True,
        )
        return asked, parts_of(given)

    def _basis_of_parts(self, asked: Asked, given: Given) -> Basis:
        """The basis of real and imaginary parts."""
        shape = given.X.shape if issparse(given.X) else np.shape(given.X)
        basis = asked.basis.of_complex(shape[1]) if len(shape) == 2 else None
        if basis is None:
            raise ValueError(
                "Complex data not supported with this basis: a complex X of shape (n_samples, "
                f"n_features) needs basis=Linear() alone; got X of shape {shape} and "
                f"basis={self.basis!r}. For a constant, append a column of ones to X."
            )
        if not is_complex(given.y):
            raise ValueError(
                "y must be complex where X is; got a complex X and a real y. If only the real part "
                "was observed, pass [X.real, -X.imag] as X, in groups of two."
            )
        return basis

    @property
    def _of_complex(self) -> bool:
        return self._model.of_complex

    @property
    def _parts(self) -> ComplexTargets:
        """The fitted model of real and imaginary parts."""
        parts = copy(self)
        parts._fitted = replace(self._model, of_complex=False)
        parts.n_features_in_ = 2 * self.n_features_in_
        return parts

    def _parts_of(self, X: Any) -> Any:
        """New inputs as those of the parts."""
        refuse_masked(X=X)
        X = X if issparse(X) else np.asarray(X)
        if X.ndim != 2 or X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X must have shape (n_samples, {self.n_features_in_}), as {type(self).__name__} "
                f"was fitted; got {X.shape}."
            )
        return real_inputs(X)

    def _predict_complex(self, X: Any, return_std: bool, return_cov: bool) -> Any:
        found = self._parts.predict(self._parts_of(X), return_std, return_cov)
        if return_cov:
            return joined(found[0]), joined_covariance(found[1])
        return (joined(found[0]), joined_std(found[1])) if return_std else joined(found)

    def _sample_complex(self, X: Any, n_samples: int, random_state: Any) -> np.ndarray:
        return joined(self._parts.sample_y(self._parts_of(X), n_samples, random_state))

    @without_numpy_errors
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Coefficient of determination: 1 is perfect, 0 is no better than the mean of y.

        It is ``1 - sum |y - prediction|^2 / sum |y - mean of y|^2``, averaged over several outputs.
        For counts it is D^2, the part of the deviance that is explained.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.

        Returns
        -------
        score : float
            The score.
        """
        refuse_masked(y=y, sample_weight=sample_weight)
        if not self._of_complex:
            return super().score(X, y, sample_weight)
        y = np.asarray(y)
        weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight)
        spread = np.abs(y - np.average(y, axis=0, weights=weight)) ** 2
        return float(np.mean(1.0 - weight @ np.abs(y - self.predict(X)) ** 2 / (weight @ spread)))

    # Fitted attributes.

    @property
    def noise_std_(self) -> Any:
        """Standard deviation of the noise of a new target: a number, or one for each output."""
        return super().noise_std_ * (ROOT_2 if self._of_complex else 1.0)

    @property
    def weights_(self) -> np.ndarray:
        """Mean weights of the columns that the model keeps."""
        return joined(self._parts.weights_) if self._of_complex else super().weights_

    @property
    def covariance_(self) -> np.ndarray:
        """Posterior covariance of `weights_`, for one output."""
        if self._of_complex:
            return joined_covariance(self._parts.covariance_)
        return super().covariance_

    @property
    def weight_precision_(self) -> np.ndarray:
        """Prior precisions of `weights_`."""
        own = super().weight_precision_
        return 0.5 * halves(own)[0] if self._of_complex else own

    @property
    def column_names_(self) -> list[str]:
        """Names of the kept columns, in the order of `weights_` and `covariance_`."""
        if not self._of_complex:
            return super().column_names_
        names = self._parts.column_names_
        return names[: len(names) // 2]

    @property
    def coef_(self) -> np.ndarray:
        """For linear models: mean coefficients of the inputs, 0 for those that are left out."""
        return joined(self._parts.coef_, -1) if self._of_complex else super().coef_

    @property
    def coef_std_(self) -> np.ndarray:
        """For linear models: standard deviations of `coef_`, 0 for inputs that are left out."""
        return joined_std(self._parts.coef_std_, -1) if self._of_complex else super().coef_std_

    @property
    def selected_(self) -> np.ndarray:
        """For linear models: which inputs the model uses, a mask (n_features,)."""
        return (
            np.logical_or(*halves(self._parts.selected_)) if self._of_complex else super().selected_
        )

    @property
    def input_relevance_(self) -> np.ndarray:
        """The share of the prediction's variance that each input has a part in."""
        own = super().input_relevance_
        return np.add(*halves(own)) if self._of_complex else own

    @property
    def intercept_(self) -> Any:
        """For linear models: the prediction where all inputs are zero."""
        return self._parts.intercept_ if self._of_complex else super().intercept_

    @property
    def basis_(self) -> Basis:
        """The basis with the widths and scales of the fit as numbers."""
        return clone(self._make_basis()) if self._of_complex else super().basis_
