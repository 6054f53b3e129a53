"""Where all active columns are found: shares of exact recoveries by rows and active columns.

400 columns, noise of 1 %. Rows are a share of the columns, and active columns one of the rows.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from studies.columns import ours, peers
from studies.columns.problems import Size, equal, plain, signed
from studies.columns.scores import compared
from studies.framework.experiment import Block, Figure, Table, Task

PREFIX = "phase"
N_COLUMNS, N_DRAWS, NOISE = 400, 50, 0.01
ROWS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
ACTIVE = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
WEIGHTS = {"equal": equal, "signed": signed}
TITLES = {"equal": "weights of 1 or -1", "signed": "weights of 0.5 to 1.5"}
METHODS = {ours.OURS: ours.fitted, peers.OMP_TOLD: peers.omp_told}


def cell_of(kind: str, rows: float, share: float, n_columns: int, n_draws: int) -> dict:
    """The share of exact recoveries of both methods, and their mean seconds, in one cell."""
    n_rows = round(rows * n_columns)
    size = Size(n_rows, n_columns, max(1, round(share * n_rows)))
    found = [
        compared(plain(number, size, NOISE, weights=WEIGHTS[kind]), METHODS)
        for number in range(n_draws)
    ]
    means = {
        name: {
            key: float(np.mean([one[name][key] for one in found])) for key in ("exact", "seconds")
        }
        for name in METHODS
    }
    return {"weights": kind, "rows": rows, "share": share, "draws": n_draws, **means}


def tasks(quick: bool) -> list[Task]:
    """A task for each cell, which has all its draws."""
    if quick:
        return [Task(f"{PREFIX}-equal-0.5-0.1", cell_of, ("equal", 0.5, 0.1, 40, 2))]
    return [
        Task(f"{PREFIX}-{kind}-{rows}-{share}", cell_of, (kind, rows, share, N_COLUMNS, N_DRAWS))
        for kind in WEIGHTS
        for rows in ROWS
        for share in ACTIVE
    ]


def grid(results: Mapping[str, dict], kind: str, method: str, key: str = "exact") -> np.ndarray:
    """Active columns by rows; NaN where a cell was not run."""
    values = np.full((len(ACTIVE), len(ROWS)), np.nan)
    for one in results.values():
        if one["weights"] == kind:
            values[ACTIVE.index(one["share"]), ROWS.index(one["rows"])] = one[method][key]
    return values


def report(results: Mapping[str, dict]) -> list[Block]:
    """How much of the diagram is recovered, and a picture."""
    if not results:
        return []
    lines = [
        [TITLES[kind], name, *_summary(results, kind, name)]
        for kind in WEIGHTS
        for name in METHODS
        if any(one["weights"] == kind for one in results.values())
    ]
    header = ["weights", "method", "exact over all cells, %"]
    header += [f"{rows:g} M rows: exact up to" for rows in ROWS] + ["seconds"]
    note = (
        f"{N_COLUMNS} columns, noise 1 %, {N_DRAWS} draws of each cell. Exact up to: the most "
        "active columns, relative to rows, up to which at least half of the draws are exact."
    )
    caption = (
        "Share of draws in which exactly the active columns are found, by rows relative to columns "
        "and active columns relative to rows: ours, OMP that is told their number, and ours minus "
        "OMP. Above: weights of 1 or -1; below: of 0.5 to 1.5 in size."
    )
    figure = Figure(lambda canvas: draw(canvas, results), caption, (7.5, 5.2))
    return [Table(header, lines, note), figure]


def _summary(results: Mapping[str, dict], kind: str, name: str) -> list[str]:
    exact = grid(results, kind, name)
    seconds = np.nanmean(grid(results, kind, name, "seconds"))
    return [f"{100 * np.nanmean(exact):.0f}", *map(_up_to, exact.T), f"{seconds:.2g}"]


def _up_to(column: np.ndarray) -> str:
    """The last of the first shares of active columns at which half of the draws are exact."""
    if np.isnan(column).all():
        return "-"
    good = np.cumprod(column[~np.isnan(column)] >= 0.5).sum()
    shares = np.array(ACTIVE)[~np.isnan(column)]
    return f"{shares[good - 1]:g}" if good else "none"


def draw(canvas, results: Mapping[str, dict]) -> None:
    """Rows of panels by weights; ours, OMP, difference."""
    for row, (kind, panels) in zip(
        canvas.subplots(len(WEIGHTS), 3, sharex=True, sharey=True), TITLES.items(), strict=True
    ):
        mine, told = (grid(results, kind, name) for name in METHODS)
        maps = [("ours", mine, "viridis", 0), ("OMP, told k", told, "viridis", 0)]
        for axes, (title, values, colours, least) in zip(
            row, [*maps, ("ours - OMP", mine - told, "RdBu", -1)], strict=True
        ):
            _panel(canvas, axes, values, colours, least)
            axes.set_title(title, fontsize=9)
        row[0].set_ylabel(f"active / rows\n({panels})")
    for axes in canvas.axes[3:6]:
        axes.set_xlabel("rows / columns")


def _panel(canvas, axes, values: np.ndarray, colours: str, least: int) -> None:
    edges = [
        np.append(np.array(side) - side[0] / 2, side[-1] + side[0] / 2) for side in (ROWS, ACTIVE)
    ]
    image = axes.pcolormesh(*edges, values, cmap=colours, vmin=least, vmax=1)
    canvas.colorbar(image, ax=axes)
