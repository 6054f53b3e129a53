"""Weights of rows as numbers of observations, and what the user is told of that."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

from sparsebayes.rows import Data, Look, Weighed, are_counts, effective_factor, merged, weighed

# A factor of weights that is as near to one as this is not worth a word.
NEAR = 0.05


def real_rows(rows: Data, likelihood: Any, known_noise: bool) -> Weighed:
    """The different rows of real targets, their weights numbers of observations.

    Parameters
    ----------
    rows : of positive weight, as given
    likelihood : that was asked for; None for Gaussian noise
    known_noise : whether weights are known precisions
    """
    if not takes_scaled(likelihood, known_noise, rows.target):
        return Weighed(merged(rows))
    return weighed(rows, has_density(likelihood))


def weighed_classes(own: Data, weight: np.ndarray) -> Weighed:
    """The different rows of classes, their weights numbers of observations.

    Weights of classes do not count while scales are learned, as a few rows would decide on these.

    Parameters
    ----------
    own : of positive weight, without the weights of classes
    weight : of the rows, with those of their classes (n,)
    """
    found = weighed(own._replace(weight=weight), density=False)
    if np.array_equal(weight, own.weight):
        return found
    plain = weighed(own, density=False)
    return found._replace(learning=plain.data.weight if plain.learning is None else plain.learning)


def takes_scaled(likelihood: Any, known_noise: bool, target: np.ndarray) -> bool:
    """Whether weights may be scaled: they are no known precisions, and no exposures of rates."""
    return not known_noise and (likelihood is None or not likelihood.are_rates(target))


def has_density(likelihood: Any) -> bool:
    """Whether targets have a density, and not a probability."""
    return likelihood is None or not likelihood.counts


def scaled_counts(weight: np.ndarray) -> np.ndarray:
    """Weights as numbers of observations (n,): integers as they are, others scaled, and told."""
    used = weight[weight > 0.0]
    if are_counts(used):
        return weight
    factor = effective_factor(used)
    _tell(factor, factor * float(used.sum()), numeric=True)
    return weight * factor


def tell_factor(before: np.ndarray, after: float, numeric: bool) -> None:
    """Warn of weights that are no numbers of rows, and were scaled.

    Parameters
    ----------
    before : the positive weights, as given
    after : the sum of the weights that are used
    numeric : whether targets are numbers, whose noise may be known
    """
    if not are_counts(before):
        _tell(after / float(before.sum()), after, numeric)


def tell_factor_of_look(look: Look, numeric: bool) -> None:
    """Warn of such weights of rows that come in blocks."""
    _tell(look.factor, look.observed, numeric)


def _tell(factor: float, total: float, numeric: bool) -> None:
    if abs(np.log(factor)) <= NEAR:
        return
    known = " If they are 1 / sigma^2, pass fit(X, y, noise_std=sigma) instead."
    warnings.warn(
        f"sample_weight was multiplied by {factor:.4g}. Weights that are not all integers say how "
        "much rows count beside each other, and not how many there are. They now sum to "
        f"{total:.6g}, (sum w)^2 / sum w^2: so many rows of equal weight say as much."
        f"{known if numeric else ''}",
        stacklevel=_frames_to_the_caller(),
    )


def _frames_to_the_caller() -> int:
    """How many frames are between `_tell` and the line that called the estimator."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and _is_inside(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    return level


def _is_inside(module: str) -> bool:
    """Whether a module is ours, or scikit-learn's that calls callbacks around a fit."""
    return module.startswith(("sparsebayes.", "sklearn.callback"))
