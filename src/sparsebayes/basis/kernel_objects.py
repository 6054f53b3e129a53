"""What a kernel object of scikit-learn is made of, learns and is called, and where to begin.

The variance of a process and its noise are parts of every model here. So a factor of the whole
kernel says nothing, and neither does a `WhiteKernel` in a sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.gaussian_process.kernels import (
    RBF,
    CompoundKernel,
    ConstantKernel,
    DotProduct,
    Exponentiation,
    ExpSineSquared,
    Matern,
    Product,
    RationalQuadratic,
    Sum,
    WhiteKernel,
)

from sparsebayes.basis.kernel import input_variances
from sparsebayes.basis.usual import usual_inputs

Named = tuple[str, Any, dict[str, Any]]
MATERN = {0.5: "matern12", 1.5: "matern32", 2.5: "matern52"}
# Lengths to start from, in parts of the spread of the inputs.
PARTS = (1.0, 0.2, 0.04)
# Lengths that are all equal start apart by this factor: kernels that are the same stay so.
APART = 5.0
# Periods that are tried have half a cycle in the inputs, one, ..., at most so many. More are not
# to be told apart by the rows that a search begins with.
MOST_CYCLES = 100


def leaves(kernel: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The kernels that sums, products and powers are made of, with the prefix of their names."""
    if isinstance(kernel, Sum | Product):
        yield from leaves(kernel.k1, f"{prefix}k1__")
        yield from leaves(kernel.k2, f"{prefix}k2__")
    elif isinstance(kernel, Exponentiation):
        yield from leaves(kernel.kernel, f"{prefix}kernel__")
    else:
        yield prefix, kernel


def simplified(kernel: Any) -> Any:
    """A copy without noise and without a factor of the whole; an error where nothing is left."""
    parts = [leaf for _, leaf in leaves(kernel)]
    if any(isinstance(leaf, CompoundKernel) for leaf in parts):
        raise ValueError(
            f"kernel must be one kernel, got {kernel!r}, which is several. Give one of them."
        )
    left = _without_noise(kernel)
    if left is None or all(isinstance(leaf, ConstantKernel) for _, leaf in leaves(left)):
        raise ValueError(
            f"kernel must depend on the inputs, got {kernel!r}. The constant and the noise are "
            "parts of every model; add a kernel of the inputs, such as RBF()."
        )
    return clone(_without_factor(left))


def _without_noise(kernel: Any) -> Any:
    """The kernel without white noise in its sums; None where nothing is left."""
    if isinstance(kernel, WhiteKernel):
        if kernel.hyperparameter_noise_level.fixed:
            raise ValueError(
                f"the noise of a kernel cannot be fixed, got {kernel!r}. Leave it out: noise is "
                "learned. If you know it, pass noise_std, its standard deviation."
            )
        return None
    if isinstance(kernel, Sum):
        both = [_without_noise(each) for each in (kernel.k1, kernel.k2)]
        found = [each for each in both if each is not None]
        return Sum(*found) if len(found) == 2 else next(iter(found), None)
    if any(isinstance(leaf, WhiteKernel) for _, leaf in leaves(kernel)):
        raise ValueError(
            f"a WhiteKernel may be added to a kernel, got {kernel!r}, where it is a factor. Leave "
            "it out: noise is learned. With likelihood='heteroscedastic' it varies with the inputs."
        )
    return kernel


def _without_factor(kernel: Any) -> Any:
    """The kernel without constants that multiply all of it."""
    if isinstance(kernel, Product):
        first, second = _without_factor(kernel.k1), _without_factor(kernel.k2)
        if isinstance(first, ConstantKernel):
            return second
        return first if isinstance(second, ConstantKernel) else Product(first, second)
    if isinstance(kernel, Exponentiation):
        return Exponentiation(_without_factor(kernel.kernel), kernel.exponent)
    return kernel


def free_names(kernel: Any) -> np.ndarray:
    """The name of each of the parameters in theta (n_parameters,)."""
    free = [each for each in kernel.hyperparameters if not each.fixed]
    return np.array([each.name for each in free for _ in range(each.n_elements)], dtype=object)


def spare(kernel: Any) -> set[str]:
    """Names of free constants that are not needed beside other constants and the variance."""
    held, factor = _constants(kernel, "")
    return {*held, *factor}


def _constants(kernel: Any, prefix: str) -> tuple[list[str], list[str]]:
    """Names of constants that are not needed, and of one that stands for a factor of the whole.

    A sum has such a factor if both of its terms do. One constant of a product is enough.
    """
    if isinstance(kernel, ConstantKernel):
        free = not kernel.hyperparameter_constant_value.fixed
        return [], [f"{prefix}constant_value"] * free
    if isinstance(kernel, Exponentiation):
        return _constants(kernel.kernel, f"{prefix}kernel__")
    if not isinstance(kernel, Sum | Product):
        return [], []
    held, factor = _constants(kernel.k1, f"{prefix}k1__")
    others, second = _constants(kernel.k2, f"{prefix}k2__")
    if isinstance(kernel, Sum):
        return held + others, factor if factor and second else []
    return held + others + (second if factor else []), factor or second


def falls_off(kernel: Any) -> bool:
    """Whether the kernel is known to fall off to zero far from its centre."""
    if isinstance(kernel, Sum):
        return falls_off(kernel.k1) and falls_off(kernel.k2)
    if isinstance(kernel, Product):
        return falls_off(kernel.k1) or falls_off(kernel.k2)
    if isinstance(kernel, Exponentiation):
        return falls_off(kernel.kernel)
    return isinstance(kernel, RBF | RationalQuadratic)  # a Matern is an RBF there


def fixed(kernel: Any) -> Any:
    """A copy whose parameters are fixed, where the kernel takes bounds for them."""
    kernel = clone(kernel)
    names = [f"{each.name}_bounds" for each in kernel.hyperparameters]
    known = kernel.get_params()
    return kernel.set_params(**{name: "fixed" for name in names if name in known})


def named(kernel: Any) -> Named | None:
    """Name, gamma and options of a formula with the values of the kernel; None without one."""
    if type(kernel) is RBF:
        return "gaussian", 0.5 * _rate(kernel), {}
    if type(kernel) is Matern:
        if np.isinf(kernel.nu):
            return "gaussian", 0.5 * _rate(kernel), {}
        return (MATERN[kernel.nu], _rate(kernel), {}) if kernel.nu in MATERN else None
    if type(kernel) is RationalQuadratic and kernel.alpha == 1.0:
        return "cauchy", 0.5 * _rate(kernel), {}
    if type(kernel) is ExpSineSquared:
        return "periodic", float(kernel.periodicity) ** -2.0, {"depth": 2.0 * _rate(kernel)}
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


def starts(kernel: Any, inputs: np.ndarray, weight: np.ndarray) -> list[np.ndarray]:
    """Values of theta whose lengths go with the spread of the inputs.

    Lengths that are numbers keep their ratios. Those of single inputs go with the spread of each.
    """
    names, theta = free_names(kernel), kernel.theta
    spread = np.sqrt(input_variances(usual_inputs(inputs, weight), weight))
    whole = float(np.log(np.linalg.norm(spread)))
    lengths = _lengths(kernel)
    places = [np.flatnonzero(names == name) for name in lengths if (names == name).any()]
    single = np.array([place[0] for place in places if len(place) == 1], dtype=np.intp)
    several = [place for place in places if len(place) == len(spread) > 1]
    if not len(single) and not several:
        return []
    relative = theta[single] - theta[single].mean() if len(single) else theta[single]
    if len(single) > 1 and not np.ptp(relative):
        relative = np.log(APART) * (0.5 * (len(single) - 1) - np.arange(len(single)))
    found = []
    for part in PARTS:
        point = theta.copy()
        point[single] = whole + np.log(part) + relative
        for place in several:
            own = place[spread > 0.0]
            point[own] = np.log(part * spread[spread > 0.0] * np.sqrt(len(place)))
        found.append(point)
    return found


def cramped(names: np.ndarray, kernel: Any, limits: np.ndarray, suggested: np.ndarray) -> list[int]:
    """Places of lengths whose upper limit is below a fifth of the spread of the inputs.

    Parameters
    ----------
    names : of the parameters (n,)
    limits : of their logarithms (n, 2)
    suggested : logarithms that go with the spread (n,)
    """
    below = suggested + np.log(PARTS[1]) > limits[:, 1]
    return np.flatnonzero(np.isin(names, _lengths(kernel)) & below).tolist()


def _lengths(kernel: Any) -> list[str]:
    """Names of parameters that are a length in the space of the inputs."""
    return [
        prefix + ("sigma_0" if isinstance(leaf, DotProduct) else "length_scale")
        for prefix, leaf in leaves(kernel)
        if not isinstance(leaf, ExpSineSquared)
    ]


def periods(kernel: Any) -> list[str]:
    """Names of parameters that are a period."""
    every = leaves(kernel)
    return [f"{prefix}periodicity" for prefix, leaf in every if isinstance(leaf, ExpSineSquared)]


def log_periods(inputs: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """Logarithms of periods that are tried, within limits."""
    span = float(np.linalg.norm(np.ptp(inputs, axis=0)))
    if not span:
        return np.empty(0)
    cycles = np.arange(1.0, min(len(inputs), 2 * MOST_CYCLES)) / 2.0
    found = np.log(span / cycles[::-1])
    return found[(found >= limits[0]) & (found <= limits[1])]
