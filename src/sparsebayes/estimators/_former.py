"""Records of files that were written before weights, coverings and responses had one class each.

Their names and fields are part of files, so they are read for ever: each makes what is now in its
place. Nothing writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sparsebayes.assembly import in_rows, integrated_softmax, latent_of, shared
from sparsebayes.columns import AnyColumns, Columns, WhitenedColumns
from sparsebayes.model.latent import Plain
from sparsebayes.model.predictor import Predictor
from sparsebayes.model.real import uncertain_noise
from sparsebayes.model.responses import (
    CountTargets,
    OrderedClasses,
    RealTargets,
    VaryingTargets,
)
from sparsebayes.model.spread import Spread, one_each

# The mean of weights, and what makes their spread once the mean is known to go with the columns.
Weights = tuple[np.ndarray, Callable[[], Spread]]


def _shared_weights(mean: np.ndarray, root: np.ndarray, between: np.ndarray) -> Weights:
    return mean, lambda: shared(root, between)


def _independent_weights(
    mean: np.ndarray, positions: Sequence[np.ndarray], roots: Sequence[np.ndarray]
) -> Weights:
    def spread() -> Spread:
        pairs = zip(roots, positions, strict=True)
        return one_each([in_rows(root, place, len(mean)) for root, place in pairs])

    return mean, spread


def _full_weights(
    mean: np.ndarray, position: np.ndarray, label: np.ndarray, root: np.ndarray
) -> Weights:
    def spread() -> Spread:
        every = [label == k for k in range(mean.shape[1])]
        roots = [in_rows(root[own], position[own], len(mean)) for own in every]
        return replace(one_each(roots), together=True)

    return mean, spread


def _covering(
    parts: Sequence[WhitenedColumns],
    amplitude: np.ndarray,
    roots: Sequence[np.ndarray],
    between: np.ndarray | None = None,
) -> Spread:
    process = np.arange(len(roots)) if between is None else np.zeros(len(between), dtype=np.int64)
    factor = np.ones(len(roots)) if between is None else np.diag(between).copy()
    kinds = tuple(part.kind for part in parts)
    whiteners = tuple(part.whitener for part in parts)
    return Spread(tuple(roots), process, factor, kinds, whiteners, amplitude, between)


def _gaussian_response(
    noise_std: np.ndarray, noise_posterior: Any = None, offset: Any = 0.0
) -> RealTargets:
    offset = np.broadcast_to(np.asarray(offset, dtype=np.float64), noise_std.shape).copy()
    if noise_posterior is None:
        return RealTargets(offset, noise_std)
    gamma = np.array([(each.shape, each.rate) for each in noise_posterior], dtype=np.float64)
    return uncertain_noise(offset, noise_std, gamma)


def _varying_response(
    noise: Predictor,
    n_features: int,
    log_mean: float,
    limits: np.ndarray,
    offset: Any = 0.0,
    more: float = 0.0,
) -> VaryingTargets:
    offset = np.atleast_1d(np.asarray(offset, dtype=np.float64)).copy()
    return VaryingTargets(offset, noise.plain, float(log_mean), limits, float(more))


def _count_response(log_mean: float, dispersion: float = 0.0) -> CountTargets:
    return CountTargets(float(log_mean), float(dispersion))


def _softmax_response() -> Callable[[Plain], Any]:
    """A response of latent values that are known once the predictor is read."""
    return integrated_softmax


def _predictor(**parts: Any) -> Predictor:
    """A predictor of now, or one of columns, weights, response and covering."""
    if "plain" in parts:
        return Predictor(**parts)
    return _of_parts(**parts)


def _of_parts(
    columns: AnyColumns, weights: Weights, response: Any, covering: Spread | None = None
) -> Predictor:
    if not all(isinstance(kind, Columns) for kind in columns.kinds):
        raise TypeError("a part of the estimator is another thing")
    mean, spread = weights
    if len(mean) != columns.n_columns:
        raise ValueError("the weights do not go with the columns.")
    plain = latent_of(columns, mean, spread(), covering)
    return Predictor(plain, response(plain) if callable(response) else response)


FORMER: dict[str, Callable[..., Any]] = {
    "SharedWeights": _shared_weights,
    "IndependentWeights": _independent_weights,
    "FullWeights": _full_weights,
    "Covering": _covering,
    "WhitenedColumns": WhitenedColumns,
    "GaussianResponse": _gaussian_response,
    "VaryingResponse": _varying_response,
    "CountResponse": _count_response,
    "OrderedResponse": OrderedClasses,
    "SoftmaxResponse": _softmax_response,
    "Predictor": _predictor,
}
