"""What is measured of a fitted model."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np


def rms(predicted, truth) -> float:
    """Root of the mean squared difference."""
    return float(np.sqrt(np.mean((np.asarray(predicted) - truth) ** 2)))


def percent_wrong(predicted, truth) -> float:
    """Share of rows in the wrong class, in percent."""
    return float(100.0 * np.mean(np.asarray(predicted) != truth))


def vectors_of(model) -> np.ndarray:
    """Relevance or support vectors as training rows; of a `tuned_svr` those of the SVR in it."""
    model = getattr(model, "regressor_", model)
    return model.relevance_ if hasattr(model, "relevance_") else model.support_


def measured(
    models: Mapping, distance: Callable, X_test, y_test, size: str = "vectors"
) -> dict[str, dict]:
    """By name of model, its error in this measure and, under the name `size`, its vectors."""
    return {
        name: {"error": distance(model.predict(X_test), y_test), size: len(vectors_of(model))}
        for name, model in models.items()
    }
