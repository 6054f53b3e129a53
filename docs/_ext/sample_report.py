"""A report for readers to open, written when the site is built: `battery_report.html`."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from sphinx.application import Sphinx

from sparsebayes import RVR
from sparsebayes.report import write_report

NAME = "battery_report.html"


def write(app: Sphinx, failed: Exception | None) -> None:
    """Write the report of a model of the battery cells."""
    if failed is not None or app.builder.format != "html":
        return
    cells = pd.read_csv(Path(app.srcdir) / "data" / "battery.csv")
    inputs = pd.get_dummies(cells.drop(columns="capacity"), dtype=float)
    model = RVR().fit(inputs, cells["capacity"])
    write_report(model, inputs, cells["capacity"], Path(app.outdir) / NAME)


def setup(app: Sphinx) -> dict[str, bool]:
    """After the pages."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True}
