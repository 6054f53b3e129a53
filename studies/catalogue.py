"""All experiments, in the order of the page."""

from __future__ import annotations

from collections.abc import Sequence

from studies import carry, columns, process, scale, targets
from studies.beyond import (
    classes,
    draws,
    gibbs,
    kernel_objects,
    model_choice,
    offset,
    outputs,
    scales,
    trust,
)
from studies.framework.experiment import Experiment
from studies.papers import (
    b06,
    bt00,
    d14,
    kth,
    t01_benchmarks,
    t01_classifiers,
    t01_scales,
    t01_sinc,
)
from studies.reliability import faults, fuzz, laws
from studies.speed import default, foundation, optimum, peers, variational

PAPERS = (t01_sinc, t01_classifiers, t01_scales, t01_benchmarks, bt00, kth, b06, d14)
BEYOND = (
    draws,
    scales,
    model_choice,
    gibbs,
    classes,
    outputs,
    offset,
    kernel_objects,
    trust,
    process,
    columns,
    carry,
    targets,
)
RELIABILITY = (fuzz, laws, faults)
SPEED = (default, foundation, optimum, peers, variational, scale)
EXPERIMENTS: list[Experiment] = [
    one for module in (*PAPERS, *BEYOND, *RELIABILITY, *SPEED) for one in module.EXPERIMENTS
]


class UnknownNameError(ValueError):
    """No experiment has this name, and none begins with it."""


def chosen(names: Sequence[str]) -> list[Experiment]:
    """The experiments of these names or beginnings of names; all if no name is given."""
    wanted = {one.name for name in names for one in _named(name)}
    return [one for one in EXPERIMENTS if not names or one.name in wanted]


def listing(experiments: Sequence[Experiment]) -> str:
    """A line for each: name, source, title."""
    widths = [max((len(row[k]) for row in map(_head, experiments)), default=0) for k in (0, 1)]
    return "\n".join(
        f"{name:{widths[0]}}  {source:{widths[1]}}  {title}"
        for name, source, title in map(_head, experiments)
    )


def _head(experiment: Experiment) -> tuple[str, str, str]:
    return experiment.name, experiment.source, experiment.title


def _named(name: str) -> list[Experiment]:
    """The experiment of this name, or those whose names begin with it."""
    exact = [one for one in EXPERIMENTS if one.name == name]
    found = exact or [one for one in EXPERIMENTS if name and one.name.startswith(name)]
    if not found:
        raise UnknownNameError(
            f"no experiment is called {name!r}; there are\n{listing(EXPERIMENTS)}"
        )
    return found
