"""Rows of Dask collections: blocks by any scheduler, and predictions that stay lazy.

This is the only file that imports Dask. Arrays and frames are cut into the same blocks as arrays in
memory are, so a fit gives the same numbers. With a `distributed.Client` the workers add up their
bundles, and a bundle whose worker is lost is computed again by another one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from sparsebayes.rows.blocks import (
    Blocks,
    Running,
    Statistic,
    Task,
    Tell,
    bundles,
    nobody,
    places,
)
from sparsebayes.rows.reader import Place, RowReader
from sparsebayes.rows.rows import add_up

try:
    import dask
    import dask.array as da
    from dask.callbacks import Callback
except ImportError as error:  # pragma: no cover
    raise ImportError(
        "collections of Dask need the extra 'dask': pip install 'sparsebayes[dask]'."
    ) from error


def column_names(frame: Any) -> np.ndarray | None:
    """Names of the columns of a frame, if all are strings; None of an array."""
    columns = list(getattr(frame, "columns", []))
    named = columns and all(isinstance(name, str) for name in columns)
    return np.array(columns, dtype=object) if named else None


def as_arrays(*collections: Any) -> list[Any]:
    """Collections, and arrays in memory, as arrays of Dask whose chunks have known sizes.

    The partitions of frames are counted, all in one pass.
    """
    arrays = [_as_array(each) for each in collections]
    unknown = [each for each in arrays if np.isnan(each.shape[0])]
    lengths = dask.compute([list(map(_length, each.to_delayed().ravel())) for each in unknown])[0]
    for each, own in zip(unknown, lengths, strict=True):
        each._chunks = (tuple(own), *each.chunks[1:])
    return arrays


def _as_array(collection: Any) -> Any:
    if hasattr(collection, "to_dask_array"):
        return collection.to_dask_array()
    if isinstance(collection, da.Array):
        return collection.copy()
    return da.from_array(np.asarray(collection), chunks=-1)


_length = dask.delayed(len, pure=True)


def _as_declared(array: Any) -> Any:
    """A chunk, or an error where it is not of the shape that it was said to have."""
    return array.map_blocks(_checked_chunk, dtype=array.dtype, meta=array._meta)


def _checked_chunk(chunk: Any, block_info: Any = None) -> Any:
    if not block_info:  # Dask asks what kind of array it gives
        return chunk
    location = block_info[0]["array-location"]
    expected = tuple(stop - start for start, stop in location)
    if chunk.shape != expected:
        rows = f"rows {location[0][0]} to {location[0][1] - 1}"
        raise ValueError(
            f"a chunk of Dask with {rows} has the shape {chunk.shape}, expected {expected}: all "
            "chunks need the same inputs, and as many rows as they were said to have."
        )
    return chunk


def n_rows_of(collection: Any) -> int:
    """How many rows a collection has; Dask knows that of Parquet files without reading them."""
    if isinstance(collection, da.Array):
        return int(as_arrays(collection)[0].shape[0])
    return len(collection)


def in_memory(*collections: Any) -> tuple[Any, ...]:
    """What the collections hold; anything else as it is."""
    return dask.compute(*collections)


class DaskBlocks(Blocks):
    """Rows of arrays of Dask, cut into bundles of blocks, each of which is a task.

    Parameters
    ----------
    inputs : (n_rows, n_features)
    target : (n_rows,) or (n_rows, k)
    weight : (n_rows,), or None where each row counts once
    reader : how a block is read and checked
    alone : see `Task`
    """

    def __init__(
        self, inputs: Any, target: Any, weight: Any, reader: RowReader, alone: Callable[..., Any]
    ) -> None:
        self.n_rows, self.n_features = (int(size) for size in inputs.shape)
        self.reader = reader
        self._arrays, self._alone = (inputs, target, weight), alone

    @classmethod
    def of(cls, X: Any, y: Any, weight: Any, alone: Callable[..., Any]) -> Self:
        """Arrays or frames, cut into blocks; targets and weights may be in memory."""
        given = [each for each in (X, y, weight) if each is not None]
        inputs, *others = (_as_declared(each) for each in as_arrays(*given))
        if inputs.ndim != 2 or not inputs.shape[0]:
            raise ValueError(
                f"X of Dask has the shape {inputs.shape}, expected rows with one or more inputs."
            )
        n_rows, n_features = (int(size) for size in inputs.shape)
        ends = [own[-1].stop for own in bundles(places(n_rows, n_features))]
        sizes = tuple(int(size) for size in np.diff([0, *ends]))
        for name, other in zip(("y", "sample_weight"), others, strict=False):
            if other.shape[0] != n_rows:
                raise ValueError(f"X has {n_rows} rows, and {name} has {other.shape[0]}.")
        target, *weights = (
            each.rechunk({0: sizes, **dict.fromkeys(range(1, each.ndim), -1)}) for each in others
        )
        inputs = inputs.rechunk({0: sizes, 1: -1})
        return cls(inputs, target, weights[0] if weights else None, RowReader(n_features), alone)

    @property
    def target_axes(self) -> int:
        """How many axes the targets have."""
        return self._arrays[1].ndim

    def fold(self, statistic: Statistic, tell: Tell = nobody) -> tuple:
        """The sum of a statistic, by the client of `distributed`, or by the scheduler."""
        sums, ends = self._bundle_sums(statistic), [own[-1].stop for own in bundles(self.places)]
        client = active_client()
        if client is None:
            return self._by_scheduler(sums, ends, tell)
        return self._by_client(client, sums, ends, tell)

    def _bundle_sums(self, statistic: Statistic) -> list[Any]:
        """The sums of bundles of blocks, lazily."""
        own = _BundleTask(Task(self.reader, statistic, self._alone))
        task = dask.delayed(own, pure=False, traverse=False)
        parts = bundles(self.places)
        columns = [_delayed_chunks(each, len(parts)) for each in self._arrays]
        return [task(*each) for each in zip(*columns, parts, strict=True)]

    def _by_scheduler(self, sums: list[Any], ends: Sequence[int], tell: Tell) -> tuple:
        """One graph, in which each bundle is added to those before it."""
        extend = dask.delayed(_extended, pure=False)
        running, ahead = None, {}
        for own, end in zip(sums, ends, strict=True):
            running = extend(running, own)
            ahead[running.key] = end
        with _Progress(ahead, lambda done: tell(done, self.n_rows)):
            (total,) = dask.compute(running)
        return total.total

    def _by_client(self, client: Any, sums: list[Any], ends: Sequence[int], tell: Tell) -> tuple:
        """Bundles by workers; each is added as soon as those before it have been."""
        running, futures = Running(), client.compute(sums)
        try:
            for number, end in enumerate(ends):
                running.add(futures[number].result())
                futures[number] = None  # its worker may forget it
                tell(end, self.n_rows)
        finally:
            client.cancel([each for each in futures if each is not None])
        return running.total


@dataclass(frozen=True)
class _BundleTask:
    """A bundle of blocks, one after the other."""

    task: Task

    def __call__(self, inputs: Any, target: Any, weight: Any, own: list[Place]) -> tuple:
        """The sum of the statistics of the blocks at these places."""
        return add_up(self._of(inputs, target, weight, place, own[0].start) for place in own)

    def _of(self, inputs: Any, target: Any, weight: Any, place: Place, first: int) -> tuple:
        rows = slice(place.start - first, place.stop - first)
        weight = None if weight is None else weight[rows]
        return self.task(inputs[rows], target[rows], weight, place)


def _delayed_chunks(array: Any, number: int) -> list[Any]:
    """The chunks of an array, lazily."""
    if array is None:
        return [None] * number
    return list(array.to_delayed().ravel())


def _extended(running: Running | None, terms: tuple) -> Running:
    running = Running() if running is None else running
    running.add(terms)
    return running


class _Progress(Callback):
    """Hears of tasks of a local scheduler that are done."""

    def __init__(self, ends: dict[Any, int], tell: Callable[[int], None]) -> None:
        super().__init__(posttask=self._done)
        self._ends, self._tell = ends, tell

    def _done(self, key: Any, *_: Any) -> None:
        if key in self._ends:
            self._tell(self._ends[key])


def active_client() -> Any:
    """The client of `distributed` that computes collections now, if there is one."""
    try:
        from distributed import get_client
    except ImportError:
        return None
    if dask.config.get("scheduler", None) not in (None, "dask.distributed", "distributed"):
        return None
    try:
        return get_client()
    except ValueError:
        return None


def lazily(predict: Callable[[Any], Any], X: Any, names: Sequence[Any], dtype: Any) -> Any:
    """predict(rows) of each chunk or partition of a collection, as a collection that is lazy.

    An array gives an array (n, n_columns), and a frame gives a frame with the same index.

    Parameters
    ----------
    predict : rows -> predictions (n, n_columns)
    names : of the columns
    dtype : of the predictions
    """
    if hasattr(X, "map_partitions"):
        import pandas as pd

        meta = pd.DataFrame({name: pd.Series([], dtype=dtype) for name in names})
        return X.map_partitions(_of_frame, predict, list(names), meta=meta)
    whole = X.rechunk({1: -1})
    chunks = (whole.chunks[0], (len(names),))
    return whole.map_blocks(_of_chunk, predict, len(names), dtype=dtype, chunks=chunks)


def _of_chunk(rows: Any, predict: Callable[[Any], Any], n_columns: int) -> Any:
    return predict(rows) if rows.shape[0] else np.empty((0, n_columns))


def _of_frame(frame: Any, predict: Callable[[Any], Any], names: list[Any]) -> Any:
    import pandas as pd

    values = predict(frame) if len(frame) else np.empty((0, len(names)))
    return pd.DataFrame(values, index=frame.index, columns=names)
