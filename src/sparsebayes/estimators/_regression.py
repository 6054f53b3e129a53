"""What the regressors share."""

from __future__ import annotations

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.utils import check_random_state

from sparsebayes.estimators._checks import (
    PROJECTION,
    check_flag,
    check_noise_std,
    check_settings,
    check_target_size,
    hyperprior,
    numeric_target,
    training_inputs,
    training_weight,
)
from sparsebayes.estimators._model import SparseBayesModel
from sparsebayes.estimators._progress import with_callbacks
from sparsebayes.estimators._several import fit_each, shared_output_model, side_by_side
from sparsebayes.hyperpriors import Gamma
from sparsebayes.likelihoods import Gaussian, Gaussians
from sparsebayes.predictive import LatentModel, gaussian_quantiles, mixture_quantiles


class Regression(MultiOutputMixin, RegressorMixin, SparseBayesModel):
    """A model of a real target, or of several, with Gaussian noise."""

    @with_callbacks
    def fit(self, X, y, sample_weight=None):
        """Fit the model.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs; with a precomputed kernel, kernel values (n_samples, n_samples).
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
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
        check_flag(self, "shared_precision")
        basis = self._make_basis()
        y = numeric_target(self, y)
        X, y = training_inputs(self, X, y, basis.accepts_sparse, y_numeric=True, multi_output=True)
        check_target_size(y)
        weight = training_weight(sample_weight, X)
        columns, used = self._bind(basis, X, weight)
        y = np.asarray(y, dtype=np.float64)
        self._fit_outputs(columns, X[used], y[used], weight[used])
        self._record_relevance(X[used])
        self._announce()
        return self

    def _fit_outputs(self, columns, X, y, weight):
        """One output, or several with shared precisions, or each for itself."""
        one = Gaussian(self.noise_std)
        if y.ndim == 1:
            columns, fit = self._infer_with_scales(columns, X, y, weight, one)
            self._record(columns, fit)
            self.noise_std_ = fit.posterior.noise_precision**-0.5
            self._record_noise([fit], weight)
        elif self.shared_precision and y.shape[1] > 1:
            refuse_shared(self)
            columns = self._learn(columns, X, y.T, weight, one)
            fit = self._infer(columns, X, y, weight, Gaussians(y.shape[1]))
            self._record_several(*shared_output_model(columns, fit), [fit])
            self.noise_std_ = self._latent.noise_std
        else:
            columns, fits = self._fit_separately(columns, X, y, weight, one)
            self._record_several(*side_by_side(columns, fits), fits)
            self.noise_std_ = np.array([fit.posterior.noise_precision**-0.5 for fit in fits])
            self._record_noise(fits, weight)

    def _fit_separately(self, columns, X, y, weight, likelihood):
        """A fit for each output, at scales that they have in common."""
        if y.shape[1] == 1:
            columns, fit = self._infer_with_scales(columns, X, y[:, 0], weight, likelihood)
            return columns, [fit]
        columns = self._learn(columns, X, y.T, weight, likelihood)
        return columns, fit_each(self, columns, X, y.T, weight, likelihood)

    def _record_noise(self, fits, weight):
        """Q(tau) where it was inferred: Gamma(c + n / 2, ...) of this mean. [BT00] (21)"""
        if self.inference != "variational" or self.noise_std is not None:
            return
        prior = hyperprior(self, "noise_hyperprior", 1.0)
        shape = prior.shape + 0.5 * float(weight.sum())
        posteriors = [Gamma(shape, shape / fit.posterior.noise_precision) for fit in fits]
        self.noise_posterior_ = posteriors[0] if self.weights_.ndim == 1 else posteriors

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
            Each with a last axis for the outputs, where the model has several.
        """
        if return_std and return_cov:
            raise RuntimeError("return_std and return_cov were both set; at most one can be asked.")
        X = self._new_inputs(X)
        if return_cov:
            parts = [self._with_covariance(each, X) for each in self._outputs()]
            return self._stack(parts, 0), self._stack(parts, 1)
        mean = self._latent.predict_mean(X)
        if return_std:
            return mean, np.sqrt(self._latent.predict_variance(X) + self.noise_std_**2)
        return mean

    def _outputs(self) -> list[tuple[LatentModel, float, Gamma | None]]:
        """Of each output the latent model, the noise, and the distribution of its precision."""
        if self.weights_.ndim == 1:
            return [(self._latent, self.noise_std_, getattr(self, "noise_posterior_", None))]
        models = [self._latent.output(k) for k in range(self.weights_.shape[1])]
        noise = getattr(self, "noise_posterior_", [None] * len(models))
        return list(zip(models, self.noise_std_, noise, strict=True))

    def _stack(self, parts, k):
        """Entry k of the parts of all outputs, along a last axis if there are several."""
        stacked = np.stack([part[k] for part in parts], axis=-1)
        return stacked[..., 0] if self.weights_.ndim == 1 else stacked

    @staticmethod
    def _with_covariance(output, X):
        latent, noise_std, _ = output
        mean, covariance = latent.predict_mean(X), latent.predict_covariance(X)
        return mean, covariance + noise_std**2 * np.eye(len(mean))

    def predict_quantiles(self, X, quantiles=(0.05, 0.5, 0.95)):
        """Quantiles of the predictive distribution of new targets, noise included.

        Those of a Gaussian with the mean and standard deviation of `predict`. With
        inference="variational" the noise is integrated out as well, which makes tails heavier where
        rows are few: by a tenth at the 95 % quantile with ten rows, by a hundredth with a hundred.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        quantiles : array-like of shape (n_quantiles,), default=(0.05, 0.5, 0.95)
            Numbers between 0 and 1, at least 1e-9 from both.

        Returns
        -------
        y : array of shape (n_samples, n_quantiles), or (n_samples, n_quantiles, n_outputs)
        """
        levels = np.asarray(quantiles, dtype=np.float64)
        if levels.ndim != 1 or not np.all((levels >= 1e-9) & (levels <= 1.0 - 1e-9)):
            raise ValueError(
                f"quantiles must be a list of numbers from 1e-9 to 1 - 1e-9, got {quantiles!r}."
            )
        X = self._new_inputs(X)
        return self._stack([self._quantiles(each, X, levels) for each in self._outputs()], 0)

    @staticmethod
    def _quantiles(output, X, levels):
        latent, noise_std, noise_posterior = output
        mean, variance = latent.predict_mean(X), latent.predict_variance(X)
        if noise_posterior is None:
            return (gaussian_quantiles(mean, np.sqrt(variance + noise_std**2), levels),)
        return (mixture_quantiles(mean, variance, noise_posterior, levels),)

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
        y : array of shape (n_inputs, n_samples), or (n_inputs, n_outputs, n_samples)
        """
        random = check_random_state(random_state)
        X = self._new_inputs(X)
        draws = []
        for latent, noise_std, _ in self._outputs():
            values = latent.sample(X, n_samples, random)
            draws.append(values + noise_std * random.standard_normal(values.shape))
        return draws[0] if self.weights_.ndim == 1 else np.stack(draws, axis=1)


def refuse_shared(estimator) -> None:
    """An error for parameters that outputs with shared precisions have no place for."""
    given = [
        name for name in ("noise_std", "noise_hyperprior") if getattr(estimator, name) is not None
    ]
    if estimator.inference in ("variational", PROJECTION):
        given.append(f'inference="{estimator.inference}"')
    if given:
        raise ValueError(
            f"{given[0]} cannot be had with several outputs that share precisions: use "
            "shared_precision=False, or leave it out."
        )
