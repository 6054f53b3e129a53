"""The reports behind advice: few rows, samples that were measured several times, categories."""

from __future__ import annotations

from statistics import mean, median

from studies.beyond.report import gaps, small_gaps
from studies.beyond.trust import categories, few_rows, replicates
from studies.beyond.trust.report import Results, means
from studies.framework import sets
from studies.framework.experiment import Block, Table, Text, Verdict, cell

# What is said of all problems together: a measure, and how it is made one number.
OVERALL = {
    "intervals hold, %": ("coverage", lambda found: f"{mean(found):.0f}"),
    "least on a problem, %": ("coverage", lambda found: f"{min(found):.0f}"),
    "NLPD, median": ("loss", lambda found: f"{median(found):.2f}"),
}


def few_rows_report(results: Results) -> list[Block]:
    """Coverage and loss over all problems, then the coverage on each."""
    text = Text(
        "Ten problems of known truth, ten draws of 15 and of 60 rows, and 500 new rows with noise "
        "for each. Intervals and densities are those of each model's own distribution. NLPD is "
        "minus the mean log density of new targets, which are standardised by the training rows."
    )
    sizes, kinds = few_rows.SIZES, few_rows.TITLES
    overall = [
        [title, *(_overall(results, f"{kind}_{n}", key) for n in sizes for key in OVERALL)]
        for kind, title in kinds.items()
    ]
    coverage = [
        [name, *(_coverages(results, name, kind) for kind in kinds)] for name in sets.names(results)
    ]
    return [
        text,
        Table(["model", *(f"{n} rows: {key}" for n in sizes for key in OVERALL)], overall),
        Table(
            ["problem", *kinds.values()],
            coverage,
            "Coverage by problem in percent, with 15 / with 60 rows.",
        ),
        *(_holds_more(results, kind) for kind in ("fast", "variational", "gp")),
    ]


def _overall(results: Results, kind: str, key: str) -> str:
    quantity, form = OVERALL[key]
    found = list(means(results, f"{kind}_{quantity}").values())
    return form(found) if found else "-"


def _coverages(results: Results, name: str, kind: str) -> str:
    found = [sets.mean(results, name, f"{kind}_{n}_coverage") for n in few_rows.SIZES]
    return " / ".join("-" if value != value else f"{value:.0f}" for value in found)


def _holds_more(results: Results, kind: str) -> Verdict:
    """Whether intervals of the default hold no fewer targets than others, at both sizes."""
    found = {
        f"{name}, {n} rows": gap
        for n in few_rows.SIZES
        for name, gap in gaps(results, "coverage", f"{kind}_{n}", f"default_{n}").items()
    }
    return small_gaps(f"default: intervals hold no fewer than {few_rows.TITLES[kind]}", found, 1.0)


def replicates_report(results: Results) -> list[Block]:
    """Error and coverage on new samples by way of the fit, and what held-out rows say."""
    text = Text(
        "40 samples with four spectra each and one content: means over ten draws of the error on "
        "300 new samples, and of the share that 90 % intervals hold. Rows and samples that are "
        "held out are those of 5 folds."
    )
    kinds = replicates.MODELS
    header = [f"{title}: {key}" for title, _ in kinds.values() for key in OF_NEW]
    rows = [
        [title, *(_mean(results, f"{kind}_{way}", key) for kind in kinds for key in OF_NEW)]
        for way, title in replicates.WAYS.items()
    ]
    claims = [
        small_gaps(
            f"{title}: fitted to means, intervals hold no fewer new samples than of all rows",
            gaps(results, "coverage", f"{kind}_all", f"{kind}_mean"),
        )
        for kind, (title, _) in kinds.items()
    ]
    return [text, Table(["way", *header], rows), *claims]


# What is said of new rows, and how it is written.
OF_NEW = {"error": ("error", "{:.3f}"), "90 % hold, %": ("coverage", "{:.0f}")}


def _mean(results: Results, kind: str, key: str) -> str:
    quantity, form = OF_NEW[key]
    found = list(means(results, f"{kind}_{quantity}").values())
    return form.format(mean(found)) if found else "-"


def categories_report(results: Results) -> list[Block]:
    """Error of regressions and log loss of classes by the number of levels."""
    text = Text(
        "600 rows of a category and four numbers, two of which matter; means over ten draws on "
        "2000 new rows."
    )
    columns = {"RMSE of `RVR()`": "error", "log loss of `RVC()`": "loss"}
    header = [f"{n} levels: {title}" for n in categories.LEVELS for title in columns]
    rows = [
        [
            title,
            *(
                cell(sets.values(results, str(n), f"{way}_{quantity}"), "{:.3f}")
                for n in categories.LEVELS
                for quantity in columns.values()
            ),
        ]
        for way, (title, _) in categories.WAYS.items()
    ]
    claim = "classes: TargetEncoder has the lower log loss"
    return [
        text,
        Table(["encoded by", *header], rows),
        small_gaps(claim, gaps(results, "loss", "target", "columns")),
        small_gaps(
            "regression: OneHotEncoder has the lower error",
            gaps(results, "error", "columns", "target"),
        ),
    ]
