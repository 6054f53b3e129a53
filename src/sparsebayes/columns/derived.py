"""Names of columns, and derivatives of linear ones.

A name is made of (kind, item, training row, names of the inputs).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import issparse

from sparsebayes.columns.geometry import Inputs


def row_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """The name of a kernel centred on a training row."""
    return f"{kind}({row})"


def constant_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """The name of the bias."""
    return "bias"


def input_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """The name of an input."""
    return feature_names[item]


def product_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """A product of inputs; the item holds the power of each."""
    factors = [
        feature_names[k] if power == 1 else f"{feature_names[k]}^{power}"
        for k, power in enumerate(item)
        if power
    ]
    return " ".join(factors)


def given_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """A column of a function of the user."""
    return f"given({item})"


def of_centres(centres: Inputs, features: np.ndarray) -> np.ndarray:
    """Derivatives of x'c for some of the inputs."""
    chosen = centres[:, features].T
    return chosen.toarray() if issparse(chosen) else chosen


def of_standard_centres(
    centres: Inputs, features: np.ndarray, gamma: np.ndarray, middle: np.ndarray
) -> np.ndarray:
    """Derivatives of sum_k gamma_k (x_k - middle_k) (c_k - middle_k) for some of the inputs."""
    shifted = of_centres(centres, features) - middle[features][:, None]
    return gamma[features][:, None] * shifted


def unit_gradient_variance(features: np.ndarray) -> np.ndarray:
    """1: the weights of a process with the kernel x'c."""
    return np.ones(len(features))


def standard_gradient_variance(
    features: np.ndarray, gamma: np.ndarray, middle: np.ndarray
) -> np.ndarray:
    """gamma_k: the weights of standardised inputs in units of the inputs themselves."""
    return gamma[features]


def zeros(items: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Derivatives of a constant for some of the inputs: zero."""
    return np.zeros((len(features), len(items)))


def ones_where_equal(items: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Derivatives of columns that are inputs: one for the input itself, zero for others."""
    return (features[:, None] == items).astype(np.float64)
