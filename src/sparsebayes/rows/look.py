"""A first look at rows that come in blocks: how many, how large, which classes, and a sample."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sparsebayes.columns import as_stored
from sparsebayes.rows.blocks import joined_inputs
from sparsebayes.rows.merging import merged
from sparsebayes.rows.reader import Block, Place
from sparsebayes.rows.rows import Data, largest_values
from sparsebayes.rows.weighing import are_counts, factor_of_sums, observed_repeats

# Fractions of multiples of this are spread evenly, and follow no period that rows may have.
GOLDEN = (5.0**0.5 - 1.0) / 2.0


class Sample(NamedTuple):
    """Rows that stand for all.

    Attributes
    ----------
    data : inputs, targets and weights
    numbers : of the rows (n,)
    """

    data: Data
    numbers: np.ndarray


@dataclass(frozen=True)
class Look:
    """What is seen of rows at a first look. Looks at several blocks can be added.

    Attributes
    ----------
    n_rows : that have a positive weight
    weight, squared_weight : sums over all rows
    counts : whether all weights are integers, which count rows
    heaviest : the largest weight of a row
    largest_input : absolute value of each input (n_features,)
    target_sum : of each target, rows weighted (k,); nothing of labels
    lowest, highest : value of each target (k,); nothing of labels
    labels : that occur, in order; nothing of numbers
    label_rows : how many rows have each of them, and how many with a positive weight (2, n_labels)
    samples : some rows of each block
    """

    n_rows: int
    weight: float
    squared_weight: float
    counts: bool
    heaviest: float
    largest_input: np.ndarray
    target_sum: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray
    labels: np.ndarray
    label_rows: np.ndarray
    samples: tuple[Sample, ...]

    def __add__(self, other: Look) -> Look:
        labels, place = np.unique(np.concatenate([self.labels, other.labels]), return_inverse=True)
        both = np.concatenate([self.label_rows, other.label_rows], axis=1)
        label_rows = np.array([np.bincount(place, each, len(labels)) for each in both])
        return Look(
            self.n_rows + other.n_rows,
            self.weight + other.weight,
            self.squared_weight + other.squared_weight,
            self.counts and other.counts,
            max(self.heaviest, other.heaviest),
            np.maximum(self.largest_input, other.largest_input),
            self.target_sum + other.target_sum,
            np.minimum(self.lowest, other.lowest),
            np.maximum(self.highest, other.highest),
            labels,
            label_rows,
            self.samples + other.samples,
        )

    @property
    def factor(self) -> float:
        """What makes weights numbers of observations; 1 where they count rows."""
        return 1.0 if self.counts else factor_of_sums(self.weight, self.squared_weight)

    @property
    def observed(self) -> float:
        """How many observations the rows count as."""
        return self.factor * self.weight

    def reweighted(self, sample: Data) -> Look:
        """The look at rows whose weights were multiplied as those of this sample were."""
        now, before = sample.weight, self.sample.data.weight
        return replace(
            self,
            weight=self.weight * float(now.sum() / before.sum()),
            squared_weight=self.squared_weight * float((now @ now) / (before @ before)),
            counts=self.counts and are_counts(now),
        )

    def as_observed(self, sample: Data, density: bool) -> Look:
        """The look, whose weights count rows only if repeats of these are observations.

        Parameters
        ----------
        sample : with numbers as targets
        density : whether targets have a density, instead of a probability
        """
        if not self.counts or self.weight == self.squared_weight:
            return self
        return replace(self, counts=observed_repeats(merged(sample), True, density))

    @property
    def sample(self) -> Sample:
        """The rows of all blocks that stand for all."""
        kept = [each for each in self.samples if len(each.numbers)] or list(self.samples[:1])
        data = Data(
            as_stored(joined_inputs([each.data.inputs for each in kept])),
            np.concatenate([each.data.target for each in kept]),
            np.concatenate([each.data.weight for each in kept]),
        )
        return Sample(data, np.concatenate([each.numbers for each in kept]))


@dataclass(frozen=True)
class LookPass:
    """A first look at a block.

    Parameters
    ----------
    numeric : whether targets are numbers, and not labels
    part : of the rows that serve as a sample
    """

    numeric: bool
    part: float

    def __call__(self, block: Block) -> tuple[Look]:
        """The look, as a tuple that adds up."""
        inputs, target, weight = block.data
        used = np.flatnonzero(weight > 0.0)
        chosen = used[scattered(block.place, self.part, len(used))]
        sample = Sample(block.data.take(chosen), block.place.start + chosen)
        nothing = np.empty(0)
        whole, few, most = nothing, nothing, nothing
        labels, label_rows = nothing, np.empty((2, 0))
        if self.numeric:
            whole, few, most = self._numbers(target, weight, used)
        else:
            labels, place = np.unique(target, return_inverse=True)
            label_rows = np.array([np.bincount(place), np.bincount(place, weight > 0.0)])
        look = Look(
            len(used),
            float(weight.sum()),
            float(weight @ weight),
            are_counts(weight),
            float(weight.max(initial=0.0)),
            largest_values(inputs),
            whole,
            few,
            most,
            labels,
            label_rows,
            (sample,),
        )
        return (look,)

    def _numbers(
        self, target: np.ndarray, weight: np.ndarray, used: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sum, least and largest value of targets."""
        columns = target.reshape(len(target), -1)
        seen = columns[used]
        return (
            weight @ columns,
            seen.min(axis=0, initial=np.inf),
            seen.max(axis=0, initial=-np.inf),
        )


def scattered(place: Place, part: float, n_rows: int) -> np.ndarray:
    """Positions of about this part of the rows of a block, in ascending order.

    Each stands somewhere else in a stretch of its own, so that no period of the rows is hit, and no
    row is taken twice: to learn scales from, that would be a row whose target has less noise.

    Parameters
    ----------
    n_rows : of the block that can be taken
    """
    first, last = int(place.start * part), int(place.stop * part)
    number = min(last - first, n_rows)
    if number in (0, n_rows):
        return np.arange(number)
    stretches = np.arange(number + 1) * n_rows // number
    within = np.mod(np.arange(first, first + number) * GOLDEN, 1.0)
    return stretches[:-1] + (within * np.diff(stretches)).astype(np.intp)
