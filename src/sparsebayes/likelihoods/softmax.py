"""A target of K classes, coded 0 to K - 1, whose latent values make one softmax."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.linalg import helmert
from scipy.special import log_softmax, ndtri
from scipy.stats import qmc

from sparsebayes._cached import cached_property
from sparsebayes._linear_algebra import squared_lengths
from sparsebayes.likelihoods.layout import ClassLatents, Layout, SharedLatents, of_others
from sparsebayes.likelihoods.likelihood import Likelihood, Quadratic


@dataclass(frozen=True)
class Softmax(Likelihood):
    """p(t = k | f) = exp(f_k) / sum_j exp(f_j). [T01] (28), with the softmax that is meant

    Parameters
    ----------
    n_classes : int
    """

    n_classes: int

    called = "several classes in one softmax"
    instead = 'multi_class="ovr"'

    @property
    def layout(self) -> Layout:
        """A latent value for each class."""
        return ClassLatents(self.n_classes)

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """Taylor expansion of the log density at the latent values (n, K).

        The curvature of a row is diag(p) - p p'; its entry here is p.
        """
        log_probability = log_softmax(latent, axis=1)
        probability = np.exp(log_probability)
        rows, label = np.arange(len(target)), target.astype(np.intp)
        slope = -probability
        slope[rows, label] += 1.0
        return Quadratic(log_probability[rows, label], slope, probability)

    def together(self) -> Likelihood:
        """The softmax in terms of contrasts, which share precisions."""
        return Multinomial(self.n_classes)

    def one_by_one(self, target: np.ndarray) -> tuple[np.ndarray, Likelihood]:
        """All classes together, as contrasts."""
        return self.together().one_by_one(target)


def one_hot(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """For each class, 1 for the rows that belong to it and 0 for the others (n_classes, n)."""
    return (codes == np.arange(n_classes)[:, None]).astype(np.float64)


@dataclass(frozen=True)
class Multinomial(Likelihood):
    """p(t = k | f) = exp(f_k) / sum_j exp(f_j), for f orthogonal to (1, ..., 1).

    A constant added to all f_k changes nothing, so the outputs are the K - 1 coordinates of f in an
    orthonormal basis of the contrasts between classes. With a precision that is the same for all of
    them this is the model of K weight vectors.

    The curvature of a row is a matrix W = diag(p) - p p'. One number takes its place, so that one
    factorisation serves all outputs and K costs next to nothing: the mean of its eigenvalues, each
    with itself as weight, tr W^2 / tr W. It is exact for K = 2. Modes are found with W itself.

    Parameters
    ----------
    n_classes : int
    """

    n_classes: int

    called = "several classes in one softmax"
    instead = 'multi_class="ovr"'
    exact_curvature = False

    @property
    def layout(self) -> Layout:
        """A latent value for each contrast."""
        return SharedLatents(self.n_classes - 1)

    @cached_property
    def contrasts(self) -> np.ndarray:
        """An orthonormal basis of what is orthogonal to (1, ..., 1) (K, K - 1)."""
        return helmert(self.n_classes).T

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """Value (n,), slope (n, K - 1) and curvature (n,) at the latent contrasts (n, K - 1)."""
        log_probability = log_softmax(latent @ self.contrasts.T, axis=1)
        probability = np.exp(log_probability)
        rows, label = np.arange(len(target)), target.astype(np.intp)
        residual = -probability
        residual[rows, label] += 1.0
        return Quadratic(
            log_probability[rows, label], residual @ self.contrasts, mean_curvature(probability)
        )

    def curvature_at(
        self, target: np.ndarray, latent: np.ndarray
    ) -> Callable[[np.ndarray], np.ndarray]:
        """direction -> W direction, in contrasts (n, K - 1)."""
        probability = np.exp(log_softmax(latent @ self.contrasts.T, axis=1))

        def product(direction: np.ndarray) -> np.ndarray:
            bent = probability * (direction @ self.contrasts.T)
            bent -= probability * bent.sum(axis=1, keepdims=True)
            return bent @ self.contrasts

        return product

    def latent_weights(self, mean: np.ndarray) -> np.ndarray:
        """Weights of the classes (m, K), from those of the contrasts; their sum is 0."""
        return mean @ self.contrasts.T

    def between(self, output_precision: Any) -> np.ndarray:
        """I - 1/K: all contrasts have the same variance."""
        return np.eye(self.n_classes) - 1.0 / self.n_classes


@dataclass(frozen=True)
class Resemblance(Multinomial):
    """How much the probabilities of latent contrasts f resemble those of others, the targets t.

        -KL(softmax(t) || softmax(f)) - stiffness / 2 c(t) |f - t|^2

    with c the `secant_curvature`: where probabilities are near 0 or 1 they alone would not hold f.

    Parameters
    ----------
    n_classes : int
    stiffness : float
    """

    stiffness: float = 0.1

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """Value, slope and curvature in terms of contrasts; so are the targets (n, K - 1)."""
        wanted, found = (log_softmax(each @ self.contrasts.T, axis=1) for each in (target, latent))
        probability, apart, stiffness = np.exp(wanted), latent - target, self._stiffness(target)
        value = np.sum(probability * (found - wanted), axis=1)
        value -= 0.5 * stiffness * squared_lengths(apart)
        slope = (probability - np.exp(found)) @ self.contrasts - stiffness[:, None] * apart
        return Quadratic(value, slope, mean_curvature(np.exp(found)) + stiffness)

    def curvature_at(
        self, target: np.ndarray, latent: np.ndarray
    ) -> Callable[[np.ndarray], np.ndarray]:
        """direction -> (W + stiffness c) direction (n, K - 1)."""
        product, stiffness = super().curvature_at(target, latent), self._stiffness(target)
        return lambda direction: product(direction) + stiffness[:, None] * direction

    def _stiffness(self, target: np.ndarray) -> np.ndarray:
        return self.stiffness * secant_curvature(target @ self.contrasts.T)


@cache
def normal_nodes(dimension: int, n_nodes: int) -> np.ndarray:
    """A sample that stands for the normal distribution, symmetric about 0 (n_nodes, dimension).

    The number of nodes is more than twice the dimension.
    """
    uniform = qmc.Sobol(dimension, scramble=True, seed=0).random(n_nodes // 2)
    half = ndtri(uniform)
    # With the covariance of the normal distribution, too: moments are matched with these nodes.
    lower = np.linalg.cholesky(half.T @ half / len(half))
    half = np.linalg.solve(lower, half.T).T
    return np.concatenate([half, -half])


def mean_curvature(probability: np.ndarray) -> np.ndarray:
    """tr W^2 / tr W of W = diag(p) - p p', as sums of squares that do not cancel (n,)."""
    others, squares = of_others(probability), probability**2
    trace = np.sum(probability * others, axis=1)
    trace_of_square = np.sum(squares * (others**2 + of_others(squares)), axis=1)
    return np.divide(trace_of_square, trace, out=np.zeros_like(trace), where=trace > 0.0)


def secant_curvature(latent: np.ndarray) -> np.ndarray:
    """The curvature of a parabola that is 0 at f and the loss of even odds at 0 (n,).

    The loss of even odds is their divergence from the probabilities p at f, log K - H(p). Where a
    row is sure, the log density is flat next to f, but not all the way to 0.

    Parameters
    ----------
    latent : of the classes (n, K)
    """
    n_classes = latent.shape[1]
    log_probability = log_softmax(latent, axis=1)
    probability = np.exp(log_probability)
    loss = np.log(n_classes) + np.sum(probability * log_probability, axis=1)
    square = squared_lengths(latent)
    at_zero = 1.0 / n_classes
    near = square * at_zero < 1e-4
    return np.where(near, at_zero, 2.0 * loss / np.where(near, 1.0, square))
