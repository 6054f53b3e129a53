"""Derivatives of linear columns for some of the inputs, and their variance in a process."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse

from sparsebayes.columns.geometry import Inputs


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
    """The same of a constant."""
    return np.zeros((len(features), len(items)))


def ones_where_equal(items: np.ndarray, features: np.ndarray) -> np.ndarray:
    """The same of inputs."""
    return (features[:, None] == items).astype(np.float64)
