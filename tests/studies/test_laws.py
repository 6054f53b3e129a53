"""The laws of the study do what they say, and are tried only where they are claimed."""

import numpy as np
import pytest

from studies.reliability.law_problems import Fitted, draw_problem, gap, on_grid
from studies.reliability.laws import LAWS

REGRESSION, LABELS = draw_problem(0), draw_problem(3)


def random():
    return np.random.default_rng(0)


def changed(name, one):
    """The two forms of a problem."""
    return LAWS[name](one, random())


def at(one, **settings):
    return one.having(gamma=0.5, **settings)


def test_every_third_problem_is_a_default_one():
    shown = {repr(draw_problem(seed).estimator) for seed in range(0, 30, 3)}
    assert shown == {"RVR()", "RVC()"}


@pytest.mark.parametrize("seed", range(12))
def test_problems_are_drawn_again_on_the_grid(seed):
    one, again = draw_problem(seed), draw_problem(seed)
    assert 12 <= len(one.X) <= 144
    assert np.array_equal(one.at, again.at)
    assert np.array_equal(one.at, on_grid(one.at))
    assert np.array_equal(one.at + 1024.0 - 1024.0, one.at)
    if one.regression:
        assert np.array_equal(one.y + 1e8 - 1e8, one.y)
    else:
        assert np.bincount(one.y).min() >= 3


def test_rows_keep_their_targets():
    one, other = changed("order of rows", REGRESSION)
    order = np.lexsort(other.X.T)
    assert not np.array_equal(other.X, one.X)
    assert np.array_equal(other.X[order], one.X[np.lexsort(one.X.T)])
    assert np.array_equal(other.y[order], one.y[np.lexsort(one.X.T)])


def test_units_and_offsets_of_the_target():
    _, other = changed("units of y, 1e-6 to 1e6", REGRESSION.having(noise_std=0.5))
    assert other.estimator.noise_std == 0.5 * other.unit
    one, other = changed("offset of y, 1e3 to 1e6", REGRESSION)
    assert np.array_equal(one.y, REGRESSION.y + 1e3)
    assert np.array_equal(other.y, REGRESSION.y + 1e6)
    assert changed("offset of y, 0 to 1000", REGRESSION.having(fit_intercept="column")) is None


def test_given_gamma_goes_with_the_inputs():
    one = REGRESSION.having(gamma=np.array([1.0, 2.0]))
    _, other = changed("units of X by 1024", one)
    assert np.array_equal(other.estimator.gamma * 1024.0**2, [1.0, 2.0])
    _, other = changed("order of inputs", one)
    assert np.array_equal(other.X @ other.estimator.gamma, one.X @ one.estimator.gamma)


def test_weights_count_rows():
    one, other = changed("weight 1 to 3 for repeated rows", REGRESSION)
    assert one.weight.sum() == len(other.X)
    _, other = changed("weight 0 for absent rows", REGRESSION)
    assert np.array_equal(other.X[other.weight > 0], REGRESSION.X)
    assert not other.weight.all()


def test_classes_swap_their_probabilities():
    one, other = changed("classes swapped", LABELS)
    assert other.order == (1, 0)
    assert np.array_equal(other.y, 1 - one.y)


@pytest.mark.parametrize("name", LAWS)
def test_laws_are_tried_only_where_they_are_claimed(name):
    claimed = {key: changed(name, one) is not None for key, one in problems().items()}
    expected = {
        "units of y, 1e-6 to 1e6": {"rvr", "poly"},
        "offset of y, 0 to 1000": {"rvr", "poly"},
        "offset of y, 1e3 to 1e6": {"rvr", "poly"},
        "offset of y, 0 to 1e8": {"rvr", "poly"},
        "offset of X by 1024": {"rvr", "rvc"},
        "a constant input more, gamma ard": {"rvr", "rvc"},
        "other class names": {"rvc"},
        "classes swapped": {"rvc"},
        "n_jobs=2": set(),
        "order of bases": set(),
    }.get(name, {"rvr", "rvc", "poly"})
    assert {key for key, is_claimed in claimed.items() if is_claimed} == expected


def problems():
    return {"rvr": REGRESSION, "rvc": LABELS, "poly": REGRESSION.having(kernel="poly")}


def test_gap_has_the_units_of_the_target():
    """A prediction that is off by 0.1 sd(y), and a standard deviation that is twice another."""

    class Said(Fitted):
        def predictions(self):
            return self.estimator

    y = np.array([0.0, 2.0])
    mean, std = np.zeros(2), np.ones(2)
    one = Said((mean, std), y, y, None, y)
    assert gap(one, Said((mean + 0.1, std), y, y, None, y)) == pytest.approx(0.1)
    assert gap(one, Said((mean, 2.0 * std), y, y, None, y)) == pytest.approx(1.0)


def test_a_broken_law_is_seen():
    """The bias of the papers has to explain the offset of y."""
    one = at(REGRESSION, inference="fast", fit_intercept="column")
    other = one._replace(y=one.y + 1e6, offset=1e6)
    assert gap(one, other) > 1e-6
