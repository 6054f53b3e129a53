import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes.climber import Ascent, Pair, climb, of_more_rows, uphill

BOX = np.array([[-5.0, 5.0], [-5.0, 5.0]])
EXACT = Ascent(least_rise=1e-12)


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
    point, value, _ = climb(hill, np.zeros(2), BOX, EXACT)
    assert_allclose(point, [1.0, 2.0], atol=1e-3)
    assert_allclose(value, 0.0, atol=1e-6)


def valley(point):
    """Minus Rosenbrock's function: a long curved ridge to (1, 1)."""
    x, y = point
    gradient = np.array([400.0 * x * (y - x**2) + 2.0 * (1.0 - x), -200.0 * (y - x**2)])
    return -(100.0 * (y - x**2) ** 2 + (1.0 - x) ** 2), gradient


def test_a_climb_ends_after_so_many_steps_or_when_a_step_promises_too_little():
    short, rough, long = Seen(valley), Seen(valley), Seen(valley)
    start = np.array([-1.2, 1.0])
    low = climb(short, start, BOX, Ascent(max_steps=1)).value
    middle = climb(rough, start, BOX, Ascent(least_rise=0.5)).value
    end, high, _ = climb(long, start, BOX, EXACT)
    assert low < middle < high
    assert len(short.points) < len(rough.points) < len(long.points)
    assert_allclose(end, 1.0, atol=1e-3)


def test_a_long_ridge_takes_few_evaluations():
    """SciPy's L-BFGS-B needs 45 for the same."""
    watched = Seen(valley)
    climb(watched, np.array([-1.2, 1.0]), BOX, EXACT)
    assert len(watched.points) < 60


def steep(point):
    """A quadratic of very different curvatures, turned out of the axes."""
    turn = np.array([[0.8, 0.6], [-0.6, 0.8]])
    bent = turn.T @ np.diag([100.0, 0.1]) @ turn
    away = point - [1.0, 2.0]
    return -0.5 * float(away @ bent @ away), -bent @ away


def test_a_climb_goes_on_with_what_an_earlier_one_has_learned():
    """As from some rows to three times as many, whose sum is three times as curved."""
    first = climb(steep, np.zeros(2), BOX, EXACT)

    def more(point):
        value, gradient = steep(point - 0.5)
        return 3.0 * value, 3.0 * gradient

    known, unknown = Seen(more), Seen(more)
    one = climb(known, first.point, BOX, EXACT, of_more_rows(first.pairs, 3.0))
    other = climb(unknown, first.point, BOX, EXACT)
    assert_allclose(one.point, [1.5, 2.5], atol=1e-4)
    assert_allclose(other.point, [1.5, 2.5], atol=1e-4)
    assert len(known.points) < len(unknown.points)


def test_of_the_pairs_only_the_last_are_kept():
    end = climb(valley, np.array([-1.2, 1.0]), BOX, Ascent(least_rise=1e-12, memory=4))
    assert len(end.pairs) == 4
    assert_allclose(end.point, 1.0, atol=1e-3)


def test_with_pairs_that_say_all_the_first_step_is_newtons():
    gradient, free = np.array([3.0, -1.0]), np.array([True, True])
    bent = np.array([[2.0, 0.5], [0.5, 1.0]])
    steps = (np.array([1.0, 0.0]), np.array([-0.25, 1.0]))  # conjugate
    pairs = tuple(Pair(step, bent @ step) for step in steps)
    assert_allclose(uphill(gradient, free, pairs), np.linalg.solve(bent, gradient), rtol=1e-12)


def test_pairs_along_which_the_function_is_curved_upwards_do_not_count():
    gradient, free = np.array([3.0, -1.0]), np.array([True, True])
    wrong = Pair(np.array([1.0, 0.0]), np.array([-2.0, 0.0]))
    assert_allclose(uphill(gradient, free, (wrong,)), gradient / 3.0)


def test_coordinates_that_press_against_a_limit_stay():
    pair = Pair(np.array([1.0, 0.5]), np.array([2.0, 1.0]))
    assert uphill(np.array([3.0, -1.0]), np.array([True, False]), (pair,))[1] == 0.0


def test_limits_are_kept():
    box = np.array([[-0.5, 0.5], [3.0, 4.0]])
    watched = Seen(hill)
    point, value, _ = climb(watched, np.zeros(2), box, EXACT)
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

    point, value, _ = climb(broken, np.zeros(2), BOX, EXACT)
    assert value == hill(point)[0] >= hill(np.zeros(2))[0]
    assert point[0] <= edge or not point.any()


@FAILURES
def test_a_start_that_cannot_be_evaluated_is_the_end(fails):
    point, _, _ = climb(fails, np.array([7.0, 1.0]), BOX, EXACT)
    assert_array_equal(point, [5.0, 1.0])


def test_a_wrong_gradient_does_no_harm():
    def wrong(point):
        value, gradient = hill(point)
        return value, -gradient

    point, value, _ = climb(wrong, np.zeros(2), BOX, EXACT)
    assert value == hill(point)[0] >= hill(np.zeros(2))[0]


def test_other_errors_come_through():
    def stops(point):
        raise KeyError("stop")

    with pytest.raises(KeyError):
        climb(stops, np.zeros(2), BOX, Ascent())
