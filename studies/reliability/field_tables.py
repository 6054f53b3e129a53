"""Tables as they come from the field: sparse, coded, one-hot, far from zero, weighted, copied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from studies.reliability.data import (
    Reach,
    Table,
    draw_classes,
    draw_target,
    pick,
    power_of_ten,
)

N_ROWS = {(2, 6): 0.5, (6, 20): 5, (20, 45): 4, (45, 91): 0.5}
N_INPUTS = {(1, 2): 2, (2, 5): 5, (5, 12): 2, (12, 31): 0.7}
CODES = [-999.0, 999.0, 9999.0, 1e6, 1e9]
CONSTANTS = [0.0, 1.0, 0.1, -7e5, 1e9]
# How far the values of an input are from zero, in their spreads.
FARTHEST_OFFSET = 8.0
WEIGHTS = {
    "": 6,
    "of one value": 3,
    "integers": 2,
    "uneven": 2,
    "decaying": 1,
    "zeros": 1.5,
    "wide": 1.5,
    "one heavy row": 1,
}
EQUAL_WEIGHTS = [0.01, 1.1, 3.0, 100.0]
COPIES = {"": 8, "doubled rows": 1, "a sample with replacement": 1}
FORMS: dict[Any, float] = {
    "dense": 4,
    sparse.csr_array: 2,
    sparse.csc_array: 1,
    sparse.coo_array: 1,
    sparse.csr_matrix: 1,
    sparse.csc_matrix: 1,
    sparse.coo_matrix: 1,
}

Random = np.random.Generator


def one_hot(random: Random, n_rows: int, n_inputs: int) -> np.ndarray:
    """A block with a single one in each row."""
    return np.eye(n_inputs)[random.integers(0, n_inputs, n_rows)]


def amounts(random: Random, n_rows: int, n_inputs: int) -> np.ndarray:
    """Inputs that are mostly zero, and positive elsewhere."""
    there = random.uniform(size=(n_rows, n_inputs)) < 0.4
    return np.where(there, random.lognormal(size=(n_rows, n_inputs)), 0.0)


def beside_one_hot(random: Random, n_rows: int, n_inputs: int) -> np.ndarray:
    """Numbers beside a block with a single one in each row."""
    some = max(1, n_inputs // 2)
    block = one_hot(random, n_rows, max(1, n_inputs - some))
    return np.hstack([random.normal(size=(n_rows, some)), block])


def whole_numbers(random: Random, n_rows: int, n_inputs: int) -> np.ndarray:
    """Counts."""
    return random.poisson(1.0, size=(n_rows, n_inputs)).astype(float)


def numbers(random: Random, n_rows: int, n_inputs: int) -> np.ndarray:
    """Normal deviates."""
    return random.normal(size=(n_rows, n_inputs))


INPUTS: dict[Callable[[Random, int, int], np.ndarray], float] = {
    numbers: 4,
    amounts: 2,
    one_hot: 1,
    beside_one_hot: 2,
    whole_numbers: 1.5,
}


def with_codes(random: Random, X: np.ndarray, reach: Reach) -> np.ndarray:
    """Codes in one input, or in several."""
    for column in random.integers(0, X.shape[1], size=pick(random, [1, 1, 2])):
        rows = random.integers(0, len(X), size=max(1, len(X) // 20))
        X[rows, column] = pick(random, CODES)
    return X


def with_constant(random: Random, X: np.ndarray, reach: Reach) -> np.ndarray:
    """An input of one value."""
    X[:, random.integers(X.shape[1])] = pick(random, CONSTANTS)
    return X


def with_offset(random: Random, X: np.ndarray, reach: Reach) -> np.ndarray:
    """One input, or all, far from zero."""
    offset = pick(random, [1.0, -1.0]) * 10.0 ** random.uniform(1.0, FARTHEST_OFFSET)
    some = pick(random, [slice(None), random.integers(X.shape[1])])
    X[:, some] += offset
    return X


def with_empty_rows(random: Random, X: np.ndarray, reach: Reach) -> np.ndarray:
    """Some rows of zeros."""
    X[random.uniform(size=len(X)) < 0.2] = 0.0
    return X


def with_own_units(random: Random, X: np.ndarray, reach: Reach) -> np.ndarray:
    """Each input in a unit of its own."""
    return X * power_of_ten(random, min(reach.units, 100.0), X.shape[1])


def with_repeats(random: Random, X: np.ndarray, reach: Reach) -> np.ndarray:
    """Few different rows."""
    return X[random.integers(0, max(1, len(X) // 3), size=len(X))]


FAULTS: dict[Callable[[Random, np.ndarray, Reach], np.ndarray], float] = {
    with_codes: 3,
    with_constant: 3,
    with_offset: 3,
    with_empty_rows: 1.5,
    with_own_units: 1.5,
    with_repeats: 1,
}
N_FAULTS = {0: 2, 1: 4, 2: 3, 3: 1}


def draw_field_inputs(random: Random, reach: Reach) -> tuple[np.ndarray, list[str]]:
    """Inputs with up to three faults, dense."""
    n, d = (int(random.integers(*pick(random, sizes))) for sizes in (N_ROWS, N_INPUTS))
    kind = pick(random, INPUTS)
    X, said = kind(random, n, d), [kind.__name__]
    for _ in range(pick(random, N_FAULTS)):
        fault = pick(random, FAULTS)
        X = fault(random, X, reach)
        said.append(fault.__name__)
    return X, [each.replace("_", " ") for each in said]


def draw_field_weight(random: Random, n: int, reach: Reach) -> tuple[np.ndarray | None, str]:
    """Weights of rows, or none."""
    kind = pick(random, WEIGHTS)
    weight = {
        "": lambda: None,
        "of one value": lambda: np.full(n, pick(random, [*EQUAL_WEIGHTS, 1.0 / n])),
        "integers": lambda: random.integers(0, 5, size=n).astype(float),
        "uneven": lambda: random.uniform(0.5, 2.0, size=n),
        "decaying": lambda: np.exp(-3.0 * np.arange(n) / n),
        "zeros": lambda: random.exponential(size=n) * (random.uniform(size=n) < 0.7),
        "wide": lambda: power_of_ten(random, reach.weights, n),
        "one heavy row": lambda: 1.0 + 10.0 ** random.uniform(0.0, reach.weights) * np.eye(n)[0],
    }[kind]()
    return weight, f"weights {kind}" if kind else ""


def with_copies(random: Random, table: Table) -> Table:
    """The table with copies of its rows, or without."""
    kind, n = pick(random, COPIES), len(table.y)
    if not kind:
        return table
    rows = np.tile(np.arange(n), 2) if kind == "doubled rows" else random.integers(0, n, n)
    weight = None if table.weight is None else table.weight[rows]
    return Table(table.X[rows], table.y[rows], weight, (*table.words, kind))


def draw_field_table(random: Random, classes: bool, reach: Reach) -> Table:
    """A random data set, whose inputs are mostly sparse."""
    X, said = draw_field_inputs(random, reach)
    y, of_target = draw_classes(random, X) if classes else draw_target(random, X, reach)
    weight, of_weight = draw_field_weight(random, len(X), reach)
    words = [f"{X.shape[0]} x {X.shape[1]}", *said, *of_target, of_weight]
    table = with_copies(random, Table(X, y, weight, tuple(word for word in words if word)))
    form = pick(random, FORMS)
    if form == "dense":
        return table
    return table._replace(X=form(table.X), words=(*table.words, form.__name__))
