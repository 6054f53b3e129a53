"""What a target is, given the latent values f: in plain text and in LaTeX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

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
