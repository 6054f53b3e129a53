"""What the rounds of an active-set inference know from earlier ones: inner products above all."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sparsebayes import statistics
from sparsebayes.inference.addition import Block, with_block
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Problem


class Memory(NamedTuple):
    """What is known from earlier rounds.

    Attributes
    ----------
    energy : Phi_i'Phi_i of every candidate (M,)
    known : columns whose inner products with all candidates are known (k,)
    inner : those inner products (M, k)
    best : the highest objective so far
    idle : how many rounds ago it was reached
    closing : how many rounds in a row have added nothing
    priced : how many times columns were deleted that were not worth their price
    rival : where the search ended before it was begun anew
    """

    energy: np.ndarray
    known: np.ndarray
    inner: np.ndarray
    best: float = -np.inf
    idle: int = 0
    closing: int = 0
    priced: int = 0
    rival: Posterior | None = None

    def after(self, value: float, tol: float) -> Memory:
        """The memory after a round that ended at this objective."""
        if value > self.best + tol:
            return self._replace(best=value, idle=0)
        return self._replace(idle=self.idle + 1)


def remember(problem: Problem, posterior: Posterior) -> Memory:
    """The memory for the first survey."""
    every = statistics.candidates(problem, posterior.active, posterior.mean)
    return Memory(every.energy, posterior.active, every.cross_gram)


def survey(
    problem: Problem, posterior: Posterior, memory: Memory
) -> statistics.CandidateStatistics:
    """Statistics of all candidates, from memory where they cannot have changed."""
    if not problem.likelihood.constant_curvature:
        return statistics.candidates(problem, posterior.active, posterior.mean)
    score = statistics.scores(problem, posterior.active, posterior.mean)
    inner = memory.inner[:, positions(memory.known, posterior.active)]
    return statistics.CandidateStatistics(score, memory.energy, inner)


def learn(problem: Problem, memory: Memory, columns: np.ndarray) -> Memory:
    """The memory with the inner products of more columns, where these do not change."""
    new = np.setdiff1d(columns, memory.known)
    if not problem.likelihood.constant_curvature or not len(new):
        return memory
    inner = statistics.inner_products(problem, new)
    return memory._replace(
        known=np.append(memory.known, new), inner=np.hstack([memory.inner, inner])
    )


def extend(problem: Problem, posterior: Posterior, block: Block, memory: Memory) -> Posterior:
    """The posterior with the columns of a block added, inner products from memory."""
    gram = None
    if problem.likelihood.constant_curvature:
        active = np.sort(np.append(posterior.active, block.columns))
        gram = memory.inner[np.ix_(active, positions(memory.known, active))]
    return with_block(problem, posterior, block, gram)


def positions(known: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Where `columns` stand in `known`, which is in no order."""
    order = np.argsort(known)
    return order[np.searchsorted(known, columns, sorter=order)]
