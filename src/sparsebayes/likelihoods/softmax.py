"""A target of K classes, coded 0 to K - 1, each class with weights and precisions of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import log_softmax

from sparsebayes.likelihoods._likelihood import Likelihood


class CoupledQuadratic(NamedTuple):
    """value + slope'(f - f0) - 1/2 (f - f0)'W(f - f0), with W = diag(p) - p p', of every row.

    value (n,), slope (n, K), probability p (n, K)
    """

    value: np.ndarray
    slope: np.ndarray
    probability: np.ndarray


@dataclass(frozen=True)
class Softmax(Likelihood):
    """p(t = k | f) = exp(f_k) / sum_j exp(f_j). [T01] (28), with the softmax that is meant

    Parameters
    ----------
    n_classes : int
    is_frozen : whether its quadratic at f = 0 stands in for it everywhere
    """

    n_classes: int
    is_frozen: bool = False

    coupled = True

    @property
    def constant_curvature(self) -> bool:
        """Only where its quadratic at 0 stands in for it."""
        return self.is_frozen

    def frozen(self) -> Softmax:
        """Its quadratic at f = 0, as a likelihood."""
        return replace(self, is_frozen=True)

    def expand(self, target: np.ndarray, latent: np.ndarray) -> CoupledQuadratic:
        """Taylor expansion of the log density at the latent values (n, K), or at 0 if frozen."""
        at = np.zeros_like(latent) if self.is_frozen else latent
        log_probability = log_softmax(at, axis=1)
        probability = np.exp(log_probability)
        rows, label = np.arange(len(target)), target.astype(np.intp)
        slope = -probability
        slope[rows, label] += 1.0
        value = log_probability[rows, label]
        if not self.is_frozen:
            return CoupledQuadratic(value, slope, probability)
        bent = probability * latent
        bent -= probability * bent.sum(axis=1, keepdims=True)
        value += np.sum(latent * (slope - 0.5 * bent), axis=1)
        return CoupledQuadratic(value, slope - bent, probability)
