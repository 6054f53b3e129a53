"""What each input does in a model with a kernel of effects, and each pair of inputs.

A function of the process is a sum of effects that have mean zero over the training rows, each over
its own inputs (functional analysis of variance). For one column with centre c, single effects are

    e_k(x_k, c) + p [g_k(x_k, c) - A_k(c)] prod_{l != k} A_l(c),    A_l(c) = mean of g_l(z, c)

with the mean over the values z of input l in the training rows, for which knots stand, each input
for itself. Those of pairs are b e_k e_l, and p times two brackets, in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from sparsebayes.model.arrays import squared_lengths
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.effects import Effects
from sparsebayes.model.latent import Plain

FORMULA = "effects"


@dataclass(frozen=True)
class ColumnEffects:
    """The effects that columns of a kernel of effects are sums of.

    Parameters
    ----------
    columns : with this formula
    """

    columns: PlainColumns

    @cached_property
    def each(self) -> Effects:
        """The effects of single inputs."""
        own = self.columns.parameters
        return Effects.of(*(own[name] for name in ("gamma", "size", "knots", "shares")))

    @property
    def orders(self) -> np.ndarray:
        """a, b and p."""
        return np.asarray(self.columns.parameters["orders"])

    @cached_property
    def centres(self) -> np.ndarray:
        """The values of inputs that have an effect (k, m)."""
        return self.each.values(self.columns.items)

    @cached_property
    def means(self) -> np.ndarray:
        """A_l of each input (k, m)."""
        kernel = np.exp(-self.each.apart(self.each.knots, self.centres))
        return np.einsum("kq,kqm->km", self.each.shares, kernel)

    def values(self, which: Sequence[int], inputs: Sequence[np.ndarray]) -> np.ndarray:
        """The effect of one or two inputs, in each column (n, m).

        Parameters
        ----------
        which : their places among the inputs that have an effect
        inputs : values of each (n,)
        """
        alone, apart = np.ones((2, len(inputs[0]), self.columns.n_columns))
        for k, x in zip(which, inputs, strict=True):
            kernel, effect = self._of_one(k, x)
            alone *= effect
            apart *= kernel - self.means[k]
        others = np.delete(self.means, list(which), axis=0).prod(axis=0)
        _, of_pairs, of_all = self.orders
        return (1.0 if len(which) == 1 else of_pairs) * alone + of_all * apart * others

    def variance(self, which: Sequence[int], inputs: Sequence[np.ndarray]) -> np.ndarray:
        """The variance of the effect before there are data (n,)."""
        each, (_, of_pairs, of_all) = self.each, self.orders
        alone, apart = np.ones((2, len(inputs[0])))
        knots = np.exp(-each.apart(each.knots, each.knots))
        mean = np.einsum("kq,kqr,kr->k", each.shares, knots, each.shares)
        for k, x in zip(which, inputs, strict=True):
            one = _one(each, k)
            alone *= one.factor * (1.0 - one.means(x[None])[0] ** 2)
            apart *= (
                1.0 - 2.0 * (np.exp(-one.apart(x[None], one.knots)) @ one.shares[0])[0] + mean[k]
            )
        others = np.delete(mean, list(which)).prod()
        return (1.0 if len(which) == 1 else of_pairs) * alone + of_all * apart * others

    def _of_one(self, k: int, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """g and e of an input between values and centres (n, m)."""
        one, centres = _one(self.each, k), self.centres[k : k + 1]
        kernel = np.exp(-one.apart(x[None], centres))
        effect = one.centred(kernel.copy(), one.means(x[None]), one.means(centres))
        return kernel[0], effect[0]

    def variance_beyond_pairs(self, weights: np.ndarray) -> float:
        """The variance over the training rows of what three inputs and more do together."""
        kernel = np.exp(-self.each.apart(self.each.knots, self.centres))
        squares = np.einsum("kq,kqm,kqn->kmn", self.each.shares, kernel, kernel)
        means = self.means[:, :, None] * self.means[:, None, :]
        ratio = np.divide(squares - means, means, out=np.zeros_like(means), where=means > 0.0)
        single = ratio.sum(axis=0)
        pairs = 0.5 * (single**2 - (ratio**2).sum(axis=0))
        left = squares.prod(axis=0) - means.prod(axis=0) * (1.0 + single + pairs)
        return float(max(self.orders[2] ** 2 * weights @ left @ weights, 0.0))


def _one(each: Effects, k: int) -> Effects:
    """The effect of one input alone."""
    return Effects(*(values[k : k + 1] for values in each))


@dataclass(frozen=True)
class EffectView:
    """What inputs do to one latent value of a model.

    Parameters
    ----------
    vectors : the columns of the mean
    weights : of these (m,)
    covering : the columns that carry the error bars
    whitener : of these
    root : a square root of the covariance of the weights of whitened columns
    amplitude : variance of the process, relative to the kernel
    """

    vectors: ColumnEffects
    weights: np.ndarray
    covering: ColumnEffects
    whitener: np.ndarray
    root: np.ndarray
    amplitude: float

    @property
    def inputs(self) -> np.ndarray:
        """The inputs that have an effect (k,)."""
        return self.vectors.each.number

    def at(
        self, inputs: Sequence[int], values: Sequence[np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of the effect of one input, or of a pair of them (n,).

        Parameters
        ----------
        inputs : their numbers
        values : of each (n,)
        """
        which = [int(np.flatnonzero(self.inputs == number)[0]) for number in inputs]
        mean = self.vectors.values(which, values) @ self.weights
        known = self.covering.values(which, values) @ self.whitener.T
        left = self.covering.variance(which, values) - squared_lengths(known)
        variance = squared_lengths(known @ self.root) + self.amplitude * np.maximum(left, 0.0)
        return mean, np.sqrt(variance)

    def variances(self) -> dict[tuple[int, ...], float]:
        """The variance over the training rows of each effect, by the numbers of its inputs.

        That of three inputs and more together has the key ().
        """
        knots, shares = self.vectors.each.knots, self.vectors.each.shares
        found: dict[tuple[int, ...], float] = {}
        for k in range(len(self.inputs)):
            mean = self.vectors.values([k], [knots[k]]) @ self.weights
            found[(int(self.inputs[k]),)] = float(shares[k] @ mean**2)
        for k, j in combinations(range(len(self.inputs)), 2):
            grid = [each.ravel() for each in np.meshgrid(knots[k], knots[j], indexing="ij")]
            mean = self.vectors.values([k, j], grid) @ self.weights
            share = np.outer(shares[k], shares[j]).ravel()
            found[int(self.inputs[k]), int(self.inputs[j])] = float(share @ mean**2)
        found[()] = self.vectors.variance_beyond_pairs(self.weights)
        return found

    def shares(self) -> dict[tuple[int, ...], float]:
        """The share of each effect in the variance over the training rows, the largest first."""
        found = self.variances()
        whole = sum(found.values())
        ordered = sorted(found.items(), key=lambda pair: -pair[1])
        return {key: value / whole if whole > 0.0 else 0.0 for key, value in ordered}


def effect_view(plain: Plain, output: int) -> EffectView | None:
    """What inputs do to a latent value; None where the model has no kernel of effects.

    Parameters
    ----------
    plain : with plain columns
    """
    spread: Any = plain.spread
    ends = np.cumsum([each.n_columns for each in plain.columns])
    own = [k for k, each in enumerate(plain.columns) if each.formula == FORMULA]
    covers = [k for k, each in enumerate(spread.columns or ()) if each.formula == FORMULA]
    if len(own) != 1 or len(covers) != 1:
        return None
    (k,), (j,), process = own, covers, spread.process[output]
    columns, start = plain.columns[k], ends[k] - plain.columns[k].n_columns
    first = sum(each.n_columns for each in spread.columns[:j])
    covering = spread.columns[j]
    factor = float(spread.factor[output])
    return EffectView(
        ColumnEffects(columns),
        plain.weights[start : ends[k], output],
        ColumnEffects(covering),
        spread.whiteners[j],
        np.sqrt(factor) * spread.roots[process][first : first + covering.n_columns],
        factor * float(spread.amplitude[j, process]),
    )
