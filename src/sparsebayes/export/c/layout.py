"""Which columns there are tables of: those of the mean and of the error bars, each once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sparsebayes.model.columns import PlainColumns, n_columns
from sparsebayes.model.latent import Plain
from sparsebayes.model.spread import Spread

# Formulas in which an input counts only if its gamma is not zero.
SCALED = (
    *("gaussian", "cauchy", "laplacian", "matern12", "matern32", "matern52"),
    *("linear", "polynomial", "sigmoid"),
)


@dataclass(frozen=True)
class Bank:
    """Columns of one formula: first those of the mean, then those that only error bars need.

    Parameters
    ----------
    columns : all of them
    n_mean : how many the mean needs
    first_mean, first_more : the places of both parts among the columns of all formulas
    """

    columns: PlainColumns
    n_mean: int
    first_mean: int
    first_more: int

    @property
    def n_more(self) -> int:
        """How many only error bars need."""
        return self.columns.n_columns - self.n_mean


@dataclass(frozen=True)
class Layout:
    """The columns of all formulas, those of the mean first.

    Parameters
    ----------
    plain : the model; it has one column at least
    banks : columns by formula
    used : numbers of the inputs that count
    order : of each column of the spread, its place; None if these are the columns of the mean
    """

    plain: Plain
    banks: tuple[Bank, ...]
    used: np.ndarray
    order: np.ndarray | None

    @property
    def n_mean(self) -> int:
        """Columns of the mean."""
        return n_columns(self.plain.columns)

    @property
    def n_all(self) -> int:
        """Columns in all."""
        return sum(bank.columns.n_columns for bank in self.banks)

    @property
    def n_spread(self) -> int:
        """Columns of the spread."""
        return len(self.plain.spread.roots[0])


def layout_of(plain: Plain, with_spread: bool) -> Layout:
    """The layout of a model, with the columns that only its spread needs or without them."""
    plain = _with_a_column(plain)
    parts: list[tuple[PlainColumns, list[np.ndarray]]] = [
        (columns, list(columns.items)) for columns in plain.columns
    ]
    places = []
    if with_spread and plain.spread.columns is not None:
        places = [_place(columns, parts) for columns in plain.spread.columns]
    n_mean = [columns.n_columns for columns in plain.columns]
    n_mean += [0] * (len(parts) - len(n_mean))
    banks = _banks(parts, n_mean)
    order = None
    if places:
        order = np.array([_position(banks[k], i) for k, own in places for i in own], dtype=np.int64)
    return Layout(plain, banks, _used(banks), order)


def _with_a_column(plain: Plain) -> Plain:
    """The model with one column at least: without any it is given a constant with weight 0."""
    spread = plain.spread
    if not len(plain.weights):
        constant = PlainColumns("constant", np.zeros(1))
        plain = replace(plain, columns=(constant,), weights=np.zeros((1, plain.weights.shape[1])))
    if not len(spread.roots[0]):
        roots = tuple(np.zeros((len(plain.weights), 1)) for _ in spread.roots)
        plain = replace(plain, spread=Spread(roots, spread.process, spread.factor))
    return plain


def _place(
    columns: PlainColumns, parts: list[tuple[PlainColumns, list[np.ndarray]]]
) -> tuple[int, list[int]]:
    """The part that columns of the spread belong to, and their places there; some are added."""
    which = next((k for k, (own, _) in enumerate(parts) if same_formula(own, columns)), len(parts))
    if which == len(parts):
        parts.append((columns, []))
    items = parts[which][1]
    known = {np.asarray(item).tobytes(): place for place, item in reversed(list(enumerate(items)))}
    places = []
    for item in columns.items:
        place = known.setdefault(np.asarray(item).tobytes(), len(items))
        if place == len(items):
            items.append(item)
        places.append(place)
    return which, places


def same_formula(first: PlainColumns, second: PlainColumns) -> bool:
    """Whether columns differ in their items only."""
    return first.formula == second.formula and all(
        np.array_equal(value, second.parameters[name]) for name, value in first.parameters.items()
    )


def _banks(
    parts: list[tuple[PlainColumns, list[np.ndarray]]], n_mean: list[int]
) -> tuple[Bank, ...]:
    first_mean, first_more, banks = 0, sum(n_mean), []
    for (columns, items), own in zip(parts, n_mean, strict=True):
        banks.append(Bank(replace(columns, items=np.array(items)), own, first_mean, first_more))
        first_mean += own
        first_more += len(items) - own
    return tuple(banks)


def _position(bank: Bank, place: int) -> int:
    if place < bank.n_mean:
        return bank.first_mean + place
    return bank.first_more + place - bank.n_mean


def _used(banks: tuple[Bank, ...]) -> np.ndarray:
    """Numbers of the inputs that columns on points need."""
    needs = [np.zeros(0, dtype=np.int64)]
    for bank in banks:
        columns = bank.columns
        if columns.formula in SCALED:
            needs.append(np.flatnonzero(columns.parameters["gamma"]))
        elif columns.formula == "products":
            needs.append(np.flatnonzero(columns.items.any(axis=0)))
        elif columns.definition.on_points:
            needs.append(np.arange(columns.items.shape[1]))
    return np.unique(np.concatenate(needs))
