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
from sparsebayes.basis._scale import is_word, positive
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

    def _make_kernel(self) -> Basis:
        if callable(self.kernel):
            return CallableKernel(self.kernel, self.centres)
        match self.kernel if isinstance(self.kernel, str) else None:
            case "rbf":
                return GaussianKernel(_width(self.gamma, 0.5), self.centres)
            case "cauchy":
                return CauchyKernel(_width(self.gamma, 0.5), self.centres)
            case "laplacian":
                return LaplacianKernel(_width(self.gamma, 1.0), self.centres)
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
    def gamma_(self) -> float:
        """The kernel's gamma as a number; only for kernels that have one."""
        formula = self._kept_columns.parts[0].formula
        try:
            return formula.keywords["gamma"]
        except (AttributeError, KeyError):
            raise AttributeError(f"kernel {self.kernel!r} has no gamma.") from None


def _width(gamma, power):
    """The width of a kernel in which gamma = width^(-1 / power); "scale" and "auto" stay."""
    words = is_word(gamma, "scale") or is_word(gamma, "auto")
    return gamma if words else positive("gamma", gamma) ** -power
