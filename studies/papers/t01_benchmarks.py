"""[T01] 4.4: both benchmark tables, and the row with one scale per input (eta-RVM)."""

from __future__ import annotations

import warnings

from studies.data.samples import FIRST_UNSEEN, Sample, sample
from studies.framework.experiment import Experiment, Task
from studies.framework.sets import set_draws
from studies.measures import n_vectors
from studies.papers import t01_models as models
from studies.papers.t01_report import Row, report

# What the tables of the paper say, and App. E on how many draws.
ROWS = [
    Row("sinc-gaussian", "Sinc (Gaussian noise)", 100, 1, 0.378, 0.326, 45.2, 6.7, 100),
    Row("sinc-uniform", "Sinc (uniform noise)", 100, 1, 0.215, 0.187, 44.3, 7.0, 100),
    Row("friedman1", "Friedman 1", 240, 10, 2.92, 2.80, 116.6, 59.4, 100),
    Row("friedman2", "Friedman 2", 240, 4, 4140, 3505, 110.3, 6.9, 100),
    Row("friedman3", "Friedman 3", 240, 4, 0.0202, 0.0164, 106.5, 11.5, 100),
    Row("boston", "Boston housing", 481, 13, 8.04, 7.46, 142.8, 39.0, 100),
    Row("pima", "Pima diabetes", 200, 7, 20.1, 19.6, 109, 4, 1, 332),
    Row("usps", "U.S.P.S.", 7291, 256, 4.4, 5.1, 2540, 316, 1, 2007),
    Row("banana", "Banana", 400, 2, 10.9, 10.8, 135.2, 11.4, 10),
    Row("breast", "Breast cancer", 200, 9, 26.9, 29.9, 116.7, 6.3, 10),
    Row("titanic", "Titanic", 150, 3, 22.1, 23.0, 93.7, 65.3, 10),
    Row("waveform", "Waveform", 400, 21, 10.3, 10.9, 146.4, 14.6, 10),
    Row("german", "German", 700, 20, 22.6, 22.2, 411.2, 12.5, 10),
    Row("image", "Image", 1300, 18, 3.0, 3.9, 166.6, 34.6, 10),
]


# The longest tasks first, so that none is left over at the end.
DRAWS = {
    "usps": 1,
    "image": 5,
    "german": 10,
    "boston": 40,
    "waveform": 20,
    "banana": 20,
    "friedman1": 30,
    "friedman2": 30,
    "friedman3": 30,
    "breast": 30,
    "titanic": 30,
    "pima": 1,
    "sinc-gaussian": 60,
    "sinc-uniform": 60,
}
QUICK = {"sinc-gaussian": 1}


def one_draw(name: str, number: int) -> dict:
    """Errors and vectors of all models on one draw of a set."""
    one = sample(name, FIRST_UNSEEN + number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = _digit_machines(one) if name == "usps" else _machines(one)
    result: dict[str, float] = {}
    for kind, model in fitted.items():
        result[f"{kind}_error"] = one.error(model.predict(one.X_test))
        result[f"{kind}_vectors"] = n_vectors(model)
    return result


def _machines(one: Sample) -> dict:
    return {
        "svm": models.svm(one),
        "rvm": models.rvm(one),
        "default": models.default(one),
        "best": models.best(one),
    }


def _digit_machines(one: Sample) -> dict:
    return {
        "svm": models.usps_svm(one),
        "rvm": models.usps_rvm(one),
        "best": models.usps_best(one),
    }


def tasks(quick: bool) -> list[Task]:
    """A task for each draw of each set."""
    return set_draws(one_draw, QUICK if quick else DRAWS)


EXPERIMENTS = [
    Experiment(
        name="t01-benchmarks",
        source="[T01] 4.4",
        title="Both benchmark tables: RVM and SVM, errors and vectors",
        tasks=tasks,
        report=lambda results: report(ROWS, results),
    )
]
