"""Several real targets, each with Gaussian noise of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.likelihoods.gaussian import Gaussian
from sparsebayes.likelihoods.layout import Layout, SharedLatents
from sparsebayes.likelihoods.likelihood import Likelihood
from sparsebayes.likelihoods.noise import Noise, ProfiledNoise
from sparsebayes.likelihoods.quadratic import Quadratic


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

    called = "several outputs that share precisions"
    instead = 'multi_output="separate"'
    constant_curvature = True
    has_units = True

    @property
    def noise(self) -> Noise:
        """Of each output, always at its best."""
        return ProfiledNoise()

    @property
    def layout(self) -> Layout:
        """A latent value for each output."""
        return SharedLatents(self.n_outputs)

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The log densities, with a value and a slope for each output (n, n_outputs)."""
        residual = target - latent
        return Quadratic(-0.5 * residual**2, residual, np.ones(len(residual)))

    def one_by_one(self, target: np.ndarray) -> tuple[np.ndarray, Likelihood]:
        """Each output for itself."""
        return target.T, Gaussian()
