"""Verdicts by mean and standard error over draws."""

from __future__ import annotations

from collections.abc import Sequence

from sparsebayes.reproduce.experiment import Status, Verdict, cell, mean_and_error


def against_paper(
    claim: str, values: Sequence[float], paper: float, *, form: str = "{:.3g}", reason: str = ""
) -> Verdict:
    """Better if lower than the paper's number by two standard errors, reproduced if within two.

    A single value has no standard error; it is reproduced if it is the paper's as printed.
    """
    mean, error = mean_and_error(values)
    printed = form.format(paper)
    slack = 2.0 * error if error == error else 0.0
    if mean < paper - slack and form.format(mean) != printed:
        status = Status.BETTER
    elif mean <= paper + slack or form.format(mean) == printed:
        status = Status.REPRODUCED
    else:
        status = Status.NOT
    why = f"Here {cell(values, form)}, in the paper {printed}."
    return Verdict(claim, status, f"{why} {reason}".strip() if status is Status.NOT else why)


def as_low(values: Sequence[float], paper: float) -> str:
    """How many draws are at or below the paper's number, where that is of one draw."""
    share = sum(value <= paper for value in values) / len(values)
    return f"The paper shows one draw; {share:.0%} of the draws here are at or below it."


def near(
    claim: str, values: Sequence[float], truth: float, *, form: str = "{:.3g}", reason: str = ""
) -> Verdict:
    """Reproduced if the mean is within two standard errors of the truth, on either side."""
    mean, error = mean_and_error(values)
    why = f"Here {cell(values, form)}, in truth {form.format(truth)}."
    if abs(mean - truth) <= 2.0 * error:
        return Verdict(claim, Status.REPRODUCED, why)
    return Verdict(claim, Status.NOT, f"{why} {reason}".strip())


def below(
    claim: str,
    ours: Sequence[float],
    theirs: Sequence[float],
    *,
    form: str = "{:.3g}",
    reason: str = "",
) -> Verdict:
    """Reproduced if ours is the lower on average; how sure that is, is told draw by draw."""
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    mean, error = mean_and_error(differences)
    why = f"Here {cell(ours, form)} against {cell(theirs, form)}"
    if error == error:
        within = " and within two standard errors" if abs(mean) <= 2.0 * error else ""
        why += f"; draw by draw the difference is {cell(differences, form)}{within}"
    why += "."
    if mean < 0.0:
        return Verdict(claim, Status.REPRODUCED, why)
    return Verdict(claim, Status.NOT, f"{why} {reason}".strip())
