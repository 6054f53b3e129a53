"""The mean of a dense model, which a sparse fit is to reproduce, and columns that come close."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sparsebayes._linear_algebra import squared_lengths
from sparsebayes.columns import AnyColumns
from sparsebayes.dense import DenseFit, DenseModel
from sparsebayes.evidence import ROUNDING
from sparsebayes.inference.state import Fit
from sparsebayes.likelihoods import Gaussian, Gaussians, Likelihood
from sparsebayes.problem import Precisions, Problem
from sparsebayes.rows import evaluate_finite


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


@dataclass(frozen=True)
class Following:
    """How closely columns follow the dense model.

    Attributes
    ----------
    enough : of the noise; columns are added until what they miss of the dense mean is smaller
    most : columns, as a step costs rows times candidates
    """

    enough: float = 0.01
    most: int = 128


FOLLOWING = Following()


def following_columns(
    model: DenseModel, columns: AnyColumns, settings: np.ndarray, how: Following = FOLLOWING
) -> list[np.ndarray]:
    """The columns whose span comes close to the mean of the dense model, for each target.

    All columns where that cannot be evaluated. A row counts by the curvature W of its log density
    there, so that what is missed of f is measured in units of the noise:
    sum_n W_n (f_n - phi_n' w)^2 is at most `enough` per row.

    Parameters
    ----------
    columns : all candidates, at the scales of the model
    settings : of each target (k, n_settings)
    """
    try:
        design = evaluate_finite(columns, model.rows.inputs)
        parts = model.parts(columns.log_scales)
    except (FloatingPointError, ValueError):
        return [np.arange(columns.n_columns)] * len(settings)
    return [_of_target(model, k, own, parts, design, how) for k, own in enumerate(settings)]


def _of_target(
    model: DenseModel,
    k: int,
    settings: np.ndarray,
    parts: list,
    design: np.ndarray,
    how: Following,
) -> np.ndarray:
    """The columns that follow the dense model of one target."""
    try:
        latents, share = model.weighted_latents(k, settings, parts)
    except FloatingPointError:
        return np.arange(design.shape[1])
    root = np.sqrt(share)[:, None]
    least = how.enough * float(model.rows.weight.sum())
    return pick_in_turn(design * root, latents * root, least, how.most)


def never(residual: np.ndarray) -> bool:
    """Whether what is left is little enough: never."""
    return False


def pick_in_turn(
    design: np.ndarray,
    target: np.ndarray,
    least: float,
    most: int,
    enough: Callable[[np.ndarray], bool] = never,
) -> np.ndarray:
    """Columns, each the one that lowers the squared error of least squares most (m,).

    That is |phi'r|^2 / ||phi_o||^2, with r the residual and phi_o the part of the column that is
    orthogonal to those before it.

    Parameters
    ----------
    target : one or more (n, k)
    least : the squared error at which it ends
    most : columns at which it ends
    enough : it ends when this is true of what is left of the target (n, k)
    """
    energy = np.einsum("nm,nm->m", design, design)
    left, score, error = energy.copy(), design.T @ target, float(np.vdot(target, target))
    basis = np.empty((min(most, *design.shape), len(target)))
    residual, chosen = target.copy(), list[int]()
    while error > least and len(chosen) < len(basis) and not enough(residual):
        outside = left > ROUNDING * energy
        gain = np.divide(squared_lengths(score), left, out=np.zeros_like(left), where=outside)
        best = int(np.argmax(gain))
        if gain[best] <= 0.0:
            break
        direction = orthogonal_part(design[:, best], basis[: len(chosen)])
        basis[len(chosen)] = direction
        chosen.append(best)
        along = direction @ design
        share = score[best] / along[best]
        score -= along[:, None] * share
        residual -= direction[:, None] * share
        left -= along**2
        error -= float(share @ share)
    return np.array(chosen, dtype=np.intp)


def orthogonal_part(column: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """What is left of a column outside the span of orthonormal rows, with unit length."""
    for _ in range(2):  # the second time for what rounding has left
        column = column - (basis @ column) @ basis
    return column / np.sqrt(column @ column)
