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
from typing import Any

import numpy as np

from sparsebayes.inference.state import Fit, Report
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
    close : root mean square change of log variances at which it ends
    max_rounds : the most times that both are fitted
    least : variance of the noise, relative to that of a model with one noise, below which no row
        goes: a row that fits by chance is not exact
    """

    close: float = 0.05
    max_rounds: int = 8
    least: float = 1e-6


ALTERNATION = Alternation()


@dataclass(frozen=True)
class Varying(Procedure):
    """Fit the mean and the log variance of the noise by `inner`, in turn, until noise stays.

    The fit of a model with one noise alone, if that is more likely; else both fits, the first with
    the log evidence of both.
    """

    inner: Procedure
    how: Alternation = ALTERNATION

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """See `Procedure`."""
        (constant,) = self.inner.fit(problem.changed(likelihood=Gaussian()), report)
        noise = float(constant.noise_std[0]) ** 2
        mean, before = constant, np.full(len(problem.data.target), np.log(noise))
        for _ in range(self.how.max_rounds):
            squares = expected_squares(mean, problem.data.target)
            squared = problem.data._replace(target=squares)
            (spread,) = self.inner.fit(
                problem.changed(data=squared, likelihood=Variances()), report
            )
            log_variance = np.maximum(effective(spread), np.log(self.how.least * noise))
            mean = self._with_noise(problem, log_variance, report)
            report.note(f"noise of rows: {_range(log_variance)}")
            apart = log_variance - before
            before = log_variance
            if problem.data.weight @ apart**2 <= self.how.close**2 * problem.total_weight:
                break
        both = replace(mean, log_evidence=mean.log_evidence + volume(spread))
        return [constant] if both.log_evidence <= constant.log_evidence else [both, spread]

    def _with_noise(self, problem: Problem, log_variance: np.ndarray, report: Report) -> Fit:
        """The fit of the mean where the noise of each row is known."""
        noise = known_noise(np.exp(0.5 * log_variance), problem.data.weight)
        data = problem.data._replace(weight=noise.weight)
        (fit,) = self.inner.fit(problem.changed(data=data, likelihood=Gaussian(noise.std)), report)
        return replace(fit, log_evidence=fit.log_evidence + noise.log_factor)


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
