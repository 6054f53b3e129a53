"""What RVR and RVC share: a kernel on the training rows and a bias, named as in SVR and SVC."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.gaussian_process.kernels import Kernel as KernelObject

from sparsebayes._parameters import is_several, is_word, per_input
from sparsebayes.basis import KERNELS, Basis, Bias, CallableKernel, ProcessKernel, Sum
from sparsebayes.basis.effects_kernel import DefaultKernel
from sparsebayes.columns import Columns, EffectScales
from sparsebayes.estimators._model import SparseBayesModel
from sparsebayes.inference import Projection


class KernelMachine(SparseBayesModel):
    """A kernel centred on the training rows, and a bias unless `fit_intercept` is False."""

    def _make_basis(self) -> Basis:
        kernel = self._make_kernel()
        if is_word(self.fit_intercept, "column"):
            return kernel + Bias(centre_target=False)
        if not isinstance(self.fit_intercept, bool | np.bool_):
            raise ValueError(
                f"fit_intercept must be True, False or 'column', got {self.fit_intercept!r}."
            )
        return kernel + Bias() if self.fit_intercept else Sum([("kernel", kernel)])

    def _check_inputs(self, n_features: int) -> None:
        """An error where gamma is not one number for each input."""
        if is_several(self.gamma):
            per_input("gamma", self.gamma, n_features)

    def _make_kernel(self) -> Basis:
        if isinstance(self.kernel, KernelObject):
            return ProcessKernel(self.kernel, self.centres)
        if isinstance(self.kernel, type) and issubclass(self.kernel, KernelObject):
            raise ValueError(
                f"kernel must be an object, got the class {self.kernel.__name__}: "
                f"write kernel={self.kernel.__name__}()."
            )
        if callable(self.kernel):
            return CallableKernel(self.kernel, self.centres)
        if is_word(self.kernel, "auto"):
            if is_word(self.gamma, "ard") and self._asks_for_process:
                return DefaultKernel(self.centres)
            return KERNELS["rbf"].from_svm_parameters(self.gamma, 3, 0.0, self.centres)
        if isinstance(self.kernel, str) and self.kernel in KERNELS:
            kernel = KERNELS[self.kernel]
            return kernel.from_svm_parameters(self.gamma, self.degree, self.coef0, self.centres)
        names = ", ".join(map(repr, sorted([*KERNELS, "auto"])))
        raise ValueError(f"kernel must be a function or one of {names}, got {self.kernel!r}.")

    @property
    def _asks_for_process(self) -> bool:
        """Whether a Gaussian process is fitted, and not a sum of few columns."""
        return is_word(self.inference, "projection") or isinstance(self.inference, Projection)

    @property
    def _kernel_columns(self) -> Columns:
        """The kernel columns that were kept."""
        return self._model.columns.kinds[0]

    @property
    def relevance_vectors_(self) -> Any:
        """The relevance vectors (n_relevance, n_features); none with a precomputed kernel."""
        kernel = self._kernel_columns
        if kernel.centres is None:
            return np.empty((0, 0))
        return self._as_given(kernel.centres[self._model.relevant[: kernel.n_columns]])

    @property
    def covering_vectors_(self) -> Any:
        """With ``inference="projection"``: the covering rows (n_covering, n_features).

        There are none with a precomputed kernel.
        """
        kernel = self._covering.columns[0]
        if kernel.centres is None:
            return np.empty((0, 0))
        return self._as_given(kernel.centres[kernel.order_by_row()])

    @property
    def dual_coef_(self) -> np.ndarray:
        """Mean weights of the relevance vectors (1, n_relevance), shaped as in SVR.

        With several classes or outputs, one row for each.
        """
        n_kernels, model = self._kernel_columns.n_columns, self._model
        return model.predictor.plain.weights[:n_kernels][model.relevant[:n_kernels]].T

    @property
    def intercept_(self) -> np.ndarray:
        """What is added to the sum of the kernels: one number for each output or class.

        It is the mean weight of the bias, if it is in the model, and the mean of y, if it was taken
        out.
        """
        bias = self._model.predictor.plain.weights[self._kernel_columns.n_columns :]
        return bias.sum(axis=0) + getattr(self, "offset_", 0.0)

    @property
    def gamma_(self) -> Any:
        """The gamma of the kernel as a number, or one for each input; some kernels have none."""
        formula = self._kernel_columns.formula
        if formula.name == "effects":
            return EffectScales.of(formula.gamma).gamma
        if formula.gamma is not None and not isinstance(self.kernel, KernelObject):
            return formula.gamma
        raise AttributeError(f"the kernel {self._kernel_columns.kind} has no gamma.")

    @property
    def kernel_(self) -> Any:
        """With a kernel object of scikit-learn: the object with the parameters that were learned.

        It has neither noise nor a factor of the whole; see `kernel_variance_` and `noise_std_`.
        """
        (_, basis), *_ = self._model.basis.get_params(deep=False)["parts"]
        found = basis.get_params(deep=False)
        if "kernel" in found:
            return found["kernel"]
        raise AttributeError(
            f"kernel_ needs a kernel object of scikit-learn, got kernel={self.kernel!r}."
        )

    @property
    def kernel_variance_(self) -> np.ndarray:
        """With ``inference="projection"``: the variance of the process, a factor of its kernel.

        One number for each output or class, or for all classes.
        """
        return self._covering.amplitude[0]
