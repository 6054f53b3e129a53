"""The problems that the laws are tried on, and the gap between two of them.

All inputs and targets lie on a grid of 2^-20, so that an offset of either can be added without
rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    CauchyKernel,
    GaussianKernel,
    Linear,
    SparseBayesClassifier,
    SparseBayesRegressor,
)
from studies.reliability.data import pick

# Inputs and targets are multiples of this; a sum with an offset up to 1e8 is exact.
GRID = 2.0**-20
# Power of the distance, or of the input, that goes with gamma.
POWERS = {"rbf": 2, "cauchy": 2, "poly": 2, "sigmoid": 2, "laplacian": 1}
# Kernels of a difference of rows.
OF_DISTANCE = ("rbf", "cauchy", "laplacian")
KERNELS = {"rbf": 4, "laplacian": 1, "cauchy": 1, "poly": 1, "linear": 1, "sigmoid": 1}
GAMMAS = {"ard": 3, "learn": 1, "scale": 2, "number": 2, "array": 1}
INFERENCES = {"projection": 3, "fast": 3, "mackay": 1, "em": 1, "variational": 1}
INPUTS = {"normal": 4, "uniform": 2, "lattice": 1, "sequence": 1}
TARGETS = {"waves": 4, "plane": 1, "noise": 1, "exact": 1, "steps": 1}
CLASSES = {"apart": 2, "overlapping": 3, "rings": 1, "noise": 1}
N_PROBLEMS, N_NEW = 300, 20


class Fitted(NamedTuple):
    """An estimator, what it is fitted to, and how its predictions are read.

    Attributes
    ----------
    at : rows at which predictions are compared
    unit, offset : of the target
    order : the columns of the probabilities, in the order of the first form
    """

    estimator: Any
    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray | None
    at: np.ndarray
    unit: float = 1.0
    offset: float = 0.0
    order: tuple[int, ...] = ()

    @property
    def regression(self) -> bool:
        """Whether the target is a real one."""
        return not hasattr(self.estimator, "predict_proba")

    @property
    def kernel(self) -> str:
        """The kernel by name; none for an estimator that has a basis instead.

        Those that the default chooses from, for so few inputs, go with units as "rbf" does.
        """
        name = getattr(self.estimator, "kernel", "")
        return "rbf" if name == "auto" else name

    def said(self, name: str, value: Any) -> bool:
        """Whether a parameter of the estimator has this value."""
        found = getattr(self.estimator, name, None)
        return type(found) is type(value) and bool(np.all(found == value))

    def having(self, **settings: Any) -> Fitted:
        """A copy of the problem with other parameters of the estimator."""
        return self._replace(estimator=clone(self.estimator).set_params(**settings))

    def inputs(self, change: Callable[[np.ndarray], np.ndarray]) -> Fitted:
        """A copy of the problem with other inputs, wherever there are inputs."""
        return self._replace(X=change(self.X), at=change(self.at))

    def predictions(self) -> tuple[np.ndarray, ...]:
        """Mean and standard deviation, or probabilities, as the first form has them."""
        model = clone(self.estimator).fit(self.X, self.y, sample_weight=self.weight)
        if not self.regression:
            probability = model.predict_proba(self.at)
            return (probability[:, list(self.order)] if self.order else probability,)
        mean, std = model.predict(self.at, return_std=True)
        return (mean - self.offset) / self.unit, std / self.unit


def gap(one: Fitted, other: Fitted, known: tuple[np.ndarray, ...] | None = None) -> float:
    """Largest difference of means in sd(y), of standard deviations as a ratio, of probabilities.

    Parameters
    ----------
    known : the predictions of the first form, where they are at hand
    """
    here, there = known or one.predictions(), other.predictions()
    apart = float(np.abs(here[0] - there[0]).max())
    if not one.regression:
        return apart
    ratio = np.exp(np.abs(np.log(here[1] / there[1])).max()) - 1.0
    return max(apart / float(np.std(one.y)), float(ratio))


def on_grid(values: np.ndarray) -> np.ndarray:
    """The values, rounded to the grid."""
    return np.round(values / GRID) * GRID


def draw_inputs(random: np.random.Generator) -> np.ndarray:
    """Inputs of 12 to 144 rows."""
    n = int(np.exp(random.uniform(np.log(12), np.log(145))))
    d, kind = int(random.integers(1, 6)), pick(random, INPUTS)
    X = random.normal(size=(n, d))
    if kind == "uniform":
        X = random.uniform(-2.0, 2.0, size=(n, d))
    elif kind == "lattice":
        X = random.integers(0, 4, size=(n, d)).astype(float)
    elif kind == "sequence":
        X[:, 0] = np.linspace(-5.0, 5.0, n)
    return on_grid(X)


def draw_target(random: np.random.Generator, X: np.ndarray) -> np.ndarray:
    """A real target of about unit size."""
    score, noise = X @ random.normal(size=X.shape[1]), random.normal(size=len(X))
    y = {
        "waves": np.sin(2.0 * X[:, 0]) + 0.3 * score + random.choice([0.05, 0.3]) * noise,
        "plane": score + 0.3 * noise,
        "noise": noise,
        "exact": np.sin(score),
        "steps": np.round(score),
    }[pick(random, TARGETS)]
    return on_grid(y + random.choice([0.0, 0.0, 3.0]))


def draw_labels(random: np.random.Generator, X: np.ndarray) -> np.ndarray:
    """Labels of two or three classes, three rows at least of each."""
    score, noise = X @ random.normal(size=X.shape[1]), random.normal(size=len(X))
    score = {
        "apart": score,
        "overlapping": score + score.std() * noise,
        "rings": np.sum((X - X.mean(axis=0)) ** 2, axis=1) + 0.3 * noise,
        "noise": noise,
    }[pick(random, CLASSES)]
    return np.argsort(np.argsort(score)) * pick(random, {2: 3, 3: 1}) // len(score)


def draw_machine(random: np.random.Generator, classes: bool, d: int) -> Any:
    """RVR or RVC with parameters."""
    said: dict[str, Any] = {"kernel": pick(random, KERNELS), "gamma": pick(random, GAMMAS)}
    said["inference"] = pick(random, INFERENCES)
    if said["gamma"] == "number":
        said["gamma"] = float(2.0 ** random.integers(-4, 3))
    elif said["gamma"] == "array":
        said["gamma"] = 2.0 ** random.integers(-4, 3, size=d)
    if said["kernel"] in ("poly", "sigmoid"):
        said |= {"coef0": 1.0, "degree": 2}
    if random.uniform() < 0.2:
        said["fit_intercept"] = pick(random, [False, "column"])
    if not classes:
        noise = pick(random, {None: 5, 0.25: 1})
        return RVR(**said, noise_std=noise)
    ways = ["ovr"] if said["inference"] == "variational" else ["auto", "softmax", "shared_softmax"]
    return RVC(**said, multi_class=pick(random, ways))


def draw_sum(random: np.random.Generator, classes: bool) -> Any:
    """An estimator with a sum of bases."""
    width = pick(random, ["scale", "learn", 2.0])
    kernel = pick(random, [GaussianKernel, CauchyKernel])(width=width)
    kind = (SparseBayesRegressor, SparseBayesClassifier)[classes]
    return kind(kernel + Linear() + Bias(), inference=pick(random, INFERENCES))


def draw_problem(seed: int) -> Fitted:
    """Problem number `seed`: every third has a default RVR or RVC."""
    random = np.random.default_rng([18, seed])
    classes, X = bool(seed // 3 % 2), draw_inputs(random)
    y = draw_labels(random, X) if classes else draw_target(random, X)
    estimator = (RVR, RVC)[classes]()
    if seed % 3:
        some = random.uniform() < 0.15
        d = X.shape[1]
        estimator = draw_sum(random, classes) if some else draw_machine(random, classes, d)
    near = X[random.integers(len(X), size=N_NEW)] + 0.3 * random.normal(size=(N_NEW, X.shape[1]))
    weight = random.integers(1, 4, size=len(X)) / 2.0 if random.uniform() < 0.15 else None
    return Fitted(estimator, X, y, weight, np.vstack([X, on_grid(near)]))
