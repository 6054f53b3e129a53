"""How uncertain the latent values of a plain model are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sparsebayes.model.columns import PlainColumns, evaluate_all, n_columns


@dataclass(frozen=True)
class Spread:
    """The variance of k latent values, which are those of p processes, times factors.

        var f_k(x) = factor_k V_p(x),  p = process_k
        V_p(x) = |root_p' v(x)|^2 + sum_g amplitude_gp max(k_g(x, x) - |v_g(x)|^2, 0)

    v_g = R_g phi_g are columns of formula g, whitened where there is a whitener R_g; v are those of
    all formulas. The sum is over formulas with a whitener: these are Gaussian processes, of which
    the columns know a part only.

    Parameters
    ----------
    roots : of each process a square root of the covariance of the weights of v (m, r_p)
    process : of each latent value (k,)
    factor : of each latent value (k,)
    columns : phi; None if they are the columns of the mean
    whiteners : of each formula R_g, lower triangular (m_g, m_g), or None
    amplitude : variance of each process, by formula (n_formulas, p); 0 without a whitener
    """

    roots: tuple[np.ndarray, ...]
    process: np.ndarray
    factor: np.ndarray
    columns: tuple[PlainColumns, ...] | None = None
    whiteners: tuple[np.ndarray | None, ...] = ()
    amplitude: np.ndarray | None = None

    def of_columns(self, order: np.ndarray) -> Spread:
        """The same with the columns of the mean in another order."""
        roots = tuple(np.ascontiguousarray(root[order]) for root in self.roots)
        return replace(self, roots=roots)

    @property
    def width(self) -> int:
        """How many numbers products with the roots give for a row."""
        return len(self.process) + sum(1 + root.shape[1] for root in self.roots)

    @property
    def covers(self) -> bool:
        """Whether columns of its own carry the error bars, which then grow away from the data."""
        return self.columns is not None

    def of_processes(self, inputs: np.ndarray, design: list[np.ndarray]) -> np.ndarray:
        """V_p (n, p). `design` has the columns of the mean, by formula."""
        whitened = self.whitened(inputs, design)
        v = side_by_side(whitened, len(inputs))
        known = np.stack([_squares(v @ root) for root in self.roots], axis=1)
        return known + self._left(inputs, whitened)

    def variance(self, inputs: np.ndarray, design: list[np.ndarray]) -> np.ndarray:
        """Of the latent values (n, k)."""
        return self.of_processes(inputs, design)[:, self.process] * self.factor

    def covariance(self, inputs: np.ndarray, design: list[np.ndarray]) -> np.ndarray:
        """Between latent values that have one set of weights (n, k, k): roots have one width."""
        v = side_by_side(self.whitened(inputs, design), len(inputs))
        half = np.stack([v @ root for root in self.roots], axis=1)
        return half @ half.transpose(0, 2, 1)

    def novelty(self, inputs: np.ndarray) -> np.ndarray:
        """The share of the variance of the processes that is left, mean over them (n,)."""
        assert self.columns is not None, "there is no process"
        assert self.amplitude is not None, "there is no process"
        whitened = self.whitened(inputs, [])
        parts = zip(whitened, self.whiteners, strict=True)
        known = [own if white is not None else 0.0 * own for own, white in parts]
        v = side_by_side(known, len(inputs))
        left = np.stack([_squares(v @ root) for root in self.roots], axis=1)
        left += self._left(inputs, whitened)
        prior = np.zeros_like(left)
        for columns, white, own in zip(self.columns, self.whiteners, self.amplitude, strict=True):
            if white is not None:
                prior += columns.at_itself(inputs)[:, None] * own
        share = np.divide(left, prior, out=np.ones_like(left), where=~(prior <= 0.0))
        return np.clip(share.mean(axis=1), 0.0, 1.0)

    def whitened(self, inputs: np.ndarray, design: list[np.ndarray]) -> list[np.ndarray]:
        """v of each formula."""
        if self.columns is None:
            return design
        values = evaluate_all(self.columns, inputs)
        parts = zip(values, self.whiteners, strict=True)
        return [own if white is None else own @ white.T for own, white in parts]

    def _left(self, inputs: np.ndarray, whitened: list[np.ndarray]) -> np.ndarray:
        """sum_g amplitude_gp max(k_g(x, x) - |v_g|^2, 0) (n, p)."""
        total = np.zeros((len(inputs), len(self.roots)))
        if self.columns is None or self.amplitude is None:
            return total
        parts = zip(self.columns, whitened, self.whiteners, self.amplitude, strict=True)
        for columns, v, white, own in parts:
            if white is not None:
                left = np.maximum(columns.at_itself(inputs) - _squares(v), 0.0)
                total += left[:, None] * own
        return total

    def check(self, n_latents: int, n_mean_columns: int, n_features: int) -> None:
        """An error unless all shapes go together."""
        m, p = n_mean_columns, len(self.roots)
        if self.columns is not None:
            for columns in self.columns:
                columns.check(n_features)
            m = n_columns(self.columns)
            if self.amplitude is None or self.amplitude.shape != (len(self.columns), p):
                raise ValueError("amplitude does not go with the columns.")
            if not (np.isfinite(self.amplitude) & (self.amplitude >= 0.0)).all():
                raise ValueError("amplitude must be finite, and not negative.")
            for columns, white in zip(self.columns, self.whiteners, strict=True):
                if white is not None and white.shape != (columns.n_columns,) * 2:
                    raise ValueError("a whitener does not go with its columns.")
                if white is not None and not np.isfinite(white).all():
                    raise ValueError("a whitener must be finite.")
                if white is not None and columns.definition.at_itself is None:
                    raise ValueError("columns with a whitener are no covariance.")
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


def one_each(roots: Sequence[np.ndarray]) -> Spread:
    """The spread of latent values that are one process each."""
    return Spread(tuple(roots), np.arange(len(roots)), np.ones(len(roots)))


def _squares(values: np.ndarray) -> np.ndarray:
    """Squared length of each row (n,)."""
    return np.einsum("ij,ij->i", values, values)


def side_by_side(designs: list[np.ndarray], n_rows: int) -> np.ndarray:
    """Columns of several formulas as one array (n_rows, m); there may be none."""
    return np.hstack([np.empty((n_rows, 0)), *designs])
