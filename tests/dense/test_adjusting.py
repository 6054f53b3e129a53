"""Width and noise, adjusted to rows left out."""

import numpy as np
import pytest
from dense_parts import BASES, N, X, Y
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes.dense.labels.labels import LabelModel
from sparsebayes.dense.labels.leaving_out import Adjusting, adjusted
from sparsebayes.dense.rows import DenseRows
from sparsebayes.likelihoods import Multinomial
from sparsebayes.rows import Data

SETTINGS, SCALES = np.array([[0.3, 0.7, 1.0]]), np.array([-0.5, 0.25])
FINE = Adjusting(halvings=6, least_rise=1e-9, reach=(9.0, 9.0))


class Hill:
    """The log density falls with the distance from a place: noise, and steps of all scales."""

    def __init__(self, noise, width, top=-1.0, fails=lambda noise, width: False):
        self.top, self.place, self.fails = top, np.array([noise, width]), fails
        self.asked = []

    def __call__(self, settings, log_scales):
        assert_array_equal(settings[0, :-1], SETTINGS[0, :-1])
        steps = log_scales - SCALES
        assert_allclose(steps, steps[0], atol=1e-12)
        at = np.array([settings[0, -1] - SETTINGS[0, -1], steps[0]])
        self.asked.append(tuple(at))
        if self.fails(*at):
            return -np.inf
        return self.top - np.sum((at - self.place) ** 2)


def found_at(hill, how=FINE, **options):
    found = adjusted(hill, SETTINGS, SCALES, how=how, **options)
    at = np.array([found.settings[0, -1] - SETTINGS[0, -1], found.log_scales[0] - SCALES[0]])
    assert_allclose(found.log_density, hill.top - np.sum((at - hill.place) ** 2), rtol=1e-12)
    return at


@pytest.mark.parametrize("place", [(0.0, 0.0), (2.0, 1.0), (-3.0, -1.5), (-5.0, 2.0)])
def test_it_ends_at_the_top(place):
    assert_allclose(found_at(Hill(*place)), place, atol=0.05)


@pytest.mark.parametrize("place", [(2.0, 1.0), (-3.0, -1.5)])
def test_scales_may_have_to_stay(place):
    hill = Hill(*place)
    assert_allclose(found_at(hill, scales_too=False), [place[0], 0.0], atol=0.05)
    assert {width for _, width in hill.asked} == {0.0}


@pytest.mark.parametrize("halvings", [0, 1, 3])
def test_steps_are_halved_when_none_leads_higher(halvings):
    how = Adjusting(halvings=halvings, least_rise=1e-9, reach=(9.0, 9.0))
    noise, width = found_at(Hill(2.1, 1.1), how)
    step = 0.5**halvings
    assert abs(noise - 2.1) <= 0.5 * 1.5 * step
    assert abs(width - 1.1) <= 0.5 * 0.5 * step
    assert_allclose([noise / 1.5 / step, width / 0.5 / step] % np.float64(1.0), 0.0, atol=1e-9)


def test_no_place_is_asked_twice():
    hill = Hill(-5.0, 2.0)
    found_at(hill)
    assert len(set(hill.asked)) == len(hill.asked)


@pytest.mark.parametrize("reach", [0, 1, 3])
def test_evaluations_are_limited(reach):
    hill = Hill(40.0, 20.0)
    found_at(hill, Adjusting(halvings=0, reach=(reach, reach), least_rise=1e-9))
    assert len(hill.asked) <= (2 * reach + 1) ** 2


def test_it_does_not_go_farther_than_its_reach():
    hill = Hill(100.0, -100.0)
    how = Adjusting(reach=(2.0, 3.0), least_rise=1e-9)
    assert_allclose(found_at(hill, how), [2.0 * 1.5, -3.0 * 0.5], rtol=1e-12)


def test_a_step_must_be_worth_it():
    """A rise of less than a part of the log density is none."""
    hill = Hill(1.5, 0.0, top=-1000.0)  # one step away, and 2.25 of 1002.25 higher
    assert_array_equal(found_at(hill, Adjusting(least_rise=3e-3)), [0.0, 0.0])
    assert_array_equal(found_at(hill, Adjusting(least_rise=2e-3)), [1.5, 0.0])


def test_places_that_cannot_be_evaluated_are_avoided():
    hill = Hill(3.0, 1.0, fails=lambda noise, width: noise > 2.0)
    noise, width = found_at(hill)
    assert 1.4 < noise <= 2.0
    assert_allclose(width, 1.0, atol=0.05)


@pytest.mark.parametrize("name", ["gaussian", "sum"])
def test_rows_left_out_of_a_model_are_predicted_better(name):
    codes = np.digitize(Y, [-0.3, 0.4]).astype(float)
    columns = BASES[name].bind(X, np.ones(N))
    model = LabelModel(columns, DenseRows.of(Data(X, codes, np.ones(N)), Multinomial(3)))
    settings, _ = model.first_settings(columns.log_scales, 1e-6)
    settings[:, -1] += 4.0  # too little noise
    start = model.left_out(settings, columns.log_scales).log_density
    found = adjusted(model.log_density_left_out, settings, columns.log_scales)
    assert found.log_density > 0.98 * start
    again = model.left_out(found.settings, found.log_scales).log_density
    assert found.log_density == again
    assert found.settings[0, -1] < settings[0, -1]
