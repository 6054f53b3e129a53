"""Tables of methods, where a result has measures by method."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from studies.framework.comparison import values_of
from studies.framework.experiment import Table, mean_and_error
from studies.framework.sets import of_set

# Title of a column -> the measure, and how its mean is written.
Columns = Mapping[str, tuple[str, str]]


def mean(found: Mapping[str, dict], method: str, measure: str) -> float | None:
    """Over results; None where no result has it."""
    values = values_of(found, method, measure)
    return mean_and_error(values)[0] if values else None


def shown(value: float | None, form: str) -> str:
    """A number as a cell; a dash if there is none."""
    return "-" if value is None else form.format(value)


def table(
    results: Mapping[str, dict],
    sets: Mapping[str, str],
    methods: Iterable[str],
    columns: Columns,
    note: str,
) -> Table:
    """Means over draws: a row for each method in each set, by its title, that has results."""
    rows = []
    for name, title in sets.items():
        found = of_set(results, name)
        for method in methods:
            if any(method in one for one in found.values()):
                rows.append([title, method, *_cells(found, method, columns)])
    return Table(["data", "method", *columns], rows, note)


def _cells(found: Mapping[str, dict], method: str, columns: Columns) -> list[str]:
    return [shown(mean(found, method, measure), form) for measure, form in columns.values()]
