"""What commands write never takes the place of what they read."""

import os
from pathlib import Path

import pytest

COMMANDS = {
    "fit": lambda model, data: ("fit", data, "--target", "price", "--drop", "dear"),
    "predict": lambda model, data: ("predict", model, data),
    "export": lambda model, data: ("export", model, "--to", "c"),
    "report": lambda model, data: ("report", model, data),
}
READS = [
    *(("fit", "data"), ("predict", "model"), ("predict", "data")),
    *(("export", "model"), ("report", "model"), ("report", "data")),
]


@pytest.fixture
def read(folder, tmp_path):
    """What commands read, as files that may be destroyed."""
    paths = {"model": tmp_path / "price.sbm", "data": tmp_path / "houses.csv"}
    for path in paths.values():
        path.write_bytes((folder / path.name).read_bytes())
    return paths


def refused(ended, path, before):
    assert ended.code == 2
    (line,) = ended.err.splitlines()
    assert line.startswith("sparsebayes: error: ")
    assert "is read by this command" in line
    assert path.read_bytes() == before


@pytest.mark.parametrize(("command", "which"), READS)
def test_a_command_does_not_write_onto_what_it_reads(run, read, command, which):
    path = read[which]
    before = path.read_bytes()
    refused(run(*COMMANDS[command](**read), "--out", path), path, before)


def other_names(path):
    """Other names of a file, each of which is made when it is asked for."""
    link, hard = path.with_name("link"), path.with_name("hard")
    yield path.parent / "nowhere" / ".." / path.name
    link.symlink_to(path)
    yield link
    os.link(path, hard)
    yield hard
    yield Path(os.path.relpath(path))


@pytest.mark.parametrize("number", range(4))
def test_nor_under_another_name_of_it(run, read, number):
    path = read["data"]
    (path.parent / "nowhere").mkdir()
    before, name = path.read_bytes(), list(other_names(path))[number]
    refused(run("fit", path, "--target", "price", "-o", name), path, before)
    refused(run("fit", name, "--target", "price", "-o", path), path, before)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_nor_by_the_number_of_an_open_file(run, read):
    before = read["model"].read_bytes()
    with read["model"].open("rb") as file:
        name = f"/proc/self/fd/{file.fileno()}"
        refused(run("export", read["model"], "--to", "json", "-o", name), read["model"], before)


def test_the_default_name_of_the_model_is_no_way_to_do_so(run, read, monkeypatch):
    data = read["data"].rename(read["data"].with_name("model.sbm"))
    before = data.read_bytes()
    monkeypatch.chdir(data.parent)
    refused(run("fit", "model.sbm", "--target", "price"), data, before)


def test_another_file_is_written_over_as_before(run, read, tmp_path):
    out = tmp_path / "model.h"
    out.write_text("an earlier header")
    assert run("export", read["model"], "--to", "c", "-o", out).code == 0
    assert "double" in out.read_text()
