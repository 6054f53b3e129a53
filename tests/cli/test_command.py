"""The command `sparsebayes`."""

import subprocess
import sys

import matplotlib as mpl
import pytest

from sparsebayes import __version__, cli, demo

mpl.use("Agg")


def test_without_a_command_it_prints_the_help(capsys):
    assert cli.main([]) == 0
    printed = capsys.readouterr().out
    assert "demo" in printed
    assert "--version" in printed


def test_version_as_a_module():
    command = [sys.executable, "-m", "sparsebayes", "--version"]
    assert __version__ in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_demo_gets_its_folder(tmp_path, monkeypatch):
    given = []
    monkeypatch.setattr(demo, "main", given.append)
    assert cli.main(["demo", "--out", str(tmp_path)]) == 0
    assert given == [["--out", str(tmp_path)]]


def test_a_file_as_the_folder_is_refused_in_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert cli.main(["demo", "--out", str(tmp_path / "file")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "file" in line


def test_an_unknown_command_is_refused(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["reproduce"])
    assert "demo" in capsys.readouterr().err
