"""ONE fit: of few rows or many, with weights or without, whatever y is."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.parallel import Parallel, delayed

from sparsebayes._threads import in_one_thread
from sparsebayes.basis import Basis, Sum
from sparsebayes.columns import AnyColumns, constant_columns, is_linear
from sparsebayes.estimators._asked import Asked, check_input_size
from sparsebayes.estimators._fitted import Fitted, fitted
from sparsebayes.estimators._progress import FitReport
from sparsebayes.estimators._rows import loaded_if_few, rows_of
from sparsebayes.inference import Projection
from sparsebayes.inference.state import Fit
from sparsebayes.problem import Problem
from sparsebayes.procedures import (
    Each,
    OrDense,
    Varying,
    check_groups,
    check_pairing,
    procedure_at_scales,
    procedure_with_scales,
)
from sparsebayes.procedures.advice import (
    Facts,
    advice,
    facts_of,
    of_lost_mean,
    of_single_counts,
)
from sparsebayes.procedures.with_scales import one_after_the_other
from sparsebayes.rows import check_sizes
from sparsebayes.targets import Coded, Given


def fit_to(estimator: Any, asked: Asked, given: Given) -> None:
    """Fit an estimator to what it was given; what is found is recorded at once, in the end."""
    target, given = asked.target.told(loaded_if_few(given))
    asked = replace(asked, target=target)
    rows = rows_of(estimator, asked, given, target.obstacle(given.y))
    check_input_size(rows.largest_inputs)
    estimator._check_inputs(rows.n_features)
    basis = asked.basis_over(rows.inputs)
    coded = target.read(rows, basis.centres_target)
    columns = asked.inference.chosen_columns(coded.rows.bind(basis), coded.centred)
    report = FitReport(estimator, *coded.given)
    problem = Problem(
        coded.data,
        _moving(columns) if target.cuts else columns,
        coded.likelihood,
        cache_size=estimator.cache_size,
    )
    dense = dense_form(asked, basis, coded, problem)
    fits = fits_of(asked, coded, problem, report, dense, getattr(estimator, "n_jobs", None))
    used = dense.basis if dense is not None and fits[0].in_dense_form else basis
    estimator._record(_found(asked, coded), fitted(fits, asked, coded, used))
    report.end()
    facts = facts_of(columns, asked.inference, coded.n_rows, coded.observed)
    announce(estimator, asked, replace(facts, left=coded.left))


def _moving(columns: AnyColumns) -> AnyColumns:
    """The columns without constant ones, unless all of them are: cut points are as good."""
    moving = np.flatnonzero(~constant_columns(columns))
    return columns.keep(moving) if len(moving) else columns


def _found(asked: Asked, coded: Coded) -> dict[str, Any]:
    """Attributes for the estimator."""
    if asked.of_complex:
        return {"n_features_in_": coded.rows.n_features // 2}
    if coded.classes is None:
        return coded.rows.found
    return {**coded.rows.found, "classes_": coded.classes}


def announce(estimator: Any, asked: Asked, facts: Facts) -> None:
    """Say how a fit ended. It is the last thing a fit does."""
    model, outcome = estimator._fitted, estimator.outcome_
    if estimator.verbose:
        print(f"{type(estimator).__name__} {outcome.name} after {estimator.n_iter_} iterations")
    held = [name for kind in model.columns.kinds for name in kind.held_back]
    if held:
        warnings.warn(
            f"the bounds of {', '.join(held)} are below the spread of X, and held the kernel "
            "back: rows that are near each other hardly relate. Set wider bounds in the "
            "kernel, or scale X (for instance with StandardScaler).",
            UserWarning,
            stacklevel=6,
        )
    for words in (_advice(estimator, asked, facts), _caution(model, facts.n_rows)):
        if words is not None:
            warnings.warn(words, ConvergenceWarning, stacklevel=6)


def _advice(estimator: Any, asked: Asked, facts: Facts) -> str | None:
    """What to try after a fit that has not ended well."""
    model, outcome = estimator._fitted, estimator.outcome_
    if outcome.converged:
        noise = getattr(model.predictor.response, "noise_std", None)
        if facts.left is None or noise is None or noise[0] <= facts.left.spread:
            return None
        return of_lost_mean(facts.left, float(noise[0]))
    process = model.predictor.plain.spread.covers and is_linear(model.columns)
    return advice(
        outcome,
        replace(
            facts,
            words=estimator._width_words,
            noise_std=getattr(estimator, "noise_std", None),
            of_rows=asked.target.noise.of_rows,
            takes_noise=asked.target.usual,
            wide_process=process and estimator.n_features_in_ > facts.n_rows,
        ),
    )


def _caution(model: Fitted, n_rows: int) -> str | None:
    """What is said of rates and counts that are followed one by one."""
    if not model.target.takes_rates:
        return None
    mean_count = float(np.exp(model.likelihood.log_mean))
    return of_single_counts(mean_count, len(model.relevant_rows), n_rows)


@dataclass(frozen=True)
class DenseForm:
    """A basis of a process that has all columns at once.

    Attributes
    ----------
    basis : a kernel, and perhaps a bias
    inputs, weight : of the training rows
    """

    basis: Sum
    inputs: Any
    weight: np.ndarray

    def bind(self) -> AnyColumns:
        """The columns of the basis on the inputs."""
        return self.basis.bind(self.inputs, self.weight)

    def kernel(self, inputs: Any) -> np.ndarray | None:
        """The covariance of the process between inputs (n, n), unless it has a bias besides."""
        (_, kernel), *others = self.basis.parts
        if others:
            return None
        return kernel.formula(self.inputs, self.weight).between(inputs, inputs)


def fits_of(
    asked: Asked,
    coded: Coded,
    problem: Problem,
    report: FitReport,
    dense: DenseForm | None = None,
    n_jobs: int | None = None,
) -> list[Fit]:
    """One fit of one latent value, or of all of them together; or one for each column of targets.

    Parameters
    ----------
    problem : that the coded rows state; a sample of them, where they are in blocks
    dense : form of the columns, where it may be more likely than few of them
    """
    inference = asked.inference
    check_pairing(inference, problem.likelihood)
    check_groups(inference, problem)
    in_one_thread(check_sizes, problem.columns, problem.data.inputs)
    procedure, every = _procedures(asked, coded, n_jobs)
    if dense is not None:
        procedure = OrDense(procedure, every, dense)
    report.begin()
    return in_one_thread(procedure.fit, problem, report)


def _procedures(asked: Asked, coded: Coded, n_jobs: int | None) -> tuple[Any, Any]:
    """What is asked for, and the fit of a dense model of all columns."""
    inference, limits = asked.inference, asked.limits
    if coded.each:
        own, map_ = limits.shared_by(coded.data.target.shape[1]), _map_of(n_jobs)
        each = Each(procedure_at_scales(inference, own), map_, coded.learning)
        return each, Each(procedure_at_scales(Projection(), own), map_)
    every = procedure_at_scales(Projection(), limits)
    if asked.target.varies:  # its fits have weights of their own
        return Varying(procedure_with_scales(inference, limits, coded.blocks)), every
    return procedure_with_scales(inference, limits, coded.blocks, coded.learning), every


def dense_form(asked: Asked, basis: Basis, coded: Coded, problem: Problem) -> DenseForm | None:
    """The dense form of the columns, where it may be more likely than few of them."""
    if not coded.doubtful or coded.blocks is not None:
        return None
    form = basis.dense_form(asked.target.numeric and coded.centred)
    if form is None or not asked.inference.doubts(problem):
        return None
    return DenseForm(form, coded.rows.inputs, coded.rows.total)


def _map_of(n_jobs: int | None) -> Callable[[Callable, Iterable[tuple]], list]:
    if effective_n_jobs(n_jobs) == 1:
        return one_after_the_other
    return partial(_in_parallel, n_jobs)


def _in_parallel(n_jobs: int | None, function: Callable, arguments: Iterable[tuple]) -> list:
    return Parallel(n_jobs=n_jobs)(delayed(_alone)(function, each) for each in arguments)


def _alone(function: Callable, arguments: tuple) -> Any:
    """The function in a process of its own."""
    return in_one_thread(function, *arguments)
