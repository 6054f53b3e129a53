"""Results on disk: what is trusted, and what is run again."""

import json

import pytest

from studies.framework import origin
from studies.framework.experiment import Experiment, Task
from studies.framework.progress import Progress
from studies.framework.runner import run
from studies.framework.store import Store

RUNS = []


def count(number):
    RUNS.append(number)
    return {"number": number}


ONE = Experiment(
    "one", "", "", lambda quick: [Task("a", count, (1,)), Task("b", count, (2,))], list
)
DEEP = 100_000


def edited(**changes):
    """Turn a record into text with some entries changed, or taken out where they are None."""

    def edit(text):
        record = {**json.loads(text), **changes}
        kept = {key: value for key, value in record.items() if value is not None}
        return json.dumps(kept).encode()

    return edit


DAMAGES = {
    "empty": lambda text: b"",
    "half": lambda text: text[: len(text) // 2].encode(),
    "null bytes": lambda text: b"\0" * 100,
    "list": lambda text: b"[1, 2]",
    "null": lambda text: b"null",
    "not UTF-8": lambda text: b'{"key": "\xff"}',
    "deep": lambda text: b"[" * DEEP + b"]" * DEEP,
    "no result": edited(result=None),
    "no versions": edited(versions=None),
    "list as result": edited(result=[1]),
    "seconds as text": edited(seconds="3"),
    "other key": edited(key="b"),
    "other source": edited(source="0" * 16),
    "no source": edited(source=None),
    "quick": edited(quick=True),
}


@pytest.fixture
def store(tmp_path):
    RUNS.clear()
    made = Store(tmp_path, quick=False)
    made.prepare()
    run([ONE], made, 1, Progress())
    assert RUNS == [1, 2]
    return made


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_or_foreign_file_is_run_again(store, name):
    path = store.folder("one") / "a.json"
    path.write_bytes(DAMAGES[name](path.read_text()))
    found = run([ONE], store, 1, Progress())["one"]
    assert RUNS == [1, 2, 1]
    assert found.results == {"a": {"number": 1}, "b": {"number": 2}}
    assert not found.failures
    run([ONE], store, 1, Progress())
    assert RUNS == [1, 2, 1]


def test_an_empty_folder_in_place_of_a_file_is_replaced(store):
    path = store.folder("one") / "a.json"
    path.unlink()
    path.mkdir()
    assert run([ONE], store, 1, Progress())["one"].results["a"] == {"number": 1}
    assert path.is_file()


def test_a_full_folder_in_place_of_a_file_is_told_and_left_alone(store, capsys):
    path = store.folder("one") / "a.json"
    path.unlink()
    (path / "mine").mkdir(parents=True)
    found = run([ONE], store, 1, Progress())["one"]
    assert "cannot be saved" in found.failures["a"]
    assert found.results == {"b": {"number": 2}}
    assert "cannot be saved" in capsys.readouterr().err
    assert (path / "mine").is_dir()


def test_a_record_says_what_it_was_made_with(store):
    record = store.load("one", "a")
    assert record["source"] == origin.source_hash()
    assert record["machine"]["cpu"]
    assert "openblas" in record["machine"]["blas"] or record["machine"]["blas"]
    assert {"numpy", "scipy", "scikit-learn"} <= set(record["versions"])
    assert isinstance(record["commit"], str)
    assert len(record["date"]) == 10


def test_the_hash_depends_on_names_and_contents_of_python_files(tmp_path):
    (tmp_path / "a.py").write_text("1")
    first = origin.hash_of((tmp_path,))
    (tmp_path / "results.json").write_text("{}")
    assert origin.hash_of((tmp_path,)) == first
    (tmp_path / "a.py").write_text("2")
    second = origin.hash_of((tmp_path,))
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    assert len({first, second, origin.hash_of((tmp_path,))}) == 3
