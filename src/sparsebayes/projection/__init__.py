"""A few columns that say what a dense model says.

1. A dense model of the targets (`dense.fit_dense`). It predicts well and needs every centre.
2. A sparse fit to the `goal_problem`: the mean of the dense model at the training rows, as though
   that had been observed `fidelity` times at each row; or columns that are picked in turn, for all
   classes of a softmax by `pursue`, and for many rows by `follow`.
3. `carry_over`: the posterior of the dense model, in terms of the columns of the sparse fit, and
   the rows that cover the process.

What was measured: https://sparsebayes.example/measured/projection.html
"""

from sparsebayes.projection.carry_over import carry_over
from sparsebayes.projection.following import (
    common_goal,
    following_columns,
    goal_problem,
    part_of_common,
)
from sparsebayes.projection.pursuit import Pursued, follow, pursue

__all__ = [
    "Pursued",
    "carry_over",
    "common_goal",
    "follow",
    "following_columns",
    "goal_problem",
    "part_of_common",
    "pursue",
]
