"""What a target is in plain text and in LaTeX: latent values f as sums, and the rest given f."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.export.given import plains_of
from sparsebayes.model import PortableModel
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.latent import Plain

# Writes a number.
Number = Callable[[float], str]
Lines = Callable[[Any, Number], list[str]]

ESCAPES = {
    "\\": r"\backslash ",
    "~": r"\sim ",
    "^": r"\wedge ",
    " ": r"\ ",
    "-": r"\text{-}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def escaped(name: str) -> str:
    """A name as LaTeX reads it in math mode; line breaks become spaces."""
    return "".join(ESCAPES.get(sign, sign) for sign in " ".join(name.split()))


def _in_order(model: Any) -> list[str]:
    """Labels of classes as texts, the lowest first."""
    return [str(label) for label in model.classes_[np.argsort(model.response.place)]]


def _signed(value: float, number: Number) -> str:
    return f"{'+' if value < 0.0 else '-'} {number(abs(value))}"


# Plain text.


def _real_targets(model: Any, number: Number) -> list[str]:
    noise = [number(float(each)) for each in model.response.noise_std]
    if len(noise) == 1:
        return [f"y = f(x) + noise, whose standard deviation is {noise[0]}"]
    return [f"y_{k} = f_{k}(x) + noise, standard deviation {each}" for k, each in enumerate(noise)]


def _counts(model: Any, number: Number) -> list[str]:
    mean = "y is a count, whose mean is the mean of exp(f(x)), f(x) being uncertain"
    if model.response.dispersion == 0.0:
        return [mean, "Given f(x) it is Poisson: its variance is its mean m"]
    more = f"{number(model.response.dispersion)} m^2"
    return [mean, f"Given f(x) it is negative binomial: its variance is m + {more}, m its mean"]


def _varying(model: Any, number: Number) -> list[str]:
    more = f" + {number(model.response.more)}" if model.response.more else ""
    variance = f"the mean of exp(g(x)){more}, g(x) being uncertain"
    low, high = (number(float(each)) for each in np.exp(model.response.limits))
    within = f"That mean is no less than {low} and no more than {high}"
    return [f"y = f(x) + noise, whose variance is {variance}", within]


def _two_classes(model: Any, number: Number) -> list[str]:
    label = str(model.classes_[1])
    return [f"P({label} | x) = mean of 1 / (1 + exp(-f(x))), f(x) being uncertain"]


def _ordered(model: Any, number: Number) -> list[str]:
    *labels, last = _in_order(model)
    pairs = zip(labels, model.response.cut_points, strict=True)
    means = [
        f"P({label} or lower | x) = mean of 1 / (1 + exp(f(x) {_signed(float(cut), number)}))"
        for label, cut in pairs
    ]
    return [*means, f"f(x) is uncertain; the highest class is {last}"]


def _several_classes(model: Any, number: Number) -> list[str]:
    lines = [f"f_{k} is of class {label}" for k, label in enumerate(model.classes_)]
    return [*lines, "Classes are the more probable the larger their f; see predict_proba."]


# LaTeX.

F, G = r"f(\mathbf{x})", r"g(\mathbf{x})"


def _class(label: str) -> str:
    return rf"\mathrm{{{escaped(label)}}}"


def _average(inside: str) -> str:
    return rf"\mathrm{{E}}\Bigl[{inside}\Bigr]"


def _latex_of_real_targets(model: Any, number: Number) -> list[str]:
    noise = ", ".join(number(float(each)) for each in model.response.noise_std)
    return [rf"\sigma ={{}}& {noise}"]


def _latex_of_counts(model: Any, number: Number) -> list[str]:
    mean = rf"\mathrm{{E}}[y \mid \mathbf{{x}}] ={{}}& {_average(f'e^{{{F}}}')}"
    more = ""
    if model.response.dispersion > 0.0:
        more = rf" + {number(model.response.dispersion)} \, e^{{2 {F}}}"
    return [mean, rf"\mathrm{{Var}}[y \mid f] ={{}}& e^{{{F}}}{more}"]


def _latex_of_varying(model: Any, number: Number) -> list[str]:
    more = f" + {number(model.response.more)}" if model.response.more else ""
    low, high = (number(float(each)) for each in np.exp(model.response.limits))
    variance = rf"\sigma^2(\mathbf{{x}}) ={{}}& {_average(f'e^{{{G}}}')}{more}"
    return [variance, rf"{low} \leq{{}}& {_average(f'e^{{{G}}}')} \leq {high}"]


def _latex_of_two(model: Any, number: Number) -> list[str]:
    share = _average(rf"\frac{{1}}{{1 + e^{{-{F}}}}}")
    return [rf"P({_class(str(model.classes_[1]))} \mid \mathbf{{x}}) ={{}}& {share}"]


def _latex_of_ordered(model: Any, number: Number) -> list[str]:
    pairs = zip(_in_order(model), model.response.cut_points, strict=False)
    return [
        rf"P(y \leq {_class(label)} \mid \mathbf{{x}}) ={{}}& "
        + _average(rf"\frac{{1}}{{1 + e^{{{F} {_signed(float(cut), number)}}}}}")
        for label, cut in pairs
    ]


def _latex_of_several(model: Any, number: Number) -> list[str]:
    labels = enumerate(model.classes_)
    return [rf"f_{{{k}}} :{{}}& {_class(str(label))}" for k, label in labels]


_OF_SEVERAL = (_several_classes, _latex_of_several)
# How a response of each kind is written, in plain text and in LaTeX.
WRITTEN: dict[str, tuple[Lines, Lines]] = {
    "real": (_real_targets, _latex_of_real_targets),
    "counts": (_counts, _latex_of_counts),
    "varying": (_varying, _latex_of_varying),
    "two classes": (_two_classes, _latex_of_two),
    "ordered": (_ordered, _latex_of_ordered),
    **dict.fromkeys(("one vs rest", "calibrated softmax", "integrated softmax"), _OF_SEVERAL),
}


@dataclass(frozen=True)
class LatentSum:
    """constant + sum_k coefficient_k x_k + sum_i weight_i column_i.

    Parameters
    ----------
    constant : with the mean of targets that was taken out
    coefficients : of the inputs (d,)
    weights : of kernels, one for each of their vectors, by formula
    products : powers of inputs (d,), and the weight of their product
    """

    constant: float
    coefficients: np.ndarray
    weights: list[np.ndarray]
    products: list[tuple[np.ndarray, float]]

    @property
    def is_constant(self) -> bool:
        """Whether nothing but the constant is there."""
        return not (self.coefficients.any() or self.products or any(map(np.any, self.weights)))


def sums_of(model: PortableModel) -> dict[str, LatentSum]:
    """Sums of f, or f_0, f_1, ... for each output or class; and of g, where the noise has one."""
    plain, *noise = plains_of(model)
    n_latents = plain.weights.shape[1]
    names = ["f"] if n_latents == 1 else [f"f_{k}" for k in range(n_latents)]
    added = getattr(model.response, "offset", np.zeros(n_latents)).tolist()
    pairs = enumerate(zip(names, added, strict=True))
    sums = {name: _sum(model, plain, k, constant) for k, (name, constant) in pairs}
    if noise:
        sums["g"] = _sum(model, noise[0], 0, model.response.log_mean)
    return sums


def _sum(model: PortableModel, own: Plain, k: int, constant: float) -> LatentSum:
    """The sum of a latent value. The columns of all others are there, with weights of zero."""
    coefficients = np.zeros(model.face.n_features)
    kernels: list[np.ndarray] = []
    products: list[tuple[np.ndarray, float]] = []
    for columns, weights in _weighted(model, own, k):
        if columns.formula == "constant":
            constant += float(weights.sum())
        elif columns.formula in ("inputs", "precomputed"):
            np.add.at(coefficients, columns.items, weights)
        elif columns.formula == "products":
            pairs = zip(columns.items, map(float, weights), strict=True)
            products += [(powers, weight) for powers, weight in pairs if weight]
        elif columns.formula == "linear":
            slope, at_zero = _linear(columns, weights)
            coefficients += slope
            constant += at_zero
        else:
            kernels.append(weights)
    return LatentSum(constant, coefficients, kernels, products)


def _weighted(model: PortableModel, own: Plain, k: int) -> list[tuple[PlainColumns, np.ndarray]]:
    """All columns, and their weights for a latent value."""
    found: list[tuple[PlainColumns, np.ndarray]] = []
    for plain in plains_of(model):
        of_value = plain.weights[:, k] if plain is own else np.zeros(len(plain.weights))
        ends = np.cumsum([columns.n_columns for columns in plain.columns])
        found += zip(plain.columns, np.split(of_value, ends)[:-1], strict=True)
    return found


def _linear(columns: PlainColumns, weights: np.ndarray) -> tuple[np.ndarray, float]:
    """sum_i w_i sum_k gamma_k (x_k - m_k) (c_ik - m_k) as coefficients and a constant."""
    gamma, middle = columns.parameters["gamma"], columns.parameters["middle"]
    slope = gamma * (weights @ (columns.items - middle))
    return slope, -float(slope @ middle)
