"""The posterior of a dense model, carried over to a few columns.

Every function that the dense model draws has a nearest one in the span of the columns. These make
the posterior of the sparse model; what they miss of the draws counts as noise.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.linalg import qr

from sparsebayes import statistics
from sparsebayes.columns import JoinedColumns
from sparsebayes.dense import DenseFit
from sparsebayes.inference.state import Fit, Outcome
from sparsebayes.posterior import Posterior, find_posterior
from sparsebayes.problem import Problem


def carry_over(problem: Problem, dense: DenseFit, fit: Fit, fidelity: float) -> Fit:
    """A sparse fit to the goal, with the posterior, noise and evidence of the dense model.

    Parameters
    ----------
    problem : with the targets themselves
    fit : to the goal
    """
    spread = spread_of(dense, fit, fidelity)
    noise = dense.posterior.noise_precision
    if problem.noise.estimated:
        missed = (spread.residual_energy + spread.missed_energy) / fit.problem.total_weight
        noise = 1.0 / (1.0 / noise + missed)
    vanished = dense.noise_vanished and fit.outcome.converged
    return replace(
        fit,
        problem=problem,
        precisions=fit.precisions._replace(noise=noise),
        log_evidence=dense.log_evidence,
        n_precisions=0,
        root=spread.root,
        outcome=Outcome.NOISE_VANISHED if vanished else fit.outcome,
    )


class Spread(NamedTuple):
    """How draws of the dense model differ from their mean, in terms of the kept columns.

    Attributes
    ----------
    root : a square root of the covariance of the weights (m, m)
    missed_energy : mean of ||V v - Phi w||^2 about the mean, rows weighted as in the goal
    residual_energy : what the fit misses of the mean itself
    """

    root: np.ndarray
    missed_energy: float
    residual_energy: float


def spread_of(dense: DenseFit, fit: Fit, fidelity: float) -> Spread:
    """The `Spread` of the dense posterior, v ~ N(., S).

    A function V v that it draws is nearest to the weights w = Sigma Phi' W V v with
    Sigma^-1 = A + Phi' W Phi, where W is the curvature of the rows at the mode, times noise
    precision and fidelity. With S = R' R, U = Phi' W V R' and B = Sigma U, the covariance of w is
    B B', and what is missed of V v has the energy tr(S V'WV) - 2 tr(U'B) + tr(B' Phi'W Phi B).
    """
    posterior, products = _with_products(dense, fit)
    beta = posterior.noise_precision
    over = beta * products @ dense.posterior.factor.whitener.T
    wide = posterior.factor.solve(over)
    spanned = 2.0 * np.vdot(over, wide) - beta * np.vdot(wide, posterior.gram @ wide)
    energy = fidelity * dense.posterior.well_determined.sum() - spanned
    missed = max(float(energy), 0.0) / beta
    return Spread(square_root(wide), missed, posterior.residual_energy)


def _with_products(dense: DenseFit, fit: Fit) -> tuple[Posterior, np.ndarray]:
    """The posterior of the fit to the goal, and Phi' W V of its columns with the dense ones."""
    goal, size = fit.problem, len(fit.active)
    both = JoinedColumns((goal.columns.keep(fit.active), dense.columns))
    problem = replace(goal, columns=both)
    kept = np.arange(size)
    posterior = find_posterior(problem, kept, fit.precisions, fit.mean)
    every = statistics.candidates(problem, kept, posterior.mean)
    return posterior, every.cross_gram[size:].T


def square_root(wide: np.ndarray) -> np.ndarray:
    """A matrix (m, m) with the same product with its transpose as one of (m, k)."""
    root = np.zeros((len(wide), len(wide)))
    if wide.size:
        (upper,) = qr(wide.T, mode="r")
        root[:, : min(wide.shape)] = upper[: min(wide.shape)].T
    return root
