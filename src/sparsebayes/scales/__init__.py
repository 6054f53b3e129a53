"""HOW kernel widths and input scales are learned from the evidence.

1. `learn_scales`: all columns together, with one precision for all columns of a kernel. That is a
   Gaussian process; its evidence has few maxima in the scales, and it chooses no columns that could
   be fitted to the noise along with them.
2. A sparse fit at these scales, by whatever inference is asked for.
3. `joint_scales`: precisions, noise and scales of the columns that were kept, climbed together,
   under a prior that holds the scales near those of the dense model; then a sparse fit from there.
   Repeated while that is an improvement.

docs/learned_scales.md says what was measured, and what happens without the first step, and without
the prior in the last.
"""

from sparsebayes.scales.joint import CLIMB, JointClimb, joint_scales
from sparsebayes.scales.learning import LearnedScales, ScalePrior, learn_scales

__all__ = [
    "CLIMB",
    "JointClimb",
    "LearnedScales",
    "ScalePrior",
    "joint_scales",
    "learn_scales",
]
