"""Random fits: none of them has a finding, and a finding would be found."""

import warnings

import numpy as np
import pytest

from sparsebayes import RVR
from studies.reliability import fuzz
from studies.reliability.cases import Case, draw_case
from studies.reliability.checks import check
from studies.reliability.data import Table

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
PER_TEST = 10


@pytest.mark.parametrize("first", range(0, 100, PER_TEST))
@pytest.mark.parametrize("kind", fuzz.KINDS)
@pytest.mark.long
def test_random_fits_have_no_finding(kind, first):
    assert fuzz.cases(kind, first, PER_TEST)["findings"] == []


@pytest.mark.parametrize("first", range(6, 18, 6))
@pytest.mark.parametrize("kind", fuzz.OTHER_KINDS)
@pytest.mark.long
def test_random_fits_of_other_targets_have_no_finding(kind, first):
    assert fuzz.cases(kind, first, 6)["findings"] == []


# What the cases had, with the seeds that the generator drew them by when they were found.
FOUND_ONCE = {
    "weights that cancel to rounding": ("tame", 2533),
    "weights of zero, refused without a name": ("tame", 2823),
    "a prior in units that the columns do not have": ("tame", 4461),
    "steps of infinite length": ("hostile", 627),
    "derivatives that overflow": ("hostile", 1158),
    "rows without precision": ("hostile", 2762),
    "an evidence that is no number": ("hostile", 4155),
    "a start that takes a minute": ("hostile", 3874),
}


@pytest.mark.parametrize("name", FOUND_ONCE)
@pytest.mark.long
def test_a_case_that_had_a_finding_has_none(name):
    assert check(draw_case(*FOUND_ONCE[name])).findings == []


def test_a_case_is_the_same_each_time_it_is_drawn():
    one, other = (draw_case("tame", 3) for _ in range(2))
    assert one.words == other.words
    np.testing.assert_array_equal(one.table.y, other.table.y)


class Flawed(RVR):
    """A regressor with something wrong in one of its answers."""

    flaw = ""

    def fit(self, X, y, sample_weight=None):
        if self.flaw == "a crash":
            raise ZeroDivisionError("division by zero")
        if self.flaw == "a refusal of nothing":
            raise ValueError("something is wrong")
        if self.flaw == "a leak":
            warnings.warn("overflow", RuntimeWarning, stacklevel=1)
        if self.flaw == "changed data":
            X[0] = 0.0
        return super().fit(X, y, sample_weight=sample_weight)

    def predict(self, X, return_std=False, return_cov=False):
        found = super().predict(X, return_std, return_cov)
        if self.flaw == "an infinite std" and return_std:
            return found[0], np.full_like(found[1], np.inf)
        if self.flaw == "too small a std" and return_std:
            return found[0], 0.5 * self.noise_std_ * np.ones_like(found[1])
        return found


FLAWS = {
    "a crash": "ZeroDivisionError",
    "a refusal of nothing": "refused without a name",
    "a leak": "RuntimeWarning: overflow",
    "changed data": "data were changed by fit",
    "an infinite std": "std is not finite",
    "too small a std": "std is below the noise",
}


@pytest.mark.parametrize("flaw", FLAWS)
def test_each_flaw_is_found(flaw):
    random = np.random.default_rng(0)
    X = random.normal(size=(15, 2))
    estimator = Flawed(gamma="scale")
    estimator.flaw = flaw
    found = check(Case(estimator, Table(X, X[:, 0] + random.normal(0.0, 0.1, 15), None, ())))
    assert any(FLAWS[flaw] in each for each in found.findings)


def test_a_plain_fit_has_no_finding():
    X = np.random.default_rng(0).normal(size=(15, 2))
    assert check(Case(RVR(), Table(X, X[:, 0] + 0.1 * X[:, 1] ** 2, None, ()))).findings == []


def test_the_report_counts_what_was_found():
    result = fuzz.cases("tame", 0, 2)
    result["findings"] = [{"seed": 0, "words": "a case", "findings": ["a flaw"]}]
    tables = fuzz.report({"tame-00000": result})
    assert tables[0].rows[0][:4] == ["tame", "2", "0", "1"]
    assert tables[2].rows == [["a case", "a flaw"]]
