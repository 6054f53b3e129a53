"""What is to be inferred: data, candidate columns, the likelihood of targets, the hyperpriors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from sparsebayes._cached import cached_property
from sparsebayes.columns import AnyColumns, group_labels, identity_columns
from sparsebayes.hyperpriors import FLAT, Gamma
from sparsebayes.likelihoods import Layout, Likelihood, Noise, Placement
from sparsebayes.rows import Data, Rows, Statistic, evaluate_finite, make_rows

# The noise is not resolved below this fraction of the target's spread: beyond it, residuals of
# double precision carry no information.
NOISE_FLOOR = 1e-5
# A target varies if its spread is above this part of its size; below, it is rounding.
LEAST_SPREAD = 1e-12


# What a pass over rows or a factorisation costs besides its multiplications, in multiplications,
# and what the evaluation of columns costs besides: once, on dense or on sparse inputs, and for each
# of their values and each input.
CALL_COST = 2e6
DENSE_COST, SPARSE_COST, VALUE_COST = 6e6, 5e7, 150.0


@dataclass
class Work:
    """How much has been computed for a problem, in multiplications.

    It does not depend on a clock, so a fit that is given up for it ends at the same point on any
    machine.

    Attributes
    ----------
    done : so far
    limit : at which the present fit is to end
    """

    done: float = 0.0
    limit: float = np.inf

    @property
    def exhausted(self) -> bool:
        """Whether a fit has done all that it may."""
        return self.done > self.limit

    def add(self, multiplications: float) -> None:
        """Note a pass over rows, or a factorisation."""
        self.done += CALL_COST + multiplications


@dataclass(frozen=True)
class Problem:
    """One model to be fitted. Everything here stays as it is during inference.

    Parameters
    ----------
    data : inputs, target and weight of the rows
    columns : the candidates, bound to the training inputs
    likelihood : of the targets
    weight_hyperprior, noise_hyperprior : Gamma
    cache_size : megabytes that the columns of all rows may take; beyond, they are evaluated anew
        at every pass
    """

    data: Data
    columns: AnyColumns
    likelihood: Likelihood
    weight_hyperprior: Gamma = FLAT
    noise_hyperprior: Gamma = FLAT
    cache_size: float = 1000.0

    @classmethod
    def of_design(cls, design: np.ndarray, data: Data, likelihood: Likelihood) -> Problem:
        """A problem whose columns are those of a matrix (n_samples, m) that is at hand."""
        at_hand = data._replace(inputs=design)
        return cls(at_hand, identity_columns(design.shape[1]), likelihood, cache_size=np.inf)

    @cached_property
    def rows(self) -> Rows:
        """The rows, their columns evaluated when they are first asked for."""
        return make_rows(self.columns, self.data, self.cache_size)

    @cached_property
    def work(self) -> Work:
        """How much has been computed so far, for this problem and those made of it."""
        return Work()

    def fold(
        self, statistic: Statistic, chosen: np.ndarray | None, per_value: int = 1
    ) -> tuple[Any, ...]:
        """`Rows.fold`, and note its work.

        Parameters
        ----------
        chosen : the columns that are needed; None for all
        per_value : multiplications for each value of these
        """
        self._note_pass(chosen, per_value)
        return self.rows.fold(statistic, chosen)

    def map(
        self, function: Callable[[np.ndarray], np.ndarray], chosen: np.ndarray, per_value: int
    ) -> np.ndarray:
        """`Rows.map`, and note its work; see `fold`."""
        self._note_pass(chosen, per_value)
        return self.rows.map(function, chosen)

    def _note_pass(self, chosen: np.ndarray | None, per_value: int) -> None:
        n_columns = self.n_columns if chosen is None else len(chosen)
        values = float(len(self.data.target)) * n_columns
        if self.rows.evaluates:
            once = SPARSE_COST if issparse(self.data.inputs) else DENSE_COST
            self.work.add(once + VALUE_COST * values * (2 + self.data.inputs.shape[1]))
        self.work.add(values * per_value)

    def __getstate__(self) -> dict:
        """Without what is kept in memory: it is evaluated anew in another process."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def changed(self, **changes: Any) -> Problem:
        """Another problem with the same inputs and columns, which are not evaluated again."""
        other = replace(self, **changes)
        vars(other)["rows"] = self.rows.relabelled(other.data.target, other.data.weight)
        vars(other)["work"] = self.work
        return other

    def design(self, rows: np.ndarray, chosen: np.ndarray | None = None) -> np.ndarray:
        """The columns `chosen` (all by default) on some of the rows; on all they are at hand."""
        if len(rows) == len(self.data.target):
            return self.rows.map(np.ascontiguousarray, chosen)
        return evaluate_finite(self.columns, self.data.inputs[rows], chosen)

    @cached_property
    def n_columns(self) -> int:
        """The number of candidate columns."""
        return self.columns.n_columns

    @cached_property
    def layout(self) -> Layout:
        """How weights make latent values."""
        return self.likelihood.layout

    @cached_property
    def noise(self) -> Noise:
        """What is known of the noise."""
        return self.likelihood.noise

    @cached_property
    def labels(self) -> np.ndarray | None:
        """The group of each column, which has one precision (n_columns,); None without groups."""
        return group_labels(self.columns)

    @property
    def group_labels(self) -> np.ndarray:
        """The group of each column, where there are groups (n_columns,)."""
        assert self.labels is not None, "the columns are not in groups"
        return self.labels

    def over_groups(self, active: np.ndarray, values: np.ndarray) -> np.ndarray:
        """The sum of the values of its group, for each of some candidates (m,)."""
        if self.labels is None:
            return values
        _, place = np.unique(self.labels[active], return_inverse=True)
        return np.bincount(place, values)[place]

    @property
    def n_candidates(self) -> int:
        """The number of precisions: of columns, or of columns and classes."""
        return self.n_columns * self.layout.n_classes

    def place(self, candidates: np.ndarray) -> Placement:
        """Candidates, placed on the columns."""
        return self.layout.place(candidates, self.n_columns)

    def no_weights(self, n_candidates: int) -> np.ndarray:
        """Weights of zero (n_candidates, n_outputs)."""
        return np.zeros((n_candidates, self.layout.n_outputs))

    @cached_property
    def total_weight(self) -> float:
        """The number of rows, each counted with its weight."""
        return float(self.data.weight.sum())

    @cached_property
    def target_scale(self) -> Any:
        """The scale of the target, by the function `target_scale`."""
        return target_scale(self.data.target, self.data.weight)

    @cached_property
    def noise_precision_ceiling(self) -> Any:
        """The noise precision at which the noise counts as vanished."""
        return (NOISE_FLOOR * self.target_scale) ** -2


def target_scale(target: np.ndarray, weight: np.ndarray) -> Any:
    """Standard deviation of the target; of a constant target its size; 1 if all are zero.

    One number, or one for each of several targets (n, k).
    """
    share = weight / weight.sum()
    size = np.sqrt(share @ target**2)
    spread = np.sqrt(share @ (target - share @ target) ** 2)
    scale = np.where(spread > LEAST_SPREAD * size, spread, size)
    return np.where(scale > 0.0, scale, 1.0)[()]


class Precisions(NamedTuple):
    """Precisions of the weights, alpha (m,), and of the noise, beta."""

    weight: np.ndarray
    noise: float

    def of(self, kept: np.ndarray) -> Precisions:
        """The precisions of some of the weights, and of the noise."""
        return Precisions(self.weight[kept], self.noise)
