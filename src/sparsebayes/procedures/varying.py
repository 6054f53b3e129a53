"""Noise that varies: a model of the mean and one of the log variance, in turn.

    t = f(x) + e,    e ~ N(0, exp(g(x)))

Given g, the noise of each row is known, and f is an ordinary fit in which rows count by it. Given
the posterior of f, the squared error of a row is expected to be (t - m)^2 + v, and g is the log
mean of such squares. Each of both is a model as any other: scales are learned, and few columns
stand for it. (Kersting, Plagemann, Pfaff and Burgard 2007 alternate between Gaussian processes.)

The log evidence of both is that of f at the mode of g, and what Laplace's method makes of the
integral over g,

    log p(t | g) + [log evidence of g - log density of the squares at g].
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.inference.state import Fit, Outcome, Report
from sparsebayes.likelihoods import Gaussian, Variances
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure
from sparsebayes.procedures.tuned import row_moments
from sparsebayes.rows import known_noise


@dataclass(frozen=True)
class Alternation:
    """How both models are found.

    Attributes
    ----------
    close : rise of the log evidence at which it ends
    max_rounds : the most times that both are fitted
    range : least and largest variance of the noise of a row, relative to that of a model with one
        noise. Squared errors are no less than the least: a row that fits by chance is not exact,
        and where a few rows could be, the evidence would have no end
    """

    close: float = 0.1
    max_rounds: int = 8
    range: tuple[float, float] = (1e-4, 1e4)


ALTERNATION = Alternation()


class Both(NamedTuple):
    """Fits of the mean and of the log variance of the noise; the latter is None for one noise."""

    mean: Fit
    spread: Fit | None = None

    @property
    def cut(self) -> bool:
        """Whether a limit ended one of the fits."""
        return any(each is not None and each.outcome.cut for each in self)

    @property
    def log_evidence(self) -> float:
        """The log evidence of both fits; minus infinity where one has lost its digits."""
        fits = [each for each in self if each is not None]
        if any(each.outcome is Outcome.OUT_OF_RANGE for each in fits):
            return -np.inf
        return self.mean.log_evidence + (0.0 if self.spread is None else volume(self.spread))


@dataclass(frozen=True)
class Varying(Procedure):
    """Fit the mean and the log variance of the noise by `inner`, in turn, until nothing is gained.

    The fit of a model with one noise alone, unless both are more likely by as much as their
    parameters may be worth by chance; else both fits, the first with the log evidence of both.
    Where one noise has vanished, there is none to vary.
    """

    inner: Procedure
    how: Alternation = ALTERNATION

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """The fit of the mean, and that of the log variance where noise varies."""
        (constant,) = self.inner.fit(problem.changed(likelihood=Gaussian()), report)
        if constant.outcome in (Outcome.NOISE_VANISHED, Outcome.OUT_OF_RANGE):
            return [constant]
        noise = float(constant.noise_std[0]) ** 2
        best = Both(constant)
        for _ in range(self.how.max_rounds):
            found = self._next(problem, best.mean, noise, report)
            if not found.log_evidence > best.log_evidence + self.how.close:
                break
            best = found
            if found.cut:
                break
        worth = constant.log_evidence + n_settings(problem)
        if best.spread is None or not best.log_evidence > worth:
            return [constant]
        return [replace(best.mean, log_evidence=best.log_evidence), best.spread]

    def _next(self, problem: Problem, mean: Fit, noise: float, report: Report) -> Both:
        """The log variance that goes with a mean, and the mean that goes with it.

        Parameters
        ----------
        noise : variance of a model with one noise
        """
        least, most = (noise * each for each in self.how.range)
        squares = np.maximum(expected_squares(mean, problem.data.target), least)
        squared = problem.data._replace(target=squares)
        likelihood = Variances(limits=(float(np.log(least)), float(np.log(most))))
        (spread,) = self.inner.fit(problem.changed(data=squared, likelihood=likelihood), report)
        log_variance = np.clip(effective(spread), *likelihood.limits)
        report.note(f"noise of rows: {_range(log_variance)}")
        return Both(self._with_noise(problem, log_variance, report), spread)

    def _with_noise(self, problem: Problem, log_variance: np.ndarray, report: Report) -> Fit:
        """The fit of the mean where the noise of each row is known."""
        noise = known_noise(np.exp(0.5 * log_variance), problem.data.weight)
        data = problem.data._replace(weight=noise.weight)
        (fit,) = self.inner.fit(problem.changed(data=data, likelihood=Gaussian(noise.std)), report)
        return replace(fit, log_evidence=fit.log_evidence + noise.log_factor)


def n_settings(problem: Problem) -> int:
    """How many parameters a model of the log variance has: a mean, its precisions and scales."""
    return 2 + len(problem.columns.log_scales)


def expected_squares(fit: Fit, target: np.ndarray) -> np.ndarray:
    """(t - m)^2 + v of each row (n,), m and v the moments of its mean."""
    mean, spread = row_moments(fit)
    return (target - mean) ** 2 + spread**2


def effective(fit: Fit) -> np.ndarray:
    """The logarithm of the noise variance that a row has in a fit of the mean (n,).

    Its precision is the expected one: E exp(-g) = exp(-m + s^2 / 2).
    """
    mean, spread = row_moments(fit)
    return mean + _log_mean(fit) - 0.5 * spread**2


def volume(fit: Fit) -> float:
    """The log evidence of a fit less the log density of its targets: of the prior and its width."""
    mean, _ = row_moments(fit)
    data = fit.problem.data
    return fit.log_evidence - float(
        data.weight @ fit.problem.likelihood.expand(data.target, mean).value
    )


def _log_mean(fit: Fit) -> float:
    likelihood: Any = fit.problem.likelihood
    return likelihood.log_mean


def _range(log_variance: np.ndarray) -> str:
    least, most = np.exp(0.5 * log_variance.min()), np.exp(0.5 * log_variance.max())
    return f"{least:.3g} to {most:.3g}"
