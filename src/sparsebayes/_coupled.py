"""The statistics of `statistics` for a likelihood of several latent values, one for each class.

Every class has a weight for every column: candidate k * n_columns + i is column i for class k. The
latent values of a row are coupled by W = diag(p) - p p', so that

    gram_(k,i),(l,j) = sum_n weight_n phi_i (delta_kl p_k - p_k p_l) phi_j.
"""

from __future__ import annotations

import numpy as np


def _by_class(problem, candidates: np.ndarray) -> tuple[np.ndarray, list[np.ndarray], np.ndarray]:
    """Columns and classes of candidates, and for each class their positions."""
    label, columns = np.divmod(candidates, problem.n_columns)
    return columns, [np.flatnonzero(label == k) for k in range(problem.n_classes)], label


def _expand(problem, design, target, positions, mean):
    """The likelihood's quadratic at the latent values of weights `mean`."""
    latent = np.column_stack([design[:, own] @ mean[own] for own in positions])
    return problem.likelihood.expand(target, latent)


def expansion(problem, active, mean):
    """Value, and score (m,)."""
    columns, positions, label = _by_class(problem, active)

    def block(design, target, weight):
        quadratic = _expand(problem, design, target, positions, mean)
        slope = quadratic.slope * weight[:, None]
        return weight @ quadratic.value, np.einsum("nm,nm->m", design, slope[:, label])

    return problem.rows.fold(block, columns)


def gram(problem, active, mean):
    """Of the active weights (m, m)."""
    return gram_of(problem, active, active, mean)


def gram_of(problem, candidates, active, mean):
    """Of any candidates (k, k), at `mean` of the active ones."""
    columns, positions, label = _by_class(problem, candidates)
    active_columns, active_positions, _ = _by_class(problem, active)
    size = len(columns)

    def block(design, target, weight):
        quadratic = _expand(problem, design[:, size:], target, active_positions, mean)
        own = design[:, :size]
        root = np.sqrt(weight)[:, None]
        spread = own * (root * quadratic.probability)[:, label]
        result = -(spread.T @ spread)
        for k, at in enumerate(positions):
            half = own[:, at] * (root[:, 0] * np.sqrt(quadratic.probability[:, k]))[:, None]
            result[np.ix_(at, at)] += half.T @ half
        return (result,)

    return problem.rows.fold(block, np.concatenate([columns, active_columns]))[0]


def candidates(problem, active, mean):
    """Score and energy of all candidates (K M,), and their inner products with the active ones."""
    columns, positions, label = _by_class(problem, active)

    def block(design, target, weight):
        chosen = design[:, columns]
        quadratic = _expand(problem, chosen, target, positions, mean)
        p = quadratic.probability
        score = (design.T @ (weight[:, None] * quadratic.slope)).T
        energy = ((design**2).T @ (weight[:, None] * p * (1.0 - p))).T
        cross = np.empty((p.shape[1], design.shape[1], len(columns)))
        for k in range(p.shape[1]):
            share = -p[:, label]
            share[:, positions[k]] += 1.0
            cross[k] = design.T @ (chosen * share * (weight * p[:, k])[:, None])
        return score.ravel(), energy.ravel(), cross.reshape(len(energy.ravel()), len(columns))

    return problem.rows.fold(block)
