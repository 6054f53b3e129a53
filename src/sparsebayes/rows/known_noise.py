"""Noise that is known for each row, as weights of the rows.

With c_n the number of times that row n counts, and sigma_n its noise, the density of all targets is
that of rows with one noise s, counted w_n times:

    w_n = c_n s^2 / sigma_n^2,  s^2 = sum_n c_n / sum_n (c_n / sigma_n^2),  sum_n w_n = sum_n c_n

up to the factor prod_n (s / sigma_n)^c_n. So known noise is a matter of weights.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class KnownNoise(NamedTuple):
    """One noise for all rows, and how often each counts with it.

    Attributes
    ----------
    std : the noise s
    weight : w (n,)
    of_new : root mean square of the noise of rows, in units of s
    log_factor : what the log evidence of a target is short of
    """

    std: float
    weight: np.ndarray
    of_new: float
    log_factor: float


def known_noise(sigma: np.ndarray, counts: np.ndarray) -> KnownNoise:
    """The one noise s, and how often each row counts with it.

    Parameters
    ----------
    sigma : noise of each row (n,)
    counts : how often it counts (n,)
    """
    used = counts > 0
    largest, total = sigma[used].max(), counts.sum()
    relative = sigma / largest
    reference = (total / (counts @ relative**-2.0)) ** 0.5
    weight = counts * (reference / relative) ** 2
    log_factor = counts[used] @ np.log(reference / relative[used])
    of_new = (counts @ relative**2 / total) ** 0.5 / reference
    return KnownNoise(float(reference * largest), weight, float(of_new), float(log_factor))
