"""A category of many levels beside numbers: columns for the levels, or a code by the target."""

from __future__ import annotations

import numpy as np
from scipy.special import expit
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, TargetEncoder

from sparsebayes import RVC, RVR
from studies.beyond.draws import flat
from studies.measures import COVERED, rms, timed

FIRST_SEED, N_ROWS, N_NEW, LEVELS = 900, 600, 2000, (5, 20, 50, 150)
WAYS = {
    "columns": ("`OneHotEncoder`", OneHotEncoder(handle_unknown="ignore", sparse_output=False)),
    "target": ("`TargetEncoder`", TargetEncoder(random_state=0)),
    "without": ("without the category", "drop"),
}


def categories_draw(name: str, number: int, n_rows: int = N_ROWS) -> dict:
    """All ways on one draw of a category of so many levels, such as "5"."""
    random, n_levels = np.random.default_rng(FIRST_SEED + number), int(name)
    level = random.integers(0, n_levels, n_rows + N_NEW)
    others = random.normal(size=(len(level), 4))
    own = random.normal(size=n_levels)[level]
    value = own + np.sin(2.0 * others[:, 0]) + 0.5 * others[:, 1]
    y = value + random.normal(0.0, 0.5, len(level))
    label = (random.uniform(size=len(level)) < expit(2.0 * value)).astype(int)
    X = np.column_stack([level, others])
    return flat({way: _of_way(way, X, y, label, n_rows) for way in WAYS})


def _of_way(way: str, X: np.ndarray, y: np.ndarray, label: np.ndarray, n: int) -> dict:
    """The error of a regression, what its 90 % intervals hold, and the log loss of classes."""

    def fitted(model, target):
        encoded = make_column_transformer((WAYS[way][1], [0]), remainder="passthrough")
        return timed(lambda: make_pipeline(encoded, model).fit(X[:n], target[:n]))[0]

    mean, std = fitted(RVR(), y).predict(X[n:], return_std=True)
    probability = fitted(RVC(), label).predict_proba(X[n:])
    return {
        "error": rms(mean, y[n:]),
        "coverage": 100.0 * float(np.mean(np.abs(mean - y[n:]) < COVERED * std)),
        "loss": -float(np.mean(np.log(probability[np.arange(len(mean)), label[n:]]))),
    }
