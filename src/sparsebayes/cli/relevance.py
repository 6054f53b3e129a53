"""Which inputs a model makes use of, in a line; a column of texts counts as one input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sparsebayes.model import PortableModel

MOST_SHOWN, LEAST_SHOWN = 6, 0.01


def shares_of_columns(
    model: PortableModel, X: np.ndarray, y: np.ndarray
) -> dict[str, float] | None:
    """The share of the prediction's variance that each column has a part in, as reports have it."""
    from sparsebayes.report.effects import relevance
    from sparsebayes.report.given import checked

    given = checked(model, X, y, new=False)
    found = relevance(given)
    if found is None:
        return None
    names = [factor.name for factor in given.factors]
    return dict(zip(names, found.tolist(), strict=True))


def shares_of_inputs(estimator: Any) -> dict[str, float] | None:
    """The share of the prediction's variance that each input has a part in, if it is known."""
    relevance = getattr(estimator, "input_relevance_", None)
    if relevance is None:
        return None
    names = estimator.to_portable().face.input_names
    return dict(zip(names, relevance.tolist(), strict=True))


def in_a_line(shares: Mapping[str, float]) -> str:
    """The most relevant inputs, such as "a 49%, b 18%, 1 more"."""
    order = sorted(shares, key=lambda name: -shares[name])[:MOST_SHOWN]
    shown = [f"{name} {shares[name]:.0%}" for name in order if shares[name] >= LEAST_SHOWN]
    if not shown:
        return "no input has a share of 1% or more of the prediction's variance"
    more = len(shares) - len(shown)
    rest = [f"{more} more"] if more else []
    what = "share of the prediction's variance"
    if max(shares.values()) > 1.0:
        what = f"{what}; above 100%, as correlated inputs stand in for one another"
    return f"{', '.join(shown + rest)} ({what})"
