"""More rows than are kept in memory at once, of few inputs so that fits are quick."""

from __future__ import annotations

import numpy as np

N = 12_000
RANDOM = np.random.default_rng(0)
X = RANDOM.uniform(-2.0, 2.0, (N, 2))
SIGNAL = np.sin(2.0 * X[:, 0]) + 0.5 * X[:, 1] ** 2
NOISE = 0.2
Y = SIGNAL + RANDOM.normal(0.0, NOISE, N)
LABELS = (SIGNAL + RANDOM.logistic(0.0, 0.3, N) > 0.5).astype(int)
CLASSES = np.digitize(Y, [0.0, 1.0])
NEW = RANDOM.uniform(-2.0, 2.0, (500, 2))
TRUTH = np.sin(2.0 * NEW[:, 0]) + 0.5 * NEW[:, 1] ** 2
