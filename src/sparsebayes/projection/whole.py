"""The dense model by its covering rows, where a few columns cannot say what it says.

Columns of wide kernels are equal up to rounding, and where there is hardly any noise a search
among them ends too early. In terms of whitened columns the process itself has no such trouble.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import block_diag

from sparsebayes.columns import AnyColumns, first_columns
from sparsebayes.dense import DenseFit, unexplained
from sparsebayes.dense.covering import CoveringRule, covering_sizes
from sparsebayes.inference.state import Fit
from sparsebayes.problem import Problem


@dataclass(frozen=True)
class Closeness:
    """How far from the dense model a sparse fit may be.

    Attributes
    ----------
    missed : energy of what it misses of the mean at the training rows, relative to what the dense
        model itself is uncertain of there, divided by `fidelity`; mostly it is 0.5 to 1
    coarser : covering rows may leave this many times as much of the process as they should, where
        the weights of more would be so large that their sum is rounding
    """

    missed: float = 2.0
    coarser: tuple[float, ...] = (1.0, 10.0, 1e2, 1e3, 1e4, 1e5)


CLOSENESS = Closeness()
COVERING_RULE = CoveringRule()


def missed_energy(dense: DenseFit, fit: Fit) -> float:
    """sum_n W_n (f_n - phi_n' w)^2: what a fit misses of the dense mean, W the row precision."""
    return float(np.sum(dense.row_precision @ (fit.latents - dense.latents) ** 2))


def follows(dense: DenseFit, fit: Fit, fidelity: float, how: Closeness = CLOSENESS) -> bool:
    """Whether a fit to the goal is close to the dense model at the rows.

    sum_n W_n (f_n - phi_n' w)^2 <= missed / fidelity * sum_n W_n var f_n
    """
    uncertain = fit.mean.shape[1] * float(dense.posterior.well_determined.sum())
    return missed_energy(dense, fit) <= how.missed / fidelity * uncertain


def nearer_whole(
    problem: Problem, dense: DenseFit, fit: Fit, how: Closeness = CLOSENESS
) -> Fit | None:
    """The dense model in terms of its covering rows, if it is nearer to itself than a fit."""
    for times in how.coarser:
        rule = replace(COVERING_RULE, enough=times * COVERING_RULE.enough)
        whole = whole_fit(problem, dense, fit, rule)
        if whole is None or missed_energy(dense, whole) >= missed_energy(dense, fit):
            return None
        if not whole.cancels:
            return whole
    return None


def whole_fit(
    problem: Problem, dense: DenseFit, fit: Fit, rule: CoveringRule = COVERING_RULE
) -> Fit | None:
    """The dense model in terms of its covering rows; None where they are no candidates.

    With the mean u and the root S of the whitened weights, those of the columns themselves are
    R'u and R'S.

    Parameters
    ----------
    problem : with the targets themselves
    fit : to the goal, for how it ended
    rule : how many rows cover the process
    """
    sizes = covering_sizes(dense, rule)
    active = covering_candidates(problem.columns, dense, sizes)
    if active is None:
        return None
    kept = first_columns(dense.columns, sizes)
    factor = dense.restricted_to(kept)
    mean = factor.solve((dense.precision @ dense.posterior.mean)[kept])
    parts = (part.first(size) for part, size in zip(dense.columns.parts, sizes, strict=True))
    back = block_diag(*(part.unwhitened(np.eye(part.n_columns)) for part in parts))
    return replace(
        fit,
        active=active,
        precisions=dense.posterior.precisions.of(kept),
        mean=back @ mean,
        root=back @ factor.whitener.T,
        relevant=np.ones(len(active), dtype=bool),
        missed=unexplained(dense, sizes),
    )


def covering_candidates(
    columns: AnyColumns, dense: DenseFit, sizes: Sequence[int]
) -> np.ndarray | None:
    """The candidates that cover the dense model (m,), in its order; None if they are none.

    Parameters
    ----------
    sizes : how many of the columns of each kind cover it
    """
    found, start = [], 0
    pairs = zip(columns.kinds, dense.columns.parts, sizes, strict=True)
    for kind, part, size in pairs:
        if part.is_process:
            own = _places(kind.centre_rows, part.kind.centre_rows[:size])
        else:
            own = np.arange(kind.n_columns) if kind.n_columns == part.n_columns else None
        if own is None:
            return None
        found.append(start + own)
        start += kind.n_columns
    return np.concatenate(found)


def _places(rows: np.ndarray, wanted: np.ndarray) -> np.ndarray | None:
    """Where the wanted rows stand among the rows, if no row occurs twice."""
    order = np.argsort(rows, kind="stable")
    if np.any(np.diff(rows[order]) == 0):
        return None
    return order[np.searchsorted(rows[order], wanted)]
