"""The rows of a dense model, all or some that stand for the others, and how large it may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.columns import spread
from sparsebayes.likelihoods import Likelihood
from sparsebayes.rows import Data, equal_rows


@dataclass(frozen=True)
class Budget:
    """How large a dense model may be.

    Attributes
    ----------
    rows : that precisions are found with; of more, these many. An evaluation costs rows cubed
    centres : of a kernel that is no covariance; of more, these many, spread evenly
    most_centres : of the dense model that a projection follows
    unseen : part of the noise; centres that change the variance of the process by less anywhere
        are left out
    seen_rows : with more, latent values at all rows are not worth what they cost
    work : rows times squared centres that it may take, some ten seconds
    """

    rows: int = 1000
    centres: int = 256
    most_centres: int = 2000
    unseen: float = 1e-5
    seen_rows: int = 4000
    work: float = 3e10


BUDGET = Budget()


class DenseRows(NamedTuple):
    """The rows of a dense model.

    Attributes
    ----------
    inputs : array or sparse matrix (n, n_features)
    targets : with one latent value each (k, n), or the classes of a softmax (1, n); or (1, n, j)
        where a likelihood wants several numbers for a row
    weight : how often each row counts (n,)
    likelihood : of each of the targets
    place : which of these rows each row of the data is; None where some are left out
    """

    inputs: Any
    targets: np.ndarray
    weight: np.ndarray
    likelihood: Likelihood
    place: np.ndarray | None

    @classmethod
    def of(cls, data: Data, likelihood: Likelihood) -> DenseRows:
        """All rows, their targets one by one."""
        targets, of_each = likelihood.one_by_one(data.target)
        return cls(data.inputs, targets, data.weight, of_each, np.arange(len(data.weight)))

    @property
    def n_rows(self) -> int:
        """How many there are."""
        return len(self.weight)

    def some(self, most: int) -> DenseRows:
        """Some rows, at most `most`, spread evenly in their order; all, as they are, if few."""
        return self if self.n_rows <= most else self.distinct().thinned(most)

    def distinct(self) -> DenseRows:
        """The rows in an order of their own, equal ones as one with the sum of their weights.

        So neither the order of the rows matters, nor whether one occurs twice or has weight two.
        """
        targets = np.moveaxis(self.targets, 1, -1).reshape(-1, self.n_rows)
        groups = equal_rows(self.inputs, targets)
        whole = None if self.place is None else groups.place[self.place]
        return self._take(groups.first, groups.total(self.weight), whole)

    def thinned(self, most: int) -> DenseRows:
        """Some of the rows, at most `most`, evenly spaced."""
        if self.n_rows <= most:
            return self
        chosen = spread(np.arange(self.n_rows), most)
        return self._take(chosen, self.weight[chosen], None)

    def _take(self, rows: np.ndarray, weight: np.ndarray, place: np.ndarray | None) -> DenseRows:
        return DenseRows(self.inputs[rows], self.targets[:, rows], weight, self.likelihood, place)
