"""A posterior over weights, precisions and noise, and a lower bound of the log evidence. [BT00]

Q(w) Q(alpha) Q(beta) is optimised factor by factor in the paper: (23)-(27), (54)-(58). As the best
Q(w) is the posterior at the mean precisions, the bound is a function of these alone, and but for
constants it is the log evidence with the log hyperpriors added (`evidence.lower_bound`). Newton's
method on the logarithms of the mean precisions therefore climbs the same bound, in tens of steps
instead of thousands.

For a likelihood that is not Gaussian, a quadratic bound of it takes its place, with a tangent for
every row: the root of the mean square of its latent value, (58). A step first climbs with the
tangents held, and then moves them; neither can lower the bound.

All columns stay, since a proper hyperprior keeps every precision finite. The exception are columns
whose effect on the bound is below rounding.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sparsebayes import evidence
from sparsebayes.evidence import lower_bound, objective
from sparsebayes.hyperpriors import Gamma
from sparsebayes.inference.deletion import without
from sparsebayes.inference.loop import Start, State, largest_gradient
from sparsebayes.inference.newton import ascend
from sparsebayes.inference.reestimation import em, mackay
from sparsebayes.inference.start import resume, weak_start
from sparsebayes.likelihoods import Bounded
from sparsebayes.posterior import Posterior, find, refresh, revise
from sparsebayes.problem import Problem

# MacKay's re-estimates at the start.
START_STEPS = 30
# Columns are pruned where data determine less than this part of their weight.
NEGLIGIBLE = 1e-10


class Background(NamedTuple):
    """What a step needs besides the posterior.

    Attributes
    ----------
    problem : with the bound, at the present tangents, in place of the likelihood
    pruned : log hyperpriors at the mean precisions of columns that are no longer active
    rise : of the bound, when the tangents were moved last
    """

    problem: Problem
    pruned: float
    rise: float = np.inf


@dataclass(frozen=True)
class Variational:
    """The inference "variational".

    Parameters
    ----------
    tol : the largest derivative of the bound for a log precision at which it may stop
    start : mean precisions to start from, used only if it has those of all columns
    """

    tol: float
    start: Start | None = None

    def init(self, problem: Problem) -> State:
        """All columns with a weak prior, and a few re-estimates."""
        bounded = with_tangents(problem, np.zeros(len(problem.rows.target)))
        if self.start is not None and len(self.start.active) == problem.n_candidates:
            posterior = resume(bounded, self.start)
        else:
            posterior = reestimated(bounded, weak_start(bounded))
        idle = problem.n_candidates - len(posterior.active)
        pruned = idle * problem.weight_hyperprior.log_density(_without_data(problem))
        return _state(problem, posterior, Background(bounded, pruned))

    def step(self, problem: Problem, state: State) -> State:
        """Climb with the tangents held, prune, move the tangents."""
        bounded, pruned, last_rise = state.memory
        posterior = climb(bounded, state.posterior)
        gone, precision = negligible(problem.weight_hyperprior, posterior)
        pruned += problem.weight_hyperprior.log_density(precision)
        posterior = refresh(bounded, without(posterior, gone))
        held = lower_bound(problem, posterior, pruned)
        bounded, posterior = move_tangents(problem, bounded, posterior)
        bound = lower_bound(problem, posterior, pruned)
        moved = _state(problem, posterior, Background(bounded, pruned, bound - held))
        still = rise_to_come(bound - held, last_rise) <= self.tol
        if still and largest_gradient(problem, posterior) <= self.tol:
            return replace(moved, settled=True)
        stalled = bool(bound - state.lower_bound <= np.finfo(float).eps * abs(bound))
        return replace(moved, settled=stalled, stalled=stalled)


def _state(problem: Problem, posterior: Posterior, background: Background) -> State:
    bound = lower_bound(problem, posterior, background.pruned)
    return State(posterior, lower_bound=bound, memory=background)


def _without_data(problem: Problem) -> float:
    """The mean precision of a column that is zero in every row."""
    return problem.weight_hyperprior.shape / problem.weight_hyperprior.rate


def with_tangents(problem: Problem, tangent: np.ndarray) -> Problem:
    """The problem with the likelihood's bound at these tangents; itself for a Gaussian."""
    if problem.likelihood.constant_curvature:
        return problem
    rows = problem.rows.with_target(np.column_stack([problem.rows.target, tangent]))
    return replace(problem, rows=rows, likelihood=Bounded(problem.likelihood))


def move_tangents(
    problem: Problem, bounded: Problem, posterior: Posterior
) -> tuple[Problem, Posterior]:
    """The problem and the posterior at new tangents. [BT00] (58)

    tangent^2 = <f^2> = (phi'mu)^2 + phi'Sigma phi
    """
    if problem.likelihood.constant_curvature:
        return bounded, posterior
    mean, root = posterior.mean, posterior.factor.whitener.T

    def second_moment(design):
        return (design @ mean) ** 2 + np.sum((design @ root) ** 2, axis=1)

    tangent = np.sqrt(problem.rows.map(second_moment, posterior.active))
    moved = with_tangents(problem, tangent)
    active, weight_precision = posterior.active, posterior.weight_precision
    return moved, find(moved, active, weight_precision, posterior.noise_precision, mean)


def reestimated(problem: Problem, posterior: Posterior) -> Posterior:
    """The posterior after a few of MacKay's re-estimates, at any price in the bound."""
    for _ in range(START_STEPS):
        posterior = revise(posterior, *mackay(0.0).update(problem, posterior))
    return refresh(problem, posterior)


def climb(problem: Problem, posterior: Posterior) -> Posterior:
    """MacKay's re-estimate if it raises the objective, and then a Newton step.

    The former takes precisions of columns that do not pay far up, which Newton's method approaches
    in many short steps. Where it finds none, the paper's own step is tried. [BT00] (25)-(27)
    """
    posterior = _if_higher(problem, posterior, mackay(0.0).update(problem, posterior))
    moved = ascend(problem, posterior)
    if moved is not posterior:
        return moved
    return _if_higher(problem, posterior, em(0.0).update(problem, posterior))


def _if_higher(problem: Problem, posterior: Posterior, precisions) -> Posterior:
    """The posterior at these precisions if the objective is higher there, else itself."""
    moved = revise(posterior, *precisions)
    return moved if objective(problem, moved) > objective(problem, posterior) else posterior


def rise_to_come(rise: float, last_rise: float) -> float:
    """How much the bound would still rise, if it goes on by the ratio of the last two rises."""
    if rise <= 0.0:
        return 0.0
    return rise**2 / (last_rise - rise) if rise < last_rise < np.inf else np.inf


def negligible(hyperprior: Gamma, posterior: Posterior) -> tuple[np.ndarray, np.ndarray]:
    """Positions of columns without effect on the bound, and their best mean precisions.

    Outside the data's reach, alpha >> s, a column adds (q^2 - s) / 2 alpha + a ln alpha - b alpha,
    which is highest at b alpha^2 - a alpha = (s - q^2) / 2.
    """
    sparsity, quality = evidence.active_relevance(posterior)
    excess = np.maximum(sparsity - quality**2, 0.0)
    root = np.sqrt(hyperprior.shape**2 + 2.0 * hyperprior.rate * excess)
    best = (hyperprior.shape + root) / (2.0 * hyperprior.rate)
    effect = posterior.well_determined + posterior.weight_precision * posterior.power
    at_best = (sparsity + quality**2) / best
    gone = np.flatnonzero((effect < NEGLIGIBLE) & (at_best < NEGLIGIBLE))
    return gone, best[gone]
