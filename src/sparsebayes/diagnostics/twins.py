"""Rows that are not independent: what a table shows of samples that were measured several times.

A cross-validation leaves out rows at random. Where a row has a *twin*, another row of the same
sample or unit, a model that is fitted to the twin has seen the row, or nearly so. Only the table is
looked at, so only what shows in it is found. Tables of few levels, counts, ratings and classes
repeat by themselves; that is no sign of twins, and nor are equal inputs with different targets.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import cdist

# At most so many rows are looked at, in so many blocks of rows that stand together, and at most so
# many numbers.
MOST_ROWS, N_BLOCKS, LEAST_ROWS, MOST_NUMBERS = 1500, 10, 20, 10_000_000
# Of more inputs, evenly spread ones are enough to tell which rows are alike.
MOST_INPUTS = 100
# So many rows have to be copies of others, or to have the target of the row most like them; of the
# latter half as many are enough where nearly all targets repeat, each a few times.
HALF, SOME = 0.5, 0.4
# Of inputs that repeat, at most so many have different targets; else repeats are observations.
MIXED = 0.1
# Copies of few rows are levels, and so are targets of few values, unless they come in runs.
LEAST_DIFFERENT, LEAST_VALUES, LEAST_RUNS = 0.3, 20, 8
# The next of so many neighbours is so many times as far away, which by chance is so for few rows.
N_NEIGHBOURS, GAP, MOST = 12, 4.0, 0.8
# Runs of so many rows, of which so many have the row most like them in their own run, and hardly
# any in the next: of so many that chance would have there at most a tenth.
RUNS, IN_RUN, EXPECTED, CROSSING = range(2, 13), 0.6, 10.0, 0.1
MEANING = (
    "So samples or units may have been measured several times. Then rows that are held out at "
    "random have twins among those that a model learns from: errors on new samples are larger than "
    "is said here, and the model is too sure of them. Hold out whole samples to find out, and fit "
    "to one row of each or to their mean; weights do not mend it."
)


def twins_in(X: Any, y: np.ndarray, of_classes: bool) -> str:
    """A sentence on rows that have twins, and what it means; empty where none are seen.

    Parameters
    ----------
    y : numbers (n,) or (n, n_outputs), or labels (n,)
    """
    rows = looked_at(*X.shape)
    if len(rows) < LEAST_ROWS:
        return ""
    chosen = X[rows].toarray() if issparse(X) else np.asarray(X)[rows]
    target = np.asarray(y)[rows].reshape(len(rows), -1)
    codes = np.unique(target, axis=0, return_inverse=True)[1].ravel()
    values = None if of_classes or target.shape[1] > 1 else target[:, 0].astype(np.float64)
    table = TwinTable(rows, chosen.astype(np.float64), codes, values)
    seen = table.copies() or table.equal_targets() or table.groups() or table.runs()
    return f"{seen} {MEANING}" if seen else ""


def looked_at(n_rows: int, n_inputs: int) -> np.ndarray:
    """The numbers of rows: all of them, or blocks of rows that stand together."""
    most = min(MOST_ROWS, MOST_NUMBERS // max(n_inputs, 1))
    if n_rows <= most:
        return np.arange(n_rows)
    size = most // N_BLOCKS
    starts = np.linspace(0, n_rows - size, N_BLOCKS).astype(np.intp)
    return np.unique(starts[:, None] + np.arange(size))


@dataclass(frozen=True)
class TwinTable:
    """Rows that are looked at.

    Parameters
    ----------
    rows : their numbers in the whole table (n,)
    inputs : dense (n, k)
    codes : the number of each different target (n,)
    target : one number for each row (n,); None for classes and for several outputs
    """

    rows: np.ndarray
    inputs: np.ndarray
    codes: np.ndarray
    target: np.ndarray | None

    def copies(self) -> str:
        """Rows that occur more than once, target included."""
        different = len(np.unique(np.c_[self.cell, self.codes], axis=0))
        few = different < LEAST_DIFFERENT * len(self.codes)
        few = few or levels(self.inputs) < HALF * (int(self.cell.max()) + 1)
        share = float(np.mean(self.n_copies > 1))
        if few or share < HALF or self.mixed:
            return ""
        return f"Of the rows, {_percent(share)} occur more than once, target included."

    def equal_targets(self) -> str:
        """Rows whose target is that of the row that is most like them, where targets vary."""
        target, times = self.target, np.bincount(self.codes)
        if target is None or self.mixed or not self.scaled.shape[1] or not _varies(target):
            return ""
        rare = self.codes != times.argmax()
        if np.mean(rare) < HALF:
            return ""
        in_groups = np.mean(times[self.codes] > 1) >= MOST and times.max() <= N_NEIGHBOURS
        enough = 0.5 * SOME if in_groups else SOME
        nearest = self.distance <= self.distance.min(axis=1, keepdims=True) * (1.0 + 1e-9)
        same = (nearest & (self.codes[:, None] == self.codes)).any(axis=1)
        share = float(np.mean(same[rare]))
        step = np.diff(np.unique(target)).min()
        change = np.abs(target - target[self.distance.argmin(axis=1)])[~same]
        if share < enough or np.count_nonzero(change < 1.5 * step) > HALF * len(change):
            return ""
        return f"Of the rows, {_percent(share)} have exactly the target of the row most like them."

    def groups(self) -> str:
        """Rows that are much nearer to a few others than to all the rest."""
        different = np.unique(self.scaled, axis=0)
        if len(different) < LEAST_ROWS:
            return ""
        near = np.sort(distances(different), axis=1)[:, : N_NEIGHBOURS + 1]
        share = float(np.mean((near[:, 1:] >= GAP * near[:, :-1]).any(axis=1)))
        if share < MOST:
            return ""
        return (
            f"Of the rows, {_percent(share)} stand in small groups: the next row is at least "
            f"{GAP:g} times as far away as those of the group."
        )

    def runs(self) -> str:
        """Rows in runs of one length that are more like each other than like the next run."""
        if not self.scaled.shape[1] or levels(self.scaled) < HALF * len(self.rows):
            return ""
        place, nearest = self.rows, self.rows[self.distance.argmin(axis=1)]
        first = np.minimum(place, nearest)[np.abs(place - nearest) == 1]
        for length in RUNS:
            own = float(np.mean(place // length == nearest // length))
            expected = len(first) / length
            crossing = np.count_nonzero(first % length == length - 1)
            if own >= IN_RUN and expected >= EXPECTED and crossing <= CROSSING * expected:
                return (
                    f"Rows stand in runs of {length}: {_percent(own)} of them are most like a row "
                    "of their own run, and hardly any like one of the next."
                )
        return ""

    @cached_property
    def cell(self) -> np.ndarray:
        """The number of each different row of inputs (n,)."""
        return np.unique(self.inputs, axis=0, return_inverse=True)[1].ravel()

    @cached_property
    def n_copies(self) -> np.ndarray:
        """How often each row occurs, target included (n,)."""
        both = np.c_[self.cell, self.codes]
        _, place, count = np.unique(both, axis=0, return_inverse=True, return_counts=True)
        return count[place.ravel()]

    @cached_property
    def mixed(self) -> bool:
        """Whether inputs that repeat come with different targets, as observations do."""
        times = np.bincount(self.cell)
        targets = np.bincount(np.unique(np.c_[self.cell, self.codes], axis=0)[:, 0])
        repeated = times > 1
        return bool(repeated.any() and np.mean(targets[repeated] > 1) > MIXED)

    @cached_property
    def scaled(self) -> np.ndarray:
        """Inputs of more than two values, of mean zero and unit variance (n, k)."""
        low, high = self.inputs.min(axis=0), self.inputs.max(axis=0)
        varying = np.flatnonzero(((self.inputs != low) & (self.inputs != high)).any(axis=0))
        places = np.linspace(0, len(varying) - 1, min(MOST_INPUTS, len(varying))).astype(np.intp)
        kept = self.inputs[:, varying[places]]
        kept = kept / np.abs(kept).max(axis=0, initial=1e-300)
        centred = kept - kept.mean(axis=0)
        return centred / np.maximum(centred.std(axis=0), 1e-300)

    @cached_property
    def distance(self) -> np.ndarray:
        """Between all rows; infinite to themselves (n, n)."""
        return distances(self.scaled)


def levels(inputs: np.ndarray) -> int:
    """How many different values the input has that has most."""
    steps = np.diff(np.sort(inputs, axis=0), axis=0) > 0.0
    return 1 + int(steps.sum(axis=0).max())


def distances(rows: np.ndarray) -> np.ndarray:
    """Between all rows, and infinite from each to itself (n, n)."""
    found = cdist(rows, rows)
    np.fill_diagonal(found, np.inf)
    return found


def _varies(target: np.ndarray) -> bool:
    """Whether targets are no whole numbers, and of many values, so that few repeat by chance."""
    values, steps = np.unique(target), np.sign(np.diff(target))
    in_runs = len(values) == 1 + np.count_nonzero(steps) and len(np.unique(steps)) == 3
    many = len(values) >= (LEAST_RUNS if in_runs else LEAST_VALUES)
    return many and not bool((target == np.floor(target)).all())


def _percent(share: float) -> str:
    return f"{100.0 * share:.0f} %"
