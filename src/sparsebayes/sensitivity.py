"""How the evidence changes with the columns themselves: what scales are learned by."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sparsebayes import evidence
from sparsebayes.posterior import Posterior


class Sensitivity(NamedTuple):
    """Derivatives of the objective, for one output.

    Attributes
    ----------
    columns : for every entry of the design matrix (n_samples, m)
    weight_precision : for log alpha (m,)
    noise_precision : for log beta; 0 where it is fixed
    """

    columns: np.ndarray
    weight_precision: np.ndarray
    noise_precision: float


def sensitivity(posterior: Posterior, design: np.ndarray) -> Sensitivity:
    """`Sensitivity` at a posterior over all columns of `design`.

    With s and W the slope and curvature of the rows' log density at the mode f = Phi mu,

        D = s mu' - W Phi Sigma                                          [T01] (55)
            + (v - W Phi u) mu' + s u',    v_n = -1/2 W'_n phi_n' Sigma phi_n,    u = Sigma Phi' v

    The second line is 0 for a Gaussian, whose curvature does not depend on f. For others it is what
    Laplace's evidence changes by since the mode moves with the columns, and the curvature with the
    mode. For the same reason -alpha_i mu_i u_i is added to the derivative for log alpha_i.
    """
    problem, beta, mean = posterior.problem, posterior.noise_precision, posterior.mean[:, 0]
    target, weight = problem.data.target, problem.data.weight
    latent = design @ mean
    quadratic = problem.likelihood.expand(target, latent)
    slope, curvature = beta * weight * quadratic.slope, beta * weight * quadratic.curvature
    spread = design @ posterior.covariance
    columns = np.outer(slope, mean) - curvature[:, None] * spread
    by_precision = evidence.weight_gradient(posterior)
    if not problem.likelihood.constant_curvature:
        rise = weight * problem.likelihood.curvature_slope(target, latent)
        pull = -0.5 * rise * np.einsum("ij,ij->i", design, spread)
        shift = spread.T @ pull
        columns += np.outer(pull - curvature * (design @ shift), mean) + np.outer(slope, shift)
        by_precision = by_precision - posterior.weight_precision * mean * shift
    return Sensitivity(columns, by_precision, evidence.noise_gradient(posterior))
