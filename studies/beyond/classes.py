"""Three and more classes: accuracy, log loss, calibration, vectors and seconds against peers.

Widths of kernels (and C) are chosen by 3-fold cross-validation on the log loss, for every method
that has one. U.S.P.S. is fitted at one width.
"""

from __future__ import annotations

import time
import warnings

import numpy as np
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from studies import models
from studies.beyond.draws import flat
from studies.beyond.report import table
from studies.data.samples import Sample, sample
from studies.framework.experiment import Block, Experiment, Task, Text
from studies.framework.sets import set_draws
from studies.measures import calibration_error, percent_wrong, vectors_of
from studies.peers import fastrvm

# Relative to the squared median distance.
GAMMAS = (0.1, 0.3, 1.0, 3.0)
STRENGTHS = {"C": [0.1, 1.0, 10.0, 100.0]}
DRAWS = {"iris": 10, "wine": 10, "digits": 1, "vowel": 1, "satimage": 1, "usps": 1}
USPS_WIDTH = 3.0
# Methods that are slow are left to sets of at most this many rows.
FEW = 150
METHODS = {
    "ovr": "RVC, one against rest",
    "softmax": "RVC, softmax",
    "shared_softmax": "RVC, softmax with shared precisions",
    "variational": "RVC, one against rest, variational",
    "svc": "SVC, Platt",
    "fastrvm": "fastrvm, one against rest",
    "logistic": "logistic regression",
    "gpc": "Gaussian process",
}
COLUMNS = {
    "error": "error, %",
    "loss": "log loss",
    "calibration": "calibration error",
    "vectors": "distinct vectors",
    "seconds": "fit, s",
    "predict_seconds": "predict, s",
}


def methods(one: Sample) -> dict[str, tuple]:
    """What is compared, each with a grid to choose from."""
    width = {"gamma": [one.gamma(relative) for relative in GAMMAS]}
    made: dict[str, tuple] = {
        kind: (models.several_classes(kind), width) for kind in ("ovr", "softmax", "shared_softmax")
    }
    made["svc"] = SVC(probability=True, random_state=0), width | STRENGTHS
    made["logistic"] = LogisticRegression(max_iter=5000), STRENGTHS
    if fastrvm is not None:
        grid = {f"estimator__{name}": values for name, values in width.items()}
        made["fastrvm"] = OneVsRestClassifier(fastrvm.RVC()), grid
    if len(one.y) <= FEW:
        made["variational"] = models.several_classes("ovr", "variational"), width
        made["gpc"] = GaussianProcessClassifier(random_state=0), {}
    return made


def digit_methods(one: Sample) -> dict[str, tuple]:
    """[T01] 4.4: U.S.P.S. with a Gaussian kernel of one width."""
    gamma = USPS_WIDTH / (one.X.shape[1] * one.X.var())
    made: dict[str, tuple] = {
        kind: (models.several_classes(kind, gamma=gamma), {})
        for kind in ("ovr", "softmax", "shared_softmax")
    }
    made["svc"] = SVC(gamma=gamma, C=10.0, probability=True, random_state=0), {}
    return made


def chosen(one: Sample, model, grid: dict):
    """The model with the setting that cross-validation chooses, not fitted."""
    if not grid:
        return model
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    search = GridSearchCV(model, grid, scoring="neg_log_loss", cv=folds, refit=False)
    return model.set_params(**search.fit(one.X, one.y).best_params_)


def tested(one: Sample, model) -> dict:
    """Fit, time and test one method."""
    start = time.perf_counter()
    model.fit(one.X, one.y)
    fitted = time.perf_counter()
    probability = model.predict_proba(one.X_test)
    predicted = time.perf_counter()
    label = np.searchsorted(model.classes_, one.y_test)
    found = {
        "error": percent_wrong(probability.argmax(axis=1), label),
        "loss": float(log_loss(label, probability, labels=np.arange(len(model.classes_)))),
        "calibration": calibration_error(probability, label),
        "seconds": fitted - start,
        "predict_seconds": predicted - fitted,
    }
    has_vectors = not isinstance(model, LogisticRegression | GaussianProcessClassifier)
    return found | ({"vectors": len(vectors_of(model))} if has_vectors else {})


def class_draw(name: str, seed: int, kinds: tuple[str, ...] = tuple(METHODS)) -> dict:
    """These methods on one draw of a set, where it has them."""
    one = sample(name, seed)
    made = digit_methods(one) if name == "usps" else methods(one)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return flat({kind: tested(one, chosen(one, *made[kind])) for kind in kinds if kind in made})


def tasks(quick: bool) -> list[Task]:
    """A task for each draw of each set; two methods on iris if quick."""
    if quick:
        return set_draws(class_draw, {"iris": 1}, ("ovr", "logistic"))
    return set_draws(class_draw, DRAWS)


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each set and method."""
    text = (
        "Kernel widths and C are chosen by 3-fold cross-validation on the log loss; U.S.P.S. has "
        "one width. Calibration error is the mean gap of confidence and accuracy."
    )
    return [table(results, METHODS, COLUMNS), Text(text)]


EXPERIMENTS = [
    Experiment(
        name="classes",
        source="beyond the papers",
        title="Three and more classes, against peers",
        tasks=tasks,
        report=report,
    )
]
