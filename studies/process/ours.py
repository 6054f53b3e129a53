"""What our own models are worth on the sets; they are given each table as it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from studies import models
from studies.beyond.trust.ours import shares
from studies.measures import timed, vectors_of
from studies.process.frames import Draw
from studies.process.measuring import (
    Belief,
    class_measures,
    nothing_known,
    raw,
    regression_measures,
    scaled,
)

# Structures of the process, by what is typed.
STRUCTURES: dict[str, dict[str, Any]] = {
    "default": {},
    "linear": {"kernel": "linear"},
    "learn": {"kernel": "rbf", "gamma": "learn"},
    "ard": {"kernel": "rbf", "gamma": "ard"},
}
NOTHING = "nothing"


def worth(kind: str, name: str, number: int) -> dict[str, float]:
    """A structure on a draw of a set; "nothing" predicts mean and spread, or shares of classes."""
    one = raw(name, number)
    if kind == NOTHING:
        return nothing_known(scaled(name, one))
    return measured(name, one, STRUCTURES[kind])


def measured(name: str, one: Draw, settings: dict[str, Any]) -> dict[str, float]:
    """What `RVR` or `RVC` with these settings is worth, what it keeps, and its seconds."""
    sample = scaled(name, one)
    model, seconds = timed(
        lambda: models.default(sample.is_regression, **settings).fit(one.X, one.y)
    )
    found = timed(lambda: _measures(model, one, sample))[0]
    found |= {"vectors": len(vectors_of(model)), "seconds": seconds, "rows": len(one.y)}
    found["evidence"] = float(np.sum(getattr(model, "log_evidence_", np.nan)))
    return found | shares(sample, model, found)


def _measures(model: Any, one: Draw, sample: Any) -> dict[str, float]:
    if not sample.is_regression:
        return class_measures(sample, model.predict_proba(one.X_test))
    mean, std = model.predict(one.X_test, return_std=True)
    centre, spread = one.y.mean(), one.y.std()
    return regression_measures(sample, Belief((mean - centre) / spread, std / spread))
