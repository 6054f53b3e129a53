"""What an experiment is made of, and what its report consists of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple


class MissingDataError(Exception):
    """A data set is not at hand; the message says how to get it."""


class Task(NamedTuple):
    """One piece of work: `function(*arguments)` returns numbers and lists of them, as JSON has it.

    The key names the file of the result, and with a slash in it also the folder; it is unique
    within the experiment. Arrays come back from the file as lists. The function is one
    of a module, so that it can be sent to another process. It raises `MissingDataError` where a
    data set is not at hand.
    """

    key: str
    function: Callable[..., dict]
    arguments: tuple = ()


# The key of the first of `draws`.
FIRST = "draw-00"


def draws(
    function: Callable[..., dict],
    n_draws: int,
    *more,
    quick_more: tuple = (),
    key: str = "draw-{:02}",
) -> Callable[[bool], list[Task]]:
    """The tasks of an experiment over draws, `function(seed, *more)` for each seed.

    If quick it is one draw, and the function is given `quick_more` besides.
    """

    def tasks(quick: bool) -> list[Task]:
        arguments = (*more, *quick_more) if quick else more
        seeds = range(1 if quick else n_draws)
        return [Task(key.format(seed), function, (seed, *arguments)) for seed in seeds]

    return tasks


class Text(NamedTuple):
    """A paragraph; **bold**, *emphasis*, `code` and links as in Markdown."""

    text: str


class Table(NamedTuple):
    """Cells as strings; `note` says what the columns are, and which files they come from."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


class Figure(NamedTuple):
    """A picture drawn by `draw(figure)` on a matplotlib figure of this size, and its caption."""

    draw: Callable[[Any], None]
    caption: str
    size: tuple[float, float] = (7.0, 3.2)


class Status(Enum):
    """How a claim of a paper fares."""

    BETTER = "better"
    REPRODUCED = "reproduced"
    NOT = "not reproduced"
    SKIPPED = "skipped"


class Verdict(NamedTuple):
    """One line on a claim: what the paper says, how it fares here, and why."""

    claim: str
    status: Status
    why: str


Block = Text | Table | Figure | Verdict


@dataclass(frozen=True)
class Experiment:
    """A table or a figure of a paper.

    Parameters
    ----------
    name : as typed on the command line, for instance "t01-figure-2"
    source : the paper and the number there, for instance "[T01] Figure 2"
    title : what it shows
    tasks : quick -> the tasks; few of them, and small, if quick
    report : results by key of task -> blocks; tasks whose data are missing have no result
    """

    name: str
    source: str
    title: str
    tasks: Callable[[bool], list[Task]]
    report: Callable[[dict[str, dict]], list[Block]]


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean over draws, and its standard error (NaN for a single draw)."""
    n = len(values)
    mean = sum(values) / n
    if n < 2:
        return mean, float("nan")
    variance = sum((value - mean) ** 2 for value in values) / (n - 1)
    return mean, (variance / n) ** 0.5


# How a mean is written where nothing else is said, and its standard error.
MEAN_FORM, ERROR_FORM = "{:.3g}", "{:.2g}"


def cell(values: Sequence[float], form: str = MEAN_FORM) -> str:
    """Mean +- standard error as a cell of a table; a dash if there are no values."""
    if not len(values):
        return "-"
    mean, error = mean_and_error(values)
    shown = form.format(mean)
    error_form = ERROR_FORM if form == MEAN_FORM else form
    return shown if error != error else f"{shown} ± {error_form.format(error)}"
