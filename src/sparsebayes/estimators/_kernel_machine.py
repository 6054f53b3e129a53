"""What RVR and RVC share: a kernel on the training rows and a bias, named as in SVR and SVC."""

from __future__ import annotations

import numpy as np

from sparsebayes.basis import (
    Basis,
    Bias,
    CallableKernel,
    CauchyKernel,
    GaussianKernel,
    LaplacianKernel,
    LinearKernel,
    LinearSplineKernel,
    PolynomialKernel,
    PrecomputedKernel,
    SigmoidKernel,
    Sum,
    formulas,
)
from sparsebayes.basis._scale import is_several, is_word, per_input, positive
from sparsebayes.basis.radial import RadialKernel
from sparsebayes.estimators._checks import check_flag
from sparsebayes.estimators._model import SparseBayesModel

KERNELS = (
    "rbf",
    "linear",
    "poly",
    "sigmoid",
    "laplacian",
    "cauchy",
    "linear_spline",
    "precomputed",
)


class KernelMachine(SparseBayesModel):
    """A kernel centred on the training rows, and a bias unless `fit_intercept` is False."""

    def _make_basis(self) -> Basis:
        kernel = self._make_kernel()
        check_flag(self, "fit_intercept")
        return kernel + Bias() if self.fit_intercept else Sum([("kernel", kernel)])

    def _bind(self, basis, X, weight):
        """The columns of the basis; an error where gamma is not one number for each input."""
        if is_several(self.gamma):
            per_input("gamma", self.gamma, X.shape[1])
        return super()._bind(basis, X, weight)

    def _make_kernel(self) -> Basis:
        if callable(self.kernel):
            return CallableKernel(self.kernel, self.centres)
        match self.kernel if isinstance(self.kernel, str) else None:
            case "rbf":
                return _with_width(GaussianKernel(centres=self.centres), self.gamma)
            case "cauchy":
                return _with_width(CauchyKernel(centres=self.centres), self.gamma)
            case "laplacian":
                return _with_width(LaplacianKernel(centres=self.centres), self.gamma)
            case "poly":
                return PolynomialKernel(self.degree, self.gamma, self.coef0, self.centres)
            case "sigmoid":
                return SigmoidKernel(self.gamma, self.coef0, self.centres)
            case "linear":
                return LinearKernel(self.centres)
            case "linear_spline":
                return LinearSplineKernel(self.centres)
            case "precomputed" if self.centres is None or is_word(self.centres, "auto"):
                return PrecomputedKernel()
            case "precomputed":
                raise ValueError(
                    'centres must be "auto" or None with kernel="precomputed", whose columns are '
                    f"the centres; got {self.centres!r}."
                )
        names = ", ".join(map(repr, KERNELS))
        raise ValueError(f"kernel must be a function or one of {names}, got {self.kernel!r}.")

    @property
    def relevance_vectors_(self):
        """The relevance vectors (n_relevance, n_features); empty with a precomputed kernel."""
        kernel = self._kept_columns.parts[0]
        if kernel.formula is formulas.take:
            return np.empty((0, 0))
        return kernel.items[self._relevant[: kernel.n_columns]]

    @property
    def dual_coef_(self) -> np.ndarray:
        """Mean weights of the relevance vectors (1, n_relevance), shaped as in SVR.

        With several classes or outputs, one row for each.
        """
        n_kernels = self._kept_columns.parts[0].n_columns
        return np.atleast_2d(self.weights_[:n_kernels][self._relevant[:n_kernels]].T)

    @property
    def intercept_(self) -> np.ndarray:
        """Mean weight of the bias (1,), or of each class or output; 0 if it is not in the model."""
        n_kernels = self._kept_columns.parts[0].n_columns
        bias = self.weights_[n_kernels:]
        return bias.ravel() if len(bias) else np.zeros(self.weights_.shape[1:] or 1)

    @property
    def gamma_(self):
        """The kernel's gamma, a number or one for each input; only for kernels that have one."""
        formula = self._kept_columns.parts[0].formula
        if hasattr(formula, "gamma"):
            return formula.gamma
        raise AttributeError(f"kernel {self.kernel!r} has no gamma.")


def _with_width(kernel: RadialKernel, gamma) -> RadialKernel:
    """The kernel at a width, or with scales of the inputs, so that it has this gamma."""
    if is_word(gamma, "ard"):
        return kernel.set_params(width=1.0, input_scale="learn")
    if any(is_word(gamma, word) for word in ("scale", "auto", "learn")):
        return kernel.set_params(width=gamma)
    if is_several(gamma):
        gamma = per_input("gamma", gamma, len(gamma))
        return kernel.set_params(width=1.0, input_scale=gamma ** (1.0 / kernel.power))
    number = positive("gamma", gamma, "'scale', 'auto', 'learn', 'ard', an array")
    return kernel.set_params(width=number ** (-1.0 / kernel.power))
