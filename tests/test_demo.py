"""The demo runs, and shows what it promises."""

import runpy
from pathlib import Path

import matplotlib as mpl
import pytest

mpl.use("Agg")
DEMO = Path(__file__).parents[1] / "docs" / "demo.py"


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


@pytest.mark.slow
def test_demo_draws_and_prints(tmp_path, capsys):
    runpy.run_path(str(DEMO))["main"](["--out", str(tmp_path)])
    printed = capsys.readouterr().out
    models = ("RVR", "Gaussian process", 'inference="fast"', "SVR", "RVC", "SVC")
    for word in ("sinc", "Ripley", *models, "vectors", "in the gap"):
        assert word in printed
    for name in ("regression.png", "classification.png"):
        assert str(tmp_path / name) in printed
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
