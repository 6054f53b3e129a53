"""Short tables on columns, from made-up results."""

import pytest
from packed_results import fake

from studies import tables


def draw(**exact):
    names = {"ours": "ours", "told": "OMP, told k", "lasso": "LassoCV"}
    return {names[key]: {"exact": value, "seconds": 0.5} for key, value in exact.items()}


def test_shares_of_exact_draws():
    results = {
        "600-noise-05-00": draw(ours=1, told=1, lasso=0),
        "600-noise-05-01": draw(ours=1, told=0),
        "600-noise-20-00": draw(ours=0, told=0),  # another noise, which is not shown
        "2000-neighbours-05-00": draw(ours=0, told=1),
    }
    lines = tables.block("columns-found", fake("columns-recovery", results)).splitlines()
    assert lines[2] == "| independent | 200 x 600, 10 | 100 | 50 | - | 0 | 0.5 |"
    assert lines[3] == "| neighbours correlated 0.9 | 300 x 2000, 12 | 0 | 100 | - | - | 0.5 |"
    assert len(lines) == 4


def bundle(columns, probability, active):
    counts = {"draws": 15, "dense": 5, "kept": 30, "found": 24}
    return {"columns": columns, "probability": probability, "active": active, **counts}


def test_what_is_said_beside_what_is_true():
    one = bundle([90, 0, 4, 0, 1, 3, 8], [0.1, 0, 0.4, 0, 0.6, 2.6, 8.0], [0, 0, 1, 0, 1, 2, 8])
    results = fake("columns-inclusion", {"near-000": one, "near-001": one})
    line = tables.block("columns-sure", results).splitlines()[2]
    # Of the eight columns from 0.5 to 0.95, whose probabilities are 6.4 together, six are active.
    expected = "| neighbours correlated 0.9 | 75 | 80 | 1.00 | 1.00 | 0.80 | 0.75 | 0.10 | 0.25 |"
    assert line == expected


def test_a_bin_without_columns_has_dashes():
    one = bundle([90, 0, 0, 0, 0, 0, 8], [0.1, 0, 0, 0, 0, 0, 8.0], [0, 0, 0, 0, 0, 0, 8])
    text = tables.block("columns-sure", fake("columns-inclusion", {"one-000": one}))
    assert text.splitlines()[2].endswith("| 1.00 | 1.00 | - | - | - | - |")


@pytest.mark.parametrize("name", ["columns-found", "columns-sure"])
def test_without_results_they_stay_as_they_are(name):
    assert tables.block(name, {}) is None
