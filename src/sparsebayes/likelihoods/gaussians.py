"""Several real targets, each with Gaussian noise of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.likelihoods._likelihood import Likelihood
from sparsebayes.likelihoods._quadratic import Quadratic


@dataclass(frozen=True)
class Gaussians(Likelihood):
    """p(t_l | f_l) = N(t_l | f_l, sigma_l^2) for each output l, the noise at its best.

    The weights of output l have the prior N(0, sigma_l^2 / alpha_i): a column is relevant by how
    far it stands out of the noise, in whatever units an output is. As prior and likelihood then
    have the factor sigma_l in common, its best value has a closed form, and one factorisation
    serves all outputs.

    Parameters
    ----------
    n_outputs : int
    """

    n_outputs: int

    constant_curvature = True
    profiled_noise = True

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """As of `Gaussian`, with a value and a slope for each output (n, n_outputs)."""
        residual = target - latent
        return Quadratic(-0.5 * residual**2, residual, np.ones(len(residual)))
