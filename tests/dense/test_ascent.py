import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes.dense import Ascent, climb

BOX = np.array([[-5.0, 5.0], [-5.0, 5.0]])


def hill(point):
    """With its top at (1, 2), where it is 0."""
    away = point - [1.0, 2.0]
    return -float(away @ away), -2.0 * away


class Seen:
    """Counts the points where a function was evaluated."""

    def __init__(self, function):
        self.function, self.points = function, []

    def __call__(self, point):
        self.points.append(point.copy())
        return self.function(point)


def test_the_top_of_a_hill():
    point, value = climb(hill, np.zeros(2), BOX, Ascent())
    assert_allclose(point, [1.0, 2.0], atol=1e-3)
    assert_allclose(value, 0.0, atol=1e-6)


def valley(point):
    """Minus Rosenbrock's function: a long curved ridge to (1, 1)."""
    x, y = point
    gradient = np.array([400.0 * x * (y - x**2) + 2.0 * (1.0 - x), -200.0 * (y - x**2)])
    return -(100.0 * (y - x**2) ** 2 + (1.0 - x) ** 2), gradient


def test_a_climb_ends_after_so_many_steps_or_at_so_small_a_gradient():
    short, rough, long = Seen(valley), Seen(valley), Seen(valley)
    start = np.array([-1.2, 1.0])
    _, low = climb(short, start, BOX, Ascent(max_steps=3))
    _, middle = climb(rough, start, BOX, Ascent(least_gradient=1.0))
    end, high = climb(long, start, BOX, Ascent())
    assert low < middle < high
    assert len(short.points) < len(rough.points) < len(long.points)
    assert_allclose(end, 1.0, atol=1e-3)


def test_limits_are_kept():
    box = np.array([[-0.5, 0.5], [3.0, 4.0]])
    watched = Seen(hill)
    point, value = climb(watched, np.zeros(2), box, Ascent())
    assert_allclose(point, [0.5, 3.0], rtol=1e-12)
    assert value == hill(point)[0]
    seen = np.array(watched.points)
    assert np.all((seen >= box[:, 0]) & (seen <= box[:, 1]))


def raises(point):
    raise FloatingPointError


def is_nan(point):
    return np.nan, np.full(2, np.nan)


def is_infinite(point):
    return np.inf, np.zeros(2)


def has_no_gradient(point):
    return 1.0, np.full(2, np.nan)


FAILURES = pytest.mark.parametrize(
    "fails", [raises, is_nan, is_infinite, has_no_gradient], ids=lambda f: f.__name__
)


@FAILURES
@pytest.mark.parametrize("edge", [-0.5, 0.5, 0.9, 1.5])
def test_a_climb_past_points_that_cannot_be_evaluated(fails, edge):
    """Beyond the edge there is no value; what was found this side of it is kept."""

    def broken(point):
        return fails(point) if point[0] > edge and point.any() else hill(point)

    point, value = climb(broken, np.zeros(2), BOX, Ascent())
    assert value == hill(point)[0] >= hill(np.zeros(2))[0]
    assert point[0] <= edge or not point.any()


@FAILURES
def test_a_start_that_cannot_be_evaluated_is_the_end(fails):
    point, _ = climb(fails, np.array([7.0, 1.0]), BOX, Ascent())
    assert_array_equal(point, [5.0, 1.0])


def test_a_wrong_gradient_does_no_harm():
    def wrong(point):
        value, gradient = hill(point)
        return value, -gradient

    point, value = climb(wrong, np.zeros(2), BOX, Ascent())
    assert value == hill(point)[0] >= hill(np.zeros(2))[0]


def test_other_errors_come_through():
    def stops(point):
        raise KeyError("stop")

    with pytest.raises(KeyError):
        climb(stops, np.zeros(2), BOX, Ascent())
