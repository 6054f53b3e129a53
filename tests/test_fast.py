import sys

import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_friedman1, make_moons

from sparsebayes import RVC, RVR, evidence, statistics
from sparsebayes.datasets import noisy_sinc
from sparsebayes.hyperpriors import FLAT, Gamma, student_t
from sparsebayes.inference import Fast, Outcome, Start, mackay, run
from sparsebayes.inference.deletion import doubtful, single_deletion_gain, without
from sparsebayes.inference.loop import largest_gradient
from sparsebayes.inference.newton import ascend
from sparsebayes.inference.start import empty

MODULE = sys.modules[Fast.__module__]
TOL = 1e-3
WIDTHS = (0.3, 1.0, 3.0, 10.0, 30.0)


def sinc(seed, n_rows=60):
    """Kernels on the rows of a noisy sinc, in turn from narrow to nearly collinear."""
    random = np.random.default_rng(seed)
    inputs = np.sort(random.uniform(-10.0, 10.0, n_rows))
    target = np.sinc(inputs / np.pi) + 0.1 * random.normal(size=n_rows)
    return problems.kernel_design(inputs, inputs, WIDTHS[seed % len(WIDTHS)]), target


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


def make(data, seed, **options):
    kind = problems.gaussian if data in REGRESSIONS else problems.bernoulli
    return kind(*data(seed), **options)


def fit(problem, tol=TOL, max_iter=500, **options):
    return run(Fast(tol, **options), problem, max_iter)


CONCLUSIVE = (Outcome.CONVERGED, Outcome.NOISE_VANISHED, Outcome.NOTHING_RELEVANT)


def found_anew(problem, posterior):
    """The posterior at the same precisions, found from the rows and from zero."""
    return problems.posterior_at(
        problem, posterior.active, posterior.weight_precision, posterior.noise_precision
    )


def largest_gain(problem, posterior):
    every = statistics.candidates(problem, posterior.active, posterior.mean)
    return evidence.candidate_relevance(posterior, every).gain.max()


# Uphill.


@pytest.mark.parametrize("data", REGRESSIONS)
def test_the_evidence_of_a_regression_never_falls(data):
    """15 problems each, from the first entry of the history on."""
    rounds = 0
    for seed in range(15):
        values = np.array([step.log_evidence for step in fit(make(data, seed)).history])
        assert np.diff(values).min() >= -1e-9 * np.abs(values).max()
        rounds += len(values) - 1
    assert rounds > 15


@pytest.mark.parametrize("data", REGRESSIONS)
def test_with_hyperpriors_the_objective_never_falls(data):
    for seed in range(5):
        problem = make(
            data, seed, weight_hyperprior=student_t(3.0), noise_hyperprior=Gamma(1.0, 0.01)
        )
        inference = Fast(TOL)
        state, values = inference.init(problem), []
        while not state.settled and len(values) < 100:
            values.append(evidence.objective(problem, state.posterior))
            state = inference.step(problem, state)
        values.append(evidence.objective(problem, state.posterior))
        assert state.settled
        assert len(values) > 1
        assert np.diff(values).min() >= -1e-9 * np.abs(values).max()


@ALL
def test_the_moves_of_a_round_are_uphill_while_the_curvature_is_held(data):
    """Newton steps and deletions, of which a round is made; no pass over the rows in between."""
    moves = 0
    for seed in range(5):
        problem = make(data, seed)
        posterior = Fast(TOL).init(problem).posterior
        for _ in range(5):
            if not len(posterior.active):
                break
            before = evidence.objective(problem, posterior)
            posterior = ascend(problem, posterior)
            after = evidence.objective(problem, posterior)
            posterior = without(posterior, doubtful(problem, posterior, 0.1))
            last = evidence.objective(problem, posterior)
            assert before - 1e-9 * abs(before) <= after <= last + 1e-9 * abs(last)
            moves += last > before
    assert moves > 10


def test_a_fit_does_not_end_below_the_model_of_no_columns():
    """Columns that cancel are a stationary point, where MacKay's re-estimates stay."""
    problem = make(labelled_sinc, 4)
    nothing = evidence.log_evidence(problem, empty(problem, 1.0))
    assert run(mackay(TOL), problem, 500).log_evidence < nothing - 0.5
    assert fit(problem).log_evidence >= nothing


# To a stationary point that no candidate would improve.


@ALL
@pytest.mark.parametrize("tol", [1e-2, TOL, 1e-5])
def test_the_end_is_stationary_and_leaves_nothing_out(data, tol):
    """Both recomputed from the rows; a mode that is found anew differs by rounding."""
    for seed in range(5):
        problem = make(data, seed)
        end = fit(problem, tol)
        assert end.outcome in CONCLUSIVE
        posterior = found_anew(problem, end.posterior)
        assert len(posterior.active) < problem.n_columns
        assert largest_gradient(problem, posterior) <= tol + 1e-7
        assert largest_gain(problem, posterior) <= tol + 1e-7
        assert_allclose(evidence.log_evidence(problem, posterior), end.log_evidence, rtol=1e-7)


@pytest.mark.parametrize("data", REGRESSIONS)
@pytest.mark.parametrize(
    ("noise_std", "weights", "noise"),
    [(0.2, FLAT, FLAT), (None, student_t(2.0), FLAT), (None, FLAT, Gamma(2.0, 0.1))],
    ids=["fixed noise", "weight hyperprior", "noise hyperprior"],
)
def test_the_end_is_stationary_whatever_the_priors(data, noise_std, weights, noise):
    for seed in range(5):
        options = {"weight_hyperprior": weights, "noise_hyperprior": noise}
        problem = make(data, seed, noise_std=noise_std, **options)
        end = fit(problem)
        assert end.outcome in (Outcome.CONVERGED, Outcome.NOISE_VANISHED)
        posterior = found_anew(problem, end.posterior)
        assert largest_gradient(problem, posterior) <= TOL + 1e-7
        if weights.is_flat:
            assert largest_gain(problem, posterior) <= TOL + 1e-7
        else:
            assert len(posterior.active) > 10  # no precision diverges, and so few columns go


# As good as re-estimation.


def shortfall(problem):
    """By how much its log evidence is below that of MacKay's re-estimation."""
    return run(mackay(TOL), problem, 5000).log_evidence - fit(problem).log_evidence


@pytest.mark.parametrize("data", [sinc, labelled_sinc, classification])
def test_the_evidence_is_that_of_mackay_or_more(data):
    """Local maxima differ; of these 12 none is worse by 0.1."""
    lost = np.array([shortfall(make(data, seed)) for seed in range(12)])
    assert np.mean(lost < 0.5) >= 0.9
    assert lost.mean() < 0.05


def test_the_evidence_of_friedmans_function_is_that_of_mackay_or_more():
    lost = []
    for seed in range(12):
        inputs, target = make_friedman1(80, noise=1.0, random_state=seed)
        models = [
            RVR(gamma=10.0 ** (seed % 3 - 1), inference=name, noise_std=1.0).fit(inputs, target)
            for name in ("fast", "mackay")
        ]
        lost.append(models[1].log_evidence_ - models[0].log_evidence_)
    assert np.mean(np.array(lost) < 0.5) >= 0.9


# What must not matter.


def assert_same_fit(one, other):
    assert_array_equal(one.posterior.active, other.posterior.active)
    assert_allclose(one.log_evidence, other.log_evidence, rtol=1e-9)
    assert_allclose(one.posterior.mean, other.posterior.mean, rtol=1e-5, atol=1e-9)


@ALL
@pytest.mark.parametrize("chunk_rows", [1, 7, 1000])
def test_chunks_of_rows_give_the_same_model(data, chunk_rows):
    for seed in (0, 1, 2):
        assert_same_fit(fit(make(data, seed)), fit(make(data, seed, chunk_rows=chunk_rows)))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("gamma", [0.01, 0.1, 1.0, 10.0])
@pytest.mark.parametrize("kind", [RVR, RVC])
def test_the_order_of_the_rows_does_not_matter(kind, gamma):
    if kind is RVR:
        inputs, target = noisy_sinc(60, 0.1, random_state=1)
    else:
        inputs, target = make_moons(60, noise=0.3, random_state=1)
    ask = "predict" if kind is RVR else "decision_function"
    order = np.random.default_rng(2).permutation(60)
    plain, shuffled = (
        getattr(kind(gamma=gamma).fit(inputs[rows], target[rows]), ask)(inputs)
        for rows in (slice(None), order)
    )
    assert_allclose(shuffled, plain, rtol=1e-6, atol=1e-6 * np.abs(plain).max())


@ALL
def test_fitting_again_gives_the_very_same(data):
    one, other = fit(make(data, 3)), fit(make(data, 3))
    assert one.history == other.history
    assert_array_equal(one.posterior.active, other.posterior.active)
    assert_array_equal(one.posterior.mean, other.posterior.mean)
    assert_array_equal(one.posterior.covariance, other.posterior.covariance)


# The start.


@ALL
@pytest.mark.parametrize("most", [1, 5, 17])
def test_more_columns_than_the_start_takes(monkeypatch, data, most):
    """The others enter later: a stationary point, and on most problems an equally good one."""
    monkeypatch.setattr(MODULE, "START_COLUMNS", most)
    for seed in range(3):
        problem = make(data, seed)
        inference = Fast(TOL)
        assert len(inference.init(problem).posterior.active) <= most + 1
        end = fit(problem)
        assert end.outcome is Outcome.CONVERGED
        assert end.history[-1].gradient <= TOL
        assert largest_gain(problem, found_anew(problem, end.posterior)) <= TOL + 1e-7


@pytest.mark.parametrize("data", CLASSIFICATIONS)
def test_a_start_on_frozen_curvature(monkeypatch, data):
    """Where a start with varying curvature costs too much; it ends where the other ends."""
    close = 0
    for seed in range(6):
        problem = make(data, seed)
        plain = fit(problem)
        with monkeypatch.context() as patch:
            patch.setattr(MODULE, "START_WORK", 0.0)
            frozen = fit(problem)
        assert frozen.history[0] != plain.history[0]
        assert frozen.outcome is Outcome.CONVERGED
        posterior = found_anew(problem, frozen.posterior)
        assert largest_gradient(problem, posterior) <= TOL + 1e-7
        assert largest_gain(problem, posterior) <= TOL + 1e-7
        close += abs(frozen.log_evidence - plain.log_evidence) < 0.5
    assert close >= 5


def test_a_start_on_frozen_curvature_does_nothing_to_a_gaussian(monkeypatch):
    plain = fit(make(sinc, 2))
    monkeypatch.setattr(MODULE, "START_WORK", 0.0)
    assert fit(make(sinc, 2)).history == plain.history


@pytest.mark.parametrize("total", [2, 7, 1000])
@pytest.mark.parametrize("most", [2, 5, 7, 1024])
def test_an_even_subset(total, most):
    subset = MODULE.even_subset(total, most)
    assert len(subset) == min(total, most)
    assert (subset[0], subset[-1]) == (0, total - 1)
    assert np.diff(subset).min() > 0
    assert np.ptp(np.diff(subset)) <= 1


@pytest.mark.parametrize(("total", "most"), [(1, 1), (1, 9), (9, 1)])
def test_an_even_subset_of_one(total, most):
    assert list(MODULE.even_subset(total, most)) == [0]


# A warm start.


@ALL
def test_a_start_at_the_end_stays_there(data):
    problem = make(data, 4)
    end = fit(problem).posterior
    start = Start(end.active, end.weight_precision, end.noise_precision)
    again = fit(problem, start=start)
    assert len(again.history) <= 3
    assert_array_equal(again.posterior.active, end.active)
    assert_allclose(again.posterior.mean, end.mean, rtol=1e-2, atol=1e-3)


@ALL
def test_a_poor_start_ends_at_a_stationary_point(data):
    """One column, and precisions from nowhere."""
    for seed in range(3):
        problem = make(data, seed)
        end = fit(problem, start=Start(np.array([1]), np.array([1e3]), 1.0))
        assert end.outcome in (Outcome.CONVERGED, Outcome.NOISE_VANISHED)
        posterior = found_anew(problem, end.posterior)
        assert largest_gradient(problem, posterior) <= TOL + 1e-7
        assert largest_gain(problem, posterior) <= TOL + 1e-7


# A price per column.


@pytest.mark.parametrize("data", REGRESSIONS)
@pytest.mark.parametrize("min_gain", [1.0, 3.0])
def test_every_column_is_worth_its_price(data, min_gain):
    """None that is kept adds less, none that is left out would add more."""
    fewer = 0
    for seed in range(5):
        problem = make(data, seed)
        end = fit(problem, min_gain=min_gain)
        assert end.outcome in (Outcome.CONVERGED, Outcome.NOTHING_RELEVANT)
        posterior = found_anew(problem, end.posterior)
        assert largest_gradient(problem, posterior) <= TOL + 1e-7
        assert largest_gain(problem, posterior) <= min_gain + 1e-6
        assert np.all(-single_deletion_gain(posterior) >= min_gain - 1e-2)
        fewer += len(fit(problem).posterior.active) - len(posterior.active)
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
        sizes[seed] = len(end.posterior.active), len(free.posterior.active)
    assert np.all(sizes[:, 0] <= sizes[:, 1])
    assert sizes[:, 0].sum() < 0.7 * sizes[:, 1].sum()
