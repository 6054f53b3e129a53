"""The one loop that runs every inference."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sparsebayes import evidence
from sparsebayes.inference.deletion import worth_keeping
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.state import Fit, Outcome, Report, State, Step
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Problem


@dataclass(frozen=True)
class Limits:
    """When a fit ends.

    Attributes
    ----------
    max_iter : the most iterations
    tol : the largest derivative, and the largest gain of a candidate, at which it may stop
    work : multiplications that any fit may take, one to three seconds
    passes : times that it may besides multiply columns with each other, as many as there are rows,
        which is next to nothing for a small problem
    """

    max_iter: int = 5000
    tol: float = 1e-3
    work: float = 3e10
    passes: float = 1000.0

    def shared_by(self, n_fits: int) -> Limits:
        """The limits of each of several fits, so that all of them together keep within these."""
        return replace(self, work=self.work / n_fits, passes=self.passes / n_fits)

    def most_work(self, problem: Problem) -> float:
        """The multiplications that a fit of this problem may take."""
        n_rows = len(problem.data.target)
        return self.work + self.passes * n_rows * min(n_rows, problem.n_columns) ** 2


@dataclass(frozen=True)
class Verdict:
    """Limits beyond which the end of a fit is worth a word.

    Attributes
    ----------
    interpolates_below : a fit that leaves less than this part of the rows to the noise passes
        through the targets
    collinear_below : columns are collinear if they span fewer directions than this part of their
        number
    """

    interpolates_below: float = 0.05
    collinear_below: float = 0.05


VERDICT = Verdict()


def run(
    inference: Inference,
    problem: Problem,
    limits: Limits,
    report: Report,
    candidates: np.ndarray | None = None,
) -> Fit:
    """Step from `inference.init` until settled, until a limit, or until `report` says stop.

    Parameters
    ----------
    candidates : good ones to start with, where some are known
    """
    problem.work.limit = problem.work.done + limits.most_work(problem)
    return run_from(inference.init(problem, candidates), inference, problem, limits, report)


def run_from(
    state: State, inference: Inference, problem: Problem, limits: Limits, report: Report
) -> Fit:
    """Run an inference from any state."""
    history, best = [describe(state)], state
    cut: Outcome | None = None
    while not state.settled and cut is None:
        try:
            state = inference.step(problem, state, limits.tol)
        except FloatingPointError:
            cut = Outcome.OUT_OF_RANGE
            break
        history.append(describe(state))
        best = max(best, state, key=_height)
        stopped = report.iteration(history[-1])
        if state.settled:
            break
        if stopped:
            cut = Outcome.STOPPED
        elif len(history) > limits.max_iter:
            cut = Outcome.ITERATION_LIMIT
        elif problem.work.exhausted:
            cut = Outcome.WORK_LIMIT
    return end_of(problem, state if cut is None else best, history, cut)


def _height(state: State) -> float:
    """What is maximised: re-estimates can lower it, and a fit that is cut ends at the highest."""
    bound = state.lower_bound
    value = evidence.objective(state.posterior) if np.isnan(bound) else bound
    return -np.inf if np.isnan(value) else value


def end_of(
    problem: Problem,
    state: State,
    history: list[Step] | None = None,
    cut: Outcome | None = None,
) -> Fit:
    """The fit that ends at a state.

    Parameters
    ----------
    history : of the states before and this one; of this one only, by default
    cut : what ended a fit that had not settled
    """
    posterior = state.posterior
    history = [describe(state)] if history is None else history
    relevant = worth_keeping(posterior)
    return Fit(
        problem,
        posterior.active,
        posterior.precisions,
        posterior.output_precision,
        posterior.mean,
        posterior.factor.whitener.T,
        relevant,
        evidence.log_evidence(posterior),
        n_precisions(problem, posterior.active[relevant]),
        history,
        judge(state, cut),
    )


def n_precisions(problem: Problem, active: np.ndarray) -> int:
    """How many precisions these candidates have: one each, or one for each group."""
    return len(active) if problem.labels is None else len(np.unique(problem.labels[active]))


def describe(state: State) -> Step:
    """The history's entry for a state."""
    posterior = state.posterior
    relative = float(np.exp(-0.5 * np.mean(np.log(posterior.output_precision))))
    relative *= posterior.problem.likelihood.noise_scale
    return Step(
        evidence.log_evidence(posterior),
        len(posterior.active),
        posterior.noise_precision**-0.5 * relative,
        largest_gradient(posterior),
        state.largest_gain,
        state.lower_bound,
    )


def largest_gradient(posterior: Posterior) -> float:
    """Largest derivative of the objective for a log precision that can still move."""
    gradient = evidence.weight_gradient(posterior)
    gradient = posterior.problem.over_groups(posterior.active, gradient)
    largest = float(np.abs(gradient).max(initial=0.0))
    if noise_is_held(posterior):
        return largest
    return max(largest, abs(evidence.noise_gradient(posterior)))


def noise_is_held(posterior: Posterior) -> bool:
    """Whether the noise precision is given, or at its ceiling and pressing against it."""
    if not posterior.problem.noise.estimated:
        return True
    return noise_vanished(posterior) and evidence.noise_gradient(posterior) >= 0.0


def noise_vanished(posterior: Posterior) -> bool:
    """Whether the noise was inferred and is at its floor, for any output."""
    problem = posterior.problem
    ceiling, target = problem.noise_precision_ceiling, problem.data.target
    relative = posterior.output_precision
    return problem.noise.vanished(posterior.noise_precision, relative, ceiling, target)


def interpolates(posterior: Posterior, verdict: Verdict = VERDICT) -> bool:
    """Whether an inferred noise has hardly a degree of freedom left to be found from."""
    n_rows = posterior.problem.total_weight
    free = n_rows - posterior.well_determined.sum()
    return posterior.problem.noise.inferred and free < verdict.interpolates_below * n_rows


def collinear(posterior: Posterior, verdict: Verdict = VERDICT) -> bool:
    """Whether the active columns span few directions, and weights outnumber what is determined.

    The number of directions is m^2 / sum_ij cos^2(angle of columns i and j).
    """
    some = posterior.gram.diagonal() > 0.0  # in a group there may be a column of zeros
    gram, size = posterior.gram[np.ix_(some, some)], int(some.sum())
    norm = np.sqrt(gram.diagonal())
    directions = size**2 / np.sum((gram / np.outer(norm, norm)) ** 2) if size else 0.0
    most = verdict.collinear_below * size
    return bool(directions < most and posterior.well_determined.sum() < most)


def judge(state: State, cut: Outcome | None = None) -> Outcome:
    """How a fit ended; `cut` is what ended one that had not settled."""
    posterior = state.posterior
    if not state.settled and cut is not None:
        return cut
    if not len(posterior.active):
        return Outcome.NOTHING_RELEVANT
    if noise_vanished(posterior) or interpolates(posterior):
        return Outcome.NOISE_VANISHED
    # With a proper hyperprior all columns stay, collinear or not, because the model says so.
    flat = posterior.problem.weight_hyperprior.is_flat
    if posterior.factor.jitter > 0.0 or (flat and collinear(posterior)):
        return Outcome.ILL_CONDITIONED
    return Outcome.STALLED if state.stalled else Outcome.CONVERGED
