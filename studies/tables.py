"""The tables of README and docs, each from packed results.

A marker such as `<!-- studies: t01-benchmarks 2 -->` asks for the second table in the report of a
study. Others ask for a text of this module, or of `studies.summaries`, by name.
"""

from __future__ import annotations

from collections.abc import Mapping

from studies.beyond.report import PROJECTIONS
from studies.catalogue import EXPERIMENTS
from studies.framework import sets
from studies.framework.comparison import Comparison, values_of
from studies.framework.experiment import Table, cell
from studies.framework.markdown import table_text
from studies.framework.packed import Packed
from studies.framework.section import Section, counts, duration, section
from studies.papers import bt00
from studies.papers.t01_report import PAPER_MEANS, normalised_means
from studies.summaries import (
    Results,
    Summaries,
    carry,
    choosing,
    classes,
    columns,
    many_rows,
    reliability,
    scales,
    speed,
    targets,
    trust,
    variational,
)
from studies.summaries import projection as projections

THEMES = (
    *(carry, choosing, classes, columns, many_rows, projections),
    *(reliability, scales, speed, targets, trust, variational),
)


class UnknownTableError(ValueError):
    """A marker asks for a table that does not exist."""


def block(name: str, results: Results) -> str | None:
    """What belongs between the markers of this name; None where there are no packed results."""
    if name in TABLES:
        needed, write = TABLES[name]
        return write(results) if all(one in results for one in needed) else None
    study, _, number = name.partition(" ")
    if study not in {one.name for one in EXPERIMENTS}:
        raise UnknownTableError(f"no study or table is called {study!r}; see studies/tables.py")
    if study not in results:
        return None
    tables = [one for one in _section(results[study]).blocks if isinstance(one, Table)]
    if not number.isdigit() or not 1 <= int(number) <= len(tables):
        raise UnknownTableError(f"{study} has {len(tables)} tables; there is no table {number!r}")
    return table_text(tables[int(number) - 1]._replace(note=""))


def _section(packed: Packed) -> Section:
    return section(packed.experiment, packed.results, "")


def times(results: Results) -> str:
    """What each study shows, and how long its tasks took one after the other."""
    rows = [
        (one.experiment.source, one.experiment.title, duration(one.results.seconds))
        for one in results.values()
    ]
    total = "all", "", duration(sum(one.results.seconds for one in results.values()))
    return table_text(Table(("source", "what it shows", "time"), [*rows, total]), "---")


def verdicts(results: Results) -> str:
    """How many tasks were run, how long they took, and how many claims fare how."""
    sections = [_section(one) for one in results.values()]
    n_tasks = sum(one.n_results for one in sections)
    seconds = duration(sum(one.seconds for one in sections))
    commits = ", ".join(dict.fromkeys(one.origin["commit"] or "?" for one in results.values()))
    return (
        f"{n_tasks} tasks took {seconds} one after the other (commit {commits}). "
        f"In all: {counts(sections)}."
    )


MODELS = {
    "paper": "RVM of the paper, width by cross-validation",
    "rvm": "the same model here",
    "default": '`inference="fast"`, scales learned: nothing chosen',
    "best": "projection with `fidelity=10` and linear columns: nothing chosen",
}


def benchmark_summary(results: Results) -> str:
    """Errors and vectors over the sets of [T01] 4.4, relative to a cross-validated SVM."""
    found = results["t01-benchmarks"].results.results
    means: dict[str, list[str]] = {kind: [] for kind in MODELS}
    for regression in (True, False):
        for quantity, stated in zip(("error", "vectors"), PAPER_MEANS[regression], strict=True):
            ours = normalised_means(found, regression, quantity)
            for kind in MODELS:
                value = stated if kind == "paper" else ours[kind]
                means[kind].append("-" if value is None else f"{value:.2f}")
    header = ["relative to the SVM", "regression: error", "vectors", "classes: error", "vectors"]
    return table_text(Table(header, [[MODELS[kind], *means[kind]] for kind in MODELS]))


def projection(results: Results) -> str:
    """Error, vectors and loss by set and fidelity."""
    found = results["beyond-projection"].results.results
    rows = [
        [name, *(_three(found, name, kind) for kind in PROJECTIONS)] for name in sets.names(found)
    ]
    header = ["set (error / vectors / loss)", *PROJECTIONS.values()]
    return table_text(Table(header, rows), "---")


def _three(found: Mapping[str, dict], name: str, kind: str) -> str:
    error, vectors, loss = (
        sets.mean(found, name, f"{kind}_{quantity}") for quantity in ("error", "vectors", "loss")
    )
    return f"{error:{'.0f' if error >= 100 else '.3g'}} / {vectors:.1f} / {loss:.3f}"


BT00 = {
    "bt00-table-1": ("Table 1: sinc, 50 points (RMS)", bt00.SINC),
    "bt00-table-2": ("Table 2: Boston, cubic kernel (squared)", bt00.BOSTON),
    "bt00-table-3": ("Table 3: Ripley, 100 rows (%)", bt00.RIPLEY),
    "bt00-table-4": ("Table 4: Pima (errors of 332)", bt00.PIMA),
}


def bt00_tables(results: Results) -> str:
    """The paper's numbers and ours, of the RVM and the variational RVM."""
    rows = []
    for name, (title, comparison) in BT00.items():
        found = results[name].results.results
        for model in ("RVM", "VRVM"):
            cells = [
                _paper_and_ours(comparison, found, model, measure)
                for measure in ("error", "kernels", "noise")
            ]
            rows.append([title if model == "RVM" else "", f"{model}, paper / ours", *cells])
    return table_text(Table(["[BT00]", "", "error", "kernels", "noise"], rows), "---")


def _paper_and_ours(comparison: Comparison, found: dict, model: str, measure: str) -> str:
    stated = comparison.paper[model].get(measure)
    if stated is None:
        return ""
    form = comparison.forms[measure]
    return f"{form.format(stated)} / {cell(values_of(found, model, measure), form)}"


# Name of a table -> the studies it needs, and what writes it.
TABLES: Summaries = {
    "times": (("t01-benchmarks",), times),
    "verdicts": (("t01-benchmarks",), verdicts),
    "benchmark-summary": (("t01-benchmarks",), benchmark_summary),
    "projection": (("beyond-projection",), projection),
    "bt00-tables": (tuple(BT00), bt00_tables),
    **{name: one for theme in THEMES for name, one in theme.TABLES.items()},
}
