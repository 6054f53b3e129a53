"""What a fitted model computes, once: each formula and each response as an expression of one row.

`graph` gives what a model says by name. It is the oracle of the hand-written NumPy of `model`, and
what printers translate: C, ONNX, SQL and JavaScript need no formula of their own.
"""

from sparsebayes.model.graph.expression import Axes, Node
from sparsebayes.model.graph.responses import graph
from sparsebayes.model.graph.walks import (
    LOWERED,
    capped,
    changed,
    factors,
    for_floats,
    in_order,
    is_input,
    lowered,
    of_error_bars,
    of_row,
    uses,
)

__all__ = [
    "LOWERED",
    "Axes",
    "Node",
    "capped",
    "changed",
    "factors",
    "for_floats",
    "graph",
    "in_order",
    "is_input",
    "lowered",
    "of_error_bars",
    "of_row",
    "uses",
]
