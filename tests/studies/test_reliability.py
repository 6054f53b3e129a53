"""Random fits: none of them has a finding, and a finding would be found."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array, issparse

from sparsebayes import RVC, RVR
from studies.reliability import fuzz, twins
from studies.reliability.cases import Case
from studies.reliability.checks import check
from studies.reliability.data import Table
from studies.reliability.field_cases import draw_field_case

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
    "doubled rows under one weight for all": ("field", 18),
    "a width that saw one weight for all": ("tame", 108),
    "codes, asked with sparse rows": ("field", 21),
    "codes in sparse rows": ("field", 22),
    "a file of a model of sparse rows": ("field", 27),
    "an offset of dense rows, asked with sparse rows": ("tame", 20102),
    "a large offset of inputs": ("tame", 20153),
    "sparse rows of noise": ("tame", 20168),
    "error bars that are rounding, as a process says the mean of y": ("hostile", 66),
    "the same of given noise": ("hostile", 789),
    "the same of three outputs": ("hostile", 1177),
    "the same of a polynomial kernel": ("tame", 2392),
    "a constant input that left the mean of y to kernels": ("field", 1167),
    "kernels that could not say the mean of y": ("field", 3454),
    "one weight for all times those of classes": ("field", 90100),
    "an offset that hid lost digits": ("tame", 70369),
    "the rounding of a power of a sum": ("tame targets", 60022),
}


@pytest.mark.parametrize("name", FOUND_ONCE)
@pytest.mark.long
def test_a_case_that_had_a_finding_has_none(name):
    kind, number = FOUND_ONCE[name]
    assert check(fuzz.DRAW[kind](kind, number)).findings == []


@pytest.mark.parametrize("kind", fuzz.DRAW)
def test_a_case_is_the_same_each_time_it_is_drawn(kind):
    one, other = (fuzz.DRAW[kind](kind, 3) for _ in range(2))
    assert one.words.partition(" at 0x")[0] == other.words.partition(" at 0x")[0]
    np.testing.assert_array_equal(one.table.y, other.table.y)


def test_a_full_run_has_ten_thousand_cases():
    of_study = [task.arguments[2] for each in fuzz.EXPERIMENTS for task in each.tasks(False)]
    assert 10_000 <= sum(of_study) <= 12_000


# What users have in the field, and how often it comes in a hundred cases.
MET = {
    "csr_array": 4,
    "coo_matrix": 2,
    "with codes": 10,
    "with offset": 10,
    "with constant": 10,
    "with empty rows": 4,
    "one hot": 10,
    "weights of one value": 6,
    "weights zeros": 2,
    "a sample with replacement": 2,
    "doubled rows": 2,
    "fit_intercept='column'": 4,
    "fidelity=": 2,
    "noise_hyperprior=": 1,
    "likelihood='student_t'": 1,
    "likelihood='ordinal'": 2,
    "multi_output=": 1,
    "cache_size=0.01": 1,
}


def test_cases_of_the_field_have_what_users_have():
    words = [draw_field_case("field", number).words for number in range(100)]
    few = {word: least for word, least in MET.items() if sum(word in w for w in words) < least}
    assert few == {}


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
        if self.flaw == "weights that matter" and sample_weight is not None:
            y = 1.01 * y
        if self.flaw == "zeros that matter" and issparse(X):
            y = 1.01 * y
        return super().fit(X, y, sample_weight=sample_weight)

    def predict(self, X, return_std=False, return_cov=False):
        found = super().predict(X, return_std, return_cov)
        if self.flaw == "an infinite std" and return_std:
            return found[0], np.full_like(found[1], np.inf)
        if self.flaw == "too small a std" and return_std:
            return found[0], 0.5 * self.noise_std_ * np.ones_like(found[1])
        if self.flaw == "storage that matters" and issparse(X) and return_std:
            return found[0] + 1e-3, found[1]
        return found


FLAWS = {
    "a crash": "ZeroDivisionError",
    "a refusal of nothing": "refused without a name",
    "a leak": "RuntimeWarning: overflow",
    "changed data": "data were changed by fit",
    "an infinite std": "std is not finite",
    "too small a std": "std is below the noise",
    "weights that matter": "without the equal weights: mean differs",
    "zeros that matter": "fitted to dense rows: mean differs",
    "storage that matters": "asked with dense rows: mean differs",
}


@pytest.mark.parametrize("flaw", FLAWS)
def test_each_flaw_is_found(flaw):
    random = np.random.default_rng(0)
    X = random.normal(size=(15, 2))
    y, weight = X[:, 0] + random.normal(0.0, 0.1, 15), None
    if flaw == "weights that matter":
        weight = np.full(15, 3.0)
    if FLAWS[flaw].endswith("rows: mean differs"):
        X = csr_array(X)
    estimator = Flawed(gamma="scale")
    estimator.flaw = flaw
    found = check(Case(estimator, Table(X, y, weight, ())))
    assert any(FLAWS[flaw] in each for each in found.findings)


def test_a_file_that_says_something_else_is_found(monkeypatch):
    moved = RVR(gamma="scale").fit(*plain_rows()[:2]).to_portable()
    moved.plain.weights[:] *= 1.001
    monkeypatch.setattr(twins, "load", lambda file: moved)
    found = check(Case(RVR(gamma="scale"), Table(*plain_rows(), ()))).findings
    assert any("a file: mean differs" in each for each in found)


def plain_rows():
    X = np.random.default_rng(0).normal(size=(15, 2))
    return X, X[:, 0] + 0.1 * X[:, 1] ** 2, None


@pytest.mark.parametrize("estimator", [RVR(), RVC()])
def test_a_plain_fit_has_no_finding(estimator):
    X, y, weight = plain_rows()
    table = Table(X, y > 0.0 if isinstance(estimator, RVC) else y, weight, ())
    assert check(Case(estimator, table)).findings == []
