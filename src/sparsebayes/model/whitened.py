"""Columns of a Gaussian process, whitened: what they say of it, and what they leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.model.arrays import finite, squared_lengths, times_lower_transposed


@dataclass(frozen=True)
class DrawRule:
    """How functions are drawn from a process.

    Attributes
    ----------
    most_rows : draws are exact at so many new rows; what more rows have apart from these is drawn
        for each of them alone
    least : part of the variance of the process that a draw may leave out
    """

    most_rows: int = 2000
    least: float = 1e-10


DRAWING = DrawRule()


class Whitened(NamedTuple):
    """v = R phi: columns of one formula whose weights are independent, or phi where R is None.

    Attributes
    ----------
    columns : phi, bound or plain
    whitener : R, lower triangular (m, m)
    """

    columns: Any
    whitener: np.ndarray | None

    def evaluate(self, inputs: Any) -> np.ndarray:
        """The columns v at inputs (n, m)."""
        return self._white(self.columns.evaluate(inputs))

    def gradient(self, features: np.ndarray) -> np.ndarray:
        """Derivatives of linear columns v for some of the inputs (n_inputs, m)."""
        return self._white(self.columns.gradient(features))

    def _white(self, design: np.ndarray) -> np.ndarray:
        return design if self.whitener is None else times_lower_transposed(design, self.whitener)

    def variance_left(self, inputs: Any, v: np.ndarray) -> np.ndarray:
        """k(x, x) - |v(x)|^2: what the columns leave of the variance of the process (n,)."""
        return np.maximum(self.columns.variance(inputs) - squared_lengths(v), 0.0)

    def left_between(self, inputs: Any, others: Any) -> np.ndarray:
        """What the columns leave of the covariance of the process between rows.

        A kernel that is not known between new rows leaves each of them for itself.
        """
        v = self.evaluate(inputs)
        if self.columns.looked_up:
            return np.diag(self.variance_left(inputs, v))
        return self.columns.between(inputs, others) - v @ self.evaluate(others).T

    def left_root(self, inputs: Any, rule: DrawRule) -> tuple[np.ndarray, np.ndarray]:
        """A square root of `left_between` rows (n, j), and the deviation that it misses (n,)."""
        from scipy.linalg import lapack, solve_triangular

        n = inputs.shape[0]
        whole = finite(self.variance_left(inputs, self.evaluate(inputs)))
        if self.columns.looked_up:
            return np.zeros((n, 0)), np.sqrt(whole)
        some = np.linspace(0, n - 1, min(n, rule.most_rows)).round().astype(np.intp)
        chosen = inputs[some]
        least = rule.least * float(self.columns.variance(chosen).max(initial=0.0))
        among = self.left_between(chosen, chosen)
        lower, pivots, rank, _ = lapack.dpstrf(among.T, tol=least, lower=1, overwrite_a=1)
        if not rank:
            return np.zeros((n, 0)), np.zeros(n)
        across = self.left_between(chosen[pivots[:rank] - 1], inputs)
        root = solve_triangular(lower[:rank, :rank], across, lower=True).T
        return root, np.sqrt(np.maximum(whole - squared_lengths(root), 0.0))
