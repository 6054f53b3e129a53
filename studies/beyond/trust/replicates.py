"""Samples that were measured several times: what a fit to all rows, and their held-out rows, say.

40 samples have four spectra each and one content. What matters is the error on new samples.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.model_selection import GroupKFold, KFold

from sparsebayes import RVR, Bias, Linear, SparseBayesRegressor
from studies.beyond.draws import flat
from studies.measures import COVERED, rms, timed

FIRST_SEED, N_SAMPLES, N_ROWS, N_NEW, FOLDS = 800, 40, 4, 300, 5
# Standard deviations: of the content, of the drift from one wavelength to the next, of the factor
# and the offset of each measurement, and of each number.
CONTENT, DRIFT, FACTOR, OFFSET, NOISE = 0.15, 0.004, 0.03, 0.1, 0.003
BANDS, WIDTH = np.array([[0.15], [0.3], [0.45], [0.6]]), 0.06
MODELS: dict[str, tuple[str, Callable[[], Any]]] = {
    "default": ("`RVR()`", RVR),
    "linear": ('`RVR(kernel="linear")`', lambda: RVR(kernel="linear")),
    "columns": (
        "`SparseBayesRegressor(Linear() + Bias())`",
        lambda: SparseBayesRegressor(Linear() + Bias()),
    ),
}
WAYS = {
    "all": "fit to all rows",
    "weighted": "fit to all rows, `sample_weight` of 1/4",
    "mean": "fit to the mean of each sample",
    "one": "fit to one row of each sample",
    "rows": "fit to all rows: what rows say that are held out",
    "samples": "fit to all rows: what samples say that are held out",
}


class Measured(NamedTuple):
    """Spectra, contents, and the number of the sample of each row."""

    X: np.ndarray
    y: np.ndarray
    sample: np.ndarray


def measured(n_samples: int, n_rows: int, n_waves: int, random: np.random.Generator) -> Measured:
    """Some samples, each measured several times."""
    waves = np.linspace(0.0, 1.0, n_waves)
    part = random.uniform(0.0, 4.0, (n_samples, len(BANDS)))
    content = part[:, 0] + random.normal(0.0, CONTENT, n_samples)
    drift = np.cumsum(random.normal(0.0, DRIFT, (n_samples, n_waves)), axis=1)
    own = part @ np.exp(-(((waves - BANDS) / WIDTH) ** 2)) + drift
    sample = np.repeat(np.arange(n_samples), n_rows)
    factor = random.normal(1.0, FACTOR, (len(sample), 1))
    offset = random.normal(0.0, OFFSET, (len(sample), 1))
    noise = random.normal(0.0, NOISE, (len(sample), n_waves))
    return Measured(own[sample] * factor + offset + noise, content[sample], sample)


def judged(model: Any, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The predicted means, and whether 90 % intervals hold the targets."""
    mean, std = model.predict(X, return_std=True)
    return mean, np.abs(mean - y) < COVERED * std


def on_new(make: Callable[[], Any], rows: Measured, new: Measured, weight: Any = None) -> dict:
    """A model of these rows, judged on new samples."""
    model, _ = timed(lambda: make().fit(rows.X, rows.y, sample_weight=weight))
    mean, held = judged(model, new.X, new.y)
    return {"error": rms(mean, new.y), "coverage": 100.0 * float(held.mean())}


def held_out(make: Callable[[], Any], rows: Measured, splits: Any) -> dict:
    """The error and the coverage that a cross-validation finds."""
    mean, held = np.empty(len(rows.y)), np.empty(len(rows.y), dtype=bool)
    for train, test in splits:
        model, _ = timed(lambda train=train: make().fit(rows.X[train], rows.y[train]))
        mean[test], held[test] = judged(model, rows.X[test], rows.y[test])
    return {"error": rms(mean, rows.y), "coverage": 100.0 * float(held.mean())}


def replicates_draw(name: str, number: int, n_waves: int = 700) -> dict:
    """All models in all ways, on one draw of `name`, which there is one of."""
    random = np.random.default_rng(FIRST_SEED + number)
    rows = measured(N_SAMPLES, N_ROWS, n_waves, random)
    new = measured(N_NEW, 1, n_waves, random)
    one = Measured(*(each[::N_ROWS] for each in rows))
    mean = one._replace(X=rows.X.reshape(N_SAMPLES, N_ROWS, -1).mean(axis=1))
    by_rows, by_samples = KFold(FOLDS, shuffle=True, random_state=0), GroupKFold(FOLDS)
    found = {}
    for kind, (_, make) in MODELS.items():
        found[f"{kind}_all"] = on_new(make, rows, new)
        weight = np.full(len(rows.y), 1.0 / N_ROWS)
        found[f"{kind}_weighted"] = on_new(make, rows, new, weight)
        found[f"{kind}_mean"] = on_new(make, mean, new)
        found[f"{kind}_one"] = on_new(make, one, new)
        found[f"{kind}_rows"] = held_out(make, rows, by_rows.split(rows.X))
        splits = by_samples.split(rows.X, groups=rows.sample)
        found[f"{kind}_samples"] = held_out(make, rows, splits)
    return flat(found)
