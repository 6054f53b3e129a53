"""The eight studies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from studies.beyond.trust import (
    advice_report,
    categories,
    classes,
    few_rows,
    regression,
    replicates,
    report,
    sets,
    spectra,
    wide,
)
from studies.framework.experiment import Experiment, Task
from studies.framework.sets import set_draws

N_DRAWS = 10
# For novelty, which is sure after fewer.
N_NOVELTY = 5
SEVERAL_INPUTS = [name for name in sets.SETS if name not in sets.ONE_INPUT]
SOURCE = "beyond the papers"


def _tasks(
    function: Callable[..., dict],
    names: Sequence[str],
    n_draws: int,
    small: dict[str, dict[str, Any]],
    quick: bool,
) -> list[Task]:
    """Draws of these sets; if quick one draw of sets that are generated, in these sizes."""
    if quick:
        tasks = (set_draws(partial(function, **size), {name: 1}) for name, size in small.items())
        return [task for one in tasks for task in one]
    return set_draws(function, {name: 1 if name == "pima" else n_draws for name in names})


EXPERIMENTS = [
    Experiment(
        name="trust-regression",
        source=SOURCE,
        title="Regression in the data and off them, against a Gaussian process with all rows",
        tasks=partial(
            _tasks,
            regression.regression_draw,
            sets.SETS,
            N_DRAWS,
            {"friedman1-tied": {"n_train": 40}, "gap-sinc": {"n_train": 40}},
        ),
        report=report.regression_report,
    ),
    Experiment(
        name="trust-classes",
        source=SOURCE,
        title="Probabilities in the data and far from them, against peers",
        tasks=partial(
            _tasks, classes.class_draw, classes.SETS, N_DRAWS, {"moons": {"n_train": 60}}
        ),
        report=report.classes_report,
    ),
    Experiment(
        name="trust-novelty",
        source=SOURCE,
        title="Telling rows off the data from those in it",
        tasks=partial(
            _tasks,
            regression.novelty_draw,
            SEVERAL_INPUTS,
            N_NOVELTY,
            {"friedman1-tied": {"n_train": 40}},
        ),
        report=report.novelty_report,
    ),
    Experiment(
        name="trust-spectra",
        source=SOURCE,
        title="Spectra, whose inputs are collinear, against dense models",
        tasks=partial(
            _tasks,
            spectra.spectra_draw,
            spectra.SETS,
            N_DRAWS,
            {"nir": {"n_train": 30, "n_wavelengths": 12}},
        ),
        report=report.spectra_report,
    ),
    Experiment(
        name="trust-width",
        source=SOURCE,
        title="Twenty to sixty inputs: a scale for each, one for all, and an SVM",
        tasks=partial(
            _tasks, wide.width_draw, wide.SETS, N_DRAWS, {"three-of-30": {"n_train": 40}}
        ),
        report=report.width_report,
    ),
    Experiment(
        name="trust-few-rows",
        source=SOURCE,
        title="Fifteen and sixty rows: which error bars hold",
        tasks=partial(
            _tasks,
            few_rows.few_rows_draw,
            list(few_rows.PROBLEMS),
            N_DRAWS,
            {"sine": {"sizes": (15,)}},
        ),
        report=advice_report.few_rows_report,
    ),
    Experiment(
        name="trust-replicates",
        source=SOURCE,
        title="Samples that were measured several times",
        tasks=partial(
            _tasks,
            replicates.replicates_draw,
            ["spectra"],
            N_DRAWS,
            {"spectra": {"n_waves": 20}},
        ),
        report=advice_report.replicates_report,
    ),
    Experiment(
        name="trust-categories",
        source=SOURCE,
        title="A category of many levels: a column for each, or one that the target codes",
        tasks=partial(
            _tasks,
            categories.categories_draw,
            list(map(str, categories.LEVELS)),
            N_DRAWS,
            {"5": {"n_rows": 60}},
        ),
        report=advice_report.categories_report,
    ),
]
