"""What is asked of the library: one small function for each call."""

from __future__ import annotations

import numpy as np

from sparsebayes import SparseBayesRegressor
from sparsebayes.basis import Linear
from studies.columns.problems import Problem, active
from studies.columns.scores import Found

# Called so in tables and results.
OURS = "ours"


def fitted(one: Problem) -> Found:
    """The default: all outputs share their columns; columns may be sparse or complex."""
    return as_found(SparseBayesRegressor(Linear(), fit_intercept=False).fit(one.X, one.y))


def fitted_groups(one: Problem) -> Found:
    """Columns of a group come and go together."""
    model = SparseBayesRegressor(Linear(groups=one.groups), fit_intercept=False)
    return as_found(model.fit(one.X, one.y))


def fitted_each(one: Problem) -> Found:
    """A default fit with a model for each output."""
    parts = [fitted(one._replace(y=target)) for target in one.y.T]
    noises = [part.noise for part in parts if part.noise is not None]
    return Found(np.stack([part.weights for part in parts], axis=1), rms(noises))


def as_found(model) -> Found:
    """Weights and noise of a fitted model."""
    return Found(found(model)[1], rms(model.noise_std_))


def rms(values) -> float:
    """Root of the mean square: the noise of all outputs in one number."""
    return float(np.sqrt(np.mean(np.square(values))))


def found(model) -> tuple[np.ndarray, np.ndarray]:
    """Which columns were kept, and the weights of all: (M,), or (M, k) of k outputs."""
    if hasattr(model, "coef_"):
        weights = np.asarray(model.coef_).T
    else:
        weights = np.zeros((model.n_features_in_, *model.weights_.shape[1:]))
        weights[[int(name.removeprefix("x")) for name in model.column_names_]] = model.weights_
    return active(weights), weights
