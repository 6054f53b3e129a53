"""Short tables on columns: how often the active ones are found, and whether that is sure."""

from __future__ import annotations

import numpy as np

from studies.columns import ours, peers
from studies.columns.inclusion import DICTIONARIES
from studies.columns.recovery import SETTINGS, SIZES
from studies.framework import sets
from studies.framework.comparison import values_of
from studies.framework.experiment import Table, mean_and_error
from studies.framework.markdown import table_text
from studies.summaries import Results, Summaries, found_in

FOUND_IN = {"noise-05": "independent", "neighbours-05": "neighbours correlated 0.9"}
FOUND_BY = {
    ours.OURS: "ours",
    peers.OMP_TOLD: "OMP, told how many",
    peers.OMP_CV: "OMP by CV",
    peers.LASSO: "LassoCV",
}
# Bins of `inclusion_` that are shown, by their numbers in the results.
BINS = {"0.95 and more": (6,), "0.5 to 0.95": (4, 5), "0.05 to 0.2": (2,)}


def found(results: Results) -> str:
    """In how many draws exactly the active columns are kept, by size and method."""
    drawn = found_in(results, "columns-recovery")
    rows = []
    for setting, title in FOUND_IN.items():
        for n_columns, size in SIZES.items():
            own = sets.of_set(drawn, f"{n_columns}-{setting}")
            if own:
                rows.append([title, f"{size.rows} x {n_columns}, {size.active}", *_of_set(own)])
    noise = 100.0 * SETTINGS["noise-05"].noise
    header = [f"columns (noise {noise:.0f} %)", "rows x columns, active"]
    header += [f"{name}: exact, %" for name in FOUND_BY.values()] + ["ours, seconds"]
    return table_text(Table(header, rows))


def _of_set(drawn: dict[str, dict]) -> list[str]:
    """Shares of exact draws by method, and the seconds of ours."""
    exact = [_mean(values_of(drawn, name, "exact"), 100.0, "{:.0f}") for name in FOUND_BY]
    return [*exact, _mean(values_of(drawn, ours.OURS, "seconds"), 1.0, "{:.2g}")]


def _mean(values: list[float], scale: float, form: str) -> str:
    return form.format(scale * mean_and_error(values)[0]) if values else "-"


def sure(results: Results) -> str:
    """By bins of `inclusion_`, its mean over columns and the share of these that is active."""
    drawn = found_in(results, "columns-inclusion")
    header = ["dictionary", "fits that have `inclusion_`, %", "kept columns that are active, %"]
    for name in BINS:
        header += [f"{name}: its mean", "active"]
    rows = [[DICTIONARIES[name].title, *_sureness(drawn, name)] for name in sets.names(drawn)]
    return table_text(Table(header, rows))


def _sureness(drawn: dict[str, dict], name: str) -> list[str]:
    draws, dense, kept, right = (
        sum(sets.values(drawn, name, key)) for key in ("draws", "dense", "kept", "found")
    )
    columns, said, active = (
        np.sum(sets.values(drawn, name, key), axis=0)
        for key in ("columns", "probability", "active")
    )
    cells = [f"{100 * draws / (draws + dense):.0f}", f"{100 * right / max(kept, 1):.0f}"]
    for places in map(list, BINS.values()):
        number = columns[places].sum()
        shares = (each[places].sum() / max(number, 1) for each in (said, active))
        cells += [f"{share:.2f}" for share in shares] if number else ["-", "-"]
    return cells


TABLES: Summaries = {
    "columns-found": (("columns-recovery",), found),
    "columns-sure": (("columns-inclusion",), sure),
}
