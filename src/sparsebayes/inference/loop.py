"""The one loop that runs every inference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparsebayes import evidence
from sparsebayes.inference.outcome import Outcome
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Problem


class Step(NamedTuple):
    """One entry of the history."""

    log_evidence: float
    n_active: int
    noise_std: float
    gradient: float


@dataclass(frozen=True)
class Fit:
    """What an inference found."""

    posterior: Posterior
    log_evidence: float
    history: list[Step]
    outcome: Outcome


def run(inference: Any, problem: Problem, max_iter: int, on_step=lambda step: False) -> Fit:
    """Step from `inference.init` until settled, `max_iter` is reached, or `on_step` says stop.

    Parameters
    ----------
    on_step : called with each `Step` of the history; a true answer ends the fit.
    """
    posterior = inference.init(problem)
    history = [describe(problem, posterior)]
    settled = stopped = False
    while not settled and not stopped and len(history) <= max_iter:
        posterior, settled = inference.step(problem, posterior)
        history.append(describe(problem, posterior))
        stopped = bool(on_step(history[-1]))
    outcome = _judge(problem, posterior, settled, stopped)
    return Fit(posterior, history[-1].log_evidence, history, outcome)


def describe(problem: Problem, posterior: Posterior) -> Step:
    """The history's entry for a posterior."""
    return Step(
        evidence.log_evidence(problem, posterior),
        len(posterior.active),
        posterior.noise_precision**-0.5,
        largest_gradient(problem, posterior),
    )


def largest_gradient(problem: Problem, posterior: Posterior) -> float:
    """Largest derivative of the objective for a log precision that can still move."""
    weights = np.abs(evidence.weight_gradient(problem, posterior))
    noise = evidence.noise_gradient(problem, posterior)
    if noise > 0.0 and noise_vanished(problem, posterior):
        noise = 0.0
    return float(max(weights.max(initial=0.0), abs(noise)))


def noise_vanished(problem: Problem, posterior: Posterior) -> bool:
    """Whether an estimated noise precision is at its ceiling."""
    return (
        problem.likelihood.fixed_noise_precision is None
        and posterior.noise_precision >= problem.noise_precision_ceiling
    )


def _judge(problem: Problem, posterior: Posterior, settled: bool, stopped: bool) -> Outcome:
    if not settled:
        return Outcome.STOPPED if stopped else Outcome.ITERATION_LIMIT
    if not len(posterior.active):
        return Outcome.NOTHING_RELEVANT
    if noise_vanished(problem, posterior):
        return Outcome.NOISE_VANISHED
    if posterior.factor.jitter > 0.0:
        return Outcome.ILL_CONDITIONED
    return Outcome.CONVERGED
