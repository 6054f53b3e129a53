"""From what was fitted to what predicts."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sparsebayes._linear_algebra import factorise
from sparsebayes.columns import AnyColumns, JoinedColumns
from sparsebayes.dense import joined
from sparsebayes.inference.state import Fit
from sparsebayes.likelihoods import normal_nodes
from sparsebayes.model.arrays import symmetric_root
from sparsebayes.model.latent import Plain
from sparsebayes.model.responses import IntegratedSoftmax
from sparsebayes.model.spread import Spread, one_each

# Values of the latent vector that stand for its distribution, a power of two: with 512 the
# probabilities of a softmax are within a hundredth.
SOFTMAX_NODES = 512


class Assembly(NamedTuple):
    """The columns that were kept, with rows in ascending order, and their weights.

    Attributes
    ----------
    columns : those that any latent value has a weight for (m columns), as the basis bound them
    plain : these columns and their weights
    weight_precision : of each column (m,), or of each column and latent value (m, k); infinite
        where a latent value has no weight for a column
    relevant : which columns pay, for any latent value (m,)
    """

    columns: AnyColumns
    plain: Plain
    weight_precision: np.ndarray
    relevant: np.ndarray


def assemble(fit: Fit) -> Assembly:
    """One fit of one or more latent values."""
    if fit.problem.layout.n_classes > 1:
        return _per_class(fit)
    likelihood = fit.problem.likelihood
    kept = fit.problem.columns.keep(fit.active)
    order = kept.order_by_row()
    mean = likelihood.latent_weights(fit.mean)[order]
    spread = shared(fit.root[order], likelihood.between(fit.output_precision))
    columns = kept.keep(order).for_new_inputs()
    plain = latent_of(columns, mean, spread, fit.covering)
    return Assembly(columns, plain, fit.precisions.weight[order], fit.relevant[order])


def assemble_each(fits: list[Fit]) -> Assembly:
    """Fits of one latent value each, independent of each other, on the same candidates."""
    label = np.repeat(np.arange(len(fits)), [len(fit.active) for fit in fits])
    columns = fits[0].problem.columns
    placed = _Placed(columns, np.concatenate([fit.active for fit in fits]), label, len(fits))
    roots = [placed.in_rows(label == k, fit.root) for k, fit in enumerate(fits)]
    mean = placed.table([fit.mean[:, 0] for fit in fits], 0.0)
    precision = placed.table([fit.precisions.weight for fit in fits], np.inf)
    relevant = placed.any([fit.relevant for fit in fits])
    covering = _covering_of_all([fit.covering for fit in fits])
    plain = latent_of(placed.columns, mean, one_each(roots), covering)
    return Assembly(placed.columns, plain, precision, relevant)


def latent_of(
    columns: AnyColumns, mean: np.ndarray, spread: Spread, covering: Spread | None
) -> Plain:
    """What gives latent values, with the spread of the weights, or of a process if there is one."""
    if covering is None:
        return Plain(columns.kinds, mean, spread)
    return Plain(columns.kinds, mean, covering, spread)


def shared(root: np.ndarray, between: np.ndarray) -> Spread:
    """The spread of weights with one covariance between columns, for all latent values.

    The covariance of the weight of column i for latent value k with that of column j for l is
    (root root')_ij between_kl.

    Parameters
    ----------
    root : a square root of the covariance between columns (m, m)
    between : covariance between the latent values (k, k): 1 for a single one, the noise variances
        on the diagonal for outputs that share precisions, I - 1/k for a softmax that does
    """
    factor = np.diag(between).copy()
    apart = np.array_equal(between, np.diag(factor))
    process = np.zeros(len(factor), dtype=np.int64)
    return Spread((root,), process, factor, between=None if apart else between)


def integrated_softmax(plain: Plain, n_nodes: int = SOFTMAX_NODES) -> IntegratedSoftmax:
    """The response of classes whose probabilities are one softmax of these latent values."""
    nodes, spread = normal_nodes(plain.weights.shape[1], n_nodes), plain.spread
    if len(spread.roots) > 1:
        return IntegratedSoftmax(nodes, True)
    between = np.diag(spread.factor) if spread.between is None else spread.between
    return IntegratedSoftmax(nodes @ symmetric_root(between), False)


def _covering_of_all(coverings: list[Spread | None]) -> Spread | None:
    """The covering of all latent values: of one process for all, or of one process each."""
    found = [each for each in coverings if each is not None]
    if len(found) < len(coverings):
        return None
    return found[0] if found[0].between is not None else joined(found)


def _per_class(fit: Fit) -> Assembly:
    """One fit in which each class has weights of its own."""
    problem = fit.problem
    n_classes = problem.layout.n_classes
    label, column = np.divmod(fit.active, problem.n_columns)
    placed = _Placed(problem.columns, column, label, n_classes)
    roots = [placed.in_rows(label == k, fit.root[label == k]) for k in range(n_classes)]
    spread = replace(one_each(roots), together=True)
    plain = latent_of(placed.columns, placed.table([fit.mean[:, 0]], 0.0), spread, None)
    precision = placed.table([fit.precisions.weight], np.inf)
    return Assembly(placed.columns, plain, precision, placed.any([fit.relevant]))


class _Placed:
    """Weights (w,), each of a column and a latent value, placed on the distinct columns (m,).

    Parameters
    ----------
    columns : all candidates
    column, label : column and latent value of each weight (w,)
    n_latents : how many latent values there are
    """

    def __init__(
        self, columns: AnyColumns, column: np.ndarray, label: np.ndarray, n_latents: int
    ) -> None:
        distinct, position = np.unique(column, return_inverse=True)
        kept = columns.keep(distinct)
        order = kept.order_by_row()
        self.columns = kept.keep(order).for_new_inputs()
        self.position = np.argsort(order)[position]
        self.label, self.n_latents = label, n_latents

    def in_rows(self, own: np.ndarray, root: np.ndarray) -> np.ndarray:
        """A root of some of the weights, by a mask, with 0 for columns without one (m, r)."""
        return in_rows(root, self.position[own], self.columns.n_columns)

    def table(self, values: list[np.ndarray], otherwise: float) -> np.ndarray:
        """Values of the weights as a table of columns and latent values (m, k)."""
        table = np.full((self.columns.n_columns, self.n_latents), otherwise)
        table[self.position, self.label] = np.concatenate(values)
        return table

    def any(self, flags: list[np.ndarray]) -> np.ndarray:
        """Whether any weight of a column has the flag (m,)."""
        return np.bincount(self.position, np.concatenate(flags), self.columns.n_columns) > 0.0


def in_rows(block: np.ndarray, position: np.ndarray, size: int) -> np.ndarray:
    """A matrix of zeros of so many rows, with others in some of them."""
    whole = np.zeros((size, block.shape[1]))
    whole[position] = block
    return whole


# Fewer columns.


def restricted(plain: Plain, kept: np.ndarray) -> Plain:
    """The latent values of the columns `kept`, given that the weights of the others are zero."""
    columns, spread = JoinedColumns(plain.columns).keep(kept).kinds, plain.posterior
    if len(spread.roots) == 1:
        mean, root = conditional(plain.weights, spread.roots[0], kept)
        smaller = replace(spread, roots=(root,))
    else:
        mean, roots = _restricted_each(plain, kept)
        smaller = replace(spread, roots=roots)
    if plain.of_weights is None:
        return Plain(columns, mean, smaller)
    return Plain(columns, mean, plain.spread, smaller)


def _restricted_each(plain: Plain, kept: np.ndarray) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
    """Mean (m, k) and roots of latent values with weights of their own, where columns are kept."""
    (m, k), spread = plain.weights.shape, plain.posterior
    mean, roots = np.zeros((len(kept), k)), []
    alone = [np.array([label]) for label in range(k)]
    for labels in [np.arange(k)] if spread.together else alone:
        whole = np.concatenate([spread.roots[label] for label in labels])
        given = np.flatnonzero(whole.any(axis=1))  # of each weight there is
        label, position = labels[given // m], given % m
        own, place = _placed(position, kept)
        means = plain.weights[position, label]
        mean[place, label[own]], root = conditional(means, whole[given], own)
        for each in labels:
            here = label[own] == each
            roots.append(in_rows(root[here], place[here], len(kept)))
    return mean, tuple(roots)


def _placed(position: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which weights have a column among `kept`, and the place of that column there."""
    order = np.argsort(kept, kind="stable")
    own = np.flatnonzero(np.isin(position, kept))
    return own, order[np.searchsorted(kept[order], position[own])]


def conditional(
    mean: np.ndarray, root: np.ndarray, kept: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and root of the weights `kept`, given that the others are zero.

    Their precision is the block of Sigma^-1 that belongs to them.
    """
    unroot = np.linalg.inv(root)
    factor = factorise(unroot[:, kept].T @ unroot[:, kept])
    return factor.solve(unroot[:, kept].T @ (unroot @ mean)), factor.whitener.T
