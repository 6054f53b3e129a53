"""Fits default models with whatever source is on the path, and prints what they are worth.

`quality` starts it once for each of two sources, so it uses only what both have. A line of JSON for
each draw of each set.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.stats import norm
from sklearn.metrics import log_loss

from sparsebayes import RVC, RVR
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.problem import Problem
from sparsebayes.rows import Data
from sparsebayes.scales import learn_scales
from studies.data.samples import Sample, sample
from studies.framework.experiment import MissingDataError
from studies.measures import n_vectors

# Set -> rows, where they are not those of its own.
SETS: dict[str, dict[str, int]] = {
    "sinc-gaussian": {},
    "sinc-uniform": {},
    "friedman1": {},
    "friedman2": {},
    "friedman3": {},
    "boston": {},
    "motorcycle": {},
    "friedman1/1000": {"n_train": 1000},
    "friedman3/1000": {"n_train": 1000},
    "ripley": {},
    "pima": {},
    "banana": {},
    "breast": {},
    "titanic": {},
    "waveform": {},
    "german": {},
    "heart": {},
    "image": {},
    "moons/1000": {"n_train": 1000},
    "iris": {},
    "wine": {},
    "vowel": {},
}
FIRST_SEED = 200


def draws(n_draws: int, only: str) -> Iterator[tuple[str, int, Sample]]:
    """Each set that is at hand and whose name holds `only`, each seed, and the draw."""
    for name, size in ((name, size) for name, size in SETS.items() if only in name):
        for seed in range(FIRST_SEED, FIRST_SEED + n_draws):
            try:
                yield name, seed, sample(name.split("/")[0], seed, **size)
            except MissingDataError:
                break


def loss(model: Any, one: Sample) -> float:
    """Minus the mean log density of the test targets."""
    if not one.is_regression:
        return float(log_loss(one.y_test, model.predict_proba(one.X_test), labels=model.classes_))
    mean, std = model.predict(one.X_test, return_std=True)
    return float(-norm.logpdf(one.y_noisy, mean, std).mean())


def problem_of(one: Sample) -> Problem | None:
    """What scales are learned from; None for three classes or more."""
    weight = np.ones(len(one.y))
    if one.is_regression:
        columns = RVR()._make_basis().bind(one.X, weight)
        return Problem(Data(one.X, one.y - one.y.mean(), weight), columns, Gaussian())
    classes, codes = np.unique(one.y, return_inverse=True)
    if len(classes) > 2:
        return None
    columns = RVC()._make_basis().bind(one.X, weight)
    return Problem(Data(one.X, codes.astype(float), weight), columns, Bernoulli())


def measured(one: Sample) -> dict:
    """What the default model of a draw is worth."""
    start = time.perf_counter()
    model = (RVR if one.is_regression else RVC)().fit(one.X, one.y)
    seconds = time.perf_counter() - start
    problem = problem_of(one)
    return {
        "seconds": seconds,
        "error": one.error(model.predict(one.X_test)),
        "loss": loss(model, one),
        "vectors": n_vectors(model),
        "log_scales": problem and learn_scales(problem, Report()).log_scales.tolist(),
    }


def main() -> None:
    """Print a line for each draw."""
    warnings.simplefilter("ignore")
    for name, seed, one in draws(int(sys.argv[1]), sys.argv[2]):
        print(json.dumps({"set": name, "seed": seed, **measured(one)}), flush=True)


if __name__ == "__main__":
    main()
