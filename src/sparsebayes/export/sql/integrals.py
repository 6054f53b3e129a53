"""Averages of sigmoid and softmax over Gaussian latent values, node by node, as SQL.

Databases limit the number of columns of a SELECT, so nodes are summed up some at a time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sparsebayes.export.sql.columns import Writer
from sparsebayes.export.sql.dialects import most, total
from sparsebayes.model.responses import PROBIT, Quadrature
from sparsebayes.model.special import ERFCX_COEFFICIENTS, ERFCX_SHIFT, ROOT_HALF, TINY

# exp of a smaller exponent is next to nothing, and an error where 0 is one.
LEAST_EXPONENT = -650.0
# erfc(z) of a larger z likewise.
MOST_Z = 25.0
# About how many columns a SELECT gets for nodes.
COLUMNS_AT_ONCE = 1000


def put_less_probable(writer: Writer, quadrature: Quadrature, mean: str, variance: str) -> str:
    """The probability of the less probable side of a latent value; see `Quadrature`.

    sigmoid(a) - ndtr(PROBIT a) is odd in a: here it is computed at -|a|, where no digits are lost.
    """
    chain, number = writer.chain, writer.number
    probit, slope = number(PROBIT**2), number(ROOT_HALF * PROBIT)
    chain.stage("sizes")
    size = chain.put("size", f"abs({mean})")
    deviation = chain.put("deviation", f"sqrt({variance})")
    ratio = f"{slope} * abs({mean}) / sqrt(1e0 + {probit} * {variance})"
    leading = chain.put("z", writer.dialect.at_most(ratio, MOST_Z))
    chain.stage("nodes")
    nodes = [chain.put("a", f"{number(each)} * {deviation} - {size}") for each in quadrature.nodes]
    chain.stage("tails")
    z = [chain.put("z", writer.dialect.at_most(f"{slope} * abs({a})", MOST_Z)) for a in nodes]
    small = [chain.put("e", writer.dialect.exp(f"-abs({a})", LEAST_EXPONENT)) for a in nodes]
    shares = [
        chain.put("share", f"CASE WHEN {a} > 0e0 THEN {number(-each)} ELSE {number(each)} END")
        for a, each in zip(nodes, quadrature.shares, strict=True)
    ]
    first, *tails = _tails(writer, [leading, *z])
    parts = zip(shares, small, tails, strict=True)
    terms = [f"{share} * ({e} / (1e0 + {e}) - {tail})" for share, e, tail in parts]
    chain.stage("sums")
    least = chain.put("sum", total([first, *terms]))
    chain.stage("clipped")
    low = number(TINY)
    clipped = f"CASE WHEN {least} < {low} THEN {low} WHEN {least} > 0.5e0 THEN 0.5e0"
    return chain.put("least", f"{clipped} ELSE {least} END")


def _tails(writer: Writer, names: Sequence[str]) -> list[str]:
    """erfc(z) / 2 for z >= 0, by the polynomial of `model.special`."""
    chain, number = writer.chain, writer.number
    chain.stage("ratios")
    shift = number(ERFCX_SHIFT)
    ratios = [chain.put("t", f"({z} - {shift}) / ({z} + {shift})") for z in names]
    found = []
    for z, t in zip(names, ratios, strict=True):
        value = number(ERFCX_COEFFICIENTS[-1])
        for coefficient in ERFCX_COEFFICIENTS[-2::-1]:
            value = f"({value} * {t} + {number(coefficient)})"
        found.append(f"0.5e0 * exp(-({z} * {z})) * {value} / (1e0 + 2e0 * {z})")
    return found


def put_softmax(writer: Writer, values: Sequence[str]) -> list[str]:
    """exp(value_k) / sum_l exp(value_l)."""
    return put_softmaxes(writer, [list(values)])[0]


def put_softmaxes(writer: Writer, rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The softmax of each of some rows of expressions, as expressions for the next SELECT."""
    chain = writer.chain
    chain.stage("values")
    rows = [[chain.put("value", each) for each in row] for row in rows]
    chain.stage("tops")
    tops = [chain.put("top", most(writer.dialect, row)) for row in rows]
    chain.stage("powers")
    powers = [
        [chain.put("e", writer.dialect.exp(f"{each} - {top}", LEAST_EXPONENT)) for each in row]
        for row, top in zip(rows, tops, strict=True)
    ]
    chain.stage("sums")
    sums = [chain.put("sum", total(row)) for row in powers]
    return [[f"{e} / {s}" for e in row] for row, s in zip(powers, sums, strict=True)]


def put_mean_softmax(
    writer: Writer, means: Sequence[str], deviation: str, nodes: np.ndarray
) -> list[str]:
    """The mean over nodes (n_nodes, K) of softmax(mean + deviation node)."""
    chain, number = writer.chain, writer.number
    found: list[str] = []
    at_once = max(1, COLUMNS_AT_ONCE // len(means))
    for start in range(0, len(nodes), at_once):
        rows = [
            [f"{f} + {number(each)} * {deviation}" for f, each in zip(means, node, strict=True)]
            for node in nodes[start : start + at_once]
        ]
        shares = put_softmaxes(writer, rows)
        chain.stage("shares")
        parts = [total(list(each)) for each in zip(*shares, strict=True)]
        before = found or ["0e0"] * len(parts)
        found = [
            chain.put("share", f"{old} + {part}") for old, part in zip(before, parts, strict=True)
        ]
    return [f"{each} / {number(len(nodes))}" for each in found]
