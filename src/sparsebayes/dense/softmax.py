"""The dense model of several classes in one softmax."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from sparsebayes.dense.fit import DenseFit, DenseStart, dense_posterior, fit_dense, settings_at
from sparsebayes.dense.model import DenseModel, DenseRows
from sparsebayes.evidence import log_evidence
from sparsebayes.problem import Problem


@dataclass(frozen=True)
class SoftmaxSearch:
    """How the precisions of the classes of a softmax are found.

    Attributes
    ----------
    rows : that those of each class against the rest are found with, which they are near to
    reach : how far all log precisions together may be from these
    tolerance : of that distance
    steps : evaluations that it may take
    """

    rows: int = 256
    reach: float = 4.0
    tolerance: float = 0.1
    steps: int = 12


SEARCH = SoftmaxSearch()


def fit_dense_softmax(
    problem: Problem, settings: np.ndarray | None = None, search: SoftmaxSearch = SEARCH
) -> DenseFit:
    """The dense model of a problem whose latent values are contrasts of classes.

    Its precisions are those of each class against the rest, times a factor at which the evidence
    is highest.

    Parameters
    ----------
    settings : of the dense models of each class against the rest (K, n_settings), if known
    """
    if settings is None:
        rows = DenseRows.of(problem.data, problem.likelihood).some(search.rows)
        settings = settings_at(DenseModel(problem.columns, rows), problem.columns.log_scales)
    middle = settings.mean(axis=0)
    how = {"xatol": search.tolerance, "maxiter": search.steps}
    best = minimize_scalar(
        lambda shift: -log_evidence(dense_posterior(problem, middle + shift)),
        bounds=(-search.reach, search.reach),
        method="bounded",
        options=how,
    )
    return fit_dense(problem, DenseStart(middle + best.x))
