"""What the classifiers share."""

from __future__ import annotations

import numpy as np
from scipy.special import log_expit
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from sparsebayes._parameters import is_word
from sparsebayes.estimators._checks import (
    PROJECTION,
    check_flag,
    check_settings,
    training_inputs,
    training_weight,
    with_class_weight,
)
from sparsebayes.estimators._model import SparseBayesModel
from sparsebayes.estimators._progress import with_callbacks
from sparsebayes.estimators._several import (
    fit_each,
    joint_likelihood,
    joint_model,
    side_by_side,
)
from sparsebayes.latents import OneVsRestModel, map_moments, mean_and_variance
from sparsebayes.likelihoods import Bernoulli


class Classification(ClassifierMixin, SparseBayesModel):
    """A model of a target of two or more classes."""

    @with_callbacks
    def fit(self, X, y, sample_weight=None):
        """Fit the model.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs; with a precomputed kernel, kernel values (n_samples, n_samples).
        y : array-like of shape (n_samples,)
            Labels of two or more classes, of any type.
        sample_weight : array-like of shape (n_samples,), default=None
            A weight of two equals the row twice, a weight of zero its absence. Their sum counts as
            the number of observations: do not normalise them to one.

        Returns
        -------
        self : the fitted estimator
        """
        check_settings(self)
        check_class_settings(self)
        basis = self._make_basis()
        X, y = training_inputs(self, X, y, basis.accepts_sparse)
        weight = with_class_weight(training_weight(sample_weight, X), self.class_weight, y)
        self.classes_ = classes_of(type(self).__name__, y, weight)
        codes = np.searchsorted(self.classes_, y).astype(np.float64)
        columns, used = self._bind(basis, X, weight)
        self._fit_classes(columns, X[used], codes[used], weight[used])
        self._record_relevance(X[used])
        self._announce()
        return self

    def _fit_classes(self, columns, X, codes, weight):
        """Two classes, or several jointly, or each against the rest."""
        if len(self.classes_) == 2:
            self._record(*self._infer_with_scales(columns, X, codes, weight, Bernoulli()))
            return
        targets = (codes == np.arange(len(self.classes_))[:, None]).astype(np.float64)
        if self.multi_class == "ovr":
            refuse_shared_precision(self)
            columns = self._learn(columns, X, targets, weight, Bernoulli())
            fits = fit_each(self, columns, X, targets, weight, Bernoulli(), self.n_jobs)
            several = side_by_side(columns, fits)
            several = several._replace(model=OneVsRestModel(several.model))
            self._record_several(*several, fits)
        else:
            refuse_one_target_inferences(self)
            columns = self._learn(columns, X, targets, weight, Bernoulli())
            likelihood = joint_likelihood(len(self.classes_), self.shared_precision)
            fit = self._infer(columns, X, codes, weight, likelihood)
            self._record_several(*joint_model(likelihood, columns, fit), [fit])

    def latent_mean_and_variance(self, X):
        """Mean and variance of the latent value, whose sigmoid is the probability.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        mean, variance : arrays of shape (n_samples,), or (n_samples, n_classes) for three or more
        """
        X = self._new_inputs(X)
        if self._has_two_classes():
            return self._latent.predict_mean(X), self._latent.predict_variance(X)
        both = map_moments(self._latent, X, mean_and_variance)
        return both[..., 0], both[..., 1]

    def decision_function(self, X):
        """Log odds of `classes_[1]`, integrated over the posterior of the weights.

        They order rows as `predict_proba` does. The latent value itself is in
        `latent_mean_and_variance`. For three or more classes, log probabilities of the classes, or
        with multi_class="ovr" log odds of each against the rest.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        scores : array of shape (n_samples,), or (n_samples, n_classes) for three or more
        """
        if self._has_two_classes():
            return Bernoulli().predictive_log_odds(*self.latent_mean_and_variance(X))
        return self._latent.scores(self._new_inputs(X))

    def predict_proba(self, X):
        """Probabilities of the classes, integrated over the posterior of the weights.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        probability : array of shape (n_samples, n_classes), columns as `classes_`
        """
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X):
        """Logarithms of `predict_proba`.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        log_probability : array of shape (n_samples, n_classes), columns as `classes_`
        """
        if self._has_two_classes():
            log_odds = self.decision_function(X)
            return np.column_stack([log_expit(-log_odds), log_expit(log_odds)])
        return self._latent.log_probability(self._new_inputs(X))

    def predict(self, X):
        """The most probable class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        label : array of shape (n_samples,)
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return self.classes_[(scores > 0).astype(np.intp)]
        return self.classes_[scores.argmax(axis=1)]

    def _has_two_classes(self) -> bool:
        check_is_fitted(self)
        return len(self.classes_) == 2


def check_class_settings(estimator) -> None:
    """The parameters that only classifiers have."""
    if not any(is_word(estimator.multi_class, word) for word in ("ovr", "multinomial")):
        raise ValueError(
            f'multi_class must be "ovr" or "multinomial", got {estimator.multi_class!r}.'
        )
    check_flag(estimator, "shared_precision")


def refuse_shared_precision(estimator) -> None:
    """An error where there is no joint model to share precisions in."""
    if estimator.shared_precision:
        raise ValueError(
            'shared_precision=True needs multi_class="multinomial": one class against the rest has '
            "nothing to share."
        )


def refuse_one_target_inferences(estimator) -> None:
    """An error where the inference has no bound for the likelihood, or no dense model."""
    lacks = {"variational": "no bound", PROJECTION: "no dense model"}
    if estimator.inference in lacks:
        raise ValueError(
            f'inference="{estimator.inference}" has {lacks[estimator.inference]} for '
            f'{len(estimator.classes_)} classes at once: use multi_class="ovr", or '
            'inference="fast".'
        )


def classes_of(name: str, y, weight) -> np.ndarray:
    """The labels among the rows of positive weight, sorted; an error if there is only one."""
    check_classification_targets(y)
    classes = np.unique(y[weight > 0])
    if len(classes) < 2:
        raise ValueError(
            f"{name} needs rows of two classes or more with positive weight, got one class: "
            f"{classes[0]}."
        )
    return classes
