"""A table of a paper beside ours over draws, and how each of its numbers fares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sparsebayes.reproduce.experiment import Status, Table, Verdict, cell, mean_and_error

SKIPPED = "no result of this run: the data are not at hand, or the tasks were not run"
# Draws below which no verdict is given.
FEWEST = 3


def judge(
    claim: str,
    paper: float,
    values: Sequence[float],
    *,
    paper_draws: int = 1,
    error: float | None = None,
    both_sides: bool = False,
    form: str = "{:.3g}",
) -> Verdict:
    """Better or not by more than two standard errors of the difference, less being better.

    The paper's number is a mean over `paper_draws`, taken to vary from draw to draw as ours do.

    Parameters
    ----------
    error : standard error of the difference, where draws cannot tell (a single test set)
    both_sides : whether less is no better than more, as with an estimate of something known
    """
    if not len(values):
        return Verdict(claim, Status.SKIPPED, SKIPPED)
    mean, own = mean_and_error(values)
    n = len(values)
    draws = "one draw" if n == 1 else f"{n} draws"
    why = f"ours {cell(values, form)} over {draws}, the paper's {form.format(paper)}"
    if error is None and n < FEWEST:
        return Verdict(claim, Status.SKIPPED, f"{why}; so few do not tell")
    if error is None:
        error = own * (1.0 + n / paper_draws) ** 0.5
    if paper_draws == 1 and n >= FEWEST and not both_sides:
        why += f" of one draw, which {sum(value <= paper for value in values)} here are at or below"
    why += f" (difference {mean - paper:.2g}, its standard error {error:.2g})"
    return Verdict(claim, _status(mean - paper, error, both_sides), why)


def _status(difference: float, error: float, both_sides: bool) -> Status:
    if abs(difference) <= 2.0 * error:
        return Status.REPRODUCED
    return Status.BETTER if difference < 0.0 and not both_sides else Status.NOT


def values_of(results: Mapping[str, dict], model: str, measure: str) -> list[float]:
    """A measure of a model in all results that have it."""
    return [
        result[model][measure]
        for result in results.values()
        if measure in result.get(model, {}) and result[model][measure] is not None
    ]


@dataclass(frozen=True)
class Comparison:
    """Measures of some models as a paper has them; a result has the same two keys for a draw.

    Parameters
    ----------
    paper : model -> measure -> number
    forms : measure -> how to write it
    draws : how many the paper's numbers are means of
    errors : measure -> standard error, where draws cannot tell
    estimates : measures of which less is not better
    reasons : measure, or "model: measure", -> why it may not be reproduced
    """

    paper: Mapping[str, Mapping[str, float]]
    forms: Mapping[str, str]
    draws: int = 1
    errors: Mapping[str, float] = field(default_factory=dict)
    estimates: Sequence[str] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)

    def table(self, results: Mapping[str, dict], note: str = "") -> Table:
        """A row for each model: for each measure the paper's number and ours."""
        header = [""]
        for measure in self.forms:
            header += [f"{measure}, paper", "here"]
        rows = [self.row(model, results) for model in self.paper]
        n = len(results)
        here = "one draw" if n == 1 else f"mean ± standard error over {n} draws"
        return Table(header, rows, f"Here: {here}. {note}".strip())

    def row(self, model: str, results: Mapping[str, dict]) -> list[str]:
        """Of one model, whether it is in the paper or not."""
        row = [model]
        for measure, form in self.forms.items():
            stated = self.paper.get(model, {}).get(measure)
            row += ["" if stated is None else form.format(stated)]
            row += [cell(values_of(results, model, measure), form)]
        return row

    def verdicts(self, results: Mapping[str, dict], models: Sequence[str]) -> list[Verdict]:
        """One for each number that the paper states of these models."""
        return [
            self._verdict(model, measure, results)
            for model in models
            for measure in self.forms
            if measure in self.paper[model]
        ]

    def _verdict(self, model: str, measure: str, results: Mapping[str, dict]) -> Verdict:
        stated, form = self.paper[model][measure], self.forms[measure]
        verdict = judge(
            f"{model}: {measure} {form.format(stated)}",
            stated,
            values_of(results, model, measure),
            paper_draws=self.draws,
            error=self.errors.get(measure),
            both_sides=measure in self.estimates,
            form=form,
        )
        reason = self.reasons.get(f"{model}: {measure}", self.reasons.get(measure))
        if verdict.status is not Status.NOT or reason is None:
            return verdict
        return verdict._replace(why=f"{verdict.why}: {reason}")
