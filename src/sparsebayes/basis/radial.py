"""Kernels of the distance between input and centre."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone

from sparsebayes._parameters import is_several, is_word, per_input, positive
from sparsebayes.basis.kernel import Kernel, input_variances, squared_width
from sparsebayes.basis.usual import reach_of_extremes, usual_inputs
from sparsebayes.columns import (
    CentresAndWidths,
    Columns,
    Formula,
    FreeScale,
    Inputs,
    SeveralWidths,
    scaled_inputs,
)
from sparsebayes.model.given import refuse_masked

__all__ = ["CauchyKernel", "GaussianKernel", "LaplacianKernel"]


class RadialKernel(Kernel):
    """A kernel of the distance between input and centre, measured in widths.

    gamma_k = (input_scale_k / width)^power is the factor of input k in its formula.
    """

    formula_name: ClassVar[str]

    def __init__(
        self, width: Any = "scale", centres: Any = "auto", input_scale: Any = None
    ) -> None:
        self.width = width
        self.centres = centres
        self.input_scale = input_scale

    @classmethod
    def from_svm_parameters(cls, gamma: Any, degree: Any, coef0: Any, centres: Any) -> RadialKernel:
        """The kernel at a width, or with scales of the inputs, so that it has this gamma."""
        kernel = cls(centres=centres)
        if is_word(gamma, "ard"):
            return kernel.set_params(width=1.0, input_scale="learn")
        if any(is_word(gamma, word) for word in ("scale", "auto", "learn")):
            return kernel.set_params(width=gamma)
        if is_several(gamma):
            gamma = per_input("gamma", gamma, len(gamma))
            return kernel.set_params(width=1.0, input_scale=gamma ** (1.0 / kernel.power))
        number = positive("gamma", gamma, "'scale', 'auto', 'learn', 'ard', an array")
        return kernel.set_params(width=number ** (-1.0 / kernel.power))

    @property
    def power(self) -> float:
        """The exponent that makes a width a gamma."""
        return Formula(self.formula_name).definition.power

    @property
    def positive_definite(self) -> bool:
        """Whether the kernel is known to be a covariance: with one width."""
        return not is_several(self.width)

    def resolve_gamma(self, inputs: Inputs, weight: np.ndarray) -> Any:
        """Gamma as a number, or one for each input; where it is to be learned, its start.

        Of several widths, the smallest counts.
        """
        if is_word(self.input_scale, "learn"):
            return self._spread_of_each(usual_inputs(inputs, weight), weight)
        if self.input_scale is None:
            return self._gamma_of_width(inputs, weight)
        if isinstance(self.input_scale, str):
            raise ValueError(
                f"input_scale must be None, 'learn' or an array, got {self.input_scale!r}."
            )
        scale = per_input("input_scale", self.input_scale, inputs.shape[1])
        return self._gamma_of_width(scaled_inputs(inputs, scale), weight) * scale**self.power

    def free_scale(self, inputs: Inputs, weight: np.ndarray) -> FreeScale | None:
        """A free scale for each input that varies, or for the width; None where none is learned."""
        gamma = self.resolve_gamma(inputs, weight)
        if is_word(self.input_scale, "learn"):
            return FreeScale.of_each(gamma, self._gamma_with_extremes(gamma, inputs, weight))
        return FreeScale.of_all(gamma) if is_word(self.width, "learn") else None

    def formula(self, inputs: Inputs, weight: np.ndarray) -> Formula:
        """The kernel at the width, or at the smallest of several."""
        return Formula(self.formula_name, self.resolve_gamma(inputs, weight))

    def resolved(self, columns: Columns) -> RadialKernel:
        """A copy with the width and the scales of columns that it made, as numbers."""
        root = np.asarray(columns.formula.gamma) ** (1.0 / self.power)
        ratios = self._widths() if is_several(self.width) else np.ones(1)
        ratios = ratios / ratios.min()
        scale = None if root.ndim == 0 else root
        widths = ratios / root if root.ndim == 0 else ratios
        width = widths.tolist() if is_several(self.width) else float(widths[0])
        return clone(self).set_params(width=width, input_scale=scale)

    def bind(self, inputs: Inputs, weight: np.ndarray) -> Columns:
        """One column per centre, and with several widths per centre and width."""
        columns = super().bind(inputs, weight)
        if not is_several(self.width):
            return columns
        widths, formula = self._widths(), columns.formula
        assert isinstance(formula, Formula), "columns of one width"
        n_centres = columns.n_columns
        again = np.tile(np.arange(n_centres), len(widths))
        return replace(
            columns,
            formula=SeveralWidths(formula),
            items=CentresAndWidths(
                columns.items[again], np.repeat(widths / widths.min(), n_centres)
            ),
            centre_rows=columns.centre_rows[again],
        )

    def _gamma_of_width(self, inputs: Inputs, weight: np.ndarray) -> float:
        n_features = inputs.shape[1]
        if is_word(self.width, "scale"):
            return self._gamma_of_spread(squared_width(inputs, weight), n_features)
        if is_word(self.width, "learn"):
            variance = input_variances(usual_inputs(inputs, weight), weight)
            return self._gamma_of_spread(float(variance.sum()), int(np.count_nonzero(variance)))
        if is_word(self.width, "auto"):
            return 1.0 / n_features
        width = self._widths().min() if is_several(self.width) else positive("width", self.width)
        return width**-self.power

    def _spread_of_each(self, inputs: Inputs, weight: np.ndarray) -> np.ndarray:
        """1 / (n_varying variance_k), and 0 where the input is constant."""
        variance = input_variances(inputs, weight)
        n_varying = int(np.count_nonzero(variance))
        whole = n_varying * np.where(variance > 0.0, variance, 1.0)
        return np.where(variance > 0.0, self._gamma_of_spread(whole, n_varying), 0.0)

    def _gamma_with_extremes(
        self, gamma: np.ndarray, inputs: Inputs, weight: np.ndarray
    ) -> np.ndarray:
        """Gamma of each input, with a width that reaches its extreme values where it has such."""
        wide = reach_of_extremes(inputs, weight)
        n_varying = int(np.count_nonzero(gamma))
        extreme = self._gamma_of_spread(n_varying * np.where(wide > 0.0, wide, 1.0) ** 2, n_varying)
        return np.where(wide > 0.0, extreme, gamma)

    def _gamma_of_spread(self, squared: Any, n_features: int) -> Any:
        """gamma for a width whose square is n_features times a variance."""
        return 1.0 / squared

    def _widths(self) -> np.ndarray:
        refuse_masked(width=self.width)
        try:
            widths = np.asarray(self.width, dtype=np.float64)
        except (TypeError, ValueError):
            widths = np.empty(0)
        if widths.ndim == 1 and widths.size and np.all((widths > 0.0) & (widths < np.inf)):
            return np.unique(widths)
        raise ValueError(
            f"width, if a list, must hold one or more positive numbers, got {self.width!r}."
        )


class GaussianKernel(RadialKernel):
    """The Gaussian (RBF) kernel of the distance between input and centre.

    For an input x and a centre c it is ``exp(-sum_k (input_scale_k / width)^2 (x_k - c_k)^2)``.

    Parameters
    ----------
    width : float, "scale", "auto", "learn" or list of float, default="scale"
        "scale": width^2 is n_features times the variance of all values of the inputs, whose offsets
        and codes such as -999 so count. "auto": width^2 is n_features. "learn": the width is
        learned from the targets. A list: every centre has a kernel of each of these widths, and the
        fit keeps those that it needs.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred. None: on all distinct training rows. A number: on at most this
        many of them, evenly spaced. An array: on its points. "auto": on all distinct rows if there
        are at most 4000, else on 1000 to 2000 of them. All rows count in the likelihood in any
        case.
    input_scale : None, "learn" or array of shape (n_features,), default=None
        A factor for each input. "learn": the factors are learned from the targets. The width then
        counts only if it is a list, by the ratios in it, and the factors are those of the smallest.

    See Also
    --------
    RVR : Has this kernel by default, with `gamma` in place of widths and scales.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/scales.html

    Examples
    --------
    >>> from sparsebayes import Bias, GaussianKernel, SparseBayesRegressor
    >>> from sparsebayes.datasets import noisy_sinc
    >>> basis = GaussianKernel(width="learn") + Bias()
    >>> model = SparseBayesRegressor(basis).fit(*noisy_sinc(60, random_state=0))
    >>> 1.0 < model.basis_.get_params()["gaussiankernel__width"] < 10.0
    True
    """

    keyword = "rbf"
    formula_name = "gaussian"


class CauchyKernel(RadialKernel):
    """The Cauchy kernel: like the Gaussian kernel, with heavier tails.

    For an input x and a centre c it is ``1 / (1 + sum_k (input_scale_k / width)^2 (x_k - c_k)^2)``.

    Parameters
    ----------
    width : float, "scale", "auto", "learn" or list of float, default="scale"
        The width, or how it is found; see `GaussianKernel`.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred; see `GaussianKernel`.
    input_scale : None, "learn" or array of shape (n_features,), default=None
        A factor for each input; see `GaussianKernel`.

    See Also
    --------
    GaussianKernel : The kernel that is used most.

    Examples
    --------
    >>> from sparsebayes import Bias, CauchyKernel, SparseBayesRegressor
    >>> from sparsebayes.datasets import noisy_sinc
    >>> basis = CauchyKernel(width=3.0) + Bias()
    >>> model = SparseBayesRegressor(basis).fit(*noisy_sinc(60, random_state=0))
    >>> len(model.relevance_) < 60
    True
    """

    keyword = "cauchy"
    formula_name = "cauchy"


class LaplacianKernel(RadialKernel):
    """The Laplacian kernel, for functions that are not smooth.

    For an input x and a centre c it is ``exp(-sum_k input_scale_k / width * |x_k - c_k|)``.

    Parameters
    ----------
    width : float, "scale", "auto", "learn" or list of float, default="scale"
        "scale": n_features times the standard deviation of the inputs. "auto": n_features. Else see
        `GaussianKernel`.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred; see `GaussianKernel`.
    input_scale : None, "learn" or array of shape (n_features,), default=None
        A factor for each input; see `GaussianKernel`.

    See Also
    --------
    GaussianKernel : For smooth functions.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import Bias, LaplacianKernel, SparseBayesRegressor
    >>> X = np.linspace(-3, 3, 60)[:, None]
    >>> y = np.abs(X[:, 0]) + np.random.default_rng(0).normal(0, 0.1, 60)
    >>> basis = LaplacianKernel(width=5.0) + Bias()
    >>> model = SparseBayesRegressor(basis, inference="fast").fit(X, y)
    >>> len(model.relevance_) < 60
    True
    """

    keyword = "laplacian"
    formula_name = "laplacian"
    accepts_sparse = False  # distances are needed input by input

    def _gamma_of_spread(self, squared: Any, n_features: int) -> Any:
        """1 / (n_features standard deviation)."""
        return 1.0 / np.sqrt(n_features * squared)
