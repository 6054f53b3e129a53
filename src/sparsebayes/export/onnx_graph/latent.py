"""The latent values of a plain model as nodes: mean and variance of f = phi'w."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from sparsebayes.export.onnx_graph.columns import at_itself, evaluate
from sparsebayes.export.onnx_graph.graph import Tensor
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.latent import Plain
from sparsebayes.model.spread import Spread

# Columns of each formula (n, m); None where there are none.
Values = list[Tensor | None]


class LatentNodes:
    """f of n rows, k values each. Nodes are added for what is asked for.

    Parameters
    ----------
    plain : columns, weights and their spread
    inputs : (n, d)
    """

    def __init__(self, plain: Plain, inputs: Tensor) -> None:
        self.plain, self.inputs = plain, inputs

    @property
    def spread(self) -> Spread:
        """How uncertain the values are."""
        return self.plain.spread

    @cached_property
    def mean(self) -> Tensor:
        """(n, k)."""
        return self._times(self._design, self.plain.weights)

    @cached_property
    def process_variance(self) -> Tensor:
        """V_p = |root_p' v|^2 + sum_g amplitude_gp max(k_g(x, x) - |v_g|^2, 0) (n, p)."""
        half = self._times(self._whitened, np.hstack(self.spread.roots))
        widths = [root.shape[1] for root in self.spread.roots]
        total = (half * half) @ np.repeat(np.eye(len(widths)), widths, axis=0)
        if self.spread.columns is None or self.spread.amplitude is None:
            return total
        parts = zip(self.spread.columns, self._whitened, self.spread.whiteners, strict=True)
        for (columns, v, white), own in zip(parts, self.spread.amplitude, strict=True):
            if white is not None:
                total = total + self._left(columns, v) * own[None]
        return total

    @cached_property
    def variance(self) -> Tensor:
        """(n, k)."""
        return self.process_variance.take(self.spread.process) * self.spread.factor

    @cached_property
    def covariance(self) -> Tensor:
        """Between latent values that have one set of weights (n, k, k): roots have one width."""
        roots = self.spread.roots
        if not roots[0].shape[1]:
            return self.mean.with_axis(2) * np.zeros((1, 1, len(roots)))
        half = self._times(self._whitened, np.hstack(roots))
        half = half.reshape(0, len(roots), roots[0].shape[1])
        return half @ half.transpose(0, 2, 1)

    @cached_property
    def _design(self) -> Values:
        return self._values(self.plain.columns)

    @cached_property
    def _whitened(self) -> Values:
        """v_g of all formulas."""
        if self.spread.columns is None:
            return self._design
        parts = zip(self._values(self.spread.columns), self.spread.whiteners, strict=True)
        return [v if v is None or white is None else v @ white.T for v, white in parts]

    def _left(self, columns: PlainColumns, v: Tensor | None) -> Tensor:
        """max(k_g(x, x) - |v_g|^2, 0) (n, 1)."""
        known = self.inputs.repeat(np.zeros(1)) if v is None else (v * v).total(1, keep=True)
        return (at_itself(columns, self.inputs) - known).at_least(0.0)

    def _values(self, columns: tuple[PlainColumns, ...]) -> Values:
        return [evaluate(each, self.inputs) if each.n_columns else None for each in columns]

    def _times(self, parts: Values, matrix: np.ndarray) -> Tensor:
        """Columns of all formulas times a matrix (m, k)."""
        if not matrix.size:
            return self.inputs.repeat(np.zeros(matrix.shape[1]))
        first, *others = [each for each in parts if each is not None]
        return first.beside(*others) @ matrix
