"""The formulas of columns as SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sparsebayes.export.sql.chain import Chain
from sparsebayes.export.sql.dialects import Dialect, product, total
from sparsebayes.export.sql.inputs import Limits
from sparsebayes.export.sql.vectors import Vector, vector
from sparsebayes.model.columns import PlainColumns

# Columns stay below 10^120, so that their squares, times weights, do not overflow.
MOST_DIGITS = 120
# Powers of inputs stay above 10^-200, where an underflow is an error.
MOST_SMALL_DIGITS = 200
# A smaller exponent gives 1e-120 there, which is next to nothing.
LEAST_EXPONENT = -276.0


@dataclass(frozen=True)
class Writer:
    """What a model is written with: a chain of SELECTs, and the inputs of a row by number."""

    chain: Chain
    dialect: Dialect
    inputs: Mapping[int, str]

    def number(self, value: float) -> str:
        """A literal."""
        return self.dialect.number(value)

    def vector(self, stem: str, expressions: Sequence[str]) -> Vector:
        """Numbers that this SELECT computes."""
        return vector(self.chain, self.dialect, stem, expressions)

    def shifted(self, used: np.ndarray, middle: np.ndarray, scale: np.ndarray) -> list[str]:
        """scale_k (x_k - middle_k) of the inputs that are used."""
        return [
            f"{self.number(scale[k])} * ({self.inputs[int(k)]} - {self.number(middle[k])})"
            for k in used
        ]


@dataclass(frozen=True)
class Written:
    """Columns of one formula, and the value of a kernel at its own centre, as expressions."""

    values: list[str]
    at_itself: str = ""


def _of_gamma(columns: PlainColumns) -> np.ndarray:
    return np.flatnonzero(columns.parameters["gamma"])


def _of_powers(columns: PlainColumns) -> np.ndarray:
    return np.flatnonzero(columns.items.any(axis=0))


def _all_inputs(columns: PlainColumns) -> np.ndarray:
    return np.arange(columns.items.shape[1])


def _own_numbers(columns: PlainColumns) -> np.ndarray:
    return np.unique(columns.items)


def _none(columns: PlainColumns) -> np.ndarray:
    return np.empty(0, dtype=int)


# A scaled distance from the middle of the centres beyond which too many digits would be lost.
FAR = 1e3


def _middle(columns: PlainColumns) -> np.ndarray:
    """A point amid the centres. Distances from there keep their digits when they are scaled."""
    items = columns.items
    return np.median(items, axis=0) if len(items) else np.zeros(items.shape[1])


def _squared_distances(writer: Writer, columns: PlainColumns) -> list[str]:
    """sum_k (s_k - t_k)^2 with s = sqrt(gamma) (x - middle), t = sqrt(gamma) (c - middle)."""
    used, middle = _of_gamma(columns), _middle(columns)
    root = np.sqrt(columns.parameters["gamma"])
    centres = (root * (columns.items - middle))[:, used]
    if np.abs(centres).max(initial=0.0) > FAR:
        return [_one_by_one(writer, columns, centre) for centre in columns.items]
    scaled = writer.vector("s", writer.shifted(used, middle, root))
    return [scaled.squared_distance(centre) for centre in centres]


def _one_by_one(writer: Writer, columns: PlainColumns, centre: np.ndarray) -> str:
    """sum_k gamma_k (x_k - c_k)^2, which keeps its digits wherever centres are."""
    gamma = columns.parameters["gamma"]
    terms = []
    for k in _of_gamma(columns):
        apart = f"({writer.inputs[k]} - {writer.number(centre[k])})"
        terms.append(f"{writer.number(gamma[k])} * {apart} * {apart}")
    return total(terms)


def gaussian(writer: Writer, columns: PlainColumns) -> Written:
    """exp(-sum_k gamma_k (x_k - c_k)^2)."""
    distances = _squared_distances(writer, columns)
    return Written([writer.dialect.exp(f"-({each})", LEAST_EXPONENT) for each in distances], "1e0")


def cauchy(writer: Writer, columns: PlainColumns) -> Written:
    """1 / (1 + sum_k gamma_k (x_k - c_k)^2)."""
    distances = _squared_distances(writer, columns)
    return Written([f"1e0 / (1e0 + {each})" for each in distances], "1e0")


def laplacian(writer: Writer, columns: PlainColumns) -> Written:
    """exp(-sum_k gamma_k |x_k - c_k|)."""
    used, gamma = _of_gamma(columns), columns.parameters["gamma"]
    names = [writer.inputs[k] for k in used]
    factors = [writer.number(gamma[k]) for k in used]
    values = []
    for centre in columns.items[:, used]:
        parts = zip(factors, names, map(writer.number, centre), strict=True)
        terms = [f"{factor} * abs({x} - {c})" for factor, x, c in parts]
        values.append(writer.dialect.exp(f"-{total(terms)}", LEAST_EXPONENT))
    return Written(values, "1e0")


def matern12(writer: Writer, columns: PlainColumns) -> Written:
    """exp(-r), r^2 = sum_k gamma_k (x_k - c_k)^2."""
    return _of_radius(writer, columns, 1.0, "{fall}")


def matern32(writer: Writer, columns: PlainColumns) -> Written:
    """(1 + r) exp(-r), r^2 = 3 sum_k gamma_k (x_k - c_k)^2."""
    return _of_radius(writer, columns, 3.0, "(1e0 + {r}) * {fall}")


def matern52(writer: Writer, columns: PlainColumns) -> Written:
    """(1 + r + r^2 / 3) exp(-r), r^2 = 5 sum_k gamma_k (x_k - c_k)^2."""
    return _of_radius(writer, columns, 5.0, "(1e0 + {r} * (1e0 + {r} / 3e0)) * {fall}")


def _of_radius(writer: Writer, columns: PlainColumns, twice_nu: float, form: str) -> Written:
    """exp(-r) times a polynomial of r, each r in a SELECT between."""
    factor, distances = writer.number(twice_nu), _squared_distances(writer, columns)
    writer.chain.stage("radii")
    radii = [writer.chain.put("r", f"sqrt({factor} * ({each}))") for each in distances]
    falls = [writer.dialect.exp(f"-{r}", LEAST_EXPONENT) for r in radii]
    values = [form.format(r=r, fall=fall) for r, fall in zip(radii, falls, strict=True)]
    return Written(values, "1e0")


def linear(writer: Writer, columns: PlainColumns) -> Written:
    """sum_k gamma_k (x_k - middle_k) (c_k - middle_k)."""
    used, middle = _of_gamma(columns), columns.parameters["middle"]
    root = np.sqrt(columns.parameters["gamma"])
    scaled = writer.vector("s", writer.shifted(used, middle, root))
    centres = (root * (columns.items - middle))[:, used]
    return Written([scaled.dot(centre) for centre in centres], scaled.squares())


def polynomial(writer: Writer, columns: PlainColumns) -> Written:
    """(sum_k gamma_k x_k c_k + coef0)^degree."""
    power = writer.number(columns.parameters["degree"])
    bases, own = _inner_products(writer, columns)
    return Written([f"pow({each}, {power})" for each in bases], f"pow({own}, {power})")


def sigmoid(writer: Writer, columns: PlainColumns) -> Written:
    """tanh(sum_k gamma_k x_k c_k + coef0)."""
    bases, _ = _inner_products(writer, columns)
    return Written([f"tanh({each})" for each in bases])


def _inner_products(writer: Writer, columns: PlainColumns) -> tuple[list[str], str]:
    """sum_k gamma_k x_k c_k + coef0, and the same with x in place of c."""
    used = _of_gamma(columns)
    root = np.sqrt(columns.parameters["gamma"])
    coef0 = writer.number(columns.parameters["coef0"])
    scaled = writer.vector("s", writer.shifted(used, np.zeros_like(root), root))
    centres = (root * columns.items)[:, used]
    return [f"{scaled.dot(c)} + {coef0}" for c in centres], f"{scaled.squares()} + {coef0}"


def linear_spline(writer: Writer, columns: PlainColumns) -> Written:
    """prod_k [1 + xc + xc min(x, c) - (x + c)/2 min(x, c)^2 + min(x, c)^3 / 3]. [T01] (29)"""
    names = [writer.inputs[k] for k in range(columns.items.shape[1])]
    values = []
    for centre in columns.items:
        pairs = list(zip(names, map(writer.number, centre), strict=True))
        values.append(product([_spline_factor(x, c) for x, c in pairs]))
    own = [f"(1e0 + {x} * {x} + {x} * {x} * {x} / 3e0)" for x in names]
    return Written(values, product(own))


def _spline_factor(x: str, c: str) -> str:
    smaller, larger = (
        f"1e0 + {x} * {c} * (1e0 + {least}) - 0.5e0 * ({x} + {c}) * {least} * {least} "
        f"+ {least} * {least} * {least} / 3e0"
        for least in (x, c)
    )
    return f"(CASE WHEN {x} < {c} THEN {smaller} ELSE {larger} END)"


def constant(writer: Writer, columns: PlainColumns) -> Written:
    """A constant."""
    return Written(["1e0"] * columns.n_columns)


def take(writer: Writer, columns: PlainColumns) -> Written:
    """The inputs with these numbers."""
    return Written([writer.inputs[k] for k in columns.items])


def given_kernel(writer: Writer, columns: PlainColumns) -> Written:
    """Kernel values that are given in place of inputs."""
    values = [writer.inputs[k] for k in columns.items]
    return Written(values, writer.number(columns.parameters["variance"]))


def products(writer: Writer, columns: PlainColumns) -> Written:
    """prod_k x_k^power_k."""
    return Written(
        [
            product([x for k, x in writer.inputs.items() for _ in range(int(powers[k]))])
            for powers in columns.items
        ]
    )


@dataclass(frozen=True)
class SqlFormula:
    """How a formula is written.

    Parameters
    ----------
    write : (writer, columns) -> expressions; what these need goes into the SELECT before them
    used : columns -> the numbers of the inputs that matter
    growth : columns -> the power of the inputs with which columns grow
    powers : columns -> the highest power of an input that is computed
    """

    write: Callable[[Writer, PlainColumns], Written]
    used: Callable[[PlainColumns], np.ndarray] = _of_gamma
    growth: Callable[[PlainColumns], int] = lambda columns: 2
    powers: Callable[[PlainColumns], int] = lambda columns: 2


def _degree(columns: PlainColumns) -> int:
    return int(columns.parameters["degree"])


def _total_power(columns: PlainColumns) -> int:
    return int(columns.items.sum(axis=1).max(initial=1))


SQL_FORMULAS: dict[str, SqlFormula] = {
    "gaussian": SqlFormula(gaussian),
    "cauchy": SqlFormula(cauchy),
    "laplacian": SqlFormula(laplacian),
    "matern12": SqlFormula(matern12),
    "matern32": SqlFormula(matern32),
    "matern52": SqlFormula(matern52),
    "linear": SqlFormula(linear),
    "polynomial": SqlFormula(polynomial, growth=_degree, powers=lambda c: 2 * _degree(c)),
    "sigmoid": SqlFormula(sigmoid),
    "linear_spline": SqlFormula(
        linear_spline, _all_inputs, growth=lambda c: 3 * c.items.shape[1], powers=lambda c: 3
    ),
    "precomputed": SqlFormula(given_kernel, _own_numbers),
    "constant": SqlFormula(constant, _none),
    "inputs": SqlFormula(take, _own_numbers),
    "products": SqlFormula(products, _of_powers, growth=_total_power, powers=_total_power),
}


def written(writer: Writer, columns: PlainColumns) -> Written:
    """The expressions of columns."""
    return SQL_FORMULAS[columns.formula].write(writer, columns)


def inputs_used(all_columns: Iterable[PlainColumns]) -> list[int]:
    """The numbers of the inputs that columns depend on."""
    numbers = [SQL_FORMULAS[each.formula].used(each) for each in all_columns]
    return sorted({int(k) for some in numbers for k in some})


def limits_of(all_columns: Sequence[PlainColumns]) -> Limits:
    """Sizes of inputs with which the columns, and their squares, do not overflow."""
    growth = max((SQL_FORMULAS[each.formula].growth(each) for each in all_columns), default=1)
    powers = max((SQL_FORMULAS[each.formula].powers(each) for each in all_columns), default=1)
    return Limits(10.0 ** (MOST_DIGITS // growth), 10.0 ** -(MOST_SMALL_DIGITS // powers))
