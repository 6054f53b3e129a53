"""Reading results, whose keys are such as "gp/auto-000", by model and set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from studies.framework import packed
from studies.framework.experiment import Block, Experiment, Table
from studies.framework.sets import mean, names

Results = Mapping[str, dict]
TITLES = {
    "default": "default",
    "gp": "Gaussian process",
    "svc": "SVC, Platt",
    "cat": "CatBoost",
    "hgb": "HistGradientBoosting",
    "lgb": "LightGBM",
    "ebm": "EBM",
    "logistic": "logistic",
    "linear": 'kernel="linear"',
    "learn": 'gamma="learn"',
    "ard": 'gamma="ard"',
    "nothing": "mean and spread",
}
NOTE = "Means over draws; one file of results for each model, set and draw."


def values(results: Results, kind: str, quantity: str) -> dict[str, float]:
    """By set the mean over draws of a quantity of one model, where it has one."""
    own = {
        key.removeprefix(f"{kind}/"): one
        for key, one in results.items()
        if key.startswith(f"{kind}/")
    }
    found = {name: mean(own, name, quantity) for name in names(own)}
    return {name: value for name, value in found.items() if value == value}


def on_common_draws(
    results: Results, kinds: tuple[str, str], quantity: str
) -> dict[str, tuple[float, float]]:
    """By set the means of a quantity of two models over the draws that both have."""
    drawn = [{k.partition("/")[2] for k in results if k.startswith(f"{kind}/")} for kind in kinds]
    common = drawn[0] & drawn[1]
    kept = {key: one for key, one in results.items() if key.partition("/")[2] in common}
    first, second = (values(kept, kind, quantity) for kind in kinds)
    return {name: (first[name], second[name]) for name in first if name in second}


def kinds_of(results: Results) -> list[str]:
    """The models that were run, in the order of their titles."""
    ran = {key.partition("/")[0] for key in results}
    return [kind for kind in TITLES if kind in ran]


def by_set(
    results: Results, quantity: str, chosen: Iterable[str] | None = None, form: str = "{:.3f}"
) -> Table:
    """A row for each set and a column for each model that has this quantity."""
    found = {kind: values(results, kind, quantity) for kind in kinds_of(results)}
    found = {kind: of for kind, of in found.items() if of}
    sets = dict.fromkeys(name for of in found.values() for name in of)
    kept = sets if chosen is None else [name for name in sets if name in set(chosen)]
    rows = [
        [name, *(form.format(of[name]) if name in of else "-" for of in found.values())]
        for name in kept
    ]
    return Table(["set", *(TITLES[kind] for kind in found)], rows, NOTE)


def beside(
    peers: Experiment,
    write: Callable[[Results], list[Block]],
    results: Results,
    folder: Path = packed.FOLDER,
) -> list[Block]:
    """A report on our results and on what is stored of the peers on the same sets."""
    stored = packed.load([peers], folder)
    others = stored[peers.name].results.results if peers.name in stored else {}
    ran = {set_of(key) for key in results}
    return write({**results, **{key: one for key, one in others.items() if set_of(key) in ran}})


def set_of(key: str) -> str:
    """The set in a key of results."""
    return key.partition("/")[2].rpartition("-")[0]


def beside_additive(results: Results, quantity: str) -> Table:
    """The default and additive trees on the same draws: what it is worth, seconds, numbers kept."""
    first = {key: one for key, one in results.items() if key.endswith("-000")}
    columns = {quantity: quantity, "seconds": "seconds", "vectors": "vectors", "numbers": "numbers"}
    found = {
        f"{title}, {TITLES[kind]}": values(first, kind, key)
        for key, title in columns.items()
        for kind in ("default", "ebm")
    }
    found = {title: of for title, of in found.items() if of}
    trees = values(first, "ebm", quantity)
    rows = [
        [name, *(f"{of[name]:.3g}" if name in of else "-" for of in found.values())]
        for name in trees
    ]
    return Table(["set", *found], rows, NOTE)
