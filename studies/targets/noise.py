"""Noise that varies with the inputs: the motorcycle data, and simulated noise that is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm
from sklearn.model_selection import KFold

from sparsebayes import RVR
from studies.data.sources import motorcycle
from studies.framework.experiment import Block, Experiment, Figure, Table, Task, Text
from studies.framework.sets import of_set
from studies.measures import rms
from studies.targets.band import SIZE, draw_bands
from studies.targets.peers import gaussian_process
from studies.targets.shown import by_measure, by_method, mean, shown, table

N_REPEATS, N_FOLDS, N_DRAWS, N_TRAIN, N_NEW = 5, 10, 20, 200, 1000
LEVELS = (0.025, 0.975)
# Times of the motorcycle data, in ms, between which the noise is large.
REGIONS = {
    "before 14 ms": (-np.inf, 14.0),
    "14 to 27 ms": (14.0, 27.0),
    "after 27 ms": (27.0, np.inf),
}
GAUSSIAN, VARYING = "`RVR()`", '`RVR(likelihood="heteroscedastic")`'
FAST = '`RVR(likelihood="heteroscedastic", inference="fast")`'
GP = "Gaussian process of scikit-learn"
PICTURE = "picture-00"
SIMULATED = {"varying": "noise 0.5 + x", "constant": "noise 1"}


class Said(NamedTuple):
    """Mean, standard deviation, log density and 95 % interval of new targets."""

    mean: np.ndarray
    std: np.ndarray
    log_density: np.ndarray
    low: np.ndarray
    high: np.ndarray
    varies: bool = False


def ours(settings: dict[str, Any], X, y, X_new, y_new) -> Said:
    """What our model says; its noise varies if it has no `noise_std_`, one for all rows."""
    model = RVR(**settings).fit(X, y)
    low, high = model.predict_quantiles(X_new, LEVELS).T
    expected, std = model.predict(X_new, return_std=True)
    varies = not hasattr(model, "noise_std_")
    return Said(expected, std, model.log_density(X_new, y_new), low, high, varies)


def gp(X, y, X_new, y_new) -> Said:
    """What a Gaussian process says, which has one noise."""
    expected, std = gaussian_process(X, y).predict(X_new, return_std=True)
    reach = norm.ppf(LEVELS[1]) * std
    density = norm.logpdf(y_new, expected, std)
    return Said(expected, std, density, expected - reach, expected + reach)


METHODS: dict[str, Callable[..., Said]] = {
    GAUSSIAN: partial(ours, {}),
    VARYING: partial(ours, {"likelihood": "heteroscedastic"}),
    FAST: partial(ours, {"likelihood": "heteroscedastic", "inference": "fast"}),
    GP: gp,
}


def measured(said: Said, y, truth=None) -> dict:
    """NLPD, coverage, and the distance from the truth or else from targets."""
    inside = (said.low <= y) & (y <= said.high)
    return {
        "nlpd": -float(np.mean(said.log_density)),
        "coverage": 100.0 * float(np.mean(inside)),
        "error": rms(said.mean, y if truth is None else truth),
    }


def by_folds(method, X, y, folds: KFold) -> Said:
    """What is said of each row by the model that has not seen its fold."""
    arrays = np.empty((5, len(y)))
    for train, new in folds.split(X):
        arrays[:, new] = method(X[train], y[train], X[new], y[new])[:5]
    return Said._make([*arrays, False])


def motorcycle_repeat(seed: int, n_folds: int = N_FOLDS) -> dict:
    """All methods by cross-validation, whose folds depend on the seed."""
    X, y = motorcycle()
    found = {}
    for name, method in METHODS.items():
        said = by_folds(method, X, y, KFold(n_folds, shuffle=True, random_state=seed))
        found[name] = measured(said, y)
        for region, (first, last) in REGIONS.items():
            here = (first <= X[:, 0]) & (X[:, 0] < last)
            part = Said._make([*(array[here] for array in said[:5]), False])
            one = measured(part, y[here])
            found[name] |= {f"{key} {region}": one[key] for key in ("coverage", "nlpd")}
    return by_measure(found, list(METHODS))


def simulated_draw(kind: str, seed: int, n_train: int = N_TRAIN) -> dict:
    """2 sin(2 pi x) with noise of standard deviation 0.5 + x, or 1."""
    random = np.random.default_rng(seed)
    X = random.uniform(size=(n_train + N_NEW, 1))
    clean = 2.0 * np.sin(2.0 * np.pi * X[:, 0])
    std = 0.5 + X[:, 0] if kind == "varying" else np.ones(len(X))
    y = clean + std * random.normal(size=len(X))
    train, new = slice(n_train), slice(n_train, None)
    found = {}
    for name, method in METHODS.items():
        said = method(X[train], y[train], X[new], y[new])
        found[name] = measured(said, y[new], clean[new])
        found[name]["log_std"] = rms(np.log(said.std), np.log(std[new]))
        found[name]["varies"] = 100.0 * said.varies
        found[name]["lost"] = found[name]["nlpd"] - found[GAUSSIAN]["nlpd"]
    return by_measure(found, list(METHODS))


def picture(n_points: int = 200) -> dict:
    """Bands of both models on all rows of the motorcycle data."""
    X, y = motorcycle()
    grid = np.round(np.linspace(X.min() - 1.0, X.max() + 1.0, n_points), 2)
    found: dict = {"times": X[:, 0], "y": y, "grid": grid, "bands": {}}
    for name in (GAUSSIAN, VARYING):
        said = METHODS[name](X, y, grid[:, None], np.zeros(n_points))
        curves = {"mean": said.mean, "low": said.low, "high": said.high}
        found["bands"][name] = {key: np.round(each, 2) for key, each in curves.items()}
    return found


def tasks(quick: bool) -> list[Task]:
    """The picture, repeats of the cross-validation, and draws."""
    repeat = partial(motorcycle_repeat, n_folds=3) if quick else motorcycle_repeat
    draw = partial(simulated_draw, n_train=50) if quick else simulated_draw
    n_repeats, n_draws = (1, 1) if quick else (N_REPEATS, N_DRAWS)
    return [
        Task(PICTURE, picture),
        *(Task(f"motorcycle-{seed:02}", repeat, (seed,)) for seed in range(n_repeats)),
        *(
            Task(f"{kind}-{seed:02}", draw, (kind, seed))
            for kind in SIMULATED
            for seed in range(n_draws)
        ),
    ]


def report(results: Mapping[str, dict]) -> list[Block]:
    """A table of the motorcycle data, one of what is simulated, and the picture."""
    text = (
        "Motorcycle: 133 rows, 10-fold cross-validation; means over repeats with other folds. NLPD "
        "is minus the mean log density of held-out targets; coverage that of the central 95 % "
        "interval."
    )
    blocks: list[Block] = [Text(text), _motorcycle(results), _simulated(results)]
    if PICTURE in results:
        caption = "Mean and central 95 % of new targets; the noise is one for all rows, or varies."
        draw = partial(draw_bands, found=results[PICTURE])
        blocks.append(Figure(draw, caption, SIZE))
    return blocks


def _motorcycle(results: Mapping[str, dict]) -> Table:
    found = by_method(of_set(results, "motorcycle"), list(METHODS))
    header = ["method", "NLPD", "RMS error", "95 % coverage"]
    header += [f"coverage {region}" for region in REGIONS]
    header += [f"NLPD {region}" for region in REGIONS]
    columns = {"nlpd": "{:.3f}", "error": "{:.2f}", "coverage": "{:.1f}"}
    columns |= {f"coverage {region}": "{:.1f}" for region in REGIONS}
    columns |= {f"nlpd {region}": "{:.2f}" for region in REGIONS}
    rows = [
        [method, *(shown(mean(found, method, key), form) for key, form in columns.items())]
        for method in METHODS
    ]
    return Table(header, rows, "Motorcycle.")


def _simulated(results: Mapping[str, dict]) -> Table:
    columns = {
        "NLPD": ("nlpd", "{:.4f}"),
        "lost to `RVR()`": ("lost", "{:.4f}"),
        "95 % coverage": ("coverage", "{:.1f}"),
        "RMS error of the function": ("error", "{:.3f}"),
        "RMS error of log std": ("log_std", "{:.3f}"),
        "noise varies, % of draws": ("varies", "{:.0f}"),
    }
    note = f"2 sin(2 pi x), {N_TRAIN} rows, x uniform in [0, 1]; means over draws."
    drawn = {key: one for key, one in results.items() if key != PICTURE}
    found = by_method(drawn, list(METHODS))
    return table(found, SIMULATED, list(METHODS), columns, note)


EXPERIMENTS = [
    Experiment(
        name="targets-noise",
        source="other targets",
        title="Noise that varies: the motorcycle data, and simulated noise that is known",
        tasks=tasks,
        report=report,
    )
]
