"""Small graphs, each with something that a printer must know, and rows to try them at."""

import numpy as np

from sparsebayes.model.graph.expression import (
    exp,
    expit,
    expm1,
    first_largest,
    given,
    larger,
    largest,
    ndtr,
    product,
    renamed,
    sin,
    size,
    smaller,
    softmax,
    sqrt,
    square,
    symmetric_root,
    table,
    take,
    tanh,
    total,
    where,
)

RANDOM = np.random.default_rng(0)
# Some are equal, some are 0.
ROWS = np.round(RANDOM.uniform(-2.0, 2.0, size=(9, 3)), 1)
ROWS[3] = 0.0


def _numbers(*lengths):
    return RANDOM.uniform(0.5, 1.5, size=lengths)


def samples():
    """Nodes of one row of three inputs, by what they are."""
    x = given("x", "input", 3)
    c = table(_numbers(4, 3), "column", "input")
    weights, gamma = table(_numbers(4, 2), "column", "output"), table(_numbers(3), "input")
    apart = x - c
    near = exp(-total("input", gamma * square(apart)))
    matrix = total("column", near * table(_numbers(4, 3, 5), "column", "class", "part"))
    other = renamed(matrix, "class", "other")
    return {
        "sum": x + 0.25,
        "a tiny sum": x + 1e-9,
        "difference": 0.25 - x,
        "product": 2.0 * x,
        "quotient": x / c,
        "negative": -x,
        "power": x ** table([0.0, 1.0, 3.0], "input"),
        "square": square(apart),
        "exp": exp(x),
        "expm1": expm1(square(x)),
        "sqrt": sqrt(c),
        "abs": size(x),
        "sin": sin(apart),
        "sin of large numbers": sin(100.0 * x),
        "tanh": tanh(apart),
        "ndtr": ndtr(3.0 * x),
        "min": smaller(x, c),
        "max": larger(x, 0.5),
        "where": where(x > c, x, 0.0),
        "sigmoid": expit(9.0 * x),
        "a number of all": total("input", x),
        "a sum of products": total("column", weights * near),
        "a sum of products of two of the row": total("column", near * tanh(near)),
        "a sum of products that share an axis": total("input", gamma * (x - c) * c),
        "a sum of two products": total("column", (weights * near) * (near * weights)),
        "a product along an axis": product("input", 1.0 + smaller(x, c)),
        "a largest": largest("input", apart),
        "a softmax": softmax("column", total("input", x * c)),
        "a quotient that is no softmax": exp(x) / total("input", exp(x)),
        "the first of equal ones": first_largest("input", size(x)),
        "some of the inputs": take(x, "input", [2, 0, 0, 1], "chosen"),
        "some of the columns": take(apart, "column", [3, 1], "chosen") * x,
        "some of a table": take(c, "column", [0, 0], "chosen") + x,
        "axes in another order": x * table(_numbers(4, 3), "column", "input") + 1.0 / c,
        "what does not depend on the row": total("column", weights),
        "a table": weights,
        "what is needed twice": near * near + total("column", near),
        "a root": symmetric_root(total("part", matrix * other), "class", "other"),
        "a root times nodes": total(
            "other",
            symmetric_root(total("part", matrix * other), "class", "other")
            * table(_numbers(6, 3), "node", "other"),
        ),
        "a mean over nodes": total(
            "node", tanh(near + sqrt(near) * table(_numbers(6), "node")) / 6.0
        ),
    }
