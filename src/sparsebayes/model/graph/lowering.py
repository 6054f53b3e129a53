"""Functions by means of others, for targets that lack them."""

from __future__ import annotations

from collections.abc import Callable

from sparsebayes.model.graph.expression import Node, exp, node, size, smaller, square, tanh, where
from sparsebayes.model.special import ERFCX_COEFFICIENTS, ERFCX_SHIFT, ROOT_HALF


def erfcx(z: Node) -> Node:
    """exp(z^2) erfc(z), for z >= 0."""
    t = (z - ERFCX_SHIFT) / (z + ERFCX_SHIFT)
    value = node(ERFCX_COEFFICIENTS[-1])
    for coefficient in ERFCX_COEFFICIENTS[-2::-1]:
        value = value * t + coefficient
    return value / (1.0 + 2.0 * z)


def ndtr(x: Node) -> Node:
    """The distribution function of the normal distribution."""
    z = ROOT_HALF * size(x)
    tail = 0.5 * exp(-square(z)) * erfcx(z)
    return where(x > 0.0, 1.0 - tail, tail)


def expm1(x: Node) -> Node:
    """exp(x) - 1 for x >= 0; that of small x is 2 t / (1 - t) with t = tanh(x / 2)."""
    tangent = tanh(0.5 * smaller(x, 1.0))
    return where(x > 1.0, exp(x) - 1.0, 2.0 * tangent / (1.0 - tangent))


LOWERED: dict[str, Callable[[Node], Node]] = {"ndtr": ndtr, "expm1": expm1}
