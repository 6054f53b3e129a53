"""Passes over blocks of rows: what the dense model needs of them, in numbers that add up.

With V the whitened columns of the dense model, and w the weight of a row:

    gram = V' diag(w c) V,   score = V' (w s),   value = sum_n w_n value_n

where value, slope s and curvature c are those of the likelihood's quadratic at the latent values
f = V m of some weights m. For Gaussian targets and m = 0 these are V'WV, V'Wt and -1/2 t'Wt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sparsebayes.columns import JoinedColumns
from sparsebayes.dense.labels.labels import label_contrasts
from sparsebayes.likelihoods import Likelihood, Quadratic
from sparsebayes.rows import Data, evaluate_finite, row_slices, scattered
from sparsebayes.rows.reader import Block
from sparsebayes.rows.rows import add_up

# Columns are evaluated for so many numbers at a time, 16 MB, which stay near the processor.
SLAB_NUMBERS = 2**21


class Sums(NamedTuple):
    """What a pass has added up, at unit noise precision.

    Attributes
    ----------
    weight : of the rows
    precision : curvature of the rows, weighted
    value : log density of the rows (k,), one for each output
    score : its gradient for the weights of the columns (m, k)
    gram : V' diag(w c) V (m, m)
    energy : sum of the squares of each column, rows weighted (m,)
    variance : sum of the variances of each process at the rows, weighted (n_kinds,)
    by_constant : V' w, by which a shift of all targets changes the score (m,)
    slope : of each output, by which it changes the value (k,)
    """

    weight: float
    precision: float
    value: np.ndarray
    score: np.ndarray
    gram: np.ndarray
    energy: np.ndarray
    variance: np.ndarray
    by_constant: np.ndarray
    slope: np.ndarray

    def and_more(self, other: Sums) -> Sums:
        """The sums over these rows and others."""
        return Sums(*add_up([tuple(self), tuple(other)]))

    def centred(self) -> tuple[Sums, np.ndarray]:
        """The sums of Gaussian targets less their mean, if weights are zero; and the mean."""
        mean = self.slope / self.weight
        return self._replace(
            value=self.value + mean * self.slope - 0.5 * self.weight * mean**2,
            score=self.score - np.outer(self.by_constant, mean),
            slope=self.slope - self.weight * mean,
        ), mean


@dataclass(frozen=True)
class BlockTargets:
    """What the targets of a block are to a likelihood.

    Parameters
    ----------
    likelihood : of one latent value
    n_classes : where the targets are classes and the model is regression on their contrasts
    """

    likelihood: Likelihood
    n_classes: int = 0

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The likelihood's quadratic at latent values (n, k)."""
        if self.n_classes:
            target = label_contrasts(target, self.n_classes)
        target = target.reshape(latent.shape)
        found = self.likelihood.expand(target.ravel(), latent.ravel())
        return Quadratic(*(each.reshape(latent.shape) for each in found))


@dataclass(frozen=True)
class SumsPass:
    """The `Sums` over the rows of a block.

    Parameters
    ----------
    columns : whitened, joined
    targets : what the targets are
    mean : weights of the columns, where the likelihood is expanded (m, k)
    part : of the rows of each block that serve, and stand for the others
    """

    columns: JoinedColumns
    targets: BlockTargets
    mean: np.ndarray
    part: float = 1.0

    def __call__(self, block: Block) -> tuple:
        """What the rows of a block add, as a plain tuple."""
        data = thinned(block, self.part)
        found = (tuple(self._of(rows)) for rows in slabs(data, self.columns.n_columns))
        return add_up(found) if len(data.weight) else self._nothing()

    def _of(self, data: Data) -> Sums:
        design = evaluate_finite(self.columns, data.inputs)
        quadratic = self.targets.expand(data.target, design @ self.mean)
        counts = data.weight * quadratic.curvature[:, 0]
        by_constant, energy = data.weight @ design, data.weight @ design**2
        slope = data.weight[:, None] * quadratic.slope
        score = design.T @ slope
        return Sums(
            float(data.weight.sum()),
            float(counts.sum()),
            data.weight @ quadratic.value,
            score,
            gram_of(design, counts),
            energy,
            np.array([data.weight @ p.process_variance(data.inputs) for p in self.columns.parts]),
            by_constant,
            slope.sum(axis=0),
        )

    def _nothing(self) -> tuple:
        size, k = self.mean.shape
        shapes = ((k,), (size, k), (size, size), (size,), (len(self.columns.parts),), (size,), (k,))
        return tuple(Sums(0.0, 0.0, *map(np.zeros, shapes)))


@dataclass(frozen=True)
class SlopesPass:
    """The `Expansion` of a block of rows at other weights. It costs far less than `Sums`.

    The columns are not whitened: with V = C R', f = C (R'm), and the gradient for the weights of C
    is what adds up; that for V is R times it.

    Parameters
    ----------
    columns : whitened, joined
    targets : what the targets are
    weights : of the columns that are not whitened, R'm (m, k)
    """

    columns: JoinedColumns
    targets: BlockTargets
    weights: np.ndarray

    def __call__(self, block: Block) -> tuple:
        """What the rows of a block add, as a plain tuple."""
        plain = JoinedColumns(tuple(part.kind for part in self.columns.parts))
        return add_up(self._of(plain, data) for data in slabs(block.data, plain.n_columns))

    def _of(self, plain: JoinedColumns, data: Data) -> tuple:
        design = evaluate_finite(plain, data.inputs)
        quadratic = self.targets.expand(data.target, design @ self.weights)
        slope = data.weight[:, None] * quadratic.slope
        return data.weight @ quadratic.value, design.T @ slope


def thinned(block: Block, part: float) -> Data:
    """Part of the rows of a block, with as much weight as all of them."""
    if part == 1.0:
        return block.data
    rows = scattered(block.place, part, len(block.data.weight))
    data = block.data.take(rows)
    return data._replace(weight=data.weight / part)


def slabs(data: Data, n_columns: int) -> list[Data]:
    """The rows in runs that are evaluated at once."""
    slices = row_slices(len(data.weight), n_columns, SLAB_NUMBERS)
    return [Data(data.inputs[s], data.target[s], data.weight[s]) for s in slices]


def gram_of(design: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """V' diag(counts) V. The columns are overwritten."""
    if not np.all(counts == 1.0):
        design *= np.sqrt(counts)[:, None]
    return design.T @ design
