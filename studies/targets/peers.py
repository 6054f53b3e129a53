"""Other methods for these targets."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.linear_model import HuberRegressor
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV

from studies.framework.experiment import MissingDataError

FOLDS = 5
HUBER_PENALTIES = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)


def statsmodels(module: str) -> Any:
    """A module of statsmodels, where it is installed."""
    try:
        return import_module(f"statsmodels.{module}")
    except ImportError as error:
        raise MissingDataError("needs: pip install statsmodels") from error


def gaussian_process(X, y) -> GaussianProcessRegressor:
    """A width for each input, and the noise, by marginal likelihood from one start."""
    kernel = ConstantKernel() * RBF(np.ones(X.shape[1])) + WhiteKernel()
    return GaussianProcessRegressor(kernel, normalize_y=True).fit(X, y)


class HuberOnKernels:
    """Huber's regression on Gaussian kernels of all training rows, the penalty by CV."""

    def __init__(self, gamma) -> None:
        self.scale = np.sqrt(gamma)

    def fit(self, X, y) -> HuberOnKernels:
        """The penalty has the least median absolute error."""
        self.centres = X * self.scale
        search = GridSearchCV(
            HuberRegressor(max_iter=1000),
            {"alpha": HUBER_PENALTIES},
            scoring="neg_median_absolute_error",
            cv=FOLDS,
        )
        self.model = search.fit(self._columns(X), y)
        return self

    def predict(self, X) -> np.ndarray:
        """Values of the function."""
        return self.model.predict(self._columns(X))

    def _columns(self, X) -> np.ndarray:
        return rbf_kernel(X * self.scale, self.centres, gamma=1.0)
