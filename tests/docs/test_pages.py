"""The Python of README and pages runs, and what it is said to print is what it prints."""

import contextlib
import io
import re
import shutil
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if "about" not in path.parts),
]
FENCE = re.compile(r"^( *)```python\n(.*?)^ *```", re.S | re.M)
WITH_CODE = [path for path in PAGES if FENCE.search(path.read_text(encoding="utf-8"))]
N_ROWS, N_NEW = 60, 20

mpl.use("Agg")


def code_of(path):
    """All Python of a page, as one script."""
    found = FENCE.findall(path.read_text(encoding="utf-8"))
    return "\n".join(re.sub(f"^{indent}", "", block, flags=re.M) for indent, block in found)


def names():
    """What pages take as given."""
    random = np.random.default_rng(0)
    X = random.normal(size=(N_ROWS + N_NEW, 3))
    f = np.sin(2 * X[:, 0]) + X[:, 1]
    y = f + random.normal(0, 0.2, len(X))
    labels = np.where(f > 0, "yes", "no")
    return {
        "X": X[:N_ROWS],
        "y": y[:N_ROWS],
        "labels": labels[:N_ROWS],
        "X_new": X[N_ROWS:],
        "y_new": y[N_ROWS:],
        "labels_test": labels[N_ROWS:],
        "X_test": X[N_ROWS:],
        "y_test": y[N_ROWS:],
        "classes": np.array(["a", "b", "c"])[np.digitize(f[:N_ROWS], [-0.7, 0.7])],
        "Y": np.column_stack([y, f + random.normal(0, 0.4, len(X))])[:N_ROWS],
        "sigma": random.uniform(0.1, 0.3, N_ROWS),
    }


def write_files(folder):
    """The files that pages read."""
    random = np.random.default_rng(1)
    X = random.normal(size=(20_000, 3))
    y = X[:, 0] + random.normal(0, 0.1, len(X))
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", y)
    (folder / "rows").mkdir()
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": y})
    for part, start in enumerate((0, 6_000)):
        table[start : start + 6_000].to_parquet(folder / "rows" / f"part-{part}.parquet")
    shutil.copy(ROOT / "docs" / "data" / "battery.csv", folder)


def test_there_are_pages_with_code():
    assert len(WITH_CODE) > 10


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, in Dask's to_parquet
@pytest.mark.parametrize("path", WITH_CODE, ids=lambda path: path.stem)
def test_the_python_of_a_page_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    code = compile(code_of(path), str(path), "exec")
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, {**names(), "__name__": "a page"})


def test_the_readme_prints_what_it_says(capsys):
    code = code_of(ROOT / "README.md")
    said = re.search(r"print\(.*\)  # (.*)", code)[1]
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.strip() == said
