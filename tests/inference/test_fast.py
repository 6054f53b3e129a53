import fits
import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_friedman1

from sparsebayes import RVR, evidence
from sparsebayes.columns import spread
from sparsebayes.hyperpriors import FLAT, Gamma, student_t
from sparsebayes.inference import Fast, Mackay, Outcome
from sparsebayes.inference.addition import first_products
from sparsebayes.inference.deletion import single_deletion_gain
from sparsebayes.inference.fast import SearchProgress, climb_safely
from sparsebayes.inference.loop import largest_gradient
from sparsebayes.inference.phases import (
    Phase,
    Schedule,
    spanning_candidates,
    start_candidates,
    top_down,
)
from sparsebayes.inference.prices import prices_of
from sparsebayes.inference.start import empty
from sparsebayes.inference.state import State
from sparsebayes.problem import Precisions

TOL = 1e-3
WIDTHS = (0.3, 1.0, 3.0, 10.0, 30.0)


def sinc(seed):
    """Kernels in turn from narrow to nearly collinear."""
    return fits.sinc(seed, 60, WIDTHS[seed % len(WIDTHS)])


def labelled_sinc(seed):
    """The same, its target cut in two classes and one in twenty of the labels flipped."""
    design, target = sinc(seed)
    flipped = np.random.default_rng(seed + 1000).uniform(size=len(target)) < 0.05
    return design, ((target > 0.2) ^ flipped).astype(float)


def regression(seed):
    """Plain columns: fewer than rows, or more."""
    return problems.regression(seed, 60, 80 if seed % 2 else 20)


def classification(seed):
    return problems.classification(seed, 60, 80 if seed % 2 else 20)


REGRESSIONS, CLASSIFICATIONS = [sinc, regression], [labelled_sinc, classification]
ALL = pytest.mark.parametrize("data", REGRESSIONS + CLASSIFICATIONS)
CONCLUSIVE = (Outcome.CONVERGED, Outcome.NOISE_VANISHED, Outcome.NOTHING_RELEVANT)


def make(data, seed, **options):
    kind = problems.gaussian if data in REGRESSIONS else problems.bernoulli
    return kind(*data(seed), **options)


def fit(problem, tol=TOL, state=None, **options):
    return fits.fit(Fast(**{"min_gain": 0.0, **options}), problem, tol, 500, state=state)


def assert_complete(end, gain=TOL):
    """Stationary, and no candidate left out; both recomputed from the rows."""
    posterior = fits.anew(end)
    assert largest_gradient(posterior) <= TOL + 1e-7
    assert fits.largest_gain(posterior) <= gain + 1e-6


# Uphill.


@pytest.mark.parametrize("data", REGRESSIONS)
def test_the_evidence_of_a_regression_never_falls(data):
    """15 problems each, from the first entry of the history on."""
    for seed in range(15):
        values = np.array([step.log_evidence for step in fit(make(data, seed)).history])
        assert len(values) > 1
        assert np.diff(values).min() >= -1e-9 * np.abs(values).max()


@pytest.mark.parametrize("data", REGRESSIONS)
def test_with_hyperpriors_the_objective_never_falls(data):
    inference = Fast(min_gain=0.0)
    for seed in range(5):
        problem = make(
            data, seed, weight_hyperprior=student_t(3.0), noise_hyperprior=Gamma(1.0, 0.01)
        )
        state = inference.init(problem)
        values = [evidence.objective(state.posterior)]
        while not state.settled and len(values) < 100:
            state = inference.step(problem, state, TOL)
            values.append(evidence.objective(state.posterior))
        assert state.settled
        assert len(values) > 1
        assert np.diff(values).min() >= -1e-9 * np.abs(values).max()


@pytest.mark.parametrize("data", CLASSIFICATIONS)
def test_a_climb_of_classes_never_falls_where_the_curvature_is_far_off(data):
    """From weak precisions Newton's steps with held curvature may end lower than they began."""
    schedule = Schedule()
    for seed in range(6):
        problem = make(data, seed)
        before = problems.posterior_at(problem, np.arange(10), np.full(10, 1e-3))
        after = climb_safely(Phase(schedule, 1), before, TOL, schedule)
        assert evidence.objective(after) >= evidence.objective(before) - TOL


def test_a_fit_does_not_end_below_the_model_of_no_columns():
    """Columns that cancel are a stationary point, where MacKay's re-estimates stay."""
    problem = make(labelled_sinc, 4)
    nothing = evidence.log_evidence(empty(problem, 1.0))
    assert fits.fit(Mackay(), problem, TOL, 500).log_evidence < nothing - 0.5
    assert fit(problem).log_evidence >= nothing


@pytest.mark.parametrize(
    ("noise_std", "weights", "noise"),
    [(0.2, FLAT, FLAT), (None, student_t(2.0), FLAT), (None, FLAT, Gamma(2.0, 0.1))],
    ids=["fixed noise", "weight hyperprior", "noise hyperprior"],
)
@pytest.mark.parametrize("data", REGRESSIONS)
def test_the_end_is_stationary_whatever_the_priors(data, noise_std, weights, noise):
    for seed in range(5):
        options = {"weight_hyperprior": weights, "noise_hyperprior": noise}
        end = fit(make(data, seed, noise_std=noise_std, **options))
        assert end.outcome in (Outcome.CONVERGED, Outcome.NOISE_VANISHED)
        assert_complete(end, TOL if weights.is_flat else np.inf)
        assert weights.is_flat or len(end.active) > 10  # no precision diverges, so few columns go


# As good as re-estimation.


@pytest.mark.slow
@pytest.mark.parametrize("data", [sinc, labelled_sinc, classification])
def test_the_evidence_is_that_of_mackay_or_more(data):
    """Local maxima differ; of these 12 none is worse by 0.1."""
    lost = []
    for seed in range(12):
        problem = make(data, seed)
        rival = fits.fit(Mackay(), problem, TOL)
        lost.append(rival.log_evidence - fit(problem).log_evidence)
    assert np.mean(np.array(lost) < 0.5) >= 0.9
    assert np.mean(lost) < 0.05


@pytest.mark.slow
def test_the_evidence_of_friedmans_function_is_that_of_mackay_or_more():
    lost = []
    for seed in range(6):
        inputs, target = make_friedman1(80, noise=1.0, random_state=seed)
        common = {"gamma": 10.0 ** (seed % 3 - 1), "noise_std": 1.0, "fit_intercept": "column"}
        fast, mackay = (
            RVR(inference=name, **common).fit(inputs, target) for name in ("fast", "mackay")
        )
        lost.append(mackay.log_evidence_ - fast.log_evidence_)
    assert np.max(lost) < 0.5


@ALL
def test_fitting_again_gives_the_very_same(data):
    one, other = fit(make(data, 3)), fit(make(data, 3))
    assert one.history == other.history
    assert_array_equal(one.active, other.active)
    assert_array_equal(one.mean, other.mean)
    assert_array_equal(one.root, other.root)


# The start.


@pytest.mark.slow
@ALL
@pytest.mark.parametrize("most", [2, 5, 17])
def test_more_candidates_than_the_start_takes(data, most):
    """The others enter later: a stationary point, and on most problems an equally good one."""
    schedule = Schedule(start_columns=most, first_look=2)
    for seed in range(3):
        problem = make(data, seed)
        start = start_candidates(problem, schedule, None)
        assert len(top_down(problem, schedule).active) <= len(start) + 1 < problem.n_candidates
        end = fit(problem, schedule=schedule)
        assert end.outcome is Outcome.CONVERGED
        assert_complete(end)


def test_of_many_candidates_such_start_that_span_the_others_and_one_in_so_many():
    design, target = fits.sinc(0, 60, 10.0)
    problem = problems.gaussian(design, target)
    found = start_candidates(problem, Schedule(first_look=20), None)
    left = design - design[:, found] @ np.linalg.lstsq(design[:, found], design)[0]
    assert np.abs(left).max() < 1e-4
    assert len(found) < 30
    evenly = spread(np.arange(problem.n_candidates), problem.n_candidates // Schedule().one_in)
    assert set(evenly) <= set(found)


def test_where_it_takes_many_to_span_the_others_as_many_start_as_may():
    problem = make(regression, 0)
    found = spanning_candidates(problem, Schedule(first_look=4))
    assert_array_equal(found, np.arange(problem.n_candidates))
    found = spanning_candidates(problem, Schedule(first_look=4, start_columns=9))
    assert_array_equal(found, spread(np.arange(problem.n_candidates), 9))


def test_candidates_that_are_known_start_with_one_in_so_many_others():
    problem = make(sinc, 0)
    found = start_candidates(problem, Schedule(one_in=20), np.array([7, 9]))
    assert_array_equal(found, [0, 7, 9, 30, 60])
    start = Fast(min_gain=0.0, schedule=Schedule(one_in=20, known_steps=0)).init(
        problem, np.array([7, 9])
    )
    assert set(found) <= set(start.posterior.active)
    assert len(start.posterior.active) <= len(found) + 1  # the best one alone


def test_few_candidates_all_start():
    assert start_candidates(make(sinc, 0), Schedule(), None) is None


@pytest.mark.parametrize("data", CLASSIFICATIONS)
def test_a_start_on_frozen_curvature(data):
    """Where a start with varying curvature costs too much; it ends where the other ends."""
    close = 0
    for seed in range(6):
        problem = make(data, seed)
        plain, frozen = fit(problem), fit(problem, schedule=Schedule(start_work=0.0))
        assert frozen.history[0] != plain.history[0]
        assert frozen.outcome is Outcome.CONVERGED
        assert_complete(frozen)
        close += abs(frozen.log_evidence - plain.log_evidence) < 0.5
    assert close >= 5


def test_a_start_on_frozen_curvature_does_nothing_to_a_gaussian():
    plain, frozen = fit(make(sinc, 2)), fit(make(sinc, 2), schedule=Schedule(start_work=0.0))
    assert frozen.history == plain.history


def test_with_a_proper_hyperprior_all_columns_start_whatever_the_schedule():
    problem = make(regression, 0, weight_hyperprior=student_t(1.0))
    assert len(top_down(problem, Schedule(start_columns=3)).active) == problem.n_columns


@ALL
def test_a_start_at_the_end_stays_there(data):
    problem = make(data, 4)
    end = fit(problem)
    again = fit(problem, state=fits.fast_state(problem, end.active, end.precisions))
    assert len(again.history) <= 3
    assert_array_equal(again.active, end.active)
    assert_allclose(again.mean, end.mean, rtol=1e-2, atol=1e-3)


@ALL
def test_a_poor_start_ends_at_a_stationary_point(data):
    """One column, and precisions from nowhere."""
    far = Precisions(np.array([1e3]), 1.0)
    for seed in range(3):
        problem = make(data, seed)
        end = fit(problem, state=fits.fast_state(problem, [1], far))
        assert end.outcome in (Outcome.CONVERGED, Outcome.NOISE_VANISHED)
        assert_complete(end)


# Rounds.


def test_an_addition_begins_to_grow_again_and_nothing_to_add_closes():
    """From no column: each round adds a block, until none is worth it."""
    inference, problem = Fast(min_gain=0.0), make(regression, 0)
    nothing, prices = empty(problem, 1.0), prices_of(0.0, problem)
    progress = SearchProgress(first_products(nothing), Phase(inference.schedule, 3), prices)
    state = inference.step(problem, State(nothing, memory=progress), TOL)
    assert len(state.posterior.active) > 0
    assert state.memory.phase == Phase(inference.schedule)
    while not np.isnan(state.largest_gain) and state.largest_gain > TOL:
        state = inference.step(problem, state, TOL)
    assert state.memory.phase == Phase(inference.schedule, 1)


def test_progress_counts_rounds_without_a_rise():
    start = SearchProgress(None, None, None)
    risen = start.after(5.0, 0.1)
    assert (risen.best, risen.idle) == (5.0, 0)
    idle = risen.after(5.05, 0.1).after(4.0, 0.1)
    assert (idle.best, idle.idle) == (5.0, 2)
    assert idle.after(5.2, 0.1).idle == 0


def test_nothing_is_added_after_too_many_idle_rounds():
    problem = make(regression, 0)
    state = fits.fast_state(problem, [19], Precisions(np.array([1.0]), 1.0))
    end = fit(problem, state=state, schedule=Schedule(idle_rounds=0))
    assert set(end.active) <= {19}


# A price per column.


@pytest.mark.slow
@pytest.mark.parametrize("data", REGRESSIONS)
@pytest.mark.parametrize("min_gain", [1.0, 3.0])
def test_every_column_is_worth_its_price(data, min_gain):
    """None that is kept adds less, none that is left out would add more."""
    fewer = 0
    for seed in range(5):
        problem = make(data, seed)
        end = fit(problem, min_gain=min_gain)
        assert end.outcome in (Outcome.CONVERGED, Outcome.NOTHING_RELEVANT)
        assert_complete(end, min_gain)
        assert np.all(-single_deletion_gain(fits.anew(end)) >= min_gain - 1e-2)
        fewer += len(fit(problem).active) - len(end.active)
    assert fewer > 0


@pytest.mark.parametrize("data", CLASSIFICATIONS)
def test_a_price_thins_out_a_classification(data):
    """Its curvature changes with every deletion, so that a column's worth does too."""
    sizes = np.zeros((5, 2), dtype=int)
    for seed in range(5):
        problem = make(data, seed)
        end, free = fit(problem, min_gain=2.0), fit(problem)
        assert end.outcome in (Outcome.CONVERGED, Outcome.NOTHING_RELEVANT)
        assert end.history[-1].gradient <= TOL
        sizes[seed] = len(end.active), len(free.active)
    assert np.all(sizes[:, 0] <= sizes[:, 1])
    assert sizes[:, 0].sum() < 0.7 * sizes[:, 1].sum()


def ends(problem, inference):
    """Where the search ended before it was begun anew, and where it ended at last."""
    state, rival = inference.init(problem), None
    while not state.settled:
        state = inference.step(problem, state, TOL)
        rival = state.memory.rival or rival
    return rival, state.posterior


@pytest.mark.slow
def test_of_two_searches_the_better_end_is_kept():
    """From all columns and from none; which of them is better depends on the problem."""
    inference, first, second = Fast(min_gain=1.0), 0, 0

    def worth(posterior):
        return evidence.log_evidence(posterior) - len(posterior.active)

    for seed in range(10):
        rival, end = ends(make(sinc, seed), inference)
        assert worth(end) >= worth(rival)
        first, second = first + (end is rival), second + (worth(end) > worth(rival))
    assert first > 0
    assert second > 0


@pytest.mark.parametrize("min_gain", [-1.0, np.nan, "two", True, None])
def test_a_price_is_a_number_of_zero_or_more(min_gain):
    with pytest.raises(ValueError, match="min_gain must be 'auto' or a number of 0 or more, got"):
        Fast(min_gain=min_gain).check()


@pytest.mark.parametrize("min_gain", ["auto", 5.0])
def test_a_column_that_separates_two_classes_is_worth_its_price(min_gain):
    """The quadratic at the mode says that it is worth less: it is flat there."""
    for seed in range(4):
        random = np.random.default_rng(seed)
        design = random.normal(size=(30, 50))
        labels = 1.0 * (design[:, 0] + 0.1 * random.normal(size=30) > 0.0)
        problem = problems.bernoulli(design, labels)
        end = fits.fit(Fast(min_gain=min_gain), problem, TOL, 500)
        assert end.outcome is Outcome.CONVERGED
        assert_array_equal(end.active, [0])
        assert_allclose(end.log_evidence, evidence.log_evidence(fits.anew(end)), rtol=1e-6)


def test_the_evidence_of_classes_is_that_of_the_model_at_the_end():
    """Also where no column pays: then it is that of even odds."""
    for seed in range(6):
        random = np.random.default_rng(seed)
        problem = problems.bernoulli(random.normal(size=(30, 50)), 1.0 * (np.arange(30) % 2))
        end = fits.fit(Fast(), problem, TOL, 500)
        assert_allclose(end.log_evidence, evidence.log_evidence(fits.anew(end)), rtol=1e-6)
        assert end.log_evidence >= 30.0 * np.log(0.5) - 1e-9
