"""Columns that are linear in the inputs."""

from __future__ import annotations

import numpy as np

from sparsebayes.columns.joined import AnyColumns

# The input that a constant is.
NO_INPUT = -1


def is_linear(columns: AnyColumns) -> bool:
    """Whether any weights of these columns make a linear function of the inputs, and a constant."""
    return all(kind.formula.definition.gradient is not None for kind in columns.kinds)


def inputs_of(columns: AnyColumns) -> np.ndarray | None:
    """The input that each column is, `NO_INPUT` for a constant (n_columns,).

    None where a column is neither.
    """
    found = []
    for kind in columns.kinds:
        none = np.full(kind.n_columns, NO_INPUT) if kind.formula.definition.constant else None
        own = kind.formula.own_inputs(kind.items) if none is None else none
        if own is None:
            return None
        found.append(own)
    return np.concatenate(found)
