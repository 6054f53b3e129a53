"""HOW kernel widths and input scales are learned from the evidence.

`learn_scales` climbs the evidence of the dense model: all columns together, with one precision for
all columns of a kernel. That is a Gaussian process. Its evidence has few maxima in the scales, and
it chooses no columns that could be fitted to the noise along with them. Whatever inference is asked
for then fits at these scales.

What happens when scales are climbed along with the precisions of a sparse model:
https://sparsebayes.example/theory/scales.html
"""

from sparsebayes.scales.choosing import choose
from sparsebayes.scales.learning import LearnedScales, learn_scales
from sparsebayes.scales.prior import ScalePrior

__all__ = ["LearnedScales", "ScalePrior", "choose", "learn_scales"]
