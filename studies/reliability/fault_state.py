"""What faults are tried on, and the state that they must leave as it was."""

from __future__ import annotations

import pickle
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_info

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    EvidenceSearch,
    GaussianKernel,
    GivenColumns,
    Linear,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

# What is fitted, and to what.


class Kind(NamedTuple):
    """An estimator, what its target is, and how many rows take some 20 to 100 ms."""

    estimator: Any
    target: str
    n_rows: int = 60


def two_bumps(inputs: np.ndarray) -> np.ndarray:
    """Columns by a function of the user."""
    return np.column_stack([np.sin(inputs[:, 0]), np.exp(-(inputs[:, 0] ** 2))])


KINDS = {
    "RVR projection": Kind(RVR(), "number"),
    "RVR fast": Kind(RVR(inference="fast"), "number"),
    "RVR mackay": Kind(RVR(gamma=0.5, inference="mackay"), "number"),
    "RVR em": Kind(RVR(gamma=0.5, inference="em", max_iter=300), "number", 40),
    "RVR variational": Kind(RVR(gamma=0.5, inference="variational"), "number"),
    "RVR shared outputs": Kind(RVR(), "outputs"),
    "RVR separate outputs": Kind(RVR(multi_output="separate"), "outputs", 40),
    "RVC two classes": Kind(RVC(), "two"),
    "RVC three classes": Kind(RVC(), "three"),
    "RVC three classes ovr fast": Kind(RVC(gamma=0.5, inference="fast"), "three"),
    "RVC variational": Kind(RVC(gamma=0.5, inference="variational", max_iter=300), "two", 40),
    "SparseBayesRegressor": Kind(
        SparseBayesRegressor(GaussianKernel() + Linear() + GivenColumns(two_bumps) + Bias()),
        "number",
    ),
    "SparseBayesClassifier": Kind(SparseBayesClassifier(), "three", 40),
    "EvidenceSearch": Kind(EvidenceSearch(RVR(), {"gamma": [0.1, 0.5, 2.0]}), "number"),
}


def data(target: str, n_rows: int, n_inputs: int = 2, seed: int = 0) -> tuple:
    """Inputs and a target: one number or three, two classes or three."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, n_inputs))
    latent = np.sin(2.0 * X[:, 0]) + 0.5 * X[:, -1]
    latent = latent + 0.3 * random.normal(size=n_rows)
    if target == "number":
        return X, latent
    if target == "outputs":
        return X, np.column_stack([latent, X[:, 0] + 0.1 * latent, 3.0 - latent])
    if target == "two":
        return X, np.where(latent > 0.0, "yes", "no")
    return X, np.digitize(latent, [-0.5, 0.5])


def fit(model: Any, X: np.ndarray, y: np.ndarray) -> Any:
    """The fitted model, without a word on how it ended."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


# The state that a fault must leave as it was.


class Watcher:
    """A callback that counts, where scikit-learn has callbacks."""

    def __init__(self) -> None:
        self.setups = self.teardowns = 0

    def setup(self, estimator: Any, context: Any) -> None:
        """Count a call of the callback."""
        self.setups += 1

    def teardown(self, estimator: Any, context: Any) -> None:
        """Count a call of the callback."""
        self.teardowns += 1

    def on_fit_task_begin(self, estimator: Any, context: Any, **rest: Any) -> None:
        """Do nothing when a task begins."""

    def on_fit_task_end(self, estimator: Any, context: Any, **rest: Any) -> bool:
        """Do nothing when a task ends."""
        return False


def watched(model: Any) -> tuple[Any, Watcher]:
    """The model with a callback that counts."""
    watcher = Watcher()
    if hasattr(model, "set_callbacks"):
        model.set_callbacks(watcher)
    return model, watcher


def _contents(model: Any) -> dict[str, bytes]:
    """Every attribute of the model as bytes, but for its callbacks and times."""
    return {
        name: pickle.dumps(_untimed(value))
        for name, value in vars(model).items()
        if name not in ("_skl_callbacks", "refit_time_")
    }


def _untimed(value: Any) -> Any:
    """A table of a search without the columns that are times."""
    if not isinstance(value, dict):
        return value
    return {name: each for name, each in value.items() if not str(name).endswith("_time")}


def surroundings() -> dict[str, Any]:
    """What of the process a fit might change."""
    return {
        "limits": [(pool["filepath"], pool["num_threads"]) for pool in threadpool_info()],
        "warnings": list(warnings.filters),
        "errstate": np.geterr(),
    }


class State(NamedTuple):
    """What a user can see of a model and of the process."""

    model: dict[str, bytes]
    prediction: bytes | None
    process: dict[str, Any]


def state(model: Any, X: np.ndarray) -> State:
    """The present state; a fitted model is asked first, so that what it caches is there."""
    fitted = hasattr(model, "n_features_in_")
    prediction = np.asarray(model.predict(X)).tobytes() if fitted else None
    return State(_contents(model), prediction, surroundings())


def differences(found: State, expected: State) -> list[str]:
    """Names of what is not as it was."""
    names = sorted({*found.model, *expected.model})
    changed = [name for name in names if found.model.get(name) != expected.model.get(name)]
    changed += [name for name, value in expected.process.items() if found.process[name] != value]
    return changed + (["prediction"] if found.prediction != expected.prediction else [])


# A fit with a fault, beside one without.


class Rehearsal:
    """A kind, its models before and after an undisturbed fit, and how long that takes.

    A refit is one from another number of inputs, so that a mixture of two models shows.
    """

    def __init__(self, kind: Kind, refit: bool) -> None:
        self.data = data(kind.target, kind.n_rows)
        target = "two" if kind.target == "three" else kind.target
        other = data(target, kind.n_rows // 2, n_inputs=3, seed=1)
        self.before = fit(clone(kind.estimator), *other) if refit else clone(kind.estimator)
        self.asked = other[0] if refit else self.data[0]
        self.after = self.fresh()[0]
        fit(self.after, *self.data)
        started = time.perf_counter()
        fit(self.fresh()[0], *self.data)
        self.seconds = time.perf_counter() - started
        self.expected = state(self.after, self.data[0])

    def fresh(self) -> tuple[Any, Watcher]:
        """A copy of the model before the fit, and its callback."""
        return watched(pickle.loads(pickle.dumps(self.before)))

    def judge(self, disturb: Callable[[Any], bool]) -> dict[str, Any] | None:
        """What `disturb(model)` did to a model; None if it says that it did not disturb a fit.

        A fit that was complete when the fault came has left the whole new model.
        """
        model, watcher = self.fresh()
        before = state(model, self.asked)
        if not disturb(model):
            return None
        whole = self._is_new(model)
        wrong = [] if whole else differences(state(model, self.asked), before)
        if whole:
            wrong = [
                name for name, value in before.process.items() if surroundings()[name] != value
            ]
        if watcher.setups != watcher.teardowns:
            wrong.append("callbacks")
        fit(model, *self.data)
        again = differences(state(model, self.data[0]), self.expected)
        return {"whole": whole, "wrong": wrong, "next": again}

    def _is_new(self, model: Any) -> bool:
        return _contents(model) == self.expected.model
