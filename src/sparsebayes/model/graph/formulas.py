"""Columns as expressions: the formulas of `model.columns`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.effects import Effects
from sparsebayes.model.graph.expression import (
    Node,
    exp,
    named,
    product,
    sin,
    size,
    smaller,
    sqrt,
    square,
    table,
    take,
    tanh,
    total,
)

# How labels of columns end.
COLUMNS = "columns"


class Row:
    """The inputs of a row, and selections of them, each made once."""

    def __init__(self, inputs: Node) -> None:
        self.inputs = inputs
        self._selections: dict[bytes, Node] = {}
        self._made: dict[Any, Node] = {}

    def some(self, numbers: np.ndarray) -> Node:
        """The inputs with these numbers, along an axis of their own unless they are all of them."""
        (axis,) = self.inputs.names
        if np.array_equal(numbers, np.arange(self.inputs.length(axis))):
            return self.inputs
        key = np.asarray(numbers, dtype=np.int64).tobytes()
        if key not in self._selections:
            name = f"used_{len(self._selections)}" if self._selections else "used"
            self._selections[key] = named("used", take(self.inputs, axis, numbers, name))
        return self._selections[key]

    def once(self, key: Any, make: Callable[[], Node]) -> Node:
        """What is the same wherever it is asked for, made at the first time."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]


Term = Callable[[Node, np.ndarray, str], Node]


def _items(i: str, values: np.ndarray, *axes: str) -> Node:
    """What columns along an axis such as column_0 are made of, called items_0."""
    return named(i.replace("column", "items"), table(values, i, *axes))


def _sum_over_inputs(row: Row, gamma: np.ndarray, *axes: tuple[str, int], term: Term) -> Node:
    """The sum of a term over the inputs whose gamma is not 0; these axes are left.

    A term takes the inputs that count, their numbers, and the name of their axis.
    """
    used = np.flatnonzero(gamma)
    if not len(used):
        zeros = table(np.zeros([length for _, length in axes]), *(name for name, _ in axes))
        return named(zeros.names[0].replace("column", "items"), zeros) if axes else zeros
    x = row.some(used)
    (d,) = x.names
    return total(d, term(x, used, d))


def _distance(row: Row, centres: np.ndarray, gamma: np.ndarray, i: str) -> Node:
    """sum_k gamma_k (x_k - c_k)^2."""

    def term(x: Node, used: np.ndarray, d: str) -> Node:
        return named("gamma", table(gamma[used], d)) * square(x - _items(i, centres[:, used], d))

    found = _sum_over_inputs(row, gamma, (i, len(centres)), term=term)
    return named("squared distance", found)


def _dot(row: Row, centres: np.ndarray, gamma: np.ndarray, i: str) -> Node:
    """sum_k gamma_k x_k c_k."""

    def term(x: Node, used: np.ndarray, d: str) -> Node:
        return _items(i, (gamma * centres)[:, used], d) * x

    return named("dot product", _sum_over_inputs(row, gamma, (i, len(centres)), term=term))


def gaussian(row: Row, centres: np.ndarray, i: str, gamma: np.ndarray) -> Node:
    """exp(-sum_k gamma_k (x_k - c_k)^2)."""
    return exp(-_distance(row, centres, gamma, i))


def cauchy(row: Row, centres: np.ndarray, i: str, gamma: np.ndarray) -> Node:
    """1 / (1 + sum_k gamma_k (x_k - c_k)^2)."""
    return 1.0 / (1.0 + _distance(row, centres, gamma, i))


def laplacian(row: Row, centres: np.ndarray, i: str, gamma: np.ndarray) -> Node:
    """exp(-sum_k gamma_k |x_k - c_k|)."""

    def term(x: Node, used: np.ndarray, d: str) -> Node:
        return named("gamma", table(gamma[used], d)) * size(x - _items(i, centres[:, used], d))

    found = _sum_over_inputs(row, gamma, (i, len(centres)), term=term)
    return exp(-named("distance", found))


def matern12(row: Row, centres: np.ndarray, i: str, gamma: np.ndarray) -> Node:
    """exp(-r), r^2 = sum_k gamma_k (x_k - c_k)^2."""
    return exp(-sqrt(_distance(row, centres, gamma, i)))


def matern32(row: Row, centres: np.ndarray, i: str, gamma: np.ndarray) -> Node:
    """(1 + r) exp(-r), r^2 = 3 sum_k gamma_k (x_k - c_k)^2."""
    radius = sqrt(_distance(row, centres, 3.0 * gamma, i))
    return (1.0 + radius) * exp(-radius)


def matern52(row: Row, centres: np.ndarray, i: str, gamma: np.ndarray) -> Node:
    """(1 + r + r^2 / 3) exp(-r), r^2 = 5 sum_k gamma_k (x_k - c_k)^2."""
    radius = sqrt(_distance(row, centres, 5.0 * gamma, i))
    return (1.0 + radius * (1.0 + radius / 3.0)) * exp(-radius)


def periodic(row: Row, centres: np.ndarray, i: str, gamma: np.ndarray, depth: float) -> Node:
    """exp(-depth sin(pi r)^2), r^2 = sum_k gamma_k (x_k - c_k)^2."""
    wave = sin(np.pi * sqrt(_distance(row, centres, gamma, i)))
    return exp(-(depth * square(wave)))


def linear(row: Row, centres: np.ndarray, i: str, gamma: np.ndarray, middle: np.ndarray) -> Node:
    """sum_k gamma_k (x_k - middle_k) (c_k - middle_k)."""
    scaled = gamma * (centres - middle)

    def term(x: Node, used: np.ndarray, d: str) -> Node:
        return _items(i, scaled[:, used], d) * (x - named("middle", table(middle[used], d)))

    return _sum_over_inputs(row, gamma, (i, len(centres)), term=term)


def polynomial(
    row: Row, centres: np.ndarray, i: str, gamma: np.ndarray, coef0: float, degree: int
) -> Node:
    """(sum_k gamma_k x_k c_k + coef0)^degree."""
    return (_dot(row, centres, gamma, i) + coef0) ** degree


def sigmoid(row: Row, centres: np.ndarray, i: str, gamma: np.ndarray, coef0: float) -> Node:
    """tanh(sum_k gamma_k x_k c_k + coef0)."""
    return tanh(_dot(row, centres, gamma, i) + coef0)


def linear_spline(row: Row, centres: np.ndarray, i: str) -> Node:
    """prod_k [1 + xc + xc min(x, c) - (x + c)/2 min(x, c)^2 + min(x, c)^3 / 3]. [T01] (29)"""
    x, (d,) = row.inputs, row.inputs.names
    c = _items(i, centres, d)
    low = smaller(x, c)
    squared = square(low)
    return product(d, 1.0 + x * c * (1.0 + low) - 0.5 * (x + c) * squared + squared * low / 3.0)


KNOT = "knot"


def effects(
    row: Row,
    centres: np.ndarray,
    i: str,
    gamma: np.ndarray,
    size: np.ndarray,
    orders: np.ndarray,
    knots: np.ndarray,
    shares: np.ndarray,
) -> Node:
    """a + E1 + b E2 + p prod_k exp(-gamma_k (x_k - c_k)^2); see `model.effects`."""
    each = Effects.of(gamma, size, knots, shares)
    if not len(each.number):
        return table(np.full(len(centres), orders[0] + orders[2]), i)
    x, own = row.some(each.number), each.values(centres)
    (d,) = x.names
    apart = named("gamma", table(each.gamma, d)) * square(x - _items(i, own.T, d))
    middle = named("means at items", table(each.means(own).T, i, d))
    effect = table(each.factor, d) * (exp(-apart) - _means(row, each, x) * middle)
    return _in_orders(d, named("effect", effect), orders, exp(-total(d, apart)))


def _means(row: Row, each: Effects, x: Node) -> Node:
    """m / sqrt(v) of each input."""
    (d,) = x.names
    key = (d, each.gamma.tobytes(), each.knots.tobytes(), each.shares.tobytes())

    def make() -> Node:
        apart = named("gamma", table(each.gamma, d)) * square(x - table(each.knots, d, KNOT))
        shares = table(each.shares / np.sqrt(each.mean)[:, None], d, KNOT)
        return named("means", total(KNOT, shares * exp(-apart)))

    return row.once(key, make)


def _in_orders(d: str, effect: Node, orders: np.ndarray, product: Node | float) -> Node:
    """a + E1 + b (E1^2 - sum_k e_k^2) / 2 + p product."""
    constant, of_pairs, of_all = map(float, orders)
    alone = named("sum of effects", total(d, effect))
    pairs = square(alone) - total(d, square(effect))
    return constant + alone + 0.5 * of_pairs * pairs + of_all * product


def ones(row: Row, items: np.ndarray, i: str) -> Node:
    """A constant."""
    return table(np.ones(len(items)), i)


def inputs(row: Row, items: np.ndarray, i: str) -> Node:
    """The inputs with these numbers."""
    return take(row.inputs, row.inputs.names[0], items, i)


def given_kernel(row: Row, items: np.ndarray, i: str, variance: float) -> Node:
    """Kernel values that are given in place of inputs."""
    return inputs(row, items, i)


def products(row: Row, exponents: np.ndarray, i: str) -> Node:
    """prod_k x_k^power_k; each item holds the power of each input."""
    used = np.flatnonzero(exponents.any(axis=0))
    if not len(used):
        return ones(row, exponents, i)
    x = row.some(used)
    (d,) = x.names
    return product(d, x ** _items(i, exponents[:, used], d))


def _one(row: Row, gamma: np.ndarray) -> Node:
    return table(1.0)


def _periodic_itself(row: Row, gamma: np.ndarray, depth: float) -> Node:
    return table(1.0)


def _linear_itself(row: Row, gamma: np.ndarray, middle: np.ndarray) -> Node:
    def term(x: Node, used: np.ndarray, d: str) -> Node:
        return named("gamma", table(gamma[used], d)) * square(
            x - named("middle", table(middle[used], d))
        )

    return _sum_over_inputs(row, gamma, term=term)


def _polynomial_itself(row: Row, gamma: np.ndarray, coef0: float, degree: int) -> Node:
    def term(x: Node, used: np.ndarray, d: str) -> Node:
        return named("gamma", table(gamma[used], d)) * square(x)

    return (_sum_over_inputs(row, gamma, term=term) + coef0) ** degree


def _spline_itself(row: Row) -> Node:
    x, (d,) = row.inputs, row.inputs.names
    return product(d, 1.0 + square(x) * (1.0 + x / 3.0))


def _given_itself(row: Row, variance: float) -> Node:
    return table(variance)


def _effects_itself(
    row: Row,
    gamma: np.ndarray,
    size: np.ndarray,
    orders: np.ndarray,
    knots: np.ndarray,
    shares: np.ndarray,
) -> Node:
    each = Effects.of(gamma, size, knots, shares)
    if not len(each.number):
        return table(orders[0] + orders[2])
    x = row.some(each.number)
    (d,) = x.names
    effect = table(each.factor, d) * (1.0 - square(_means(row, each, x)))
    return _in_orders(d, named("variance of effect", effect), orders, 1.0)


class FormulaNodes(NamedTuple):
    """What a formula is as an expression.

    Parameters
    ----------
    values : (row, items, axis of columns, **parameters) -> columns
    at_itself : (row, **parameters) -> the value of a kernel at its own centre; None for columns
        that are no covariance
    """

    values: Callable[..., Node]
    at_itself: Callable[..., Node] | None = None


FORMULAS: dict[str, FormulaNodes] = {
    "gaussian": FormulaNodes(gaussian, _one),
    "cauchy": FormulaNodes(cauchy, _one),
    "laplacian": FormulaNodes(laplacian, _one),
    "matern12": FormulaNodes(matern12, _one),
    "matern32": FormulaNodes(matern32, _one),
    "matern52": FormulaNodes(matern52, _one),
    "periodic": FormulaNodes(periodic, _periodic_itself),
    "effects": FormulaNodes(effects, _effects_itself),
    "linear": FormulaNodes(linear, _linear_itself),
    "polynomial": FormulaNodes(polynomial, _polynomial_itself),
    "sigmoid": FormulaNodes(sigmoid),
    "linear_spline": FormulaNodes(linear_spline, _spline_itself),
    "precomputed": FormulaNodes(given_kernel, _given_itself),
    "constant": FormulaNodes(ones),
    "inputs": FormulaNodes(inputs),
    "products": FormulaNodes(products),
}


def column_values(row: Row, columns: PlainColumns, i: str) -> Node:
    """The columns of one formula, along an axis of this name."""
    found = FORMULAS[columns.formula].values(row, columns.items, i, **columns.parameters)
    return named(f"{columns.formula} {COLUMNS}".replace("_", " "), found)


def at_itself(row: Row, columns: PlainColumns) -> Node:
    """The value of a kernel with its centre at the row."""
    formula = FORMULAS[columns.formula].at_itself
    assert formula is not None, "the columns are no covariance"
    return formula(row, **columns.parameters)
