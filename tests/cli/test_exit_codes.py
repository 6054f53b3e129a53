"""How the command ends: help, version, wrong use, interrupts, and a reader that has gone."""

import os
import signal
import subprocess
import sys
import time

import matplotlib as mpl
import pytest

from sparsebayes import __version__, load
from sparsebayes.cli import messages, show, tables

mpl.use("Agg")
COMMANDS = ("fit", "predict", "show", "export", "report")
HEAVY = ("numpy", "pandas", "scipy", "sklearn", "matplotlib", "pyarrow", "onnx")


def as_module(*arguments, **others):
    command = [sys.executable, "-m", "sparsebayes", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **others)


def imported_by(*arguments):
    """Which of the heavy packages the command imports."""
    script = (
        "import sys\nfrom sparsebayes.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    command = [sys.executable, "-c", script, *map(str, arguments)]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return found.stdout.splitlines()[-1]


def test_without_a_command_it_prints_the_help(run):
    ended = run()
    assert ended.code == 0
    for name in (*COMMANDS, "--version"):
        assert name in ended.out


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_examples(run, name):
    ended = run(name, "--help")
    assert ended.code == 0
    assert f"sparsebayes {name} " in ended.out.partition("examples:")[2]
    assert max(map(len, ended.out.splitlines())) <= 100


def test_version_as_a_module():
    assert as_module("--version").stdout == f"sparsebayes {__version__}\n"


@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments):
    assert imported_by(*arguments) == "[]"


@pytest.mark.slow
def test_predicting_needs_no_scikit_learn(folder):
    arguments = ("predict", folder / "price.sbm", folder / "houses.csv", "--std", "--novelty")
    assert imported_by(*arguments) in ("['numpy', 'pandas']", "['numpy', 'pandas', 'pyarrow']")


def test_an_unknown_command_is_refused(run):
    ended = run("reproduce")
    assert ended.code == 2
    assert "report" in ended.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("fit", "nowhere.csv", "--target", "y"),
        ("predict", "nowhere.sbm", "nowhere.csv"),
        ("show", "nowhere.sbm"),
        ("export", "nowhere.sbm", "--to", "c"),
        ("report", "nowhere.sbm", "nowhere.csv"),
    ],
)
def test_a_file_that_is_not_there_is_wrong_use(run, arguments):
    ended = run(*arguments)
    assert ended.code == 2
    (line,) = ended.err.splitlines()
    assert line.startswith("sparsebayes: error: nowhere.")


def test_a_missing_extra_is_named(run, csv, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    ended = run("fit", csv("a,y\n1,2\n"), "--target", "y")
    assert ended.code == 2
    (line,) = ended.err.splitlines()
    assert "pip install 'sparsebayes[cli]'" in line


def test_a_missing_reader_of_parquet_is_named(run, folder, monkeypatch):
    def without_pyarrow(*_):
        raise ImportError("Unable to find a usable engine")

    monkeypatch.setattr(tables.pandas(), "read_parquet", without_pyarrow)
    ended = run("predict", folder / "price.sbm", folder / "houses.parquet")
    assert ended.code == 2
    assert "pip install 'sparsebayes[cli]'" in ended.err


def test_an_interrupt_has_its_code(run, csv, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(show, "run", interrupted)
    ended = run("show", "model.sbm")
    assert ended == (130, "", "sparsebayes: error: interrupted.\n")


@pytest.mark.parametrize(
    ("error", "why"),
    [(MemoryError(), "take fewer rows"), (MemoryError("1 GB was asked for"), "1 GB was asked for")],
)
def test_where_memory_ends_it_says_what_helps(run, monkeypatch, error, why):
    def without_memory(*_):
        raise error

    monkeypatch.setattr(show, "run", without_memory)
    assert run("show", "model.sbm") == (
        1,
        "",
        f"sparsebayes: error: there is not enough memory: {why}.\n",
    )


@pytest.mark.slow
def test_a_fit_can_be_interrupted_and_leaves_a_whole_model_or_none(tmp_path):
    rows = [f"{i % 17},{i % 23},{i % 29},{(i * i) % 31}" for i in range(3000)]
    (tmp_path / "data.csv").write_text("\n".join(["a,b,c,y", *rows]))
    command = [sys.executable, "-m", "sparsebayes", "fit", "data.csv", "--target", "y"]
    started = subprocess.Popen(
        [*command, "--folds", "50"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    started.stdout.readline()  # the data are read
    time.sleep(0.5)
    started.send_signal(signal.SIGINT)
    _, err = started.communicate(timeout=60)
    assert started.returncode in (130, -signal.SIGINT)  # a shell says 130 of both
    assert "Traceback" not in err
    assert set(os.listdir(tmp_path)) <= {"data.csv", "model.sbm"}
    if (tmp_path / "model.sbm").exists():
        assert load(tmp_path / "model.sbm").face.about["n_rows"] == 3000


@pytest.mark.slow
def test_a_reader_that_has_gone_is_no_error(tmp_path, folder, houses):
    many = tmp_path / "many.csv"
    houses.loc[houses.index.repeat(200)].to_csv(many, index=False)
    command = [sys.executable, "-m", "sparsebayes", "predict", folder / "price.sbm", many]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as started:
        started.stdout.readline()
        started.stdout.close()
        assert started.wait(timeout=60) == 141
        assert started.stderr.read() == ""


def test_output_has_no_colour(folder):
    for name in ("price", "dear"):
        assert "\x1b" not in (folder / f"{name}.txt").read_text()


@pytest.mark.parametrize("content", [b"", b"nonsense", bytes(100), b"PK\x03\x04"])
def test_a_file_that_is_no_model_is_refused(run, csv, content):
    path = csv(content, "model.sbm")
    for command in (("show",), ("predict",), ("export", "--to", "json")):
        data = [csv("a\n1\n")] if command == ("predict",) else []
        ended = run(command[0], path, *data, *command[1:])
        assert ended.code == 1
        (line,) = ended.err.splitlines()
        assert "model.sbm" in line


def test_a_damaged_model_is_refused(run, folder, tmp_path):
    data = bytearray((folder / "price.sbm").read_bytes())
    data[-10] ^= 1
    path = tmp_path / "damaged.sbm"
    path.write_bytes(data)
    ended = run("predict", path, folder / "houses.csv")
    assert ended.code == 1
    assert "damaged" in ended.err


def test_numbers_have_the_digits_that_their_errors_allow():
    assert messages.with_error(21.7346, 0.8, 174.2849) == ("21.73 +- 0.80", "174.28")
    assert messages.with_error(0.98321, 0.0028, -0.007) == ("0.9832 +- 0.0028", "-0.0070")
    assert messages.with_error(123456.7, 2345.6, 9.0) == ("123457 +- 2346", "9")
    assert messages.with_error(1.5e-9, 2e-11, 1.0) == ("1.5e-09 +- 2e-11", "1")
    assert messages.with_error(1.0, 0.0, 0.25) == ("1", "0.25")
    assert messages.with_error(1e12, 3e9, 2e12) == ("1e+12 +- 3e+09", "2e+12")
