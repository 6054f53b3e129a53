"""What the classifiers share."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, log_expit
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from sparsebayes.estimators._checks import check_settings, training_inputs, training_weight
from sparsebayes.estimators._model import SparseBayesModel
from sparsebayes.estimators._progress import with_callbacks
from sparsebayes.likelihoods import Bernoulli


class Classification(ClassifierMixin, SparseBayesModel):
    """A model of a target of two classes."""

    def _make_likelihood(self):
        return Bernoulli()

    @with_callbacks
    def fit(self, X, y, sample_weight=None):
        """Fit the model.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs; with a precomputed kernel, kernel values (n_samples, n_samples).
        y : array-like of shape (n_samples,)
            Labels of two classes, of any type.
        sample_weight : array-like of shape (n_samples,), default=None
            A weight of two equals the row twice, a weight of zero its absence. Their sum counts as
            the number of observations: do not normalise them to one.

        Returns
        -------
        self : the fitted estimator
        """
        check_settings(self)
        basis = self._make_basis()
        X, y = training_inputs(self, X, y, basis.accepts_sparse)
        weight = training_weight(sample_weight, X)
        self.classes_ = two_classes(type(self).__name__, y, weight)
        self._infer(basis, X, (y == self.classes_[1]).astype(np.float64), weight)
        self._announce()
        return self

    def latent_mean_and_variance(self, X):
        """Mean and variance of the latent value, whose sigmoid is the probability.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        mean, variance : arrays of shape (n_samples,)
        """
        X = self._new_inputs(X)
        return self._latent.predict_mean(X), self._latent.predict_variance(X)

    def decision_function(self, X):
        """Log odds of `classes_[1]`, integrated over the posterior of the weights.

        mean / sqrt(1 + pi variance / 8) of the latent value, so that it orders rows as
        `predict_proba` does. The latent value itself is in `latent_mean_and_variance`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        log_odds : array of shape (n_samples,)
        """
        return Bernoulli().predictive_log_odds(*self.latent_mean_and_variance(X))

    def predict_proba(self, X):
        """Probabilities of the classes, integrated over the posterior of the weights.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        probability : array of shape (n_samples, 2), columns as `classes_`
        """
        log_odds = self.decision_function(X)
        return np.column_stack([expit(-log_odds), expit(log_odds)])

    def predict_log_proba(self, X):
        """Logarithms of `predict_proba`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        log_probability : array of shape (n_samples, 2), columns as `classes_`
        """
        log_odds = self.decision_function(X)
        return np.column_stack([log_expit(-log_odds), log_expit(log_odds)])

    def predict(self, X):
        """The more probable class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        label : array of shape (n_samples,)
        """
        second = self.decision_function(X) > 0
        return self.classes_[second.astype(np.intp)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def two_classes(name: str, y, weight) -> np.ndarray:
    """The two labels among the rows of positive weight, sorted, or an error."""
    check_classification_targets(y)
    kind = type_of_target(y, input_name="y")
    classes = np.unique(y[weight > 0])
    if kind != "binary" and len(classes) != 2:
        raise ValueError(
            f"Only binary classification is supported. The type of the target is {kind}. "
            f"{name} got {len(classes)} classes: wrap it in OneVsRestClassifier."
        )
    if len(classes) != 2:
        raise ValueError(
            f"{name} needs rows of two classes with positive weight, got one class: {classes[0]}."
        )
    return classes
