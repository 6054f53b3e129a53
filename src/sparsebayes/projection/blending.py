"""Two answers of the same columns to what class a row has, blended.

Regression on labels is at its best where classes are apart: every row says something. Where they
overlap, the softmax whose log density is highest has the better probabilities. The latent values of
both are added, with shares at which the classes of rows are most probable that are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from sparsebayes._linear_algebra import factorise, squared_lengths
from sparsebayes.columns import AnyColumns
from sparsebayes.dense import LeftOut, row_order, sortable
from sparsebayes.posterior import ModeSearch, find_posterior
from sparsebayes.problem import Precisions, Problem


@dataclass(frozen=True)
class BlendRule:
    """How two answers are blended.

    Attributes
    ----------
    n_folds : in which rows are left out of the softmax
    variance : of its latent values, a priori
    usual : what the shares are usually
    width : standard deviation of their logarithms about that, a priori; few rows cannot tell
    search : for the mode of the softmax; a part of a nat is as good as nothing
    """

    n_folds: int = 5
    variance: float = 32.0
    usual: float = 0.5
    width: float = 0.5
    search: ModeSearch = ModeSearch(last_step=1e-4)


RULE = BlendRule()


class Blend(NamedTuple):
    """The blend of two answers.

    Attributes
    ----------
    mean : weights of the columns (m, K - 1)
    log_density : of the classes of rows left out
    """

    mean: np.ndarray
    log_density: float


def blended(
    problem: Problem,
    active: np.ndarray,
    mean: np.ndarray,
    left_out: LeftOut,
    rule: BlendRule = RULE,
) -> Blend:
    """Weights that follow the regression on labels, blended with those of a softmax.

    Parameters
    ----------
    problem : of classes that share their columns
    active : the columns
    mean : weights that follow the regression (m, K - 1)
    left_out : what the regression says of rows left out
    """
    data, likelihood = problem.data, problem.likelihood
    softmax = _Softmax(problem, active, rule)
    own = softmax.weights(np.arange(len(data.target)))
    answers = left_out.latents, softmax.left_out(own)

    def minus_log_density(log_shares: np.ndarray) -> float:
        latent = sum(np.exp(log) * answer for log, answer in zip(log_shares, answers, strict=True))
        beliefs = ((log_shares - np.log(rule.usual)) / rule.width) ** 2
        value = float(data.weight @ likelihood.expand(data.target, latent).value)
        return 0.5 * float(beliefs.sum()) - value

    start = np.full(2, np.log(rule.usual))
    found = minimize(minus_log_density, start, method="Nelder-Mead", options={"xatol": 0.01})
    shares = np.exp(found.x)
    return Blend(shares[0] * mean + shares[1] * (softmax.root.T @ own), -float(found.fun))


class _Softmax:
    """The softmax of some columns, whose weights have the prior of a process.

    Attributes
    ----------
    root : R with K_mm^-1 = R'R for the columns of a covariance (m, m)
    design : the columns times R', whose weights are independent (n, m)
    """

    def __init__(self, problem: Problem, active: np.ndarray, rule: BlendRule) -> None:
        self.data, self.likelihood, self.rule = problem.data, problem.likelihood, rule
        plain = problem.rows.map(np.ascontiguousarray, active)
        self.root = prior_root(problem.columns, active)
        self.design = plain @ self.root.T
        share = self.data.weight / self.data.weight.sum()
        variance = float(share @ squared_lengths(self.design))
        each = variance / rule.variance if variance > 0.0 else 1.0
        self.precisions = Precisions(np.full(len(active), each), 1.0)

    def weights(self, rows: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
        """At the mode of these rows (m, K - 1)."""
        problem = Problem.of_design(self.design[rows], self.data.take(rows), self.likelihood)
        every = np.arange(problem.n_columns)
        return find_posterior(problem, every, self.precisions, start, search=self.rule.search).mean

    def left_out(self, start: np.ndarray) -> np.ndarray:
        """Latent values of rows, a fold of them left out at a time (n, K - 1).

        Folds do not depend on the order of the rows.
        """
        order = row_order(sortable(self.data.inputs, self.data.target[None]))
        latents = np.empty((len(order), start.shape[1]))
        for k in range(self.rule.n_folds):
            inside = np.arange(len(order)) % self.rule.n_folds == k
            weights = self.weights(order[~inside], start)
            latents[order[inside]] = self.design[order[inside]] @ weights
        return latents


def prior_root(columns: AnyColumns, active: np.ndarray) -> np.ndarray:
    """R with K_mm^-1 = R'R for the columns of each covariance; for others, R = I (m, m)."""
    root, start = np.eye(len(active)), 0
    for kind in columns.kinds:
        here = np.flatnonzero((active >= start) & (active < start + kind.n_columns))
        if kind.positive_definite and len(here):
            own = kind.keep(active[here] - start).between_items()
            root[np.ix_(here, here)] = factorise(own).whitener
        start += kind.n_columns
    return root
