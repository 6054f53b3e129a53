"""The command, run in this process; a table of houses, and models that were fitted to it."""

import io
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from sparsebayes.cli import main

N_ROWS = 60


class Ended(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


def run_command(*arguments):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([str(each) for each in arguments])
        except SystemExit as error:  # argparse
            code = error.code
    return Ended(code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="session")
def run():
    return run_command


@pytest.fixture(scope="session")
def houses():
    """Sizes, rooms, cities and prices."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "size": random.uniform(20.0, 200.0, N_ROWS).round(1),
            "rooms": random.integers(1, 8, N_ROWS),
            "city": random.choice(["Lyon", "Lille", "Nice"], N_ROWS),
            "new": random.random(N_ROWS) > 0.5,
        }
    )
    noise = random.normal(0.0, 20.0, N_ROWS)
    frame["price"] = (3.0 * frame["size"] + 50.0 * (frame["city"] == "Nice") + noise).round(2)
    frame["dear"] = np.where(frame["price"] > frame["price"].median(), "yes", "no")
    return frame


@pytest.fixture(scope="session")
def folder(tmp_path_factory, houses):
    """A folder with houses.csv and houses.parquet, and price.sbm and dear.sbm fitted to them."""
    folder = tmp_path_factory.mktemp("houses")
    houses.to_csv(folder / "houses.csv", index=False)
    houses.to_parquet(folder / "houses.parquet")
    for target, other in (("price", "dear"), ("dear", "price")):
        out = folder / f"{target}.sbm"
        ended = run_command(
            *("fit", folder / "houses.csv", "--target", target, "--drop", other, "--out", out)
        )
        assert ended.code == 0, ended.err
        (folder / f"{target}.txt").write_text(ended.out)
    return folder


@pytest.fixture
def csv(tmp_path):
    """Writes a CSV, and gives its path."""

    def written(content, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written
