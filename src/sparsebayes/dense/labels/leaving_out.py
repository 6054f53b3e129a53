"""How well the classes of rows are predicted from regression on the labels of the others.

Without row n the regression says of its labels

    m_n = f_n - c_n g_n,        c_n = 1 / (1 / S_nn - W_n),        g_n = W_n (y_n - f_n),

with S_nn the posterior variance of the row and W_n its weight over the variance of the noise. Its
class then has the probability softmax(b m_n). The *sharpness* b is that at which the classes of all
rows are most probable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from sparsebayes.likelihoods import Multinomial


@dataclass(frozen=True)
class SharpnessSearch:
    """How the sharpness is found.

    Attributes
    ----------
    usual : what it is usually
    width : standard deviation of its logarithm about that, a priori; few rows cannot tell
    reach : how far the logarithm is from that at most; its width keeps it nearer
    tolerance : of the logarithm
    """

    usual: float = 8.0
    width: float = 1.0
    reach: float = 30.0
    tolerance: float = 1e-9


SHARPNESS_SEARCH = SharpnessSearch()


class LeftOut(NamedTuple):
    """What rows tell that are left out.

    Attributes
    ----------
    sharpness : b
    log_density : of their classes then
    latents : b m (n, K - 1)
    largest_variance : of these, for any row
    """

    sharpness: float
    log_density: float
    latents: np.ndarray
    largest_variance: float


def leave_out(
    codes: np.ndarray,
    weight: np.ndarray,
    labels: np.ndarray,
    mean: np.ndarray,
    variance: np.ndarray,
    noise_precision: float,
    search: SharpnessSearch = SHARPNESS_SEARCH,
) -> LeftOut:
    """Leave out each row in turn. A row of weight two counts as two, of which one is left out.

    Parameters
    ----------
    codes : class of each row (n,)
    labels : the same as contrasts (n, K - 1)
    mean : of the regression on these (n, K - 1)
    variance : of each of them (n,)
    """
    likelihood = Multinomial(labels.shape[1] + 1)
    own = noise_precision * np.minimum(weight, 1.0)
    share = np.minimum(own * variance, MOST_SHARE)
    without = variance / (1.0 - share)
    left = mean - (own * without)[:, None] * (labels - mean)

    def slope(log_factor: float) -> float:
        latent = search.usual * np.exp(log_factor) * left
        rising = likelihood.expand(codes, latent).slope
        return float(np.einsum("nl,nl,n", rising, latent, weight)) - log_factor / search.width**2

    least, most = -search.reach, search.reach
    if slope(least) <= 0.0:  # weights can be so large that the prior has no say
        found = least
    elif slope(most) >= 0.0:
        found = most
    else:
        found = brentq(slope, least, most, xtol=search.tolerance)
    sharpness = search.usual * float(np.exp(found))
    log_density = float(weight @ likelihood.expand(codes, sharpness * left).value)
    largest = sharpness**2 * float(without.max(initial=0.0))
    return LeftOut(sharpness, log_density, sharpness * left, largest)


# Of the posterior precision of a row its own label has at most this share; beyond it is rounding.
MOST_SHARE = 1.0 - 1e-10
