"""From a problem to fits: the procedure that an estimator's parameters name, run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from sparsebayes.estimators._checks import check_inference, check_limits
from sparsebayes.estimators._one_thread import in_one_thread
from sparsebayes.estimators._progress import FitReport
from sparsebayes.inference.state import Fit
from sparsebayes.problem import Problem
from sparsebayes.procedures import Each, check_pairing, procedure_at_scales, procedure_with_scales
from sparsebayes.procedures.each import one_after_the_other
from sparsebayes.rows import Blocks, check_sizes


def fit_problem(
    estimator: Any,
    problem: Problem,
    report: FitReport,
    blocks: Blocks | None = None,
    weight: np.ndarray | None = None,
) -> list[Fit]:
    """One fit for one latent value, or for all of them together; or one for each.

    Parameters
    ----------
    blocks : all rows, where they are many; the problem then has a sample of them
    weight : of the rows while scales are learned, where it is another than that of the fit (n,)
    """
    inference, limits = check_inference(estimator.inference), check_limits(estimator)
    check_pairing(inference, problem.likelihood)
    in_one_thread(check_sizes, problem.columns, problem.data.inputs)
    report.begin()
    procedure = procedure_with_scales(inference, limits, blocks, weight)
    return in_one_thread(procedure.fit, problem, report)


def fit_each(
    estimator: Any,
    problem: Problem,
    report: FitReport,
    n_jobs: int | None = None,
    weight: np.ndarray | None = None,
) -> list[Fit]:
    """A fit for each column of the targets (n, k); see `fit_problem`."""
    inference, limits = check_inference(estimator.inference), check_limits(estimator)
    check_pairing(inference, problem.likelihood)
    in_one_thread(check_sizes, problem.columns, problem.data.inputs)
    report.begin()
    own = procedure_at_scales(inference, limits.shared_by(problem.data.target.shape[1]))
    return in_one_thread(Each(own, _map_of(n_jobs), weight).fit, problem, report)


def _map_of(n_jobs: int | None) -> Callable[[Callable, Iterable[tuple]], list]:
    if effective_n_jobs(n_jobs) == 1:
        return one_after_the_other
    return partial(_in_parallel, n_jobs)


def _in_parallel(n_jobs: int | None, function: Callable, arguments: Iterable[tuple]) -> list:
    return Parallel(n_jobs=n_jobs)(delayed(_alone)(function, each) for each in arguments)


def _alone(function: Callable, arguments: tuple) -> Any:
    """The function in a process of its own."""
    return in_one_thread(function, *arguments)
