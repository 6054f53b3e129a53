"""Rows that come block by block, wherever they are, and what adds up over them.

A block is a run of consecutive rows. Where it begins depends on the number of inputs alone, so the
same rows make the same blocks in an array, in a file or in a cluster. Sums are added in the order
of the blocks: first within bundles of a few blocks, which a worker can add up for itself, then from
bundle to bundle with the rounding errors carried along. So neither the number of workers nor
which of them was first changes a digit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse

from sparsebayes.rows.reader import Block, Place, RowReader
from sparsebayes.rows.rows import add_up

# Rows of a block, and numbers that its inputs may have: 32 MB.
BLOCK_ROWS, BLOCK_INPUTS = 2**12, 2**22
# Blocks whose sums are added up before they leave a worker.
BUNDLE = 8

Tell = Callable[[int, int], None]


def nobody(done: int, of: int) -> None:
    """Hears of rows that are done, and keeps it to itself."""


def places(n_rows: int, n_features: int) -> list[Place]:
    """The blocks of so many rows."""
    size = max(1, min(BLOCK_ROWS, BLOCK_INPUTS // max(1, n_features)))
    starts = range(0, n_rows, size)
    return [Place(k, start, min(start + size, n_rows)) for k, start in enumerate(starts)]


Statistic = Callable[[Block], tuple]


@dataclass(frozen=True)
class Task:
    """One block: read, and its statistic. It can be sent to another process.

    Parameters
    ----------
    reader : makes the block
    statistic : of the block
    alone : calls a function with its arguments, its linear algebra done by one thread
    """

    reader: RowReader
    statistic: Statistic
    alone: Callable[..., Any]

    def __call__(self, inputs: Any, target: Any, weight: Any, place: Place) -> tuple:
        """The statistic of raw inputs, targets and weights."""
        return self.alone(self._of, inputs, target, weight, place)

    def _of(self, inputs: Any, target: Any, weight: Any, place: Place) -> tuple:
        return self.statistic(self.reader(inputs, target, weight, place))


class Blocks(ABC):
    """Rows in blocks.

    Attributes
    ----------
    n_rows, n_features : of all blocks
    reader : how a block is read and checked
    """

    n_rows: int
    n_features: int
    reader: RowReader

    @property
    def places(self) -> list[Place]:
        """Where the blocks stand."""
        return places(self.n_rows, self.n_features)

    @abstractmethod
    def fold(self, statistic: Statistic, tell: Tell = nobody) -> tuple:
        """The sum of statistic(block) over all blocks, in their order.

        Parameters
        ----------
        statistic : frozen and picklable; gives a tuple of things that can be added
        tell : hears how many rows are done, of how many
        """

    def read_by(self, reader: RowReader) -> Self:
        """The rows, read in another way."""
        other = copy(self)
        other.reader = reader
        return other


class Running:
    """A sum of tuples in their order; of real numbers and arrays the rounding is carried along.

    s, e = s + x, the error of that sum (Knuth's two-sum); the errors are added up apart.
    """

    def __init__(self) -> None:
        self._sums: list[Any] | None = None
        self._errors: list[Any] = []

    def add(self, terms: tuple) -> None:
        """Add a tuple, entry by entry."""
        if self._sums is None:
            self._sums, self._errors = list(terms), [0.0] * len(terms)
            return
        for k, term in enumerate(terms):
            before = self._sums[k]
            after = before + term
            if isinstance(term, float | np.floating | np.ndarray):
                shadow = after - before
                self._errors[k] = self._errors[k] + ((before - (after - shadow)) + (term - shadow))
            self._sums[k] = after

    @property
    def total(self) -> tuple:
        """What was added."""
        assert self._sums is not None, "nothing was added"
        return tuple(
            total if isinstance(error, float) and error == 0.0 else total + error
            for total, error in zip(self._sums, self._errors, strict=True)
        )


def bundles(items: list[Any]) -> list[list[Any]]:
    """Consecutive items, so many at a time as are added up by one worker."""
    return [items[start : start + BUNDLE] for start in range(0, len(items), BUNDLE)]


class ArrayBlocks(Blocks):
    """Rows of arrays, memory maps or sparse matrices, which are read slice by slice.

    Parameters
    ----------
    inputs : array, memory map or sparse matrix in CSR form (n_rows, n_features)
    target : array (n_rows,) or (n_rows, k)
    weight : array (n_rows,), or None where each row counts once
    reader : how a block is read and checked
    alone : see `Task`
    n_threads : that take blocks at the same time
    """

    def __init__(
        self,
        inputs: Any,
        target: np.ndarray,
        weight: np.ndarray | None,
        reader: RowReader,
        alone: Callable[..., Any],
        n_threads: int = 1,
    ) -> None:
        self.n_rows, self.n_features = inputs.shape
        self.reader = reader
        self._inputs, self._target, self._weight = inputs, target, weight
        self._alone, self._n_threads = alone, n_threads

    def fold(self, statistic: Statistic, tell: Tell = nobody) -> tuple:
        """The sum of a statistic over the blocks, in their order."""
        task = partial(self._call, Task(self.reader, statistic, self._alone))
        running, done = Running(), 0
        results = in_threads(task, self.places, self._n_threads)
        for bundle in bundles(self.places):
            running.add(add_up(_told(results, bundle, done, self.n_rows, tell)))
            done = bundle[-1].stop
        return running.total

    def _call(self, task: Task, place: Place) -> tuple:
        rows = slice(place.start, place.stop)
        weight = None if self._weight is None else self._weight[rows]
        return task(self._inputs[rows], self._target[rows], weight, place)


def _told(
    results: Iterator[tuple], bundle: list[Place], done: int, of: int, tell: Tell
) -> Iterator[tuple]:
    """The results of a bundle, each told of."""
    for place in bundle:
        result = next(results)
        tell(place.stop, of)
        yield result


def in_threads(
    function: Callable[[Any], Any], arguments: Iterable[Any], n_threads: int
) -> Iterator[Any]:
    """function(argument) for each argument, in their order, a few of them at the same time.

    Only as many are begun ahead of the one that is asked for as there are threads.
    """
    if n_threads == 1:
        yield from map(function, arguments)
        return
    waiting: deque[Future] = deque()
    pool = ThreadPoolExecutor(n_threads)
    try:
        for argument in arguments:
            waiting.append(pool.submit(function, argument))
            if len(waiting) > n_threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def joined_inputs(parts: list[Any]) -> Any:
    """Inputs of several blocks as one array or sparse matrix."""
    if any(issparse(part) for part in parts):
        from scipy.sparse import vstack

        return vstack(parts, format="csr")
    return np.concatenate(parts)
