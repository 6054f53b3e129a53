"""Kernel objects of scikit-learn's Gaussian processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.gaussian_process.kernels import Kernel as KernelObject

from sparsebayes.basis.kernel import Kernel
from sparsebayes.basis.kernel_objects import (
    cramped,
    falls_off,
    fixed,
    free_names,
    log_periods,
    named,
    periods,
    simplified,
    spare,
    starts,
)
from sparsebayes.columns import Columns, Formula, FreeParameters, Inputs, spread

__all__ = ["ProcessKernel"]


@dataclass(frozen=True)
class ObjectValues:
    """What `sparsebayes.columns.objects` asks a kernel object.

    gamma holds its parameters, which are logarithms in scikit-learn.
    """

    kernel: KernelObject

    def __str__(self) -> str:
        return str(self.kernel)

    def at(self, gamma: np.ndarray) -> KernelObject:
        """The kernel object at given parameters."""
        return self.kernel.clone_with_theta(np.log(gamma))

    def values(self, inputs: np.ndarray, others: np.ndarray, gamma: np.ndarray) -> np.ndarray:
        """The kernel between inputs and others (n, m)."""
        return np.asarray(self.at(gamma)(inputs, others), dtype=np.float64)

    def variance(self, inputs: np.ndarray, gamma: np.ndarray) -> np.ndarray:
        """The kernel of each input with itself (n,)."""
        return np.asarray(self.at(gamma).diag(inputs), dtype=np.float64)

    def gradient(self, inputs: np.ndarray, gamma: np.ndarray) -> np.ndarray:
        """The derivative of the values between inputs, for each parameter's logarithm (n, n, k)."""
        return np.asarray(self.at(gamma)(inputs, eval_gradient=True)[1], dtype=np.float64)

    def named(self, gamma: np.ndarray) -> tuple[str, Any, dict[str, Any]] | None:
        """Name, gamma and options of a formula with the values of the kernel; None without one."""
        return named(self.at(gamma))


# Rows that a kernel is looked at with, and what is put down to rounding, relative to its values.
TESTED_ROWS, ROUNDING = 256, 1e-8
# What counts as a step of the logarithm of a period: a period of which the data have fifty is soon
# out of step.
PERIOD_UNIT = 0.02


class ProcessKernel(Kernel):
    """A kernel object of scikit-learn's Gaussian processes, whose parameters are learned.

    Its parameters are learned from the evidence of a Gaussian process, within their bounds; those
    that are "fixed" stay as they are. The search starts from the object that you give, and from
    lengths and periods that the inputs suggest. The variance of the process and the noise are
    learned besides, so that a constant factor of the whole kernel and a `WhiteKernel` in a sum are
    left out.

    Parameters
    ----------
    kernel : object of sklearn.gaussian_process.kernels
        Such as ``Matern(nu=1.5)`` or ``RBF(10.0) + RBF(1.0) * ExpSineSquared()``, or an object of
        a class of yours that derives from theirs. It must be a covariance.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred; see `GaussianKernel`.

    See Also
    --------
    RVR : Takes such objects as its `kernel`.
    CallableKernel : A function, which need not be a covariance, and of which nothing is learned.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.gaussian_process.kernels import Matern
    >>> from sparsebayes import ProcessKernel, SparseBayesRegressor
    >>> X = np.linspace(-3, 3, 60)[:, None]
    >>> y = np.abs(X[:, 0]) + np.random.default_rng(0).normal(0, 0.1, 60)
    >>> model = SparseBayesRegressor(ProcessKernel(Matern(nu=1.5))).fit(X, y)
    >>> learned = model.basis_.get_params()["processkernel__kernel"]
    >>> bool(1.0 < learned.length_scale < 20.0)
    True
    """

    accepts_sparse = False  # kernel objects take arrays
    calls_user = True
    positive_definite = True  # others are refused

    def __init__(self, kernel: Any, centres: Any = "auto") -> None:
        self.kernel = kernel
        self.centres = centres

    def formula(self, inputs: Inputs, weight: np.ndarray) -> Formula:
        """The kernel object at the parameters that a search starts from."""
        kernel = self._simplified()
        check_covariance(kernel, inputs)
        gamma = np.exp(np.clip(kernel.theta, *_limits(kernel).T))
        name = "local_kernel_object" if falls_off(kernel) else "kernel_object"
        return Formula(name, gamma, function=ObjectValues(kernel))

    def free_scale(self, inputs: Inputs, weight: np.ndarray) -> FreeParameters | None:
        """The parameters of the kernel, but those that are fixed or not needed."""
        kernel = self._simplified()
        names, limits = free_names(kernel), _limits(kernel)
        places = np.flatnonzero(~np.isin(names, list(spare(kernel))))
        if not len(places):
            return None
        own = limits[places]
        suggested = [each[places] for each in starts(kernel, inputs, weight)]
        short = cramped(names[places], kernel, own, suggested[0]) if suggested else []
        cyclic = np.isin(names[places], periods(kernel))
        units = np.where(cyclic, PERIOD_UNIT, 1.0)
        grids = [(int(k), log_periods(inputs, own[k]) / units[k]) for k in np.flatnonzero(cyclic)]
        start = np.clip(kernel.theta[places], *own.T)
        return FreeParameters(
            places,
            units,
            start / units,
            own / units[:, None],
            tuple(np.clip(each, *own.T) / units for each in suggested),
            tuple(grids),
            tuple((k, names[places[k]]) for k in short),
        )

    def resolved(self, columns: Columns) -> ProcessKernel:
        """A copy whose kernel has the parameters that its columns have, and learns none."""
        formula: Any = columns.formula
        learned = formula.function.at(formula.gamma)
        return clone(self).set_params(kernel=fixed(learned))

    def _simplified(self) -> KernelObject:
        if not isinstance(self.kernel, KernelObject):
            raise ValueError(
                "kernel of ProcessKernel must be an object of sklearn.gaussian_process.kernels, "
                f"such as RBF(), got {self.kernel!r}."
            )
        return simplified(self.kernel)


def _limits(kernel: KernelObject) -> np.ndarray:
    """The least and the largest of each parameter in theta (n_parameters, 2)."""
    return np.reshape(kernel.bounds, (-1, 2))


def check_covariance(kernel: KernelObject, inputs: np.ndarray) -> None:
    """An error where the values between inputs are no covariance."""
    rows = inputs[spread(np.arange(len(inputs)), TESTED_ROWS)]
    with np.errstate(all="ignore"):
        values, alone = np.asarray(kernel(rows, rows)), np.asarray(kernel(rows))
    if not np.isfinite(values).all():
        raise ValueError(
            f"the kernel {kernel} is NaN or infinite between the rows of X; expected finite "
            "values. Please check the kernel, or scale the inputs (for instance with "
            "StandardScaler)."
        )
    least = -ROUNDING * float(np.abs(values).max(initial=0.0))
    symmetric = np.abs(values - values.T).max(initial=0.0) <= -least
    if not symmetric or np.linalg.eigvalsh(values).min(initial=0.0) < least:
        raise ValueError(
            f"the kernel {kernel} is not positive definite at the rows of X, so that there is no "
            "process to learn its parameters from. Pass a function that calls it, such as "
            "kernel=lambda a, b: kernel(a, b), which need not be positive definite."
        )
    if np.abs(alone - values).max(initial=0.0) > -least:
        raise ValueError(
            f"the kernel {kernel} has noise of its own: kernel(X) differs from kernel(X, X). "
            "Leave the noise out of it: it is learned."
        )
