"""The demo, the examples and the quick forms of the studies run, and show what they promise."""

import json
import runpy
from pathlib import Path

import matplotlib as mpl
import pytest
from benchmarks import classes, gibbs, model_choice, outputs, scales
from benchmarks.speed import foundation as speed
from benchmarks.speed import large, optimum, peers
from benchmarks.speed import variational as variational_speed

from sparsebayes import demo

mpl.use("Agg")
ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.py"))


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


def test_demo_draws_and_prints(tmp_path, capsys):
    demo.main(["--out", str(tmp_path)])
    printed = capsys.readouterr().out
    for word in ("sinc", "Ripley", "RVR", "RVC", "SVR", "SVC", "vectors", "noise std"):
        assert word in printed
    for name in ("regression.png", "classification.png"):
        assert str(tmp_path / name) in printed
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_there_are_examples():
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path))
    assert capsys.readouterr().out


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_speed_quick(capsys):
    speed.main(["--quick"])
    assert "One row" in capsys.readouterr().out


def test_gibbs_quick(capsys):
    gibbs.main(["--quick"])
    assert "noise (true 0.5)" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("study", "name"),
    [
        (optimum, "optimum"),
        (peers, "peers"),
        (large, "large"),
        (model_choice, "model_choice"),
        (variational_speed, "variational"),
        (classes, "classes"),
        (outputs, "outputs"),
        (scales, "scales"),
    ],
)
def test_bench_quick_writes_markdown_and_json(study, name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)  # a study starts processes of its own from there
    study.main(["--quick", "--out", str(tmp_path)])
    rows = json.loads((tmp_path / f"{name}.json").read_text())["rows"]
    assert rows
    assert (tmp_path / f"{name}.md").read_text().strip() in capsys.readouterr().out
