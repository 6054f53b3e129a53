"""Plain text and LaTeX: how numbers, sums, kernels and vectors are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
    "periodic": (
        "exp(-{depth} sin(pi r)^2), r^2 = {s}",
        r"\exp\bigl(-{depth} \sin^2(\pi r)\bigr), \quad r^2 = {s}",
        "square",
    ),
    "effects": (
        "{orders[0]} + E1 + {orders[1]} E2 + {orders[2]} exp(-({s})), E1 and E2 sums over inputs "
        "and pairs of them of effects, centred under the training rows",
        r"{orders[0]} + \sum_j e_j + {orders[1]} \sum_{{j < l}} e_j e_l + {orders[2]} "
        r"\exp\bigl(-({s})\bigr), \quad e_j \text{{ the centred effect of input }} j",
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


@dataclass(frozen=True)
class Notation:
    """A way to write a model down.

    Parameters
    ----------
    form : which of the forms of `KERNELS` and of `WRITTEN` is that of this notation
    number : writes a number of so many significant digits
    input : writes the name of an input
    index : writes the number of a kernel; None where there is only one
    at_vector : writes what an input is at a vector
    power : of an input {x} and its {power}
    term : a kernel {k} at vector {i}
    kernel : what a kernel {k} is, {right}
    vector : what vector {i} is, {entries}
    lines : from the name of a latent value and its signed terms to the lines of its sum
    page : all lines together
    """

    form: int
    number: Callable[[float, int], str]
    input: Callable[[str], str]
    index: Callable[[int | None], str]
    at_vector: Callable[[str], str]
    power: str
    term: str
    kernel: str
    vector: str
    lines: Callable[[str, list[str]], str]
    page: Callable[[list[str]], str]

    def sum(self, name: str, found: LatentSum, names: Sequence[str], digits: int) -> str:
        """name(x) = the sum."""
        return self.lines(name, self._signed_terms(found, names, digits))

    def kernel_of(
        self, columns: PlainColumns, which: int | None, names: Sequence[str], digits: int
    ) -> str:
        """k(x, v) = the kernel of some columns."""
        coef0 = float(columns.parameters.get("coef0", 0.0))
        sign = " - " if coef0 < 0.0 else " + "
        right = KERNELS[columns.formula][self.form].format(
            s=self._argument(columns, names, digits),
            coef0=sign + self.number(abs(coef0), digits) if coef0 else "",
            degree=columns.parameters.get("degree", ""),
            depth=self.number(float(columns.parameters.get("depth", 0.0)), digits),
            orders=[self.number(each, digits) for each in columns.parameters.get("orders", ())],
        )
        return self.kernel.format(k=self.index(which), right=right)

    def vector_of(self, i: int, row: np.ndarray, digits: int) -> str:
        """v_i = the entries of a row."""
        entries = ", ".join(self.number(float(each), digits) for each in row)
        return self.vector.format(i=i, entries=entries)

    def response(self, model: PortableModel, digits: int) -> list[str]:
        """What the target is, given f."""
        lines = WRITTEN[model.response.kind][self.form]
        return lines(model, lambda value: self.number(value, digits))

    def _signed_terms(self, found: LatentSum, names: Sequence[str], digits: int) -> list[str]:
        """The terms of a sum, each with its sign."""
        terms = [(found.constant, "")] if found.constant or found.is_constant else []
        used = np.flatnonzero(found.coefficients).tolist()
        terms += [(float(found.coefficients[k]), self.input(names[k])) for k in used]
        terms += [(weight, self._powers(powers, names)) for powers, weight in found.products]
        vector = 0
        for number, weights in enumerate(found.weights, start=1):
            k = self.index(number if len(found.weights) > 1 else None)
            for weight in weights:
                vector += 1
                if weight:
                    terms.append((float(weight), self.term.format(k=k, i=vector)))
        return [self._signed(value, what, digits) for value, what in terms]

    def _signed(self, value: float, what: str, digits: int) -> str:
        number = self.number(abs(value), digits)
        factor = "" if what and number == "1" else number
        return ("- " if value < 0.0 else "+ ") + " ".join(part for part in (factor, what) if part)

    def _powers(self, powers: np.ndarray, names: Sequence[str]) -> str:
        """A product of powers of inputs."""
        found = [(self.input(names[k]), powers[k]) for k in np.flatnonzero(powers).tolist()]
        return " ".join(x if n == 1 else self.power.format(x=x, power=n) for x, n in found)

    def _argument(self, columns: PlainColumns, names: Sequence[str], digits: int) -> str:
        """sum_k gamma_k times what an input and its vector make."""
        gamma = columns.parameters.get("gamma", np.empty(0))
        way = KERNELS[columns.formula][2]
        terms = [
            f"{self.number(float(each), digits)} {self._pair(way, self.input(names[k]))}"
            for k, each in enumerate(gamma)
            if each
        ]
        return " + ".join(terms) or "0"

    def _pair(self, way: str, x: str) -> str:
        """The squared or absolute difference of an input and that of a vector, or their product."""
        v = self.at_vector(x)
        return {"square": f"({x} - {v})^2", "absolute": f"|{x} - {v}|"}.get(way, f"{x} {v}")


def _lines_of_text(name: str, terms: list[str]) -> str:
    head = f"{name}(x) = "
    lines, line = [], head + terms[0].removeprefix("+ ").replace("- ", "-", 1)
    for term in terms[1:]:
        if len(line) + len(term) > 90:
            lines.append(line)
            line = " " * (len(head) - 1)
        line += f" {term}"
    return "\n".join([*lines, line])


TEXT = Notation(
    form=0,
    number=lambda value, digits: f"{value:.{digits}g}",
    input=lambda name: name if name.isidentifier() else f"[{name}]",
    index=lambda number: str(number or ""),
    at_vector="v.{}".format,
    power="{x}^{power}",
    term="k{k}(x, v{i})",
    kernel="k{k}(x, v) = {right}",
    vector="v{i} = ({entries})",
    lines=_lines_of_text,
    page="\n".join,
)


def _number_in_latex(value: float, digits: int) -> str:
    mantissa, _, exponent = f"{value:.{digits}g}".partition("e")
    return rf"{mantissa} \times 10^{{{int(exponent)}}}" if exponent else mantissa


def _input_in_latex(name: str) -> str:
    if name[:1] == "x" and name[1:].isdigit():
        return f"x_{{{name[1:]}}}"
    return rf"\mathrm{{{escaped(name)}}}"


def _lines_of_latex(name: str, terms: list[str]) -> str:
    letter, _, number = name.partition("_")
    head = letter + (f"_{{{number}}}" if number else "")
    terms = [terms[0].removeprefix("+ "), *terms[1:]]
    lines = [" ".join(terms[i : i + 3]) for i in range(0, len(terms), 3)]
    return rf"{head}(\mathbf{{x}}) ={{}}& " + " \\\\\n  & ".join(lines)


LATEX = Notation(
    form=1,
    number=_number_in_latex,
    input=_input_in_latex,
    index=lambda number: f"_{{{number}}}" if number else "",
    at_vector=lambda x: x.replace("x_", "v_", 1) if x.startswith("x_") else rf"v_{{{x}}}",
    power="{{{x}}}^{{{power}}}",
    term=r"k{k}(\mathbf{{x}}, \mathbf{{v}}_{{{i}}})",
    kernel=r"k{k}(\mathbf{{x}}, \mathbf{{v}}) ={{}}& {right}",
    vector=r"\mathbf{{v}}_{{{i}}} ={{}}& ({entries})",
    lines=_lines_of_latex,
    page=lambda lines: "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}",
)
