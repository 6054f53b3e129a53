"""Names of columns: (kind, item, training row, names of the inputs) -> name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def row_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """A kernel centred on a training row."""
    return f"{kind}({row})"


def constant_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """The bias."""
    return "bias"


def input_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """An input."""
    return feature_names[item]


def product_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """A product of inputs; the item holds the power of each."""
    factors = [
        feature_names[k] if power == 1 else f"{feature_names[k]}^{power}"
        for k, power in enumerate(item)
        if power
    ]
    return " ".join(factors)


def given_label(kind: str, item: Any, row: int, feature_names: Sequence[str]) -> str:
    """A column of a function of the user."""
    return f"given({item})"
