"""ONE fit: of few rows or many, with weights or without, whatever y is."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sparsebayes.columns import AnyColumns, constant_columns
from sparsebayes.estimators._asked import Asked
from sparsebayes.estimators._checks import check_input_size
from sparsebayes.estimators._fitted import Fitted, fitted
from sparsebayes.estimators._fitting import dense_form, fits_of
from sparsebayes.estimators._progress import FitReport
from sparsebayes.estimators._rows import loaded_if_few, rows_of
from sparsebayes.predictors import is_linear
from sparsebayes.problem import Problem
from sparsebayes.procedures.advice import (
    Facts,
    advice,
    facts_of,
    of_lost_mean,
    of_single_counts,
)
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
    process = model.predictor.covering is not None and is_linear(model.columns)
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
