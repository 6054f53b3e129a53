"""The picture of the motorcycle data."""

from __future__ import annotations

from typing import Any

SIZE = 9.0, 3.6
TITLES = ("One noise for all rows: RVR()", 'Noise that varies: likelihood="heteroscedastic"')


def draw_bands(figure: Any, found: dict) -> None:
    """Data, mean, and central 95 % of both models side by side."""
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    for ax, title, band in zip(axes, TITLES, found["bands"].values(), strict=True):
        ends = band["low"], band["high"]
        ax.fill_between(found["grid"], *ends, color="C0", alpha=0.2, lw=0.0, label="central 95 %")
        ax.plot(found["grid"], band["mean"], color="C0", label="mean")
        ax.plot(found["times"], found["y"], ".", color="black", ms=4.0, label="data")
        ax.set_title(title, fontsize=10)
        ax.set_xlabel("time after impact, ms")
    axes[0].set_ylabel("acceleration, g")
    axes[0].legend(loc="lower right")
