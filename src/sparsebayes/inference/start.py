"""Where an inference starts: many columns under a weak prior, or none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes import statistics
from sparsebayes._linear_algebra import pivoted_factor
from sparsebayes.evidence import ROUNDING, candidate_relevance
from sparsebayes.posterior import Posterior, find_posterior
from sparsebayes.problem import Precisions, Problem


@dataclass(frozen=True)
class WeakStart:
    """A start with all columns.

    Attributes
    ----------
    prior : prior precision of a column, relative to what the data say of it: weak enough to let
        columns act together, strong enough to be factorised
    noise_std : of the first noise, relative to the target's spread
    """

    prior: float = 1e-4
    noise_std: float = 0.1


WEAK = WeakStart()


def distinct_directions(gram: np.ndarray, proportional: float = 1e-14) -> np.ndarray:
    """Positions of the columns that are not proportional to an earlier one.

    Of proportional columns only the sum of their prior variances is determined, so all would stay.

    Parameters
    ----------
    proportional : columns are if the cosine of their angle is this close to one
    """
    norm = np.sqrt(np.diag(gram))
    similarity = np.abs(gram) / np.outer(norm, norm)
    earlier = np.tril(similarity >= 1.0 - proportional, -1)
    return np.flatnonzero(~earlier.any(axis=1))


def spanning_columns(gram: np.ndarray, ties: float = 1e-6) -> np.ndarray:
    """Positions of columns that span all others up to rounding, by Cholesky with pivots (k,).

    The next one is always that of which those before explain least, relative to its own length,
    until what is left of every column is below the rounding of inner products. A model of these
    can then say what a model of all can. Of a wide kernel they are few.

    Parameters
    ----------
    ties : columns that are equally good are taken in their order: each counts as longer than the
        one before, the last of them by this part
    """
    length = np.sqrt(np.diag(gram)) * (1.0 + ties * np.linspace(0.0, 1.0, len(gram)))
    some = np.flatnonzero(length > 0.0)
    if not len(some):
        return some
    scaled = gram[np.ix_(some, some)] / length[some]
    scaled /= length[some][:, None]
    return some[np.sort(pivoted_factor(scaled, ROUNDING).rows)]


def weak_start(
    problem: Problem, candidates: np.ndarray | None = None, weak: WeakStart = WEAK
) -> Posterior:
    """The posterior of all candidates (or of those given) under a weak prior in their own units.

    The candidate that alone explains the target best has a prior as weak as its weight asks for:
    an offset of a million goes to the bias at once, and not to kernels that cancel.
    """
    first_noise = problem.noise.settle((weak.noise_std * problem.target_scale) ** -2)
    nothing = empty(problem, first_noise)
    every = statistics.candidates(problem, nothing.active, nothing.mean)
    alone = candidate_relevance(nothing, every)
    active = np.flatnonzero(alone.sparsity > 0.0)
    weight_precision = weak.prior * alone.sparsity
    best = int(np.argmax(alone.gain))
    weight_precision[best] = min(weight_precision[best], alone.best_precision[best])
    if candidates is not None:
        active = np.intersect1d(active, np.append(candidates, best))
    gram = statistics.gram(problem, active, problem.no_weights(len(active)))
    if problem.weight_hyperprior.is_flat:
        distinct = distinct_directions(gram)
        active, gram = active[distinct], gram[np.ix_(distinct, distinct)]
    precisions = Precisions(weight_precision[active], first_noise)
    return find_posterior(problem, active, precisions, gram=gram)


def empty(problem: Problem, noise_precision: float) -> Posterior:
    """The posterior of a model without columns."""
    none = np.empty(0)
    return find_posterior(problem, none.astype(np.intp), Precisions(none, noise_precision))


def null_noise_precision(problem: Problem) -> float:
    """The best noise precision without columns: that of the target's mean square."""
    if not problem.noise.estimated:
        return problem.noise.settle(1.0)
    data, ceiling = problem.data, problem.noise_precision_ceiling
    mean_square = float(data.weight @ data.target**2) / problem.total_weight
    return ceiling if mean_square * ceiling <= 1.0 else 1.0 / mean_square


def nothing_of(problem: Problem) -> Posterior:
    """The posterior of a model without columns."""
    return empty(problem, null_noise_precision(problem))
