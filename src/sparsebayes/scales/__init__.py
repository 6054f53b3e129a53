"""HOW kernel widths and input scales are learned from the evidence.

1. `dense_scales`: all columns together, with one precision for all columns of a kernel. That is a
   Gaussian process; its evidence has few maxima in the scales, and there is no choice of columns in
   it that could be fitted to the noise along with them.
2. A sparse fit at these scales, by whatever inference is asked for.
3. `joint_scales`: precisions, noise and scales of the columns that were kept, climbed together,
   under a prior that holds the scales near those of the dense model; then a sparse fit from there.
   Repeated while that is an improvement.

`dense_settings` and `whitened` are the dense model at given scales, which a projection starts from.

docs/learned_scales.md says what was measured, and what happens without the first step, and without
the prior in the last.
"""

from sparsebayes.scales.dense import MOST_CENTRES, MOST_ROWS, dense_scales, dense_settings, groups
from sparsebayes.scales.joint import held, joint_scales
from sparsebayes.scales.relevance import input_relevance
from sparsebayes.scales.whitened import whitened

__all__ = [
    "MOST_CENTRES",
    "MOST_ROWS",
    "dense_scales",
    "dense_settings",
    "groups",
    "held",
    "input_relevance",
    "joint_scales",
    "whitened",
]
