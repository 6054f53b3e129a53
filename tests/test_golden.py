"""Stored results: a rebuild of the code must not change what a fit says."""

import json
from pathlib import Path

import numpy as np
import pytest
from golden.cases import CASES, case, numbers
from numpy.testing import assert_allclose

STORED = json.loads((Path(__file__).parent / "golden" / "numbers.json").read_text())


def test_every_case_is_stored():
    assert set(STORED) == set(CASES)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", CASES)
def test_a_fit_says_what_it_said(name):
    found, stored = numbers(case(name)), STORED[name]
    for what in ("outcome", "columns", "vectors"):
        assert found.pop(what) == stored.pop(what)
    assert set(found) == set(stored)
    for what, values in stored.items():
        size = np.abs(np.ma.masked_invalid(values)).max()
        assert_allclose(found[what], values, rtol=1e-6, atol=1e-6 * size, err_msg=what)
