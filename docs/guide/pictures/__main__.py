"""`python docs/guide/pictures` draws the picture of the README, that of the landing page."""

import runpy
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt

HERE = Path(__file__).parent

if __name__ == "__main__":
    matplotlib.use("Agg")
    runpy.run_path(str(HERE / "landing.py"))
    plt.savefig(HERE.parents[1] / "_static" / "overview.png", dpi=110)
