"""WHAT a target is: the density of a target given the latent value of its row.

A likelihood is used through the quadratic that stands in for its logarithm, per row,

    log p(t | f) ~ value + slope (f - f0) - 1/2 curvature (f - f0)^2,

and `expand(target, latent)` gives these three at f0 = latent. The Gaussian equals its quadratic.
All three are for a noise precision of one: they are multiplied by the noise precision where they
are used, so that sums over rows need not be redone when only the noise changes. A likelihood
without noise has a noise precision of one, always.

`bound(target, latent, tangent)` gives the same three of a quadratic that is nowhere above the log
density and touches it at the tangent. Inferences that need it say so.
"""

from sparsebayes.likelihoods._quadratic import Quadratic
from sparsebayes.likelihoods.bernoulli import Bernoulli
from sparsebayes.likelihoods.bounded import Bounded
from sparsebayes.likelihoods.frozen import Frozen
from sparsebayes.likelihoods.gaussian import Gaussian
from sparsebayes.likelihoods.gaussians import Gaussians
from sparsebayes.likelihoods.multinomial import Multinomial
from sparsebayes.likelihoods.softmax import Softmax

__all__ = [
    "Bernoulli",
    "Bounded",
    "Frozen",
    "Gaussian",
    "Gaussians",
    "Multinomial",
    "Quadratic",
    "Softmax",
]
