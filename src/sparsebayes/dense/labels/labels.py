"""Regression on the labels of classes: one factorisation serves all of them.

The labels of a row are those of K classes, 1 for its own and 0 for the others, as contrasts. All
have the same precisions, scales and noise. There is no mode to be searched for, and what the
regression would say of a row that is left out is known exactly (`leaving_out`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import blas

from sparsebayes._linear_algebra import inverse_of
from sparsebayes.dense.labels.leaving_out import LeftOut, adjusted, leave_out
from sparsebayes.dense.latent import Evidence, factor_of_rows
from sparsebayes.dense.model import DenseModel, Evaluation
from sparsebayes.dense.parts import Part
from sparsebayes.dense.rows import BUDGET, Budget, DenseRows
from sparsebayes.likelihoods import Gaussian, Multinomial
from sparsebayes.problem import target_scale


def label_contrasts(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """The labels of each row as contrasts between classes (n, K - 1)."""
    return Multinomial(n_classes).contrasts[codes.astype(np.intp)]


class LabelModel(DenseModel):
    """The log evidence of regression on the labels, and how well it predicts rows left out.

    A row is one observation, however many classes there are. So the log evidence of the K - 1
    contrasts counts 1 / (K - 1) times.

    Parameters
    ----------
    columns : bound columns
    rows : with the classes as one target
    """

    # Labels can be fitted exactly, and scales that do so are those of single rows.
    least_noises = (0.05,)
    common_settings = True
    n_targets = 1
    judges = True

    def __init__(self, columns: Any, rows: DenseRows, budget: Budget = BUDGET) -> None:
        self.codes = rows.targets[0]
        self.labels = label_contrasts(self.codes, rows.likelihood.layout.n_outputs + 1)
        share = rows.weight / rows.weight.sum()
        centred = self.labels - share @ self.labels
        super().__init__(columns, rows._replace(targets=centred.T, likelihood=Gaussian()), budget)

    def first_settings(
        self, log_scales: np.ndarray, least_noise: float, *args: Any
    ) -> tuple[np.ndarray, np.ndarray]:
        """Settings to start from (1, n_settings), and their limits (1, n_settings, 2).

        By the mean variance of the contrasts, which is the same whatever contrasts they are.
        """
        points, limits = super().first_settings(log_scales, least_noise, *args)
        variance = target_scale(self.rows.targets.T, self.rows.weight) ** 2
        shift = np.log(variance[0] / variance.mean())
        return points[:1] + shift, limits[:1] + shift

    def evaluate_target(self, k: int, settings: np.ndarray, parts: list[Part]) -> Evaluation:
        """The log evidence of all labels together, and its gradient."""
        solved = self._solved(settings, parts, self.rows.targets)
        return self.chained(label_evidence(solved, self.rows.weight), settings, parts)

    def weighted_latents(
        self, k: int, settings: np.ndarray, parts: list[Part]
    ) -> tuple[np.ndarray, np.ndarray]:
        """What the regression says of the labels (n, K - 1), and how much each row counts (n,)."""
        solved = self._solved(settings, parts, self.labels.T)
        return solved.mean.T, solved.root**2

    def left_out(self, settings: np.ndarray, log_scales: np.ndarray) -> LeftOut:
        """What the rows tell when each is left out, at settings (1, n_settings)."""
        solved = self._solved(settings[0], self.parts(log_scales), self.labels.T)
        variance = solved.determined / solved.root**2
        return leave_out(
            self.codes,
            self.rows.weight,
            self.labels,
            solved.mean.T,
            variance,
            solved.noise_precision,
        )

    def best_of(
        self,
        found: Sequence[tuple[np.ndarray, np.ndarray]],
        judge: Any = None,
        scales_too: bool = True,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The best of several settings and log scales, each adjusted, for rows left out."""
        each = [adjusted(self.log_density_left_out, *one, scales_too) for one in found]
        if judge is None:
            best = max(each, key=lambda one: one.log_density)
        else:
            best = max(
                each, key=lambda one: judge.log_density_left_out(one.settings, one.log_scales)
            )
        return best.settings, best.log_scales

    def log_density_left_out(self, settings: np.ndarray, log_scales: np.ndarray) -> float:
        """Log density of the classes of rows left out; minus infinity where there is none."""
        try:
            return self.left_out(settings, log_scales).log_density
        except FloatingPointError:
            return -np.inf

    def latents_at(self, inputs: Any, settings: np.ndarray, log_scales: np.ndarray) -> None:
        """No latent values: what regression says of labels is in other units than a softmax."""

    def _solved(self, settings: np.ndarray, parts: list[Part], labels: np.ndarray) -> Solved:
        covariance = self.covariance(settings, parts)
        return solve_labels(covariance, labels, self.rows.weight, float(np.exp(settings[-1])))


class Solved(NamedTuple):
    """Regressions with one prior covariance K and one noise precision.

    With W = beta weight, B = I + W^1/2 K W^1/2.

    Attributes
    ----------
    labels : of the rows (k, n)
    noise_precision : beta
    root : W^1/2 (n,)
    inverse : B^-1 (n, n)
    half_log_determinant : 1/2 log |B|
    pull : W^1/2 B^-1 W^1/2 labels (k, n)
    """

    labels: np.ndarray
    noise_precision: float
    root: np.ndarray
    inverse: np.ndarray
    half_log_determinant: float
    pull: np.ndarray

    @property
    def mean(self) -> np.ndarray:
        """What the regressions say at the rows (k, n)."""
        return self.labels - self.pull / self.root**2

    @property
    def determined(self) -> np.ndarray:
        """How much of it the label of the row itself says (n,)."""
        return 1.0 - np.diag(self.inverse)


def solve_labels(
    covariance: np.ndarray, labels: np.ndarray, weight: np.ndarray, noise_precision: float
) -> Solved:
    """The regressions on several labels (k, n), for the prior covariance of each (n, n)."""
    root = np.sqrt(noise_precision * weight)
    lower = factor_of_rows(covariance, root)
    half_log_determinant = float(np.log(np.diag(lower)).sum())
    inverse = inverse_of(lower, overwrite=True)
    pull = root * ((root * labels) @ inverse)
    return Solved(labels, noise_precision, root, inverse, half_log_determinant, pull)


def label_evidence(solved: Solved, weight: np.ndarray) -> Evidence:
    """The mean log evidence of k labels, and its derivatives.

    With R = W^1/2 B^-1 W^1/2 it is the mean over labels y of

        -1/2 y' R y - 1/2 log |B| + n/2 log(beta / 2 pi).

    The inverse of B is overwritten.
    """
    labels, noise_precision, root, inverse, half_log_determinant, pull = solved
    n_rows, n_labels = float(weight.sum()), len(labels)
    value = -0.5 * float(np.vdot(labels, pull)) / n_labels - half_log_determinant
    value += n_rows * Gaussian().log_normaliser(noise_precision)
    energy = float(np.sum((pull / root) ** 2)) / n_labels
    by_noise = 0.5 * (n_rows - float(solved.determined.sum()) - energy)
    inverse *= -0.5 * root
    inverse *= root[:, None]
    share = 0.5 / n_labels
    by_covariance = blas.dgemm(share, pull.T, pull.T, 1.0, inverse, trans_b=1, overwrite_c=1)
    return Evidence(value, by_covariance, by_noise)


def learning_model(columns: Any, rows: DenseRows, budget: Budget = BUDGET) -> DenseModel:
    """The model whose evidence precisions and scales are learned from."""
    kind = DenseModel if rows.likelihood.layout.single else LabelModel
    return kind(columns, rows, budget)
