"""Times the cases that it is told on its standard input, with whatever source is on the path.

`against` starts it once for each of two sources, so it uses only what both have.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.datasets import make_friedman1, make_moons

from sparsebayes import RVC, RVR

Work = Callable[[], Any]
# Work shorter than this is repeated until it has taken about twice as long.
SHORT = 0.05


def friedman(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Friedman 1: ten inputs, five of which matter."""
    return make_friedman1(n_rows, n_features=10, noise=1.0, random_state=0)


def moons(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Two classes in the plane."""
    return make_moons(n_rows, noise=0.3, random_state=0)


def three_classes(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """The lower, middle and upper third of Friedman 1."""
    X, y = friedman(n_rows)
    return X, np.digitize(y, np.quantile(y, [1 / 3, 2 / 3]))


def fits() -> dict[str, Work]:
    """Fits, by name."""
    found: dict[str, Work] = {}
    for n in (100, 500, 2000):
        found[f"RVR(gamma=0.5), N={n}"] = partial(RVR(gamma=0.5).fit, *friedman(n))
        found[f"RVC(gamma=1), N={n}"] = partial(RVC(gamma=1.0).fit, *moons(n))
    for n in (50, 100, 240, 500, 1000, 2000, 4000):
        found[f"RVR(), N={n}"] = partial(RVR().fit, *friedman(n))
        found[f"RVC(), N={n}"] = partial(RVC().fit, *moons(n))
    found["RVC(), three classes, N=300"] = partial(RVC().fit, *three_classes(300))
    for name in ("mackay", "variational"):
        model = RVR(gamma=0.5, inference=name)
        found[f"RVR({name!r}, gamma=0.5), N=200"] = partial(model.fit, *friedman(200))
    model = RVR(inference="projection")
    found["RVR('projection'), N=240"] = partial(model.fit, *friedman(240))
    found["RVC(gamma=0.5), three classes, N=300"] = partial(RVC(gamma=0.5).fit, *three_classes(300))
    return found


def predictions(n_rows: int = 100_000) -> dict[str, Work]:
    """Predictions for many rows, by name."""
    X, y = friedman(400)
    new, _ = friedman(n_rows)
    regressor, classifier = RVR(gamma=0.5).fit(X, y), RVC(gamma=0.5).fit(X, y > np.median(y))
    return {
        "predict": lambda: regressor.predict(new),
        "predict(return_std=True)": lambda: regressor.predict(new, return_std=True),
        "predict, two classes": lambda: classifier.predict(new),
        "predict_proba, two classes": lambda: classifier.predict_proba(new),
    }


def seconds(work: Work) -> float:
    """CPU seconds that the work takes."""
    start = time.process_time()
    work()
    taken = time.process_time() - start
    if taken >= SHORT:
        return taken
    times = max(1, int(2.0 * SHORT / max(taken, 1e-4)))
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


def main() -> None:
    """Name the cases, and then answer each name with seconds."""
    warnings.simplefilter("ignore")
    cases = {**fits(), **predictions()}
    print(*cases, "", sep="\n", flush=True)
    for line in sys.stdin:
        print(seconds(cases[line.rstrip("\n")]), flush=True)


if __name__ == "__main__":
    main()
