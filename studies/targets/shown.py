"""Tables of methods, and results as they are kept: for each measure a list over methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studies.framework.comparison import values_of
from studies.framework.experiment import Table, mean_and_error
from studies.framework.sets import of_set

DIGITS = 5
# Title of a column -> the measure, and how its mean is written.
Columns = Mapping[str, tuple[str, str]]


def by_measure(found: Mapping[str, dict], methods: Sequence[str]) -> dict:
    """Measure -> its values over methods with few digits, which takes less room in a file."""
    measures = dict.fromkeys(measure for one in found.values() for measure in one)
    return {
        measure: [_few_digits(found.get(method, {}).get(measure)) for method in methods]
        for measure in measures
    }


def _few_digits(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{DIGITS}g}")


def by_method(results: Mapping[str, dict], methods: Sequence[str]) -> dict[str, dict]:
    """Results by method: method -> measure -> value, where it has one."""
    return {key: _by_method(one, methods) for key, one in results.items()}


def _by_method(result: Mapping[str, list], methods: Sequence[str]) -> dict[str, dict]:
    found: dict[str, dict] = {method: {} for method in methods}
    for measure, values in result.items():
        for method, value in zip(methods, values, strict=True):
            if value is not None:
                found[method][measure] = value
    return found


def mean(found: Mapping[str, dict], method: str, measure: str) -> float | None:
    """The mean of a measure over results; None where no result has it."""
    values = values_of(found, method, measure)
    return mean_and_error(values)[0] if values else None


def shown(value: float | None, form: str) -> str:
    """A number as a cell; a dash if there is none."""
    return "-" if value is None else form.format(value)


def table(
    results: Mapping[str, dict],
    sets: Mapping[str, str],
    methods: Sequence[str],
    columns: Columns,
    note: str,
) -> Table:
    """Means over draws: a row for each method in each set, by its title, that has results."""
    rows = []
    for name, title in sets.items():
        found = of_set(results, name)
        for method in methods:
            if any(one.get(method) for one in found.values()):
                rows.append([title, method, *_cells(found, method, columns)])
    return Table(["data", "method", *columns], rows, note)


def _cells(found: Mapping[str, dict], method: str, columns: Columns) -> list[str]:
    return [shown(mean(found, method, measure), form) for measure, form in columns.values()]
