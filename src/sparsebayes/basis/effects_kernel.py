"""Effects of single inputs and of pairs, and the kernel that is the default."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from sparsebayes._parameters import is_word
from sparsebayes.basis.kernel import Kernel, input_variances
from sparsebayes.basis.product_kernels import LinearKernel
from sparsebayes.basis.radial import GaussianKernel
from sparsebayes.basis.usual import usual_inputs
from sparsebayes.columns import Columns, Formula, FreeEffects, Inputs, as_array
from sparsebayes.columns.sparse_inputs import input_range
from sparsebayes.model.effects import N_KNOTS

__all__ = ["EffectsKernel"]

# With more inputs the default has no effects: they take an exponential for each input, and hundreds
# of them cannot be told apart. With still more it has no scale for each input.
MOST_EFFECTS, MOST_SCALES = 64, 256


class EffectsKernel(Kernel):
    """Effects of single inputs, of pairs of them, and of all together.

    A function of this process is a sum: ``f(x) = constant + sum_k f_k(x_k) + sum_kl f_kl(x_k, x_l)
    + f_all(x)``. The effects f_k and f_kl have mean zero over the training rows. So each has a
    meaning of its own, and `effects` of a fitted model shows it. How much of each there is and how
    wiggly it is, the evidence decides.

    Parameters
    ----------
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred; see `GaussianKernel`.
    scales : "learn" or array of shape (2 n_features + 3,), default="learn"
        For each input gamma, ``1 / (2 width^2)``; then for each input its size, the mean variance
        of its effect; then the weights of a constant, of pairs, and of the product of all inputs,
        beside single effects. "learn": they are learned from the targets.

    See Also
    --------
    GaussianKernel : The kernel of all inputs together.
    RVR : Has this kernel by default, if there are 2 to 64 inputs.

    Notes
    -----
    The theory has more: https://sparsebayes.example/theory/effects.html

    References
    ----------
    X. Lu, A. Boukouvalas, J. Hensman (2022), Additive Gaussian Processes Revisited, ICML.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import EffectsKernel, SparseBayesRegressor
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(100, 3))
    >>> y = np.sin(2 * X[:, 0]) + X[:, 1] + random.normal(0, 0.1, 100)
    >>> model = SparseBayesRegressor(EffectsKernel()).fit(X, y)
    >>> bool(model.score(X, y) > 0.98)
    True
    """

    keyword = "effects"
    positive_definite = True

    def __init__(self, centres: Any = "auto", scales: Any = "learn") -> None:
        self.centres = centres
        self.scales = scales

    def formula(self, inputs: Inputs, weight: np.ndarray) -> Formula:
        """The kernel, with knots at the quantiles of each input."""
        usual = as_array(usual_inputs(inputs, weight))
        pairs = [knots_of(values, weight) for values in usual.T]
        knots, shares = (np.array(each) for each in zip(*pairs, strict=True))
        return Formula("effects", self._vector(inputs, weight), {"knots": knots, "shares": shares})

    def free_scale(self, inputs: Inputs, weight: np.ndarray) -> FreeEffects | None:
        """The scales of all inputs that vary; None where they are given."""
        return self._free(inputs, weight) if is_word(self.scales, "learn") else None

    def resolved(self, columns: Columns) -> EffectsKernel:
        """A copy with the scales of columns that it made, as numbers."""
        return clone(self).set_params(scales=columns.formula.gamma)

    def _free(self, inputs: Inputs, weight: np.ndarray) -> FreeEffects:
        return FreeEffects.of(usual_variances(inputs, weight))

    def _vector(self, inputs: Inputs, weight: np.ndarray) -> np.ndarray:
        """All scales; where they are learned, those to start from."""
        size = 2 * inputs.shape[1] + 3
        if is_word(self.scales, "learn"):
            free = self._free(inputs, weight)
            return free.moved(np.zeros(size), free.log_spread)
        try:
            scales = np.asarray(self.scales, dtype=np.float64)
        except (TypeError, ValueError):
            scales = np.empty(0)
        if scales.shape == (size,) and np.all((scales >= 0.0) & (scales < np.inf)):
            return scales
        raise ValueError(
            f"scales of EffectsKernel must be 'learn' or {size} numbers that are not negative, as "
            f"X has {inputs.shape[1]} features; got {self.scales!r}."
        )


class DefaultKernel(Kernel):
    """Kernels for these inputs, of which the evidence chooses one.

    For one input that varies it is a Gaussian kernel. For 2 to 64 it is that of effects, or a
    Gaussian kernel with a scale for each input. For more it is a Gaussian kernel with a scale for
    each input, or with one for all of them, or a linear kernel of standardised inputs.

    Parameters
    ----------
    centres : see `GaussianKernel`
    """

    keyword = "auto"
    positive_definite = True

    def __init__(self, centres: Any = "auto") -> None:
        self.centres = centres

    def formula(self, inputs: Inputs, weight: np.ndarray) -> Formula:
        """That of the first kernel."""
        return self.kernels_for(inputs, weight)[0].formula(inputs, weight)

    def resolved(self, columns: Columns) -> Kernel:
        """The kernel that was chosen, with the scales of columns that it made."""
        kernel: Any = GaussianKernel(1.0, self.centres, "learn")
        if columns.formula.name == "effects":
            kernel = EffectsKernel(self.centres)
        if columns.formula.name == "standard_linear":
            kernel = LinearKernel(self.centres, "standard")
        return kernel.resolved(columns)

    def bind(self, inputs: Inputs, weight: np.ndarray) -> Columns:
        """One column per centre, of the first kernel, with those of the others as rivals."""
        return _with_rivals(each.bind(inputs, weight) for each in self.kernels_for(inputs, weight))

    def bind_sample(
        self, inputs: Inputs, weight: np.ndarray, numbers: np.ndarray, n_rows: int
    ) -> Columns:
        """One column per centre of each kernel, as many as all rows would have."""
        kernels = self.kernels_for(inputs, weight)
        return _with_rivals(each.bind_sample(inputs, weight, numbers, n_rows) for each in kernels)

    def kernels_for(self, inputs: Inputs, weight: np.ndarray) -> list[Kernel]:
        """The kernels for these inputs."""
        variances = usual_variances(inputs, weight)
        n_varying = np.count_nonzero(variances)
        of_each = GaussianKernel(1.0, self.centres, "learn")
        if n_varying <= 1:
            return [of_each]
        if n_varying <= MOST_EFFECTS:
            return [of_each, EffectsKernel(self.centres)]
        if n_varying > MOST_SCALES:
            root = np.sqrt(np.where(variances > 0.0, variances, np.inf))
            of_each = GaussianKernel("learn", self.centres, 1.0 / root)
        of_all = GaussianKernel("learn", self.centres)
        return [of_each, of_all, LinearKernel(self.centres, "standard")]


def _with_rivals(columns: Iterable[Columns]) -> Columns:
    """The first columns, with the others as rivals."""
    first, *others = columns
    return replace(first, rivals=tuple(others))


def usual_variances(inputs: Inputs, weight: np.ndarray) -> np.ndarray:
    """Variance of each input without its extreme values, 0 for a constant (n_features,)."""
    usual = usual_inputs(inputs, weight)
    least, most = input_range(usual)
    return np.where(most > least, input_variances(usual, weight), 0.0)


def knots_of(values: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values that stand for those of an input, and the share of each (N_KNOTS,) twice.

    All values where they are few. Else values that many rows have stand for themselves, and the
    others are put into groups of equal weight, each with its middle value.
    """
    levels, place = np.unique(values, return_inverse=True)
    shares = np.bincount(place, weight) / weight.sum()
    group = np.arange(len(levels))
    if len(levels) > N_KNOTS:
        many = shares >= 1.0 / N_KNOTS
        n_many, rest = int(many.sum()), shares[~many]
        middle = (np.cumsum(rest) - 0.5 * rest) / rest.sum()
        group[many] = np.arange(n_many)
        group[~many] = n_many + np.minimum((N_KNOTS - n_many) * middle, N_KNOTS - n_many - 1)
    knots, whole = np.full(N_KNOTS, levels[0]), np.bincount(group, shares, N_KNOTS)
    for k in np.unique(group):
        own = np.flatnonzero(group == k)
        half = np.cumsum(shares[own]) >= 0.5 * whole[k] * (1.0 - 1e-12)
        knots[k] = levels[own[np.argmax(half)]]
    return knots, whole
