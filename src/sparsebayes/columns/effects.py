"""The kernel of effects where it is learned: its slope for widths, sizes and orders.

The scales of the kernel are one vector (2 d + 3,): gamma of each input, size of each input, and the
weights of a constant, of pairs and of the product of all inputs. See `model.effects`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sparsebayes.columns.geometry import squared_distance_slope
from sparsebayes.columns.sparse_inputs import as_array
from sparsebayes.model.effects import (
    LEAST_NORM,
    Block,
    Effects,
    blocks_of,
    dot,
    effects,
    effects_itself,
)


class EffectScales(NamedTuple):
    """The scales of a kernel of effects.

    Attributes
    ----------
    gamma, size : of each input (d,)
    orders : weights of a constant, of pairs, and of the product of all inputs (3,)
    """

    gamma: np.ndarray
    size: np.ndarray
    orders: np.ndarray

    @classmethod
    def of(cls, vector: np.ndarray) -> EffectScales:
        """The scales from one vector (2 d + 3,)."""
        gamma, size = vector[:-3].reshape(2, -1)
        return cls(gamma, size, vector[-3:])

    @property
    def vector(self) -> np.ndarray:
        """All scales (2 d + 3,)."""
        return np.concatenate(self)


def effects_values(
    inputs: np.ndarray,
    centres: np.ndarray,
    gamma: np.ndarray,
    knots: np.ndarray,
    shares: np.ndarray,
) -> np.ndarray:
    """The kernel of effects (n, m); gamma holds all of its scales."""
    return effects(as_array(inputs), as_array(centres), *EffectScales.of(gamma), knots, shares)


def effects_variance(
    inputs: np.ndarray, gamma: np.ndarray, knots: np.ndarray, shares: np.ndarray
) -> np.ndarray:
    """The kernel of effects at its own centre (n,)."""
    return effects_itself(as_array(inputs), *EffectScales.of(gamma), knots, shares)


def effects_slope(
    inputs: np.ndarray,
    centres: np.ndarray,
    sensitivity: np.ndarray,
    values: np.ndarray,
    gamma: np.ndarray,
    knots: np.ndarray,
    shares: np.ndarray,
) -> np.ndarray:
    """The slope of the kernel of effects for all of its scales, as `Formula.slope` wants it.

    With derivatives G for the kernel, those for e_k are R_k = G [1 + b (E1 - e_k)], entry by entry.
    """
    symmetric = inputs is centres
    scales, inputs, centres = EffectScales.of(gamma), as_array(inputs), as_array(centres)
    climbed = Climbed(Effects.of(*scales[:2], knots, shares), inputs, centres)
    by_orders, by_product = np.zeros(3), np.zeros(sensitivity.shape)
    if symmetric:
        sensitivity = _upper(sensitivity)
    _, of_pairs, of_all = scales.orders
    for block in blocks_of(len(inputs), len(centres), symmetric, len(climbed.by_size)):
        share = sensitivity[block]
        effect, fall, product = climbed.at(block)
        alone = effect.sum(axis=0)
        squares = np.einsum("knm,knm->nm", effect, effect)
        pairs = 0.5 * np.vdot(share, alone * alone - squares)
        by_orders += share.sum(), pairs, np.vdot(share, product)
        by_product[block] = of_all * share * product
        paired = of_pairs * share
        climbed.add(block, share + paired * alone, paired, effect, fall)
    slope = squared_distance_slope(inputs, centres, scales.gamma, by_product)
    return climbed.gathered(slope, scales.orders * by_orders)


def _upper(sensitivity: np.ndarray) -> np.ndarray:
    """Derivatives for the entries of the upper triangle of a symmetric matrix, zero below it."""
    upper = np.triu(sensitivity + sensitivity.T)
    upper.flat[:: len(upper) + 1] *= 0.5
    return upper


class Climbed:
    """The effects of inputs, and the derivatives of a sum for their log gamma and log size.

    Attributes
    ----------
    by_gamma, by_size : the derivatives, of the blocks so far (k,)
    """

    def __init__(self, effects: Effects, inputs: np.ndarray, centres: np.ndarray) -> None:
        self.effects = effects
        self.values, self.others = effects.values(inputs), effects.values(centres)
        apart = effects.apart(effects.knots, effects.knots)
        slope = np.matmul(-apart * np.exp(-apart), effects.shares[:, :, None])[:, :, 0]
        self.mean_slope = dot(effects.shares, slope) / effects.mean
        self.at_inputs, self.at_centres = self._means(self.values), self._means(self.others)
        means, slopes = self._means(effects.knots)
        norm = np.maximum(1.0 - dot(effects.shares, means**2), LEAST_NORM)
        self.norm_slope = -2.0 * dot(effects.shares, means * slopes) / norm
        self.by_gamma, self.by_size = np.zeros((2, len(effects.number)))

    def at(self, block: Block) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The effects e in a block, gamma (x - c)^2 g, both (k, n, m), and the product (n, m)."""
        rows, columns = block
        apart = self.effects.apart(self.values[:, rows], self.others[:, columns])
        product = np.exp(-apart.sum(axis=0))
        kernel = np.exp(-apart)
        apart *= kernel
        means, others = self.at_inputs[0][:, rows], self.at_centres[0][:, columns]
        return self.effects.centred(kernel, means, others), apart, product

    def add(
        self,
        block: Block,
        whole: np.ndarray,
        share: np.ndarray,
        effect: np.ndarray,
        fall: np.ndarray,
    ) -> None:
        """Add derivatives over a block, those for an effect e being whole - share e.

        Parameters
        ----------
        effect, fall : as `at` gives them (k, n, m)
        """
        rows, columns = block
        sensitivity = np.multiply(share, effect)
        np.subtract(whole, sensitivity, out=sensitivity)
        size = dot(sensitivity, effect)
        means, slopes = (each[:, rows] for each in self.at_inputs)
        others = np.stack([each[:, columns] for each in self.at_centres], axis=2)
        pulled = np.matmul(sensitivity, others)
        fallen = dot(sensitivity, fall) + dot(slopes, pulled[:, :, 0]) + dot(means, pulled[:, :, 1])
        self.by_size += size
        self.by_gamma -= fallen * self.effects.factor + size * self.norm_slope

    def gathered(self, by_gamma: np.ndarray, by_orders: np.ndarray) -> np.ndarray:
        """Derivatives for all log scales (2 d + 3,), those of the product for gamma given (d,)."""
        by_size = np.zeros_like(by_gamma)
        by_gamma[self.effects.number] += self.by_gamma
        by_size[self.effects.number] = self.by_size
        return EffectScales(by_gamma, by_size, by_orders).vector

    def _means(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """m / sqrt(v) at values of the inputs, and the derivative for log gamma (k, n)."""
        effects = self.effects
        apart = effects.apart(values, effects.knots)
        kernel = np.exp(-apart)
        shares = (effects.shares / np.sqrt(effects.mean)[:, None])[:, :, None]
        means = np.matmul(kernel, shares)[:, :, 0]
        slope = -np.matmul(kernel * apart, shares)[:, :, 0]
        return means, slope - 0.5 * self.mean_slope[:, None] * means
