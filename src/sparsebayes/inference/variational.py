"""A posterior over weights, precisions and noise, and a lower bound of the log evidence. [BT00]

The paper optimises Q(w) Q(alpha) Q(beta) factor by factor: (23)-(27), (54)-(58). The best Q(w) is
the posterior at the mean precisions, so the bound is a function of these alone. Up to constants it
is the log evidence with the log hyperpriors added (`evidence.lower_bound`). Newton's method on the
logarithms of the mean precisions climbs the same bound, in tens of steps instead of thousands.

For a likelihood that is not Gaussian, a quadratic bound of it takes its place, with a tangent for
every row: the root of the mean square of its latent value, (58). A step first climbs with the
tangents held, and then moves them; neither can lower the bound. It has converged when moves of
every length, from that of (58) to one that is too long, together raise the bound by less than tol.

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
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.loop import largest_gradient
from sparsebayes.inference.newton import newton_step
from sparsebayes.inference.reestimation import beyond, em_update, mackay_update
from sparsebayes.inference.start import weak_start
from sparsebayes.inference.state import Fit, State
from sparsebayes.likelihoods import Bounded, Likelihood
from sparsebayes.posterior import Posterior, find_posterior
from sparsebayes.problem import Precisions, Problem

# MacKay's re-estimates at the start; they take the precisions near where Newton's steps converge.
START_STEPS = 30
# By how much moves of the tangents are stretched more, each time that one of them leads higher, and
# by how much the logarithm of a tangent moves at most.
GROWTH, LONGEST_LOG_MOVE = 2.0, 1.0
# Columns are pruned where data determine less than this part of their weight.
NEGLIGIBLE = 1e-10


class TangentState(NamedTuple):
    """What a step needs besides the posterior.

    Attributes
    ----------
    pruned : log hyperpriors at the mean precisions of columns that are no longer active
    stretch : how many times as far as (58) says the tangents are to be moved
    begun : the bound when the stretch was last 1
    """

    pruned: float
    stretch: float = 1.0
    begun: float = -np.inf


@dataclass(repr=False)
class Variational(Inference):
    """Find distributions over weights, precisions and noise instead of best values.

    All columns stay in the model; `RVR.prune` drops those that a flat prior would not keep. It
    gives a lower bound of the log evidence, `lower_bound_`. Quantiles of predictions allow for the
    uncertainty of the noise, but not for functions that no column can say. So intervals hold too
    few targets where rows are few; those of the default inference of `RVR`, `Projection`, hold
    more.

    Parameters
    ----------
    weight_hyperprior : Gamma, default=None
        Proper prior over the precisions of the weights. None is Gamma(1e-6, 1e-6 v), where v is the
        variance of y, or 1 for classes.
    noise_hyperprior : Gamma, default=None
        Proper prior over the precision of the noise. None is the same as above.

    See Also
    --------
    Fast : Best values of the precisions, and few columns.

    Notes
    -----
    How it works: https://sparsebayes.example/theory/variational.html

    References
    ----------
    C. M. Bishop and M. E. Tipping (2000), Variational Relevance Vector Machines, Proceedings of the
    16th Conference on Uncertainty in Artificial Intelligence, 46-53.

    Examples
    --------
    >>> from sparsebayes import RVR, Variational
    >>> from sparsebayes.datasets import noisy_sinc
    >>> model = RVR(gamma=0.1, inference=Variational()).fit(*noisy_sinc(60, random_state=0))
    >>> bool(model.lower_bound_ < model.log_evidence_)
    True
    >>> len(model.weights_) > len(model.prune().weights_)
    True
    """

    weight_hyperprior: Gamma | None = None
    noise_hyperprior: Gamma | None = None

    needs_proper_hyperpriors = True

    def objection(self, likelihood: Likelihood) -> str | None:
        """The reason against a likelihood: variational Bayes needs a bound, or a quadratic."""
        if likelihood.has_bound:
            return super().objection(likelihood)
        return "it needs a lower bound of the likelihood"

    def noise_posterior(self, fit: Fit) -> Gamma | None:
        """The distribution of the noise precision, a Gamma with the mean that was found."""
        if not fit.problem.noise.estimated:
            return None
        shape = fit.problem.noise_hyperprior.shape + 0.5 * fit.problem.total_weight
        return Gamma(shape, shape / fit.precisions.noise)

    def init(self, problem: Problem, candidates: np.ndarray | None = None) -> State:
        """All columns with a weak prior, and a few re-estimates."""
        bounded = with_tangents(problem, np.zeros(len(problem.data.target)))
        posterior = reestimated(weak_start(bounded))
        idle = problem.n_candidates - len(posterior.active)
        prior = problem.weight_hyperprior
        # The mean precision of a column that is zero in every row is that of the prior.
        return _state(posterior, TangentState(idle * prior.log_density(prior.shape / prior.rate)))

    def step(self, problem: Problem, state: State, tol: float) -> State:
        """Climb with the tangents held, prune, move the tangents."""
        pruned, stretch, begun = state.memory
        posterior = climb_bound(state.posterior)
        gone, precision = negligible(posterior)
        pruned += problem.weight_hyperprior.log_density(precision)
        posterior = without(posterior, gone).refreshed()
        moved = move_tangents(problem, posterior)
        posterior, stretch = move_farther(problem, posterior, moved, stretch)
        bound = lower_bound(posterior, pruned)
        if stretch > 1.0:
            return _state(posterior, TangentState(pruned, stretch, begun))
        rise, after = bound - begun, _state(posterior, TangentState(pruned, stretch, bound))
        held = problem.likelihood.constant_curvature or rise <= tol
        if held and largest_gradient(posterior) <= tol:
            return replace(after, settled=True)
        stalled = bool(rise <= np.finfo(float).eps * abs(bound))
        return replace(after, settled=stalled, stalled=stalled)


def _state(posterior: Posterior, tangents: TangentState) -> State:
    bound = lower_bound(posterior, tangents.pruned)
    return State(posterior, lower_bound=bound, memory=tangents)


def with_tangents(problem: Problem, tangent: np.ndarray) -> Problem:
    """The problem with the likelihood's bound at these tangents; itself for a Gaussian."""
    if problem.likelihood.constant_curvature:
        return problem
    pairs = np.column_stack([problem.data.target, tangent])
    data = problem.data._replace(target=pairs)
    return problem.changed(data=data, likelihood=Bounded(problem.likelihood))


def move_tangents(problem: Problem, posterior: Posterior) -> Posterior:
    """The posterior at new tangents. [BT00] (58)

    tangent^2 = <f^2> = (phi'mu)^2 + phi'Sigma phi

    Parameters
    ----------
    problem : with the likelihood itself, not its bound
    """
    if problem.likelihood.constant_curvature:
        return posterior
    mean, root = posterior.mean[:, 0], posterior.factor.whitener.T

    def second_moment(design: np.ndarray) -> np.ndarray:
        return (design @ mean) ** 2 + np.sum((design @ root) ** 2, axis=1)

    tangent = np.sqrt(problem.map(second_moment, posterior.active, len(posterior.active)))
    return at_tangents(problem, posterior, tangent)


def move_farther(
    problem: Problem, posterior: Posterior, moved: Posterior, stretch: float
) -> tuple[Posterior, float]:
    """The posterior after a longer move of the tangents if that leads higher, and the next stretch.

    Where classes are separable, (58) moves them by a little for thousands of steps. So their
    logarithms move `stretch` times as far, and farther each time that this leads higher. When it no
    longer does, the stretch is 1 again.

    Parameters
    ----------
    problem : with the likelihood itself, not its bound
    moved : the posterior after `move_tangents`
    """
    if problem.likelihood.constant_curvature:
        return moved, 1.0
    here, there = (each.problem.data.target[:, 1] for each in (posterior, moved))
    if stretch == 1.0 or not (here.all() and there.all()):
        return moved, GROWTH
    bold = at_tangents(problem, posterior, beyond(here, there, stretch, LONGEST_LOG_MOVE))
    return (bold, GROWTH * stretch) if objective(bold) > objective(moved) else (moved, 1.0)


def at_tangents(problem: Problem, posterior: Posterior, tangent: np.ndarray) -> Posterior:
    """The posterior of the same precisions at these tangents."""
    moved = with_tangents(problem, tangent)
    return find_posterior(moved, posterior.active, posterior.precisions, posterior.mean)


def reestimated(posterior: Posterior) -> Posterior:
    """The posterior after a few of MacKay's re-estimates, at any price in the bound."""
    for _ in range(START_STEPS):
        posterior = posterior.at(mackay_update(posterior))
    return posterior.refreshed()


def climb_bound(posterior: Posterior) -> Posterior:
    """MacKay's re-estimate if it raises the objective, and then a Newton step.

    The former takes precisions of columns that do not pay far up, which Newton's method approaches
    in many short steps. Where it finds none, the paper's own step is tried. [BT00] (25)-(27)
    """
    posterior = _if_higher(posterior, mackay_update(posterior))
    moved = newton_step(posterior)
    if moved is not posterior:
        return moved
    return _if_higher(posterior, em_update(posterior))


def _if_higher(posterior: Posterior, precisions: Precisions) -> Posterior:
    """The posterior at these precisions if the objective is higher there, else itself."""
    moved = posterior.at(precisions)
    return moved if objective(moved) > objective(posterior) else posterior


def negligible(posterior: Posterior) -> tuple[np.ndarray, np.ndarray]:
    """Positions of columns without effect on the bound, and their best mean precisions.

    Outside the data's reach, alpha >> s, a column adds (q^2 - s) / 2 alpha + a ln alpha - b alpha,
    which is highest at b alpha^2 - a alpha = (s - q^2) / 2.
    """
    hyperprior = posterior.problem.weight_hyperprior
    relevance = evidence.active_relevance(posterior)
    lack = np.maximum(-relevance.excess, 0.0)
    root = np.sqrt(hyperprior.shape**2 + 2.0 * hyperprior.rate * lack)
    best = (hyperprior.shape + root) / (2.0 * hyperprior.rate)
    effect = posterior.well_determined + posterior.weight_precision * posterior.power
    at_best = (relevance.sparsity + relevance.power) / best
    gone = np.flatnonzero((effect < NEGLIGIBLE) & (at_best < NEGLIGIBLE))
    return gone, best[gone]
