"""Stored results: a rebuild of the code must not change what a fit says."""

import json
from pathlib import Path

import numpy as np
import pytest
from golden.cases import CASES, case, numbers
from golden.files import FOLDER, file_of, said
from numpy.testing import assert_allclose

from sparsebayes import load

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


# Files of models.

VERSIONS = sorted(path for path in FOLDER.iterdir() if path.is_dir())
SAVED = [
    (folder, name)
    for folder in VERSIONS
    for name in json.loads((folder / "said.json").read_text(encoding="utf-8"))
]


def test_there_are_files_of_each_version():
    assert len(SAVED) >= 19 * len(VERSIONS) > 0


@pytest.mark.parametrize(("folder", "name"), SAVED, ids=lambda each: getattr(each, "name", each))
def test_a_file_of_an_earlier_version_says_what_it_said(folder, name):
    stored = json.loads((folder / "said.json").read_text(encoding="utf-8"))[name]
    new = np.array(stored.pop("new"))
    loaded = load(file_of(folder, name))
    for model in (loaded, loaded.to_estimator()):
        for what, values in said(model, new).items():
            if what == "label":
                assert values == stored[what]
            else:
                assert_allclose(values, stored[what], rtol=1e-9, err_msg=what)
