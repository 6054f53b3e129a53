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
always at its best. `free` are parameters that a likelihood has of its own, such as the degrees of
freedom of a Student-t; `at` sets them. They are found from the evidence of a dense model, together
with scales.
"""

from sparsebayes.likelihoods.bernoulli import Bernoulli
from sparsebayes.likelihoods.counts import Counts
from sparsebayes.likelihoods.gaussian import Gaussian, Gaussians
from sparsebayes.likelihoods.heteroscedastic import Heteroscedastic
from sparsebayes.likelihoods.layout import Layout, Placement
from sparsebayes.likelihoods.likelihood import (
    Bounded,
    Frozen,
    Likelihood,
    LikelihoodParameters,
    Noise,
    Quadratic,
    Surrogate,
)
from sparsebayes.likelihoods.negative_binomial import NegativeBinomial
from sparsebayes.likelihoods.ordinal import CumulativeLogit, Ordinal
from sparsebayes.likelihoods.poisson import Poisson
from sparsebayes.likelihoods.softmax import (
    Multinomial,
    Resemblance,
    Softmax,
    normal_nodes,
    one_hot,
    secant_curvature,
)
from sparsebayes.likelihoods.student_t import StudentT, robust_spread, weighted_median
from sparsebayes.likelihoods.tilting import NODES, SHARES
from sparsebayes.likelihoods.variances import Variances

__all__ = [
    "NODES",
    "SHARES",
    "Bernoulli",
    "Bounded",
    "Counts",
    "CumulativeLogit",
    "Frozen",
    "Gaussian",
    "Gaussians",
    "Heteroscedastic",
    "Layout",
    "Likelihood",
    "LikelihoodParameters",
    "Multinomial",
    "NegativeBinomial",
    "Noise",
    "Ordinal",
    "Placement",
    "Poisson",
    "Quadratic",
    "Resemblance",
    "Softmax",
    "StudentT",
    "Surrogate",
    "Variances",
    "normal_nodes",
    "one_hot",
    "robust_spread",
    "secant_curvature",
    "weighted_median",
]
