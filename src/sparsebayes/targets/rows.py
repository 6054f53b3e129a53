"""Rows as targets read them: all in memory, or a first look at blocks of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.basis import Basis
from sparsebayes.columns import AnyColumns
from sparsebayes.rows import (
    Blocks,
    Data,
    Look,
    LookPass,
    RowReader,
    Weighed,
    are_counts,
    largest_values,
    merged,
    one_for_equal,
    weighed,
)
from sparsebayes.targets.values import (
    check_weight_size,
    class_weights,
    tell_factor,
    weighed_classes,
    with_class_weight,
)

# How many rows are in memory to learn scales from; centres are among them.
SAMPLE_ROWS = 10_000


class Seen(NamedTuple):
    """Rows whose weights are numbers of observations.

    Attributes
    ----------
    data : different rows, or a sample of them
    learning : weight of the rows while scales are learned, where it is another (n,)
    observed : how many observations all rows count as
    ends : targets, the least and the largest of all among them
    mean : of each output
    factor : of the weights
    """

    data: Data
    learning: np.ndarray | None
    observed: float
    ends: np.ndarray
    mean: Any
    factor: float = 1.0


class Labels(NamedTuple):
    """The classes that there are, and how often a row of each of them counts, or None."""

    classes: np.ndarray
    weights: np.ndarray | None


@dataclass(frozen=True)
class RowsInMemory:
    """Rows in memory, checked.

    Parameters
    ----------
    inputs, target, weight : of the rows
    found : attributes for the estimator, once it is fitted
    by_class : weight of the rows with those of their classes; None if it is the same
    """

    inputs: Any
    target: np.ndarray
    weight: np.ndarray
    found: dict[str, Any]
    by_class: np.ndarray | None = None

    @property
    def n_features(self) -> int:
        """How many inputs there are."""
        return self.inputs.shape[1]

    @property
    def largest_inputs(self) -> np.ndarray:
        """The largest absolute value of each input (n_features,)."""
        return largest_values(self.inputs)

    @property
    def n_outputs(self) -> int:
        """How many columns y has."""
        return 1 if self.target.ndim == 1 else self.target.shape[1]

    @property
    def squeezed(self) -> bool:
        """Whether y has no axis for outputs."""
        return self.target.ndim == 1

    @property
    def ends(self) -> np.ndarray:
        """Targets, the least and the largest of all among them."""
        return self.target

    @property
    def total(self) -> np.ndarray:
        """Weights, with those of the classes (n,)."""
        return self.weight if self.by_class is None else self.by_class

    def as_column(self) -> RowsInMemory:
        """The rows with targets that are one column, without its axis."""
        return replace(self, target=self.target[:, 0])

    def bind(self, basis: Basis) -> AnyColumns:
        """Candidate columns; rows of no weight are no centres."""
        return basis.bind(self.inputs, np.where(self.total > 0.0, self.weight, 0.0))

    def read_by(self, **how: Any) -> Blocks | None:
        """Blocks of rows: there are none."""
        return None

    def numbers(self, scaled: bool, density: bool) -> Seen:
        """The different rows of real targets.

        Parameters
        ----------
        scaled : whether weights are to be made numbers of observations
        density : whether targets have a density, and not a probability
        """
        rows = Data(self.inputs, self.target, self.weight).counted()
        data, learning = weighed(rows, density) if scaled else Weighed(merged(rows))
        observed = float(data.weight.sum())
        if scaled and not are_counts(rows.weight):
            tell_factor(observed / float(rows.weight.sum()), observed, numeric=True)
        mean = data.weight @ data.target / data.weight.sum()
        return Seen(data, learning, observed, data.target, mean)

    def labels(self, class_weight: Any) -> tuple[RowsInMemory, Labels]:
        """The rows with the weights of their classes, and the classes."""
        labels, code, n_rows = np.unique(self.target, return_inverse=True, return_counts=True)
        weights = class_weights(class_weight, labels, n_rows)
        by_class = None
        if weights is not None:
            by_class = with_class_weight(self.weight, weights[np.ravel(code)])
        rows = replace(self, by_class=by_class)
        return rows, Labels(np.unique(self.target[rows.total > 0.0]), weights)

    def coded(self, labels: Labels) -> Seen:
        """The different rows of classes, as numbers of these."""
        counted = Data(self.inputs, self.target, self.total).counted()
        codes = np.searchsorted(labels.classes, counted.target).astype(np.float64)
        own = self.weight[self.total > 0.0]
        data, learning = weighed_classes(Data(counted.inputs, codes, own), counted.weight)
        observed = float(data.weight.sum())
        if not are_counts(own) and not are_counts(counted.weight):
            given = counted.weight * own / one_for_equal(own) if self.by_class is not None else own
            tell_factor(observed / float(given.sum()), observed, numeric=False)
        return Seen(data, learning, observed, codes, 0.0)


@dataclass(frozen=True)
class RowsInBlocks:
    """Rows that come in blocks.

    Parameters
    ----------
    blocks : read as they are
    found : attributes for the estimator, once it is fitted
    given : X and y, as callbacks may ask for them
    n_target_axes : of y
    numeric : whether targets are numbers, and not labels
    squeezed : whether y has no axis for outputs
    """

    blocks: Blocks
    found: dict[str, Any]
    given: tuple[Any, Any]
    n_target_axes: int
    numeric: bool
    squeezed: bool

    inputs = None  # they are not in memory

    @cached_property
    def look(self) -> Look:
        """A first look at all rows, which are checked."""
        reader = RowReader(self.blocks.n_features, numeric=self.numeric)
        part = min(1.0, SAMPLE_ROWS / self.blocks.n_rows)
        (look,) = self.blocks.read_by(reader).fold(LookPass(self.numeric, part))
        check_weight_size("sample_weight", look.heaviest)
        return look

    @property
    def n_features(self) -> int:
        """How many inputs there are."""
        return self.blocks.n_features

    @property
    def largest_inputs(self) -> np.ndarray:
        """The largest absolute value of each input (n_features,)."""
        return self.look.largest_input

    @property
    def n_outputs(self) -> int:
        """How many columns y has."""
        return len(self.look.lowest)

    @property
    def ends(self) -> np.ndarray:
        """The least and the largest value of each output (2, k)."""
        return np.array([self.look.lowest, self.look.highest])

    @property
    def target(self) -> np.ndarray:
        """Targets of the sample."""
        return self.look.sample.data.target

    def as_column(self) -> RowsInBlocks:
        """The rows with targets that are one column, without its axis in predictions."""
        column = replace(self, squeezed=True)
        vars(column)["look"] = self.look  # which is a pass over all rows
        return column

    def bind(self, basis: Basis) -> AnyColumns:
        """Candidate columns, from the sample."""
        data, numbers = self.look.sample
        return basis.bind_sample(data.inputs, data.weight, numbers, self.look.n_rows)

    def read_by(self, **how: Any) -> Blocks:
        """Blocks of rows, as a `RowReader` makes them."""
        return self.blocks.read_by(RowReader(self.blocks.n_features, **how))

    def numbers(self, scaled: bool, density: bool) -> Seen:
        """The sample of real targets.

        Parameters
        ----------
        scaled : whether weights are to be made numbers of observations
        density : whether targets have a density, and not a probability
        """
        look, (data, _) = self.observed(scaled, density), self.look.sample
        learning = weighed(data, density).learning if scaled else None
        mean = look.target_sum / look.weight
        return Seen(
            merged(data._replace(weight=data.weight * look.factor)),
            learning,
            look.observed,
            self.ends,
            mean if self.n_target_axes > 1 else mean[0],
            look.factor,
        )

    def labels(self, class_weight: Any) -> tuple[RowsInBlocks, Labels]:
        """The rows, and the classes."""
        look = self.look
        weights = class_weights(class_weight, look.labels, look.label_rows[0])
        used = look.label_rows[1] > 0
        return self, Labels(look.labels[used], None if weights is None else weights[used])

    def coded(self, labels: Labels) -> Seen:
        """The sample of classes, as numbers of these."""
        data, _ = self.look.sample
        codes = np.searchsorted(labels.classes, data.target)
        own = data = data._replace(target=codes.astype(np.float64))
        if labels.weights is not None:
            data = own._replace(weight=own.weight * labels.weights[codes])
            check_weight_size("class_weight", float(data.weight.max()))
        look = self._observed(self.look.reweighted(data), data, False, numeric=False)
        learning = weighed_classes(own, data.weight).learning
        data = merged(data._replace(weight=data.weight * look.factor))
        return Seen(data, learning, look.observed, codes, 0.0, look.factor)

    def observed(self, scaled: bool, density: bool) -> Look:
        """The look at real targets, their weights numbers of observations; see `numbers`."""
        if not scaled:
            return replace(self.look, counts=True)
        return self._observed(self.look, self.look.sample.data, density, numeric=True)

    def _observed(self, look: Look, sample: Data, density: bool, numeric: bool) -> Look:
        """The look, its weights numbers of observations; those that are none are told."""
        found = look.as_observed(sample, density)
        if not self.look.counts:
            tell_factor(found.factor, found.observed, numeric)
        return found
