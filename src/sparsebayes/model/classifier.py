"""A plain model of classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.model.models import PortableModel
from sparsebayes.model.predictor import Predictor


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
