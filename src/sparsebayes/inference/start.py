"""Where an inference starts: all columns under a weak prior, none, or precisions it is given."""

from __future__ import annotations

import numpy as np

from sparsebayes import statistics
from sparsebayes.evidence import candidate_relevance
from sparsebayes.inference.loop import Start
from sparsebayes.posterior import Posterior, find
from sparsebayes.problem import Problem

# Prior precision of a column at the start, relative to what the data say of it.
WEAK_PRIOR = 1e-4
# Standard deviation of the noise at the start, relative to the target's spread.
FIRST_NOISE = 0.1
# Columns are proportional if the cosine of their angle is this close to one.
PROPORTIONAL = 1e-14


def resume(problem: Problem, start: Start) -> Posterior:
    """The posterior at given precisions; a fixed noise goes before that of the start."""
    fixed = problem.likelihood.fixed_noise_precision
    noise_precision = start.noise_precision if fixed is None else fixed
    weights = problem.no_weights(len(start.active))
    return find(problem, start.active, start.weight_precision, noise_precision, weights)


def weak_start(problem: Problem, columns: np.ndarray | None = None) -> Posterior:
    """The posterior of all columns (or of those given) under a weak prior in their own units.

    The column that alone explains the target best has a prior as weak as its weight asks for:
    an offset of a million goes to the bias at once, and not to kernels that cancel.
    """
    noise_precision = first_noise_precision(problem)
    nothing = empty(problem, noise_precision)
    alone = candidate_relevance(
        nothing, statistics.candidates(problem, nothing.active, nothing.mean)
    )
    active = np.flatnonzero(alone.sparsity > 0.0)
    weight_precision = WEAK_PRIOR * alone.sparsity
    best = int(np.argmax(alone.gain))
    weight_precision[best] = min(weight_precision[best], alone.best_precision[best])
    if columns is not None:
        active = np.intersect1d(active, np.append(columns, best))
    gram = statistics.gram(problem, active, problem.no_weights(len(active)))
    if problem.weight_hyperprior.is_flat:
        distinct = _distinct_directions(gram)
        active, gram = active[distinct], gram[np.ix_(distinct, distinct)]
    start = problem.no_weights(len(active))
    return find(problem, active, weight_precision[active], noise_precision, start, gram)


def _distinct_directions(gram: np.ndarray) -> np.ndarray:
    """Positions of the columns that are not proportional to an earlier one.

    Of proportional columns only the sum of their prior variances is determined, so all would stay.
    """
    norm = np.sqrt(np.diag(gram))
    similarity = np.abs(gram) / np.outer(norm, norm)
    earlier = np.tril(similarity >= 1.0 - PROPORTIONAL, -1)
    return np.flatnonzero(~earlier.any(axis=1))


def empty(problem: Problem, noise_precision: float) -> Posterior:
    """The posterior of a model without columns."""
    none = np.empty(0)
    return find(problem, none.astype(np.intp), none, noise_precision, problem.no_weights(0))


def first_noise_precision(problem: Problem) -> float:
    """The fixed one, or that of a noise well below the target's spread."""
    fixed = problem.likelihood.fixed_noise_precision
    return (FIRST_NOISE * problem.target_scale) ** -2 if fixed is None else fixed


def null_noise_precision(problem: Problem) -> float:
    """The best noise precision without columns: that of the target's mean square."""
    if problem.likelihood.fixed_noise_precision is not None:
        return problem.likelihood.fixed_noise_precision
    mean_square = float(problem.rows.weight @ problem.rows.target**2) / problem.total_weight
    ceiling = problem.noise_precision_ceiling
    return ceiling if mean_square * ceiling <= 1.0 else 1.0 / mean_square
