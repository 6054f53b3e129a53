"""Short tables on other targets: the usual model beside one with the likelihood of the target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from studies.framework.experiment import Table
from studies.framework.markdown import table_text
from studies.framework.sets import of_set
from studies.summaries import Results, Summaries, found_in
from studies.targets import counts, noise, ordinal, outliers
from studies.targets.shown import by_method, mean, shown


class Case(NamedTuple):
    """Data, the measure that is shown of them, and what another library is called."""

    title: str
    key: str
    other: str


class Theme(NamedTuple):
    """Cases of one study, whose results are lists over methods."""

    study: str
    methods: tuple[str, ...]
    measure: str
    quantity: str
    form: str
    usual: str
    likelihood: str
    cases: tuple[Case, ...]


NAMES = {
    outliers.HUBER: "Huber loss",
    noise.GP: "Gaussian process",
    ordinal.LINEAR: "linear ordered logit",
}
THEMES = (
    Theme(
        "targets-outliers",
        outliers.METHODS,
        "error of the function",
        "error",
        "{:.3f}",
        outliers.GAUSSIAN,
        outliers.STUDENT,
        tuple(
            Case(f"{title}, {share} % outliers", f"{name}-{share:02}", outliers.HUBER)
            for name, title in outliers.TITLES.items()
            for share in (0, 10)
        ),
    ),
    Theme(
        "targets-noise",
        tuple(noise.METHODS),
        "NLPD",
        "nlpd",
        "{:.3f}",
        noise.GAUSSIAN,
        noise.VARYING,
        (
            Case("motorcycle", "motorcycle", noise.GP),
            *(Case(f"simulated, {title}", key, noise.GP) for key, title in noise.SIMULATED.items()),
        ),
    ),
    Theme(
        "targets-ordinal",
        tuple(ordinal.METHODS),
        "ranked probability score",
        "rps",
        "{:.4f}",
        ordinal.PLAIN,
        ordinal.ORDINAL,
        tuple(Case(title, key, ordinal.LINEAR) for key, title in ordinal.TITLES.items()),
    ),
)


def by_likelihood(results: Results) -> str:
    """One row for each set: the usual model, that of the target, and another library."""
    rows = []
    for theme in THEMES:
        drawn = found_in(results, theme.study)
        rows += [_row(theme, case, of_set(drawn, case.key)) for case in theme.cases]
    header = ["data", "measure, lower is better", "usual model", "with the likelihood"]
    return table_text(Table([*header, "another library"], rows))


def _row(theme: Theme, case: Case, drawn: Mapping[str, dict]) -> list[str]:
    found = by_method(drawn, theme.methods)
    usual, likelihood, other = (
        shown(mean(found, method, theme.quantity), theme.form)
        for method in (theme.usual, theme.likelihood, case.other)
    )
    cells = [f"{theme.usual}: {usual}", f"{_short(theme.likelihood)}: {likelihood}"]
    return [case.title, theme.measure, *cells, f"{NAMES[case.other]}: {other}"]


def _short(method: str) -> str:
    """The likelihood of a call, as code."""
    return f"`{method.split('likelihood=')[1].rstrip('`)')}`"


COUNTED_BY = {
    counts.POISSON: '`"poisson"`',
    counts.NEGATIVE: '`"negative_binomial"`',
    counts.SPLINES: "splines",
    counts.TREES: "boosted trees",
    counts.GLM_POISSON: "linear, Poisson",
    counts.GLM_NEGATIVE: "linear, negative binomial",
    counts.TRUTH: "the truth",
}


def counted(results: Results) -> str:
    """The mean log probability of a held-out count, by set and method."""
    drawn = found_in(results, "targets-counts")
    rows = []
    for key, title in {**counts.SIMULATED, **counts.REAL_TITLES}.items():
        found = by_method(of_set(drawn, key), counts.ROWS)
        cells = [shown(mean(found, name, "log_probability"), "{:.2f}") for name in COUNTED_BY]
        rows.append([title, *cells])
    return table_text(Table(["data", *COUNTED_BY.values()], rows))


TABLES: Summaries = {
    "targets-by-likelihood": (tuple(theme.study for theme in THEMES), by_likelihood),
    "targets-counted": (("targets-counts",), counted),
}
