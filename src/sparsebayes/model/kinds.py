"""Plain models of numbers and of classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.model.arrays import finite, without_numpy_errors
from sparsebayes.model.face import new_inputs
from sparsebayes.model.models import PortableModel
from sparsebayes.model.predictor import Predictor
from sparsebayes.model.responses import CountTargets, RealTargets, VaryingTargets


@dataclass(frozen=True, eq=False)
class PortableClassifier(PortableModel):
    """A fitted classifier as plain arrays, which predicts with NumPy alone.

    You get one from `sparsebayes.load`, or from the method `to_portable` of a fitted estimator.

    Parameters
    ----------
    plain : Plain
        Columns, their weights and their uncertainty, which give latent values.
    response : object
        How latent values become probabilities.
    face : Face
        The name of the estimator, and the inputs that it takes.
    classes_ : array of shape (n_classes,)
        Labels of the classes.
    source : tuple, default=None
        The estimator that was fitted, as JSON and arrays; None if it is not known.

    See Also
    --------
    load : Reads one from a file.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> from sparsebayes import RVC
    >>> from sparsebayes.datasets import ripley_mixture
    >>> model = RVC(gamma=4.0).fit(*ripley_mixture(60, random_state=0)).to_portable()
    >>> model.predict_proba([[0.0, 0.5]]).shape
    (1, 2)
    """

    response: Any
    classes_: np.ndarray

    @property
    def labels(self) -> np.ndarray:
        """The labels of the classes (n_classes,)."""
        return self.classes_

    def __post_init__(self) -> None:
        self.face.check()
        if not self.response.is_probability:
            raise ValueError("a model of classes has a response of numbers.")
        self.plain.check(self.face.n_features)
        if self.classes_.ndim != 1:
            raise ValueError("classes_ must have one axis.")
        self.response.check(self.plain.weights.shape[1], len(self.classes_))
        widths = {root.shape[1] for root in self.plain.spread.roots}
        if getattr(self.response, "own_weights", False) and len(widths) > 1:
            raise ValueError("classes with weights of their own have roots of one width.")

    @without_numpy_errors
    def predict(self, X: Any) -> np.ndarray:
        """Predict the most probable class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        label : array of shape (n_samples,)
            The label of the class.
        """
        return self.classes_[self._ask(Predictor.most_probable, X)]

    @without_numpy_errors
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        probability : array of shape (n_samples, n_classes)
            The probabilities, with columns in the order of `classes_`.
        """
        return np.exp(self.predict_log_proba(X))

    @without_numpy_errors
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        log_probability : array of shape (n_samples, n_classes)
            The log probabilities, with columns in the order of `classes_`.
        """
        return self._ask(Predictor.log_probability, X)

    @without_numpy_errors
    def decision_function(self, X: Any) -> np.ndarray:
        """Log odds of ``classes_[1]``; for three or more classes what the estimator gives.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        scores : array of shape (n_samples,) or (n_samples, n_classes)
            The log odds, or the scores of three or more classes.
        """
        return self._squeeze(self._ask(Predictor.scores, X))


@dataclass(frozen=True, eq=False)
class PortableRegressor(PortableModel):
    """A fitted regressor as plain arrays, which predicts with NumPy alone.

    You get one from `sparsebayes.load`, or from the method `to_portable` of a fitted estimator.

    Parameters
    ----------
    plain : Plain
        Columns, their weights and their uncertainty, which give latent values.
    response : object
        Offset and noise of the outputs.
    face : Face
        The name of the estimator, and the inputs that it takes.
    source : tuple, default=None
        The estimator that was fitted, as JSON and arrays; None if it is not known.

    See Also
    --------
    load : Reads one from a file.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> model = RVR().fit(*noisy_sinc(50, random_state=0)).to_portable()
    >>> mean, std = model.predict([[0.0]], return_std=True)
    >>> mean.shape, std.shape
    ((1,), (1,))
    """

    response: RealTargets | CountTargets | VaryingTargets

    def __post_init__(self) -> None:
        self.face.check()
        if self.response.is_probability:
            raise ValueError("a model of numbers has a response of classes.")
        self.plain.check(self.face.n_features)
        self.response.check(self.plain.weights.shape[1], self.face.n_features)
        if self.face.squeezed and self.plain.weights.shape[1] != 1:
            raise ValueError("a squeezed model has one output.")

    @without_numpy_errors
    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Predict the mean of new targets, and their standard deviation.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New inputs.
        return_std : bool, default=False
            Whether to return the standard deviation of a new target, noise included.

        Returns
        -------
        mean : array of shape (n_samples,) or (n_samples, n_outputs)
            The mean of a new target at each row.
        std : array of shape (n_samples,) or (n_samples, n_outputs)
            Its standard deviation, if `return_std` is true.
        """
        if not return_std:
            return self._squeeze(self._ask(Predictor.predict_mean, X))
        mean, std = self.predictor.predict_std(new_inputs(X, self.face))
        return self._squeeze(finite(mean)), self._squeeze(finite(std))

    @without_numpy_errors
    def predict_quantiles(self, X: Any, quantiles: Any = (0.05, 0.5, 0.95)) -> np.ndarray:
        """Quantiles of new targets, noise included.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New inputs.
        quantiles : array-like of shape (n_quantiles,), default=(0.05, 0.5, 0.95)
            Numbers between 0 and 1, at least 1e-9 from both.

        Returns
        -------
        y : array of shape (n_samples, n_quantiles) or (n_samples, n_quantiles, n_outputs)
            The quantiles of each row.
        """
        levels = np.asarray(quantiles, dtype=np.float64)
        if levels.ndim != 1 or not np.all((levels >= 1e-9) & (levels <= 1.0 - 1e-9)):
            raise ValueError(
                f"quantiles must be a list of numbers from 1e-9 to 1 - 1e-9, got {quantiles!r}."
            )
        return self._squeeze(self._ask(Predictor.quantiles, X, levels))
