"""What a kernel object of scikit-learn is made of, and which of its parameters are to be learned.

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
    Exponentiation,
    Product,
    RationalQuadratic,
    Sum,
    WhiteKernel,
)


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
    """Names of free constants that are not needed, as others and the variance do what they do."""
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
