"""`python -m studies.targets.picture` draws docs/images/motorcycle.png from packed results."""

from __future__ import annotations

from studies.framework import packed
from studies.framework.origin import ROOT
from studies.framework.picture import STYLE, need_matplotlib
from studies.targets.band import SIZE, draw_bands
from studies.targets.noise import EXPERIMENTS, PICTURE

TO = ROOT / "docs" / "images" / "motorcycle.png"


def main() -> None:
    """Write it, and say where."""
    need_matplotlib()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    found = packed.load(EXPERIMENTS)["targets-noise"].results.results
    with rc_context(STYLE):
        figure = Figure(figsize=SIZE, layout="constrained")
        draw_bands(figure, found[PICTURE])
        figure.savefig(TO, dpi=150)
    print(f"wrote {TO.relative_to(ROOT).as_posix()}")


if __name__ == "__main__":
    main()
