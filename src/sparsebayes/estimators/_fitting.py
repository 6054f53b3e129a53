"""From a problem to fits: the procedure that an estimator's parameters name, run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from sparsebayes._threads import in_one_thread
from sparsebayes.basis import Basis, Sum
from sparsebayes.columns import AnyColumns
from sparsebayes.estimators._asked import Asked
from sparsebayes.estimators._progress import FitReport
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
from sparsebayes.procedures.each import one_after_the_other
from sparsebayes.rows import check_sizes
from sparsebayes.targets import Coded


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
        """Its columns."""
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
