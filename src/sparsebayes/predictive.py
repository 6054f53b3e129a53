"""The distribution of the latent value at new inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import gammainccinv, gammaincinv, ndtr, ndtri

from sparsebayes._linear_algebra import factorise
from sparsebayes.hyperpriors import Gamma
from sparsebayes.rows import BLOCK_NUMBERS

# Values of the noise precision that stand for its distribution, and what is left out at each end.
LEAST_NODES, NODE_DISTANCE = 65, 0.3
LEFT_OUT, TINY = 1e-12, 1e-300
QUANTILE_STEPS = 50

NOT_FINITE = (
    "the columns of the model are infinite or NaN at these inputs X. Expected finite values: "
    "please check X for extreme values, and the kernel function if it is your own."
)


@dataclass(frozen=True)
class LatentModel:
    """f(x) = phi(x)'w with w ~ N(mean, root root'), over the columns that were kept.

    Parameters
    ----------
    columns : the kept columns
    mean : posterior mean of their weights (m,)
    root : a square root of their posterior covariance (m, m)
    """

    columns: Any
    mean: np.ndarray
    root: np.ndarray

    def predict_mean(self, inputs) -> np.ndarray:
        """phi'mu. [T01] (21)"""
        return self._map(inputs, lambda design: design @ self.mean)

    def predict_variance(self, inputs) -> np.ndarray:
        """phi' Sigma phi, as a sum of squares. [T01] (22) without the noise"""
        return self._map(inputs, lambda design: np.sum((design @ self.root) ** 2, axis=1))

    def predict_covariance(self, inputs) -> np.ndarray:
        """Phi Sigma Phi' (n_samples, n_samples)."""
        half = self.columns.evaluate(inputs) @ self.root
        return half @ half.T

    def sample(self, inputs, n_samples: int, random) -> np.ndarray:
        """Draws of f from the posterior (n_inputs, n_samples)."""
        draws = self.root @ random.standard_normal((len(self.mean), n_samples))
        return self._map(inputs, lambda design: design @ (self.mean[:, None] + draws))

    def restricted_to(self, kept: np.ndarray) -> LatentModel:
        """The model of some of its columns, given that the weights of the others are zero."""
        unroot = np.linalg.inv(self.root)
        factor = factorise(unroot[:, kept].T @ unroot[:, kept])
        mean = factor.solve(unroot[:, kept].T @ (unroot @ self.mean))
        return LatentModel(self.columns.keep(kept), mean, factor.whitener.T)

    def _map(self, inputs, function):
        n_rows = inputs.shape[0]
        size = max(1, BLOCK_NUMBERS // max(1, len(self.mean)))
        with np.errstate(over="ignore", invalid="ignore"):
            if n_rows <= size:
                result = function(self.columns.evaluate(inputs))
            else:
                blocks = (inputs[start : start + size] for start in range(0, n_rows, size))
                result = np.concatenate([function(self.columns.evaluate(b)) for b in blocks])
        if not np.isfinite(result).all():
            raise ValueError(NOT_FINITE)
        return result


def gaussian_quantiles(mean: np.ndarray, std: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Quantiles of N(mean, std^2) (n, len(levels))."""
    return mean[:, None] + std[:, None] * ndtri(levels)


def mixture_quantiles(
    mean: np.ndarray, variance: np.ndarray, noise_precision: Gamma, levels: np.ndarray
) -> np.ndarray:
    """Quantiles (n, len(levels)) of the integral of N(mean, variance + 1 / tau) over Gamma(tau).

    A Student-t distribution where the variance is zero. [BT00] (35), with the integral over tau
    done by the trapezium rule in log(tau).
    """
    precision, share = _nodes(noise_precision)
    size = max(1, BLOCK_NUMBERS // (len(levels) * len(share)))
    upper = 0.5 + np.abs(levels - 0.5)
    blocks = []
    for start in range(0, len(variance), size):
        std = np.sqrt(variance[start : start + size, None] + 1.0 / precision)
        blocks.append(_mixture_distance(std, share, upper))
    return mean[:, None] + np.sign(levels - 0.5) * np.concatenate(blocks)


def _mixture_distance(std: np.ndarray, share: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Upper quantiles (n, len(upper)) of mixtures of N(0, std^2), std (n, k), shares (k,).

    By Newton's method from below: the upper half of a distribution function is concave, so that its
    steps stay below the quantile.
    """
    distance = ndtri(upper) * std.min(axis=1, keepdims=True)
    for _ in range(QUANTILE_STEPS):
        ratio = distance[:, :, None] / std[:, None]
        density = (np.exp(-0.5 * ratio**2) / std[:, None]) @ share / np.sqrt(2.0 * np.pi)
        step = (upper - ndtr(ratio) @ share) / density
        distance += step
        if np.all(np.abs(step) <= 1e-12 * distance):
            break
    return distance


def _nodes(distribution: Gamma) -> tuple[np.ndarray, np.ndarray]:
    """Values of a Gamma variable, evenly spaced in its logarithm, and their shares."""
    shape = distribution.shape
    lowest, highest = max(gammaincinv(shape, LEFT_OUT), TINY), gammainccinv(shape, LEFT_OUT)
    n_nodes = int(np.log(highest / lowest) / NODE_DISTANCE)
    log_value = np.linspace(np.log(lowest), np.log(highest), max(n_nodes, LEAST_NODES))
    log_share = shape * log_value - np.exp(log_value)
    share = np.exp(log_share - log_share.max())
    return np.exp(log_value) / distribution.rate, share / share.sum()
