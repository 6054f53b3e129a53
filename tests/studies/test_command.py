"""The command `python -m studies`: what it runs, what it keeps, what it writes."""

import json
import re
import sys
from collections import Counter

import numpy as np
import pytest

from studies import catalogue, command
from studies.framework import origin
from studies.framework.experiment import (
    Experiment,
    Figure,
    MissingDataError,
    Status,
    Table,
    Task,
    Text,
    Verdict,
)
from studies.framework.sets import limited
from studies.papers import t01_sinc

RUNS = Counter()


def square(number):
    RUNS[number] += 1
    return {"square": np.float64(number**2), "row": np.arange(number)}


def absent():
    raise MissingDataError("needs: pip install nothing")


def broken():
    raise ZeroDivisionError("on purpose")


def draw_line(figure):
    figure.subplots().plot([0, 1], [1, 0], label="a < b")


def squares_report(results):
    rows = [(f"`{key}`", f"{result['square']:.2f}") for key, result in results.items()]
    return [
        Text("**Bold**, *soft*, a < b & c, 2 * 3 * 4, [a link](#fake-squares)."),
        Table(("task", "square"), rows, "A note."),
        Figure(draw_line, "A line."),
        Figure(draw_line, "The same line."),
        Verdict("squares are squares", Status.REPRODUCED, "they are"),
    ]


def squares_tasks(quick):
    return [Task(f"n={n}", square, (n,)) for n in range(2 if quick else 4)]


SQUARES = Experiment("fake-squares", "[F00] Table 1", "Squares", squares_tasks, squares_report)
ABSENT = Experiment(
    "fake-absent", "[F00] Table 2", "Not at hand", lambda quick: [Task("it", absent)], lambda _: []
)
BROKEN = Experiment(
    "other-broken",
    "[F01] Figure 1",
    "Fails",
    lambda quick: [Task("bad", broken), Task("good", square, (7,))],
    lambda results: [Text(f"{len(results)} left")],
)


@pytest.fixture(autouse=True)
def _fakes(monkeypatch):
    RUNS.clear()
    monkeypatch.setattr(catalogue, "EXPERIMENTS", [SQUARES, ABSENT, BROKEN])


def run(out, *arguments):
    return command.main([*arguments, "--out", str(out)])


def test_list_names_the_experiments(capsys):
    assert command.main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["fake-squares", "fake-absent", "other-broken"]
    assert "[F00] Table 1" in lines[0]
    assert "Squares" in lines[0]


def test_names_may_be_beginnings_of_names():
    assert catalogue.chosen(["fake"]) == [SQUARES, ABSENT]
    assert catalogue.chosen(["other", "fake-squares"]) == [SQUARES, BROKEN]
    assert catalogue.chosen([]) == [SQUARES, ABSENT, BROKEN]


def test_an_exact_name_is_not_a_beginning(monkeypatch):
    longer = Experiment("fake-squares-2", "", "", squares_tasks, squares_report)
    monkeypatch.setattr(catalogue, "EXPERIMENTS", [SQUARES, longer])
    assert catalogue.chosen(["fake-squares"]) == [SQUARES]


def test_unknown_name_says_what_there_is(tmp_path, capsys):
    assert run(tmp_path, "nonsense") == 2
    message = capsys.readouterr().err
    assert "'nonsense'" in message
    assert "other-broken" in message


def test_an_empty_name_is_no_name(tmp_path, capsys):
    assert run(tmp_path, "") == 2
    assert "no experiment is called ''" in capsys.readouterr().err
    assert not RUNS


def test_a_file_as_the_folder_is_refused_before_any_task(tmp_path, capsys):
    path = tmp_path / "file"
    path.write_text("mine")
    assert run(path) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("studies: error: ")
    assert str(path) in line
    assert not RUNS
    assert path.read_text() == "mine"


def test_a_folder_that_cannot_be_made_is_refused_before_any_task(tmp_path, capsys):
    assert run("/proc/nothing/here") == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not RUNS


def test_wrong_number_of_jobs_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        run(tmp_path, "--jobs", "0")
    assert "1 or more" in capsys.readouterr().err


def test_a_run_writes_a_file_for_each_task_and_both_reports(tmp_path, capsys):
    assert run(tmp_path, "fake-squares", "--quick") == 0
    draws = sorted((tmp_path / "draws" / "fake-squares").iterdir())
    assert [path.name for path in draws] == ["n=0.json", "n=1.json"]
    record = json.loads(draws[1].read_text())
    assert record["result"] == {"square": 1.0, "row": [0]}
    assert record["quick"]
    assert record["key"] == "n=1"
    assert record["seconds"] >= 0
    assert set(record["versions"]) == {"sparsebayes", "numpy", "scipy", "scikit-learn", "python"}
    assert set(record["machine"]) == {"cpu", "blas"}
    assert record["source"] == origin.source_hash()
    assert "A quick run" in (tmp_path / "index.html").read_text()
    assert "A quick run" in (tmp_path / "report.md").read_text()
    assert "1 reproduced" in capsys.readouterr().out


def test_few_draws_of_some_sets():
    def tasks(quick):
        return [Task(f"{name}-{k}", square, (k,)) for name in ("a-1", "b") for k in range(3)]

    draws = Experiment("fake-draws", "", "", tasks, squares_report)
    keys = [task.key for task in limited(draws, 2).tasks(False)]
    assert keys == ["a-1-0", "a-1-1", "b-0", "b-1"]
    assert [task.key for task in limited(draws, 1, "a-").tasks(False)] == ["a-1-0"]
    assert limited(draws).tasks(False) == tasks(False)


def test_draws_that_were_run_alone_are_kept_for_the_full_run(tmp_path):
    run(tmp_path, "fake-squares", "--draws", "2")
    assert RUNS == {0: 1, 1: 1}
    run(tmp_path, "fake-squares", "--only", "=3")
    assert RUNS == {0: 1, 1: 1, 3: 1}
    run(tmp_path, "fake-squares")
    assert RUNS == {0: 1, 1: 1, 2: 1, 3: 1}


def test_tables_and_claims_are_shown_on_demand(tmp_path, capsys):
    run(tmp_path, "fake-squares", "--quick")
    assert "| `n=1` | 1.00 |" not in capsys.readouterr().out
    run(tmp_path, "fake-squares", "--quick", "--show")
    shown = capsys.readouterr().out
    assert "| `n=1` | 1.00 |" in shown
    assert "> **reproduced**: squares are squares. They are." in shown
    assert "A line." not in shown


def test_what_is_there_is_not_run_again(tmp_path):
    run(tmp_path, "fake-squares")
    pages = [(tmp_path / name).read_text() for name in ("index.html", "report.md")]
    (tmp_path / "draws" / "fake-squares" / "n=2.json").unlink()
    (tmp_path / "draws" / "fake-squares" / "n=3.json").write_text('{"key": "n=3", "resu')
    run(tmp_path, "fake-squares")
    assert RUNS == {0: 1, 1: 1, 2: 2, 3: 2}
    again = [(tmp_path / name).read_text() for name in ("index.html", "report.md")]
    without_times = [re.sub(r"[\d.]+ s\b", "", text) for text in (*pages, *again)]
    assert without_times[:2] == without_times[2:]


def test_results_of_a_quick_run_or_of_other_source_are_not_taken(tmp_path):
    run(tmp_path, "fake-squares", "--quick")
    run(tmp_path, "fake-squares")
    assert RUNS == {0: 2, 1: 2, 2: 1, 3: 1}
    path = tmp_path / "draws" / "fake-squares" / "n=2.json"
    path.write_text(path.read_text().replace(origin.source_hash(), "0123456789abcdef"))
    run(tmp_path, "fake-squares")
    assert RUNS == {0: 2, 1: 2, 2: 2, 3: 1}


def test_the_page_says_how_claims_fare_and_where_numbers_come_from(tmp_path):
    run(tmp_path, "fake-squares")
    text = (tmp_path / "index.html").read_text()
    assert '<b class="reproduced">reproduced</b>: squares are squares.<br>They are.</p>' in text
    assert '<b class="reproduced">1&nbsp;reproduced</b></td>' in text
    assert "<details" in text
    (folder,) = re.findall(r'files of <a href="([^"]+)">', text)
    assert len(list((tmp_path / folder).glob("*.json"))) == 4


def test_missing_data_is_skipped_with_its_message(tmp_path):
    assert run(tmp_path, "fake") == 0
    assert not (tmp_path / "draws" / "fake-absent").exists()
    for name in ("index.html", "report.md"):
        text = (tmp_path / name).read_text()
        assert "needs: pip install nothing" in text
        assert "1 reproduced, 0 not reproduced, 1 skipped" in text


def test_a_failure_is_told_and_the_rest_goes_on(tmp_path, capsys):
    assert run(tmp_path, "fake-squares", "other") == 1
    told = capsys.readouterr().err
    assert "other-broken bad failed" in told
    assert "ZeroDivisionError: on purpose" in told
    assert RUNS[7] == 1
    text = (tmp_path / "report.md").read_text()
    assert "ZeroDivisionError: on purpose" in text
    assert "1 left" in text


def test_a_report_that_fails_does_not_take_the_others_with_it(tmp_path, monkeypatch):
    bad = Experiment("fake-bad", "", "Bad", squares_tasks, lambda results: results["none"])
    monkeypatch.setattr(catalogue, "EXPERIMENTS", [bad, SQUARES])
    assert run(tmp_path) == 1
    text = (tmp_path / "report.md").read_text()
    assert "KeyError" in text
    assert "squares are squares" in text


def test_interrupted_run_goes_on(tmp_path, monkeypatch, capsys):
    def interrupt():
        raise KeyboardInterrupt

    tasks = [*squares_tasks(False), Task("stop", interrupt)]
    stops = Experiment("fake-stops", "", "", lambda quick: tasks, squares_report)
    monkeypatch.setattr(catalogue, "EXPERIMENTS", [stops])
    assert run(tmp_path) == 130
    assert "goes on from here" in capsys.readouterr().err
    tasks.pop()
    assert run(tmp_path) == 0
    assert RUNS == {0: 1, 1: 1, 2: 1, 3: 1}


def test_without_matplotlib_the_extra_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert run(tmp_path) == 2
    assert "sparsebayes[plot]" in capsys.readouterr().err
    assert not RUNS


def html_tables(text):
    """Cells of the tables of numbers, as they are read."""
    tables = re.findall(r'<table class="numbers">(.*?)</table>', text, re.S)
    rows = [re.findall(r"<tr>(.*?)</tr>", table, re.S) for table in tables]
    return [
        [[_read(cell) for cell in re.findall(r"<t[hd]>(.*?)</t[hd]>", row, re.S)] for row in table]
        for table in rows
    ]


def _read(cell):
    from html import unescape

    return unescape(re.sub(r"<[^>]+>", "", cell)).strip()


def markdown_tables(text):
    """The same of the Markdown, from the first section on."""
    sections = text[text.index("## [") :]
    tables = re.findall(r"(?:^\|.*\|\n)+", sections, re.M)
    return [
        [
            [cell.strip().replace("`", "") for cell in line.strip("|").split(" | ")]
            for line in table.splitlines()
            if not line.startswith("| ---")
        ]
        for table in tables
    ]


def check_pages(out):
    """The page needs nothing else, its ids are unique, and both reports say the same."""
    text = (out / "index.html").read_text()
    assert "<script" not in text
    assert "<link" not in text
    assert "@import" not in text
    assert not re.findall(r'(?:src|xlink:href)\s*=\s*"(?!#|data:)', text)
    outside_links = re.sub(r'xmlns(:\w+)?="[^"]*"|<a href="[^"]*"', "", text)
    assert not re.findall(r"https?://", outside_links)
    ids = Counter(re.findall(r'\bid="([^"]+)"', text))
    assert [name for name, count in ids.items() if count > 1] == []
    for name in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text):
        assert "".join(name) in ids
    assert 'name="viewport"' in text
    report = (out / "report.md").read_text()
    assert html_tables(text) == markdown_tables(report)
    for path in re.findall(r"!\[[^]]*\]\(([^)]+)\)", report):
        assert (out / path).read_text().startswith("<svg")


def test_page_needs_nothing_else_and_says_what_the_markdown_says(tmp_path):
    run(tmp_path, "fake")
    check_pages(tmp_path)
    text = (tmp_path / "index.html").read_text()
    assert html_tables(text)[0][2] == ["n=1", "1.00"]
    assert "a &lt; b &amp; c" in text
    assert "<strong>Bold</strong>, <em>soft</em>," in text
    assert "2 * 3 * 4" in text
    assert text.count("<svg") == 2


def test_page_of_a_real_study_is_the_same_from_two_processes(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogue, "EXPERIMENTS", t01_sinc.EXPERIMENTS)
    for jobs in ("1", "2"):
        assert run(tmp_path / jobs, "t01-figure-1", "--quick", "--jobs", jobs) == 0
    one, two = (
        json.loads((tmp_path / jobs / "draws" / "t01-figure-1" / "fit.json").read_text())["result"]
        for jobs in ("1", "2")
    )
    assert one == two
    check_pages(tmp_path / "1")
    report = (tmp_path / "1" / "report.md").read_text()
    assert "> **reproduced**: The RVM has 9 relevance vectors" in report
