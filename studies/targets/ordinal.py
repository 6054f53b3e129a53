"""Classes in an order: one latent value with cut points beside classes without an order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from sparsebayes import RVC
from studies.data.sources import standardised
from studies.framework.experiment import Block, Experiment, Task, Text
from studies.measures import timed
from studies.targets.data import economy, marriages, run_times
from studies.targets.peers import statsmodels
from studies.targets.shown import by_measure, by_method, table

N_SPLITS = 10
ORDINAL, PLAIN, LINEAR = (
    '`RVC(likelihood="ordinal")`',
    "`RVC()`",
    "statsmodels OrderedModel, linear",
)
# Loader, and how many rows a model is trained on.
SETS = {
    "marriages": (marriages, 400),
    "economy": (economy, 700),
    "run-times": (run_times, 700),
}
TITLES = {
    "marriages": "happiness of marriages, 5 classes",
    "economy": "view of the economy, 5 classes",
    "run-times": "run times, 4 classes",
}


class OrderedLogit:
    """The proportional odds of statsmodels; inputs that are constant are left out."""

    def fit(self, X, y) -> OrderedLogit:
        """Fit by maximum likelihood."""
        model = statsmodels("miscmodels.ordinal_model").OrderedModel
        self.kept = X.std(axis=0) > 0.0
        fitted = model(y, X[:, self.kept], distr="logit")
        self.result = fitted.fit(method="bfgs", disp=0, maxiter=500)
        return self

    def predict_proba(self, X) -> np.ndarray:
        """The probability of each class, in the order of its value."""
        return np.asarray(self.result.predict(X[:, self.kept]))


METHODS: dict[str, Callable[[], Any]] = {
    ORDINAL: partial(RVC, likelihood="ordinal"),
    PLAIN: RVC,
    LINEAR: OrderedLogit,
}


def ranked_probability_score(probability: np.ndarray, place: np.ndarray) -> float:
    """Mean squared error of cumulative probabilities, over rows and cuts."""
    reached = np.arange(probability.shape[1] - 1) >= place[:, None]
    return float(np.mean((np.cumsum(probability, axis=1)[:, :-1] - reached) ** 2))


def measured(model, X, place, seconds: float) -> dict:
    """Scores of probabilities, and of the most probable class."""
    probability = np.clip(model.predict_proba(X), 1e-15, 1.0)
    probability /= probability.sum(axis=1, keepdims=True)
    chosen = probability.argmax(axis=1)
    found = {
        "rps": ranked_probability_score(probability, place),
        "distance": float(np.mean(np.abs(chosen - place))),
        "loss": float(log_loss(place, probability, labels=np.arange(probability.shape[1]))),
        "accuracy": 100.0 * float(np.mean(chosen == place)),
        "seconds": seconds,
    }
    if hasattr(model, "relevance_"):
        found["vectors"] = len(model.relevance_)
    return found


def ordinal_split(name: str, seed: int, n_train: int = 0) -> dict:
    """All methods on one split, which has classes in their shares."""
    load, usual = SETS[name]
    X, y = load()
    place = np.unique(y, return_inverse=True)[1]
    size = n_train or usual
    X, X_new, place, place_new = train_test_split(
        X, place, train_size=size, stratify=place, random_state=seed
    )
    X, X_new = standardised(X, X_new)
    found = {}
    for method, make in METHODS.items():
        model, seconds = timed(partial(make().fit, X, place))
        found[method] = measured(model, X_new, place_new, seconds)
    return by_measure(found, list(METHODS))


def tasks(quick: bool) -> list[Task]:
    """Each split of each set."""
    if quick:
        return [Task("marriages-00", ordinal_split, ("marriages", 0, 100))]
    return [
        Task(f"{name}-{seed:02}", ordinal_split, (name, seed))
        for name in SETS
        for seed in range(N_SPLITS)
    ]


def report(results: Mapping[str, dict]) -> list[Block]:
    """The table of ordered classes: a row for each method on each set."""
    text = (
        "Ranked probability score: mean squared error of the probabilities of at most each class. "
        "Distance: mean of how many classes the most probable one is off. Less is better, but for "
        "the share of right classes."
    )
    found = by_method(results, list(METHODS))
    columns = {
        "ranked probability score": ("rps", "{:.4f}"),
        "distance": ("distance", "{:.3f}"),
        "log loss": ("loss", "{:.3f}"),
        "right, %": ("accuracy", "{:.1f}"),
        "vectors": ("vectors", "{:.1f}"),
        "seconds": ("seconds", "{:.2g}"),
    }
    note = f"Means over {N_SPLITS} splits into training rows (400, 700, 700) and the rest."
    return [Text(text), table(found, TITLES, list(METHODS), columns, note)]


EXPERIMENTS = [
    Experiment(
        name="targets-ordinal",
        source="other targets",
        title="Ordered classes beside classes without an order and a linear ordered logit",
        tasks=tasks,
        report=report,
    )
]
