"""Weights of rows and classes: what happens with precisions as weights, and with rare classes."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import roc_auc_score

from sparsebayes import RVC, RVR
from studies.framework.experiment import Block, Experiment, Table, Task, Text, cell
from studies.measures import COVERED, rms

N_DRAWS = 10
N_ROWS = 100
# A grid for the error and the coverage of the function.
GRID = np.linspace(-10.0, 10.0, 401)[:, None]
TRUTH = np.sinc(GRID[:, 0] / np.pi)
# Of each case the noise of its rows, from their inputs and random numbers.
NOISES: dict[str, Callable] = {
    "sides": lambda x, random: np.where(x < 0.0, 0.05, 0.3),
    "equal": lambda x, random: np.full(len(x), 0.1),
    "own": lambda x, random: 0.1 * np.exp(random.normal(0.0, 1.0, len(x))),
}
ROWS = {
    "sides-plain": "(a) noise 0.05 left, 0.3 right: no weights",
    "sides-precisions": "(a) the same: sample_weight=1 / sigma**2",
    "sides-exact": "(a) the same: noise_std=sigma",
    "sides-factor": '(a) the same: noise_std=3 * sigma, noise_std="factor"',
    "equal-plain": "(b) noise 0.1: no weights",
    "equal-tenths": "(b) the same: weights of 0.1",
    "own-plain": "(c) a noise for each row: no weights",
    "own-exact": "(c) the same: noise_std=sigma",
    "own-factor": '(c) the same: noise_std=3 * sigma, noise_std="factor"',
}
# How classes differ, models of them, and the weights that the rare one is given.
CLASSES = ("blobs", "moons")
MODELS = {"default": "RVC()", "given": "RVC(gamma=0.1)", "fast": 'RVC(inference="fast")'}
SETTINGS: dict[str, dict] = {"default": {}, "given": {"gamma": 0.1}, "fast": {"inference": "fast"}}
CLASS_WEIGHTS = {"plain": None, "balanced": "balanced"}


def given(way: str, sigma: np.ndarray) -> tuple[RVR, dict]:
    """A model, and what its fit is given besides rows."""
    return {
        "plain": lambda: (RVR(), {}),
        "precisions": lambda: (RVR(), {"sample_weight": sigma**-2.0}),
        "tenths": lambda: (RVR(), {"sample_weight": np.full(len(sigma), 0.1)}),
        "exact": lambda: (RVR(), {"noise_std": sigma}),
        "factor": lambda: (RVR(noise_std="factor"), {"noise_std": 3.0 * sigma}),
    }[way]()


def noise_draw(seed: int) -> dict:
    """All cases of real targets on one draw."""
    return {name: one_fit(name, seed) for name in ROWS}


def one_fit(name: str, seed: int) -> dict:
    """The error and the coverage of the function, and what the fit said."""
    case, way = name.split("-")
    random = np.random.default_rng(seed)
    x = random.uniform(-10.0, 10.0, N_ROWS)
    sigma = NOISES[case](x, random)
    y = np.sinc(x / np.pi) + sigma * random.normal(size=N_ROWS)
    model, more = given(way, sigma)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        model.fit(x[:, None], y, **more)
    mean, std = model.predict(GRID, return_std=True)
    own = np.sqrt(np.maximum(std**2 - model.noise_std_**2, 0.0))
    return {
        "error": rms(mean, TRUTH),
        "vectors": len(model.relevance_),
        "noise": model.noise_std_ / float(np.sqrt(np.mean(sigma**2))),
        "coverage": float(100.0 * np.mean(np.abs(mean - TRUTH) <= COVERED * own)),
        "told": float(any("sample_weight was multiplied" in str(each.message) for each in seen)),
    }


def rare(kind: str, random: np.random.Generator, n_rows: int, n_rare: int) -> tuple:
    """Two classes that overlap, one of them rare; two of five inputs tell them apart."""
    X, y = random.normal(size=(n_rows, 5)), np.repeat([1, 0], [n_rare, n_rows - n_rare])
    if kind == "blobs":
        X[:n_rare, :2] += 1.7
        return X, y
    angle = random.uniform(0.0, np.pi, n_rows)
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    lower = np.column_stack([1.0 - np.cos(angle), 0.5 - np.sin(angle)])
    X[:, :2] = np.where(y[:, None] == 1, upper, lower) + 0.35 * X[:, :2]
    return X, y


def class_draw(seed: int) -> dict:
    """The area under the curve of 20 000 new rows, with and without weights of classes."""
    return {
        f"{kind}-{name}": areas(kind, settings, seed)
        for kind in CLASSES
        for name, settings in SETTINGS.items()
    }


def areas(kind: str, settings: dict, seed: int) -> dict:
    """The areas of one model, with and without weights of classes."""
    X, y = rare(kind, np.random.default_rng(seed), 600, 20)
    new, labels = rare(kind, np.random.default_rng(1000 + seed), 20_000, 10_000)
    found = {}
    for name, weight in CLASS_WEIGHTS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = RVC(class_weight=weight, **settings).fit(X, y)
        found[name] = float(roc_auc_score(labels, model.decision_function(new)))
    return found


def tasks(quick: bool) -> list[Task]:
    """Two tasks for each draw."""
    seeds = range(1 if quick else N_DRAWS)
    return [
        Task(f"{name}-{seed:02}", function, (seed,))
        for name, function in (("noise", noise_draw), ("classes", class_draw))
        for seed in seeds
    ]


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each case."""
    noise = [result for key, result in results.items() if key.startswith("noise")]
    classes = [result for key, result in results.items() if key.startswith("classes")]
    return [
        Table(
            ["case", "RMSE", "vectors", "noise / true", "coverage, %", "warned, %"],
            [[title, *noise_cells([one[name] for one in noise])] for name, title in ROWS.items()],
            f"sinc, {N_ROWS} rows; coverage of the function by intervals of 90 %",
        ),
        Text("(d) 600 rows, 20 of them of the rare class, 20 000 new rows; area under the curve."),
        Table(
            ["classes", "model", "no weights", 'class_weight="balanced"', "difference", "worst"],
            [
                [kind, title, *class_cells([one[f"{kind}-{name}"] for one in classes])]
                for kind in CLASSES
                for name, title in MODELS.items()
            ],
        ),
    ]


def noise_cells(found: list[dict]) -> list[str]:
    """The cells of a row on noise: means over draws."""
    forms = {"error": "{:.4f}", "vectors": "{:.1f}", "noise": "{:.2f}", "coverage": "{:.0f}"}
    told = f"{100.0 * np.mean([one['told'] for one in found]):.0f}"
    return [*(cell([one[name] for one in found], form) for name, form in forms.items()), told]


def class_cells(found: list[dict]) -> list[str]:
    """The cells of a row on classes: means over draws, and the worst of the differences."""
    plain, balanced = ([one[name] for one in found] for name in CLASS_WEIGHTS)
    difference = [b - a for a, b in zip(plain, balanced, strict=True)]
    means = [cell(values, "{:.4f}") for values in (plain, balanced, difference)]
    return [*means, f"{min(difference):.4f}"]


EXPERIMENTS = [
    Experiment(
        name="columns-weights",
        source="columns",
        title="Known noise of rows, weights that do not count rows, and rare classes",
        tasks=tasks,
        report=report,
    )
]
