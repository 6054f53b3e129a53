"""A Gaussian process given its data, seen through a few of its rows.

A few vectors can carry the mean of a process, but not its variance, which grows away from the
data: a sum of vectors is certain of zero there. *Covering* rows can. They are as many as it takes
to tell the process at all rows, by pivots, and beyond them it has its prior variance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from sparsebayes._linear_algebra import pivoted_factor, squared_lengths, symmetric_root
from sparsebayes.columns import plain_columns, spread
from sparsebayes.columns.whitened import WhitenedColumns
from sparsebayes.dense.fit import DenseFit
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.spread import Spread, one_each

Random = np.random.Generator | np.random.RandomState


@dataclass(frozen=True)
class CoveringRule:
    """How many rows cover a process.

    Attributes
    ----------
    enough : part of the noise; what is left of the variance of the process at the training rows
        is, on average, at most this
    drawn_rows : draws of functions are exact at so many new rows; what more rows have apart from
        these is drawn for each of them alone
    least_drawn : part of the variance of the process that a draw may leave out
    """

    enough: float = 0.05
    drawn_rows: int = 2000
    least_drawn: float = 1e-10


RULE = CoveringRule()


@dataclass(frozen=True)
class Covering:
    """The latent values of a process at any inputs: their variance, covariance, and draws.

        var f(x) = sum_g a_g (k_g(x, x) - |v_g(x)|^2) + |root' v(x)|^2

    The first part is what covering rows do not say of the process, the second what is left
    uncertain of what they say. v_g are the whitened columns of kind g, and v those of all kinds.

    Attributes
    ----------
    parts : whitened columns of each kind
    amplitude : a_g for each kind and latent value (n_kinds, k); 0 for columns that are no process
    roots : for each latent value a square root of the posterior covariance of the weights of the
        whitened columns (m, m)
    between : where one process stands for all latent values, as in a softmax: their covariance,
        relative to its variance (k, k); there is one amplitude of a kind then, and one root
    """

    parts: tuple[WhitenedColumns, ...]
    amplitude: np.ndarray
    roots: tuple[np.ndarray, ...]
    between: np.ndarray | None = None

    @property
    def n_columns(self) -> int:
        """How many columns are evaluated for a row."""
        return sum(part.n_columns for part in self.parts)

    @property
    def rows(self) -> np.ndarray:
        """The training rows that cover the process, in ascending order, or their positions."""
        kinds = [part.kind for part in self.parts if part.whitener is not None]
        return np.unique(np.concatenate([kind.centre_rows for kind in kinds]))

    def check(self, n_latents: int, n_features: int) -> None:
        """An error unless all shapes go together, and with so many latent values and inputs."""
        for part in self.parts:
            part.check(n_features)
        m, p = self.n_columns, n_latents if self.between is None else 1
        if len(self.roots) != p or any(root.shape != (m, m) for root in self.roots):
            raise ValueError("roots do not go with the covering rows.")
        if self.amplitude.shape != (len(self.parts), p):
            raise ValueError("amplitude does not go with the covering rows.")
        if self.between is not None and self.between.shape != (n_latents, n_latents):
            raise ValueError("the covering rows are of other latent values.")

    def variance(self, inputs: Any) -> np.ndarray:
        """Of each latent value (n, k)."""
        return self._of_latents(self._of_processes(inputs, self._columns(inputs)))

    def gradient_variance(self, features: np.ndarray) -> np.ndarray:
        """Of the derivative of each latent value for some of the inputs, if it is linear (n, k)."""
        gradients = [part.gradient(features) for part in self.parts]
        design = np.hstack(gradients)
        total = np.stack([squared_lengths(design @ root) for root in self.roots], axis=1)
        for part, gradient, own in zip(self.parts, gradients, self.amplitude, strict=True):
            if part.whitener is not None:
                whole = part.kind.gradient_variance(features)
                left = np.maximum(whole - squared_lengths(gradient), 0.0)
                total += left[:, None] * own
        return self._of_latents(total)

    def covariance_root(self, inputs: Any) -> np.ndarray:
        """The symmetric square root of the covariance between the latent values (n, k, k)."""
        std = np.sqrt(self._of_processes(inputs, self._columns(inputs)))[:, :, None]
        return std * (
            np.eye(std.shape[1]) if self.between is None else symmetric_root(self.between)
        )

    def _of_latents(self, variance: np.ndarray) -> np.ndarray:
        """The variance of each latent value (n, k), from that of each process."""
        return variance if self.between is None else variance * np.diag(self.between)

    def _of_processes(self, inputs: Any, columns: Sequence[np.ndarray]) -> np.ndarray:
        """The variance of each process (n, n_processes), from the columns at the inputs."""
        design = np.hstack(columns)
        known = [squared_lengths(design @ root) for root in self.roots]
        return self._left(inputs, columns) + np.stack(known, axis=1)

    def prior_variance(self, inputs: Any) -> np.ndarray:
        """Of the process alone, before there were data (n, k)."""
        total = np.zeros((inputs.shape[0], self.amplitude.shape[1]))
        for part, own in self._processes():
            total += part.kind.variance(inputs)[:, None] * own
        return total

    def novelty(self, inputs: Any) -> np.ndarray:
        """The share of the prior variance of the process that is left, mean over k (n,)."""
        columns = self._columns(inputs)
        whitened = [part.whitener is not None for part in self.parts]
        process = np.repeat(whitened, [part.n_columns for part in self.parts])
        design = np.hstack(columns)[:, process]
        known = [squared_lengths(design @ root[process]) for root in self.roots]
        left = self._left(inputs, columns) + np.stack(known, axis=1)
        prior = self.prior_variance(inputs)
        share = np.divide(left, prior, out=np.ones_like(left), where=~(prior <= 0.0))
        return np.clip(share.mean(axis=1), 0.0, 1.0)

    def joint_covariance(self, inputs: Any, k: int) -> np.ndarray:
        """Of latent value k between rows (n, n)."""
        which, factor = (k, 1.0) if self.between is None else (0, self.between[k, k])
        half = np.hstack(self._columns(inputs)) @ self.roots[which]
        total = half @ half.T
        for part, own in self._processes():
            total += own[which] * self._left_between(part, inputs, inputs)
        return factor * total

    def draw(
        self, inputs: Any, n_samples: int, random: Random, rule: CoveringRule = RULE
    ) -> np.ndarray:
        """Draws of the latent values less their mean, functions of the inputs (n, n_samples, k)."""
        design = np.hstack(self._columns(inputs))
        n_latents = len(self.roots) if self.between is None else len(self.between)
        which = [k if self.between is None else 0 for k in range(n_latents)]
        left = [(own, *self._left_root(part, inputs, rule)) for part, own in self._processes()]
        draws = np.empty((len(design), n_samples, n_latents))
        for k, process in enumerate(which):
            white = random.standard_normal((design.shape[1], n_samples))
            draws[:, :, k] = design @ (self.roots[process] @ white)
            for own, root, alone in left:
                apart = root @ random.standard_normal((root.shape[1], n_samples))
                apart += alone[:, None] * random.standard_normal(apart.shape)
                draws[:, :, k] += np.sqrt(own[process]) * apart
        return draws if self.between is None else draws @ symmetric_root(self.between)

    def spread(self, n_features: int) -> Spread:
        """The variance of latent values as plain arrays."""
        columns: list[PlainColumns] = []
        whiteners: list[np.ndarray | None] = []
        amplitude: list[np.ndarray] = []
        order: list[np.ndarray] = []
        start = 0
        for part, own in zip(self.parts, self.amplitude, strict=True):
            found, here = plain_columns(part.kind, n_features)
            columns += found
            whiteners += [None if part.whitener is None else np.tril(part.whitener)] * len(found)
            amplitude += [own] * len(found)
            order.append(start + here)
            start += part.n_columns
        spread = replace(
            one_each(self.roots).of_columns(np.concatenate(order)),
            columns=tuple(columns),
            whiteners=tuple(whiteners),
            amplitude=np.array(amplitude),
        )
        if self.between is None:
            return spread
        factor = np.diag(self.between)
        return replace(spread, process=np.zeros(len(factor), dtype=np.int64), factor=factor)

    def _columns(self, inputs: Any) -> list[np.ndarray]:
        """The whitened columns of each kind."""
        return [part.evaluate(inputs) for part in self.parts]

    def _processes(self) -> Iterator[tuple[WhitenedColumns, np.ndarray]]:
        """The kinds that are processes, and their amplitudes (k,)."""
        for part, own in zip(self.parts, self.amplitude, strict=True):
            if part.whitener is not None:
                yield part, own

    def _left(self, inputs: Any, columns: Sequence[np.ndarray]) -> np.ndarray:
        """What the covering rows do not say: sum_g a_g (k_g(x, x) - |v_g(x)|^2) (n, k)."""
        total = np.zeros((inputs.shape[0], self.amplitude.shape[1]))
        for part, design, own in zip(self.parts, columns, self.amplitude, strict=True):
            if part.whitener is not None:
                total += part.variance_left(inputs, design)[:, None] * own
        return total

    def _left_between(self, part: WhitenedColumns, inputs: Any, others: Any) -> np.ndarray:
        """The same between rows, of one kind at unit amplitude.

        A kernel that is not known between new rows leaves each of them for itself.
        """
        if part.kind.formula.looked_up:
            return np.diag(part.variance_left(inputs, part.evaluate(inputs)))
        values = part.kind.between(inputs, others)
        return values - part.evaluate(inputs) @ part.evaluate(others).T

    def _left_root(
        self, part: WhitenedColumns, inputs: Any, rule: CoveringRule
    ) -> tuple[np.ndarray, np.ndarray]:
        """A square root of that (n, j), and the standard deviation of what it leaves out (n,)."""
        whole = part.variance_left(inputs, part.evaluate(inputs))
        if part.kind.formula.looked_up:
            return np.zeros((inputs.shape[0], 0)), np.sqrt(whole)
        some = spread(np.arange(inputs.shape[0]), rule.drawn_rows)
        chosen = inputs[some]
        least = rule.least_drawn * float(part.kind.variance(chosen).max(initial=0.0))
        rows, lower = pivoted_factor(self._left_between(part, chosen, chosen), least)
        if not len(rows):
            return np.zeros((inputs.shape[0], 0)), np.zeros(inputs.shape[0])
        across = self._left_between(part, chosen[rows], inputs)
        root = solve_triangular(lower, across, lower=True).T
        alone = np.maximum(whole - squared_lengths(root), 0.0)
        return root, np.sqrt(alone)


def joined(coverings: Sequence[Covering]) -> Covering:
    """The coverings of latent values that were fitted apart, at the same scales, as one.

    Pivots depend on the scales alone. So the rows of each are the first of the longest, and what
    it does not use has its prior variance.
    """
    together = list(zip(*(each.parts for each in coverings), strict=True))
    parts = tuple(max(own, key=lambda part: part.n_columns) for own in together)
    amplitude = np.hstack([each.amplitude for each in coverings])
    sizes = [part.n_columns for part in parts]
    starts = np.cumsum([0, *sizes])
    roots = []
    for each in coverings:
        root = np.diag(np.sqrt(np.repeat(each.amplitude[:, 0], sizes)))
        own = [start + np.arange(p.n_columns) for start, p in zip(starts, each.parts, strict=False)]
        place = np.concatenate(own)
        root[np.ix_(place, place)] = each.roots[0]
        roots.append(root)
    return Covering(parts, amplitude, tuple(roots))


def covering_of(dense: DenseFit, rule: CoveringRule = RULE) -> Covering | None:
    """The covering rows of a dense model; None where none of its columns are a process."""
    if all(part.whitener is None for part in dense.columns.parts):
        return None
    sizes = covering_sizes(dense, rule)
    starts = np.cumsum([0, *(part.n_columns for part in dense.columns.parts)])[:-1]
    parts = [part.first(size) for part, size in zip(dense.columns.parts, sizes, strict=True)]
    process = np.array([part.whitener is not None for part in parts])
    amplitude = np.zeros((len(parts), 1))
    amplitude[process, 0] = dense.prior_variance[starts[process]]
    factor = dense.restricted_to(first_columns(dense, sizes))
    root = np.ascontiguousarray(factor.whitener.T)
    new = tuple(part.for_new_inputs() for part in parts)
    return Covering(new, amplitude, (root,), dense.between)


def covering_sizes(dense: DenseFit, rule: CoveringRule = RULE) -> list[int]:
    """How many of the whitened columns of each kind are needed."""
    sizes = []
    for part, left in zip(dense.columns.parts, variance_left(dense), strict=True):
        enough = np.flatnonzero(left <= rule.enough * dense.noise_variance)
        process = part.whitener is not None and len(enough)
        sizes.append(int(enough[0]) + 1 if process else part.n_columns)
    return sizes


def first_columns(dense: DenseFit, sizes: Sequence[int]) -> np.ndarray:
    """Positions of so many columns of each kind among those of the dense model."""
    starts = np.cumsum([0, *(part.n_columns for part in dense.columns.parts)])[:-1]
    return np.concatenate([k + np.arange(size) for k, size in zip(starts, sizes, strict=True)])


def variance_left(dense: DenseFit) -> list[np.ndarray]:
    """For each kind, what its first 1, 2, ... columns leave of the process at a row, on average."""
    left, start = [], 0
    for part, variance in zip(dense.columns.parts, dense.process_variance, strict=True):
        own = slice(start, start + part.n_columns)
        left.append(dense.prior_variance[own] * (variance - np.cumsum(dense.energy[own])))
        start += part.n_columns
    return left


def unexplained(dense: DenseFit, sizes: Sequence[int]) -> float:
    """What so many columns of each kind leave of the processes at a row, on average."""
    processes = [part.whitener is not None for part in dense.columns.parts]
    triples = zip(processes, variance_left(dense), sizes, strict=True)
    return float(sum(max(left[size - 1], 0.0) for process, left, size in triples if process))
