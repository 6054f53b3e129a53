"""What a column must add to the log evidence to be kept.

The evidence of a model asks whether its columns are worth their precisions, not whether there were
others that could have been chosen. One of M columns of noise gains 1/2 (x - 1 - log x) with x = z^2
for the largest of M normal z, which is about log M: so many nats tell nothing. A prior says the
same. If each of M columns is as likely as not to be the only one that matters, it is so with
probability 1 / M, and log M is what its evidence has to make up for. That the evidence is
maximised over a precision of its own for each column, instead of averaged over it, is worth about
one nat more.

So a column has to gain log m + 1 beside the others of its model, if it was chosen from m: itself
and those that are not in the model. A column of noise is then as rare beside many columns as it is
beside none. Models are compared by their evidence less log C(M, k) + 1, as a set of k columns is
one of so many. For one column both are the same.
"""

from __future__ import annotations

import numbers
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from sparsebayes._cached import cached_property
from sparsebayes.columns import NO_ROW
from sparsebayes.problem import Problem

AUTO = "auto"
# Plain columns are many for the rows if there are more than this part of them: least squares of all
# then says little, and a search begins with few.
MANY = 0.25
# What is gained by a precision that is fitted.
OF_PRECISION = 1.0
# The pool of candidates of which each has a price of its own, whatever else is chosen.
NO_POOL = -1


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
    """What each candidate costs, and what a set of them does.

    Attributes
    ----------
    each : what each candidate, or the group that it is in, must gain alone (M,)
    many : whether there are many plain columns for the rows
    labels : of groups, which are paid for as a whole (M,); None if each candidate is for itself
    pools : which candidates are chosen from each other (M,); None if each pays for itself
    plain : whether columns are chosen that do not stand for each other, as kernels do
    """

    each: np.ndarray
    many: bool
    labels: np.ndarray | None = None
    pools: np.ndarray | None = None
    plain: bool = True

    @cached_property
    def any(self) -> bool:
        """Whether anything has a price."""
        return bool(self.each.any())

    def of(self, candidates: np.ndarray) -> float:
        """All of these together."""
        if self.labels is not None:
            _, first = np.unique(self.labels[candidates], return_index=True)
            candidates = candidates[first]
        return float(self._along(candidates)[-1])

    def beside(self, active: np.ndarray) -> np.ndarray:
        """What each candidate, or its group, must gain beside the others that are active (M,)."""
        if self.pools is None:
            return self.each
        price = self.each.copy()
        kept = np.isin(np.arange(len(price)), active)
        if self.labels is not None:
            kept = np.isin(self.labels, self.labels[active])
        for one, size in self._sizes.items():
            own = self.pools == one
            outside = size - self._units(own & kept)
            price[own] = np.log(np.maximum(outside + kept[own], 1)) + OF_PRECISION
        return price

    def _units(self, some: np.ndarray) -> int:
        """How many candidates, or groups, a mask has."""
        return int(some.sum()) if self.labels is None else len(np.unique(self.labels[some]))

    @property
    def largest(self) -> int:
        """How many candidates are chosen together, at most."""
        return 1 if self.labels is None else int(np.bincount(self.labels).max())

    def whole(self, candidates: np.ndarray) -> np.ndarray:
        """Candidates and all others of their groups, in ascending order."""
        if self.labels is None:
            return np.sort(candidates)
        return np.flatnonzero(np.isin(self.labels, self.labels[candidates]))

    def along(self, candidates: np.ndarray) -> np.ndarray:
        """Prices of the first 0, 1, 2, ... candidates (k + 1,); infinite for part of a group.

        Candidates of a group come one after the other.
        """
        if self.labels is None:
            return self._along(candidates)
        label = self.labels[candidates]
        ends = np.append(label[1:] != label[:-1], True) if len(label) else np.empty(0, dtype=bool)
        total = np.full(len(candidates) + 1, np.inf)
        total[np.append(0, 1 + np.flatnonzero(ends))] = self._along(candidates[ends])
        return total

    def _along(self, units: np.ndarray) -> np.ndarray:
        """Prices of the first 0, 1, 2, ... candidates, one of each group (k + 1,)."""
        if self.pools is None:
            return np.append(0.0, np.cumsum(self.each[units]))
        total, pool = np.zeros(len(units) + 1), self.pools[units]
        for one, size in self._sizes.items():
            total += of_set(size, np.append(0, np.cumsum(pool == one)))
        return total

    @cached_property
    def _sizes(self) -> dict[int, int]:
        """How many candidates or groups there are to choose from in each pool."""
        assert self.pools is not None
        pools = np.unique(self.pools[self.pools != NO_POOL])
        return {int(one): self._units(self.pools == one) for one in pools}


def prices_of(min_gain: float | str, problem: Problem) -> Prices:
    """One price for every candidate, or for "auto" by how many plain columns there are.

    Columns of a group are chosen together, so that there are as many choices as groups. Kernels
    have no price then: neighbours stand for each other, so there are not as many of them to choose
    from as there are rows. They stand for plain columns too, so these have a price beside them only
    where they are many. Nor has anything under a prior that lets no column go.
    """
    kinds, n_rows = problem.columns.kinds, len(problem.data.target)
    sizes = np.array([kind.n_columns for kind in kinds])
    own = np.array([bool(np.all(kind.centre_rows == NO_ROW)) for kind in kinds])
    crowd = own & (sizes > MANY * n_rows)
    charged = own if own.all() else crowd
    each, pools = np.zeros(problem.n_candidates), None
    if not isinstance(min_gain, str):
        each = each + float(min_gain)
    elif problem.weight_hyperprior.is_flat:
        each, pools = _automatic_prices(problem, charged)
    return Prices(each, bool(crowd.any()), problem.labels, pools, bool(charged.any()))


def _automatic_prices(problem: Problem, charged: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The price of each candidate alone, and its pool.

    Parameters
    ----------
    charged : which kinds of columns have a price
    """
    kinds, copies = problem.columns.kinds, np.arange(problem.layout.n_classes)[:, None]
    choices = np.array([kind.n_groups for kind in kinds])
    alone = np.where(charged, [automatic(size) for size in choices], 0.0)
    pool = np.where(alone > 0.0, np.arange(len(kinds)), NO_POOL)
    pools = np.where(pool == NO_POOL, NO_POOL, pool + len(kinds) * copies)
    sizes = [kind.n_columns for kind in kinds]
    each = np.tile(np.repeat(alone, sizes), len(copies))
    return each, np.repeat(pools, sizes, axis=1).ravel()


def automatic(n_columns: int) -> float:
    """The price of one of so many columns; a single one was not chosen from others."""
    return float(np.log(n_columns)) + OF_PRECISION if n_columns > 1 else 0.0


def of_set(n_columns: int, sizes: np.ndarray) -> np.ndarray:
    """The price of sets of so many columns out of all: log C(M, k) + 1, and 0 for none."""
    ways = gammaln(n_columns + 1) - gammaln(sizes + 1) - gammaln(n_columns - sizes + 1)
    return np.where(sizes > 0, ways + OF_PRECISION, 0.0)
