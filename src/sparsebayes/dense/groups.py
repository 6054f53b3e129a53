"""Which columns of a dense model have a precision in common."""

from __future__ import annotations

import numpy as np

from sparsebayes.columns import NO_ROW, Columns


def groups(kinds: tuple[Columns, ...]) -> np.ndarray:
    """The group of each column (n_columns,): one for a kernel, one for each plain column."""
    labels: list[np.ndarray] = []
    n_groups = 0
    for kind in kinds:
        plain = kind.centre_rows == NO_ROW
        labels.append(n_groups + np.where(plain, np.cumsum(plain) - 1, 0))
        n_groups += max(int(plain.sum()), 1)
    return np.concatenate(labels)


def not_covariance(kinds: tuple[Columns, ...]) -> np.ndarray:
    """Which of the groups are kernels that are no covariance (n_groups,)."""
    flags: list[bool] = []
    for kind in kinds:
        plain = int(np.sum(kind.centre_rows == NO_ROW))
        flags += [False] * plain if plain else [not kind.positive_definite]
    return np.array(flags)
