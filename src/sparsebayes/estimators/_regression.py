"""What the regressors share."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.utils import column_or_1d

from sparsebayes._parameters import is_number
from sparsebayes.assembly import assemble, assemble_each
from sparsebayes.basis import Basis
from sparsebayes.estimators._advice import Counted, facts_of
from sparsebayes.estimators._checks import (
    check_limits,
    check_noise_beside,
    check_noise_std,
    check_target_size,
    check_word,
    numeric_target,
    training_data,
    training_weight,
)
from sparsebayes.estimators._counting import (
    has_density,
    real_rows,
    takes_scaled,
    tell_factor,
    tell_factor_of_look,
)
from sparsebayes.estimators._fitted import Fitted, fitted, inclusion_of, with_row_weights
from sparsebayes.estimators._fitting import (
    DenseForm,
    basis_used,
    dense_form,
    fit_each,
    fit_problem,
)
from sparsebayes.estimators._likelihoods import (
    GAUSSIAN,
    OF_REGRESSORS,
    check_likelihood,
    explained_deviance,
    obstacle_of,
    refuse_exposure,
    refuse_noise_beside,
    response_of,
    warn_of_wild_counts,
)
from sparsebayes.estimators._many_rows import (
    ManyRows,
    SampledRows,
    is_lazy,
    loaded_if_few,
    many_rows,
)
from sparsebayes.estimators._progress import FitReport, with_callbacks
from sparsebayes.estimators._real_targets import RealTargets
from sparsebayes.estimators._target_noise import TargetNoise, noise_and_weight, refuse_noise_std
from sparsebayes.estimators._target_values import (
    checked_target,
    mean_left,
    taken_out,
    taken_out_of_many,
    warn_of_column,
)
from sparsebayes.estimators._updating import Updatable
from sparsebayes.inference.state import Fit
from sparsebayes.likelihoods import Gaussian, Gaussians, Likelihood
from sparsebayes.model.given import refuse_masked
from sparsebayes.model.numpy_errors import without_numpy_errors
from sparsebayes.problem import Problem
from sparsebayes.rows import Blocks, Data, Look, Reader, merged

MULTI_OUTPUT = ("shared", "separate")
SEPARATE = 'multi_output="separate" fits each output for itself; "shared" does not'


class Regression(MultiOutputMixin, RegressorMixin, RealTargets, Updatable):
    """A model of a real target, or of several, with Gaussian noise; or of another target."""

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
        refuse_masked(X=X, y=y, sample_weight=sample_weight, noise_std=noise_std, exposure=exposure)
        basis = self._checked_basis()
        likelihood = self._checked_likelihood(noise_std, exposure)
        if likelihood is None and self._fit_complex(X, y, sample_weight, noise_std):
            return self
        X, y, sample_weight = loaded_if_few(X, y, sample_weight)
        y = y if is_lazy(y) else numeric_target(self, y)
        noise, weight = noise_and_weight(self, X, noise_std, sample_weight)
        obstacle = self._obstacle(y) if likelihood is None else obstacle_of(likelihood, exposure)
        many = many_rows(self, X, y, weight, basis, obstacle)
        if many is None:
            counted = self._fit_few(X, y, weight, basis, noise, exposure)
        else:
            counted = self._fit_many(many, basis, noise)
        self._announce(facts_of(self, counted, noise.of_rows))
        if likelihood is not None:
            warn_of_wild_counts(self, counted.n_rows)
        return self

    def _checked_likelihood(self, noise_std: Any = None, exposure: Any = None) -> Any:
        """The likelihood that was asked for; None for Gaussian noise."""
        likelihood = check_likelihood(self.likelihood, GAUSSIAN, OF_REGRESSORS)
        if exposure is not None and (likelihood is None or not likelihood.counts):
            refuse_exposure(GAUSSIAN if likelihood is None else likelihood.name)
        if likelihood is not None:
            refuse_noise_beside(likelihood, self.noise_std, noise_std)
        return likelihood

    def _fit_complex(self, X: Any, y: Any, sample_weight: Any, noise_std: Any) -> bool:
        """Fit complex numbers, where the estimator can; whether it did."""
        return False

    def _checked_basis(self) -> Basis:
        """The basis, all parameters checked."""
        check_limits(self)
        _ = self._asked_inference
        check_noise_std(self.noise_std)
        check_word(self, "multi_output", MULTI_OUTPUT)
        self._checked_likelihood()
        return self._make_basis()

    def _obstacle(self, y: Any) -> str | None:
        """Why rows cannot come in blocks."""
        if self.multi_output != "separate":
            return None
        shape = y.shape if is_lazy(y) else np.asarray(y).shape
        return SEPARATE if len(shape) == 2 and shape[1] > 1 else None

    def _fit_few(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        basis: Basis,
        noise: TargetNoise,
        exposure: Any = None,
    ) -> Counted:
        """Rows in memory."""
        X, y, found = training_data(
            self, X, y, basis.accepts_sparse, y_numeric=True, multi_output=True
        )
        y = np.asarray(y, dtype=np.float64)
        if y.shape[1:] == (1,) and not self._takes_several_outputs():
            y = column_or_1d(y, warn=True)
        likelihood = self._checked_likelihood()
        target = checked_target(self, likelihood, y, noise, exposure)
        weight = training_weight(sample_weight, X, least=2)
        self._check_inputs(X.shape[1])
        basis = self._complete(basis, X)
        columns = basis.bind(X, weight)
        rows = Data(X, target, weight).counted()
        data, learning = real_rows(rows, likelihood, noise.of_rows)
        if takes_scaled(likelihood, noise.of_rows, target):
            tell_factor(rows.weight, float(data.weight.sum()), numeric=True)
        offset, centred = taken_out(likelihood, data, basis.centres_target)
        columns = self._asked_inference.chosen_columns(columns, centred)
        data = data._replace(target=data.target - offset)
        report = FitReport(self, data.inputs, data.target)
        problem = self._problem(data, columns, noise, basis)
        dense = None
        if likelihood is None:
            dense = dense_form(self, basis, problem, X, weight, centred)
        fits = self._fit_outputs(problem, report, learning, dense=dense)
        used = basis_used(fits, basis, dense)
        done = self._fitted_of(fits, used, offset, y.ndim == 1, noise)
        self._record(found, with_row_weights(done, X, y - offset))
        report.end()
        mean = mean_left(likelihood, data, basis.centres_target)
        return Counted(columns, len(data.weight), float(data.weight.sum()), mean)

    def _fit_many(self, many: ManyRows, basis: Basis, noise: TargetNoise) -> Counted:
        """Rows in blocks: a look at them, a sample to learn scales from, and passes over all."""
        basis = self._complete(basis, None)
        rows = self._looked_at(many, basis, noise)
        report = FitReport(self, *many.given)
        problem = self._problem(rows.data, rows.columns, noise, basis)
        fits = self._fit_outputs(problem, report, rows.learning, rows.blocks)
        offset = np.ravel(rows.offset)[0] if rows.squeezed else rows.offset
        self._record(many.found, self._fitted_of(fits, basis, offset, rows.squeezed, noise))
        report.end()
        return Counted(rows.columns, many.blocks.n_rows, rows.observed)

    def _looked_at(self, many: ManyRows, basis: Basis, noise: TargetNoise) -> SampledRows:
        """The columns, and a sample of the rows, after a first look at all of them."""
        look, likelihood = self._look(many, noise), self._checked_likelihood()
        squeezed = many.n_target_axes == 1
        if not squeezed and len(look.lowest) == 1 and not self._takes_several_outputs():
            squeezed = True
            warn_of_column()
        data, numbers = look.sample
        columns = basis.bind_sample(data.inputs, data.weight, numbers, look.n_rows)
        offset, centred = taken_out_of_many(
            likelihood, look, many.n_target_axes, basis.centres_target
        )
        columns = self._asked_inference.chosen_columns(columns, centred)
        data = data._replace(target=data.target - offset)
        learning = real_rows(data, likelihood, noise.of_rows).learning
        data = merged(data._replace(weight=data.weight * look.factor))
        reader = Reader(many.blocks.n_features, numeric=True, offset=offset, factor=look.factor)
        blocks = many.blocks.read_by(reader)
        return SampledRows(blocks, data, columns, offset, squeezed, learning, look.observed)

    def _look(self, many: ManyRows, noise: TargetNoise) -> Look:
        """A first look at rows, whose sizes are checked; their weights count if not scaled."""
        look, likelihood = many.look(numeric=True), self._checked_likelihood()
        rows = look.sample.data
        if takes_scaled(likelihood, noise.of_rows, rows.target):
            counts, look = look.counts, look.as_observed(rows, has_density(likelihood))
            if not counts:
                tell_factor_of_look(look, numeric=True)
        else:
            look = replace(look, counts=True)
        ends = np.array([look.lowest, look.highest])
        check_target_size(ends)
        check_noise_beside(noise.std, ends)
        self._check_inputs(many.blocks.n_features)
        return look

    def _fit_outputs(
        self,
        problem: Problem,
        report: FitReport,
        learning: np.ndarray | None,
        blocks: Blocks | None = None,
        dense: DenseForm | None = None,
    ) -> list[Fit]:
        """One output, or several with shared precisions, or each for itself.

        Parameters
        ----------
        learning : weight of the rows while scales are learned, where it is another (n,)
        blocks : all rows, where they are many; the problem then has a sample of them
        dense : form of the columns that may be more likely than few of them
        """
        if problem.data.target.ndim == 2 and self.multi_output == "separate":
            return fit_each(self, problem, report, weight=learning, dense=dense)
        return fit_problem(self, problem, report, blocks, learning, dense)

    def _problem(self, data: Data, columns: Any, noise: TargetNoise, basis: Basis) -> Problem:
        """The problem of one output, or of several with shared precisions or each for itself."""
        asked = self._checked_likelihood()
        if asked is not None:
            asked = asked if basis.centres_target else asked.without_mean()
            return Problem(data, columns, asked, cache_size=self.cache_size)
        likelihood: Likelihood = Gaussian(noise.std)
        if data.target.ndim == 2 and data.target.shape[1] == 1:
            data = data._replace(target=data.target[:, 0])
        if data.target.ndim == 2 and self.multi_output == "shared":
            refuse_noise_std(self.noise_std, noise)
            likelihood = Gaussians(data.target.shape[1])
        return Problem(data, columns, likelihood, cache_size=self.cache_size)

    def _fitted_of(
        self, fits: list[Fit], basis: Basis, offset: Any, squeezed: bool, noise: TargetNoise
    ) -> Fitted:
        inference = self._asked_inference
        fits = [noise.read(fit, inference.fidelity is None) for fit in fits]
        response = response_of(fits, offset, inference)
        fits = [fit for fit in fits if not fit.problem.likelihood.models_noise]
        inclusion = inclusion_of(fits, inference)
        assembly = assemble(fits[0]) if len(fits) == 1 else assemble_each(fits)
        done = fitted(fits, assembly, basis, response, squeezed, inclusion)
        asked = self._checked_likelihood()
        if asked is None:
            return done
        return replace(done, likelihood=asked if asked.varies else fits[0].problem.likelihood)

    @without_numpy_errors
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R^2 of the predictions; for counts D^2, the part of the deviance that is explained.

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
        refuse_masked(y=y, sample_weight=sample_weight)
        likelihood = self._model.likelihood
        if likelihood is None or not likelihood.counts:
            return super().score(X, y, sample_weight)
        y = column_or_1d(numeric_target(self, y)).astype(np.float64)
        weight = training_weight(sample_weight, y)
        return explained_deviance(likelihood, y, self.predict(X), weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        with suppress(ValueError):  # a bad parameter is reported by fit
            tags.target_tags.multi_output = self._takes_several_outputs()
            likelihood = self._checked_likelihood()
            tags.target_tags.positive_only = likelihood is not None and likelihood.counts
        return tags

    def _takes_several_outputs(self) -> bool:
        if self._checked_likelihood() is not None:
            return False
        objection = self._asked_inference.objection(Gaussians(2))
        shared = objection is None and not is_number(self.noise_std)
        return self.multi_output == "separate" or shared
