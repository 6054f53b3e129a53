"""What is measured of a fitted model."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from inspect import signature

import numpy as np
from scipy.stats import norm
from sklearn.metrics import log_loss

# Standard deviations that hold 90 % on both sides together.
COVERED = float(norm.ppf(0.95))


def rms(predicted, truth) -> float:
    """Root of the mean squared difference."""
    return float(np.sqrt(np.mean((np.asarray(predicted) - truth) ** 2)))


def percent_wrong(predicted, truth) -> float:
    """Share of rows in the wrong class, in percent."""
    return float(100.0 * np.mean(np.asarray(predicted) != truth))


def inner_model(model):
    """The model that a search or a `tuned_svr` has chosen, or the model itself."""
    return getattr(model, "best_estimator_", getattr(model, "regressor_", model))


def vectors_of(model) -> np.ndarray:
    """Relevance or support vectors as distinct training rows."""
    model = inner_model(model)
    if hasattr(model, "relevance_"):
        return model.relevance_
    if hasattr(model, "estimators_"):
        return np.unique(np.concatenate([vectors_of(each) for each in model.estimators_]))
    return model.support_


def n_vectors(model) -> int:
    """Kernels or columns in use, without the bias; of several classifiers the sum."""
    model = inner_model(model)
    if hasattr(model, "estimators_"):
        return sum(n_vectors(each) for each in model.estimators_)
    if hasattr(model, "support_"):
        return len(model.support_)
    if hasattr(model, "dual_coef_"):
        return int(np.count_nonzero(model.dual_coef_))
    if hasattr(model, "column_names_"):
        return sum(name != "bias" for name in model.column_names_)
    if hasattr(model, "X_train_"):
        return len(model.X_train_)
    return int(np.count_nonzero(getattr(model, "coef_", ())))


def by_model(
    models: Mapping, distance: Callable, X_test, y_test, size: str = "vectors"
) -> dict[str, dict]:
    """By name of model, its error in this measure and, under the name `size`, its vectors."""
    return {
        name: {"error": distance(model.predict(X_test), y_test), size: len(vectors_of(model))}
        for name, model in models.items()
    }


def density(one, model) -> dict:
    """Log loss on a sample; of a regression minus the mean log density, and coverage.

    Coverage is the percentage of targets in the 90 % interval. Empty where the model predicts no
    distribution.
    """
    model = inner_model(model)
    if not one.is_regression:
        if not hasattr(model, "predict_proba"):
            return {}
        return {"loss": float(log_loss(one.y_test, model.predict_proba(one.X_test)))}
    if "return_std" not in signature(model.predict).parameters:
        return {}
    mean, std = model.predict(one.X_test, return_std=True)
    z = (one.y_noisy - mean) / std
    return {
        "loss": float(-norm.logpdf(one.y_noisy, mean, std).mean()),
        "coverage": 100 * float(np.mean(np.abs(z) < COVERED)),
    }


def timed(fit: Callable) -> tuple:
    """The model that `fit()` returns, without its warnings, and the seconds that it took."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.perf_counter()
        model = fit()
        return model, time.perf_counter() - start


def worth(one, model) -> dict:
    """What a fitted model is worth on a sample: error, density, vectors, evidence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {"error": one.error(model.predict(one.X_test))} | density(one, model)
    if not hasattr(inner_model(model), "log_marginal_likelihood_value_"):
        found["vectors"] = n_vectors(model)
    if hasattr(model, "log_evidence_"):
        found["evidence"] = float(model.log_evidence_)
    return found


def measured(one, fit: Callable) -> dict:
    """What the model that `fit()` returns is worth on a sample, and its seconds."""
    model, seconds = timed(fit)
    return {"seconds": seconds, **worth(one, model)}


def calibration_error(probability, label, n_bins: int = 10) -> float:
    """Mean gap of confidence and accuracy over bins of the confidence."""
    confidence, hit = probability.max(axis=1), probability.argmax(axis=1) == label
    bins = np.minimum((confidence * n_bins).astype(int), n_bins - 1)
    gaps = [
        np.mean(bins == k) * abs(hit[bins == k].mean() - confidence[bins == k].mean())
        for k in np.unique(bins)
    ]
    return float(np.sum(gaps))
