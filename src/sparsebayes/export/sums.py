"""The mean of a latent value as a sum: a constant, inputs with coefficients, and other columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.portable import PortableModel
from sparsebayes.portable.columns import PlainColumns


@dataclass(frozen=True)
class Sum:
    """constant + sum_k coefficient_k x_k + sum_i weight_i column_i.

    Parameters
    ----------
    constant : with the mean of targets that was taken out
    coefficients : of the inputs (d,)
    weights : of kernels, one for each of their vectors, by formula
    products : powers of inputs (d,), and the weight of their product
    """

    constant: float
    coefficients: np.ndarray
    weights: list[np.ndarray]
    products: list[tuple[np.ndarray, float]]


def sum_of(model: PortableModel, k: int) -> Sum:
    """That of latent value k."""
    constant = float(model.response.offset[k]) if hasattr(model.response, "offset") else 0.0
    coefficients = np.zeros(model.face.n_features)
    kernels: list[np.ndarray] = []
    products: list[tuple[np.ndarray, float]] = []
    start = 0
    for columns in model.plain.columns:
        weights = model.plain.weights[start : start + columns.n_columns, k]
        start += columns.n_columns
        if columns.formula == "constant":
            constant += float(weights.sum())
        elif columns.formula in ("inputs", "precomputed"):
            np.add.at(coefficients, columns.items, weights)
        elif columns.formula == "products":
            products += zip(columns.items, map(float, weights), strict=True)
        elif columns.formula == "linear":
            slope, at_zero = _linear(columns, weights)
            coefficients += slope
            constant += at_zero
        else:
            kernels.append(weights)
    return Sum(constant, coefficients, kernels, products)


def _linear(columns: PlainColumns, weights: np.ndarray) -> tuple[np.ndarray, float]:
    """sum_i w_i sum_k gamma_k (x_k - m_k) (c_ik - m_k) as coefficients and a constant."""
    gamma, middle = columns.parameters["gamma"], columns.parameters["middle"]
    slope = gamma * (weights @ (columns.items - middle))
    return slope, -float(slope @ middle)


def latent_names(model: PortableModel) -> list[str]:
    """f, or f_0, f_1, ... for each output or class."""
    n_latents = model.plain.weights.shape[1]
    return ["f"] if n_latents == 1 else [f"f_{k}" for k in range(n_latents)]
