"""Rows that come bit by bit: sums that are kept between calls of `partial_fit`."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.utils.validation import _check_feature_names, _check_n_features

from sparsebayes.basis import Basis
from sparsebayes.columns import spread
from sparsebayes.dense import Sums
from sparsebayes.estimators._advice import Counted, facts_of
from sparsebayes.estimators._checks import check_limits, numeric_target
from sparsebayes.estimators._conditional import there_if
from sparsebayes.estimators._fitted import Fitted
from sparsebayes.estimators._many_rows import ManyRows, is_lazy, many_rows
from sparsebayes.estimators._model import SparseBayesModel
from sparsebayes.estimators._one_thread import in_one_thread
from sparsebayes.estimators._progress import FitReport, with_callbacks
from sparsebayes.estimators._target_noise import TargetNoise, refuse_factor
from sparsebayes.inference.state import Fit
from sparsebayes.model.given import refuse_masked
from sparsebayes.model.numpy_errors import without_numpy_errors
from sparsebayes.problem import Problem
from sparsebayes.procedures import (
    Blockwise,
    FromSums,
    Guarded,
    Known,
    Start,
    blockwise_at_scales,
    scaled,
)
from sparsebayes.rows import Blocks, Reader, check_sizes

# Columns are chosen such that they are enough for so many rows, as more will come.
EXPECTED_ROWS = 10**6
# Rows of the first call that are kept: they tell whether a prediction has lost its digits.
KEPT_ROWS = 1000
# What else to do.
ALL_AT_ONCE = "give all rows at once to fit"


def check_has_sums(estimator: Any) -> None:
    """An error unless an estimator keeps sums over rows: those of a dense model.

    It is an AttributeError, so that `hasattr` is false: scikit-learn calls what an estimator has.
    """
    if estimator._asked_inference.fidelity is None:
        raise AttributeError(
            f'partial_fit needs inference="projection", got inference={estimator.inference!r}: set '
            f"it, or {ALL_AT_ONCE}."
        )
    if estimator._checked_likelihood() is not None:
        raise AttributeError(
            "partial_fit adds up sums that Gaussian noise has, got "
            f"likelihood={estimator.likelihood!r}: {ALL_AT_ONCE}."
        )
    if estimator._make_basis().precomputed:
        raise AttributeError(
            "partial_fit cannot be used with a precomputed kernel, which has as many columns as "
            f"rows: give the inputs and a kernel, or {ALL_AT_ONCE}."
        )
    if estimator.__sklearn_is_fitted__() and "_updating" not in vars(estimator):
        raise AttributeError(
            f"partial_fit adds to sums over earlier rows, and this {type(estimator).__name__} has "
            "none: fit keeps none, and a file holds none. Begin with partial_fit on a new "
            f"estimator, such as sklearn.base.clone(model), and give it all rows; or {ALL_AT_ONCE}."
        )


class Updating(NamedTuple):
    """What is kept between calls.

    Attributes
    ----------
    problem : the first rows, few of them, and all candidates
    start : settings and columns of the dense models
    sums : over all rows so far, their targets less the first offset
    offset : the mean of the targets of the first rows, where it is taken out
    squeezed : whether y has no axis for outputs
    basis : the recipe
    found : attributes for the estimator
    """

    problem: Problem
    start: Start
    sums: Sums
    offset: Any
    squeezed: bool
    basis: Basis
    found: dict[str, Any]

    def check(self, estimator: Any, X: Any, many: ManyRows) -> None:
        """An error where more rows have other inputs, or an axis more or less of outputs."""
        if not is_lazy(X):
            _check_feature_names(estimator, X, reset=False)
            _check_n_features(estimator, X, reset=False)
        if self.squeezed != (many.n_target_axes == 1):
            raise ValueError(
                f"y has {many.n_target_axes} axes, which the first call of partial_fit had not."
            )


class MoreRows(NamedTuple):
    """What is found with more rows: the fits, the offset of all targets, and what is kept."""

    fits: list[Fit]
    offset: Any
    state: Updating


def more_rows(
    estimator: Any, many: ManyRows, basis: Basis, before: Updating | None, report: FitReport
) -> MoreRows:
    """Fits to the rows so far and to these; the first of them decide on columns and scales."""
    if before is None:
        state, blockwise = _first_rows(estimator, many, basis, report)
    else:
        state, blockwise = _further_rows(estimator, many, before, report)
    centred = state.basis.centres_target
    shifted, mean = state.sums.centred() if centred else (state.sums, np.zeros(1))
    procedure = Guarded(FromSums(blockwise, state.start, shifted))
    fits = in_one_thread(procedure.fit, state.problem, report)
    return MoreRows(fits, state.offset + (mean[0] if state.squeezed else mean), state)


def _first_rows(
    estimator: Any, many: ManyRows, basis: Basis, report: FitReport
) -> tuple[Updating, Blockwise]:
    """Columns and scales from these rows, and their sums."""
    noise = TargetNoise(estimator.noise_std)
    rows = estimator._looked_at(many, basis, noise)
    problem = estimator._problem(rows.data, rows.columns, noise, basis)
    in_one_thread(check_sizes, problem.columns, problem.data.inputs)
    blockwise = _blockwise(estimator, rows.blocks)
    report.begin()
    problem, learned = in_one_thread(scaled, problem, report, rows.learning)
    known = Known() if learned is None else Known(learned.settings)
    start = in_one_thread(blockwise.start, problem, known, EXPECTED_ROWS)
    few = problem.data.take(spread(np.arange(len(problem.data.weight)), KEPT_ROWS))
    problem = replace(problem, data=few)
    sums = in_one_thread(blockwise.sums, start, problem, report)
    state = Updating(problem, start, sums, rows.offset, rows.squeezed, basis, many.found)
    return state, blockwise


def _further_rows(
    estimator: Any, many: ManyRows, before: Updating, report: FitReport
) -> tuple[Updating, Blockwise]:
    """The sums of these rows, added to those before."""
    look = estimator._look(many, TargetNoise(estimator.noise_std))
    reader = Reader(many.blocks.n_features, numeric=True, offset=before.offset, factor=look.factor)
    blockwise = _blockwise(estimator, many.blocks.read_by(reader))
    report.begin()
    sums = in_one_thread(blockwise.sums, before.start, before.problem, report)
    return before._replace(sums=before.sums.and_more(sums)), blockwise


def _blockwise(estimator: Any, blocks: Blocks) -> Blockwise:
    inference, limits = estimator._asked_inference, check_limits(estimator)
    return blockwise_at_scales(inference, limits, blocks)


class Updatable(SparseBayesModel):
    """A regressor that can be given more rows."""

    @abstractmethod
    def _checked_basis(self) -> Basis:
        """The basis, all parameters checked."""

    @abstractmethod
    def _obstacle(self, y: Any) -> str | None:
        """Why rows cannot come in blocks."""

    @abstractmethod
    def _fitted_of(
        self, fits: list[Fit], basis: Basis, offset: Any, squeezed: bool, noise: TargetNoise
    ) -> Fitted:
        """The record of a fit."""

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
        refuse_masked(X=X, y=y, sample_weight=sample_weight)
        basis = self._complete(self._checked_basis(), None)
        refuse_factor(self.noise_std)
        before: Updating | None = vars(self).get("_updating")
        y = y if is_lazy(y) else numeric_target(self, y)
        many = many_rows(self, X, y, sample_weight, basis, self._obstacle(y), few_too=True)
        assert many is not None
        if before is not None:
            before.check(self, X, many)
        report = FitReport(self, *many.given)
        found = more_rows(self, many, basis, before, report)
        squeezed, offset = found.state.squeezed, found.offset
        offset = np.ravel(offset)[0] if squeezed else offset
        noise = TargetNoise(self.noise_std)
        done = self._fitted_of(found.fits, found.state.basis, offset, squeezed, noise)
        self._record({**found.state.found, "_updating": found.state}, done)
        report.end()
        observed = found.state.sums.weight
        counted = Counted(found.state.problem.columns, int(observed), observed)
        self._announce(facts_of(self, counted))
        return self
