import numpy as np
import problems
import pytest
import reference
from numpy.testing import assert_allclose

from sparsebayes import evidence, statistics
from sparsebayes.hyperpriors import FLAT, Gamma, student_t
from sparsebayes.inference.reestimation import admit_best

ACTIVE = np.array([0, 2, 3, 5])
ALPHA = np.array([0.5, 3.0, 1e-3, 20.0])
BETA = 4.0


def evidence_at(design, target, active, alpha, beta):
    problem = problems.gaussian(design, target)
    return evidence.log_evidence(problem, problems.posterior_at(problem, active, alpha, beta))


# The value.


@pytest.mark.parametrize(("n_rows", "n_columns"), [(2, 6), (12, 6), (25, 6)])
@pytest.mark.parametrize("beta", [1e-2, 1.0, 1e4])
def test_log_evidence_is_the_gaussian_density(n_rows, n_columns, beta):
    design, target = problems.regression(0, n_rows, n_columns)
    ours = evidence_at(design, target, ACTIVE, ALPHA, beta)
    chosen = design[:, ACTIVE]
    assert_allclose(ours, reference.log_evidence(chosen, target, ALPHA, beta), rtol=1e-8)
    assert_allclose(ours, reference.exact_log_evidence(chosen, target, ALPHA, beta), rtol=1e-8)


@pytest.mark.parametrize("bias_precision", [1e-12, 1e-3])
def test_log_evidence_with_an_offset_of_a_million(bias_precision):
    design, target = problems.regression(1, 25)
    design[:, 0] = 1.0
    alpha = np.array([bias_precision, *ALPHA[1:]])
    ours = evidence_at(design, target + 1e6, ACTIVE, alpha, BETA)
    exact = reference.exact_log_evidence(design[:, ACTIVE], target + 1e6, alpha, BETA)
    assert_allclose(ours, exact, rtol=1e-8)


@pytest.mark.parametrize("unit", [1e-6, 1e6])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_log_evidence_in_other_units_of_the_target(unit, offset):
    design, target = problems.regression(2, 25)
    design[:, 0] = 1.0
    target = unit * (target + offset)
    alpha, beta = np.array([1e-12, *ALPHA[1:]]) / unit**2, BETA / unit**2
    ours = evidence_at(design, target, ACTIVE, alpha, beta)
    exact = reference.exact_log_evidence(design[:, ACTIVE], target, alpha, beta)
    assert_allclose(ours, exact, rtol=1e-8)


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_log_evidence_in_other_units_of_a_column(unit):
    design, target = problems.regression(3, 25)
    plain = evidence_at(design, target, ACTIVE, ALPHA, BETA)
    alpha = ALPHA.copy()
    design[:, 2] *= unit
    alpha[1] *= unit**2
    assert_allclose(evidence_at(design, target, ACTIVE, alpha, BETA), plain, rtol=1e-10)


def test_log_evidence_of_no_columns_is_that_of_noise():
    design, target = problems.regression(4)
    none = np.empty(0, dtype=np.intp)
    ours = evidence_at(design, target, none, np.empty(0), BETA)
    expected = reference.log_evidence(design[:, :0], target, np.empty(0), BETA)
    assert_allclose(ours, expected, rtol=1e-12)


def test_weighted_rows_are_repeated_rows():
    design, target = problems.regression(5, 12)
    times = np.arange(12) % 3 + 1
    problem = problems.gaussian(design, target, weight=times.astype(float))
    ours = evidence.log_evidence(problem, problems.posterior_at(problem, ACTIVE, ALPHA, BETA))
    repeated = np.repeat(design, times, axis=0), np.repeat(target, times)
    assert_allclose(ours, evidence_at(*repeated, ACTIVE, ALPHA, BETA), rtol=1e-12)


def laplace_error(seed):
    design, target = problems.classification(seed)
    problem = problems.bernoulli(design, target)
    ours = evidence.log_evidence(problem, problems.posterior_at(problem, ACTIVE, ALPHA))
    return abs(ours / reference.laplace_log_evidence(design[:, ACTIVE], target, ALPHA) - 1.0)


def test_laplace_evidence_is_the_naive_one_to_eight_digits():
    assert max(laplace_error(seed) for seed in range(30)) < 1e-8


def test_objective_adds_the_hyperpriors():
    design, target = problems.regression(6)
    weights, noise = student_t(3.0), Gamma(2.0, 0.1)
    problem = problems.gaussian(design, target, weight_hyperprior=weights, noise_hyperprior=noise)
    posterior = problems.posterior_at(problem, ACTIVE, ALPHA, BETA)
    added = np.sum(1.5 * np.log(ALPHA) - 1.5 * ALPHA) + 2.0 * np.log(BETA) - 0.1 * BETA
    total = evidence.log_evidence(problem, posterior) + added
    assert_allclose(evidence.objective(problem, posterior), total, rtol=1e-12)


def test_a_fixed_noise_has_no_hyperprior():
    design, target = problems.regression(6)
    noise = Gamma(2.0, 0.1)
    problem = problems.gaussian(design, target, noise_std=0.5, noise_hyperprior=noise)
    posterior = problems.posterior_at(problem, ACTIVE, ALPHA, 4.0)
    assert evidence.objective(problem, posterior) == evidence.log_evidence(problem, posterior)
    assert evidence.noise_gradient(problem, posterior) == 0.0


# Its gradient.

HYPERPRIORS = pytest.mark.parametrize(
    ("weights", "noise"),
    [(FLAT, FLAT), (student_t(3.0), FLAT), (FLAT, Gamma(2.0, 0.1)), (Gamma(1.0, 0.2), Gamma(3, 2))],
)


def central_difference(function, step=1e-4):
    return (function(step) - function(-step)) / (2.0 * step)


@HYPERPRIORS
@pytest.mark.parametrize("weighted", [False, True])
def test_gradients_are_finite_differences(weights, noise, weighted):
    design, target = problems.regression(7)
    weight = np.random.default_rng(8).uniform(0.3, 2.0, len(target)) if weighted else None
    problem = problems.gaussian(
        design, target, weight=weight, weight_hyperprior=weights, noise_hyperprior=noise
    )

    def objective(alpha, beta):
        return evidence.objective(problem, problems.posterior_at(problem, ACTIVE, alpha, beta))

    posterior = problems.posterior_at(problem, ACTIVE, ALPHA, BETA)
    slopes = evidence.weight_gradient(problem, posterior)
    for i, unit in enumerate(np.eye(4)):
        numeric = central_difference(lambda h, unit=unit: objective(ALPHA * np.exp(h * unit), BETA))
        assert_allclose(slopes[i], numeric, rtol=1e-6, atol=1e-6)
    numeric = central_difference(lambda h: objective(ALPHA, BETA * np.exp(h)))
    assert_allclose(evidence.noise_gradient(problem, posterior), numeric, rtol=1e-6, atol=1e-6)


# Sparsity and quality.


def naive_candidates(design, target, active, alpha, noise):
    every = [
        reference.sparsity_and_quality(column, design[:, active], target, alpha, noise)
        for column in design.T
    ]
    return np.array(every).T


def naive_active(design, target, active, alpha, noise):
    every = []
    for i, column in enumerate(active):
        others = np.delete(active, i)
        every.append(
            reference.sparsity_and_quality(
                design[:, column], design[:, others], target, np.delete(alpha, i), noise
            )
        )
    return np.array(every).T


def gaussian_case():
    design, target = problems.regression(9)
    problem = problems.gaussian(design, target)
    return problem, problems.posterior_at(problem, ACTIVE, ALPHA, BETA), design, target, BETA


def bernoulli_case():
    design, target = problems.classification(9)
    problem = problems.bernoulli(design, target)
    posterior = problems.posterior_at(problem, ACTIVE, ALPHA)
    response, curvature = reference.working_response(design[:, ACTIVE], target, posterior.mean)
    return problem, posterior, design, response, curvature


def candidates_of(problem, posterior):
    every = statistics.candidates(problem, posterior.active, posterior.mean)
    return evidence.candidate_relevance(posterior, every)


CASES = pytest.mark.parametrize("case", [gaussian_case, bernoulli_case])


@CASES
def test_candidate_relevance_is_the_naive_one(case):
    problem, posterior, design, response, noise = case()
    ours = candidates_of(problem, posterior)
    sparsity, quality = naive_candidates(design, response, ACTIVE, ALPHA, noise)
    out = np.setdiff1d(np.arange(design.shape[1]), ACTIVE)
    assert_allclose(ours.sparsity[out], sparsity[out], rtol=1e-8)
    assert_allclose(ours.quality[out], quality[out], rtol=1e-5, atol=1e-5)
    assert_allclose(ours.sparsity[ACTIVE], 0.0, atol=0.0)
    assert_allclose(ours.gain[ACTIVE], 0.0, atol=0.0)


@CASES
def test_active_relevance_is_the_naive_one(case):
    _, posterior, design, response, noise = case()
    ours = evidence.active_relevance(posterior)
    sparsity, quality = naive_active(design, response, ACTIVE, ALPHA, noise)
    assert_allclose(ours.sparsity, sparsity, rtol=1e-8)
    assert_allclose(ours.quality, quality, rtol=1e-5, atol=1e-5)


def test_a_column_in_the_span_of_the_active_ones_has_no_gain():
    """Its sparsity is 1e-13 of its energy, which rounding would drown."""
    design, target = problems.regression(10)
    design[:, 7] = design[:, 0] - 2.0 * design[:, 1]
    problem = problems.gaussian(design, target)
    posterior = problems.posterior_at(problem, [0, 1], np.full(2, 1e-12), BETA)
    relevance = candidates_of(problem, posterior)
    assert relevance.sparsity[7] == relevance.gain[7] == 0.0
    assert relevance.gain[2] > 0.0


def test_gain_and_best_precision_of_columns_that_do_not_belong():
    relevance = evidence.Relevance(np.array([1.0, 4.0, 1.0, 0.0]), np.array([1.0, 1.0, 2.0, 0.0]))
    assert_allclose(relevance.gain, [0.0, 0.0, 0.5 * (3.0 - np.log(4.0)), 0.0], rtol=1e-14)
    assert_allclose(relevance.best_precision, [np.inf, np.inf, 1.0 / 3.0, np.inf])


@pytest.mark.parametrize("seed", range(5))
def test_a_predicted_gain_is_the_difference_of_evidence(seed):
    design, target = problems.regression(seed)
    problem = problems.gaussian(design, target)
    active, alpha = np.array([5, 6]), np.array([1.0, 2.0])
    before = problems.posterior_at(problem, active, alpha, BETA)
    start = evidence.log_evidence(problem, before)
    relevance = candidates_of(problem, before)
    gains = 0
    for j in np.flatnonzero(relevance.gain):
        more, precisions = np.append(active, j), np.append(alpha, relevance.best_precision[j])
        after = problems.posterior_at(problem, more, precisions, BETA)
        difference = evidence.log_evidence(problem, after) - start
        assert_allclose(relevance.gain[j], difference, rtol=1e-8, atol=1e-9)
        assert abs(evidence.weight_gradient(problem, after)[-1]) < 1e-9
        gains += 1
    assert gains >= 2


def test_admitting_the_best_gains_what_was_predicted():
    design, target = problems.regression(11)
    problem = problems.gaussian(design, target)
    before = problems.posterior_at(problem, [5, 6], np.array([1.0, 2.0]), BETA)
    gain = candidates_of(problem, before).gain
    after, predicted = admit_best(problem, before, 0.0)
    assert predicted == gain.max()
    assert sorted(after.active) == list(after.active)
    assert set(after.active) - {5, 6} == {int(np.argmax(gain))}
    difference = evidence.log_evidence(problem, after) - evidence.log_evidence(problem, before)
    assert_allclose(difference, gain.max(), rtol=1e-9)
    assert admit_best(problem, before, gain.max()) == (before, gain.max())
