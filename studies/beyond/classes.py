"""Three and more classes: accuracy, log loss, calibration, vectors and seconds against peers.

Inputs are as the sets have them. Peers that need scaled ones scale them, and have their settings by
5-fold cross-validation.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from sparsebayes import RVC, Projection
from studies.beyond.draws import flat
from studies.beyond.report import on_all, table
from studies.data import sources
from studies.data.samples import Sample
from studies.framework import sets
from studies.framework.experiment import Block, Experiment, Status, Task, Text, Verdict
from studies.framework.sets import set_draws
from studies.measures import calibration_error, percent_wrong, vectors_of

# Loader, training rows and draws of each set.
SETS: dict[str, tuple[Callable, int, int]] = {
    "iris": (sources.iris, 90, 10),
    "wine": (sources.wine, 107, 10),
    "vowel": (sources.vowel, 594, 5),
    "satimage": (sources.satimage, 1000, 3),
    "digits": (sources.digits, 1000, 3),
    "segment": (sources.segment, 1000, 3),
    "penbased": (sources.penbased, 1000, 3),
    "texture": (sources.texture, 1000, 3),
    "letter": (sources.letter, 2000, 2),
}
# Test rows, so that no method takes long to predict.
MOST_TEST_ROWS = 4000
# Of each peer: nine settings of the support vector machine, five of logistic regression.
STRENGTHS, WIDTHS = (1.0, 10.0, 100.0), (0.1, 0.5, 2.0)
PENALTIES = (0.01, 0.1, 1.0, 10.0, 100.0)
METHODS = {
    "default": "RVC()",
    "ovr": 'RVC(multi_class="ovr", inference="fast")',
    "svc": "SVC, Platt",
    "logistic": "logistic regression",
    "forest": "random forest",
    "boosting": "boosting",
}
PEERS = ("svc", "logistic", "forest", "boosting")
COLUMNS = {
    "error": "error, %",
    "loss": "log loss",
    "calibration": "calibration error",
    "vectors": "vectors",
    "seconds": "fit, s",
}
USPS_METHODS = {
    "default": "RVC()",
    "fewer": "RVC(inference=Projection(fidelity=6))",
    "closer": "RVC(centres=None, inference=Projection(fidelity=30))",
}
# Training rows of its quick form.
FEW = 100


def search(model, grid: dict, scoring: str | None = None) -> GridSearchCV:
    """Scaled inputs, and the settings that cross-validation chooses."""
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return GridSearchCV(make_pipeline(StandardScaler(), model), grid, scoring=scoring, cv=folds)


def support_vectors(one: Sample):
    """An SVC, its C and width by accuracy, with Platt's probabilities."""
    widths = [width / one.X.shape[1] for width in WIDTHS]
    grid = {"svc__C": STRENGTHS, "svc__gamma": widths}
    best = search(SVC(), grid).fit(one.X, one.y).best_estimator_[-1]
    model = SVC(C=best.C, gamma=best.gamma, probability=True, random_state=0)
    return make_pipeline(StandardScaler(), model).fit(one.X, one.y)


def logistic_regression(one: Sample):
    """A logistic regression, its penalty chosen by the log loss."""
    grid = {"logisticregression__C": PENALTIES}
    return search(LogisticRegression(max_iter=3000), grid, "neg_log_loss").fit(one.X, one.y)


FITS: dict[str, Callable] = {
    "default": lambda one: RVC().fit(one.X, one.y),
    "ovr": lambda one: RVC(multi_class="ovr", inference="fast").fit(one.X, one.y),
    "svc": support_vectors,
    "logistic": logistic_regression,
    "forest": lambda one: RandomForestClassifier(500, random_state=0).fit(one.X, one.y),
    "boosting": lambda one: HistGradientBoostingClassifier(random_state=0).fit(one.X, one.y),
}


# Nothing chosen, with fewer vectors, and closer to the dense model.
USPS_FITS: dict[str, Callable] = {
    "default": lambda one: RVC().fit(one.X, one.y),
    "fewer": lambda one: RVC(inference=Projection(fidelity=6.0)).fit(one.X, one.y),
    "closer": lambda one: RVC(centres=None, inference=Projection(fidelity=30.0)).fit(one.X, one.y),
}


def class_sample(name: str, seed: int) -> Sample:
    """A draw with all classes in equal shares in both parts, inputs as they are."""
    load, n_train, _ = SETS[name]
    X, y = load()
    X, X_test, y, y_test = train_test_split(X, y, train_size=n_train, random_state=seed, stratify=y)
    X_test, y_test = X_test[:MOST_TEST_ROWS], y_test[:MOST_TEST_ROWS]
    return Sample(name, False, X, y, X_test, y_test, y_test)


def tested(one: Sample, fit: Callable) -> dict:
    """Fit, time and test one method."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.perf_counter()
        model = fit(one)
        seconds = time.perf_counter() - start
        probability = model.predict_proba(one.X_test)
    label = np.searchsorted(model.classes_, one.y_test)
    found = {
        "error": percent_wrong(probability.argmax(axis=1), label),
        "loss": float(log_loss(label, probability, labels=np.arange(len(model.classes_)))),
        "calibration": calibration_error(probability, label),
        "seconds": seconds,
    }
    last = model[-1] if hasattr(model, "steps") else model
    if hasattr(last, "relevance_") or hasattr(last, "support_"):
        found["vectors"] = len(vectors_of(last))
    return found


def class_draw(name: str, seed: int, kinds: tuple[str, ...] = tuple(METHODS)) -> dict:
    """Some methods on one draw of a set."""
    one = class_sample(name, seed)
    return flat({kind: tested(one, FITS[kind]) for kind in kinds})


def usps_draw(kind: str, seed: int) -> dict:
    """One of the models on U.S.P.S., which has one split."""
    X, y, X_test, y_test = sources.usps()
    one = Sample("usps", False, X, y, X_test, y_test, y_test)
    return flat({kind: tested(one, USPS_FITS[kind])})


def few_draw(kind: str, seed: int) -> dict:
    """One of the models on a few of the digits that scikit-learn has."""
    one = class_sample("digits", seed)
    one = one._replace(X=one.X[:FEW], y=one.y[:FEW])
    return flat({kind: tested(one, USPS_FITS[kind])})


def tasks(quick: bool) -> list[Task]:
    """A task for each draw of each set; two methods on iris if quick."""
    if quick:
        return set_draws(class_draw, {"iris": 1}, ("default", "logistic"))
    return set_draws(class_draw, {name: number for name, (_, _, number) in SETS.items()})


def usps_tasks(quick: bool) -> list[Task]:
    """A task for each model; if quick, one on a few other digits."""
    if quick:
        return set_draws(few_draw, {"default": 1})
    return set_draws(usps_draw, dict.fromkeys(USPS_METHODS, 1))


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each set and method, and what is claimed."""
    text = (
        "Inputs as the sets have them, scaled for the support vector machine and for logistic "
        "regression. C and width of the former by accuracy, the penalty of the latter by log "
        "loss, in 5-fold cross-validation; seconds include it. Random forest: 500 trees; boosting: "
        "HistGradientBoostingClassifier. Calibration error: mean gap of confidence and accuracy "
        "over ten bins."
    )
    return [Text(text), table(results, METHODS, COLUMNS), *claims(results)]


def claims(results: dict[str, dict]) -> list[Verdict]:
    """Log loss against the best peer, error and vectors against the support vector machine."""

    def mean(name: str, kind: str, quantity: str) -> float:
        return sets.mean(results, name, f"{kind}_{quantity}")

    losses, errors, vectors = {}, {}, {}
    for name in sets.names(results):
        peers = [mean(name, peer, "loss") for peer in PEERS]
        known = [value for value in peers if value == value]
        if known:
            losses[name] = mean(name, "default", "loss") / min(known)
        if mean(name, "svc", "error") == mean(name, "svc", "error"):
            errors[name] = mean(name, "default", "error") / mean(name, "svc", "error")
            vectors[name] = mean(name, "svc", "vectors") / mean(name, "default", "vectors")
    return [
        _on_most("log loss at most 5 % above that of the best peer", losses, 1.05),
        on_all(
            "error at most 10 % above that of the support vector machine",
            {name: ratio <= 1.1 for name, ratio in errors.items()},
            {name: f"{ratio:.2f} times" for name, ratio in errors.items()},
        ),
        on_all(
            "at least four times fewer vectors than the support vector machine",
            {name: ratio >= 4 for name, ratio in vectors.items()},
            {name: f"{ratio:.1f} times" for name, ratio in vectors.items()},
        ),
    ]


def _on_most(claim: str, found: dict[str, float], most: float) -> Verdict:
    """Reproduced if it holds on two thirds of the sets."""
    verdict = on_all(
        claim,
        {name: ratio <= most for name, ratio in found.items()},
        {name: f"{ratio:.2f} times" for name, ratio in found.items()},
    )
    holding = sum(ratio <= most for ratio in found.values())
    if found and 3 * holding >= 2 * len(found):
        return verdict._replace(status=Status.REPRODUCED)
    return verdict


def usps_report(results: dict[str, dict]) -> list[Block]:
    """A row for each model."""
    text = "7291 training and 2007 test rows, pixels as they are; [T01] reports 5.1 % and 316."
    merged = {"usps-000": {key: value for one in results.values() for key, value in one.items()}}
    return [Text(text), table(merged if results else {}, USPS_METHODS, COLUMNS)]


EXPERIMENTS = [
    Experiment(
        name="classes",
        source="beyond the papers",
        title="Three and more classes, against peers",
        tasks=tasks,
        report=report,
    ),
    Experiment(
        name="classes-usps",
        source="beyond the papers",
        title="U.S.P.S. digits",
        tasks=usps_tasks,
        report=usps_report,
    ),
]
