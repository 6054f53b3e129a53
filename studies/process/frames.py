"""Tables as arrays: numbers as they are, a column of 0 and 1 for each level of a category."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import train_test_split

from studies.data.sources import draw, keel_rows, r_table

# More test rows than these say nothing that one would not know without them.
MOST_TEST_ROWS = 1000
Rows = tuple[np.ndarray, np.ndarray]


class Draw(NamedTuple):
    """Training and test rows in the units of their table; targets of the test are noisy."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def split(load: Callable[[], Rows], n_train: int, seed: int) -> Draw:
    """A random part of a table for training, and at most a thousand other rows for the test."""
    return _few(Draw(*draw(*load(), n_train, seed)))


def even_split(load: Callable[[], Rows], n_train: int, seed: int) -> Draw:
    """The same for classes, which have equal shares in both parts."""
    X, y = load()
    X, X_test, y, y_test = train_test_split(X, y, train_size=n_train, random_state=seed, stratify=y)
    return _few(Draw(X, y, X_test, y_test))


def _few(one: Draw) -> Draw:
    return one._replace(X_test=one.X_test[:MOST_TEST_ROWS], y_test=one.y_test[:MOST_TEST_ROWS])


def table(package: str, name: str, target: str, drop: Sequence[str] = ()):
    """Inputs as numbers, and the column of the target, of the rows of an R table without gaps."""
    frame = r_table(package, name).drop(columns=list(drop)).dropna()
    inputs = [frame[key] for key in frame.columns if key != target]
    return np.hstack([_columns(column) for column in inputs]), frame[target].to_numpy()


def numbers(package: str, name: str, target: str, drop: Sequence[str] = ()) -> Rows:
    """A regression from an R table."""
    X, y = table(package, name, target, drop)
    return X, y.astype(float)


def labels(package: str, name: str, target: str, drop: Sequence[str] = ()) -> Rows:
    """Classes from an R table, numbered in the order of their names."""
    X, y = table(package, name, target, drop)
    return X, numbered(y)


def numbered(names) -> np.ndarray:
    """Classes as numbers, in the order of their names."""
    return np.unique(np.asarray(names, str), return_inverse=True)[1]


def keel(name: str, folder: str = "balanced") -> Rows:
    """Inputs as numbers, and numbered classes, of a set of KEEL."""
    rows = keel_rows(name, folder)
    columns = [_of_words([row[k] for row in rows]) for k in range(len(rows[0]) - 1)]
    return np.hstack(columns), numbered([row[-1] for row in rows])


def _columns(column) -> np.ndarray:
    """A column of a frame as one column of numbers, or as one for each level."""
    if column.dtype.kind in "biuf":
        return column.to_numpy(float)[:, None]
    return levels(column.astype(str).to_numpy())


def _of_words(words: Sequence[str]) -> np.ndarray:
    """Words as one column of numbers, or as one for each level."""
    try:
        return np.array(words, float)[:, None]
    except ValueError:
        return levels(np.array(words, str))


def levels(words: np.ndarray) -> np.ndarray:
    """A column of 0 and 1 for each level; a single one where there are two levels."""
    names = np.unique(words)
    kept = names[1:] if len(names) == 2 else names
    return (words[:, None] == kept).astype(float)
