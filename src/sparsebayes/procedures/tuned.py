"""A sparse fit, and parameters of the likelihood that go with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import roots_hermitenorm

from sparsebayes._linear_algebra import squared_lengths
from sparsebayes.climber import Ascent, climb
from sparsebayes.inference.state import Fit, Outcome, Report
from sparsebayes.likelihoods import Likelihood
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import (
    NOTHING,
    Known,
    Procedure,
    at_dense_parameters,
    has_kernels,
    with_parameters,
)
from sparsebayes.rows import Data


@dataclass(frozen=True)
class Tuning:
    """How parameters of a likelihood are found beside a sparse fit.

    Attributes
    ----------
    close : how far a parameter may be from where it would end
    max_rounds : the most fits
    most_alike : steps of EM that shrink to no less than this part of the ones before lead on
        without end, as far as one can tell
    n_nodes : that stand for the distribution of a latent value
    ascent : of the climb to the best parameters, the fit given
    """

    close: float = 0.005
    max_rounds: int = 20
    most_alike: float = 0.95
    n_nodes: int = 9
    ascent: Ascent = Ascent(least_rise=1e-4)


TUNING = Tuning()


@dataclass(frozen=True)
class Tuned(Procedure):
    """Fit by `inner` and find the parameters of the likelihood in turn, until they stay.

    Given a fit, the best parameters are those at which the log density of the targets is expected
    to be highest (the M step of EM),

        max_p sum_n E log p(t_n | f_n, p),   f_n ~ N(phi_n' mu, phi_n' Sigma phi_n).

    Such steps grow shorter and shorter, each by about the same part, and are drawn out to where
    they lead (Aitken). The first parameters are those of a dense model where there are kernels.
    Plain columns can be many, and a dense model of all of them would leave nothing to the noise;
    there the first ones are those of a model without columns.
    """

    inner: Procedure
    tuning: Tuning = TUNING

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """The fit by `inner` at the parameters that go with it."""
        family = problem.likelihood
        if not family.n_free:
            return self.inner.fit(problem, report, known)
        parameters, before, fit = self._first(problem, known), None, None
        limits = family.free(problem.data.target, problem.data.weight).limits
        for _ in range(self.tuning.max_rounds):
            (found,) = self.inner.fit(with_parameters(problem, parameters), report, known)
            fit = fit_or_last(found, fit)
            if fit is not found or fit.outcome.cut or not family.needs_tuning:
                break
            better = best_parameters(family, parameters, problem.data, row_moments(fit))
            step = better - parameters
            step = step * drawn_out(step, before, self.tuning)
            if np.abs(step).max() <= self.tuning.close:
                break
            before = better - parameters
            parameters = np.clip(parameters + step, *limits.T)
        assert fit is not None, "max_rounds must be one or more"
        return [fit]

    def _first(self, problem: Problem, known: Known) -> np.ndarray:
        """Parameters of the first fit."""
        if has_kernels(problem):
            found = at_dense_parameters(problem, known)[1].parameters
            assert found is not None, "the likelihood has no parameters"
            return found
        nothing = np.zeros((2, len(problem.data.weight)))
        start = problem.likelihood.free(problem.data.target, problem.data.weight).start
        return best_parameters(problem.likelihood, start, problem.data, nothing)


def fit_or_last(found: Fit, last: Fit | None) -> Fit:
    """A fit, or the one of the round before if this one broke off below it; with its outcome.

    Parameters can run to where no fit follows: cut points far from zero, say, beside kernels that
    have no constant.
    """
    broken = found.outcome.cut or found.outcome is Outcome.OUT_OF_RANGE
    if last is None or not broken or found.log_evidence >= last.log_evidence:
        return found
    return replace(last, outcome=found.outcome)


def drawn_out(step: np.ndarray, before: np.ndarray | None, tuning: Tuning) -> float:
    """How many times a step leads to where all that follow it would, by the one before it."""
    if before is None or not before.any():
        return 1.0
    alike = float(step @ before) / float(before @ before)
    return 1.0 / (1.0 - min(max(alike, 0.0), tuning.most_alike))


def best_parameters(
    family: Likelihood,
    start: np.ndarray,
    data: Data,
    moments: Any,
    tuning: Tuning = TUNING,
) -> np.ndarray:
    """Parameters at which the log density of the targets is expected to be highest (p,).

    Parameters
    ----------
    start : where the search for them starts (p,)
    moments : mean and standard deviation of the latent value at each row (2, n)
    """
    nodes, shares = roots_hermitenorm(tuning.n_nodes)
    mean, spread = moments
    latent = (mean[:, None] + spread[:, None] * nodes).ravel()
    target = np.repeat(data.target, len(nodes), axis=0)
    weight = np.outer(data.weight, shares / shares.sum()).ravel()

    def function(point: np.ndarray) -> tuple[float, np.ndarray]:
        value = weight @ family.at(point).expand(target, latent).value
        slopes = family.by_parameter(point, target, latent)
        return float(value), np.array([weight @ each.value for each in slopes])

    limits = family.free(data.target, data.weight).limits
    return climb(function, start, limits, tuning.ascent).point


def row_moments(fit: Fit) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the latent value at each row (n,)."""

    def of_block(design: np.ndarray) -> np.ndarray:
        return np.column_stack([design @ fit.mean[:, 0], squared_lengths(design @ fit.root)])

    found = fit.problem.rows.map(of_block, fit.active)
    return found[:, 0], np.sqrt(found[:, 1])
