"""Models with several latent values, one for each class or output."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.special import log_expit, log_softmax, logsumexp, ndtri
from scipy.stats import qmc

from sparsebayes.likelihoods import Bernoulli
from sparsebayes.predictive import NOT_FINITE, LatentModel
from sparsebayes.rows import BLOCK_NUMBERS

# Values of the latent vector that stand for its distribution; a power of two.
CLASS_NODES = 512


class JointModel(ABC):
    """Classes whose latent values make one softmax."""

    @abstractmethod
    def moments(self, inputs) -> tuple[np.ndarray, np.ndarray]:
        """Mean (n, K) and covariance (n, K, K) of the latent values."""

    def scores(self, inputs) -> np.ndarray:
        """Log probabilities of the classes, latent values integrated out (n, K)."""
        return self.log_probability(inputs)

    def log_probability(self, inputs) -> np.ndarray:
        """Log probabilities of the classes, latent values integrated out (n, K)."""
        return integrated_log_probability(self, inputs)


@dataclass(frozen=True)
class ClassModel(JointModel):
    """Latent values f_k(x) of K classes, whose weights have precisions of their own.

    Parameters
    ----------
    columns : the kept columns
    weights : mean weight of each for each class (m, K), 0 where a class has none
    position, label : column and class of each weight that there is (w,)
    root : a square root of their posterior covariance (w, w)
    """

    columns: Any
    weights: np.ndarray
    position: np.ndarray
    label: np.ndarray
    root: np.ndarray

    def moments(self, inputs) -> tuple[np.ndarray, np.ndarray]:
        """Mean (n, K) and covariance (n, K, K) of the latent values."""
        design = self.columns.evaluate(inputs)
        n_classes = self.weights.shape[1]
        half = np.zeros((len(design), n_classes, len(self.label)))
        for k in range(n_classes):
            own = self.label == k
            half[:, k] = design[:, self.position[own]] @ self.root[own]
        return design @ self.weights, half @ half.transpose(0, 2, 1)

    def output(self, k: int) -> LatentModel:
        """The latent value of one class or output alone."""
        own = self.label == k
        columns = self.columns.keep(self.position[own])
        root = self.root[np.ix_(own, own)]
        return LatentModel(columns, self.weights[self.position[own], k], root)

    def predict_mean(self, inputs) -> np.ndarray:
        """Mean of the latent values (n, K)."""
        return map_moments(self, inputs, mean_and_variance)[..., 0]

    def predict_variance(self, inputs) -> np.ndarray:
        """Variance of the latent values (n, K)."""
        return map_moments(self, inputs, mean_and_variance)[..., 1]


@dataclass(frozen=True)
class SharedOutputModel:
    """Several outputs whose weights of a column have one precision, relative to the noise.

    Parameters
    ----------
    columns : the kept columns
    weights : mean weight of each for each output (m, L)
    root : a square root of their posterior covariance, in units of the noise (m, m)
    noise_std : of each output (L,)
    """

    columns: Any
    weights: np.ndarray
    root: np.ndarray
    noise_std: np.ndarray

    @property
    def _all(self) -> LatentModel:
        return LatentModel(self.columns, self.weights, self.root)

    def output(self, k: int) -> LatentModel:
        """One output alone."""
        return LatentModel(self.columns, self.weights[:, k], self.noise_std[k] * self.root)

    def predict_mean(self, inputs) -> np.ndarray:
        """phi'mu of each output (n, L)."""
        return self._all.predict_mean(inputs)

    def predict_variance(self, inputs) -> np.ndarray:
        """phi' Sigma phi of each output, without the noise (n, L)."""
        return self._all.predict_variance(inputs)[:, None] * self.noise_std**2


@dataclass(frozen=True)
class SharedClassModel(JointModel):
    """Latent values f_k(x) of K classes, the weights of a column with one precision for all.

    Parameters
    ----------
    columns : the kept columns
    weights : mean weight of each for each class (m, K), its sum over classes 0
    root : a square root of their posterior covariance, the same for all contrasts (m, m)
    """

    columns: Any
    weights: np.ndarray
    root: np.ndarray

    def moments(self, inputs) -> tuple[np.ndarray, np.ndarray]:
        """Mean (n, K) and covariance (n, K, K) of the latent values."""
        design = self.columns.evaluate(inputs)
        n_classes = self.weights.shape[1]
        variance = np.sum((design @ self.root) ** 2, axis=1)
        contrasts = np.eye(n_classes) - 1.0 / n_classes
        return design @ self.weights, variance[:, None, None] * contrasts


@dataclass(frozen=True)
class OneVsRestModel:
    """Latent values f_k(x), each of one class against all the others.

    Parameters
    ----------
    latent : ClassModel in which the weights of different classes are independent
    """

    latent: ClassModel

    @property
    def columns(self):
        """The kept columns."""
        return self.latent.columns

    @property
    def weights(self) -> np.ndarray:
        """Mean weight of each column for each class (m, K)."""
        return self.latent.weights

    def moments(self, inputs) -> tuple[np.ndarray, np.ndarray]:
        """Mean (n, K) and covariance (n, K, K) of the latent values."""
        return self.latent.moments(inputs)

    def scores(self, inputs) -> np.ndarray:
        """Log odds of each class against the others, latent values integrated out (n, K)."""

        def log_odds(mean, covariance):
            variance = np.einsum("nkk->nk", covariance)
            odds = Bernoulli().predictive_log_odds(mean.ravel(), variance.ravel())
            return odds.reshape(mean.shape)

        return map_moments(self, inputs, log_odds)

    def log_probability(self, inputs) -> np.ndarray:
        """Logarithms of the probabilities against the rest, normalised (n, K)."""
        log_share = log_expit(self.scores(inputs))
        return log_share - logsumexp(log_share, axis=1, keepdims=True)


def integrated_log_probability(model, inputs) -> np.ndarray:
    """log E[softmax(f)] with the latent values of each row integrated out (n, K).

    By a fixed quasi-random sample of the normal distribution, symmetric about zero.
    """
    nodes = normal_nodes(model.weights.shape[1])

    def integrate(mean, covariance):
        draws = mean[:, None] + nodes @ _square_root(covariance)
        return logsumexp(log_softmax(draws, axis=2), axis=1) - np.log(len(nodes))

    return map_moments(model, inputs, integrate)


def map_moments(model, inputs, function) -> np.ndarray:
    """function(mean, covariance) of the latent values, in blocks of rows."""
    n_rows, n_classes = inputs.shape[0], model.weights.shape[1]
    size = max(1, BLOCK_NUMBERS // max(n_classes * CLASS_NODES, n_classes * len(model.weights)))
    blocks = []
    with np.errstate(over="ignore", invalid="ignore"):
        for start in range(0, n_rows, size):
            mean, covariance = model.moments(inputs[start : start + size])
            if not (np.isfinite(mean).all() and np.isfinite(covariance).all()):
                raise ValueError(NOT_FINITE)
            blocks.append(function(mean, covariance))
    return np.concatenate(blocks)


def mean_and_variance(mean: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """Both of them (n, K, 2), from the moments."""
    return np.stack([mean, np.einsum("nkk->nk", covariance)], axis=-1)


def _square_root(covariance: np.ndarray) -> np.ndarray:
    """The symmetric square root of each matrix (n, K, K): it varies with the matrix smoothly."""
    values, vectors = np.linalg.eigh(covariance)
    return vectors * np.sqrt(np.maximum(values, 0.0))[:, None] @ vectors.transpose(0, 2, 1)


@cache
def normal_nodes(dimension: int) -> np.ndarray:
    """A sample that stands for the normal distribution (CLASS_NODES, dimension)."""
    uniform = qmc.Sobol(dimension, scramble=True, seed=0).random(CLASS_NODES // 2)
    half = ndtri(uniform)
    return np.concatenate([half, -half])
