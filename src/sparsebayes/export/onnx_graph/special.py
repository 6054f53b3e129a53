"""Functions of `model.special` as nodes. ONNX has an error function, but not in doubles."""

from __future__ import annotations

from sparsebayes.export.onnx_graph.graph import Tensor
from sparsebayes.model.special import ERFCX_COEFFICIENTS, ERFCX_SHIFT, ROOT_HALF


def erfcx(z: Tensor) -> Tensor:
    """exp(z^2) erfc(z), for z >= 0."""
    t = (z - ERFCX_SHIFT) / (z + ERFCX_SHIFT)
    value = t * ERFCX_COEFFICIENTS[-1]
    for coefficient in ERFCX_COEFFICIENTS[-2:0:-1]:
        value = (value + coefficient) * t
    return (value + ERFCX_COEFFICIENTS[0]) / (1.0 + 2.0 * z)


def ndtr(x: Tensor) -> Tensor:
    """The distribution function of the normal distribution."""
    z = ROOT_HALF * x.apply("Abs")
    tail = 0.5 * (-(z * z)).apply("Exp") * erfcx(z)
    return (x > 0.0).choose(1.0 - tail, tail)


def expit(x: Tensor) -> Tensor:
    """1 / (1 + exp(-x))."""
    small = (-x.apply("Abs")).apply("Exp")
    return (x > 0.0).choose(1.0, small) / (1.0 + small)


def expm1(x: Tensor) -> Tensor:
    """exp(x) - 1 for x >= 0; that of small x is 2 t / (1 - t) with t = tanh(x / 2)."""
    tangent = (0.5 * x.at_most(1.0)).apply("Tanh")
    return (x > 1.0).choose(x.apply("Exp") - 1.0, 2.0 * tangent / (1.0 - tangent))
