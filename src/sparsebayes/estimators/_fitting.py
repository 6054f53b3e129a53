"""From a problem to fits: the procedure that an estimator's parameters name, run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from sparsebayes.basis import Basis, Sum
from sparsebayes.columns import AnyColumns
from sparsebayes.estimators._checks import check_limits
from sparsebayes.estimators._one_thread import in_one_thread
from sparsebayes.estimators._progress import FitReport
from sparsebayes.inference import Projection
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.loop import Limits
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
from sparsebayes.procedures.with_scales import one_after_the_other
from sparsebayes.rows import Blocks, check_sizes


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


def fit_problem(
    estimator: Any,
    problem: Problem,
    report: FitReport,
    blocks: Blocks | None = None,
    weight: np.ndarray | None = None,
    dense: DenseForm | None = None,
) -> list[Fit]:
    """One fit for one latent value, or for all of them together; or one for each.

    Parameters
    ----------
    blocks : all rows, where they are many; the problem then has a sample of them
    weight : of the rows while scales are learned, where it is another than that of the fit (n,)
    dense : of the columns, where it may be more likely than few of them
    """
    inference, limits = _checked(estimator, problem)
    varies = problem.likelihood.varies  # its fits have weights of their own
    procedure: Any = procedure_with_scales(inference, limits, blocks, None if varies else weight)
    if varies:
        procedure = Varying(procedure)
    if dense is not None:
        procedure = OrDense(procedure, procedure_at_scales(Projection(), limits), dense)
    report.begin()
    return in_one_thread(procedure.fit, problem, report)


def fit_each(
    estimator: Any,
    problem: Problem,
    report: FitReport,
    n_jobs: int | None = None,
    weight: np.ndarray | None = None,
    dense: DenseForm | None = None,
) -> list[Fit]:
    """A fit for each column of the targets (n, k); see `fit_problem`."""
    inference, limits = _checked(estimator, problem)
    own, map_ = limits.shared_by(problem.data.target.shape[1]), _map_of(n_jobs)
    procedure: Any = Each(procedure_at_scales(inference, own), map_, weight)
    if dense is not None:
        every = Each(procedure_at_scales(Projection(), own), map_)
        procedure = OrDense(procedure, every, dense)
    report.begin()
    return in_one_thread(procedure.fit, problem, report)


def _checked(estimator: Any, problem: Problem) -> tuple[Inference, Limits]:
    """Inference and limits of an estimator, whose columns are of a size that can be squared."""
    inference, limits = estimator._asked_inference, check_limits(estimator)
    check_pairing(inference, problem.likelihood)
    check_groups(inference, problem)
    in_one_thread(check_sizes, problem.columns, problem.data.inputs)
    return inference, limits


def dense_form(
    estimator: Any, basis: Basis, problem: Problem, inputs: Any, weight: np.ndarray, centred: bool
) -> DenseForm | None:
    """The dense form of the columns, where it may be more likely than few of them.

    Parameters
    ----------
    inputs, weight : of the training rows, as they were given
    centred : whether the mean of the targets is taken out, so that a bias is not needed
    """
    form = basis.dense_form(centred)
    if form is None or not estimator._asked_inference.doubts(problem):
        return None
    return DenseForm(form, inputs, weight)


def basis_used(fits: list[Fit], basis: Basis, dense: DenseForm | None) -> Basis:
    """The basis whose columns the fits have."""
    return dense.basis if dense is not None and fits[0].in_dense_form else basis


def _map_of(n_jobs: int | None) -> Callable[[Callable, Iterable[tuple]], list]:
    if effective_n_jobs(n_jobs) == 1:
        return one_after_the_other
    return partial(_in_parallel, n_jobs)


def _in_parallel(n_jobs: int | None, function: Callable, arguments: Iterable[tuple]) -> list:
    return Parallel(n_jobs=n_jobs)(delayed(_alone)(function, each) for each in arguments)


def _alone(function: Callable, arguments: tuple) -> Any:
    """The function in a process of its own."""
    return in_one_thread(function, *arguments)
