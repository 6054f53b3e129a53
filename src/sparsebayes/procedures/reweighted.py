"""A sparse fit to targets with outliers: rows count by how far off they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebayes.dense import fit_dense
from sparsebayes.inference.loop import end_of
from sparsebayes.inference.state import Fit, Report, State
from sparsebayes.posterior import find_posterior
from sparsebayes.problem import Precisions, Problem
from sparsebayes.procedures.procedure import (
    NOTHING,
    Known,
    Procedure,
    at_dense_parameters,
    has_kernels,
)
from sparsebayes.procedures.tuned import best_parameters, row_moments


@dataclass(frozen=True)
class Reweighting:
    """How long rows are weighted anew.

    Attributes
    ----------
    close : the largest change of a weight at which it ends
    max_rounds : the most fits
    """

    close: float = 0.02
    max_rounds: int = 8


REWEIGHTING = Reweighting()


@dataclass(frozen=True)
class Reweighted(Procedure):
    """Fit by `inner`; where another likelihood leads, that one with rows weighted, again and again.

    A Student-t is a Gaussian whose variance differs from row to row. Given a fit, the expected
    precision of row n is u_n = (nu + 1) / (nu + E e_n^2 / scale^2), and given these, the fit is one
    of Gaussian noise in which row n counts u_n times. (EM: Tipping and Lawrence 2005.) A search for
    columns needs noise that it can estimate on the way: at a scale that was fixed before, every row
    is an outlier of the empty model, or none is. The posterior at the end is that of the likelihood
    itself, at the columns and precisions that were found.
    """

    inner: Procedure
    how: Reweighting = REWEIGHTING

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """The fit with rows weighted, and the posterior of the likelihood itself."""
        if problem.likelihood.leader is None:
            return self.inner.fit(problem, report, known)
        family, data = problem.likelihood, problem.data
        parameters, weight = self._first(problem, known)
        for _ in range(self.how.max_rounds):
            rows = data._replace(weight=data.weight * weight)
            lead = problem.changed(data=rows, likelihood=family.leader)
            (fit,) = self.inner.fit(lead, report, known)
            moments, before = row_moments(fit), weight
            parameters = best_parameters(family, parameters, data, moments)
            weight = expected_precision(family.at(parameters), data.target, *moments)
            if fit.outcome.cut or np.abs(weight - before).max() <= self.how.close:
                break
        return [with_own_posterior(problem.changed(likelihood=family.at(parameters)), fit)]

    def _first(self, problem: Problem, known: Known) -> tuple[np.ndarray, np.ndarray]:
        """Parameters and weights to begin with: those of a dense model, or of no outliers."""
        family, target = problem.likelihood, problem.data.target
        if not has_kernels(problem):
            return family.free(target, problem.data.weight).start, np.ones(len(target))
        settled, known = at_dense_parameters(problem, known)
        parameters = np.empty(0) if known.parameters is None else known.parameters
        latents = fit_dense(settled, *known.of(0)).latents[:, 0]
        nothing = np.zeros(len(target))
        return parameters, expected_precision(settled.likelihood, target, latents, nothing)


def expected_precision(
    likelihood: Any, target: np.ndarray, mean: np.ndarray, spread: np.ndarray
) -> np.ndarray:
    """u, relative to 1 / scale^2, for latent values with these moments (n,)."""
    df, _ = likelihood.values
    return (1.0 + 1.0 / df) * likelihood.row_weight((target - mean) ** 2 + spread**2)


def with_own_posterior(problem: Problem, fit: Fit) -> Fit:
    """A fit of the leader as one of this problem, at the same columns and precisions."""
    posterior = find_posterior(
        problem, fit.active, Precisions(fit.precisions.weight, 1.0), fit.mean
    )
    own = end_of(problem, State(posterior, settled=True))
    history = [*fit.history[:-1], *own.history]
    return replace(own, history=history, outcome=fit.outcome, price=fit.price)
