"""What the regressors share."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils import column_or_1d

from sparsebayes.estimators._asked import Asked, asked_of, check_word
from sparsebayes.estimators._conditional import there_if
from sparsebayes.estimators._fit import fit_to
from sparsebayes.estimators._more_rows import check_has_sums, fit_more
from sparsebayes.estimators._progress import with_callbacks
from sparsebayes.estimators._real_targets import RealPredictions
from sparsebayes.inference.inference import Inference
from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.model.given import refuse_masked, refuse_no_numbers
from sparsebayes.targets import OF_NUMBERS, Given, Target, asked_target
from sparsebayes.targets.complex import explained
from sparsebayes.targets.noise import check_noise_std
from sparsebayes.targets.numbers import MULTI_OUTPUT
from sparsebayes.targets.values import numeric_target, training_weight


class Regression(RegressorMixin, RealPredictions):
    """A model of a real target, or of several, with Gaussian noise; or of another target."""

    _targets: ClassVar = OF_NUMBERS

    @with_callbacks
    @without_numpy_errors
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        noise_std: Any = None,
        exposure: Any = None,
    ) -> Self:
        """Fit the model to training rows.

        Parameters
        ----------
        X : {array-like, sparse matrix} or Dask collection of shape (n_samples, n_features)
            Training inputs; with a precomputed kernel, kernel values (n_samples, n_samples). With
            ``inference="projection"`` more than 10 000 rows are read in blocks. X may be complex in
            ``SparseBayesRegressor(Linear())``.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets: counts if the likelihood is one of counts. They may be complex where X may be,
            and must be where X is.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each row counts. A row of weight 2 counts as the row twice, one of weight 0 is
            left out. Only the ratios of weights matter: they are scaled to the number of rows of
            equal weight that say as much. Integers count rows as they are where rows that are equal
            in X and y were observed: where y has few values, and equal rows of X come with several
            of them. Weights are not precisions: use `noise_std` for rows with more or less noise.
        noise_std : array-like of shape (n_samples,), default=None
            The known standard deviation of the noise of each target, the same for all outputs. It
            is exact, or exact up to a factor that is estimated if the estimator has
            ``noise_std="factor"``. A new target has the root mean square of these, times the
            factor.
        exposure : array-like of shape (n_samples,), default=None
            For counts: how long, or over how much, each was counted. Predictions are for an
            exposure of one. With ``likelihood="poisson"`` you can instead pass rates, counts over
            exposure, as y and the exposure as `sample_weight`. The model is then nearly the same,
            and its evidence lacks a constant.

        Returns
        -------
        self : estimator
            The fitted estimator.
        """
        refuse_masked(X=X, y=y)
        refuse_no_numbers(sample_weight=sample_weight, noise_std=noise_std, exposure=exposure)
        given = Given(type(self).__name__, X, y, sample_weight, noise_std, exposure)
        fit_to(self, *self._as_real(asked_of(self), given))
        return self

    @there_if(check_has_sums)
    @with_callbacks
    @without_numpy_errors
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model to more rows; the earlier ones need not be kept.

        The first call learns centres, scales and columns from its rows, so give it some thousand
        rows that are typical. Later calls keep these, and add the sums over their rows to the
        earlier sums. The mean of y, the noise, the variance of the process and the vectors are then
        found anew, as if all rows had come at once. It needs ``inference="projection"`` and
        Gaussian noise. The sums stay in the estimator: m^2 numbers for m centres. A model of `fit`,
        or from a file, has no such sums, and no `partial_fit`: the error says so. A pickle has
        them.

        Parameters
        ----------
        X : {array-like, sparse matrix} or Dask collection of shape (n_samples, n_features)
            More training inputs.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows; see `fit`.

        Returns
        -------
        self : estimator
            The fitted estimator.

        Examples
        --------
        >>> from sparsebayes import RVR
        >>> from sparsebayes.datasets import noisy_sinc
        >>> model = RVR(centres=50)
        >>> for day in range(3):
        ...     X, y = noisy_sinc(200, random_state=day)
        ...     model = model.partial_fit(X, y)
        >>> model.predict([[0.0]]).shape
        (1,)
        """
        refuse_masked(X=X, y=y)
        refuse_no_numbers(sample_weight=sample_weight)
        fit_more(self, asked_of(self), Given(type(self).__name__, X, y, sample_weight))
        return self

    def _make_target(self, inference: Inference) -> Target:
        """What y is to be, its parameters checked."""
        check_noise_std(self.noise_std)
        check_word(self, "multi_output", MULTI_OUTPUT)
        target: Any = asked_target(self.likelihood, OF_NUMBERS)
        return target.asked(self.noise_std, self.multi_output, inference)

    def _as_real(self, asked: Asked, given: Given) -> tuple[Asked, Given]:
        """What was asked for and given, of real numbers; complex ones by their parts."""
        return asked, given

    @without_numpy_errors
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R^2 of the predictions; for counts D^2, the part of the deviance that is explained.

        For complex targets it is ``1 - sum |y - prediction|^2 / sum |y - mean of y|^2``.

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
            1 is perfect, 0 is no better than the mean of y.
        """
        refuse_masked(y=y)
        refuse_no_numbers(sample_weight=sample_weight)
        if self._model.of_complex:
            return explained(y, self.predict(X), sample_weight)
        refuse_no_numbers(y=y)
        target: Any = self._model.target
        if not target.counts:
            return super().score(X, y, sample_weight)
        y = column_or_1d(numeric_target(type(self).__name__, y)).astype(np.float64)
        weight = training_weight(sample_weight, y)
        return target.score(y, self.predict(X), weight)
