"""The sigmoid beside the Gaussian distribution function with the same slope at 0."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial import Chebyshev, Polynomial
from scipy.special import erfcx

# Phi(PROBIT f) has the slope of the sigmoid at f = 0.
PROBIT = np.sqrt(np.pi / 8.0)


@dataclass(frozen=True)
class TailFit:
    """A polynomial in unit / (unit + a) for exp(pi a^2 / 16) Phi(-PROBIT a).

    Parameters
    ----------
    unit : of a; with 8 the polynomial has small coefficients, so that no digits cancel
    largest : it is fitted for a up to this; beyond, Phi is less than 1e-8 of the sigmoid
    degree : with 13 the error is 1e-14 of the sigmoid, at every a
    """

    unit: float = 8.0
    largest: float = 10.0
    degree: int = 13


@cache
def tail_coefficients(fit: TailFit) -> np.ndarray:
    """Coefficients of the polynomial, that of the constant first (degree + 1,)."""

    def scaled_tail(ratio: np.ndarray) -> np.ndarray:
        return 0.5 * erfcx(PROBIT / np.sqrt(2.0) * fit.unit * (1.0 / ratio - 1.0))

    domain = [fit.unit / (fit.unit + fit.largest), 1.0]
    found = Chebyshev.interpolate(scaled_tail, fit.degree, domain=domain)
    return found.convert(kind=Polynomial, domain=[-1.0, 1.0], window=[-1.0, 1.0]).coef


def sigmoid_remainder(latent: np.ndarray, fit: TailFit = TailFit()) -> np.ndarray:  # noqa: B008
    """sigmoid(f) - Phi(PROBIT f), which is odd in f; its error is 1e-14 of the sigmoid of -|f|.

    For f = -a it is e / (1 + e) - exp(-pi a^2 / 16) polynomial(a), e = exp(-a). Vectorised
    exponentials make this twice as fast as the two functions of scipy.special.
    """
    # exp(-800) is 0 already, and the square of 800 is finite.
    size = np.minimum(np.abs(latent), 800.0)
    remainder = np.exp(-size)
    remainder /= 1.0 + remainder
    remainder -= _gaussian_tail(size, fit)
    remainder *= -np.sign(latent)
    return remainder


def _gaussian_tail(size: np.ndarray, fit: TailFit) -> np.ndarray:
    """Phi(-PROBIT a) of a = size, by Horner's rule in place."""
    coefficients = tail_coefficients(fit)
    ratio = size + fit.unit
    np.divide(fit.unit, ratio, out=ratio)
    tail = np.full_like(size, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        tail *= ratio
        tail += coefficient
    np.multiply(size, size, out=ratio)
    ratio *= -np.pi / 16.0
    tail *= np.exp(ratio, out=ratio)
    return tail
