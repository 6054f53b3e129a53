"""A target of K classes, coded 0 to K - 1, each class with weights and precisions of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import log_softmax

from sparsebayes.likelihoods.bernoulli import Bernoulli
from sparsebayes.likelihoods.layout import ClassLatents, Layout
from sparsebayes.likelihoods.likelihood import Likelihood
from sparsebayes.likelihoods.quadratic import Quadratic


@dataclass(frozen=True)
class Softmax(Likelihood):
    """p(t = k | f) = exp(f_k) / sum_j exp(f_j). [T01] (28), with the softmax that is meant

    Parameters
    ----------
    n_classes : int
    """

    n_classes: int

    called = "several classes in one softmax"
    instead = 'multi_class="ovr"'

    @property
    def layout(self) -> Layout:
        """A latent value for each class."""
        return ClassLatents(self.n_classes)

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """Taylor expansion of the log density at the latent values (n, K).

        The curvature of a row is diag(p) - p p'; its entry here is p.
        """
        log_probability = log_softmax(latent, axis=1)
        probability = np.exp(log_probability)
        rows, label = np.arange(len(target)), target.astype(np.intp)
        slope = -probability
        slope[rows, label] += 1.0
        return Quadratic(log_probability[rows, label], slope, probability)

    def one_by_one(self, target: np.ndarray) -> tuple[np.ndarray, Likelihood]:
        """Each class against the rest."""
        return one_hot(target, self.n_classes), Bernoulli()


def one_hot(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """For each class, 1 for the rows that belong to it and 0 for the others (n_classes, n)."""
    return (codes == np.arange(n_classes)[:, None]).astype(np.float64)
