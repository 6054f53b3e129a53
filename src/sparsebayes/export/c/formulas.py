"""The columns of each formula: their tables, and the calls that read them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sparsebayes.export.c.layout import Bank, Layout
from sparsebayes.export.c.source import formulas as c
from sparsebayes.export.c.writing import Style, Table
from sparsebayes.model.columns import PlainColumns

# Names of what a call takes; "coef0" and the like are numbers, the others are tables.
Arrays = dict[str, np.ndarray]


def _points(columns: PlainColumns, used: np.ndarray) -> Arrays:
    return {"gamma": columns.parameters["gamma"][used], "items": columns.items[:, used]}


def _about_middle(columns: PlainColumns, used: np.ndarray) -> Arrays:
    gamma, middle = (columns.parameters[name][used] for name in ("gamma", "middle"))
    return {"gamma": gamma, "middle": middle, "items": gamma * (columns.items[:, used] - middle)}


def _scaled_points(columns: PlainColumns, used: np.ndarray) -> Arrays:
    gamma = columns.parameters["gamma"][used]
    return {"gamma": gamma, "items": gamma * columns.items[:, used]}


def _plain_points(columns: PlainColumns, used: np.ndarray) -> Arrays:
    return {"items": columns.items[:, used]}


def _powers(columns: PlainColumns, used: np.ndarray) -> Arrays:
    return {"items": columns.items[:, used].astype(np.int64)}


def _numbers(columns: PlainColumns, used: np.ndarray) -> Arrays:
    return {"items": columns.items}


def _nothing(columns: PlainColumns, used: np.ndarray) -> Arrays:
    return {}


@dataclass(frozen=True)
class CFormula:
    """How a formula is written in C.

    Parameters
    ----------
    arrays : (columns, inputs that count) -> arrays that can become tables
    call : of the columns; {items} is the first of some items, {n} their number, {out} where to
    code : functions that the call needs
    itself : the value of the kernel at its own centre; "" for columns that are no covariance
    itself_code : functions that this needs
    """

    arrays: Callable[[PlainColumns, np.ndarray], Arrays]
    call: str
    code: tuple[str, ...]
    itself: str = ""
    itself_code: tuple[str, ...] = ()


FORMULAS: dict[str, CFormula] = {
    "gaussian": CFormula(
        _points,
        "model_gaussian(x, {gamma}, {items}, {n}, {out});",
        (c.DISTANCE, c.GAUSSIAN),
        "1.0",
    ),
    "cauchy": CFormula(
        _points,
        "model_cauchy(x, {gamma}, {items}, {n}, {out});",
        (c.DISTANCE, c.CAUCHY),
        "1.0",
    ),
    "laplacian": CFormula(
        _points,
        "model_laplacian(x, {gamma}, {items}, {n}, {out});",
        (c.LAPLACIAN,),
        "1.0",
    ),
    "matern12": CFormula(
        _points,
        "model_matern12(x, {gamma}, {items}, {n}, {out});",
        (c.DISTANCE, c.MATERN12),
        "1.0",
    ),
    "matern32": CFormula(
        _points,
        "model_matern32(x, {gamma}, {items}, {n}, {out});",
        (c.DISTANCE, c.MATERN32),
        "1.0",
    ),
    "matern52": CFormula(
        _points,
        "model_matern52(x, {gamma}, {items}, {n}, {out});",
        (c.DISTANCE, c.MATERN52),
        "1.0",
    ),
    "linear": CFormula(
        _about_middle,
        "model_linear(x, {middle}, {items}, {n}, {out});",
        (c.LINEAR,),
        "model_distance(x, {gamma}, {middle})",
        (c.DISTANCE,),
    ),
    "polynomial": CFormula(
        _scaled_points,
        "model_polynomial(x, {coef0}, {degree}, {items}, {n}, {out});",
        (c.DOT, c.POWER, c.POLYNOMIAL),
        "model_power(model_weighted_squares(x, {gamma}) + {coef0}, {degree})",
        (c.POWER, c.WEIGHTED_SQUARES),
    ),
    "sigmoid": CFormula(
        _scaled_points,
        "model_sigmoid(x, {coef0}, {items}, {n}, {out});",
        (c.DOT, c.SIGMOID),
    ),
    "linear_spline": CFormula(
        _plain_points,
        "model_linear_spline(x, {items}, {n}, {out});",
        (c.LINEAR_SPLINE,),
        "model_spline_itself(x)",
        (c.SPLINE_ITSELF,),
    ),
    "precomputed": CFormula(
        _numbers,
        "model_inputs(x, {items}, {n}, {out});",
        (c.INPUTS,),
        "{variance}",
    ),
    "constant": CFormula(_nothing, "model_constant({n}, {out});", (c.CONSTANT,)),
    "inputs": CFormula(_numbers, "model_inputs(x, {items}, {n}, {out});", (c.INPUTS,)),
    "products": CFormula(
        _powers,
        "model_products(x, {items}, {n}, {out});",
        (c.POWER, c.PRODUCTS),
    ),
}


@dataclass(frozen=True)
class BankCode:
    """A bank in C; `number` tells its tables from those of other banks."""

    bank: Bank
    number: int
    used: np.ndarray
    style: Style

    @property
    def formula(self) -> CFormula:
        """How its formula is written."""
        return FORMULAS[self.bank.columns.formula]

    @property
    def arrays(self) -> Arrays:
        """What can become tables, by name."""
        return self.formula.arrays(self.bank.columns, self.used)

    def tables(self, with_itself: bool) -> list[Table]:
        """The tables that its calls name."""
        text = self.formula.call + (self.formula.itself if with_itself else "")
        return [
            Table(self._table(name), values)
            for name, values in self.arrays.items()
            if f"{{{name}}}" in text
        ]

    def call(self, first: int, n: int, place: int) -> str:
        """The call that puts n columns from the first on to a place of phi; "" for none."""
        if not n:
            return ""
        words = self._words()
        width = self.arrays["items"][0].size if "items" in words else 0
        words["items"] = _from(self._table("items"), first * width)
        return self.formula.call.format(**words, n=n, out=_from("phi", place))

    def itself(self) -> str:
        """The value of the kernel at its own centre."""
        return self.formula.itself.format(**self._words())

    def _table(self, name: str) -> str:
        return f"model_{name}_{self.number}"

    def _words(self) -> dict[str, str]:
        words = {name: self._table(name) for name in self.arrays}
        parameters = self.bank.columns.parameters
        for name in ("coef0", "variance"):
            if name in parameters:
                words[name] = self.style.number(parameters[name])
        if "degree" in parameters:
            words["degree"] = str(int(parameters["degree"]))
        return words


def _from(table: str, place: int) -> str:
    return f"{table} + {place}" if place else table


def bank_codes(layout: Layout, style: Style) -> list[BankCode]:
    """The banks of a layout in C."""
    return [BankCode(bank, k, layout.used, style) for k, bank in enumerate(layout.banks)]


def columns_code(codes: list[BankCode]) -> str:
    """Functions that compute the columns of the mean, and those that only error bars need."""
    mean = [code.call(0, code.bank.n_mean, code.bank.first_mean) for code in codes]
    more = [code.call(code.bank.n_mean, code.bank.n_more, code.bank.first_more) for code in codes]
    text = _function("Columns of the mean.", "model_mean_columns", mean)
    if any(more):
        text += _function("Columns that only error bars need.", "model_more_columns", more)
    return text


def _function(about: str, name: str, calls: list[str]) -> str:
    body = "\n".join(f"    {call}" for call in calls if call)
    ignored = "" if "(x," in body else "    (void)x;\n"
    return (
        f"\n/* {about} */\nstatic inline void {name}(const real *x, real *phi)\n"
        f"{{\n{ignored}{body}\n}}\n"
    )


def functions(codes: list[BankCode], whitened: set[int]) -> list[str]:
    """Functions that the calls need, each once; `whitened` are numbers of banks of processes."""
    needed = [text for code in codes for text in code.formula.code]
    needed += [
        text for code in codes if code.number in whitened for text in code.formula.itself_code
    ]
    return sorted(dict.fromkeys(needed), key=list(vars(c).values()).index)
