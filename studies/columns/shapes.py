"""Which inputs matter, at every number of rows and of columns: ours beside BIC, the lasso and ARD.

Inputs are Gaussian, independent or correlated by 0.7 with the next one. Those that act have weights
of either sign between 1 and 2, the noise is 1, and the target has an offset. Dense models, which
the default takes where the evidence for all inputs is very strong, say that all inputs matter:
those that do not are false there, too.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.linear_model import ARDRegression, LassoCV, LassoLarsIC

from sparsebayes import Bias, Fast, Linear, SparseBayesRegressor
from studies.framework.experiment import Block, Experiment, Table, Task, Text, cell

N_DRAWS = 20
OFFSET = 10.0
CORRELATED = (0.0, 0.7)


class Shape(NamedTuple):
    """Rows, columns, and how many of these act."""

    rows: int
    columns: int
    active: int


class Kept(NamedTuple):
    """Which inputs a model keeps, and whether it is a dense one, which keeps all."""

    inputs: np.ndarray
    dense: bool = False


ROWS_OF_20 = (30, 40, 50, 70, 79, 81, 120, 400, 2000)
SHAPES = [Shape(rows, 20, active) for rows in ROWS_OF_20 for active in (1, 3, 6)]
SHAPES += [Shape(100, 2, 1), Shape(100, 5, 1), Shape(100, 5, 5), Shape(400, 20, 20)]
SHAPES += [Shape(100, 50, 3), Shape(400, 50, 6), Shape(300, 200, 6), Shape(1500, 200, 6)]
SMALL = [Shape(40, 5, 1)]
OURS, BIC = "ours", "LassoLarsIC(bic)"
WRONG = ("false", "missed")


def ours(inputs: np.ndarray, target: np.ndarray) -> Kept:
    """The kept inputs; all of them of a dense model, which has no probabilities of single ones."""
    model = SparseBayesRegressor(Linear() + Bias()).fit(inputs, target)
    return Kept(model.selected_, dense=not hasattr(model, "inclusion_"))


def free(inputs: np.ndarray, target: np.ndarray) -> Kept:
    """The kept inputs of a model without a price of columns, as in the papers."""
    model = SparseBayesRegressor(Linear() + Bias(), inference=Fast(min_gain=0.0))
    return Kept(model.fit(inputs, target).selected_)


def nonzero(model: Any) -> Callable:
    """The inputs that have a coefficient."""
    return lambda inputs, target: Kept(model.fit(inputs, target).coef_ != 0.0)


def bic(inputs: np.ndarray, target: np.ndarray) -> Kept:
    """The path of the lasso, with the noise of least squares, or the true one without rows."""
    known = 1.0 if len(target) <= inputs.shape[1] + 1 else None
    return nonzero(LassoLarsIC("bic", noise_variance=known))(inputs, target)


METHODS: dict[str, Callable] = {
    OURS: ours,
    "ours, min_gain=0": free,
    BIC: bic,
    "LassoCV": nonzero(LassoCV()),
    "ARDRegression": nonzero(ARDRegression()),
}


def table(shape: Shape, correlated: float, seed: int) -> tuple:
    """Inputs, target, and which inputs act."""
    random = np.random.default_rng([seed, *shape])
    inputs = random.normal(size=(shape.rows, shape.columns))
    for k in range(1, shape.columns):
        own = np.sqrt(1.0 - correlated**2) * inputs[:, k]
        inputs[:, k] = correlated * inputs[:, k - 1] + own
    weights = np.zeros(shape.columns)
    chosen = random.permutation(shape.columns)[: shape.active]
    sign = random.choice([-1, 1], shape.active)
    weights[chosen] = sign * random.uniform(1.0, 2.0, shape.active)
    target = OFFSET + inputs @ weights + random.normal(size=shape.rows)
    return inputs, target, weights != 0.0


def draw(shape: Shape, correlated: float, seed: int) -> dict[str, list]:
    """False and missed inputs, and those missed that BIC found: a list each, in METHODS' order."""
    inputs, target, active = table(shape, correlated, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kept = {name: method(inputs, target) for name, method in METHODS.items()}
    found = [counted(kept[name], active, kept[BIC].inputs) for name in METHODS]
    return {what: [each[what] for each in found] for what in found[0]}


def counted(kept: Kept, active: np.ndarray, by_bic: np.ndarray) -> dict[str, int]:
    """What is wrong with the kept inputs."""
    missed = active & ~kept.inputs
    return {
        "dense": int(kept.dense),
        "false": int(np.sum(kept.inputs & ~active)),
        "missed": int(np.sum(missed)),
        "beside": int(np.sum(missed & by_bic)),
    }


def tasks(quick: bool) -> list[Task]:
    """Every shape, both kinds of inputs, and every draw."""
    shapes, draws = (SMALL, 1) if quick else (SHAPES, N_DRAWS)
    return [
        Task(key_of(shape, correlated, seed), draw, (shape, correlated, seed))
        for shape in shapes
        for correlated in CORRELATED
        for seed in range(draws)
    ]


def key_of(shape: Shape, correlated: float, seed: int) -> str:
    """The key of a task."""
    rows, columns, active = shape
    return f"{rows}x{columns}-{active}-{100 * correlated:.0f}-{seed:02}"


def report(results: dict[str, dict]) -> list[Block]:
    """A table for each kind of inputs."""
    text = (
        "False and missed inputs in a fit, means over draws; weights between 1 and 2, noise 1. "
        "Missed of BIC: those of ours that LassoLarsIC(bic) has found. Dense: the share of fits in "
        "which the model of all inputs was preferred, whose inputs that do not act are false."
    )
    return [Text(text), *(one_table(results, correlated) for correlated in CORRELATED)]


def one_table(results: dict[str, dict], correlated: float) -> Table:
    """A row for each shape."""
    header = ["rows x inputs, active", "ours: dense, %", "false", "missed", "missed of BIC"]
    header += [f"{name}: {what}" for name in METHODS if name != OURS for what in WRONG]
    lines = []
    for shape in [*SHAPES, *SMALL]:
        start = key_of(shape, correlated, 0)[:-2]
        found = [result for key, result in results.items() if key.startswith(start)]
        if found:
            head = f"{shape.rows} x {shape.columns}, {shape.active}"
            lines.append([head, *cells(found)])
    kind = "Independent inputs" if not correlated else f"Neighbours correlated by {correlated}"
    return Table(tuple(header), lines, f"{kind}, {N_DRAWS} draws")


def cells(found: list[dict]) -> list[str]:
    """The cells of a row: means over draws."""
    first = [f"{100 * np.mean(numbers_of(found, OURS, 'dense')):.0f}"]
    first += [mean_of(found, OURS, what) for what in (*WRONG, "beside")]
    others = [name for name in METHODS if name != OURS]
    return first + [mean_of(found, name, what) for name in others for what in WRONG]


def mean_of(found: list[dict], method: str, what: str) -> str:
    """The mean over the fits of a method."""
    return cell(numbers_of(found, method, what), "{:.2f}")


def numbers_of(found: list[dict], method: str, what: str) -> list[int]:
    """The counts of a method, one for each draw."""
    place = list(METHODS).index(method)
    return [one[what][place] for one in found]


EXPERIMENTS = [
    Experiment(
        name="columns-shapes",
        source="columns of your own",
        title="Which inputs matter, at every number of rows and columns",
        tasks=tasks,
        report=report,
    )
]
