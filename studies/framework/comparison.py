"""A table of a paper beside ours over draws, and how each of its numbers fares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from studies.framework.experiment import Table, Verdict, cell
from studies.framework.verdict import judge


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
        """The row of one model, whether it is in the paper or not."""
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
        reason = self.reasons.get(f"{model}: {measure}", self.reasons.get(measure, ""))
        return judge(
            f"{model}: {measure} {form.format(stated)}",
            stated,
            values_of(results, model, measure),
            paper_draws=self.draws,
            error=self.errors.get(measure),
            both_sides=measure in self.estimates,
            form=form,
            reason=reason,
        )
