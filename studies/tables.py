"""The tables of README and docs, each from packed results.

A marker such as `<!-- studies: t01-benchmarks 2 -->` asks for the second table in the report of a
study. Others ask for a text of this module, or of `studies.summaries`, by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from studies.beyond.report import PROJECTIONS
from studies.catalogue import EXPERIMENTS
from studies.framework import sets
from studies.framework.comparison import Comparison, values_of
from studies.framework.experiment import Status, Table, Verdict, cell
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
    losses,
    many_rows,
    process,
    reliability,
    scales,
    speed,
    targets,
    trust,
    variational,
)
from studies.summaries import projection as projections

THEMES = (
    *(carry, choosing, classes, columns, losses, many_rows, process),
    *(projections, reliability, scales, speed, targets, trust, variational),
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
    """What each study of a paper shows, and how long its tasks took one after the other."""
    papers = _papers(results)
    rows = [
        (one.experiment.source, one.experiment.title, duration(one.results.seconds))
        for one in papers
    ]
    total = "all", "", duration(sum(one.results.seconds for one in papers))
    return table_text(Table(("source", "what it shows", "time"), [*rows, total]))


def verdicts(results: Results) -> str:
    """How many tasks the papers took, how long these ran, and how many claims fare how."""
    sections = [_section(one) for one in _papers(results)]
    n_tasks = sum(one.n_results for one in sections)
    seconds = duration(sum(one.seconds for one in sections))
    return (
        f"The studies of the papers have {n_tasks} tasks, which took {seconds} one after the "
        f"other. Of the claims: {counts(sections)}."
    )


def _papers(results: Results) -> list[Packed]:
    """The studies whose source is a paper, such as [T01]."""
    return [one for one in results.values() if one.experiment.source.startswith("[")]


def claims(results: Results) -> str:
    """By paper, how many claims fare how."""
    found: dict[str, Counter[Status]] = {}
    for one in _papers(results):
        of_paper = found.setdefault(one.experiment.source.split()[0], Counter())
        of_paper.update(_section(one).counts)
    rows = [[name, *(str(of[status]) for status in Status)] for name, of in found.items()]
    return table_text(Table(["paper", *(status.value for status in Status)], rows))


def not_reproduced(results: Results) -> str:
    """The claims of papers that did not hold here, and what was found, without reasons."""
    rows = [
        (one.experiment.source, each.claim, each.why.partition(": ")[0])
        for one in _papers(results)
        for each in _section(one).verdicts
        if each.status is Status.NOT
    ]
    return table_text(Table(("source", "claim", "what was found"), rows))


def benchmark_claims(results: Results) -> str:
    """On how many sets of [T01] 4.4 a claim holds, and on which it does not."""
    found = _section(results["t01-benchmarks"]).verdicts
    rows = [_by_two_errors(found, quantity) for quantity in ("error", "vectors")]
    for one in found:
        if "of 14 rows" in one.claim:
            held, _, others = one.why.partition("; not ")
            rows.append((one.claim, held.removesuffix(" rows that were run"), others or "-"))
    return table_text(Table(("claim", "holds on", "not on"), rows))


def _by_two_errors(found: Sequence[Verdict], quantity: str) -> tuple[str, str, str]:
    """On how many sets the RVM's number is the paper's or better, by two standard errors."""
    mark = f": RVM {quantity} "
    own = {one.claim.split(mark)[0]: one.status for one in found if mark in one.claim}
    bad = [title for title, status in own.items() if status in (Status.NOT, Status.SKIPPED)]
    claim = f"RVM {quantity} as the paper's or better, by two standard errors"
    return claim, f"{len(own) - len(bad)} of {len(own)}", ", ".join(bad) or "-"


def origins(results: Results) -> str:
    """How long each study took, and its commit, date and processor."""
    header = ("study", "what it shows", "tasks", "time", "commit", "date", "processor")
    rows = [
        (
            f"`{name}`",
            one.experiment.title,
            str(len(one.results.results)),
            duration(one.results.seconds),
            *(one.origin.get(key) or "-" for key in ("commit", "date")),
            one.origin.get("machine", {}).get("cpu", "-"),
        )
        for name, one in results.items()
    ]
    return table_text(Table(header, rows))


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
    return table_text(Table(header, rows))


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
    return table_text(Table(["[BT00]", "", "error", "kernels", "noise"], rows))


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
    "claims": (("t01-benchmarks",), claims),
    "not-reproduced": (("t01-benchmarks",), not_reproduced),
    "benchmark-claims": (("t01-benchmarks",), benchmark_claims),
    "origins": (("t01-benchmarks",), origins),
    "benchmark-summary": (("t01-benchmarks",), benchmark_summary),
    "projection": (("beyond-projection",), projection),
    "bt00-tables": (tuple(BT00), bt00_tables),
    **{name: one for theme in THEMES for name, one in theme.TABLES.items()},
}
