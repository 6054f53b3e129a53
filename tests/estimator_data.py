"""Data for the tests of the estimators, and what they are compared by."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import make_blobs, make_moons

from sparsebayes.datasets import noisy_sinc

INFERENCES = ("fast", "mackay", "em", "variational", "projection")

# One input.
X, Y = noisy_sinc(80, random_state=0)
NEW = np.linspace(-12.0, 12.0, 25)[:, None]

# Two classes, or two inputs of a regression.
MOONS, LABELS = make_moons(80, noise=0.3, random_state=0)
RESPONSE = MOONS[:, 0] ** 2 + np.random.default_rng(0).normal(0.0, 0.2, 80)

# Three classes.
BLOBS, CLASSES = make_blobs(60, centers=[[0, 0], [2, 1], [0, 3]], cluster_std=1.0, random_state=0)
NEW_BLOBS = np.random.default_rng(0).uniform(-4.0, 6.0, (40, 2))

# Three outputs over X.
SINC = np.sinc(X[:, 0] / np.pi)
TRUTH = np.column_stack([SINC, 0.1 * X[:, 0], 50.0 * SINC + 5.0 * X[:, 0] + 300.0])
NOISE = np.array([0.1, 0.05, 8.0])
OUTPUTS = TRUTH + NOISE * np.random.default_rng(0).normal(size=TRUTH.shape)


def prediction(model, inputs):
    """A number per row, and per class or output, that varies smoothly with the model."""
    return getattr(model, "decision_function", model.predict)(inputs)
