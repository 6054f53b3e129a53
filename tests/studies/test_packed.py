"""Packing the results of a full run, and reading them."""

import json

import pytest

from studies import catalogue, command
from studies.framework import origin, packed
from studies.framework.experiment import Experiment, Table, Task


def draw(seed):
    return {"error": 1 / 3 + seed, "n": seed, "curve": [0.1] * 61, "few": [1 / 3, 2], "none": None}


def report(results):
    return [Table(["mean"], [[f"{sum(one['error'] for one in results.values()):.2f}"]])]


def tasks(quick):
    return [Task(f"draw-{seed}", draw, (seed,)) for seed in range(1 if quick else 3)]


ONE = Experiment("one", "[F00]", "One", tasks, report)
OTHER = Experiment("other", "[F00]", "Other", tasks, report)


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "EXPERIMENTS", [ONE, OTHER])
    assert command.main(["one", "--out", str(tmp_path / "run")]) == 0
    return tmp_path / "run"


def pack(run, *arguments):
    return command.main(["pack", "--from", str(run), "--to", str(run / "packed"), *arguments])


def test_results_are_packed_with_their_origin_and_read_again(run, capsys):
    assert pack(run) == 0
    assert "one.json: 3 of 3 tasks" in capsys.readouterr().out
    found = packed.load([ONE, OTHER], run / "packed")
    assert list(found) == ["one"]
    assert found["one"].origin["source"] == origin.source_hash()
    assert found["one"].origin["versions"] == origin.versions()
    assert set(found["one"].origin) == {"source", "commit", "versions", "machine", "date"}
    results = found["one"].results.results
    assert results["draw-1"]["error"] == pytest.approx(4 / 3, rel=1e-8)
    assert results["draw-1"]["few"] == [pytest.approx(1 / 3), 2]
    assert results["draw-1"]["none"] is None


def test_numbers_are_short_and_only_the_first_draw_keeps_its_curves(run):
    pack(run)
    results = json.loads((run / "packed" / "one.json").read_text())["tasks"]
    assert results["draw-1"]["result"]["error"] == 1.33333333
    assert results["draw-0"]["result"]["curve"] == [0.1] * 61
    assert results["draw-1"]["result"]["curve"] is None


def test_results_of_other_source_need_a_commit(run, capsys):
    path = run / "draws" / "one" / "draw-1.json"
    path.write_text(path.read_text().replace(origin.source_hash(), "0123456789abcdef"))
    assert pack(run) == 2
    assert "--any-source" in capsys.readouterr().err
    assert pack(run, "--any-source", "7185ece") == 0
    assert packed.load([ONE], run / "packed")["one"].origin["commit"] == "7185ece"


def test_files_without_a_hash_can_be_packed_too(run):
    for path in (run / "draws" / "one").glob("*.json"):
        record = json.loads(path.read_text())
        for key in ("source", "commit", "machine", "date"):
            del record[key]
        path.write_text(json.dumps(record))
    assert pack(run) == 2
    assert pack(run, "--any-source", "7185ece") == 0
    head = packed.load([ONE], run / "packed")["one"].origin
    assert head["source"] is None
    assert head["commit"] == "7185ece"
    assert len(head["date"]) == 10


def test_quick_and_damaged_results_are_not_packed(run, capsys):
    (run / "draws" / "one" / "draw-2.json").write_text("[]")
    assert pack(run) == 0
    assert "one.json: 2 of 3 tasks" in capsys.readouterr().out
    assert command.main(["other", "--quick", "--out", str(run)]) == 0
    assert pack(run, "other") == 2
    assert "no results of a full run" in capsys.readouterr().err


def values(result):
    """The lists and the fractions in a result."""
    if isinstance(result, float | list):
        yield result
    if isinstance(result, dict | list):
        for each in result.values() if isinstance(result, dict) else result:
            yield from values(each)


@pytest.mark.parametrize("path", sorted(packed.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_what_is_in_the_repository_is_of_a_study_and_short(path):
    found = packed.load(catalogue.EXPERIMENTS, packed.FOLDER)
    keys = {task.key for task in found[path.stem].experiment.tasks(False)}
    results = found[path.stem].results.results
    assert set(results) <= keys
    for number, result in enumerate(results.values()):
        for each in values(result):
            if isinstance(each, list):
                assert len(each) <= packed.CURVE or number == 0
            else:
                assert each == float(f"{each:.{packed.DIGITS}g}")
