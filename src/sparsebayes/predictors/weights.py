"""The posterior of the weights of the kept columns: w ~ N(mean, root root').

There are k latent values, one for each output or class, and f = phi'w for each of them. The three
kinds of weights differ in how the weights of different latent values go together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from sparsebayes._linear_algebra import factorise, squared_lengths, symmetric_root
from sparsebayes.model.spread import Spread, one_each

Random = np.random.Generator | np.random.RandomState


class Moments(NamedTuple):
    """Mean (n, k) and variance (n, k) of the latent values of n rows."""

    mean: np.ndarray
    variance: np.ndarray


class Weights(ABC):
    """Weights of m columns for k latent values.

    Attributes
    ----------
    mean : posterior mean (m, k)
    """

    mean: np.ndarray

    @abstractmethod
    def variance(self, design: np.ndarray) -> np.ndarray:
        """phi' Sigma phi of each latent value (n, k). [T01] (22) without the noise"""

    @abstractmethod
    def covariance(self, design: np.ndarray) -> np.ndarray:
        """Covariance between the latent values of a row (n, k, k)."""

    @abstractmethod
    def joint_covariance(self, design: np.ndarray, k: int) -> np.ndarray:
        """Phi Sigma Phi' of latent value k, between rows (n, n)."""

    @abstractmethod
    def of_latent(self, k: int) -> np.ndarray:
        """Covariance of the weights for latent value k, 0 where it has none (m, m)."""

    @abstractmethod
    def draw(self, n_samples: int, random: Random) -> np.ndarray:
        """Draws of the weights from their posterior (m, n_samples, k)."""

    @abstractmethod
    def restricted_to(self, kept: np.ndarray) -> Self:
        """The weights of the columns `kept`, given that all the others are zero."""

    @abstractmethod
    def spread(self) -> Spread:
        """The variance of latent values as plain arrays."""

    @abstractmethod
    def check(self) -> None:
        """An error unless all shapes go together."""

    def softmax_nodes(self, nodes: np.ndarray) -> tuple[np.ndarray, bool]:
        """Nodes of the latent values (n_nodes, k), and whether each of these has its own weights.

        Parameters
        ----------
        nodes : of a normal distribution (n_nodes, k)
        """
        return nodes, True

    def mean_of(self, design: np.ndarray) -> np.ndarray:
        """phi'mu of each latent value (n, k). [T01] (21)"""
        return design @ self.mean

    def covariance_root(self, design: np.ndarray) -> np.ndarray:
        """The symmetric square root of `covariance` (n, k, k)."""
        return symmetric_root(self.covariance(design))

    def sample(self, design: np.ndarray, n_samples: int, random: Random) -> np.ndarray:
        """Draws of the latent values from their posterior (n, n_samples, k)."""
        return latent_of(design, self.draw(n_samples, random))


@dataclass(frozen=True)
class SharedWeights(Weights):
    """Weights with one covariance between columns, for all latent values.

    The covariance of the weight of column i for latent value k with that of column j for l is
    (root root')_ij between_kl.

    Parameters
    ----------
    mean : posterior mean (m, k)
    root : a square root of the covariance between columns (m, m)
    between : covariance between the latent values (k, k): 1 for a single one, the noise variances
        on the diagonal for outputs that share precisions, I - 1/k for a softmax that does
    """

    mean: np.ndarray
    root: np.ndarray
    between: np.ndarray

    def variance(self, design: np.ndarray) -> np.ndarray:
        """phi' Sigma phi of each latent value (n, k)."""
        return self._of_columns(design)[:, None] * np.diag(self.between)

    def covariance(self, design: np.ndarray) -> np.ndarray:
        """Covariance between the latent values of a row (n, k, k)."""
        return self._of_columns(design)[:, None, None] * self.between

    def covariance_root(self, design: np.ndarray) -> np.ndarray:
        """The symmetric square root of `covariance` (n, k, k), from that of `between`."""
        return np.sqrt(self._of_columns(design))[:, None, None] * symmetric_root(self.between)

    def joint_covariance(self, design: np.ndarray, k: int) -> np.ndarray:
        """Phi Sigma Phi' of latent value k, between rows (n, n)."""
        return outer_square(design @ (np.sqrt(self.between[k, k]) * self.root))

    def draw(self, n_samples: int, random: Random) -> np.ndarray:
        """Draws of the weights from their posterior (m, n_samples, k)."""
        n_columns, n_latent = self.mean.shape
        white = random.standard_normal((n_latent, n_columns, n_samples))
        apart = np.moveaxis(self.root @ white, 0, -1)
        return self.mean[:, None] + apart @ symmetric_root(self.between)

    def restricted_to(self, kept: np.ndarray) -> SharedWeights:
        """The weights of the columns `kept`, given that all the others are zero."""
        return SharedWeights(*conditional(self.mean, self.root, kept), self.between)

    def of_latent(self, k: int) -> np.ndarray:
        """Covariance of the weights for latent value k (m, m)."""
        return self.between[k, k] * outer_square(self.root)

    def spread(self) -> Spread:
        """The variance of latent values as plain arrays: one process, times factors."""
        factor = np.diag(self.between)
        return Spread((self.root,), np.zeros(len(factor), dtype=np.int64), factor)

    def check(self) -> None:
        """An error unless all shapes go together."""
        m, k = self.mean.shape
        _check_shapes((self.root, (m, m)), (self.between, (k, k)))

    def softmax_nodes(self, nodes: np.ndarray) -> tuple[np.ndarray, bool]:
        """Nodes with the covariance between the latent values, which share their weights."""
        return nodes @ symmetric_root(self.between), False

    def _of_columns(self, design: np.ndarray) -> np.ndarray:
        return squared_lengths(design @ self.root)


@dataclass(frozen=True)
class IndependentWeights(Weights):
    """Weights of latent values that were fitted apart, each with columns of its own.

    Parameters
    ----------
    mean : posterior mean (m, k), 0 where a latent value has no weight for a column
    positions : of each latent value the columns that it has weights for (m_k,)
    roots : of each a square root of the covariance of these weights (m_k, m_k)
    """

    mean: np.ndarray
    positions: tuple[np.ndarray, ...]
    roots: tuple[np.ndarray, ...]

    def variance(self, design: np.ndarray) -> np.ndarray:
        """phi' Sigma phi of each latent value (n, k)."""
        halves = (self._half(design, k) for k in range(len(self.roots)))
        return np.stack([squared_lengths(half) for half in halves], axis=1)

    def covariance(self, design: np.ndarray) -> np.ndarray:
        """Covariance between the latent values of a row (n, k, k): diagonal."""
        return self.variance(design)[:, None] * np.eye(len(self.roots))

    def covariance_root(self, design: np.ndarray) -> np.ndarray:
        """The symmetric square root of `covariance` (n, k, k)."""
        return np.sqrt(self.covariance(design))

    def joint_covariance(self, design: np.ndarray, k: int) -> np.ndarray:
        """Phi Sigma Phi' of latent value k, between rows (n, n)."""
        return outer_square(self._half(design, k))

    def draw(self, n_samples: int, random: Random) -> np.ndarray:
        """Draws of the weights from their posterior (m, n_samples, k)."""
        draws = np.repeat(self.mean[:, None], n_samples, axis=1)
        for k, (position, root) in enumerate(zip(self.positions, self.roots, strict=True)):
            draws[position, :, k] += root @ random.standard_normal((len(root), n_samples))
        return draws

    def restricted_to(self, kept: np.ndarray) -> IndependentWeights:
        """The weights of the columns `kept`, given that all the others are zero."""
        mean = np.zeros((len(kept), len(self.roots)))
        positions, roots = [], []
        for k, (position, root) in enumerate(zip(self.positions, self.roots, strict=True)):
            own, place = _placed(position, kept)
            mean[place, k], smaller = conditional(self.mean[position, k], root, own)
            positions.append(place)
            roots.append(smaller)
        return IndependentWeights(mean, tuple(positions), tuple(roots))

    def of_latent(self, k: int) -> np.ndarray:
        """Covariance of the weights for latent value k, 0 where it has none (m, m)."""
        return _embedded(outer_square(self.roots[k]), self.positions[k], len(self.mean))

    def spread(self) -> Spread:
        """The variance of latent values as plain arrays: one process each."""
        pairs = zip(self.roots, self.positions, strict=True)
        return one_each([_in_rows(root, place, len(self.mean)) for root, place in pairs])

    def check(self) -> None:
        """An error unless all shapes go together."""
        m, k = self.mean.shape
        if len(self.positions) != k:
            raise ValueError("each latent value needs weights.")
        for position, root in zip(self.positions, self.roots, strict=True):
            _check_shapes((position, (len(position),)), (root, (len(position),) * 2))
            _check_numbers(position, m)

    def _half(self, design: np.ndarray, k: int) -> np.ndarray:
        return np.take(design, self.positions[k], axis=1) @ self.roots[k]


@dataclass(frozen=True)
class FullWeights(Weights):
    """Weights that are all correlated, such as those of the classes of a softmax.

    Parameters
    ----------
    mean : posterior mean (m, k), 0 where a latent value has no weight for a column
    position, label : column and latent value of each weight that there is (w,)
    root : a square root of the covariance of these weights (w, w)
    """

    mean: np.ndarray
    position: np.ndarray
    label: np.ndarray
    root: np.ndarray

    def variance(self, design: np.ndarray) -> np.ndarray:
        """phi' Sigma phi of each latent value (n, k)."""
        halves = (self._half(design, k) for k in range(self.mean.shape[1]))
        return np.stack([squared_lengths(half) for half in halves], axis=1)

    def covariance(self, design: np.ndarray) -> np.ndarray:
        """Covariance between the latent values of a row (n, k, k)."""
        half = np.stack([self._half(design, k) for k in range(self.mean.shape[1])], axis=1)
        return half @ half.transpose(0, 2, 1)

    def joint_covariance(self, design: np.ndarray, k: int) -> np.ndarray:
        """Phi Sigma Phi' of latent value k, between rows (n, n)."""
        return outer_square(self._half(design, k))

    def draw(self, n_samples: int, random: Random) -> np.ndarray:
        """Draws of the weights from their posterior (m, n_samples, k)."""
        draws = np.repeat(self.mean[:, None], n_samples, axis=1)
        white = random.standard_normal((len(self.root), n_samples))
        draws[self.position, :, self.label] += self.root @ white
        return draws

    def restricted_to(self, kept: np.ndarray) -> FullWeights:
        """The weights of the columns `kept`, given that all the others are zero."""
        own, place = _placed(self.position, kept)
        label = self.label[own]
        mean = np.zeros((len(kept), self.mean.shape[1]))
        all_means = self.mean[self.position, self.label]
        mean[place, label], root = conditional(all_means, self.root, own)
        return FullWeights(mean, place, label, root)

    def of_latent(self, k: int) -> np.ndarray:
        """Covariance of the weights for latent value k, 0 where it has none (m, m)."""
        own = self.label == k
        return _embedded(outer_square(self.root[own]), self.position[own], len(self.mean))

    def spread(self) -> Spread:
        """The variance of latent values as plain arrays: one process each."""
        every = [self.label == k for k in range(self.mean.shape[1])]
        roots = [_in_rows(self.root[k], self.position[k], len(self.mean)) for k in every]
        return one_each(roots)

    def check(self) -> None:
        """An error unless all shapes go together."""
        m, k = self.mean.shape
        w = len(self.position)
        _check_shapes((self.position, (w,)), (self.label, (w,)), (self.root, (w, w)))
        _check_numbers(self.position, m)
        _check_numbers(self.label, k)

    def _half(self, design: np.ndarray, k: int) -> np.ndarray:
        own = self.label == k
        return np.take(design, self.position[own], axis=1) @ self.root[own]


def _check_shapes(*pairs: tuple[np.ndarray, tuple[int, ...]]) -> None:
    """An error unless arrays have these shapes."""
    for array, shape in pairs:
        if array.shape != shape:
            raise ValueError(f"weights of shape {array.shape} should have {shape}.")


def _check_numbers(numbers: np.ndarray, end: int) -> None:
    """An error unless these are whole numbers from 0 to below the end."""
    if numbers.dtype.kind != "i" or not ((numbers >= 0) & (numbers < end)).all():
        raise ValueError(f"weights refer to columns or latent values beyond {end}.")


def conditional(
    mean: np.ndarray, root: np.ndarray, kept: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and root of the weights `kept`, given that the others are zero.

    Their precision is the block of Sigma^-1 that belongs to them.
    """
    unroot = np.linalg.inv(root)
    factor = factorise(unroot[:, kept].T @ unroot[:, kept])
    return factor.solve(unroot[:, kept].T @ (unroot @ mean)), factor.whitener.T


def _embedded(block: np.ndarray, position: np.ndarray, size: int) -> np.ndarray:
    """A matrix of zeros (size, size) with a block of others."""
    whole = np.zeros((size, size))
    whole[np.ix_(position, position)] = block
    return whole


def _in_rows(block: np.ndarray, position: np.ndarray, size: int) -> np.ndarray:
    """A matrix of zeros of so many rows, with others in some of them."""
    whole = np.zeros((size, block.shape[1]))
    whole[position] = block
    return whole


def _placed(position: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which weights have a column among `kept`, and the place of that column there."""
    order = np.argsort(kept, kind="stable")
    own = np.flatnonzero(np.isin(position, kept))
    return own, order[np.searchsorted(kept[order], position[own])]


def latent_of(design: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """phi'w of draws of the weights (m, n_samples, k), of shape (n, n_samples, k)."""
    n_columns, n_samples, n_latent = draws.shape
    flat = draws.reshape(n_columns, n_samples * n_latent)
    return (design @ flat).reshape(len(design), n_samples, n_latent)


def outer_square(half: np.ndarray) -> np.ndarray:
    """The inner products of all rows (n, n)."""
    return half @ half.T
