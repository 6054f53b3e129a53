"""The demo and the examples run, and show what they promise."""

import runpy
from pathlib import Path

import matplotlib as mpl
import pytest

from sparsebayes import demo

mpl.use("Agg")
ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.py"))


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


@pytest.mark.slow
def test_demo_draws_and_prints(tmp_path, capsys):
    demo.main(["--out", str(tmp_path)])
    printed = capsys.readouterr().out
    models = ("RVR", "Gaussian process", 'inference="fast"', "SVR", "RVC", "SVC")
    for word in ("sinc", "Ripley", *models, "vectors", "in the gap"):
        assert word in printed
    for name in ("regression.png", "classification.png"):
        assert str(tmp_path / name) in printed
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_there_are_examples():
    assert len(EXAMPLES) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path))
    assert capsys.readouterr().out
