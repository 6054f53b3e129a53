"""Where an inference stands, how it ended, and what it found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.posterior import Posterior
from sparsebayes.problem import Precisions, Problem

# Part of the latent values, and part of the noise, that rounding may be; and part of the largest
# value where they are far from zero, as the digits that its size leaves are the last ones.
MOST_ROUNDING, MOST_OF_NOISE, MOST_OF_SIZE = 1e-7, 1e-5, 1e-12


class Outcome(Enum):
    """The way a fit ended: `outcome_` of a fitted estimator is one of these.

    The ``value`` of an outcome is a text: what was found, and what helps in general. Any outcome
    but CONVERGED makes the fit warn. The warning has the finding, and what helps with your data and
    settings.

    Attributes
    ----------
    CONVERGED : Outcome
        The fit is at a maximum of the evidence.
    ITERATION_LIMIT : Outcome
        It took `max_iter` iterations and had not converged.
    WORK_LIMIT : Outcome
        It ended at its budget of work and had not converged.
    STALLED : Outcome
        The evidence stopped rising because of rounding: `tol` is too small.
    STOPPED : Outcome
        A callback ended it.
    NOTHING_RELEVANT : Outcome
        No column is relevant: the target is explained by noise alone.
    NOISE_VANISHED : Outcome
        The model passes through the training targets.
    OUT_OF_RANGE : Outcome
        Numbers were too large or too small for doubles.
    ILL_CONDITIONED : Outcome
        The columns are collinear up to rounding, so their weights are not determined one by one.

    Notes
    -----
    What each means for you: https://sparsebayes.example/guide/choosing.html

    Examples
    --------
    >>> from sparsebayes import RVR, Outcome
    >>> from sparsebayes.datasets import noisy_sinc
    >>> model = RVR().fit(*noisy_sinc(60, random_state=0))
    >>> model.outcome_ is Outcome.CONVERGED
    True
    >>> print(Outcome.STALLED.value.partition(":")[0])
    The evidence stopped rising before its gradient fell below tol
    """

    CONVERGED = (
        "The gradient of the evidence is below tol, and no column that was left out is known to "
        "raise it by more than tol (or min_gain)."
    )
    ITERATION_LIMIT = (
        "The fit did not converge within max_iter iterations. Increase max_iter, or increase tol "
        "if the last entries of history_ hardly differ."
    )
    WORK_LIMIT = (
        "The fit ended at its budget of work, two seconds or so for a small problem, before it had "
        "converged: the last steps raise the evidence by little each, as the end of history_ shows."
        " What helps: a larger tol, fewer columns, or an inference that takes fewer steps than em, "
        "mackay and variational."
    )
    STALLED = (
        "The evidence stopped rising before its gradient fell below tol: tol is smaller than "
        "rounding allows. Increase tol."
    )
    STOPPED = "A callback ended the fit before it had converged."
    NOTHING_RELEVANT = (
        "No column is relevant: the target is explained by noise alone, and the prediction is the "
        "mean of y where it was taken out, zero otherwise, or even odds. What helps: weights that "
        "sum to about the number of rows, a kernel of another width, a noise_std that is not too "
        "large, a lower price of columns (min_gain), inputs that bear on the target."
    )
    NOISE_VANISHED = (
        "The model passes through the training targets: it has about as many weights as rows, or "
        "the noise estimate fell to its floor, 1e-5 of the target's spread (1e-4 for the dense "
        'model of inference="projection"). If the targets are noisy, error bars will be too small.'
        " What helps: weights that sum to about the number of rows, a price of columns (min_gain) "
        "where these are many, a wider kernel, more rows; and if targets are exact, a noise_std of "
        "the accuracy that you need."
    )
    OUT_OF_RANGE = (
        "This fit is beyond the digits of doubles. Either a matrix could not be factorised, and it "
        "ended at the last model before, which may be one without columns; or its prediction is a "
        "sum of terms so large that what is left of them is rounding. What helps: other units of X "
        "or y, weights that sum to about the number of rows, a narrower kernel or fewer centres, "
        "flat hyperpriors."
    )
    ILL_CONDITIONED = (
        "The active columns are collinear to rounding, so their weights and precisions are not "
        "determined one by one; predictions still are. What helps: a narrower kernel, fewer "
        "centres or columns, or a noise_std that is not far below the accuracy of the data."
    )

    @property
    def converged(self) -> bool:
        """Whether the fit has converged, so that there is nothing to warn of."""
        return self is Outcome.CONVERGED

    @property
    def cut(self) -> bool:
        """Whether a limit or a callback ended the fit."""
        return self in (Outcome.ITERATION_LIMIT, Outcome.WORK_LIMIT, Outcome.STOPPED)

    @property
    def finding(self) -> str:
        """The value without what helps in general."""
        return str(self.value).partition(" What helps:")[0]


@dataclass(frozen=True)
class State:
    """Where an inference stands.

    Attributes
    ----------
    posterior : carries the precisions it was made with
    settled : whether there is nothing left to do
    stalled : whether it settled because of rounding, not at a stationary point
    largest_gain : what the best candidate outside the model would add to the log evidence at the
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


class Report:
    """Hears of the progress of a fit. This one keeps it to itself."""

    def iteration(self, step: Step) -> bool:
        """An iteration was done. A true answer ends the fit."""
        return False

    def learning(self, value: float) -> bool:
        """The dense model was evaluated while scales are learned. A true answer ends that."""
        return False

    def passing(self, name: str) -> Callable[[int, int], None]:
        """A pass over many rows begins; what is returned hears how many are done, of how many."""
        return lambda done, of: None

    def note(self, text: str) -> None:
        """Something else was done."""


@dataclass(frozen=True)
class Fit:
    """What was found for one problem.

    Attributes
    ----------
    problem : what was to be inferred
    active : the candidates that are in the model (m,)
    precisions : of their weights and of the noise
    output_precision : noise precision of each output relative to that (n_outputs,), or 1
    mean : posterior mean of the weights (m, n_outputs)
    root : a square root of their posterior covariance, the same for all outputs (m, m)
    relevant : which of the candidates pay (m,)
    log_evidence : of the targets
    n_precisions : how many precisions it was maximised over, one by one
    history : a `Step` for the start and for each iteration
    outcome : how it ended
    missed : variance of what the columns miss of a process, which counts as noise where `covering`
        does not say where it is
    covering : the process that the columns stand for, if there is one: a `Spread`
    usual_variance : of the latent values of a softmax; where a row has more, it is less certain
    price : what its columns had to add to the log evidence, all together
    in_dense_form : whether its columns are of a process that has all candidates at once
    """

    problem: Problem
    active: np.ndarray
    precisions: Precisions
    output_precision: Any
    mean: np.ndarray
    root: np.ndarray
    relevant: np.ndarray
    log_evidence: float
    n_precisions: int
    history: list[Step]
    outcome: Outcome
    missed: float = 0.0
    covering: Any = None
    usual_variance: float = np.inf
    price: float = 0.0
    in_dense_form: bool = False

    @property
    def noise_std(self) -> np.ndarray:
        """Standard deviation of the noise of each output (n_outputs,)."""
        scale = self.problem.likelihood.noise_scale
        return np.atleast_1d(scale * (self.precisions.noise * self.output_precision) ** -0.5)

    @property
    def latents(self) -> np.ndarray:
        """The mean of the latent values at the rows, of columns with all outputs (n, n_outputs)."""
        return self.problem.rows.map(lambda design: design @ self.mean, self.active)

    @property
    def rounding(self) -> float:
        """How much of the latent value of a row is rounding, at most."""
        sizes, columns = np.abs(self.mean), self.problem.place(self.active).columns
        terms = self.problem.rows.map(lambda design: np.abs(design) @ sizes, columns)
        return float(np.finfo(float).eps * terms.max(initial=0.0))

    @property
    def cancels(self) -> bool:
        """Whether so much of the latent values is rounding that a coarser fit is better.

        It is compared with the largest of them and with the noise; for classes with 1, which is the
        scale of log odds.
        """
        return self._rounding_is_above(lambda latents: MOST_ROUNDING * np.abs(latents).max())

    @property
    def is_rounding(self) -> bool:
        """Whether rounding shows in what the latent values vary by, so that the user is told.

        An offset of all of them hides nothing of it, but for the digits that its size takes. A
        coarser fit would miss more than rounding does, so this is no reason for one.
        """
        return self._rounding_is_above(
            lambda latents: max(
                MOST_ROUNDING * np.ptp(latents, axis=0).max(),
                MOST_OF_SIZE * np.abs(latents).max(),
            )
        )

    def _rounding_is_above(self, most: Callable[[np.ndarray], float]) -> bool:
        """Whether it is above `most` of the latent values, and above a part of the noise."""
        if not len(self.active):
            return False
        if not self.problem.likelihood.has_units:
            return self.rounding > MOST_ROUNDING
        placed = self.problem.place(self.active)
        latents = self.problem.rows.map(lambda d: placed.latent(d, self.mean), placed.columns)
        of_noise = MOST_OF_NOISE * float(self.noise_std.max())
        return self.rounding > max(float(most(latents)), of_noise)

    @property
    def n_iter(self) -> int:
        """How many iterations it took."""
        return len(self.history) - 1

    @property
    def lower_bound(self) -> float:
        """A bound of the log evidence, precisions integrated out; NaN for most inferences."""
        return self.history[-1].lower_bound
