"""What a column must add to the log evidence to be kept.

The evidence of a model asks whether its columns are worth their precisions, not whether there were
many others that could have been chosen. One of M columns of noise gains 1/2 (x - 1 - log x) with
x = z^2 for the largest of M normal z, which is about log M: so many nats tell nothing. A prior says
the same. If each of M columns is as likely as not to be the only one that matters, it is so with
probability 1 / M, and log M is what its evidence has to make up for. That the evidence is
maximised over a precision of its own for each column, instead of averaged over it, is worth about
one nat more.
"""

from __future__ import annotations

import numbers
from dataclasses import dataclass

import numpy as np

from sparsebayes._cached import cached_property
from sparsebayes.columns import NO_ROW
from sparsebayes.problem import Problem

AUTO = "auto"
# Plain columns are many for the rows if there are more than this part of them.
MANY = 0.25
# What is gained by a precision that is fitted.
OF_PRECISION = 1.0


def check_min_gain(value: float | str) -> None:
    """An error unless it is a price."""
    if not isinstance(value, str) or value != AUTO:
        check_price(value, f"{AUTO!r} or ")


def check_price(value: float | str, other: str = "") -> None:
    """An error unless it is a number of 0 or more; `other` is what else it could be."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not value >= 0.0:
        raise ValueError(f"min_gain must be {other}a number of 0 or more, got {value!r}.")


@dataclass(frozen=True)
class Prices:
    """What each candidate costs.

    Attributes
    ----------
    each : of each candidate, or of the group that it is in (M,)
    many : whether there are many plain columns for the rows
    labels : of groups, which are paid for as a whole (M,); None if each candidate is for itself
    """

    each: np.ndarray
    many: bool
    labels: np.ndarray | None = None

    @cached_property
    def any(self) -> bool:
        """Whether anything has a price."""
        return bool(self.each.any())

    def of(self, candidates: np.ndarray) -> float:
        """All of these together."""
        if self.labels is not None:
            _, first = np.unique(self.labels[candidates], return_index=True)
            candidates = candidates[first]
        return float(self.each[candidates].sum())

    @property
    def largest(self) -> int:
        """How many candidates are chosen together, at most."""
        return 1 if self.labels is None else int(np.bincount(self.labels).max())

    def whole(self, candidates: np.ndarray) -> np.ndarray:
        """These and all others of their groups, in ascending order."""
        if self.labels is None:
            return np.sort(candidates)
        return np.flatnonzero(np.isin(self.labels, self.labels[candidates]))

    def along(self, candidates: np.ndarray) -> np.ndarray:
        """Of the first 0, 1, 2, ... of these (k + 1,); infinite where a group is not whole.

        Candidates of a group come one after the other.
        """
        price = self.each[candidates]
        if self.labels is None:
            return np.append(0.0, np.cumsum(price))
        label = self.labels[candidates]
        ends = np.append(label[1:] != label[:-1], True) if len(label) else np.empty(0, dtype=bool)
        total = np.cumsum(np.where(ends, price, 0.0))
        return np.append(0.0, np.where(ends, total, np.inf))


def prices_of(min_gain: float | str, problem: Problem) -> Prices:
    """The same for every candidate, or for "auto" by how many plain columns there are.

    Columns of a group are chosen together, so that there are as many choices as groups. Kernels
    have no price then: neighbours stand for each other, so there are not as many of them to
    choose from as there are rows. Nor has anything under a prior that lets no column go.
    """
    sizes = [kind.n_columns for kind in problem.columns.kinds]
    n_rows = len(problem.data.target)
    plain = [bool(np.all(kind.centre_rows == NO_ROW)) for kind in problem.columns.kinds]
    many = [own and size > MANY * n_rows for own, size in zip(plain, sizes, strict=True)]
    if not problem.weight_hyperprior.is_flat and isinstance(min_gain, str):
        own = [0.0] * len(sizes)
    elif isinstance(min_gain, str):
        choices = [kind.n_groups for kind in problem.columns.kinds]
        own = [automatic(size) if yes else 0.0 for size, yes in zip(choices, many, strict=True)]
    else:
        own = [float(min_gain)] * len(sizes)
    each = np.tile(np.repeat(own, sizes), problem.layout.n_classes)
    return Prices(each, any(many), problem.labels)


def automatic(n_columns: int) -> float:
    """The price of one of so many columns; a single one was not chosen from others."""
    return float(np.log(n_columns)) + OF_PRECISION if n_columns > 1 else 0.0
