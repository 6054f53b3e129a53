"""Kernel objects of scikit-learn that are kernels of ours under another name."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.gaussian_process.kernels import (
    RBF,
    DotProduct,
    Exponentiation,
    Matern,
    RationalQuadratic,
)

Named = tuple[str, Any, dict[str, Any]]
MATERN = {0.5: "matern12", 1.5: "matern32", 2.5: "matern52"}


def named(kernel: Any) -> Named | None:
    """Name, gamma and options of the formula that has the values of the kernel, if any has."""
    if type(kernel) is RBF:
        return "gaussian", 0.5 * _rate(kernel), {}
    if type(kernel) is Matern:
        if np.isinf(kernel.nu):
            return "gaussian", 0.5 * _rate(kernel), {}
        return (MATERN[kernel.nu], _rate(kernel), {}) if kernel.nu in MATERN else None
    if type(kernel) is RationalQuadratic and kernel.alpha == 1.0:
        return "cauchy", 0.5 * _rate(kernel), {}
    return _power(kernel)


def _power(kernel: Any, degree: int = 1) -> Named | None:
    """A whole power of an inner product and a constant."""
    if type(kernel) is Exponentiation and float(kernel.exponent).is_integer():
        return _power(kernel.kernel, degree * int(kernel.exponent))
    if type(kernel) is DotProduct and degree >= 1:
        return "polynomial", 1.0, {"coef0": float(kernel.sigma_0) ** 2, "degree": degree}
    return None


def _rate(kernel: Any) -> Any:
    """length^-2, a number or one for each input."""
    rate = np.asarray(kernel.length_scale, dtype=np.float64) ** -2.0
    return rate if rate.size > 1 else float(rate.reshape(()))
