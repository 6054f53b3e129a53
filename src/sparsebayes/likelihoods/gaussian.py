"""Real targets with Gaussian noise: one, or several with noise of their own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.likelihoods.layout import Layout, SharedLatents
from sparsebayes.likelihoods.likelihood import ESTIMATED, PROFILED, Likelihood, Noise, Quadratic


@dataclass(frozen=True)
class Gaussian(Likelihood):
    """p(t | f) = N(t | f, 1 / noise_precision). [T01] (4)

    Parameters
    ----------
    noise_std : float or None
        The standard deviation of the noise; None to estimate it.
    """

    noise_std: float | None = None

    called = "one output with Gaussian noise"
    constant_curvature = True
    has_bound = True
    has_units = True

    @property
    def noise(self) -> Noise:
        """Estimated, unless it is given."""
        return ESTIMATED if self.noise_std is None else Noise(self.noise_std**-2)

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The log density, up to its normaliser, at unit noise precision; exact."""
        residual = target - latent
        return Quadratic(-0.5 * residual**2, residual, np.ones_like(residual))

    def log_normaliser(self, noise_precision: float) -> float:
        """1/2 log(noise_precision / 2 pi), per row."""
        return 0.5 * float(np.log(noise_precision / (2.0 * np.pi)))


@dataclass(frozen=True)
class Gaussians(Likelihood):
    """p(t_l | f_l) = N(t_l | f_l, sigma_l^2) for each output l, the noise at its best or given.

    Where it is at its best, the weights of output l have the prior N(0, sigma_l^2 / alpha_i): a
    column is relevant by how far it stands out of the noise, in whatever units an output is. As
    prior and likelihood then have the factor sigma_l in common, its best value has a closed form,
    and one factorisation serves all outputs.

    Parameters
    ----------
    n_outputs : int
    noise_std : float or None
        The standard deviation of the noise of all outputs; None for the best of each.
    """

    n_outputs: int
    noise_std: float | None = None

    called = "several outputs that share precisions"
    instead = 'multi_output="separate"'
    constant_curvature = True
    has_units = True

    @property
    def noise(self) -> Noise:
        """The noise of each output is always at its best, unless it is given."""
        return PROFILED if self.noise_std is None else Noise(self.noise_std**-2)

    @property
    def layout(self) -> Layout:
        """A latent value for each output."""
        return SharedLatents(self.n_outputs)

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The log densities, with a slope for each output (n, n_outputs).

        There is a value for each output where each has noise of its own.
        """
        residual = target - latent
        value = -0.5 * residual**2
        value = value if self.noise_std is None else value.sum(axis=1)
        return Quadratic(value, residual, np.ones(len(residual)))

    def log_normaliser(self, noise_precision: float) -> float:
        """n_outputs / 2 log(noise_precision / 2 pi), per row."""
        return 0.5 * self.n_outputs * float(np.log(noise_precision / (2.0 * np.pi)))

    def one_by_one(self, target: np.ndarray) -> tuple[np.ndarray, Likelihood]:
        """Each output for itself."""
        return target.T, Gaussian()
