"""How a claim of a paper fares: the one rule for numbers over draws.

A number of a paper and ours are the same if they are within two standard errors of their
difference. Less is better, unless something known is estimated.
"""

from __future__ import annotations

from collections.abc import Sequence

from studies.framework.experiment import Status, Verdict, cell, mean_and_error

SKIPPED = "no result of this run: the data are not at hand, or the tasks were not run"
# Draws below which they do not tell how far they spread.
FEWEST = 3
# Standard errors for `judge` where there is one fit: one vector more or less is no difference, nor
# is, without noise, one thousandth in the error of a function of height 1.
ONE_FIT_VECTORS = 0.5
ONE_FIT_ERROR = 0.0005


def judge(
    claim: str,
    paper: float,
    values: Sequence[float],
    *,
    paper_draws: float = 1,
    error: float | None = None,
    both_sides: bool = False,
    form: str = "{:.3g}",
    reason: str = "",
) -> Verdict:
    """Better or not by more than two standard errors of the difference, less being better.

    The paper's number is a mean over `paper_draws`, taken to vary from draw to draw as ours do. It
    is rounded: ours is no different from it if both print the same.

    Parameters
    ----------
    paper_draws : infinite if the number is not of a paper but the truth
    error : standard error of the difference, where draws cannot tell (a single fit or test set)
    both_sides : whether less is no better than more, as with an estimate of something known
    reason : why it may not be reproduced; told if it is not
    """
    n = len(values)
    if not n:
        return Verdict(claim, Status.SKIPPED, SKIPPED)
    mean, own = mean_and_error(values)
    why = f"ours {cell(values, form)}{_over(n)}, {_stated(paper, values, paper_draws, form)}"
    if error is None and n < FEWEST:
        return Verdict(claim, Status.SKIPPED, f"{why}; so few do not tell")
    if error is None:
        error = own * (1.0 + n / paper_draws) ** 0.5
    difference = 0.0 if form.format(mean) == form.format(paper) else mean - paper
    status = _status(difference, error, both_sides)
    why += f" (difference {mean - paper:.2g}, its standard error {error:.2g})"
    return Verdict(claim, status, _because(why, status, reason))


def _over(n: int) -> str:
    return "" if n == 1 else f" over {n} draws"


def _stated(paper: float, values: Sequence[float], paper_draws: float, form: str) -> str:
    """The number that ours is compared with, and what is known of it."""
    if paper_draws == float("inf"):
        return f"in truth {form.format(paper)}"
    if paper_draws > 1 or len(values) < FEWEST:
        return f"the paper's {form.format(paper)}"
    as_low = sum(value <= paper for value in values)
    return f"the paper's {form.format(paper)} of one draw, which {as_low} here are at or below"


def _status(difference: float, error: float, both_sides: bool) -> Status:
    if abs(difference) <= 2.0 * error:
        return Status.REPRODUCED
    return Status.BETTER if difference < 0.0 and not both_sides else Status.NOT


def _because(why: str, status: Status, reason: str) -> str:
    """What was found, with the reason if the claim is not reproduced."""
    return f"{why}: {reason}" if reason and status is Status.NOT else why


def below(
    claim: str,
    ours: Sequence[float],
    theirs: Sequence[float],
    *,
    form: str = "{:.3g}",
    reason: str = "",
) -> Verdict:
    """Reproduced if ours is the lower on average; how sure that is, is told draw by draw.

    For two models here, on the same draws.
    """
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    mean, error = mean_and_error(differences)
    why = f"{cell(ours, form)} against {cell(theirs, form)}"
    if len(differences) > 1:
        within = " and within two standard errors" if abs(mean) <= 2.0 * error else ""
        why += f"; draw by draw the difference is {cell(differences, form)}{within}"
    status = Status.REPRODUCED if mean < 0.0 else Status.NOT
    return Verdict(claim, status, _because(why, status, reason))


def share_error(percent: float, n_rows: int) -> float:
    """Standard error of a percentage of independent test rows."""
    return (percent * (100.0 - percent) / n_rows) ** 0.5
