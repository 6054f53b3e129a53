"""Models of every kind that goes elsewhere, fitted to generated data."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.exceptions import ConvergenceWarning

from sparsebayes import RVC, RVR, Bias, GaussianKernel, Linear, SparseBayesRegressor

KERNELS = ("rbf", "linear", "poly", "sigmoid", "laplacian", "cauchy", "linear_spline")


class Kind(NamedTuple):
    """An estimator, and what it is fitted to: "real", "outputs", "two" or "three" classes."""

    estimator: Any
    target: str


def kinds() -> dict[str, Kind]:
    """The kinds, by name."""
    both = GaussianKernel(input_scale="learn") + Linear() + Bias()
    found = {
        "RVR()": Kind(RVR(), "real"),
        'RVR(inference="fast")': Kind(RVR(inference="fast"), "real"),
        'RVR(inference="variational")': Kind(RVR(gamma="scale", inference="variational"), "real"),
        "Gaussian kernel + Linear() + Bias()": Kind(SparseBayesRegressor(both), "real"),
        "RVR(), two outputs": Kind(RVR(), "outputs"),
        "RVC(), two classes": Kind(RVC(), "two"),
        'RVC(inference="fast"), two classes': Kind(RVC(inference="fast"), "two"),
        "RVC(), three classes": Kind(RVC(), "three"),
        'RVC(multi_class="ovr")': Kind(RVC(multi_class="ovr"), "three"),
        'RVC(multi_class="softmax")': Kind(RVC(multi_class="softmax"), "three"),
        'RVC(multi_class="shared_softmax")': Kind(RVC(multi_class="shared_softmax"), "three"),
    }
    for name in KERNELS[1:]:
        found[f'RVR("{name}")'] = Kind(RVR(name, coef0=1.0), "real")
        found[f'RVR("{name}", inference="fast")'] = Kind(
            RVR(name, coef0=1.0, inference="fast"), "real"
        )
    for name in ("softmax", "shared_softmax"):
        estimator = RVC(multi_class=name, inference="fast")
        found[f'RVC(multi_class="{name}", inference="fast")'] = Kind(estimator, "three")
    return found


def fitted(kind: Kind, n_rows: int = 150) -> Any:
    """The estimator, fitted to Friedman's first function, or to classes of its values."""
    X, y = make_friedman1(n_rows, n_features=5, noise=1.0, random_state=0)
    noise = np.random.default_rng(2).normal(0.0, 0.1, n_rows)
    target = {
        "real": y,
        "outputs": np.column_stack([y, np.sin(4.0 * X[:, 0]) + noise]),
        "two": np.array(["low", "high"])[(y > np.median(y)).astype(int)],
        "three": np.digitize(y, np.quantile(y, [0.33, 0.67])),
    }[kind.target]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return kind.estimator.fit(X, target)


def new_rows(n_rows: int = 200) -> np.ndarray:
    """Rows where the data are, and one in five of them beyond."""
    random = np.random.default_rng(1)
    rows = random.uniform(size=(n_rows, 5))
    rows[::5] = 2.0 * rows[::5] + 0.5
    return rows
