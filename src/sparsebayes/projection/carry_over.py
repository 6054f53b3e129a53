"""The posterior of a dense model, carried over to a few columns.

Every function that the dense model draws has a nearest one in the span of the columns. These make
the posterior of the weights. What they miss of the mean counts as noise; what they miss of the
draws does so where no covering rows say where it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.linalg import qr

from sparsebayes._linear_algebra import factorise
from sparsebayes.dense import DenseFit, covering_of, unexplained
from sparsebayes.inference.state import Fit, Outcome
from sparsebayes.problem import Problem
from sparsebayes.projection.whole import follows, missed_energy, nearer_whole


def carry_over(
    problem: Problem, dense: DenseFit, fit: Fit, fidelity: float, guarded: bool = True
) -> Fit:
    """A sparse fit to the goal, with the posterior, noise and evidence of the dense model.

    Parameters
    ----------
    problem : with the targets themselves
    fit : to the goal of this dense model
    guarded : whether covering rows take the place of the columns where the fit is too far from the
        dense model
    """
    covering = covering_of(dense)
    far = guarded and not follows(dense, fit, fidelity)
    whole = nearer_whole(problem, dense, fit) if far else None
    found = with_spread(dense, fit, fidelity) if whole is None else whole
    noise = dense.posterior.noise_precision if problem.likelihood.has_units else 1.0
    if problem.noise.estimated:
        apart = mean_square_apart(dense, found) + (found.missed if covering is None else 0.0)
        noise = 1.0 / (1.0 / noise + apart)
    return replace(
        found,
        problem=problem,
        precisions=found.precisions._replace(noise=noise),
        log_evidence=dense.log_evidence,
        n_precisions=sum(part.n_columns > 0 for part in dense.columns.parts),
        outcome=_outcome(dense, found),
        covering=covering,
        usual_variance=_usual_variance(dense),
    )


def _usual_variance(dense: DenseFit) -> float:
    """The largest variance that the latent values of a softmax had at rows that were left out.

    None is unusual where the kernels fall off to zero, and the latent values with them.
    """
    found = [part.kind.formula.definition for part in dense.columns.parts if part.n_columns]
    vanish = all(each.local and not each.has_constant for each in found)
    return np.inf if dense.left_out is None or vanish else dense.left_out.largest_variance


def mean_square_apart(dense: DenseFit, fit: Fit) -> float:
    """Mean square of what a fit misses of the dense mean at the rows."""
    return _per_row(missed_energy(dense, fit), dense.row_precision)


def _per_row(energy: float, precision: np.ndarray) -> float:
    """The mean over rows that count by their precision; 0 where no target says anything."""
    total = float(precision.sum())
    return energy / total if total > 0.0 else 0.0


def _outcome(dense: DenseFit, fit: Fit) -> Outcome:
    """How the whole ended: collinear vectors do not matter, as long as they follow the process."""
    if dense.noise_vanished and len(fit.active):
        return Outcome.NOISE_VANISHED
    if not len(fit.active):
        return Outcome.NOTHING_RELEVANT
    if dense.posterior.problem.likelihood.has_units and dense.spread_is_rounding:
        return Outcome.OUT_OF_RANGE
    told = fit.outcome.cut or fit.outcome is Outcome.OUT_OF_RANGE
    return fit.outcome if told else Outcome.CONVERGED


class WeightSpread(NamedTuple):
    """How draws of the dense model differ from their mean, in terms of the kept columns.

    Attributes
    ----------
    root : a square root of the covariance of the weights (m, m)
    missed : mean square of what these weights miss of a draw at a row, about the mean, rows
        weighted by their precision
    """

    root: np.ndarray
    missed: float


def with_spread(dense: DenseFit, fit: Fit, fidelity: float) -> Fit:
    """A fit to the goal with the spread of the dense posterior.

    What its columns leave of the process at the rows is missed as well. It is next to nothing
    unless the centres are few.
    """
    root, missed = spread_of(dense, fit, fidelity)
    left = unexplained(dense, [part.n_columns for part in dense.columns.parts])
    return replace(fit, root=root, missed=missed + left)


def spread_of(dense: DenseFit, fit: Fit, fidelity: float) -> WeightSpread:
    """The `WeightSpread` of the dense posterior, v ~ N(., S).

    A function V v that it draws is nearest to the weights w = Sigma Phi' W V v with
    Sigma^-1 = A + Phi' W Phi, where W is the precision of the rows, times fidelity. With S = R' R,
    U = Phi' W V R' and B = Sigma U, the covariance of w is B B', and what is missed of V v has the
    tr(S V'WV) - 2 tr(U'B) + tr(B' Phi'W Phi B). What the mean may change by, as scales are known
    roughly, is a part of S.
    """
    share = fidelity * dense.row_precision
    design = fit.problem.rows.map(np.ascontiguousarray, fit.active)
    gram = design.T @ (share[:, None] * design)
    sigma = factorise(gram + np.diag(fit.precisions.weight))
    rows = dense.posterior.problem.rows.relabelled(design, share)
    products = rows.fold(_products)[0]
    over = products @ dense.spread_root
    wide = sigma.solve(over)
    spanned = 2.0 * np.vdot(over, wide) - np.vdot(wide, gram @ wide)
    energy = fidelity * dense.spread_energy - spanned
    return WeightSpread(square_root(wide), _per_row(max(float(energy), 0.0), share))


def _products(columns: np.ndarray, design: np.ndarray, share: np.ndarray) -> tuple:
    """Phi' W V of a block of rows."""
    return (design.T @ (share[:, None] * columns),)


def square_root(wide: np.ndarray) -> np.ndarray:
    """A matrix (m, m) with the same product with its transpose as one of (m, k)."""
    root = np.zeros((len(wide), len(wide)))
    if wide.size:
        (upper,) = qr(wide.T, mode="r")
        root[:, : min(wide.shape)] = upper[: min(wide.shape)].T
    return root
