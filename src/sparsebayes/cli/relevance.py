"""Which inputs a model makes use of, in a line."""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_SHOWN, LEAST_SHOWN = 6, 0.01


def relevance_of(estimator: Any) -> str | None:
    """The most relevant inputs, with the share of the prediction's variance that each is part of.

    None where the estimator does not know.
    """
    relevance = getattr(estimator, "input_relevance_", None)
    if relevance is None:
        return None
    names = estimator.to_portable().face.input_names
    order = np.argsort(-relevance, kind="stable")[:MOST_SHOWN]
    shown = [f"{names[k]} {relevance[k]:.0%}" for k in order if relevance[k] >= LEAST_SHOWN]
    if not shown:
        return "no input has a share of 1% or more of the prediction's variance"
    more = len(relevance) - len(shown)
    rest = [f"{more} more"] if more else []
    return f"{', '.join(shown + rest)} (share of the prediction's variance)"
