"""What all estimators share: fitted attributes as views of what a fit left behind."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_matrix, issparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning, InconsistentVersionWarning
from sklearn.utils.validation import check_is_fitted

from sparsebayes._parameters import Tunable
from sparsebayes.basis import Basis
from sparsebayes.columns import is_linear
from sparsebayes.estimators._advice import GAMMA, Facts, WidthWords, advice, of_lost_mean
from sparsebayes.estimators._carrying import Carried
from sparsebayes.estimators._checks import check_inference, new_inputs
from sparsebayes.estimators._fitted import Fitted
from sparsebayes.estimators._progress import CallbackSupportMixin
from sparsebayes.inference import Outcome
from sparsebayes.inference.inference import Inference
from sparsebayes.model.numpy_errors import without_numpy_errors

# Parameters that are names, or objects with parameters of their own.
PARTS = {
    "inference": ("an inference", "Projection()"),
    "likelihood": ("a likelihood", "StudentT()"),
}
# Where a saved model says which version wrote it.
VERSION_KEY = "_sparsebayes_version"


def installed_version() -> str:
    """The version of this package."""
    from sparsebayes import __version__

    return __version__


def of_one_model(method: Callable) -> Callable:
    """A method that sees one model from beginning to end, even if another thread refits it.

    `_record` replaces the dictionary of attributes, so one that is at hand stays as it is. NumPy
    raises nothing meanwhile.
    """

    @without_numpy_errors
    @wraps(method)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        shell = object.__new__(type(self))
        shell.__dict__ = vars(self)
        return method(shell, *args, **kwargs)

    return called


class SparseBayesModel(Carried, CallbackSupportMixin, BaseEstimator, ABC):
    """An estimator with a basis. How the basis and the likelihood come about is left open."""

    _fitted: Fitted
    _width_words: WidthWords = GAMMA

    @property
    def _asked_inference(self) -> Inference:
        """The inference that was asked for, its parameters checked."""
        return check_inference(self.inference)

    @abstractmethod
    def _make_basis(self) -> Basis:
        """The basis, from the constructor's parameters."""

    def _check_inputs(self, n_features: int) -> None:
        """An error where a parameter does not fit the number of inputs."""

    def set_params(self, **params: Any) -> Self:
        """Set parameters of the estimator and of its parts.

        Parameters
        ----------
        **params : dict
            Names and values. A parameter of a part has the name ``<part>__<parameter>``, such as
            ``inference__fidelity`` or ``basis__gaussiankernel__width``.

        Returns
        -------
        self : estimator
            The estimator.
        """
        for part, (an_object, such_as) in PARTS.items():
            value = params.get(part, getattr(self, part, None))
            nested = [name for name in params if name.startswith(f"{part}__")]
            if nested and not isinstance(value, Tunable):
                raise ValueError(
                    f"{nested[0]} needs {an_object} that is an object, such as "
                    f"{part}={such_as}, to be set; got {part}={value!r}."
                )
        return super().set_params(**params)

    def _record(self, found: dict[str, Any], fitted: Fitted) -> None:
        """Set everything that a fit leaves behind, at once."""
        old = ("n_features_in_", "feature_names_in_", "classes_", "_given_sparse", "_updating")
        kept = {name: value for name, value in vars(self).items() if name not in old}
        self.__dict__ = {**kept, **found, "_fitted": fitted}

    def __getstate__(self) -> dict[str, Any]:
        """The attributes, and the version that they are of."""
        return {**super().__getstate__(), VERSION_KEY: installed_version()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """As they were; a warning where they are of another version."""
        state = dict(state)
        written, here = state.pop(VERSION_KEY, "an older version"), installed_version()
        if written != here and "_fitted" in state:
            warnings.warn(
                InconsistentVersionWarning(
                    estimator_name=type(self).__name__,
                    current_sklearn_version=f"{here} of sparsebayes",
                    original_sklearn_version=f"{written} of sparsebayes",
                ),
                stacklevel=2,
            )
        super().__setstate__(state)

    def _complete(self, basis: Basis, inputs: Any) -> Basis:
        """The basis, with what the model has besides.

        Parameters
        ----------
        inputs : of the training rows; None where they are not in memory
        """
        return basis

    def _announce(self, facts: Facts) -> None:
        """Say how the fit ended. It is the last thing a fit does."""
        if self.verbose:
            print(f"{type(self).__name__} {self.outcome_.name} after {self.n_iter_} iterations")
        held = [name for kind in self._model.columns.kinds for name in kind.held_back]
        if held:
            warnings.warn(
                f"the bounds of {', '.join(held)} are below the spread of X, and held the kernel "
                "back: rows that are near each other hardly relate. Set wider bounds in the "
                "kernel, or scale X (for instance with StandardScaler).",
                UserWarning,
                stacklevel=4,
            )
        if not self.outcome_.converged:
            process = self._model.predictor.plain.spread.covers and is_linear(self._model.columns)
            wide = process and self.n_features_in_ > facts.n_rows
            found = advice(self.outcome_, replace(facts, wide_process=wide))
            warnings.warn(found, ConvergenceWarning, stacklevel=5)
        elif facts.left is not None and np.max(self.noise_std_) > facts.left.spread:
            found = of_lost_mean(facts.left, float(np.max(self.noise_std_)))
            warnings.warn(found, ConvergenceWarning, stacklevel=5)

    @property
    def _model(self) -> Fitted:
        """What the fit left behind, or scikit-learn's error if there was none."""
        if "_fitted" not in vars(self):
            check_is_fitted(self)
        return self._fitted

    def _as_given(self, vectors: Any) -> Any:
        """Training rows, as a sparse matrix where X was one."""
        sparse = "_given_sparse" in vars(self) and not issparse(vectors)
        return csr_matrix(vectors) if sparse else vectors

    def _new_inputs(self, X: Any) -> Any:
        return new_inputs(self, X, self._model.basis.accepts_sparse)

    def __sklearn_is_fitted__(self) -> bool:
        return "_fitted" in vars(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        try:
            basis = self._make_basis()
        except ValueError:  # a bad parameter is reported by fit, not when the estimator is shown
            return tags
        tags.input_tags.sparse = basis.accepts_sparse
        tags.input_tags.pairwise = basis.precomputed
        return tags

    # Fitted attributes.

    @property
    def relevance_(self) -> np.ndarray:
        """Indices of the training rows, or of the given centres, that are relevance vectors.

        With a proper prior over weight precisions, which keeps all columns: of those that a flat
        prior would keep.
        """
        return self._model.relevant_rows

    @property
    def weights_(self) -> np.ndarray:
        """Mean weights of the columns that the model keeps."""
        mean = self._model.predictor.plain.weights
        one = self._model.squeezed or self._model.likelihood is not None
        return mean[:, 0] if one else mean

    @property
    def covariance_(self) -> np.ndarray:
        """Posterior covariance of `weights_`, for one output or two classes."""
        if self._model.predictor.plain.weights.shape[1] > 1:
            raise AttributeError("covariance_ is there for one output or two classes only.")
        return self._model.predictor.plain.posterior.of_weights(0)

    @property
    def weight_precision_(self) -> np.ndarray:
        """Prior precisions of `weights_`."""
        return self._model.weight_precision

    @property
    def log_evidence_(self) -> float:
        """Logarithm of the evidence: the marginal likelihood of the training targets.

        With ``inference="projection"`` it is that of the Gaussian process.
        """
        return self._model.log_evidence

    @property
    def lower_bound_(self) -> float:
        """With ``inference="variational"``: lower bound of the log evidence."""
        if np.isnan(self._model.lower_bound):
            raise AttributeError('lower_bound_ needs inference="variational".')
        return self._model.lower_bound

    @property
    def history_(self) -> list:
        """A named tuple for each iteration; if there were several fits, a list for each.

        Fields are log_evidence, n_active, noise_std, gradient, largest_gain and lower_bound.
        """
        histories = self._model.histories
        return histories[0] if len(histories) == 1 else histories

    @property
    def n_iter_(self) -> int:
        """Number of iterations, the largest if there were several fits."""
        return max(map(len, self._model.histories)) - 1

    @property
    def outcome_(self) -> Outcome:
        """How the fit ended, as an `Outcome`, whose ``value`` says what helps in general."""
        return Outcome[self._model.outcome]

    @property
    def likelihood_(self) -> Any:
        """The likelihood with the parameters that were learned, unless it is the default."""
        likelihood = self._model.likelihood
        if likelihood is None:
            raise AttributeError(
                "likelihood_ has what was learned of a likelihood besides its noise; this model "
                f"has none, as likelihood={self.likelihood!r}."
            )
        return likelihood

    @property
    def input_relevance_(self) -> np.ndarray:
        """The share of the prediction's variance that each input has a part in.

        It is 0 for an input that is not used. Inputs that act together have a part in the same
        variance, so the sum can be more than 1. It exists if each of up to 1000 inputs has a
        learned scale, and for models that are linear in their inputs.
        """
        relevance = self._model.input_relevance
        if relevance is None:
            raise AttributeError(
                "input_relevance_ needs a scale for each input that was learned, and at most 1000 "
                "inputs; or a model that is linear in its inputs."
            )
        return relevance

    @property
    def column_names_(self) -> list[str]:
        """Names of the kept columns, in the order of `weights_` and `covariance_`."""
        columns = self._model.columns
        names = getattr(self, "feature_names_in_", None)
        return columns.names(
            [f"x{k}" for k in range(self.n_features_in_)] if names is None else names
        )

    @property
    def covering_(self) -> np.ndarray:
        """With ``inference="projection"``: indices of the rows that give the error bars."""
        return self._covering.rows

    @property
    def _covering(self) -> Any:
        """The `Spread` of the rows that cover the process."""
        spread = self._model.predictor.plain.spread
        if not spread.covers:
            raise AttributeError(
                'there are no covering rows: they need inference="projection", a kernel that is a '
                "covariance, and a model whose covering was not dropped. Its error bars are those "
                "of the weights, and shrink away from the data."
            )
        return spread

    @of_one_model
    def novelty(self, X: Any) -> np.ndarray:
        """How unlike the training rows new rows are, from 0 (well known) to 1 (entirely new).

        It is the variance of the Gaussian process at a row, divided by its variance before it saw
        any data. It needs the covering rows of ``inference="projection"``.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        novelty : array of shape (n_samples,)
            A number between 0 and 1 for each row.
        """
        X, _ = self._new_inputs(X), self._covering
        return self._model.predictor.novelty(X)

    def drop_covering(self) -> Self:
        """Drop the covering rows, which makes the model small.

        The means of predictions stay as they are. The error bars are then computed from the
        weights: about the same near the data, too small away from them. What the vectors miss of
        the Gaussian process counts as noise.

        Returns
        -------
        self : estimator
            The estimator without covering rows.
        """
        self._fitted = self._model.without_covering()
        return self

    def prune(self) -> Self:
        """Drop the columns that a flat prior would not keep, which makes the model small.

        Only a model with a proper prior over weight precisions has such columns, as one fitted with
        ``inference="variational"`` always does. The other weights get their posterior under the
        condition that the dropped weights are zero. `relevance_` stays as it is.

        Returns
        -------
        self : estimator
            The pruned estimator.
        """
        self._fitted = self._model.pruned()
        return self
