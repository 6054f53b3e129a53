"""What can be said of a target by --likelihood, and which targets it goes with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sparsebayes.cli.messages import MisuseError, RefusedError, listed

if TYPE_CHECKING:
    from sparsebayes.cli.tables import Table
    from sparsebayes.cli.targets import Target

OF_NUMBERS = ("student_t", "poisson", "negative_binomial", "heteroscedastic")
OF_CLASSES = ("ordinal",)


def asked_kind(classify: bool, regress: bool, likelihood: str | None) -> tuple[bool, bool]:
    """Whether a classification is asked for, and whether a regression is; --likelihood says so."""
    if likelihood is None:
        return classify, regress
    of_classes = likelihood in OF_CLASSES
    if (regress and of_classes) or (classify and not of_classes):
        kind, flag = ("classes", "--regress") if of_classes else ("numbers", "--classify")
        raise MisuseError(
            f"--likelihood {likelihood} is for a target of {kind}, and {flag} was given: leave out "
            "one of them."
        )
    return of_classes, not of_classes


def check_likelihood(table: Table, target: Target, likelihood: str | None) -> None:
    """An error where targets are none that a likelihood is for."""
    where = f"{table.path}: column {target.name!r}"
    if likelihood in OF_CLASSES and target.values.dtype.kind not in "biuf":
        raise RefusedError(
            f"{where} holds texts such as {listed(target.values[:1])}, whose order is not known. "
            f"--likelihood {likelihood} takes whole numbers, 1 for the lowest class, 2 for the "
            "next; in Python, Ordinal(order=...) takes texts."
        )
    if likelihood in OF_NUMBERS:
        from sparsebayes import targets

        try:
            targets.asked_target(likelihood, targets.OF_NUMBERS).check(target.values)
        except ValueError as error:
            raise RefusedError(f"{where}: {error}") from error
