"""What is given to an exporter: a model and outputs of its graph, and rows that test what is made.

A test has rows, what is expected there, and how far off it may be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np

from sparsebayes.model import NotPortableError, PortableModel
from sparsebayes.model.face import new_inputs
from sparsebayes.model.graph import Node, of_error_bars
from sparsebayes.model.latent import Plain


def plain_model(model: Any) -> PortableModel:
    """The plain form of a fitted estimator, or of what `sparsebayes.load` gives."""
    if hasattr(model, "to_portable"):
        return model.to_portable()
    if hasattr(model, "steps"):
        raise TypeError(
            "model is a Pipeline, of which only `to_onnx` can write all steps. Pass its last step, "
            "pipeline[-1], which takes the inputs that the steps before it make."
        )
    raise TypeError(
        "model must be a fitted RVR, RVC, SparseBayesRegressor or SparseBayesClassifier, or what "
        f"sparsebayes.load gives; got {type(model).__name__}."
    )


def plains_of(model: PortableModel) -> tuple[Plain, ...]:
    """What gives the latent values of targets; and of their noise, where that is a model too."""
    noise = getattr(model.response, "noise", None)
    return (model.plain,) if noise is None else (model.plain, noise)


NO_CLASS = (
    "the most probable class of this model depends on the error bars of its latent values, as that "
    "of one class against the rest, of classes in an order, and of averages over uncertain latent "
    "values does, so std=False leaves nothing to write. Use std=True, or a model of two classes, "
    'or multi_class="softmax" with inference="projection".'
)


def asked(nodes: dict[str, Node], std: bool) -> dict[str, Node]:
    """All outputs; without error bars those that do not depend on them, and the mean of counts."""
    if std:
        return nodes
    if "class" in nodes and of_error_bars(nodes["class"]):
        raise NotPortableError(NO_CLASS)
    left_out = {"std", "novelty"}
    left_out |= (
        {"probability"} if "class" in nodes and of_error_bars(nodes["probability"]) else set()
    )
    return {name: node for name, node in nodes.items() if name not in left_out}


# Part of the standard deviation, or of a probability, that floats may lose without a warning.
MOST_LOST = 1e-3
# Rows that a model is asked at.
MOST_ROWS = 500
# How far beyond the vectors, as a part of their distance to their middle.
BEYOND = 0.5


def own_vectors(model: PortableModel) -> np.ndarray:
    """The points that kernels of the mean and of error bars stand on (n, d).

    A model without kernels has 0, a row of ones, and rows where one input is 1.
    """
    d = model.face.n_features
    parts = [(*each.columns, *(each.spread.columns or ())) for each in plains_of(model)]
    centres = [each.items for columns in parts for each in columns if each.has_centres]
    if not sum(map(len, centres)):
        return np.vstack([np.zeros(d), np.ones(d), np.eye(d)[:MOST_ROWS]])
    return np.unique(np.vstack(centres), axis=0)


def probe_rows(model: PortableModel) -> np.ndarray:
    """The model's own vectors, rows half way from each to the next, and rows beyond them."""
    vectors = own_vectors(model)
    between = 0.5 * (vectors[1:] + vectors[:-1])
    middle = vectors.mean(axis=0)
    beyond = vectors + BEYOND * (vectors - middle)
    rows = np.vstack([vectors, between, beyond])
    return rows[:: 1 + len(rows) // MOST_ROWS]


# Relative to what `Said.scale` gives.
ALLOWED = 1e-9
# And what a change of the last digit of all numbers does, this many times.
DIGIT_TIMES = 100.0
# Classes that are nearer to each other are not told apart.
TIE = 1e-8
N_VECTORS = 3

OfRows = Callable[[Any, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Said:
    """An output of a model.

    Parameters
    ----------
    values : (model, rows) -> what is expected (n_rows, n_values)
    scale : (model, rows) -> what errors are relative to, of a shape that goes with it
    """

    values: OfRows
    scale: OfRows = lambda model, rows: np.ones((1, 1))


def _mean(model: Any, rows: np.ndarray) -> np.ndarray:
    return model.predict(rows).reshape(len(rows), -1)


def _std(model: Any, rows: np.ndarray) -> np.ndarray:
    return model.predict(rows, return_std=True)[1].reshape(len(rows), -1)


def _mean_scale(model: Any, rows: np.ndarray) -> np.ndarray:
    return np.maximum(np.abs(_mean(model, rows)), _std(model, rows))


# By the names of a graph; classes are apart, as several can be right.
SAID: dict[str, Said] = {
    "mean": Said(_mean, _mean_scale),
    "std": Said(_std, _std),
    "probability": Said(lambda model, rows: model.predict_proba(rows)),
    "novelty": Said(lambda model, rows: model.novelty(rows)[:, None]),
}


def rows_to_test(model: PortableModel, rows: Any = None) -> np.ndarray:
    """Rows of a user; else some own vectors, a row between two of them, and one far away."""
    if rows is not None:
        return new_inputs(rows, model.face)
    own = own_vectors(model)
    few = own[np.unique(np.linspace(0, len(own) - 1, N_VECTORS).astype(int))]
    between = 0.5 * (own[0] + own[-1])
    away = own.max(axis=0) + np.ptp(own, axis=0)
    return np.vstack([few, between, away])


def expected(model: PortableModel, name: str, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What an output is in doubles, and how far off it may be."""
    if name == "class":
        return of_class(model, rows, TIE)
    said = SAID[name]
    values = said.values(model, rows)
    moved = np.abs(said.values(with_other_digits(model), rows) - values)
    return values, np.maximum(ALLOWED * said.scale(model, rows), DIGIT_TIMES * moved)


def of_class(model: Any, rows: np.ndarray, tie: float) -> tuple[np.ndarray, np.ndarray]:
    """The number of the class; any is right where two are equally probable."""
    first = np.sort(model.predict_proba(rows), axis=1)[:, ::-1]
    tied = first[:, :1] - first[:, 1:2] < tie
    number = np.argmax(model.predict(rows)[:, None] == model.classes_, axis=1)
    return number[:, None], np.where(tied, float(len(model.classes_)), 0.5)


def with_other_digits(model: PortableModel) -> PortableModel:
    """A model with the last digit of every number changed, up or down in turn."""

    def change(array: np.ndarray) -> np.ndarray:
        sign = np.where(np.arange(array.size) % 2, 1.0, -1.0).reshape(array.shape)
        return array * (1.0 + sign * np.finfo(float).eps)

    return with_numbers(model, change)


def with_numbers(model: PortableModel, change: Callable[[np.ndarray], np.ndarray]) -> PortableModel:
    """A model with every array of numbers changed."""

    def of(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return change(value) if value.dtype.kind == "f" else value
        if isinstance(value, tuple):
            return tuple(map(of, value))
        if isinstance(value, dict):
            return {name: of(each) for name, each in value.items()}
        if is_dataclass(value):
            kind: Any = type(value)
            return kind(**{each.name: of(getattr(value, each.name)) for each in fields(value)})
        return value

    return replace(model, plain=of(model.plain), response=of(model.response))
