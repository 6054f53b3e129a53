"""The one loop that runs every inference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparsebayes import evidence
from sparsebayes.inference.deletion import pays
from sparsebayes.inference.outcome import Outcome
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Problem

# A fit that leaves less than this part of the rows to the noise passes through the targets.
INTERPOLATES_BELOW = 0.05
# Columns are collinear if they span fewer directions than this part of their number.
COLLINEAR_BELOW = 0.05


class Start(NamedTuple):
    """Precisions to start from: those of an earlier fit with the same candidates."""

    active: np.ndarray
    weight_precision: np.ndarray
    noise_precision: float


@dataclass(frozen=True)
class State:
    """Where an inference stands.

    Attributes
    ----------
    posterior : carries the precisions it was made with
    settled : whether there is nothing left to do
    stalled : whether it settled because of rounding, not at a stationary point
    largest_gain : what the best column outside the model would add to the log evidence at the
        last survey; NaN if this step made none
    lower_bound : of the log evidence with precisions integrated out; NaN for most inferences
    memory : what the inference wants to know again at its next step
    """

    posterior: Posterior
    settled: bool = False
    stalled: bool = False
    largest_gain: float = np.nan
    lower_bound: float = np.nan
    memory: Any = None


class Step(NamedTuple):
    """One entry of the history: log evidence, columns, noise, and how far it is from the end.

    With several outputs the noise is the geometric mean of theirs.
    """

    log_evidence: float
    n_active: int
    noise_std: float
    gradient: float
    largest_gain: float
    lower_bound: float


@dataclass(frozen=True)
class Fit:
    """What an inference found.

    `relevant` says which active columns pay (m,); `root` is a square root of the covariance of
    their weights (m, m).
    """

    posterior: Posterior
    log_evidence: float
    history: list[Step]
    outcome: Outcome
    relevant: np.ndarray
    root: np.ndarray


def run(inference: Any, problem: Problem, max_iter: int, on_step=lambda step: False) -> Fit:
    """Step from `inference.init` until settled, `max_iter` is reached, or `on_step` says stop.

    Parameters
    ----------
    on_step : called with each `Step` of the history; a true answer ends the fit.
    """
    state = inference.init(problem)
    history = [describe(problem, state)]
    stopped = False
    while not state.settled and not stopped and len(history) <= max_iter:
        state = inference.step(problem, state)
        history.append(describe(problem, state))
        stopped = bool(on_step(history[-1]))
    outcome = _judge(problem, state, stopped)
    relevant = pays(problem, state.posterior)
    root = state.posterior.factor.whitener.T
    return Fit(state.posterior, history[-1].log_evidence, history, outcome, relevant, root)


def describe(problem: Problem, state: State) -> Step:
    """The history's entry for a state."""
    posterior = state.posterior
    relative = float(np.exp(-0.5 * np.mean(np.log(posterior.output_precision))))
    return Step(
        evidence.log_evidence(problem, posterior),
        len(posterior.active),
        posterior.noise_precision**-0.5 * relative,
        largest_gradient(problem, posterior),
        state.largest_gain,
        state.lower_bound,
    )


def largest_gradient(problem: Problem, posterior: Posterior) -> float:
    """Largest derivative of the objective for a log precision that can still move."""
    largest = float(np.abs(evidence.weight_gradient(problem, posterior)).max(initial=0.0))
    if noise_is_held(problem, posterior):
        return largest
    return max(largest, abs(evidence.noise_gradient(problem, posterior)))


def noise_is_held(problem: Problem, posterior: Posterior) -> bool:
    """Whether the noise precision is fixed, or at its ceiling and pressing against it."""
    if problem.likelihood.fixed_noise_precision is not None:
        return True
    return noise_vanished(problem, posterior) and evidence.noise_gradient(problem, posterior) >= 0.0


def noise_vanished(problem: Problem, posterior: Posterior) -> bool:
    """Whether an estimated noise precision is at its ceiling, for any output."""
    if problem.likelihood.profiled_noise:
        vanished = posterior.output_precision >= problem.noise_precision_ceiling
        return bool(np.any(vanished & problem.rows.target.any(axis=0)))
    return (
        problem.likelihood.fixed_noise_precision is None
        and posterior.noise_precision >= problem.noise_precision_ceiling
    )


def interpolates(problem: Problem, posterior: Posterior) -> bool:
    """Whether an estimated noise has hardly a degree of freedom left to be estimated from."""
    free = problem.total_weight - posterior.well_determined.sum()
    likelihood = problem.likelihood
    estimated = likelihood.fixed_noise_precision is None or likelihood.profiled_noise
    return estimated and free < INTERPOLATES_BELOW * problem.total_weight


def collinear(posterior: Posterior) -> bool:
    """Whether the active columns span few directions, and weights outnumber what is determined.

    The number of directions is m^2 / sum_ij cos^2(angle of columns i and j).
    """
    size = len(posterior.active)
    norm = np.sqrt(np.diag(posterior.gram))
    directions = size**2 / np.sum((posterior.gram / np.outer(norm, norm)) ** 2)
    most = COLLINEAR_BELOW * size
    return bool(directions < most and posterior.well_determined.sum() < most)


def _judge(problem: Problem, state: State, stopped: bool) -> Outcome:
    posterior = state.posterior
    if not state.settled:
        return Outcome.STOPPED if stopped else Outcome.ITERATION_LIMIT
    if not len(posterior.active):
        return Outcome.NOTHING_RELEVANT
    if noise_vanished(problem, posterior) or interpolates(problem, posterior):
        return Outcome.NOISE_VANISHED
    flat = problem.weight_hyperprior.is_flat  # if not, all columns stay by the model's own wish
    if posterior.factor.jitter > 0.0 or (flat and collinear(posterior)):
        return Outcome.ILL_CONDITIONED
    if state.stalled:
        return Outcome.STALLED
    return Outcome.CONVERGED
