import fits
import numpy as np
import problems
import pytest

from sparsebayes import evidence
from sparsebayes.inference.loop import largest_gradient
from sparsebayes.inference.phases import (
    Phase,
    Schedule,
    climb_by_newton,
    climb_steadily,
)

TOL = 1e-3
SCHEDULE = Schedule(closing_rounds=2, steady_rounds=2)
CLOSING = Phase(SCHEDULE, 1)


def gaussian(seed=0):
    """All of twenty columns, three of them relevant, at precisions from nowhere."""
    problem = problems.gaussian(*problems.regression(seed, 60, 20))
    alpha = 10.0 ** np.random.default_rng(seed).uniform(-3.0, 3.0, 20)
    return problems.posterior_at(problem, np.arange(20), alpha, 1.0)


def bernoulli(seed=0):
    problem = problems.bernoulli(*problems.classification(seed, 60, 10))
    return problems.posterior_at(problem, np.arange(10), np.ones(10))


def test_phases_follow_each_other_where_nothing_is_added():
    phase, exhausted = Phase(SCHEDULE), []
    for number in range(7):
        assert phase == Phase(SCHEDULE, number)
        exhausted.append(phase.exhausted)
        phase = phase.after_no_addition()
    assert exhausted == [False, False, False, False, False, True, True]


def test_growing_takes_a_few_steps():
    before = gaussian()
    after = Phase(Schedule(growing_steps=1, poorly_when_growing=0.0)).climb(before, TOL)
    more = Phase(Schedule(growing_steps=3, poorly_when_growing=0.0)).climb(before, TOL)
    values = [evidence.objective(each) for each in (before, after, more)]
    assert values[0] < values[1] < values[2]
    assert len(after.active) == len(more.active) == 20


def test_growing_deletes_only_what_hardly_matters():
    before = gaussian()
    few = Phase(Schedule(poorly_when_growing=0.2)).climb(before, TOL)
    many = Phase(Schedule(poorly_when_growing=np.inf)).climb(before, TOL)
    assert 3 <= len(many.active) < len(few.active) < 20


def test_closing_converges():
    end = CLOSING.climb(gaussian(), TOL)
    assert largest_gradient(end) <= TOL
    assert set(range(3)) <= set(end.active)


@pytest.mark.parametrize("make", [gaussian, bernoulli])
def test_steady_steps_reach_the_end_of_newtons(make):
    """Each at a mode of its own, so what is left is the mode found anew."""
    newton = CLOSING.climb(make(), TOL).refreshed()
    steady = Phase(Schedule(closing_rounds=0, steady_steps=500), 1).climb(newton, 1e-6)
    assert largest_gradient(steady) <= 1e-6
    assert largest_gradient(fits.anew(steady)) <= 2e-6
    assert steady is not newton


@pytest.mark.parametrize("make", [gaussian, bernoulli])
def test_a_climb_is_uphill_while_the_curvature_is_held(make):
    """Newton steps and deletions, of which a round is made; no pass over the rows in between."""
    for seed in range(5):
        posterior = make(seed)
        for below in (0.0, 0.1, np.inf):
            moved = climb_by_newton(posterior, TOL, 2, below)
            assert evidence.objective(moved) >= evidence.objective(posterior)
            posterior = moved


def test_a_climb_at_the_end_is_no_climb():
    end = CLOSING.climb(gaussian(), TOL)
    assert climb_by_newton(end, TOL, 10, np.inf) is end
    assert climb_steadily(end, TOL, 10) is end


def test_a_schedule_is_frozen_and_can_be_compared():
    assert Schedule() == Schedule()
    assert Schedule(start_steps=3) != Schedule()
    with pytest.raises(AttributeError):
        Schedule().start_steps = 3
