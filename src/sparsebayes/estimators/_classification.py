"""What the classifiers share."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin

from sparsebayes.estimators._asked import asked_of, check_word
from sparsebayes.estimators._conditional import Missing
from sparsebayes.estimators._fit import fit_to
from sparsebayes.estimators._lazy import lazy_classes, lazy_values
from sparsebayes.estimators._model import SparseBayesModel, of_one_model
from sparsebayes.estimators._progress import with_callbacks
from sparsebayes.inference.inference import Inference
from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.model.given import refuse_masked, refuse_no_numbers
from sparsebayes.targets import OF_CLASSES, Given, Target, asked_target
from sparsebayes.targets.classes import MULTI_CLASS
from sparsebayes.targets.values import is_lazy


class Classification(ClassifierMixin, SparseBayesModel):
    """A model of a target of two or more classes."""

    _targets: ClassVar = OF_CLASSES

    partial_fit = Missing(
        "classifiers have no partial_fit, as the sums that it adds to are those of a regression: "
        "give all rows at once to fit, which takes arrays, memory maps and Dask collections of any "
        "number of rows."
    )

    @with_callbacks
    @without_numpy_errors
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model to training rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} or Dask collection of shape (n_samples, n_features)
            Training inputs; with a precomputed kernel, kernel values (n_samples, n_samples). With
            ``inference="projection"`` more than 10 000 rows are read in blocks.
        y : array-like of shape (n_samples,)
            Labels of two or more classes, of any type.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each row counts. A row of weight 2 counts as the row twice, one of weight 0 is
            left out. Only the ratios of weights matter: they are scaled to the number of rows of
            equal weight that say as much. Integers count rows as they are where rows that are equal
            in X and y were observed: where equal rows of X come with several classes, or are
            expected by chance, as in a table of few levels.

        Returns
        -------
        self : estimator
            The fitted estimator.
        """
        refuse_masked(X=X, y=y)
        refuse_no_numbers(sample_weight=sample_weight)
        fit_to(self, asked_of(self), Given(type(self).__name__, X, y, sample_weight))
        return self

    def _make_target(self, inference: Inference) -> Target:
        """What y is to be, its parameters checked."""
        check_word(self, "multi_class", MULTI_CLASS)
        target: Any = asked_target(self.likelihood, OF_CLASSES)
        return target.asked(self.multi_class, self.class_weight, inference)

    @of_one_model
    def latent_mean_and_variance(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of the latent value f(x), whose sigmoid is the probability.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        mean : array of shape (n_samples,) or (n_samples, n_classes)
            The mean; for three or more classes, one for each class.
        variance : array of shape (n_samples,) or (n_samples, n_classes)
            The variance.
        """
        mean, variance = self._model.predictor.latent_moments(self._new_inputs(X))
        if mean.shape[1] == 1:
            return mean[:, 0], variance[:, 0]
        return mean, variance

    @of_one_model
    def decision_function(self, X: Any) -> np.ndarray:
        """Log odds of ``classes_[1]``, averaged over what is uncertain.

        They order rows as `predict_proba` does. The latent value itself is in
        `latent_mean_and_variance`. For three or more classes they are log probabilities of the
        classes, or with ``multi_class="ovr"`` log odds of each class against the rest.

        Parameters
        ----------
        X : {array-like, sparse matrix} or Dask collection of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        scores : array of shape (n_samples,) or (n_samples, n_classes)
            The log odds, or the scores of three or more classes.
        """
        if is_lazy(X):
            if self._model.squeezed:
                return lazy_values(self, X, "decision_function", np.float64)
            return lazy_classes(self, X, "decision_function")
        return self._model.shaped(self._model.predictor.scores(self._new_inputs(X)))

    @of_one_model
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes, averaged over what is uncertain.

        Parameters
        ----------
        X : {array-like, sparse matrix} or Dask collection of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        probability : array of shape (n_samples, n_classes)
            The probabilities, with columns in the order of `classes_`.
        """
        if is_lazy(X):
            return lazy_classes(self, X, "predict_proba")
        return np.exp(self.predict_log_proba(X))

    @of_one_model
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : {array-like, sparse matrix} or Dask collection of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        log_probability : array of shape (n_samples, n_classes)
            The log probabilities, with columns in the order of `classes_`.
        """
        if is_lazy(X):
            return lazy_classes(self, X, "predict_log_proba")
        return self._model.predictor.log_probability(self._new_inputs(X))

    @of_one_model
    def predict(self, X: Any) -> np.ndarray:
        """Predict the most probable class.

        Parameters
        ----------
        X : {array-like, sparse matrix} or Dask collection of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        label : array of shape (n_samples,)
            The label of the class.
        """
        if is_lazy(X):
            return lazy_values(self, X, "predict", self.classes_.dtype)
        codes = self._model.predictor.most_probable(self._new_inputs(X))
        return self.classes_[codes]
