"""Priors over precisions: Gamma(shape, rate), flat, and the one that makes weights Student-t."""

from __future__ import annotations

import numbers
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

# Shape and rate of a broad hyperprior, the rate relative to the squared unit. [BT00] section 4
BROAD = 1e-6


@dataclass(frozen=True)
class Gamma:
    """p(precision) proportional to precision^(shape - 1) exp(-rate precision). [T01] (6)

    Precisions are fitted on a logarithmic scale, where the density gains a factor `precision`;
    shape = rate = 0 is therefore flat. [T01] (35)

    Parameters
    ----------
    shape, rate : float, at least 0
        In units of the model: the rate of a prior on weight precisions has the units of a squared
        weight, that of a prior on the noise precision the units of a squared target.

    Examples
    --------
    >>> from sparsebayes import Gamma
    >>> Gamma(shape=1.0, rate=0.01).is_flat
    False
    """

    shape: float
    rate: float

    def __post_init__(self) -> None:
        for name in ("shape", "rate"):
            value = getattr(self, name)
            if not isinstance(value, numbers.Real) or not 0.0 <= float(value) < np.inf:
                raise ValueError(
                    f"{name} of a Gamma hyperprior must be a finite number of 0 or more, "
                    f"got {value!r}."
                )
        if self.shape > 0.0 and self.rate == 0.0:
            raise ValueError(
                f"rate of Gamma(shape={self.shape!r}, rate=0) must be positive: without it the "
                "prior grows with the precision and every precision would go to infinity."
            )

    @property
    def is_flat(self) -> bool:
        """Whether it leaves the evidence as it is."""
        return self.shape == 0.0 and self.rate == 0.0

    @property
    def is_proper(self) -> bool:
        """Whether it can be normalised."""
        return self.shape > 0.0 and self.rate > 0.0

    def log_density(self, precision: np.ndarray | float) -> float:
        """Sum over precisions of shape log(precision) - rate precision. [T01] (36)"""
        if self.is_flat:
            return 0.0
        return float(np.sum(self.shape * np.log(precision) - self.rate * np.asarray(precision)))

    def gradient(self, precision: np.ndarray | float) -> np.ndarray | float:
        """Derivative of `log_density` for log precision: shape - rate precision."""
        return self.shape - self.rate * precision

    def bound_constant(self, half_count: float) -> float:
        """What a precision adds to a variational bound, whatever its mean. [BT00] (42), (45)

        Its posterior is Gamma(k, k / mean) with k = shape + half_count, where half_count is half
        the number of Gaussian values that it is the precision of:

            log Gamma(k) - log Gamma(shape) + shape log(rate) + k - k log(k)
        """
        k = self.shape + half_count
        difference = gammaln(k) - gammaln(self.shape)
        return float(difference + self.shape * np.log(self.rate) + k - k * np.log(k))


FLAT = Gamma(0.0, 0.0)


def broad(unit: float = 1.0) -> Gamma:
    """Proper and hardly informative: Gamma(1e-6, 1e-6 unit^2). [BT00] section 4

    Parameters
    ----------
    unit : the size of what the precision is of: of the targets, say
    """
    return Gamma(BROAD, BROAD * unit**2)


def student_t(nu: float) -> Gamma:
    """The hyperprior under which a weight is Student-t with `nu` degrees of freedom.

    Gamma(nu / 2, nu / 2): [D14] (7) is [T01] (44) with a = b = nu / 2.
    """
    if not isinstance(nu, numbers.Real) or not 0.0 < float(nu) < np.inf:
        raise ValueError(f"nu of student_t must be a positive number, got {nu!r}.")
    return Gamma(0.5 * nu, 0.5 * nu)
