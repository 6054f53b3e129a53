"""The report of the benchmark tables of [T01] 4.4."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import NamedTuple

from studies.data.samples import REGRESSION
from studies.framework import sets
from studies.framework.experiment import (
    Block,
    Status,
    Table,
    Text,
    Verdict,
    cell,
)
from studies.framework.verdict import ONE_FIT_VECTORS, judge, share_error

KINDS = ("svm", "rvm", "default", "best")
QUANTITIES = ("error", "vectors")
ETA_ERROR, ETA_VECTORS = 0.27, 11.5
# Of the paper's 1.00 for the SVM; Friedman 1 is not among its regression rows.
PAPER_MEANS = {True: (0.86, 0.15), False: (1.08, 0.17)}
MEASURES = (
    "**What the errors are.** The paper does not say. Friedman and Boston: mean squared error, of "
    "noise-free test targets for Friedman; classification: percent of test rows. The sinc rows are "
    "not the plain RMS to the true function, which is about a tenth of them here as in any fit of "
    "100 such points; **ten times the RMS** agrees with both of its RVM rows, and is what we "
    "show (neither 100 MSE nor the root of the sum of squares over the 1000 test points does)."
)
PROTOCOL = (
    "**Protocol.** Sizes of training and test sets as published; the published splits are not "
    "available, so draws are our own, the same for all models, with seeds from 100 on. The paper's "
    "numbers are means over 100 draws in regression and over 10 splits in classification, except "
    "for Pima and U.S.P.S., which are one split: there the verdicts take the standard error of a "
    "percentage of the test rows, and one half or 5 % of the vectors. Inputs (and targets of "
    "regressions) are standardised by the training rows; those of Boston, several of which have "
    "long tails, are brought to [0, 1] instead (on other draws that lowered the error of the RVM, "
    "and hardly changed that of the SVM). *RVM here*: Gaussian kernel, one width of eight by "
    '5-fold cross-validation (squared error, log loss), `inference="fast"`. *SVM here*: C and '
    "width of the same eight, and epsilon in regression, by 5-fold cross-validation. "
    '*Defaults here*: `inference="fast"`, one scale per input learned from the evidence, and '
    "nothing chosen. "
    '*Best here*: `GaussianKernel(input_scale="learn") + Linear() + Bias()` with '
    '`inference="projection"` and `fidelity=10`: a Gaussian process, and a few columns that '
    "say the same; nothing is chosen. Its vectors count kernels and linear columns."
)
SEEN = (
    "**What had been seen.** The tables were not set up blind. For the best here, bases and "
    "fidelities, four of each, were compared on other draws, with seeds below 100: new data for "
    "the generated sets, other splits of the same rows for the stored ones; Pima has but one "
    "split, and that was seen. Earlier runs on the draws of these tables had been seen as well, "
    "with the same SVM, RVM and defaults, and with other models as the best: learned scales with "
    "linear columns by evidence, the best of ten models by cross-validation, and, on five of the "
    "sets, this one with at most 1024 centres in its dense model. That there are now more was "
    "decided on rows held out of the training set of U.S.P.S., of which the dense model alone gets "
    "more right with more centres."
)
SETS = (
    "**Sets.** Pima is one split and has 7 inputs, not 8. U.S.P.S.: ten classifiers, each one "
    "against the rest, vectors summed; one fixed width for RVM and SVM, C = 10, and for the best "
    "here one learned width and no linear columns, to bound the time. Breast cancer and German "
    "have words, which are coded as numbers. Image: the published grouping of seven classes into "
    "two is not available; ours is sky, cement and window against the others, so its row compares "
    "RVM and SVM here, and is no more than a hint on the paper's. Boston is shown for comparison "
    "with the literature only: one of its inputs is ethically indefensible."
)


WIDTH_AND_SIZE = "widths are chosen by error; wider kernels have fewer vectors and a higher error"
# By set and quantity, why the paper's number may not be reproduced.
REASONS = {
    ("friedman2", "vectors"): "the error is far below the paper's, so that widths must differ",
    ("friedman3", "vectors"): WIDTH_AND_SIZE,
    ("boston", "error"): (
        "the SVM here is above the paper's 8.04, too; a few houses decide the error on 25 rows, "
        "and the published splits are not available"
    ),
    ("boston", "vectors"): WIDTH_AND_SIZE,
    ("usps", "vectors"): (
        "the width is not the cause: a wider and a narrower kernel have more vectors than the "
        "paper's, too, and a higher error than this one"
    ),
    ("german", "error"): (
        "the SVM here is above the paper's 22.6, too: these are other splits, and perhaps other "
        "codes for its words"
    ),
}


class Row(NamedTuple):
    """One data set, and the numbers of the paper.

    They are means over `paper_draws`; `n_test` is the number of test rows where it is one split.
    """

    key: str
    title: str
    n: int
    d: int
    svm_error: float
    rvm_error: float
    svm_vectors: float
    rvm_vectors: float
    paper_draws: int
    n_test: int | None = None

    def standard_error(self, quantity: str) -> float | None:
        """The error of the RVM's number where the paper has one split; None where draws tell it."""
        if self.n_test is None:
            return None
        if quantity == "error":
            return share_error(self.rvm_error, self.n_test)
        return max(ONE_FIT_VECTORS, 0.05 * self.rvm_vectors)

    @property
    def is_regression(self) -> bool:
        """Whether a data set is a row of the first table, which has regressions."""
        return self.key in REGRESSION


def _form(largest: float) -> str:
    return "{:.0f}" if largest >= 1000 else "{:.3g}"


def _number(value: float) -> str:
    return _form(value).format(value)


def _cell(values: Sequence[float]) -> str:
    return cell(values, _form(max(values, default=0.0)))


def _table(rows: list[Row], results, quantity: str) -> Table:
    """One quantity of all models on the sets of one of the two tables."""
    header = ["set", "N", "d", "paper SVM", "paper RVM", "SVM here", "RVM here", "defaults here"]
    lines = []
    for row in rows:
        paper = [_number(getattr(row, f"{kind}_{quantity}")) for kind in ("svm", "rvm")]
        ours = [_cell(sets.values(results, row.key, f"{kind}_{quantity}")) for kind in KINDS]
        n_draws = len(sets.values(results, row.key, f"rvm_{quantity}"))
        lines.append([row.title, str(row.n), str(row.d), *paper, *ours, str(n_draws)])
    lines.append(_normalised(rows, results, quantity))
    kind = "Errors" if quantity == "error" else "Numbers of vectors"
    note = f"{kind}, mean ± standard error over draws; one file of results for each set and draw."
    return Table([*header, "best here", "draws"], lines, note)


def _normalised(rows: list[Row], results, quantity: str) -> list[str]:
    """The row of normalised means."""
    regression = rows[0].is_regression
    paper = PAPER_MEANS[regression][QUANTITIES.index(quantity)]
    ours = normalised_means(results, regression, quantity).values()
    cells = ["-" if mean is None else f"{mean:.2f}" for mean in ours]
    return ["normalised mean", "", "", "1.00", f"{paper:.2f}", *cells, ""]


def normalised_means(results, regression: bool, quantity: str) -> dict[str, float | None]:
    """By model: the mean ratio to the SVM over the sets that the paper takes and that were run."""
    names = [name for name in sets.names(results) if (name in REGRESSION) == regression]
    found: dict[str, float | None] = {}
    for kind in KINDS:
        pairs = [
            [sets.mean(results, name, f"{each}_{quantity}") for each in (kind, "svm")]
            for name in names
            if name != "friedman1"
        ]
        ratios = [mean / svm for mean, svm in pairs if mean == mean and svm == svm]
        found[kind] = sum(ratios) / len(ratios) if ratios else None
    return found


def _verdict(row: Row, results, quantity: str) -> Verdict:
    """A verdict on the RVM with the paper's own choices, and what the SVM has."""
    paper = getattr(row, f"rvm_{quantity}")
    values = sets.values(results, row.key, f"rvm_{quantity}")
    verdict = judge(
        f"{row.title}: RVM {quantity} {_number(paper)}",
        paper,
        values,
        paper_draws=row.paper_draws,
        error=row.standard_error(quantity),
        form=_form(paper),
        reason=REASONS.get((row.key, quantity), ""),
    )
    svm = sets.values(results, row.key, f"svm_{quantity}")
    return verdict._replace(why=f"{verdict.why}; SVM {_cell(svm)} here") if svm else verdict


def _count(
    rows: list[Row],
    results,
    claim: str,
    needed: int,
    ours: str,
    limit: Callable[[Row], float],
    holds: Callable[[float, float], bool],
) -> Verdict:
    """The number of rows on which `holds(mean, limit)`; rows without either do not count."""
    pairs = [(row.title, sets.mean(results, row.key, ours), limit(row)) for row in rows]
    run = [(title, holds(mean, most)) for title, mean, most in pairs if mean + most == mean + most]
    n_good = sum(good for _, good in run)
    above = ", ".join(title for title, good in run if not good)
    why = f"{n_good} of the {len(run)} rows that were run" + (f"; not {above}" if above else "")
    if len(run) < needed:
        return Verdict(claim, Status.SKIPPED, f"{why}; too few rows for the claim")
    return Verdict(claim, Status.REPRODUCED if n_good >= needed else Status.NOT, why)


def _summary(rows: list[Row], results) -> list[Block]:
    claims: list[tuple] = [
        ("RVM errors at or below the paper's on at least 12 of 14 rows", 12, "rvm_error",
         lambda row: row.rvm_error, operator.le),
        ("RVM vectors at or below the paper's on at least 10 of 14 rows", 10, "rvm_vectors",
         lambda row: row.rvm_vectors, operator.le),
        ("Best here: lower error than the paper's RVM on at least 12 of 14 rows", 12, "best_error",
         lambda row: row.rvm_error, operator.lt),
        ("Best here: lower error than the SVM here on at least 10 of 14 rows", 10, "best_error",
         lambda row: sets.mean(results, row.key, "svm_error"), operator.lt),
    ]  # fmt: skip
    return [_count(rows, results, *claim) for claim in claims]


def _by_two_errors(rows: list[Row], results) -> Text:
    """The number of rows on which the RVM's number is the paper's or better, by the page's rule."""
    good = (Status.BETTER, Status.REPRODUCED)
    counts = {
        quantity: sum(_verdict(row, results, quantity).status in good for row in rows)
        for quantity in QUANTITIES
    }
    return Text(
        f"The claims below compare means, whatever their standard errors. By two standard errors "
        f"of the difference the RVM's errors are the paper's or better on {counts['error']} of "
        f"{len(rows)} rows, and its numbers of vectors on {counts['vectors']}."
    )


def _eta(rows: list[Row], results) -> list[Block]:
    """Friedman 1 with one scale per input."""
    row = next(row for row in rows if row.key == "friedman1")
    found = {
        kind: [sets.values(results, row.key, f"{kind}_{quantity}") for quantity in QUANTITIES]
        for kind in ("default", "best")
    }
    claim = "Friedman 1: η-RVM error 0.27, ten times below the RVM of one width"
    reason = "linear columns beside the kernels close the gap, see the table"
    return [
        _eta_table(found),
        *(
            judge(
                f"{claim}; {kind} here",
                ETA_ERROR,
                errors,
                paper_draws=row.paper_draws,
                reason=reason,
            )
            for kind, (errors, _) in found.items()
        ),
    ]


def _eta_table(found: dict[str, list]) -> Table:
    return Table(
        ["Friedman 1", "error", "vectors"],
        [
            ["paper η-RVM", str(ETA_ERROR), str(ETA_VECTORS)],
            ["defaults here: scales learned", *map(_cell, found["default"])],
            ["best here: linear columns besides, projection", *map(_cell, found["best"])],
        ],
        "Mean squared error of noise-free test targets; RVM and SVM are in the table above.",
    )


def report(rows: list[Row], results: dict[str, dict]) -> list[Block]:
    """Both tables, the eta-RVM, and a verdict for each row and each claim."""
    blocks: list[Block] = [Text(text) for text in (MEASURES, PROTOCOL, SEEN, SETS)]
    for title, regression in (("Regression", True), ("Classification", False)):
        part = [row for row in rows if row.is_regression == regression]
        blocks.append(Text(f"**{title}**"))
        blocks += [_table(part, results, quantity) for quantity in QUANTITIES]
        blocks += _eta(part, results) if regression else []
        blocks += [_verdict(row, results, quantity) for row in part for quantity in QUANTITIES]
    return [*blocks, Text("**In all**"), _by_two_errors(rows, results), *_summary(rows, results)]
