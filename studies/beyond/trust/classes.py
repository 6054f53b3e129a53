"""Two classes in the data and far from all of them."""

from __future__ import annotations

from functools import partial

import numpy as np

from studies.beyond.draws import flat, platt
from studies.beyond.trust import ours, peers
from studies.data.samples import sample
from studies.measures import timed, worth

SETS = (
    "ripley", "pima", "banana", "breast", "titanic", "waveform", "german", "heart", "moons",
    "ionosphere", "tumours",
)  # fmt: skip
# So that a Gaussian process takes seconds.
MOST_ROWS = 300
# Rows far from all data: how many, and how far, in ranges of the data.
N_FAR, FAR = 20, 10.0
MODELS = {
    "default": ours.default,
    "fast": ours.fast,
    "gp": peers.process,
    "gp1": peers.one_width,
    "svc": platt,
}


def far_rows(X: np.ndarray, seed: int) -> np.ndarray:
    """Rows in random directions, the farthest input of each at ten times the range of the data."""
    direction = np.random.default_rng(seed).normal(size=(N_FAR, X.shape[1]))
    direction /= np.abs(direction).max(axis=1, keepdims=True)
    return X.mean(axis=0) + FAR * np.ptp(X, axis=0) * direction


def far_measures(probability: np.ndarray, rate: float) -> dict[str, float]:
    """How far from the base rate and from 1/2, and how much surer than the base rate allows."""
    doubt = np.abs(probability - 0.5)
    return {
        "far_rate": float(np.abs(probability - rate).mean()),
        "far_half": float(doubt.mean()),
        "far_sure": float(np.maximum(doubt - abs(rate - 0.5), 0.0).mean()),
    }


def class_draw(name: str, number: int, **size: int) -> dict:
    """Both models and their peers on one draw, in the data and far from all of them."""
    seed = ours.FIRST_SEED + number
    one = sample(name, seed, **size)
    one = one._replace(X=one.X[:MOST_ROWS], y=one.y[:MOST_ROWS])
    far, rate = far_rows(one.X, seed), float(one.y.mean())
    found = {}
    for kind, fit in MODELS.items():
        model, seconds = timed(partial(fit, one))
        values = {**worth(one, model), "seconds": seconds}
        values |= far_measures(model.predict_proba(far)[:, 1], rate)
        found[kind] = values | ours.shares(one, model, values)
    return flat(found)
