"""Latent values of a row and how uncertain they are, as expressions.

Columns that the mean and the error bars share are computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import add

import numpy as np

from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.graph.expression import (
    Node,
    larger,
    named,
    renamed,
    smaller,
    square,
    table,
    take,
    total,
    where,
)
from sparsebayes.model.graph.formulas import Row, at_itself, column_values
from sparsebayes.model.latent import Plain
from sparsebayes.model.spread import Spread

# Columns of one formula, with one axis; None where there are none.
Columns = Node | None


@dataclass
class Bank:
    """All columns of one formula: those of the mean first, each other one that error bars need."""

    columns: PlainColumns
    items: list[np.ndarray] = field(default_factory=list)
    values: Columns = None

    def places(self, items: np.ndarray) -> np.ndarray:
        """Where columns with these items are; new ones are added."""
        known = {each.tobytes(): place for place, each in reversed(list(enumerate(self.items)))}
        found = []
        for each in map(np.asarray, items):
            found.append(known.setdefault(each.tobytes(), len(self.items)))
            if found[-1] == len(self.items):
                self.items.append(each)
        return np.array(found, dtype=np.int64)

    def has_formula_of(self, other: PlainColumns) -> bool:
        """Whether columns differ from those of the bank in their items only."""
        own = self.columns
        return own.formula == other.formula and all(
            np.array_equal(value, other.parameters[name]) for name, value in own.parameters.items()
        )

    def some(self, places: np.ndarray, stem: str, name: str) -> Columns:
        """The values of columns at some places, along an axis of this name unless they are all."""
        if self.values is None or not len(places):
            return None
        (axis,) = self.values.names
        if np.array_equal(places, np.arange(self.values.length(axis))):
            return self.values
        return named(f"{stem}places", take(self.values, axis, places, f"{stem}{name}"))


def shared_columns(
    row: Row, design: Sequence[PlainColumns], spread: Sequence[PlainColumns], stem: str
) -> tuple[list[Columns], list[Columns]]:
    """Columns of the mean and of the error bars by formula, taken from banks of both."""
    banks = [Bank(each, list(map(np.asarray, each.items))) for each in design]
    of_mean = [(bank, np.arange(bank.columns.n_columns)) for bank in banks]
    of_spread = []
    for each in spread:
        bank = next((one for one in banks if one.has_formula_of(each)), None)
        if bank is None:
            banks.append(bank := Bank(each))
        of_spread.append((bank, bank.places(each.items)))
    for k, bank in enumerate(banks):
        if bank.items:
            every = replace(bank.columns, items=np.array(bank.items))
            bank.values = column_values(row, every, f"{stem}column_{k}")
    return (
        [bank.some(places, stem, f"weight_{k}") for k, (bank, places) in enumerate(of_mean)],
        [bank.some(places, stem, f"cover_{g}") for g, (bank, places) in enumerate(of_spread)],
    )


# The label of the variance that error bars are made of.
ERROR_BARS = "variance of the process"


class LatentNodes:
    """f = phi'w of a row, k values along an axis; a single one has no axis.

    Variances of several processes are along an axis; that of a single one has no axis.

    Parameters
    ----------
    plain : columns, weights and their spread
    row : the inputs
    axis : the name of the axis of latent values
    stem : begins the names of all other axes and labels
    shared : whether columns that the mean and the error bars have in common are one node
    """

    def __init__(
        self, plain: Plain, row: Row, axis: str, stem: str = "", shared: bool = False
    ) -> None:
        self.plain, self.row, self.stem, self.shared = plain, row, stem, shared
        self.axes: tuple[str, ...] = (axis,) if plain.weights.shape[1] > 1 else ()
        self.processes: tuple[str, ...] = (f"{stem}process",) if len(plain.spread.roots) > 1 else ()
        self.part = f"{stem}part"

    @property
    def spread(self) -> Spread:
        """How uncertain the weights are."""
        return self.plain.spread

    @cached_property
    def mean(self) -> Node:
        """The mean of each latent value."""
        weights = self.plain.weights if self.axes else self.plain.weights[:, 0]
        return self._named("latent", self._times("weights", self._design, weights, *self.axes))

    @cached_property
    def process_variance(self) -> Node:
        """V_p = |root_p' v|^2 + sum_g amplitude_gp max(k_g(x, x) - |v_g|^2, 0)."""
        return self._named(ERROR_BARS, reduce(add, self._left, self._known))

    @cached_property
    def variance(self) -> Node:
        """The variance of each latent value."""
        value, factor = self.process_variance, self.spread.factor
        if value.names:
            (process,) = self.processes
            value = take(value, process, self.spread.process, *self.axes or ("latent",))
            value = self._named("process", value)
            value = value if self.axes else total("latent", value)
        if np.any(factor != 1.0):
            own = table(factor if self.axes else factor[0], *self.axes)
            value = self._named("factor", own) * value
        return self._named("variance", value)

    @cached_property
    def covariance(self) -> Node:
        """Between latent values that have one set of weights: along their axis, and "other"."""
        (axis,), roots = self.axes, np.stack(self.spread.roots, axis=1)
        if not roots.size:
            return table(np.zeros((len(self.spread.roots),) * 2), axis, "other")
        half = self._times("roots", self._whitened, roots, axis, self.part)
        return self._named(ERROR_BARS, total(self.part, half * renamed(half, axis, "other")))

    @cached_property
    def novelty(self) -> Node:
        """The share of the variance of the processes that is left, mean over them."""
        if not self._priors:
            return table(1.0)
        parts = list(zip(self._whitened, self.spread.whiteners, strict=True))
        known = self._known
        if any(white is None for _, white in parts):
            known = self._squares(
                [v if v is None or white is not None else _nothing(v) for v, white in parts]
            )
        left = reduce(add, self._left, known)
        prior = reduce(add, [own * amplitude for own, _, amplitude in self._priors])
        share = where(prior > 0.0, left / where(prior > 0.0, prior, 1.0), 1.0)
        if share.names:
            share = total(share.names[0], share) / float(share.axes[0][1])
        return self._named("novelty", larger(smaller(share, 1.0), 0.0))

    @cached_property
    def _columns(self) -> tuple[list[Columns], list[Columns]]:
        """Columns of the mean and of the spread, by formula."""
        own = self.spread.columns
        if self.shared and own is not None:
            return shared_columns(self.row, self.plain.columns, own, self.stem)
        return self._values(self.plain.columns, "column"), self._values(own or (), "cover")

    @property
    def _design(self) -> list[Columns]:
        return self._columns[0]

    @cached_property
    def _whitened(self) -> list[Columns]:
        """v_g of all formulas."""
        if self.spread.columns is None:
            return self._design
        found = list(self._columns[1])
        for g, (phi, white) in enumerate(zip(found, self.spread.whiteners, strict=True)):
            if phi is not None and white is not None:
                axis = f"{self.stem}white_{g}"
                found[g] = self._named("whitened", self._times(f"white_{g}", [phi], white.T, axis))
        return found

    @property
    def _priors(self) -> list[tuple[Node, Columns, Node]]:
        """The prior variance, the columns v_g and the amplitudes of each process of a formula."""
        if self.spread.columns is None or self.spread.amplitude is None:
            return []
        parts = zip(self.spread.columns, self._whitened, self.spread.whiteners, strict=True)
        return [
            (at_itself(self.row, columns), v, self._of_processes(own))
            for (columns, v, white), own in zip(parts, self.spread.amplitude, strict=True)
            if white is not None
        ]

    def _of_processes(self, values: np.ndarray) -> Node:
        """A table with a number for each process."""
        own = table(values if self.processes else values[0], *self.processes)
        return self._named("amplitude", own) if self.processes else own

    @cached_property
    def _left(self) -> list[Node]:
        """amplitude_gp max(k_g(x, x) - |v_g|^2, 0) of each formula."""
        return [
            amplitude * larger(own if v is None else own - self._square(v), 0.0)
            for own, v, amplitude in self._priors
        ]

    def _square(self, v: Node) -> Node:
        return self._named("known of the prior", total(v.names[0], square(v)))

    @cached_property
    def _known(self) -> Node:
        """|root_p' v|^2."""
        known = self._squares(self._whitened)
        return self._named("known variance", known) if self._priors else known

    def _squares(self, parts: Sequence[Columns]) -> Node:
        """|root_p' v|^2 of some v, by a triangle in place of each root."""
        triangles = [np.asarray(np.linalg.qr(root.T, mode="r")).T for root in self.spread.roots]
        longest = max(each.shape[1] for each in triangles)
        if not longest:
            return table(0.0)
        padded = [np.pad(each, ((0, 0), (0, longest - each.shape[1]))) for each in triangles]
        matrix = np.stack(padded, axis=1) if self.processes else padded[0]
        half = self._times("roots", parts, matrix, *self.processes, self.part)
        return total(self.part, square(half))

    def _values(self, columns: Sequence[PlainColumns], stem: str) -> list[Columns]:
        return [
            column_values(self.row, each, f"{self.stem}{stem}_{g}") if each.n_columns else None
            for g, each in enumerate(columns)
        ]

    def _times(self, label: str, parts: Sequence[Columns], matrix: np.ndarray, *axes: str) -> Node:
        """Columns of all formulas times a matrix of their axis and these."""
        ends = np.cumsum([0 if v is None else v.axes[0][1] for v in parts], dtype=int)
        terms = [
            _product(v, rows, *axes, label=f"{self.stem}{label}")
            for v, rows in zip(parts, np.split(matrix, ends)[:-1], strict=True)
            if v is not None
        ]
        if len(terms) > 1:
            terms = [self._named(f"{label} times columns", each) for each in terms]
        return reduce(add, terms) if terms else table(np.zeros(matrix.shape[1:]), *axes)

    def _named(self, label: str, value: Node) -> Node:
        return named(f"{self.stem}{label}".replace("_", " "), value)


def _nothing(v: Node) -> Node:
    """Zeros in place of columns."""
    return table(np.zeros([length for _, length in v.axes]), *v.names)


def _product(v: Node, matrix: np.ndarray, *axes: str, label: str) -> Node:
    """The sum over columns of v times a matrix; constants are multiplied here and now."""
    if v.data is not None and v.is_table:
        return table(np.tensordot(v.data, matrix, axes=1), *axes)
    (i,) = v.names
    return total(i, named(label, table(matrix, i, *axes)) * v)
