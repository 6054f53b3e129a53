"""What RVR and RVC share: a kernel on the training rows and a bias, named as in SVR and SVC."""

from __future__ import annotations

import numpy as np

from sparsebayes._parameters import is_several, per_input
from sparsebayes.basis import KERNELS, Basis, Bias, CallableKernel, Sum
from sparsebayes.estimators._checks import check_flag
from sparsebayes.estimators._model import SparseBayesModel


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
        if isinstance(self.kernel, str) and self.kernel in KERNELS:
            kernel = KERNELS[self.kernel]
            return kernel.from_svm_parameters(self.gamma, self.degree, self.coef0, self.centres)
        names = ", ".join(map(repr, sorted(KERNELS)))
        raise ValueError(f"kernel must be a function or one of {names}, got {self.kernel!r}.")

    @property
    def relevance_vectors_(self):
        """The relevance vectors (n_relevance, n_features); empty with a precomputed kernel."""
        kernel = self._kept_columns.parts[0]
        if kernel.centres is None:
            return np.empty((0, 0))
        return kernel.centres[self._relevant[: kernel.n_columns]]

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
        if formula.gamma is not None:
            return formula.gamma
        raise AttributeError(f"kernel {self.kernel!r} has no gamma.")
