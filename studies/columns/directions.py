"""Directions of arrival: steering columns as a dictionary, snapshots as outputs, beside MUSIC."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from sparsebayes import SparseBayesRegressor
from sparsebayes.basis import Linear
from studies.columns import ours
from studies.columns.arrays import (
    GRID,
    N_SENSORS,
    Scene,
    music,
    pseudospectrum,
    scene,
    smoothed_music,
    steering,
)
from studies.framework.comparison import values_of
from studies.framework.experiment import Block, Experiment, Figure, Table, Task, Text
from studies.framework.sets import mean_of, of_set

N_DRAWS = 50
N_SNAPSHOTS = 20
# Degrees within which a source counts as found, and within which neighbours on the grid are one.
NEAR, ONE_SOURCE = 2.0, 2.0
MUSIC, SMOOTHED = "MUSIC, told 3", "MUSIC with smoothing, told 3"
PEERS = {MUSIC: music, SMOOTHED: smoothed_music}
NAMES = (ours.OURS, *PEERS)
CURVES = "curves"


class Setting(NamedTuple):
    """What the scene is like, and what the table says of it."""

    title: str
    decibels: float
    n_snapshots: int = N_SNAPSHOTS
    coherent: bool = False
    off_grid: bool = False


SETTINGS = {
    "20dB": Setting("20 snapshots, 20 dB", 20.0),
    "10dB": Setting("20 snapshots, 10 dB", 10.0),
    "0dB": Setting("20 snapshots, 0 dB", 0.0),
    "coherent": Setting("20 snapshots, 20 dB, coherent", 20.0, coherent=True),
    "single": Setting("one snapshot, 20 dB", 20.0, 1),
    "off-grid": Setting("20 snapshots, 20 dB, between grid angles", 20.0, off_grid=True),
}


def fit(one: Scene):
    """The fitted model: a column for each angle of the grid, an output for each snapshot."""
    return SparseBayesRegressor(Linear()).fit(steering(GRID), one.heard)


def strengths(weights: np.ndarray) -> np.ndarray:
    """Root mean square over snapshots of the modulus of each weight."""
    return np.sqrt(np.mean(np.abs(np.reshape(weights, (len(weights), -1))) ** 2, axis=1))


def merged(power: np.ndarray) -> np.ndarray:
    """Angles of kept columns, those near each other as one: their mean, weighted by power."""
    kept = np.flatnonzero(power)
    if not len(kept):
        return np.empty(0)
    runs = np.split(kept, np.flatnonzero(np.diff(GRID[kept]) > ONE_SOURCE) + 1)
    return np.array([np.average(GRID[run], weights=power[run]) for run in runs])


def score(found: np.ndarray, truth: np.ndarray) -> dict:
    """Whether each source is found and nothing else, and the error of the angles if so."""
    same = len(found) == len(truth)
    gaps = np.abs(np.sort(found) - truth) if same else np.array([np.inf])
    exact = bool(np.all(gaps <= NEAR))
    error = float(np.sqrt(np.mean(gaps**2))) if exact else None
    return {"exact": int(exact), "found": len(found), "error": error}


def strength_std(std: np.ndarray) -> np.ndarray:
    """Root mean square over snapshots of the standard deviation of each weight."""
    return np.sqrt(np.mean(np.reshape(std, (len(std), -1)) ** 2, axis=1))


def timed_score(find: Callable[[], np.ndarray], truth: np.ndarray) -> dict:
    """The score of the angles that `find()` returns, and its seconds."""
    start = time.perf_counter()
    found = find()
    seconds = time.perf_counter() - start
    return {**score(found, truth), "seconds": seconds}


def peer_scores(one: Scene) -> dict[str, dict]:
    """The scores of both forms of MUSIC."""
    return {name: timed_score(partial(find, one), one.angles) for name, find in PEERS.items()}


def direction_draw(name: str, number: int, n_snapshots: int | None = None) -> dict:
    """All methods on one draw; the first of a setting also has what the picture needs."""
    one = drawn(name, number, n_snapshots)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.perf_counter()
        model = fit(one)
        seconds = time.perf_counter() - start
    kept, weights = ours.found(model)
    power = strengths(weights) ** 2
    mine = {**score(merged(power), one.angles), "columns": int(kept.sum()), "seconds": seconds}
    mine["noise"] = ours.rms(model.noise_std_) / one.noise
    found = {ours.OURS: mine, **peer_scores(one)}
    if number == 0:
        std = strength_std(np.asarray(model.coef_std_).T[kept])
        found[CURVES] = curves(one, kept, weights, std)
    return found


def drawn(name: str, number: int, n_snapshots: int | None = None) -> Scene:
    """One draw of a setting."""
    _, decibels, usual, coherent, off_grid = SETTINGS[name]
    return scene(number, decibels, n_snapshots or usual, coherent=coherent, off_grid=off_grid)


def curves(one: Scene, kept: np.ndarray, weights: np.ndarray, std: np.ndarray) -> dict:
    """The pseudospectrum of MUSIC, and kept angles with their strength and its error bar."""
    return {
        "angles": one.angles,
        "music": np.log10(pseudospectrum(one.heard, len(one.angles))),
        "kept": GRID[kept],
        "strength": strengths(weights)[kept],
        "std": std,
    }


def tasks(quick: bool) -> list[Task]:
    """Each draw of each setting."""
    if quick:
        return [Task(f"{name}-00", direction_draw, (name, 0, 3)) for name in ("20dB", "coherent")]
    return [
        Task(f"{name}-{number:02}", direction_draw, (name, number))
        for name in SETTINGS
        for number in range(N_DRAWS)
    ]


def report(results: Mapping[str, dict]) -> list[Block]:
    """One row for each setting and method, and a picture of one draw."""
    text = (
        f"{N_SENSORS} sensors half a wavelength apart, a column for each whole degree; three "
        "sources, two of them 8 degrees apart. MUSIC is told that there are three, ours is told "
        "nothing; neighbouring angles that ours keeps count as one source."
    )
    rows = [
        [one.title, name, *_cells(of_set(results, key), name)]
        for key, one in SETTINGS.items()
        for name in NAMES
        if values_of(of_set(results, key), name, "exact")
    ]
    header = ["scene", "method", "draws", "all sources and no other, %", "sources found"]
    header += ["error, degrees", "columns kept", "noise / true", "seconds"]
    note = f"Found: within {NEAR:g} degrees. Errors are those of draws in which all are found."
    return [Text(text), Table(header, rows, note), *_figures(results)]


def _cells(results: Mapping[str, dict], name: str) -> list[str]:
    found = [one[name] for one in results.values() if name in one]
    share = 100.0 * np.mean([one["exact"] for one in found])
    forms = {"found": "{:.2f}", "error": "{:.2f}", "columns": "{:.1f}", "noise": "{:.2f}"}
    forms |= {"seconds": "{:.2g}"}
    cells = [mean_of(found, key, form) for key, form in forms.items()]
    return [str(len(found)), f"{share:.0f}", *cells]


def _figures(results: Mapping[str, dict]) -> list[Block]:
    drawings = {
        one.title: results[f"{key}-00"][CURVES]
        for key, one in SETTINGS.items()
        if key in ("20dB", "coherent") and CURVES in results.get(f"{key}-00", {})
    }
    if not drawings:
        return []
    caption = (
        "One draw. Line: the pseudospectrum of MUSIC, in powers of ten. Points: the strength of "
        "kept columns over snapshots, with two standard deviations of a weight of one snapshot. "
        "Dotted: the sources."
    )
    return [Figure(lambda canvas: draw(canvas, drawings), caption, (7.5, 2.8))]


def draw(canvas, drawings: Mapping[str, dict]) -> None:
    """A panel for each scene."""
    row = canvas.subplots(1, len(drawings), squeeze=False)[0]
    for axes, (title, one) in zip(row, drawings.items(), strict=True):
        for angle in one["angles"]:
            axes.axvline(angle, color="0.6", linestyle=":", linewidth=1)
        axes.plot(GRID, one["music"], color="C0", label="MUSIC")
        axes.set(title=title, xlabel="angle, degrees", ylabel="log10 pseudospectrum")
        right = axes.twinx()
        error = 2.0 * np.array(one["std"])
        right.errorbar(one["kept"], one["strength"], error, fmt="o", color="C1", label="ours")
        right.set_ylabel("strength, ours")
        right.set_ylim(bottom=0.0)


EXPERIMENTS = [
    Experiment(
        name="columns-directions",
        source="columns of your own",
        title="Directions of arrival, beside MUSIC",
        tasks=tasks,
        report=report,
    )
]
