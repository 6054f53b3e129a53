"""Plain text and LaTeX: how numbers, sums, kernels and vectors are written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from sparsebayes.export.targets import WRITTEN, LatentSum, escaped
from sparsebayes.model import PortableModel
from sparsebayes.model.columns import PlainColumns

# What each kernel is of its argument s, in text and in LaTeX, and how an input enters s.
KERNELS = {
    "gaussian": ("exp(-({s}))", r"\exp\bigl(-({s})\bigr)", "square"),
    "cauchy": ("1 / (1 + {s})", r"\frac{{1}}{{1 + {s}}}", "square"),
    "laplacian": ("exp(-({s}))", r"\exp\bigl(-({s})\bigr)", "absolute"),
    "matern12": ("exp(-sqrt({s}))", r"\exp\bigl(-\sqrt{{{s}}}\bigr)", "square"),
    "matern32": (
        "(1 + r) exp(-r), r^2 = 3 ({s})",
        r"(1 + r) \exp(-r), \quad r^2 = 3 \bigl({s}\bigr)",
        "square",
    ),
    "matern52": (
        "(1 + r + r^2 / 3) exp(-r), r^2 = 5 ({s})",
        r"\bigl(1 + r + \tfrac{{1}}{{3}} r^2\bigr) \exp(-r), \quad r^2 = 5 \bigl({s}\bigr)",
        "square",
    ),
    "polynomial": ("({s}{coef0})^{degree}", r"({s}{coef0})^{{{degree}}}", "product"),
    "sigmoid": ("tanh({s}{coef0})", r"\tanh({s}{coef0})", "product"),
    "linear_spline": (
        "product over inputs of (1 + x v + x v m - (x + v) m^2 / 2 + m^3 / 3), m = min(x, v)",
        r"\prod_j \bigl(1 + x_j v_j + x_j v_j m_j - \frac{{x_j + v_j}}{{2}} m_j^2 "
        r"+ \frac{{1}}{{3}} m_j^3\bigr), \quad m_j = \min(x_j, v_j)",
        "product",
    ),
}


class Notation(ABC):
    """A way to write a model down.

    Attributes
    ----------
    kernels : formulas that are kernels
    form : which of the forms of `WRITTEN` a response has
    """

    kernels = tuple(KERNELS)
    form: int

    @abstractmethod
    def number(self, value: float, digits: int) -> str:
        """A number of so many significant digits."""

    @abstractmethod
    def input(self, name: str) -> str:
        """An input."""

    @abstractmethod
    def term(self, kernel: int | None, vector: int) -> str:
        """A kernel at a vector."""

    @abstractmethod
    def sum(self, name: str, found: LatentSum, names: Sequence[str], digits: int) -> str:
        """name(x) = the sum."""

    @abstractmethod
    def kernel(
        self, columns: PlainColumns, which: int | None, names: Sequence[str], digits: int
    ) -> str:
        """k(x, v) = the kernel."""

    @abstractmethod
    def vector(self, i: int, row: np.ndarray, digits: int) -> str:
        """v_i = its entries."""

    def response(self, model: PortableModel, digits: int) -> list[str]:
        """What the target is, given f."""
        lines = WRITTEN[model.response.kind][self.form]
        return lines(model, lambda value: self.number(value, digits))

    @abstractmethod
    def page(self, lines: list[str]) -> str:
        """All lines together."""

    def signed_terms(self, found: LatentSum, names: Sequence[str], digits: int) -> list[str]:
        """The terms of a sum, each with its sign."""
        terms = [(found.constant, "")] if found.constant or self._is_empty(found) else []
        used = np.flatnonzero(found.coefficients).tolist()
        terms += [(float(found.coefficients[k]), self.input(names[k])) for k in used]
        terms += [(weight, self.powers(powers, names)) for powers, weight in found.products]
        vector = 0
        for number, weights in enumerate(found.weights, start=1):
            which = number if len(found.weights) > 1 else None
            for weight in weights:
                vector += 1
                if weight:
                    terms.append((float(weight), self.term(which, vector)))
        return [self._signed(value, what, digits) for value, what in terms]

    def _is_empty(self, found: LatentSum) -> bool:
        return not (found.coefficients.any() or found.products or any(map(np.any, found.weights)))

    def _signed(self, value: float, what: str, digits: int) -> str:
        number = self.number(abs(value), digits)
        factor = "" if what and number == "1" else number
        return ("- " if value < 0.0 else "+ ") + " ".join(part for part in (factor, what) if part)

    @abstractmethod
    def powers(self, powers: np.ndarray, names: Sequence[str]) -> str:
        """A product of powers of inputs."""

    def argument(self, columns: PlainColumns, names: Sequence[str], digits: int) -> str:
        """sum_k gamma_k times what an input and its vector make."""
        gamma = columns.parameters.get("gamma", np.empty(0))
        way = KERNELS[columns.formula][2]
        terms = [
            f"{self.number(float(each), digits)} {self.pair(way, names[k])}"
            for k, each in enumerate(gamma)
            if each
        ]
        return " + ".join(terms) or "0"

    @abstractmethod
    def pair(self, way: str, name: str) -> str:
        """An input and the same of the vector: their squared or absolute difference, or product."""


class _Text(Notation):
    form = 0

    def number(self, value: float, digits: int) -> str:
        return f"{value:.{digits}g}"

    def input(self, name: str) -> str:
        return name if name.isidentifier() else f"[{name}]"

    def term(self, kernel: int | None, vector: int) -> str:
        return f"k{kernel or ''}(x, v{vector})"

    def powers(self, powers: np.ndarray, names: Sequence[str]) -> str:
        found = [(self.input(names[k]), powers[k]) for k in np.flatnonzero(powers).tolist()]
        return " ".join(name if power == 1 else f"{name}^{power}" for name, power in found)

    def pair(self, way: str, name: str) -> str:
        x, v = self.input(name), f"v.{self.input(name)}"
        return {"square": f"({x} - {v})^2", "absolute": f"|{x} - {v}|"}.get(way, f"{x} {v}")

    def sum(self, name: str, found: LatentSum, names: Sequence[str], digits: int) -> str:
        head = f"{name}(x) = "
        terms = self.signed_terms(found, names, digits)
        first = terms[0].removeprefix("+ ").replace("- ", "-", 1)
        lines, line = [], head + first
        for term in terms[1:]:
            if len(line) + len(term) > 90:
                lines.append(line)
                line = " " * (len(head) - 1)
            line += f" {term}"
        return "\n".join([*lines, line])

    def kernel(
        self, columns: PlainColumns, which: int | None, names: Sequence[str], digits: int
    ) -> str:
        values = _options(self, columns, digits)
        right = KERNELS[columns.formula][0].format(
            s=self.argument(columns, names, digits), **values
        )
        return f"k{which or ''}(x, v) = {right}"

    def vector(self, i: int, row: np.ndarray, digits: int) -> str:
        return f"v{i} = ({', '.join(self.number(float(each), digits) for each in row)})"

    def page(self, lines: list[str]) -> str:
        return "\n".join(lines)


class _Latex(Notation):
    form = 1

    def number(self, value: float, digits: int) -> str:
        text = f"{value:.{digits}g}"
        mantissa, _, exponent = text.partition("e")
        return rf"{mantissa} \times 10^{{{int(exponent)}}}" if exponent else text

    def input(self, name: str) -> str:
        if name[:1] == "x" and name[1:].isdigit():
            return f"x_{{{name[1:]}}}"
        return rf"\mathrm{{{escaped(name)}}}"

    def term(self, kernel: int | None, vector: int) -> str:
        which = f"_{{{kernel}}}" if kernel else ""
        return rf"k{which}(\mathbf{{x}}, \mathbf{{v}}_{{{vector}}})"

    def powers(self, powers: np.ndarray, names: Sequence[str]) -> str:
        found = [(self.input(names[k]), powers[k]) for k in np.flatnonzero(powers).tolist()]
        return " ".join(x if power == 1 else f"{{{x}}}^{{{power}}}" for x, power in found)

    def pair(self, way: str, name: str) -> str:
        x = self.input(name)
        v = x.replace("x_", "v_", 1) if x.startswith("x_") else rf"v_{{{x}}}"
        return {"square": f"({x} - {v})^2", "absolute": f"|{x} - {v}|"}.get(way, f"{x} {v}")

    def sum(self, name: str, found: LatentSum, names: Sequence[str], digits: int) -> str:
        letter, _, number = name.partition("_")
        head = letter + (f"_{{{number}}}" if number else "")
        terms = self.signed_terms(found, names, digits)
        terms[0] = terms[0].removeprefix("+ ")
        lines = [" ".join(terms[i : i + 3]) for i in range(0, len(terms), 3)]
        return rf"{head}(\mathbf{{x}}) ={{}}& " + " \\\\\n  & ".join(lines)

    def kernel(
        self, columns: PlainColumns, which: int | None, names: Sequence[str], digits: int
    ) -> str:
        values = _options(self, columns, digits)
        right = KERNELS[columns.formula][1].format(
            s=self.argument(columns, names, digits), **values
        )
        index = f"_{{{which}}}" if which else ""
        return rf"k{index}(\mathbf{{x}}, \mathbf{{v}}) ={{}}& {right}"

    def vector(self, i: int, row: np.ndarray, digits: int) -> str:
        entries = ", ".join(self.number(float(each), digits) for each in row)
        return rf"\mathbf{{v}}_{{{i}}} ={{}}& ({entries})"

    def page(self, lines: list[str]) -> str:
        return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"


def _options(notation: Notation, columns: PlainColumns, digits: int) -> dict[str, str]:
    """What a kernel takes besides gamma: coef0 with its sign, and the degree."""
    coef0 = float(columns.parameters.get("coef0", 0.0))
    sign = " - " if coef0 < 0.0 else " + "
    return {
        "coef0": sign + notation.number(abs(coef0), digits) if coef0 else "",
        "degree": str(columns.parameters.get("degree", "")),
    }


TEXT, LATEX = _Text(), _Latex()
