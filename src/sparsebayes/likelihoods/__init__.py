"""WHAT a target is: the density of a target given the latent values of its row.

A likelihood is used through the quadratic that takes the place of its logarithm, per row,

    log p(t | f) ~ value + slope (f - f0) - 1/2 curvature (f - f0)^2,

and `expand(target, latent)` gives these three at f0 = latent. The Gaussian equals its quadratic.
All three are for a noise precision of one. They are multiplied by the noise precision where they
are used, so that sums over rows need not be formed again when only the noise changes. A likelihood
without noise has a noise precision of one, always.

`bound(target, latent, tangent)` gives the same three of a quadratic that is nowhere above the log
density and touches it at the tangent. "variational" needs it, and says so.

`layout` says how weights make latent values; `noise` whether the noise is given, estimated, or
always at its best.
"""

from sparsebayes.likelihoods.bernoulli import Bernoulli
from sparsebayes.likelihoods.gaussian import Gaussian, Gaussians
from sparsebayes.likelihoods.layout import Layout, Placement
from sparsebayes.likelihoods.likelihood import (
    NODES,
    SHARES,
    EstimatedNoise,
    FixedNoise,
    Likelihood,
    Noise,
    ProfiledNoise,
    Quadratic,
)
from sparsebayes.likelihoods.softmax import (
    Multinomial,
    Resemblance,
    Softmax,
    normal_nodes,
    one_hot,
    secant_curvature,
)
from sparsebayes.likelihoods.surrogate import Bounded, Frozen, Surrogate

__all__ = [
    "NODES",
    "SHARES",
    "Bernoulli",
    "Bounded",
    "EstimatedNoise",
    "FixedNoise",
    "Frozen",
    "Gaussian",
    "Gaussians",
    "Layout",
    "Likelihood",
    "Multinomial",
    "Noise",
    "Placement",
    "ProfiledNoise",
    "Quadratic",
    "Resemblance",
    "Softmax",
    "Surrogate",
    "normal_nodes",
    "one_hot",
    "secant_curvature",
]
