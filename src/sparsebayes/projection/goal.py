"""What a sparse fit is to reproduce: the mean of a dense model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sparsebayes.dense import DenseFit
from sparsebayes.inference.state import Fit
from sparsebayes.likelihoods import Gaussian, Gaussians, Likelihood
from sparsebayes.problem import Precisions, Problem


def goal_problem(problem: Problem, dense: DenseFit, fidelity: float) -> Problem:
    """The problem with the mean of the dense model's latent values as its targets.

    A row counts by the precision W_n that its target gave the latent values, and `fidelity` times
    as often. The weights of some columns that fit it best are those whose model is nearest,

        min_w sum_n W_n (f_n - phi_n' w)^2,

    which is twice the Kullback-Leibler divergence of two Gaussians with that precision; and the
    evidence asks for as many columns as that many observations can tell from fewer.
    """
    unit = dense.noise_variance
    latents = dense.latents
    target = latents[:, 0] if latents.shape[1] == 1 else latents
    weight = fidelity * unit * dense.row_precision
    return _goal(problem, target, weight, unit**0.5)


def common_goal(problem: Problem, denses: Sequence[DenseFit], fidelity: float) -> Problem:
    """The goals of several outputs as one, in units of the noise of each.

    One set of columns is to serve all of them.
    """
    latents = [dense.latents[:, 0] * dense.noise_variance**-0.5 for dense in denses]
    return _goal(problem, np.column_stack(latents), fidelity * problem.data.weight, 1.0)


def part_of_common(fit: Fit, goal: Problem, k: int) -> Fit:
    """What a fit to the common goal says of output k, as a fit to the goal of that output."""
    unit = goal.noise.settle(1.0) ** -0.5
    return replace(
        fit,
        problem=goal,
        mean=unit * fit.mean[:, [k]],
        precisions=Precisions(fit.precisions.weight / unit**2, unit**-2),
    )


def _goal(problem: Problem, target: np.ndarray, weight: np.ndarray, noise_std: float) -> Problem:
    likelihood: Likelihood = Gaussian(noise_std)
    if target.ndim == 2:
        likelihood = Gaussians(target.shape[1], noise_std)
    data = problem.data._replace(target=target, weight=weight)
    return problem.changed(data=data, likelihood=likelihood)
