"""`python docs/guide/pictures` draws the pictures of the README, those of the landing page."""

import runpy
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt

HERE = Path(__file__).parent

if __name__ == "__main__":
    matplotlib.use("Agg")
    for name in ("curve", "classes"):
        runpy.run_path(str(HERE / f"landing_{name}.py"))
        plt.savefig(HERE.parents[1] / "_static" / f"{name}.png", dpi=110)
