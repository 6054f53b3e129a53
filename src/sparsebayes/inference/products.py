"""Inner products of candidates that earlier rounds of an active-set inference have formed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sparsebayes import statistics
from sparsebayes.inference.addition import Block, with_block
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Problem
from sparsebayes.statistics import CandidateStatistics


class KnownProducts(NamedTuple):
    """What need not be formed again, as long as the curvature is constant.

    Attributes
    ----------
    energy : phi_i'phi_i of every candidate (M,)
    known : candidates whose inner products with all are known (k,)
    inner : those inner products (M, k)
    """

    energy: np.ndarray
    known: np.ndarray
    inner: np.ndarray

    def with_more(self, problem: Problem, candidates: np.ndarray) -> KnownProducts:
        """The same with the inner products of more candidates, where these do not change."""
        new = np.setdiff1d(candidates, self.known)
        if not problem.likelihood.constant_curvature or not len(new):
            return self
        inner = statistics.inner_products(problem, new)
        return KnownProducts(
            self.energy, np.append(self.known, new), np.hstack([self.inner, inner])
        )

    def positions(self, candidates: np.ndarray) -> np.ndarray:
        """Where candidates stand in `known`, which is in no order."""
        order = np.argsort(self.known)
        return order[np.searchsorted(self.known, candidates, sorter=order)]


def first_products(posterior: Posterior) -> KnownProducts:
    """The inner products with the candidates that are active at the start."""
    every = statistics.candidates(posterior.problem, posterior.active, posterior.mean)
    return KnownProducts(every.energy, posterior.active, every.cross_gram)


def survey(posterior: Posterior, products: KnownProducts) -> CandidateStatistics:
    """Statistics of all candidates, from known products where they cannot have changed."""
    problem, active, mean = posterior.problem, posterior.active, posterior.mean
    if not problem.likelihood.constant_curvature:
        return statistics.candidates(problem, active, mean)
    score = statistics.scores(problem, active, mean)
    return CandidateStatistics(
        score, products.energy, products.inner[:, products.positions(active)]
    )


def extend(posterior: Posterior, block: Block, products: KnownProducts) -> Posterior:
    """The posterior with the candidates of a block added."""
    gram = None
    if posterior.problem.likelihood.constant_curvature:
        active = np.sort(np.append(posterior.active, block.candidates))
        gram = products.inner[np.ix_(active, products.positions(active))]
    return with_block(posterior, block, gram)
