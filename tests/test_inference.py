import numpy as np
import problems
import pytest
import reference
from numpy.testing import assert_allclose

from sparsebayes import evidence
from sparsebayes.hyperpriors import FLAT, Gamma, student_t
from sparsebayes.inference import INFERENCES, Fast, Outcome, State, Variational, em, mackay, run
from sparsebayes.inference.loop import largest_gradient

TOL = 1e-3
MAX_ITER = 5000
ALL = pytest.mark.parametrize("inference", [Fast, mackay, em])


def sinc(seed, n_rows=40, width=3.0):
    """A noisy sinc, and kernels on its rows: columns that are nearly collinear."""
    random = np.random.default_rng(seed)
    inputs = np.sort(random.uniform(-10.0, 10.0, n_rows))
    target = np.sinc(inputs / np.pi) + 0.1 * random.normal(size=n_rows)
    return problems.kernel_design(inputs, inputs, width), target


def fit(inference, problem, tol=TOL, max_iter=MAX_ITER, **options):
    return run(inference(tol), problem, max_iter, **options)


# Uphill, to a stationary point.


@pytest.mark.parametrize("data", [problems.regression, sinc])
@pytest.mark.parametrize(
    ("weights", "noise"),
    [(FLAT, FLAT), (student_t(3.0), FLAT), (Gamma(1e-2, 1e-4), Gamma(1.0, 0.1))],
    ids=["flat", "student t", "gamma"],
)
def test_em_never_goes_downhill(data, weights, noise):
    """20 problems each; also where columns are deleted and admitted."""
    inference = em(TOL)
    for seed in range(20):
        problem = problems.gaussian(*data(seed), weight_hyperprior=weights, noise_hyperprior=noise)
        state = inference.init(problem)
        values = [evidence.objective(problem, state.posterior)]
        while not state.settled and len(values) <= MAX_ITER:
            state = inference.step(problem, state)
            values.append(evidence.objective(problem, state.posterior))
        values = np.array(values)
        assert state.settled
        assert len(values) > 3
        assert np.diff(values).min() >= -1e-9 * np.abs(values).max()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("make", ["gaussian", "bernoulli"])
def test_mackay_and_em_agree(make, seed):
    """On problems where they keep the same columns."""
    data = problems.regression(seed) if make == "gaussian" else problems.classification(seed)
    problem = getattr(problems, make)(*data)
    one, other = fit(mackay, problem, 1e-5), fit(em, problem, 1e-5)
    assert one.outcome is other.outcome is Outcome.CONVERGED
    assert list(one.posterior.active) == list(other.posterior.active)
    assert one.history[-1].gradient < 1e-5
    assert other.history[-1].gradient < 1e-5
    assert_allclose(one.log_evidence, other.log_evidence, rtol=1e-6)
    assert_allclose(one.posterior.mean, other.posterior.mean, rtol=1e-3, atol=1e-3)


@ALL
def test_with_hyperpriors_the_objective_is_stationary(inference):
    design, target = problems.regression(5)
    problem = problems.gaussian(
        design, target, weight_hyperprior=student_t(3.0), noise_hyperprior=Gamma(2.0, 0.1)
    )
    end = fit(inference, problem, 1e-6).posterior
    assert len(end.active) == design.shape[1]

    def objective(alpha, beta):
        return evidence.objective(problem, problems.posterior_at(problem, end.active, alpha, beta))

    here = objective(end.weight_precision, end.noise_precision)
    for factor in (0.9, 1.1):
        assert objective(end.weight_precision, factor * end.noise_precision) < here
        for i in range(len(end.active)):
            alpha = end.weight_precision.copy()
            alpha[i] *= factor
            assert objective(alpha, end.noise_precision) < here


# Sparsity, at the end.


def naive_relevance(design, target, posterior, noise):
    """q^2 / s of every column, each as if it were outside the model."""
    ratios = np.empty(design.shape[1])
    for j, column in enumerate(design.T):
        rest = posterior.active != j
        sparsity, quality = reference.sparsity_and_quality(
            column,
            design[:, posterior.active[rest]],
            target,
            posterior.weight_precision[rest],
            noise,
        )
        ratios[j] = quality**2 / sparsity
    return ratios


def assert_no_column_is_in_the_wrong_place(design, target, posterior, noise):
    """Of active columns q^2 > s; of the others, none would gain more than the tolerance."""
    ratio = naive_relevance(design, target, posterior, noise)
    inside = np.isin(np.arange(design.shape[1]), posterior.active)
    assert 0 < inside.sum() < len(inside)
    assert np.all(ratio[inside] > 1.0)
    out = np.maximum(ratio[~inside], 1.0)
    assert np.max(0.5 * (out - 1.0 - np.log(out))) <= TOL


@ALL
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("data", [lambda seed: problems.regression(seed, 40, 20), sinc])
def test_no_column_of_a_regression_is_in_the_wrong_place(inference, data, seed):
    """[T01] B.1: no deleted column would raise the evidence, no active one would by leaving."""
    design, target = data(seed)
    end = fit(inference, problems.gaussian(design, target))
    assert end.outcome is Outcome.CONVERGED
    noise = end.posterior.noise_precision
    assert_no_column_is_in_the_wrong_place(design, target, end.posterior, noise)


@ALL
@pytest.mark.parametrize("seed", range(5))
def test_no_column_of_a_classification_is_in_the_wrong_place(inference, seed):
    design, target = problems.classification(seed, 80, 15)
    end = fit(inference, problems.bernoulli(design, target))
    assert end.outcome is Outcome.CONVERGED
    chosen = design[:, end.posterior.active]
    response, curvature = reference.working_response(chosen, target, end.posterior.mean)
    assert_no_column_is_in_the_wrong_place(design, response, end.posterior, curvature)


@ALL
@pytest.mark.parametrize("make", ["gaussian", "bernoulli"])
def test_columns_of_zeros_are_never_active(inference, make):
    data = problems.regression(7) if make == "gaussian" else problems.classification(7)
    design = np.insert(data[0], [0, 3], 0.0, axis=1)
    problem = getattr(problems, make)(design, data[1])
    assert not np.isin([0, 4], inference(TOL).init(problem).posterior.active).any()
    plain = fit(inference, getattr(problems, make)(*data))
    end = fit(inference, problem)
    assert list(end.posterior.active) == [j + 1 + (j >= 3) for j in plain.posterior.active]
    assert_allclose(end.posterior.mean, plain.posterior.mean, rtol=1e-9)


def test_the_relevant_columns_are_found():
    design, target = problems.regression(8, n_rows=400, n_columns=30, noise=0.1)
    for inference in (Fast, mackay, em):
        posterior = fit(inference, problems.gaussian(design, target)).posterior
        large = posterior.active[np.abs(posterior.mean) > 0.1]
        assert list(large) == [0, 1, 2]
        assert_allclose(posterior.noise_precision**-0.5, 0.1, rtol=0.1)


# How it ends.


@ALL
def test_a_fixed_noise_stays_fixed(inference):
    design, target = problems.regression(9)
    end = fit(inference, problems.gaussian(design, target, noise_std=0.7))
    assert end.outcome is Outcome.CONVERGED
    assert_allclose([step.noise_std for step in end.history], 0.7, rtol=1e-14)
    free = fit(inference, problems.gaussian(design, target))
    assert abs(free.history[-1].noise_std - 0.7) > 0.1


@ALL
def test_an_estimated_noise_is_that_of_the_hyperprior_if_it_insists(inference):
    design, target = problems.regression(9)
    prior = Gamma(1e7, 1e7 * 0.7**2)
    end = fit(inference, problems.gaussian(design, target, noise_hyperprior=prior))
    assert_allclose(end.history[-1].noise_std, 0.7, rtol=1e-4)


@ALL
@pytest.mark.parametrize("max_iter", [1, 3])
def test_the_iteration_limit(inference, max_iter):
    end = fit(inference, problems.gaussian(*problems.regression(10)), 0.0, max_iter)
    assert end.outcome is Outcome.ITERATION_LIMIT
    assert not end.outcome.converged
    assert len(end.history) == max_iter + 1


@ALL
def test_nothing_is_relevant_to_a_target_of_zeros(inference):
    design, target = problems.regression(11)
    end = fit(inference, problems.gaussian(design, np.zeros_like(target)))
    assert end.outcome is Outcome.NOTHING_RELEVANT
    assert len(end.posterior.active) == 0


@ALL
def test_nothing_is_relevant_to_orthogonal_columns(inference):
    wave = np.arange(16) * np.pi / 8.0
    design, target = np.column_stack([np.cos(wave), np.sin(wave)]), np.cos(3.0 * wave)
    end = fit(inference, problems.gaussian(design, target))
    assert end.outcome is Outcome.NOTHING_RELEVANT
    assert_allclose(end.posterior.noise_precision, 2.0, rtol=0.01)


@ALL
def test_noise_vanishes_for_exact_data(inference):
    design, target = problems.regression(12, noise=0.0)
    problem = problems.gaussian(design, target)
    end = fit(inference, problem)
    assert end.outcome is Outcome.NOISE_VANISHED
    assert_allclose(end.history[-1].noise_std, 1e-5 * np.std(target), rtol=1e-9)
    assert_allclose(design[:, end.posterior.active] @ end.posterior.mean, target, rtol=1e-6)


class Settled:
    """An inference that is where it wants to be from the start."""

    def __init__(self, alpha):
        self.alpha = alpha

    def init(self, problem):
        posterior = problems.posterior_at(problem, [0, 1], np.full(2, self.alpha), 4.0)
        return State(posterior, settled=True)


@pytest.mark.parametrize(
    ("alpha", "outcome"), [(1e-20, Outcome.ILL_CONDITIONED), (1.0, Outcome.CONVERGED)]
)
def test_active_columns_collinear_to_rounding_are_ill_conditioned(alpha, outcome):
    design, target = problems.regression(13)
    problem = problems.gaussian(design[:, [0, 0]], target)
    assert run(Settled(alpha), problem, 10).outcome is outcome


@ALL
def test_a_callback_sees_each_step_and_can_stop(inference):
    seen = []

    def look(step):
        seen.append(step)
        return len(seen) == 4

    end = fit(inference, problems.gaussian(*problems.regression(14)), 0.0, on_step=look)
    assert end.outcome is Outcome.STOPPED
    assert end.history[1:] == seen
    assert len(seen) == 4


@ALL
def test_history_describes_the_end(inference):
    problem = problems.gaussian(*problems.regression(15))
    end = fit(inference, problem)
    last = end.history[-1]
    assert end.log_evidence == last.log_evidence
    assert last.log_evidence == evidence.log_evidence(problem, end.posterior)
    assert last.n_active == len(end.posterior.active)
    assert last.noise_std == end.posterior.noise_precision**-0.5
    assert last.gradient == largest_gradient(problem, end.posterior) <= TOL


def test_every_inference_has_its_name():
    assert {"fast": Fast, "mackay": mackay, "em": em, "variational": Variational} == INFERENCES


@ALL
def test_noise_stays_positive_where_columns_span_all_rows(inference):
    for seed in range(20):
        end = fit(inference, problems.gaussian(*problems.regression(seed, 3, 10)), max_iter=500)
        assert end.posterior.noise_precision > 0.0
        assert np.isfinite(end.log_evidence)


# Weights of rows.


@ALL
@pytest.mark.parametrize("make", ["gaussian", "bernoulli"])
def test_a_row_of_weight_three_is_three_rows(inference, make):
    data = problems.regression(16) if make == "gaussian" else problems.classification(16)
    times = np.arange(len(data[1])) % 3 + 1
    weighted = getattr(problems, make)(*data, weight=times.astype(float))
    repeated = getattr(problems, make)(*(np.repeat(part, times, axis=0) for part in data))
    one, other = fit(inference, weighted), fit(inference, repeated)
    assert list(one.posterior.active) == list(other.posterior.active)
    assert_allclose(one.log_evidence, other.log_evidence, rtol=1e-9)
    assert_allclose(one.posterior.mean, other.posterior.mean, rtol=1e-7)
    assert_allclose(one.posterior.covariance, other.posterior.covariance, rtol=1e-6, atol=1e-12)
    unweighted = fit(inference, getattr(problems, make)(*data))
    assert abs(unweighted.log_evidence - one.log_evidence) > 1.0
