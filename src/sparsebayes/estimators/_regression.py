"""What the regressors share."""

from __future__ import annotations

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils import check_random_state

from sparsebayes.estimators._checks import (
    check_noise_std,
    check_settings,
    check_target_size,
    numeric_target,
    training_inputs,
    training_weight,
)
from sparsebayes.estimators._model import SparseBayesModel
from sparsebayes.estimators._progress import with_callbacks
from sparsebayes.likelihoods import Gaussian
from sparsebayes.predictive import gaussian_quantiles, mixture_quantiles


class Regression(RegressorMixin, SparseBayesModel):
    """A model of a real target with Gaussian noise."""

    def _make_likelihood(self):
        return Gaussian(self.noise_std)

    @with_callbacks
    def fit(self, X, y, sample_weight=None):
        """Fit the model.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs; with a precomputed kernel, kernel values (n_samples, n_samples).
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), default=None
            A weight of two equals the row twice, a weight of zero its absence. Their sum counts as
            the number of observations: do not normalise them to one.

        Returns
        -------
        self : the fitted estimator
        """
        check_settings(self)
        check_noise_std(self.noise_std)
        basis = self._make_basis()
        y = numeric_target(self, y)
        X, y = training_inputs(self, X, y, basis.accepts_sparse, y_numeric=True)
        check_target_size(y)
        weight = training_weight(sample_weight, X)
        self._infer(basis, X, np.asarray(y, dtype=np.float64), weight)
        self._announce()
        return self

    def predict(self, X, return_std=False, return_cov=False):
        """The predictive distribution of the target. [T01] (21)-(22)

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        return_std : bool, default=False
            Whether to return the standard deviation of a new target, noise included.
        return_cov : bool, default=False
            Whether to return the covariance of new targets, noise included.

        Returns
        -------
        mean : array of shape (n_samples,)
        std : array of shape (n_samples,), with `return_std`
        cov : array of shape (n_samples, n_samples), with `return_cov`
        """
        if return_std and return_cov:
            raise RuntimeError("return_std and return_cov were both set; at most one can be asked.")
        X = self._new_inputs(X)
        mean = self._latent.predict_mean(X)
        if return_std:
            return mean, np.sqrt(self._latent.predict_variance(X) + self.noise_std_**2)
        if return_cov:
            covariance = self._latent.predict_covariance(X)
            return mean, covariance + self.noise_std_**2 * np.eye(len(mean))
        return mean

    def predict_quantiles(self, X, quantiles=(0.05, 0.5, 0.95)):
        """Quantiles of the predictive distribution of new targets, noise included.

        Those of a Gaussian with the mean and standard deviation of `predict`. With
        inference="variational" the noise is integrated out as well, which makes tails heavier where
        rows are few: by a tenth at the 95 % quantile with ten rows, by a hundredth with a hundred.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        quantiles : array-like of shape (n_quantiles,), default=(0.05, 0.5, 0.95)
            Numbers between 0 and 1, both excluded.

        Returns
        -------
        y : array of shape (n_samples, n_quantiles)
        """
        levels = np.asarray(quantiles, dtype=np.float64)
        if levels.ndim != 1 or not np.all((levels > 0.0) & (levels < 1.0)):
            raise ValueError(
                f"quantiles must be a list of numbers between 0 and 1, got {quantiles!r}."
            )
        X = self._new_inputs(X)
        mean, variance = self._latent.predict_mean(X), self._latent.predict_variance(X)
        if hasattr(self, "noise_posterior_"):
            return mixture_quantiles(mean, variance, self.noise_posterior_, levels)
        return gaussian_quantiles(mean, np.sqrt(variance + self.noise_std_**2), levels)

    def sample_y(self, X, n_samples=1, random_state=0):
        """Draws of new targets: of the function from its posterior, and of the noise.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_inputs, n_features)
        n_samples : int, default=1
            The number of draws.
        random_state : int, RandomState instance or None, default=0

        Returns
        -------
        y : array of shape (n_inputs, n_samples)
        """
        random = check_random_state(random_state)
        X = self._new_inputs(X)
        latent = self._latent.sample(X, n_samples, random)
        return latent + self.noise_std_ * random.standard_normal(latent.shape)
