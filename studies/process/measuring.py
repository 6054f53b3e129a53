"""Draws of the sets as samples, and what predictions on them are worth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import norm
from sklearn.metrics import log_loss, roc_auc_score

from studies.data.samples import Sample, class_sample, regression_sample
from studies.measures import COVERED, percent_wrong, rms
from studies.process.frames import Draw
from studies.process.sets import ALL, TRUTHS

# Draws that no other study has.
FIRST_SEED = 2000


class Belief(NamedTuple):
    """Means and standard deviations of the test targets, or what is left open."""

    mean: np.ndarray
    std: np.ndarray


def raw(name: str, number: int) -> Draw:
    """Draw `number` of a set, in the units of its table."""
    return ALL[name](FIRST_SEED + number)


def scaled(name: str, one: Draw) -> Sample:
    """The draw with standardised inputs; targets of a regression are standardised, too."""
    if one.y.dtype.kind != "f":
        return class_sample(name, *one)
    clean = TRUTHS[name](one.X_test) if name in TRUTHS else one.y_test
    return regression_sample(name, *one._replace(y_test=clean), one.y_test)


def regression_measures(one: Sample, belief: Belief) -> dict[str, float]:
    """Error relative to the spread of training targets, NLPD, share in 90 % intervals.

    Targets are standardised. Where the truth is known, `true` is the mean squared difference to it
    in the units of the table.
    """
    z = (one.y_noisy - belief.mean) / belief.std
    found = {
        "error": rms(belief.mean, one.y_noisy),
        "loss": float(-norm.logpdf(one.y_noisy, belief.mean, belief.std).mean()),
        "coverage": 100.0 * float(np.mean(np.abs(z) < COVERED)),
    }
    if one.name in TRUTHS:
        found["true"] = (rms(belief.mean, one.y_test) * one.spread) ** 2
    return found


def class_measures(one: Sample, probability: np.ndarray) -> dict[str, float]:
    """Percent wrong, log loss and, of two classes, the area under the ROC curve."""
    classes = np.unique(one.y)
    found = {
        "error": percent_wrong(classes[probability.argmax(axis=1)], one.y_test),
        "loss": float(log_loss(one.y_test, probability, labels=classes)),
    }
    if len(classes) == 2:
        found["auc"] = float(roc_auc_score(one.y_test, probability[:, 1]))
    return found


def nothing_known(one: Sample) -> dict[str, float]:
    """What it is worth to predict mean and spread, or the shares, of the training targets."""
    if one.is_regression:
        n = len(one.y_noisy)
        return regression_measures(one, Belief(np.zeros(n), np.ones(n)))
    shares = np.unique(one.y, return_counts=True)[1] / len(one.y)
    return class_measures(one, np.tile(shares, (len(one.y_test), 1)))
