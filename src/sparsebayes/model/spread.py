"""How uncertain the latent values of a model are: by its weights, or by a process.

A few vectors can carry the mean of a Gaussian process, but not its variance, which grows away from
the data: a sum of vectors is certain of zero there. *Covering* rows can. They are as many as it
takes to tell the process at all rows, by pivots, and beyond them it has its prior variance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebayes.model.arrays import side_by_side, squared_lengths, symmetric_root
from sparsebayes.model.whitened import DRAWING, DrawRule, Whitened

Random = np.random.Generator | np.random.RandomState


@dataclass(frozen=True)
class Spread:
    """The variance of k latent values, which are those of p processes, times factors.

        var f_k(x) = factor_k V_p(x),  p = process_k
        V_p(x) = |root_p' v(x)|^2 + sum_g amplitude_gp max(k_g(x, x) - |v_g(x)|^2, 0)

    v_g = R_g phi_g are columns of formula g, whitened where there is a whitener R_g; v are those of
    all formulas. The sum is over formulas with a whitener: these are Gaussian processes, of which
    the columns know a part only. All questions are asked with inputs (n, d), and with the design,
    the columns of the mean there (n, m), where the spread has no columns of its own.

    Parameters
    ----------
    roots : of each process a square root of the covariance of the weights of v (m, r_p)
    process : of each latent value (k,)
    factor : of each latent value (k,)
    columns : phi; None if they are the columns of the mean
    whiteners : of each formula R_g, lower triangular (m_g, m_g), or None
    amplitude : variance of each process, by formula (n_formulas, p); 0 without a whitener
    between : covariance between the latent values, relative to the one process that they share
        (k, k), with `factor` on its diagonal; None where they are independent
    together : whether all roots are of one set of weights, so that processes are correlated
    """

    roots: tuple[np.ndarray, ...]
    process: np.ndarray
    factor: np.ndarray
    columns: tuple[Any, ...] | None = None
    whiteners: tuple[np.ndarray | None, ...] = ()
    amplitude: np.ndarray | None = None
    between: np.ndarray | None = None
    together: bool = False

    def of_columns(self, order: np.ndarray) -> Spread:
        """The spread with the columns in another order."""
        return replace(self, roots=tuple(np.ascontiguousarray(root[order]) for root in self.roots))

    @property
    def n_columns(self) -> int:
        """How many columns of its own are evaluated for a row."""
        return sum(each.n_columns for each in self.columns or ())

    @property
    def width(self) -> int:
        """How many numbers products with the roots give for a row."""
        return len(self.process) + sum(1 + root.shape[1] for root in self.roots)

    @property
    def covers(self) -> bool:
        """Whether columns of its own carry the error bars, which then grow away from the data."""
        return self.columns is not None

    @property
    def rows(self) -> np.ndarray:
        """The training rows that cover the process, ascending, where columns are bound to them."""
        rows = [part.columns.centre_rows for part, _, _ in self._processes()]
        return np.unique(np.concatenate(rows))

    # Variances.

    def of_processes(self, inputs: Any, design: np.ndarray | None = None) -> np.ndarray:
        """V_p (n, p)."""
        if not self.covers:
            return self._known(self._v(inputs, design))
        return self._of_values(inputs, self._evaluated(inputs))

    def _of_values(self, inputs: Any, values: Sequence[np.ndarray]) -> np.ndarray:
        """V_p (n, p), from v of each formula."""
        total = self._known(side_by_side(values, inputs.shape[0]))
        for part, own, v in self._processes(values):
            total += part.variance_left(inputs, v)[:, None] * own
        return total

    def variance(self, inputs: Any, design: np.ndarray | None = None) -> np.ndarray:
        """The variance of the latent values (n, k)."""
        return self._of_latents(self.of_processes(inputs, design))

    def row_covariance(self, inputs: Any, design: np.ndarray | None = None) -> np.ndarray:
        """Covariance between the latent values of a row (n, k, k), of one set of weights."""
        half = self._halves(self._v(inputs, design))
        return half @ half.transpose(0, 2, 1)

    def joint_covariance(self, inputs: Any, k: int, design: np.ndarray | None = None) -> np.ndarray:
        """Covariance of latent value k between rows (n, n)."""
        p = self.process[k]
        half = self._v(inputs, design) @ self.roots[p]
        total = half @ half.T
        for part, own, _ in self._processes():
            total += own[p] * part.left_between(inputs, inputs)
        return self.factor[k] * total

    def gradient_variance(self, features: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """The variance of the derivative of each latent value for some inputs, if linear (n, k).

        Parameters
        ----------
        gradient : derivatives of the columns of the mean for these inputs (n, m)
        """
        if not self.covers:
            return self._of_latents(self._known(gradient))
        gradients = [part.gradient(features) for part in self._parts()]
        total = self._known(np.hstack(gradients))
        for part, own, v in self._processes(gradients):
            left = part.columns.gradient_variance(features) - squared_lengths(v)
            total += np.maximum(left, 0.0)[:, None] * own
        return self._of_latents(total)

    def of_weights(self, k: int) -> np.ndarray:
        """Covariance of the weights of v for latent value k, 0 where it has none (m, m)."""
        root = self.roots[self.process[k]]
        return self.factor[k] * (root @ root.T)

    def novelty(self, inputs: Any) -> np.ndarray:
        """The share of the variance of the processes that is left, mean over them (n,)."""
        assert self.covers, "there is no process"
        values = self._evaluated(inputs)
        pairs = zip(values, self.whiteners, strict=True)
        known = [own if white is not None else 0.0 * own for own, white in pairs]
        left, prior = self._of_values(inputs, known), self.prior_variance(inputs)
        share = np.divide(left, prior, out=np.ones_like(left), where=~(prior <= 0.0))
        return np.clip(share.mean(axis=1), 0.0, 1.0)

    def prior_variance(self, inputs: Any) -> np.ndarray:
        """The variance of the processes alone, before there were data (n, p)."""
        total = np.zeros((inputs.shape[0], len(self.roots)))
        for part, own, _ in self._processes():
            total += part.columns.variance(inputs)[:, None] * own
        return total

    # Draws.

    def draw(
        self, inputs: Any, n_samples: int, random: Random, rule: DrawRule = DRAWING
    ) -> tuple[np.ndarray, np.ndarray | float]:
        """Draws of the weights of v (m, n_samples, k), and what rows have besides.

        The latter is (n, n_samples, k), or 0 where there is no process. `mixed` makes latent values
        of the sum of both.
        """
        left = [(own, *part.left_root(inputs, rule)) for part, own, _ in self._processes()]
        whites: list[np.ndarray] = []
        apart = np.zeros((inputs.shape[0], n_samples, len(self.process))) if left else 0.0
        one = random.standard_normal((self.roots[0].shape[1], n_samples)) if self.together else None
        for k, p in enumerate(self.process):
            root = self.roots[p]
            white = random.standard_normal((root.shape[1], n_samples)) if one is None else one
            whites.append(root @ white)
            for own, half, alone in left:
                found = half @ random.standard_normal((half.shape[1], n_samples))
                found += alone[:, None] * random.standard_normal(found.shape)
                apart[:, :, k] += np.sqrt(own[p]) * found  # type: ignore[index]
        return np.stack(whites, axis=-1), apart

    def mixed(self, draws: np.ndarray) -> np.ndarray:
        """Draws of latent values, less their mean, from those of processes (n, n_samples, k)."""
        if self.between is None:
            return draws * np.sqrt(self.factor)
        return draws @ symmetric_root(self.between)

    def drawn_at(
        self, inputs: Any, weights: np.ndarray, design: np.ndarray | None = None
    ) -> np.ndarray:
        """Draws of what v says, at given weights (m, n_samples, k), of shape (n, n_samples, k)."""
        m, n_samples, k = weights.shape
        found = self._v(inputs, design) @ weights.reshape(m, n_samples * k)
        return found.reshape(len(found), n_samples, k)

    # Parts.

    def _parts(self) -> list[Whitened]:
        """The columns of each formula, where they are not those of the mean."""
        pairs = zip(self.columns or (), self.whiteners, strict=True)
        return [Whitened(columns, white) for columns, white in pairs]

    def _evaluated(self, inputs: Any) -> list[np.ndarray]:
        return [part.evaluate(inputs) for part in self._parts()]

    def _v(self, inputs: Any, design: np.ndarray | None) -> np.ndarray:
        """v of all formulas (n, m)."""
        if self.covers:
            return side_by_side(self._evaluated(inputs), inputs.shape[0])
        assert design is not None, "the spread is that of the columns of the mean"
        return design

    def _known(self, v: np.ndarray) -> np.ndarray:
        """|root_p' v(x)|^2 (n, p)."""
        if len(self.roots) == 1:
            return squared_lengths(v @ self.roots[0])[:, None]
        return np.stack([squared_lengths(self._half(v, root)) for root in self.roots], axis=1)

    def _halves(self, v: np.ndarray) -> np.ndarray:
        return np.stack([self._half(v, root) for root in self.roots], axis=1)

    def _half(self, v: np.ndarray, root: np.ndarray) -> np.ndarray:
        """The product of v with a root, of which rows are 0 where weights are of others.

        With fewer rows than columns, to look for these takes as long as the product.
        """
        if self.covers or len(v) < len(root):
            return v @ root
        used = root.any(axis=1)
        return v[:, used] @ root[used]

    def _of_latents(self, variance: np.ndarray) -> np.ndarray:
        """The variance of latent values (n, k), from that of processes."""
        return variance[:, self.process] * self.factor

    def _processes(
        self, values: Sequence[Any] | None = None
    ) -> Iterator[tuple[Whitened, np.ndarray, Any]]:
        """The formulas that are processes, their amplitudes (p,), and values of their columns."""
        if self.amplitude is not None:
            values = self.whiteners if values is None else values
            for part, own, v in zip(self._parts(), self.amplitude, values, strict=True):
                if part.whitener is not None:
                    yield part, own, v

    def check(self, n_latents: int, n_mean_columns: int, n_features: int) -> None:
        """An error unless all shapes go together."""
        m, p = n_mean_columns, len(self.roots)
        if self.columns is not None:
            m = self.n_columns
            self._check_processes(n_features)
        if not p or any(root.ndim != 2 or len(root) != m for root in self.roots):
            raise ValueError("roots do not go with the columns.")
        if not all(np.isfinite(each).all() for each in (self.factor, *self.roots)):
            raise ValueError("roots and factor must be finite.")
        if (self.factor < 0.0).any():
            raise ValueError("no factor may be negative.")
        if self.process.shape != (n_latents,) or self.factor.shape != (n_latents,):
            raise ValueError("process and factor do not go with the latent values.")
        if self.process.dtype.kind != "i" or not ((self.process >= 0) & (self.process < p)).all():
            raise ValueError("process refers to a root that does not exist.")
        if self.between is not None and self.between.shape != (n_latents, n_latents):
            raise ValueError("between does not go with the latent values.")

    def _check_processes(self, n_features: int) -> None:
        """An error unless columns, whiteners and amplitude go together."""
        assert self.columns is not None, "there is no process"
        for columns in self.columns:
            columns.check(n_features)
        if self.amplitude is None or self.amplitude.shape != (len(self.columns), len(self.roots)):
            raise ValueError("amplitude does not go with the columns.")
        if not (np.isfinite(self.amplitude) & (self.amplitude >= 0.0)).all():
            raise ValueError("amplitude must be finite, and not negative.")
        for columns, white in zip(self.columns, self.whiteners, strict=True):
            if white is not None and white.shape != (columns.n_columns,) * 2:
                raise ValueError("a whitener does not go with its columns.")
            if white is not None and not np.isfinite(white).all():
                raise ValueError("a whitener must be finite.")
            if white is not None and not columns.positive_definite:
                raise ValueError("columns with a whitener are no covariance.")


def one_each(roots: Sequence[np.ndarray]) -> Spread:
    """The spread of latent values that are one process each."""
    return Spread(tuple(roots), np.arange(len(roots)), np.ones(len(roots)))
