"""Columns that say together what a softmax says, picked in turn.

All classes share their columns. The next is always the one that lowers most what is missed of the
latent values of all of them, sum_n W_n |f_n - phi_n' w|^2, until the probabilities are near enough.
Weights that make probabilities nearest, instead of latent values, come last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import log_softmax

from sparsebayes._linear_algebra import squared_lengths
from sparsebayes.columns import spread
from sparsebayes.dense import DenseFit
from sparsebayes.evidence import ROUNDING
from sparsebayes.inference.loop import describe
from sparsebayes.inference.state import Fit, Outcome, State
from sparsebayes.likelihoods import Resemblance
from sparsebayes.posterior import Posterior, find_posterior
from sparsebayes.problem import Precisions, Problem
from sparsebayes.projection.following import goal_problem, orthogonal_part, pick_in_turn


@dataclass(frozen=True)
class PursuitRule:
    """How columns are picked.

    Attributes
    ----------
    least_told : of the log loss of rows left out, the least part that counts as told
    chance : what rows may lose less than even odds by chance, in nats: a handful of settings were
        chosen by them
    flat : precision of their weights, relative to the energy of the columns: no prior to speak of
    least : part of the energy of the latent values that rounding leaves
    most_rows : that columns are picked by; of more, these many
    """

    least_told: float = 0.1
    chance: float = 3.0
    flat: float = 1e-14
    least: float = 1e-12
    most_rows: int = 20_000


PURSUIT_RULE = PursuitRule()


@dataclass(frozen=True)
class FollowRule:
    """How closely columns follow the dense model of many rows.

    Attributes
    ----------
    of_noise : part of the noise. With many rows a dense model is so certain of its mean that a
        `fidelity` relative to that would ask for every column; what is missed may be as much as
        though it were uncertain of this
    least_outside : part of the energy of a column that must be outside the span of others. With
        less, weights would be so large that their sum loses its digits
    near : columns miss this many times what they should, and are near enough all the same
    chance : a mean whose energy, in units of the noise, is less for each output is chance
    """

    of_noise: float = 0.001
    least_outside: float = 1e-18
    near: float = 1.1
    chance: float = 6.0


FOLLOW_RULE = FollowRule()


def follow(
    goals: Sequence[Problem],
    denses: Sequence[DenseFit],
    fidelity: float,
    rule: FollowRule = FOLLOW_RULE,
) -> list[Pursued]:
    """Few columns that follow the means of one or several dense models, the same for all.

    The next is always the one that lowers most what is missed, in units of the noise, until that is
    1 / fidelity of what the dense models are uncertain of, or of a small part of the noise.

    Parameters
    ----------
    goals : of each of the dense models, over the same rows and columns
    """
    design = goals[0].rows.map(np.ascontiguousarray)
    unit = [np.sqrt(dense.row_precision)[:, None] for dense in denses]
    target = np.hstack([own * dense.latents for own, dense in zip(unit, denses, strict=True)])
    uncertain = sum(
        max(
            float(dense.posterior.well_determined.sum()),
            rule.of_noise * float(dense.row_precision.sum()) * dense.noise_variance,
        )
        for dense in denses
    )
    enough = uncertain / fidelity
    if float(np.vdot(target, target)) <= rule.chance * len(denses):
        enough = np.inf
    active = np.sort(_nearest_columns(design, target, enough, rule))
    weights = np.linalg.lstsq(design[:, active], target, rcond=None)[0]
    missed = float(np.sum((target - design[:, active] @ weights) ** 2))
    near = missed <= rule.near * enough
    return [
        Pursued(_followed(goal, active, design, weights[:, [k]] / own[0]), near)
        for k, (goal, own) in enumerate(zip(goals, unit, strict=True))
    ]


def _nearest_columns(
    design: np.ndarray, target: np.ndarray, enough: float, rule: FollowRule
) -> np.ndarray:
    """Columns, each the one that lowers the squared error of least squares most (m,).

    Like `pick_in_turn`, but where what is left of columns outside the span of those before has
    lost its digits, it is found anew. So columns of a wide kernel, which are equal in their first
    digits, can still be told apart.

    Parameters
    ----------
    target : one or more (n, k)
    enough : the squared error at which it ends
    """
    energy = squared_lengths(design.T)
    basis = np.empty((min(design.shape), len(design)))
    residual, chosen, left = target.copy(), list[int](), design
    while float(np.vdot(residual, residual)) > enough and len(chosen) < len(basis):
        known = len(chosen)
        _pick_until_rounding(left, basis, residual, chosen, enough, rule.least_outside * energy)
        if len(chosen) == known:
            break
        for _ in range(2):  # the second time for what rounding has left
            left = left - basis[: len(chosen)].T @ (basis[: len(chosen)] @ left)
    return np.array(chosen, dtype=np.intp)


def _pick_until_rounding(
    left: np.ndarray,
    basis: np.ndarray,
    residual: np.ndarray,
    chosen: list[int],
    enough: float,
    least: np.ndarray,
) -> None:
    """Add to the columns until what is left of none of them is known any more; all in place.

    Parameters
    ----------
    left : what was left of each column outside the span of those that had been chosen (n, m)
    basis : orthonormal rows, as many as were chosen
    residual : of the targets (n, k)
    least : energy of a column that must be outside the span of others (m,)
    """
    energy = squared_lengths(left.T)
    outside, score = energy.copy(), left.T @ residual
    while float(np.vdot(residual, residual)) > enough and len(chosen) < len(basis):
        gain = np.zeros_like(energy)
        told = outside > np.maximum(ROUNDING * energy, least)
        np.divide(squared_lengths(score), outside, out=gain, where=told)
        gain[chosen] = 0.0
        best = int(np.argmax(gain))
        if gain[best] <= 0.0:
            break
        direction = orthogonal_part(left[:, best], basis[: len(chosen)])
        basis[len(chosen)] = direction
        chosen.append(best)
        along, share = direction @ left, direction @ residual
        residual -= np.outer(direction, share)
        score -= np.outer(along, share)
        outside -= along**2


def _followed(goal: Problem, active: np.ndarray, design: np.ndarray, weights: np.ndarray) -> Fit:
    """The fit of these columns to one goal."""
    energy = goal.data.weight @ design[:, active] ** 2
    start, end = (
        _least_squares(goal, active[:k], energy[:k], PURSUIT_RULE) for k in (0, len(active))
    )
    fit = _fit(goal, start, replace(end, mean=weights))
    return replace(fit, history=[step._replace(gradient=np.nan) for step in fit.history])


class Pursued(NamedTuple):
    """A fit to the goal, and whether it is near enough."""

    fit: Fit
    near: bool


def pursue(
    problem: Problem, dense: DenseFit, fidelity: float, rule: PursuitRule = PURSUIT_RULE
) -> Pursued:
    """Few columns that follow the latent values of a dense softmax.

    It ends when the mean divergence of their probabilities from those of the dense model is
    1 / fidelity of the log loss of rows that are left out; or of what they lose less than even odds
    would, where that is less. Where that is chance there is nothing to follow.

    Parameters
    ----------
    problem : of classes that share their columns
    """
    goal = goal_problem(problem, dense, fidelity)
    rows = spread(np.arange(len(dense.latents)), rule.most_rows)
    design, latents = goal.design(rows), dense.latents[rows]
    root = np.sqrt(goal.data.weight[rows])[:, None]
    measure = _Divergence(problem, dense, fidelity, rows, rule)
    target = root * latents
    least = rule.least * float(np.vdot(target, target))
    picked = pick_in_turn(
        root * design, target, least, problem.n_columns, lambda left: measure.near(left / root)
    )
    active = np.sort(picked)
    energy = np.einsum("nl,nm->m", root**2, design[:, active] ** 2)
    start, end = (_least_squares(goal, active[:k], energy[:k], rule) for k in (0, len(active)))
    alike = _resembling(problem, goal, end, fidelity)
    near = measure.near(latents - design[:, active] @ alike.mean)
    return Pursued(_fit(goal, start, alike), near)


class _Divergence:
    """The divergence of the probabilities of a few columns from those of a dense model."""

    def __init__(
        self,
        problem: Problem,
        dense: DenseFit,
        fidelity: float,
        rows: np.ndarray,
        rule: PursuitRule,
    ) -> None:
        assert dense.left_out is not None, "not a softmax"
        self.of_classes, self.latents = problem.likelihood.latent_weights, dense.latents[rows]
        self.weight = problem.data.weight[rows] * (
            problem.total_weight / problem.data.weight[rows].sum()
        )
        self.log_probability = log_softmax(self.of_classes(self.latents), axis=1)
        loss = -dense.left_out.log_density
        told = problem.total_weight * np.log(problem.layout.n_outputs + 1) - loss
        self.most = float(np.clip(told, rule.least_told * loss, loss)) / fidelity
        if told <= rule.chance:
            self.most = np.inf

    def near(self, left: np.ndarray) -> bool:
        """Whether latent values from which this is left are near enough."""
        other = log_softmax(self.of_classes(self.latents - left), axis=1)
        apart = np.exp(self.log_probability) * (self.log_probability - other)
        return float(self.weight @ apart.sum(axis=1)) <= self.most


def _least_squares(
    goal: Problem, active: np.ndarray, energy: np.ndarray, rule: PursuitRule
) -> Posterior:
    """Least squares, as a posterior with next to no prior."""
    precision = rule.flat * np.where(energy > 0.0, energy, 1.0)
    return find_posterior(goal, active, Precisions(precision, 1.0))


def _resembling(problem: Problem, goal: Problem, near: Posterior, fidelity: float) -> Posterior:
    """A fit with the weights whose probabilities are nearest to those of the dense model.

    Rows do not count `fidelity` times here, and so does the prior.
    """
    flat = Precisions(near.weight_precision / fidelity, 1.0)
    data = goal.data._replace(weight=problem.data.weight)
    alike = goal.changed(data=data, likelihood=Resemblance(problem.layout.n_outputs + 1))
    found = find_posterior(alike, near.active, flat, near.mean)
    return replace(near, mean=found.mean)


def _fit(goal: Problem, start: Posterior, end: Posterior) -> Fit:
    history = [describe(State(start)), describe(State(end, settled=True))]
    relevant = np.ones(len(end.active), dtype=bool)
    return Fit(
        goal,
        end.active,
        end.precisions,
        1.0,
        end.mean,
        end.factor.whitener.T,
        relevant,
        history[-1].log_evidence,
        0,
        history,
        Outcome.CONVERGED,
    )
