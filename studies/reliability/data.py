"""Random data as users have them: small, odd, in any unit, with any weights.

A tame set has units within 1e-12..1e12 and weights within 1e-6..1e6. A hostile one can have
units within 1e-250..1e250 and weights within 1e-300..1e300, most of which are refused, or such
that just are not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array


class Reach(NamedTuple):
    """How far data go: powers of ten of units and of weights."""

    units: float
    weights: float


TAME = Reach(12.0, 6.0)
# Data that are refused, and such as are not by a little.
HOSTILE = (Reach(250.0, 300.0), Reach(70.0, 12.0), Reach(30.0, 12.0))


class Table(NamedTuple):
    """Inputs, a target and weights, and how they came about."""

    X: Any
    y: np.ndarray
    weight: np.ndarray | None
    words: tuple[str, ...]


def pick(random: np.random.Generator, options: Any) -> Any:
    """One of the options; of a dict, whose values are their chances, one of the keys."""
    if isinstance(options, dict):
        chances = np.array(list(options.values()), float)
        return list(options)[random.choice(len(chances), p=chances / chances.sum())]
    return options[random.integers(len(options))]


def power_of_ten(random: np.random.Generator, reach: float, size: Any = None) -> Any:
    """Ten to a power between -reach and reach."""
    return 10.0 ** random.uniform(-reach, reach, size)


N_ROWS = {(2, 6): 2, (6, 20): 4, (20, 60): 4, (60, 120): 1, (120, 201): 0.3}
N_INPUTS = {(1, 2): 3, (2, 5): 4, (5, 12): 2, (12, 31): 1}
INPUTS = {
    "normal": 6,
    "uniform": 2,
    "grid": 2,
    "binary": 2,
    "repeated rows": 2,
    "one row": 0.3,
    "heavy tails": 1.5,
    "a sequence": 1,
    "collinear": 1,
}
INPUT_FAULTS = {
    "": 8,
    "constant input": 1.5,
    "codes": 1.5,
    "offset": 1.5,
    "units": 2,
    "own units": 1,
    "float32": 0.5,
    "sparse": 1.5,
}
TARGETS = {
    "smooth": 5,
    "linear": 2,
    "noise": 2,
    "exact": 2,
    "steps": 1,
    "constant": 0.5,
    "outlier": 1,
    "heavy tails": 1,
    "counts": 1,
}
TARGET_FAULTS = {"": 6, "units": 2, "offset": 2}
CLASSES = {"separable": 3, "overlapping": 3, "noise": 2, "one of a kind": 1, "rings": 1}
WEIGHTS = {"": 7, "counts": 1, "wide": 2, "zeros": 1, "normalised": 1, "one heavy row": 1}


def draw_inputs(random: np.random.Generator, reach: Reach) -> tuple[Any, list[str]]:
    """Inputs with one fault or none; sparse for one of these."""
    n, d = (int(random.integers(*pick(random, sizes))) for sizes in (N_ROWS, N_INPUTS))
    kind, fault = pick(random, INPUTS), pick(random, INPUT_FAULTS)
    X = random.normal(size=(n, d))
    if kind == "uniform":
        X = random.uniform(size=(n, d))
    elif kind == "grid":
        X = random.integers(0, 4, size=(n, d)).astype(float)
    elif kind == "binary":
        X = (X > 0).astype(float)
    elif kind == "repeated rows":
        X = X[random.integers(0, max(1, n // 3), size=n)]
    elif kind == "one row":
        X = np.repeat(X[:1], n, axis=0)
    elif kind == "heavy tails":
        X = random.standard_cauchy(size=(n, d))
    elif kind == "a sequence":
        X = np.arange(n * d, dtype=float).reshape(n, d)
    elif kind == "collinear":
        X = X[:, :1] * random.normal(size=d) + 1e-9 * X
    return with_fault(random, X, fault, reach), [kind, fault]


def with_fault(random: np.random.Generator, X: np.ndarray, fault: str, reach: Reach) -> Any:
    """The inputs with something that happens to inputs."""
    if fault == "constant input":
        X[:, random.integers(X.shape[1])] = pick(random, [0.0, 1.0, -7e5])
    elif fault == "codes":
        rows = random.integers(0, len(X), size=max(1, len(X) // 20))
        X[rows, random.integers(X.shape[1])] = pick(random, [-999.0, 9999.0, 1e6])
    elif fault == "offset":
        X = X + pick(random, [1.0, -1.0]) * 10.0 ** random.uniform(1.0, 7.0)
    elif fault == "units":
        X = X * power_of_ten(random, reach.units)
    elif fault == "own units":
        X = X * power_of_ten(random, min(reach.units, 100.0), X.shape[1])
    elif fault == "float32":
        X = X.astype(np.float32)
    elif fault == "sparse":
        X = csr_array(np.where(random.uniform(size=X.shape) < 0.5, X, 0.0))
    return X


def dense(X: Any) -> np.ndarray:
    """The inputs as an array of doubles, each input of unit size."""
    X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, float)
    size = np.abs(X).max(axis=0)
    return X / np.where(size > 0.0, size, 1.0)


def draw_target(random: np.random.Generator, X: Any, reach: Reach) -> tuple[np.ndarray, list[str]]:
    """A real target, or several."""
    kind, fault = pick(random, TARGETS), pick(random, TARGET_FAULTS)
    n_outputs = pick(random, {1: 8, 2: 1, 3: 1})
    first = dense(X)
    direction = random.normal(size=(first.shape[1], n_outputs))
    score = first @ direction
    noise = random.normal(size=score.shape)
    y = np.sin(3.0 * score) + 0.1 * noise
    if kind == "linear":
        y = score + 0.3 * noise
    elif kind == "noise":
        y = noise
    elif kind == "exact":
        y = score**2
    elif kind == "steps":
        y = np.round(score)
    elif kind == "constant":
        y = np.full_like(score, pick(random, [0.0, 1.0, -3e4]))
    elif kind == "outlier":
        y[random.integers(len(y))] = pick(random, [1e3, -1e6])
    elif kind == "heavy tails":
        y = score + random.standard_cauchy(size=score.shape)
    elif kind == "counts":
        y = random.poisson(np.exp(np.clip(score, -5.0, 3.0))).astype(float)
    if fault == "units":
        y = y * power_of_ten(random, reach.units)
    elif fault == "offset":
        y = y + 10.0 ** random.uniform(1.0, 8.0)
    if n_outputs == 1 and random.uniform() < 0.95:
        y = y[:, 0]
    return y, [f"y {kind}", fault, f"{n_outputs} outputs"]


def draw_classes(random: np.random.Generator, X: Any) -> tuple[np.ndarray, list[str]]:
    """Labels of two to six classes."""
    kind, first = pick(random, CLASSES), dense(X)
    n_classes = int(pick(random, {2: 6, 3: 3, 4: 1, 6: 1}))
    score = first @ random.normal(size=first.shape[1])
    if kind == "overlapping":
        score = score + score.std() * random.normal(size=len(score))
    elif kind == "noise":
        score = random.normal(size=len(score))
    elif kind == "rings":
        score = np.sum((first - first.mean(axis=0)) ** 2, axis=1)
    codes = (np.argsort(np.argsort(score)) * n_classes) // len(score)
    if kind == "one of a kind":
        codes = np.zeros(len(score), int)
        codes[: n_classes - 1] = np.arange(1, n_classes)[: len(codes)]
    labels = pick(random, [np.arange(6), np.array(list("fedcba")), np.arange(6) - 2.0])
    return labels[codes], [f"classes {kind}", f"{n_classes} classes"]


def draw_weight(random: np.random.Generator, n: int, reach: Reach) -> tuple[Any, list[str]]:
    """Weights of rows, or none."""
    kind = pick(random, WEIGHTS)
    weight = None
    if kind == "counts":
        weight = random.integers(1, 5, size=n).astype(float)
    elif kind == "wide":
        weight = power_of_ten(random, reach.weights, n)
    elif kind == "zeros":
        weight = (random.uniform(size=n) < 0.7).astype(float)
    elif kind == "normalised":
        weight = np.full(n, 1.0 / n)
    elif kind == "one heavy row":
        weight = np.ones(n)
        weight[random.integers(n)] = 10.0 ** random.uniform(0.0, reach.weights)
    return weight, [f"weights {kind}" if kind else ""]


def draw_table(random: np.random.Generator, classes: bool, reach: Reach) -> Table:
    """A random data set."""
    X, said = draw_inputs(random, reach)
    y, of_target = draw_classes(random, X) if classes else draw_target(random, X, reach)
    weight, of_weight = draw_weight(random, X.shape[0], reach)
    words = [f"{X.shape[0]} x {X.shape[1]}", *said, *of_target, *of_weight]
    return Table(X, y, weight, tuple(word for word in words if word))
