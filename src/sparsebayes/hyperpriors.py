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
    """Gamma prior over a precision, for the hyperpriors of an inference.

    The density is proportional to ``precision^(shape - 1) exp(-rate precision)``. Precisions are
    fitted on a logarithmic scale, on which the density gains a factor `precision`. Hence shape =
    rate = 0 is flat.

    Parameters
    ----------
    shape : float
        The shape, 0 or more.
    rate : float
        The rate, 0 or more. For weight precisions it has the units of a squared weight, for the
        noise precision those of a squared target.

    See Also
    --------
    student_t : The prior that makes weights Student-t.
    Variational : An inference that needs proper priors.

    Examples
    --------
    >>> from sparsebayes import RVR, Gamma, Variational
    >>> Gamma(shape=1.0, rate=0.01).is_flat
    False
    >>> RVR(inference=Variational(noise_hyperprior=Gamma(1.0, 0.01)))
    RVR(inference=Variational(noise_hyperprior=Gamma(shape=1.0, rate=0.01)))
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
        """Whether the prior leaves the evidence as it is: shape and rate are 0."""
        return self.shape == 0.0 and self.rate == 0.0

    @property
    def is_proper(self) -> bool:
        """Whether the prior can be normalised: shape and rate are positive."""
        return self.shape > 0.0 and self.rate > 0.0

    def log_density(self, precision: np.ndarray | float) -> float:
        """Log density of log precisions, without its normaliser.

        Parameters
        ----------
        precision : float or array
            One precision, or several.

        Returns
        -------
        log_density : float
            ``shape log(precision) - rate precision``, summed over precisions.
        """
        if self.is_flat:
            return 0.0
        return float(np.sum(self.shape * np.log(precision) - self.rate * np.asarray(precision)))

    def gradient(self, precision: np.ndarray | float) -> np.ndarray | float:
        """Derivative of `log_density` with respect to log precision.

        Parameters
        ----------
        precision : float or array
            One precision, or several.

        Returns
        -------
        gradient : float or array
            ``shape - rate precision``, of each.
        """
        return self.shape - self.rate * precision

    def bound_constant(self, half_count: float) -> float:
        """What a precision adds to a variational bound, whatever its mean.

        Its posterior is Gamma(k, k / mean) with k = shape + half_count; see Bishop and Tipping
        (2000), equations (42) and (45).

        Parameters
        ----------
        half_count : float
            Half the number of Gaussian values that it is the precision of.

        Returns
        -------
        constant : float
            ``log Gamma(k) - log Gamma(shape) + shape log(rate) + k - k log(k)``.
        """
        k = self.shape + half_count
        difference = gammaln(k) - gammaln(self.shape)
        return float(difference + self.shape * np.log(self.rate) + k - k * np.log(k))


FLAT = Gamma(0.0, 0.0)


def broad(unit: float = 1.0) -> Gamma:
    """Proper and hardly informative: Gamma(1e-6, 1e-6 unit^2). [BT00] section 4

    Parameters
    ----------
    unit : the size of what has this precision, such as the targets
    """
    return Gamma(BROAD, BROAD * unit**2)


def student_t(nu: float) -> Gamma:
    """The hyperprior under which a weight has a Student-t prior with `nu` degrees of freedom.

    Parameters
    ----------
    nu : float
        Degrees of freedom, a positive number.

    Returns
    -------
    hyperprior : Gamma
        Gamma(nu / 2, nu / 2); a = b = nu / 2 in equation (44) of Tipping (2001).

    See Also
    --------
    StudentT : Student-t noise, which is something else.

    References
    ----------
    M. E. Tipping (2001), Sparse Bayesian Learning and the Relevance Vector Machine, Journal of
    Machine Learning Research 1, 211-244.

    Examples
    --------
    >>> from sparsebayes import Fast, student_t
    >>> student_t(4)
    Gamma(shape=2.0, rate=2.0)
    >>> Fast(weight_hyperprior=student_t(4))
    Fast(weight_hyperprior=Gamma(shape=2.0, rate=2.0))
    """
    if not isinstance(nu, numbers.Real) or not 0.0 < float(nu) < np.inf:
        raise ValueError(f"nu of student_t must be a positive number, got {nu!r}.")
    return Gamma(0.5 * nu, 0.5 * nu)
