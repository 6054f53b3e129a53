"""Regression in the data and off them, and whether a model can tell one from the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import norm
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import NearestNeighbors

from studies.beyond.draws import flat
from studies.beyond.trust import ours, peers
from studies.beyond.trust.sets import Case, case
from studies.data.samples import Sample
from studies.measures import COVERED, timed, worth

Belief = tuple[np.ndarray, np.ndarray]
MODELS = {"default": ours.default, "fast": ours.fast, "gp": peers.process}


def expected_loss(belief: Belief, truth: Belief) -> float:
    """Minus the log density of a belief, on average over normal targets of these means and stds.

    E[-log N(t | m, s^2)] = 1/2 log(2 pi s^2) + (v^2 + (u - m)^2) / (2 s^2) for t ~ N(u, v^2).
    """
    (mean, std), (target, spread) = belief, truth
    square = (spread**2 + (target - mean) ** 2) / std**2
    return float(np.mean(0.5 * np.log(2.0 * np.pi * std**2) + 0.5 * square))


def expected_coverage(belief: Belief, truth: Belief) -> float:
    """The percentage of such targets that is expected in the 90 % intervals of a belief."""
    (mean, std), (target, spread) = belief, truth
    high, low = (norm.cdf((mean + side * std - target) / spread) for side in (COVERED, -COVERED))
    return 100.0 * float(np.mean(high - low))


def off_data_measures(one: Case, model: Any, process: Any) -> dict[str, float]:
    """By region: the loss above that of the process, if it is right, and the loss in truth."""
    found = {}
    for region, rows in one.regions.items():
        belief, reference = (each.predict(rows, return_std=True) for each in (model, process))
        least = expected_loss(reference, reference)
        found[f"{region}_over"] = expected_loss(belief, reference) - least
        found[f"{region}_std"] = float(belief[1].mean())
        if region in one.truth:
            truth = one.truth[region], np.full(len(rows), one.noise)
            found[f"{region}_loss"] = expected_loss(belief, truth)
            found[f"{region}_coverage"] = expected_coverage(belief, truth)
    return found


def regression_draw(name: str, number: int, **size: int) -> dict:
    """Both models and a Gaussian process on one draw, in the data and off them."""
    drawn = case(name, ours.FIRST_SEED + number, **size)
    one = drawn.sample
    fits = {kind: timed(partial(fit, one)) for kind, fit in MODELS.items()}
    process = fits["gp"][0]
    found = {}
    for kind, (model, seconds) in fits.items():
        values = {**worth(one, model), "seconds": seconds}
        values["std"] = float(_std(model)(one.X_test).mean())
        values |= ours.shares(one, model, values)
        found[kind] = values | off_data_measures(drawn, model, process)
    for values in found.values():
        values["over"] = values["loss"] - found["gp"]["loss"]
    found["gp"]["evidence"] = float(process.log_marginal_likelihood_value_)
    return flat(found)


def _std(model: Any) -> Callable[[np.ndarray], np.ndarray]:
    return lambda rows: model.predict(rows, return_std=True)[1]


def novelty_scores(one: Sample) -> dict[str, Callable[[np.ndarray], np.ndarray]]:
    """What tells how new a row is: each is larger for rows that are farther from the data."""
    fits = {kind: timed(partial(fit, one))[0] for kind, fit in MODELS.items()}
    scores = {kind: _std(model) for kind, model in fits.items()}
    nearest = NearestNeighbors(n_neighbors=1).fit(one.X)
    scores["nearest"] = lambda rows: nearest.kneighbors(rows)[0][:, 0]
    novelty = ours.novelty_of(fits["default"])
    return scores if novelty is None else {"novelty": novelty, **scores}


def novelty_draw(name: str, number: int, **size: int) -> dict:
    """How well each score tells rows off the data from test rows: the area under the ROC curve."""
    drawn = case(name, ours.FIRST_SEED + number, **size)
    inside = drawn.sample.X_test
    found: dict[str, dict] = {}
    for kind, score in novelty_scores(drawn.sample).items():
        found[kind] = {}
        for region, rows in drawn.regions.items():
            label = np.repeat([0, 1], [len(inside), len(rows)])
            value = np.concatenate([score(inside), score(rows)])
            found[kind][region] = float(roc_auc_score(label, value))
    return flat(found)
