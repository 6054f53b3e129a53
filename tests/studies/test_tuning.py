"""Tuning by cross-validation, and what is measured of the models."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.svm import SVR

from studies.data import sources
from studies.measures import percent_wrong, rms, vectors_of
from studies.models import rvr
from studies.tuning import (
    COARSE_SVR_GRID,
    SPLINE,
    SPLINE_GRID,
    SQUARED,
    gammas,
    median_distance,
    tuned,
    tuned_svc,
    tuned_svr,
)

LINE = np.linspace(-10.0, 10.0, 60)[:, None]
SEEN = []


class Mean(RegressorMixin, BaseEstimator):
    """Remembers what it was fitted to."""

    def __init__(self, setting=0):
        self.setting = setting

    def fit(self, X, y):
        SEEN.append((X[:, 0], y))
        self.mean_ = y.mean()
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


class First(ClassifierMixin, BaseEstimator):
    """The same of labels."""

    def __init__(self, setting=0):
        self.setting = setting

    def fit(self, X, y):
        SEEN.append((X[:, 0], y))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.fixture(autouse=True)
def _forget():
    SEEN.clear()


def test_folds_of_sorted_inputs_do_not_ask_for_extrapolation():
    tuned(Mean(), {"setting": (0, 1)}, LINE, LINE[:, 0], SQUARED)
    *folds, everything = SEEN
    assert len(folds) == 10
    assert len(everything[0]) == 60
    for inputs, _ in folds:
        assert len(inputs) == 48
        assert np.diff(np.sort(inputs)).max() < 6 * 20 / 59


def test_folds_of_classes_have_the_same_shares():
    y = np.repeat([0, 1], (45, 15))
    tuned(First(), {"setting": (0, 1)}, LINE, y)
    assert [labels.sum() for _, labels in SEEN[:-1]] == 10 * [12]
    assert not np.array_equal(SEEN[0][0], LINE[9:57, 0])


def test_one_setting_needs_no_search():
    assert tuned(Mean(), {"setting": (5,)}, LINE, LINE[:, 0]).setting == 5
    assert len(SEEN) == 1


def test_tuned_svr_predicts_in_units_of_the_targets():
    y = 1e4 + 1e3 * np.sin(LINE[:, 0])
    model = tuned_svr(LINE, y, {**COARSE_SVR_GRID, "gamma": (0.3, 1.0)})
    assert rms(model.predict(LINE), y) < 100
    assert model.regressor_.gamma in (0.3, 1.0)
    again = tuned_svr(LINE, (y - 1e4) / 1e3, {**COARSE_SVR_GRID, "gamma": (0.3, 1.0)})
    np.testing.assert_array_equal(vectors_of(model), vectors_of(again))


def test_spline_of_an_svr():
    model = tuned_svr(LINE + 10.0, np.sin(LINE[:, 0] / 3), {**SPLINE_GRID, "C": (1.0,)}, **SPLINE)
    assert rms(model.predict(LINE + 10.0), np.sin(LINE[:, 0] / 3)) < 0.1


def test_tuned_svc_separates():
    y = (np.abs(LINE[:, 0]) < 5).astype(int)
    model = tuned_svc(LINE, y, gamma=0.1)
    assert percent_wrong(model.predict(LINE), y) < 5


def test_vectors_are_training_rows():
    y = np.sin(LINE[:, 0])
    for model in (rvr(gamma=0.1).fit(LINE, y), SVR().fit(LINE, y), tuned_svr(LINE, y, {"C": (1,)})):
        rows = vectors_of(model)
        assert 0 < len(rows) <= 60
        assert set(rows) <= set(range(60))


def test_measures():
    assert rms([1.0, 3.0], np.array([1.0, 1.0])) == pytest.approx(2**0.5)
    assert percent_wrong([0, 1, 1, 1], np.array([0, 1, 0, 1])) == 25.0


def test_widths_are_in_units():
    assert gammas((0.5, 2.0)) == [4.0, 0.25]
    assert gammas((0.5,), unit=2.0) == [1.0]
    assert median_distance(np.array([[0.0], [1.0], [3.0]])) == 2.0


def test_inputs_are_standardised_by_the_training_rows():
    random = np.random.default_rng(0)
    X = np.column_stack([random.normal(5.0, 3.0, 50), np.full(50, 7.0)])
    scaled, test = sources.standardised(X, X[:3] + np.array([3.0, 0.0]))
    np.testing.assert_allclose(scaled.std(axis=0), [1.0, 0.0])
    np.testing.assert_allclose(scaled.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(test[:, 0] - scaled[:3, 0], 3.0 / X[:, 0].std())
