"""The rows that cover a Gaussian process given its data: the `Spread` of a dense model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebayes.columns import first_columns
from sparsebayes.dense.doubt import widened
from sparsebayes.dense.fit import DenseFit
from sparsebayes.model.spread import Spread, one_each


@dataclass(frozen=True)
class CoveringRule:
    """How many rows cover a process.

    Attributes
    ----------
    enough : part of the noise; what is left of the variance of the process at the training rows
        is, on average, at most this
    """

    enough: float = 0.05


RULE = CoveringRule()


def joined(coverings: Sequence[Spread]) -> Spread:
    """The coverings of latent values that were fitted apart, at the same scales, as one.

    Pivots depend on the scales alone. So the rows of each are the first of the longest, and what
    it does not use has its prior variance.
    """
    pairs = [zip(each.columns or (), each.whiteners, strict=True) for each in coverings]
    together = zip(*pairs, strict=True)
    columns, whiteners = zip(*(max(own, key=_n_columns) for own in together), strict=True)
    amplitudes = [_amplitude(each) for each in coverings]
    sizes = [kind.n_columns for kind in columns]
    starts = np.cumsum([0, *sizes])
    roots = []
    for each, amplitude in zip(coverings, amplitudes, strict=True):
        root = np.diag(np.sqrt(np.repeat(amplitude[:, 0], sizes)))
        kinds = zip(starts, each.columns or (), strict=False)
        place = np.concatenate([start + np.arange(kind.n_columns) for start, kind in kinds])
        root[np.ix_(place, place)] = each.roots[0]
        roots.append(root)
    found = one_each(roots)
    return replace(found, columns=columns, whiteners=whiteners, amplitude=np.hstack(amplitudes))


def _n_columns(part: tuple[Any, Any]) -> int:
    return part[0].n_columns


def _amplitude(covering: Spread) -> np.ndarray:
    """The amplitudes of a covering (n_kinds, 1), which has some."""
    assert covering.amplitude is not None, "there is no process"
    return covering.amplitude


def covering_of(dense: DenseFit, rule: CoveringRule = RULE) -> Spread | None:
    """The covering rows of a dense model; None where none of its columns are a process."""
    if all(part.whitener is None for part in dense.columns.parts):
        return None
    sizes = covering_sizes(dense, rule)
    pairs = zip(dense.columns.parts, sizes, strict=True)
    parts = [part.first(size).for_new_inputs() for part, size in pairs]
    process = np.array([part.whitener is not None for part in parts])
    amplitude = np.zeros((len(parts), 1))
    amplitude[process, 0] = dense.prior_variance[dense.columns.starts[process]]
    kept = first_columns(dense.columns, sizes)
    root = dense.restricted_to(kept).whitener.T
    if dense.doubts is not None:
        root = widened(root, dense.doubts[kept])
    between = np.eye(1) if dense.between is None else dense.between
    return Spread(
        (np.ascontiguousarray(root),),
        np.zeros(len(between), dtype=np.int64),
        np.diag(between).copy(),
        tuple(part.kind for part in parts),
        tuple(None if part.whitener is None else np.tril(part.whitener) for part in parts),
        amplitude,
        dense.between,
    )


def covering_sizes(dense: DenseFit, rule: CoveringRule = RULE) -> list[int]:
    """How many of the whitened columns of each kind are needed."""
    sizes = []
    for part, left in zip(dense.columns.parts, variance_left(dense), strict=True):
        enough = np.flatnonzero(left <= rule.enough * dense.noise_variance)
        process = part.whitener is not None and len(enough)
        sizes.append(int(enough[0]) + 1 if process else part.n_columns)
    return sizes


def variance_left(dense: DenseFit) -> list[np.ndarray]:
    """For each kind, what its first 1, 2, ... columns leave of the process at a row, on average."""
    ends = dense.columns.starts[1:]
    each = (np.split(values, ends) for values in (dense.prior_variance, dense.energy))
    return [
        prior * (variance - np.cumsum(energy))
        for prior, energy, variance in zip(*each, dense.process_variance, strict=True)
    ]


def unexplained(dense: DenseFit, sizes: Sequence[int]) -> float:
    """What so many columns of each kind leave of the processes at a row, on average."""
    processes = [part.whitener is not None for part in dense.columns.parts]
    triples = zip(processes, variance_left(dense), sizes, strict=True)
    return float(sum(max(left[size - 1], 0.0) for process, left, size in triples if process))
