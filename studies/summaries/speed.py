"""Summaries of speed, and the one table that compares this package with what one takes instead."""

from __future__ import annotations

from functools import partial
from statistics import median
from typing import NamedTuple

from studies.framework import sets
from studies.framework.experiment import Table, Text
from studies.framework.markdown import table_text
from studies.speed.default import geometric_mean, mean_score, ratio
from studies.summaries import Results, Summaries, found_in
from studies.summaries.choosing import error_ratios, middle, times_lowest

SHOWN = (100, 500, 1000, 4000)


def default_fits(results: Results) -> str:
    """Seconds of `RVR()` at a few sizes, beside a Gaussian process and one SVR."""
    found = found_in(results, "speed-default")
    rows = []
    for n_rows in SHOWN:
        if f"regression-{n_rows}" in found:
            draws = found[f"regression-{n_rows}"]["rows"]
            rows.append([
                str(n_rows),
                f"{geometric_mean(draws, 'RVR()'):.2f}",
                *(ratio(draws, "RVR()", peer) for peer in ("process", "SVR")),
                *(mean_score(draws, name) for name in ("RVR()", "process", "SVR")),
            ])  # fmt: skip
    header = ["N", "`RVR()`, s", "seconds / Gaussian process", "seconds / one SVR"]
    header += ["R²", "R² of the process", "R² of the SVR"]
    return table_text(Table(header, rows))


class Method(NamedTuple):
    """A method, and what the studies of regression, two and more classes call it."""

    title: str
    regression: str | None = None
    two: str | None = None
    more: str | None = None


METHODS = (
    Method("`RVR()`, `RVC()`: nothing tuned", "default", "default", "default"),
    Method('the same, `inference="fast"`', "fast", "fast", "ovr"),
    Method("Gaussian process", "gp", "gp1"),
    Method("SVM, tuned by cross-validation", None, "svc", "svc"),
    Method("logistic regression, tuned", more="logistic"),
    Method("random forest, 500 trees", more="forest"),
    Method("gradient boosting", more="boosting"),
)
HEADER = (
    "method",
    "regression: error (Gaussian process = 1)",
    "two classes: wrong, % / log loss",
    "3 to 26 classes: wrong, % / log loss",
    "lowest log loss on",
    "vectors: two / more classes",
    "fit, s: two / more classes",
)


def comparison(results: Results) -> str:
    """A row for each method: error, log loss, size and seconds, medians over sets."""
    more = found_in(results, "classes")
    best = times_lowest(more, [one.more for one in METHODS if one.more], "loss")
    rows = []
    for one in METHODS:
        wins = f"{best[one.more]} of {len(sets.names(more))} sets" if one.more else "-"
        quality = [_error_and_loss(results, study, name) for study, name in _kinds(one)]
        cells = [_error(results, one), *quality, wins, *_size_and_time(results, one)]
        rows.append([one.title, *cells])
    return table_text(Table(HEADER, rows, _note(results)))


def _note(results: Results) -> str:
    regressions, two, more = (
        len(sets.names(found_in(results, study))) for study in ("trust-regression", *STUDIES)
    )
    return (
        f"Medians over {regressions} sets of regression, {two} of two classes and {more} of more. "
        "Log loss is low where probabilities are right, and high where a model is sure and wrong. "
        "Vectors are the training rows that predictions need; error bars need some more. Seconds "
        'include tuning, and two starts of the Gaussian process. With more classes, "fast" takes '
        "each against the rest."
    )


STUDIES = ("trust-classes", "classes")


def _kinds(one: Method) -> list[tuple[str, str | None]]:
    return list(zip(STUDIES, (one.two, one.more), strict=True))


def _error(results: Results, one: Method) -> str:
    """The median over sets of the error over that of the Gaussian process."""
    if one.regression is None:
        return "-"
    ratios = error_ratios(found_in(results, "trust-regression"), one.regression, "gp")
    return f"{median(ratios):.2f}"


def _error_and_loss(results: Results, study: str, name: str | None) -> str:
    if name is None:
        return "-"
    error, loss = (
        middle(found_in(results, study), f"{name}_{quantity}", form)
        for quantity, form in (("error", "{:.1f}"), ("loss", "{:.3f}"))
    )
    return f"{error} / {loss}"


def _size_and_time(results: Results, one: Method) -> list[str]:
    """Vectors and seconds of two and of more classes."""
    cells = []
    for quantity, form in (("vectors", "{:.0f}"), ("seconds", "{:.2f}")):
        pair = [
            middle(found_in(results, study), f"{name}_{quantity}", form) if name else "-"
            for study, name in _kinds(one)
        ]
        cells.append("-" if pair == ["-", "-"] else " / ".join(pair))
    return ["all rows", cells[1]] if one.regression == "gp" else cells


def said(study: str, results: Results) -> str:
    """The sentences in the report of a study."""
    blocks = results[study].experiment.report(found_in(results, study))
    return "\n\n".join(block.text for block in blocks if isinstance(block, Text))


TABLES: Summaries = {
    "speed-summary": (("speed-default",), default_fits),
    "speed-fastrvm": (("speed-peers",), partial(said, "speed-peers")),
    "speed-growth": (("speed-variational",), partial(said, "speed-variational")),
    "comparison": ((*STUDIES, "trust-regression"), comparison),
}
