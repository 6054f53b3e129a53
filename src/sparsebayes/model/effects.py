"""The kernel of effects: what each input does alone, pairs of inputs, and all of them at once.

    k(x, c) = a + E1 + b E2 + p prod_k exp(-gamma_k (x_k - c_k)^2)

E1 = sum_k e_k and E2 = sum_{k<l} e_k e_l are sums over inputs and pairs of them. The effect e_k of
input k is a Gaussian kernel of that input alone, centred under the training rows and scaled:

    e_k(x, c) = (size_k / n_k) [g(x, c) - m(x) m(c) / v],    g(x, c) = exp(-gamma_k (x_k - c_k)^2)

Here m(x) is the mean of g(x, z) over the training rows z, v the mean of m, and n_k the mean of the
bracket at x = c. So functions of the process have mean zero over the training rows, and size_k is
the mean variance of one. *Knots* with shares stand for the values of an input in the training rows.
Where gamma_k is small, e_k is linear in x_k. (Lu, Boukouvalas and Hensman 2022 centre kernels so.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

# So many knots stand for the values of an input. Inputs of fewer values have a knot at each.
N_KNOTS = 16
# Where the mean variance of a centred kernel is no more than rounding, there is no effect.
LEAST_NORM = 1e-12
# Numbers of a block of rows, so that what is computed of it stays in a cache near the processor.
BLOCK_NUMBERS = 2**15


class Effects(NamedTuple):
    """The effects of the inputs that have one, before there are rows.

    Attributes
    ----------
    number : of each input (k,)
    gamma : of its Gaussian kernel (k,)
    knots, shares : that stand for its values in the training rows (k, q)
    mean : v (k,)
    factor : size / n (k,)
    """

    number: np.ndarray
    gamma: np.ndarray
    knots: np.ndarray
    shares: np.ndarray
    mean: np.ndarray
    factor: np.ndarray

    @classmethod
    def of(
        cls, gamma: np.ndarray, size: np.ndarray, knots: np.ndarray, shares: np.ndarray
    ) -> Effects:
        """The effects of inputs with a size that is not 0.

        Parameters
        ----------
        gamma, size : of each input (d,)
        knots, shares : of each input (d, q)
        """
        number = np.flatnonzero(size)
        found = cls(
            number, gamma[number], knots[number], shares[number], *np.ones((2, len(number)))
        )
        means = found.means(found.knots)
        mean = dot(found.shares, means)
        norm = 1.0 - dot(found.shares, means**2) / mean
        varies = norm > LEAST_NORM
        factor = np.divide(size[number], norm, out=np.zeros_like(norm), where=varies)
        return found._replace(mean=mean, factor=factor)

    def values(self, inputs: np.ndarray) -> np.ndarray:
        """The values of the inputs that have an effect (k, n)."""
        return np.ascontiguousarray(inputs.T[self.number])

    def apart(self, values: np.ndarray, others: np.ndarray) -> np.ndarray:
        """gamma (x - c)^2 between values (k, n) and others (k, m) of each input (k, n, m)."""
        apart = values[:, :, None] - others[:, None, :]
        apart *= apart
        apart *= self.gamma[:, None, None]
        return apart

    def means(self, values: np.ndarray) -> np.ndarray:
        """m / sqrt(v) at values of each input (k, n)."""
        kernel = np.exp(-self.apart(values, self.knots))
        return np.matmul(kernel, self.shares[:, :, None])[:, :, 0] / np.sqrt(self.mean)[:, None]

    def centred(self, kernel: np.ndarray, means: np.ndarray, others: np.ndarray) -> np.ndarray:
        """The effects e (k, n, m) from Gaussian kernels and means m / sqrt(v), in their memory."""
        kernel -= means[:, :, None] * others[:, None, :]
        kernel *= self.factor[:, None, None]
        return kernel


def dot(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The inner products of the rows of two arrays (k, ...): (k,)."""
    flat = left.shape[0], int(np.prod(left.shape[1:]))  # there may be no rows
    return np.einsum("ki,ki->k", left.reshape(flat), right.reshape(flat))


class Block(NamedTuple):
    """Some rows, and the columns beside them that are not known from other blocks."""

    rows: slice
    columns: slice


def blocks_of(n_rows: int, n_columns: int, symmetric: bool, n_effects: int) -> Iterator[Block]:
    """Blocks of a matrix, or of its upper triangle, for which all effects are not large."""
    start = 0
    while start < n_rows:
        first = start if symmetric else 0
        size = max(1, BLOCK_NUMBERS // max(1, (n_columns - first) * max(1, n_effects)))
        yield Block(slice(start, min(start + size, n_rows)), slice(first, n_columns))
        start += size


def effects(
    inputs: np.ndarray,
    centres: np.ndarray,
    gamma: np.ndarray,
    size: np.ndarray,
    orders: np.ndarray,
    knots: np.ndarray,
    shares: np.ndarray,
) -> np.ndarray:
    """a + E1 + b E2 + p prod_k exp(-gamma_k (x_k - c_k)^2) (n, m).

    Parameters
    ----------
    orders : a, b and p (3,)
    """
    each, symmetric = Effects.of(gamma, size, knots, shares), inputs is centres
    others = each.values(centres)
    at_centres = each.means(others)
    values = np.empty((len(inputs), len(centres)))
    for block in blocks_of(*values.shape, symmetric, len(each.number)):
        rows, columns = block
        here, there = each.values(inputs[rows]), others[:, columns]
        means = at_centres[:, rows] if symmetric else each.means(here)
        apart = each.apart(here, there)
        product = np.exp(-apart.sum(axis=0))
        kernel = np.exp(np.negative(apart, out=apart), out=apart)
        effect = each.centred(kernel, means, at_centres[:, columns])
        alone = effect.sum(axis=0)
        squares = np.einsum("knm,knm->nm", effect, effect)
        values[block] = in_orders(alone, squares, product, orders)
        if symmetric:
            values[columns, rows] = values[block].T
    return values


def in_orders(
    alone: np.ndarray, squares: np.ndarray, product: np.ndarray, orders: np.ndarray
) -> np.ndarray:
    """a + E1 + b (E1^2 - sum_k e_k^2) / 2 + p product, from sums over inputs."""
    constant, of_pairs, of_all = orders
    return constant + alone + 0.5 * of_pairs * (alone**2 - squares) + of_all * product


def effects_itself(
    inputs: np.ndarray,
    gamma: np.ndarray,
    size: np.ndarray,
    orders: np.ndarray,
    knots: np.ndarray,
    shares: np.ndarray,
) -> np.ndarray:
    """The kernel at its own centre (n,)."""
    each = Effects.of(gamma, size, knots, shares)
    effect = each.factor[:, None] * (1.0 - each.means(each.values(inputs)) ** 2)
    alone, squares = effect.sum(axis=0), (effect**2).sum(axis=0)
    return in_orders(alone, squares, np.ones(len(inputs)), orders)
