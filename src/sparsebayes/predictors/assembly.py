"""From what was fitted to what predicts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sparsebayes.columns import AnyColumns
from sparsebayes.dense import Covering, joined
from sparsebayes.inference.state import Fit
from sparsebayes.predictors.weights import FullWeights, IndependentWeights, SharedWeights, Weights


class Assembly(NamedTuple):
    """The columns that were kept, with rows in ascending order, and their weights.

    Attributes
    ----------
    columns : those that any latent value has a weight for (m columns)
    weights : the posterior of their weights
    weight_precision : of each column (m,), or of each column and latent value (m, k); infinite
        where a latent value has no weight for a column
    relevant : which columns pay, for any latent value (m,)
    covering : the process that the columns stand for, if there is one
    """

    columns: AnyColumns
    weights: Weights
    weight_precision: np.ndarray
    relevant: np.ndarray
    covering: Covering | None = None


def assemble(fit: Fit) -> Assembly:
    """One fit of one or more latent values."""
    if fit.problem.layout.n_classes > 1:
        return _per_class(fit)
    likelihood = fit.problem.likelihood
    kept = fit.problem.columns.keep(fit.active)
    order = kept.order_by_row()
    weights = SharedWeights(
        likelihood.latent_weights(fit.mean)[order],
        fit.root[order],
        likelihood.between(fit.output_precision),
    )
    return Assembly(
        kept.keep(order).for_new_inputs(),
        weights,
        fit.precisions.weight[order],
        fit.relevant[order],
        fit.covering,
    )


def assemble_each(fits: list[Fit]) -> Assembly:
    """Fits of one latent value each, independent of each other, on the same candidates."""
    label = np.repeat(np.arange(len(fits)), [len(fit.active) for fit in fits])
    columns = fits[0].problem.columns
    placed = _Placed(columns, np.concatenate([fit.active for fit in fits]), label, len(fits))
    weights = IndependentWeights(
        placed.table([fit.mean[:, 0] for fit in fits], 0.0),
        tuple(placed.position[label == k] for k in range(len(fits))),
        tuple(fit.root for fit in fits),
    )
    precision = placed.table([fit.precisions.weight for fit in fits], np.inf)
    relevant = placed.any([fit.relevant for fit in fits])
    coverings = [fit.covering for fit in fits]
    return Assembly(placed.columns, weights, precision, relevant, _covering_of_all(coverings))


def _covering_of_all(coverings: list[Covering | None]) -> Covering | None:
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
    weights = FullWeights(placed.table([fit.mean[:, 0]], 0.0), placed.position, label, fit.root)
    precision = placed.table([fit.precisions.weight], np.inf)
    return Assembly(placed.columns, weights, precision, placed.any([fit.relevant]))


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

    def table(self, values: list[np.ndarray], otherwise: float) -> np.ndarray:
        """Values of the weights as a table of columns and latent values (m, k)."""
        table = np.full((self.columns.n_columns, self.n_latents), otherwise)
        table[self.position, self.label] = np.concatenate(values)
        return table

    def any(self, flags: list[np.ndarray]) -> np.ndarray:
        """Whether any weight of a column has the flag (m,)."""
        return np.bincount(self.position, np.concatenate(flags), self.columns.n_columns) > 0.0
