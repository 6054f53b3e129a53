"""Bound columns: functions of the inputs, one per column, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebayes.columns.formulas import Formula
from sparsebayes.columns.free_effects import FreeEffects
from sparsebayes.columns.geometry import Inputs
from sparsebayes.columns.scaled import FreeParameters, FreeScale, SeveralWidths

NO_ROW = -1


@dataclass(frozen=True)
class Columns:
    """Columns of one kind.

    Parameters
    ----------
    formula : (inputs, items) -> array of shape (n_samples, len(items))
    items : what tells the columns apart, one entry per column: a centre, an index, exponents
    centre_rows : the training row that each column is centred on, or `NO_ROW` (n_columns,)
    kind : the recipe that made them, as the names of columns say it, such as "gaussiankernel"
    free : which scales of the formula are to be learned; None for none
    positive_definite : whether the formula is a covariance, at the items and at the training inputs
    labels : of groups whose columns have one precision (n_columns,); None if each has its own
    rivals : other kernels that may take their place, if they are more likely
    """

    formula: Formula | SeveralWidths
    items: Any
    centre_rows: np.ndarray
    kind: str
    free: FreeScale | FreeParameters | FreeEffects | None = None
    positive_definite: bool = False
    labels: np.ndarray | None = None
    rivals: tuple[Columns, ...] = ()

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return len(self.centre_rows)

    @property
    def n_groups(self) -> int:
        """How many precisions they have."""
        return self.n_columns if self.labels is None else len(np.unique(self.labels))

    def check(self, n_features: int) -> None:
        """An error unless items, rows and labels are as many, and centres have so many inputs."""
        rows, centres = self.centre_rows, self.centres
        items = self.items if centres is None else centres
        labels = rows if self.labels is None else self.labels
        if rows.ndim != 1 or rows.dtype.kind != "i" or not isinstance(self.kind, str):
            raise ValueError("columns have no rows or no kind.")
        if not rows.shape == labels.shape == (items.shape[0],):
            raise ValueError("rows or labels do not go with the columns.")
        if centres is not None and centres.shape != (len(rows), n_features):
            raise ValueError(f"columns with centres of {n_features} inputs have others.")
        self.formula.check(self.items)

    def evaluate(self, inputs: Inputs, active: np.ndarray | None = None) -> np.ndarray:
        """The columns `active` (all by default) on `inputs`, of shape (n_samples, m)."""
        n_columns = self.n_columns if active is None else len(active)
        if not n_columns:
            return np.empty((inputs.shape[0], 0))
        return self.formula(inputs, self.items if active is None else self.items[active])

    @property
    def looked_up(self) -> bool:
        """Whether values between new inputs are not known, as with a precomputed kernel."""
        return self.formula.definition.looked_up

    @property
    def are_inputs(self) -> bool:
        """Whether the columns are all inputs, in their order."""
        own = self.formula.own_inputs(self.items)
        return own is not None and np.array_equal(own, np.arange(len(own)))

    @property
    def stay_sparse(self) -> bool:
        """Whether sparse inputs make columns that are as sparse."""
        return self.formula.definition.sparse_values is not None

    @property
    def _one_width(self) -> Formula:
        """The formula of columns that are a covariance, or linear, and so have one width."""
        assert isinstance(self.formula, Formula), "columns of several widths are neither"
        return self.formula

    def gradient(self, features: np.ndarray) -> np.ndarray:
        """Derivatives of linear columns for the inputs `features` (n_inputs, m)."""
        return self._one_width.gradient(self.items, features)

    def gradient_variance(self, features: np.ndarray) -> np.ndarray:
        """Variance of the derivatives of a linear process, before there are data (n_inputs,)."""
        return self._one_width.gradient_variance(features)

    def variance(self, inputs: Inputs) -> np.ndarray:
        """The value of a covariance between each of the inputs and itself (n_samples,)."""
        return self._one_width.at_itself(inputs)

    def between(self, inputs: Inputs, others: Inputs) -> np.ndarray:
        """The values of a covariance between inputs and others (n_inputs, n_others)."""
        return self._one_width.between(inputs, others)

    def between_items(self) -> np.ndarray:
        """The values of a covariance between the centres (n_columns, n_columns)."""
        return self._one_width.between_items(self.items)

    def tested(self, most: int = 256, rounding: float = 1e-8) -> Columns:
        """The columns, known to be a covariance if that is left to the data and they say so.

        The kernel values between some centres have to be symmetric and without a negative
        eigenvalue. Those of a precomputed kernel must have one variance, since that of new rows is
        not given.

        Parameters
        ----------
        most : centres that serve
        rounding : what is put down to rounding, relative to the largest value
        """
        if not self.formula.definition.may_be_covariance or not self.n_columns:
            return self
        values = self.subset(most).between_items()
        largest = float(np.abs(values).max())
        if not 0.0 < largest < np.inf or np.abs(values - values.T).max() > rounding * largest:
            return self
        if np.linalg.eigvalsh(values).min() < -rounding * largest:
            return self
        if not self.formula.definition.looked_up:
            return replace(self, positive_definite=True)
        variance = np.diag(values)
        if np.ptp(variance) > rounding * largest:
            return self
        formula = replace(self._one_width, options={"variance": float(variance.mean())})
        return replace(self, formula=formula, positive_definite=True)

    def for_new_inputs(self) -> Columns:
        """The columns without what only a fit needs."""
        return replace(self, formula=self.formula.for_new_inputs())

    def keep(self, active: np.ndarray) -> Columns:
        """Only the columns `active`."""
        labels = None if self.labels is None else self.labels[active]
        centre_rows = self.centre_rows[active]
        return replace(self, items=self.items[active], centre_rows=centre_rows, labels=labels)

    def order_by_row(self) -> np.ndarray:
        """The order of the columns in which the rows they are centred on ascend."""
        return np.argsort(self.centre_rows, kind="stable")

    @property
    def kinds(self) -> tuple[Columns, ...]:
        """The columns of each kind: one."""
        return (self,)

    @property
    def log_scales(self) -> np.ndarray:
        """Logarithms of the scales that are to be learned (n_scales,)."""
        return np.empty(0) if self.free is None else self.free.logarithm(self.formula.gamma)

    @property
    def sorts(self) -> tuple[str, ...]:
        """What each of the scales that are to be learned is (n_scales,)."""
        return () if self.free is None else self.free.sorts

    @property
    def log_spreads(self) -> np.ndarray:
        """Logarithms of the scales that the spread of the training inputs suggests (n_scales,)."""
        return np.empty(0) if self.free is None else self.free.log_spread

    @property
    def log_wholes(self) -> np.ndarray:
        """Logarithms of scales that the spread of all inputs suggests, extreme ones included."""
        return np.empty(0) if self.free is None else self.free.log_whole

    @property
    def log_limits(self) -> np.ndarray | None:
        """How far log scales may go (n_scales, 2), where that is given."""
        return None if self.free is None else self.free.limits

    @property
    def held_back(self) -> list[str]:
        """Names of learned parameters that would have to be larger than they may be."""
        return [] if self.free is None else self.free.held_back(self.formula.gamma)

    def rescaled(self, log_scales: np.ndarray) -> Columns:
        """The columns at other scales."""
        if self.free is None:
            return self
        moved = self.free.moved(self.formula.gamma, log_scales)
        return replace(self, formula=self.formula.at(moved))

    def scale_gradient(
        self,
        inputs: Inputs,
        sensitivity: np.ndarray,
        values: np.ndarray | None = None,
    ) -> np.ndarray:
        """Derivatives for `log_scales` of something whose derivatives for the columns are given.

        sum_nm sensitivity_nm d phi_nm / d log_scale_k (n_scales,).  [T01] (53)

        Parameters
        ----------
        values : of the columns at the inputs, where they are known
        """
        if self.free is None or not sensitivity.size:
            return np.zeros(len(self.log_scales))
        return self.free.gather(self.formula.slope(inputs, self.items, sensitivity, values))

    def subset(self, most: int) -> Columns:
        """Some of the columns with a centre, at most `most`, evenly spaced, to stand for all.

        Columns with several widths that are to be learned keep the smallest width only. Columns
        without a centre all stay.
        """
        if self.n_columns and self.centre_rows[0] == NO_ROW:
            return self
        columns = self if self.free is None else self.formula.narrowest(self)
        return columns.keep(spread(np.arange(columns.n_columns), most))

    @property
    def centres(self) -> Inputs | None:
        """The points that the columns are centred on (n_columns, n_features).

        None where there are none, as with a precomputed kernel.
        """
        return self.formula.centres(self.items)

    def names(self, feature_names: Sequence[str]) -> list[str]:
        """A name for each column."""
        return [
            self.formula.label(self.kind, self.items[i], int(row), feature_names)
            for i, row in enumerate(self.centre_rows)
        ]


def identity_columns(n_columns: int, labels: np.ndarray | None = None) -> Columns:
    """Columns that are the inputs themselves."""
    none = np.full(n_columns, NO_ROW)
    return Columns(Formula("inputs"), np.arange(n_columns), none, "linear", labels=labels)


def spread(items: np.ndarray, most: int) -> np.ndarray:
    """Some of the items, at most `most`, evenly spaced in their order."""
    if most >= len(items):
        return items
    return items[np.linspace(0, len(items) - 1, most).round().astype(np.intp)]
