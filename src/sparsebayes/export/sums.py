"""The mean of a latent value as a sum: a constant, inputs with coefficients, and other columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes.export.given import plains_of
from sparsebayes.model import PortableModel
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.latent import Plain


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


def sums_of(model: PortableModel) -> dict[str, Sum]:
    """Sums of f, or f_0, f_1, ... for each output or class; and of g, where the noise has one."""
    plain, *noise = plains_of(model)
    n_latents = plain.weights.shape[1]
    names = ["f"] if n_latents == 1 else [f"f_{k}" for k in range(n_latents)]
    added = getattr(model.response, "offset", np.zeros(n_latents)).tolist()
    pairs = enumerate(zip(names, added, strict=True))
    sums = {name: _sum(model, plain, k, constant) for k, (name, constant) in pairs}
    if noise:
        sums["g"] = _sum(model, noise[0], 0, model.response.log_mean)
    return sums


def _sum(model: PortableModel, own: Plain, k: int, constant: float) -> Sum:
    """The sum of a latent value. The columns of all others are there, with weights of zero."""
    coefficients = np.zeros(model.face.n_features)
    kernels: list[np.ndarray] = []
    products: list[tuple[np.ndarray, float]] = []
    for columns, weights in _weighted(model, own, k):
        if columns.formula == "constant":
            constant += float(weights.sum())
        elif columns.formula in ("inputs", "precomputed"):
            np.add.at(coefficients, columns.items, weights)
        elif columns.formula == "products":
            pairs = zip(columns.items, map(float, weights), strict=True)
            products += [(powers, weight) for powers, weight in pairs if weight]
        elif columns.formula == "linear":
            slope, at_zero = _linear(columns, weights)
            coefficients += slope
            constant += at_zero
        else:
            kernels.append(weights)
    return Sum(constant, coefficients, kernels, products)


def _weighted(model: PortableModel, own: Plain, k: int) -> list[tuple[PlainColumns, np.ndarray]]:
    """All columns, and their weights for a latent value."""
    found: list[tuple[PlainColumns, np.ndarray]] = []
    for plain in plains_of(model):
        of_value = plain.weights[:, k] if plain is own else np.zeros(len(plain.weights))
        ends = np.cumsum([columns.n_columns for columns in plain.columns])
        found += zip(plain.columns, np.split(of_value, ends)[:-1], strict=True)
    return found


def _linear(columns: PlainColumns, weights: np.ndarray) -> tuple[np.ndarray, float]:
    """sum_i w_i sum_k gamma_k (x_k - m_k) (c_ik - m_k) as coefficients and a constant."""
    gamma, middle = columns.parameters["gamma"], columns.parameters["middle"]
    slope = gamma * (weights @ (columns.items - middle))
    return slope, -float(slope @ middle)
