"""`python -m studies.pictures` draws the pictures of the docs from packed results.

Each is the first figure in the report of a study.
"""

from __future__ import annotations

from pathlib import Path

from studies.catalogue import EXPERIMENTS
from studies.framework import packed
from studies.framework.experiment import Figure
from studies.framework.origin import ROOT
from studies.framework.picture import STYLE, need_matplotlib

FOLDER = ROOT / "docs" / "images"
PICTURES = {"motorcycle.png": "targets-noise", "recovery.png": "columns-recovery"}


def main(folder: Path = FOLDER) -> None:
    """Write the pictures, and say where."""
    need_matplotlib()
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    results = packed.load(EXPERIMENTS)
    for name, study in PICTURES.items():
        blocks = results[study].experiment.report(results[study].results.results)
        figure = next(block for block in blocks if isinstance(block, Figure))
        with rc_context(STYLE):
            canvas = Canvas(figsize=figure.size, layout="constrained")
            figure.draw(canvas)
            canvas.savefig(folder / name, dpi=130)
        print(f"wrote {folder / name}")


if __name__ == "__main__":
    main()
