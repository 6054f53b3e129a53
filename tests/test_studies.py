"""The quick forms of the studies run, and show what they promise."""

import json
from pathlib import Path

import matplotlib as mpl
import pytest
from benchmarks import classes, gibbs, model_choice, outputs, scales
from benchmarks.speed import foundation as speed
from benchmarks.speed import large, optimum, peers
from benchmarks.speed import variational as variational_speed

mpl.use("Agg")
ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


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
