"""Rows that come bit by bit: sums that are kept between calls of `partial_fit`."""

from __future__ import annotations

from dataclasses import replace
from reprlib import repr as clipped
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import _check_feature_names, _check_n_features

from sparsebayes._threads import in_one_thread
from sparsebayes.basis import Basis
from sparsebayes.columns import spread
from sparsebayes.dense import Sums
from sparsebayes.estimators._asked import Asked, asked_of, check_input_size
from sparsebayes.estimators._fit import announce
from sparsebayes.estimators._fitted import fitted
from sparsebayes.estimators._progress import FitReport
from sparsebayes.estimators._rows import many_rows
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
from sparsebayes.procedures.advice import facts_of
from sparsebayes.rows import Blocks, check_sizes
from sparsebayes.targets import Coded, Given
from sparsebayes.targets.noise import TargetNoise, refuse_factor
from sparsebayes.targets.numbers import numbers_of
from sparsebayes.targets.rows import RowsInBlocks
from sparsebayes.targets.values import is_lazy

# Columns are chosen such that they are enough for so many rows, as more will come.
EXPECTED_ROWS = 10**6
# Rows of the first call that are kept: they tell whether a prediction has lost its digits.
KEPT_ROWS = 1000
# What may change between calls: how long to search, what to say, and how vectors are found.
CHANGEABLE = ("max_iter", "tol", "cache_size", "verbose", "inference")
# What else to do.
ALL_AT_ONCE = "give all rows at once to fit"


def check_has_sums(estimator: Any) -> None:
    """An error unless an estimator keeps sums over rows: those of a dense model.

    It is an AttributeError, so that `hasattr` is false: scikit-learn calls what an estimator has.
    """
    asked = asked_of(estimator)
    if asked.inference.fidelity is None:
        raise AttributeError(
            f'partial_fit needs inference="projection", got inference={estimator.inference!r}: set '
            f"it, or {ALL_AT_ONCE}."
        )
    if not asked.target.usual:
        raise AttributeError(
            "partial_fit adds up sums that Gaussian noise has, got "
            f"likelihood={estimator.likelihood!r}: {ALL_AT_ONCE}."
        )
    if asked.basis.precomputed:
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


def parameters_of(estimator: Any) -> dict[str, Any]:
    """The parameters that sums depend on by name, those of parts among them."""
    every = estimator.get_params()
    return {name: each for name, each in every.items() if name.split("__")[0] not in CHANGEABLE}


def same(one: Any, other: Any) -> bool:
    """Whether parameters say the same; what has parameters itself is compared by these."""
    if one is other:
        return True
    if hasattr(one, "get_params"):
        return type(one) is type(other)
    if issparse(one) or issparse(other):
        return (
            issparse(one)
            and issparse(other)
            and one.shape == other.shape
            and not (one != other).nnz
        )
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    return bool(one == other)


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
    given : parameters of the estimator at the first call; None where they were not kept
    """

    problem: Problem
    start: Start
    sums: Sums
    offset: Any
    squeezed: bool
    basis: Basis
    found: dict[str, Any]
    given: dict[str, Any] | None = None

    def check_parameters(self, estimator: Any) -> None:
        """An error where a parameter is another one than at the first call."""
        given, now = self.given, parameters_of(estimator)
        if given is None:
            return
        changed = [name for name in now if name not in given or not same(now[name], given[name])]
        if changed:
            name = changed[0]
            before = clipped(given[name]) if name in given else "not there"
            raise ValueError(
                f"{name} is {clipped(now[name])}, and at the first call of partial_fit it was "
                f"{before}: columns and sums are of that. Set it back, or begin with partial_fit "
                "on a new estimator, such as sklearn.base.clone(model), and give it all rows."
            )

    def check(self, estimator: Any, X: Any, rows: RowsInBlocks) -> None:
        """An error where more rows have other inputs, or an axis more or less of outputs."""
        if not is_lazy(X):
            _check_feature_names(estimator, X, reset=False)
            _check_n_features(estimator, X, reset=False)
        if self.squeezed != rows.squeezed:
            raise ValueError(
                f"y has {rows.n_target_axes} axes, which the first call of partial_fit had not."
            )


def fit_more(estimator: Any, asked: Asked, given: Given) -> None:
    """Fit an estimator to the rows so far and to these; the first decide on columns and scales."""
    refuse_factor(estimator.noise_std)
    before: Updating | None = vars(estimator).get("_updating")
    if before is not None:
        before.check_parameters(estimator)
    given = given._replace(y=numbers_of(given))
    asked = replace(asked, target=replace(asked.target, noise=TargetNoise(estimator.noise_std)))
    asked = replace(asked, basis=asked.basis_over(None))
    rows = many_rows(estimator, asked, given, asked.target.obstacle(given.y), few_too=True)
    assert rows is not None
    if before is not None:
        before.check(estimator, given.X, rows)
    report = FitReport(estimator, *rows.given)
    check_input_size(rows.largest_inputs)
    estimator._check_inputs(rows.n_features)
    if before is None:
        state, blockwise = _first_rows(estimator, asked, rows, report)
    else:
        state, blockwise = _further_rows(asked, rows, before, report)
    centres = asked.basis.centres_target
    shifted, mean = state.sums.centred() if centres else (state.sums, np.zeros(1))
    procedure = Guarded(FromSums(blockwise, state.start, shifted))
    fits = in_one_thread(procedure.fit, state.problem, report)
    found, observed = state.problem, state.sums.weight
    offset = state.offset + (mean[0] if state.squeezed else mean)
    coded = Coded(rows, found.data, found.likelihood, observed, offset=offset)
    done = fitted(fits, asked, coded._replace(squeezed=state.squeezed), state.basis)
    estimator._record({**state.found, "_updating": state}, done)
    report.end()
    announce(estimator, asked, facts_of(found.columns, asked.inference, int(observed), observed))


def _first_rows(
    estimator: Any, asked: Asked, rows: RowsInBlocks, report: FitReport
) -> tuple[Updating, Blockwise]:
    """Columns and scales from these rows, and their sums."""
    coded = asked.target.read(rows, asked.basis.centres_target)
    columns = asked.inference.chosen_columns(coded.rows.bind(asked.basis), coded.centred)
    problem = Problem(coded.data, columns, coded.likelihood, cache_size=estimator.cache_size)
    in_one_thread(check_sizes, problem.columns, problem.data.inputs)
    blockwise = _blockwise(asked, coded.blocks)
    report.begin()
    problem, learned = in_one_thread(scaled, problem, report, coded.learning)
    known = Known() if learned is None else Known(learned.settings)
    start = in_one_thread(blockwise.start, problem, known, EXPECTED_ROWS)
    few = problem.data.take(spread(np.arange(len(problem.data.weight)), KEPT_ROWS))
    problem = replace(problem, data=few)
    sums = in_one_thread(blockwise.sums, start, problem, report)
    found, given = coded.rows.found, parameters_of(estimator)
    state = Updating(problem, start, sums, coded.offset, coded.squeezed, asked.basis, found, given)
    return state, blockwise


def _further_rows(
    asked: Asked, rows: RowsInBlocks, before: Updating, report: FitReport
) -> tuple[Updating, Blockwise]:
    """The sums of these rows, added to those before."""
    target: Any = asked.target
    blockwise = _blockwise(asked, target.further(rows, before.offset))
    report.begin()
    sums = in_one_thread(blockwise.sums, before.start, before.problem, report)
    return before._replace(sums=before.sums.and_more(sums)), blockwise


def _blockwise(asked: Asked, blocks: Blocks | None) -> Blockwise:
    assert blocks is not None, "rows come in blocks"
    return blockwise_at_scales(asked.inference, asked.limits, blocks)
