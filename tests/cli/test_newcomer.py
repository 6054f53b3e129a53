"""The three commands of the README: from a CSV to a report and a C header."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from sparsebayes import load

ROOT = Path(__file__).parents[2]


def commands():
    """What the README says to type, as lists of words."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"## From a CSV.*?```\n(.*?)```", text, re.S)
    return [line.split() for line in block.splitlines()]


@pytest.mark.slow
def test_the_three_commands_of_the_readme(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    lines = commands()
    assert [words[:2] for words in lines] == [
        ["sparsebayes", "fit"],
        ["sparsebayes", "report"],
        ["sparsebayes", "export"],
    ]
    for _, *words in lines:
        ended = run(*words)
        assert ended.code == 0, ended.err
    assert "rows that it had not seen" in (tmp_path / "battery.html").read_text(encoding="utf-8")
    rows = np.array([[25.0, 1.0, 100.0, 50.0, 0.0, 1.0]])
    mean, std = load("battery.sbm").predict(rows, return_std=True)
    assert 2.0 < mean[0] < 3.0
    assert 0.02 < std[0] < 0.1
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    options = ["-std=c99", "-DSPARSEBAYES_SELFTEST", "-x", "c", "battery.h", "-x", "none", "-lm"]
    subprocess.run(["gcc", *options], check=True)
    subprocess.run(["./a.out"], check=True)
