"""The tasks: one for each model, set and draw, so that those of peers outlast our changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from studies.framework.experiment import Task
from studies.process import ours, peers
from studies.process.measuring import raw, scaled
from studies.process.sets import MANY_CLASSES, REGRESSIONS, TWO_CLASSES, WIDE

N_DRAWS = 3
# Additive trees take a minute for a fit, so that one draw has to do, and of two classes only; with
# more than fifty inputs they take several.
FEWER = {"ebm": 1}
MANY_INPUTS = ("yield", "meats", "attrition", "caravan", "cells", "german")
# Tables with fewer than a hundred test rows, whose intervals need more draws to be judged.
SMALL = ("yield", "meats", "hitters", "ozone", "cpus", "athletes", "ethanol", "power")
N_SMALL = 10
CLASSES = {**TWO_CLASSES, **MANY_CLASSES}


def regression_peer(kind: str, name: str, number: int) -> dict[str, float]:
    """What a peer is worth on a draw of a regression."""
    return peers.REGRESSION[kind](scaled(name, raw(name, number)))


def class_peer(kind: str, name: str, number: int) -> dict[str, float]:
    """What a peer is worth on a draw of two or many classes."""
    return peers.CLASSES[kind](scaled(name, raw(name, number)))


def tasks_of(
    function: Callable[..., dict], kinds: Iterable[str], names: Iterable[str]
) -> list[Task]:
    """A task for each kind of model, draw and set; all sets have one draw before the next."""
    names = list(names)
    return [
        Task(f"{kind}/{name}-{number:03}", function, (kind, name, number))
        for kind in kinds
        for number in range(N_SMALL)
        for name in names
        if number < n_draws(kind, name)
    ]


def n_draws(kind: str, name: str) -> int:
    """How many draws of a set a model has."""
    if kind in FEWER:
        return 0 if name in MANY_INPUTS else FEWER[kind]
    return N_SMALL if name in SMALL else N_DRAWS


def one_draw(function: Callable[..., dict], kinds: Iterable[str], name: str) -> list[Task]:
    """The first draw of one set, for each kind of model."""
    return [Task(f"{kind}/{name}-000", function, (kind, name, 0)) for kind in kinds]


def regression_peers(quick: bool) -> list[Task]:
    """All peers on all regressions; if quick two of them on one."""
    if quick:
        return one_draw(regression_peer, ("gp", "hgb"), "ethanol")
    return tasks_of(regression_peer, peers.REGRESSION, REGRESSIONS)


def class_peers(quick: bool) -> list[Task]:
    """All peers on all sets of classes, additive trees on two classes only."""
    if quick:
        return one_draw(class_peer, ("hgb", "logistic"), "monks")
    fast = [kind for kind in peers.CLASSES if kind not in FEWER]
    return [*tasks_of(class_peer, fast, CLASSES), *tasks_of(class_peer, FEWER, TWO_CLASSES)]


def defaults(names: Mapping[str, object], small: str, quick: bool) -> list[Task]:
    """The default model on all sets, or on a small one if quick."""
    kinds = ("default",)
    return one_draw(ours.worth, kinds, small) if quick else tasks_of(ours.worth, kinds, names)


def structures(quick: bool) -> list[Task]:
    """All structures of ours, and what is known without inputs, on the sets of many inputs."""
    kinds = (*ours.STRUCTURES, ours.NOTHING)
    if quick:
        return one_draw(ours.worth, ("linear", ours.NOTHING), "rounded")
    return tasks_of(ours.worth, kinds, WIDE)
