"""What a model makes of each input: how much of the prediction, and in which direction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.report.given import InputFactor, Subject

# Rows that an effect is averaged over, and places along an input.
N_ROWS, N_PLACES = 60, 41
# An input with no more different values is drawn at each of them.
MOST_VALUES = 8
# Rows and inputs of which a relevance is found here, where the model has none.
RELEVANCE_ROWS, MOST_INPUTS = 200, 1000
N_DRAWS, SEED = 200, 0


@dataclass(frozen=True)
class Effect:
    """The average prediction as one factor varies and all others stay at the rows they are from.

    Parameters
    ----------
    factor : what varies
    places : its values (p,); numbers of categories where it has them
    mean : of the average prediction, of each output or class (p, k)
    std : of the same, the noise of a target not included (p, k)
    discrete : whether there is nothing between the places
    observed : values of the factor at the rows given, some of them
    limits : what an average can be
    """

    factor: InputFactor
    places: np.ndarray
    mean: np.ndarray
    std: np.ndarray
    discrete: bool
    observed: np.ndarray
    limits: tuple[float, float]


def relevance(given: Subject) -> np.ndarray | None:
    """The share of the prediction's variance that each factor has a part in; None if unknown.

    That of the model where it has one. Else half the mean square by which the prediction changes
    when the factor takes the value of another row, over the variance of the prediction.
    """
    if given.pairwise:
        return None
    own = getattr(given.estimator, "input_relevance_", None)
    if own is not None and all(len(each.inputs) == 1 for each in given.factors):
        return own
    if given.n_inputs > MOST_INPUTS:
        return None
    rows = given.dense_rows(RELEVANCE_ROWS)
    other = rows[np.random.default_rng(SEED).permutation(len(rows))]
    prediction = _latent(given, rows)
    variance = float(np.sum(np.var(prediction, axis=0)))
    found = np.zeros(len(given.factors))
    for k, factor in enumerate(given.factors):
        changed = rows.copy()
        changed[:, factor.inputs] = other[:, factor.inputs]
        found[k] = 0.5 * np.sum(np.mean((_latent(given, changed) - prediction) ** 2, axis=0))
    return found / variance if variance > 0.0 else found


def effect(given: Subject, factor: InputFactor) -> Effect:
    """The effect of a factor on the average prediction."""
    rows = given.dense_rows(N_ROWS)
    every = given.dense_rows(20 * N_ROWS)[:, factor.inputs]
    values, discrete = _values(given, factor, every)
    moments: Callable[..., Any] = _of_targets if given.classes is None else _of_classes
    found = []
    for value in values:
        changed = rows.copy()
        changed[:, factor.inputs] = value
        found.append(moments(given, changed))
    mean, std = (np.array(each) for each in zip(*found, strict=True))
    limits = (0.0 if given.counts else -np.inf, np.inf) if given.classes is None else (0.0, 1.0)
    if factor.categories is None:
        return Effect(factor, values[:, 0], mean, std, discrete, every[:, 0], limits)
    places, observed = np.arange(len(values)), every.argmax(axis=1)
    return Effect(factor, places, mean, std, discrete, observed, limits)


def _values(given: Subject, factor: InputFactor, every: np.ndarray) -> tuple[np.ndarray, bool]:
    """Values that the inputs of a factor take (p, n_inputs of the factor)."""
    if factor.categories is not None:
        return np.eye(len(factor.categories)), True
    column = given.X[:, list(factor.inputs)]
    distinct = np.unique(column.toarray() if hasattr(column, "toarray") else column)
    if len(distinct) <= MOST_VALUES:
        return distinct[:, None], True
    return np.linspace(distinct[0], distinct[-1], N_PLACES)[:, None], False


def _latent(given: Subject, rows: np.ndarray) -> np.ndarray:
    """What the columns of the model sum to (n, k)."""
    return given.estimator._model.predictor.latent_moments(rows)[0]


def _of_targets(given: Subject, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the average of f over rows, (k,) each.

    var mean_i f_i = mean_ij cov(t_i, t_j) - mean_i noise_i^2 / n, where f is the mean of a count
    """
    mean, covariance = given.estimator.predict(rows, return_cov=True)
    noise = given.estimator._model.predictor.noise_variance(rows).mean(axis=0) / len(rows)
    variance = np.atleast_1d(covariance.mean(axis=(0, 1))) - noise
    return np.atleast_1d(mean.mean(axis=0)), np.sqrt(np.maximum(variance, 0.0))


def _of_classes(given: Subject, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the average probability of each class, (K,) each.

    The deviation is that of draws of the latent values.
    """
    predictor = given.estimator._model.predictor
    draws = predictor.sample_latent(rows, N_DRAWS, np.random.default_rng(SEED))
    average = predictor.response.known(draws).mean(axis=0)
    return given.estimator.predict_proba(rows).mean(axis=0), average.std(axis=0)
