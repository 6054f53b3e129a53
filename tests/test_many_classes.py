"""Three and more classes in the numerical core: weights of each class, or shared precisions."""

import numpy as np
import problems
import pytest
import reference
from numpy.testing import assert_allclose
from scipy.special import log_softmax, softmax

from sparsebayes import evidence, statistics
from sparsebayes.inference import Fast, Outcome, mackay, run
from sparsebayes.inference.addition import choose_block
from sparsebayes.inference.deletion import deletion_gain
from sparsebayes.likelihoods import Bernoulli, Frozen, Multinomial, Softmax
from sparsebayes.likelihoods.multinomial import mean_curvature
from sparsebayes.posterior import revise

RANDOM = np.random.default_rng(0)
TARGET = np.arange(12) % 4.0
LATENT = RANDOM.normal(0.0, 2.0, (12, 4))
CONTRASTS = RANDOM.normal(0.0, 2.0, (12, 3))
H = 1e-5


def differences(function, latent):
    """Central differences of a function of the latent values, for each of them (k, ...)."""
    steps = H * np.eye(latent.shape[1])
    return np.array([(function(latent + s) - function(latent - s)) / (2.0 * H) for s in steps])


def curvatures(probability):
    return np.array([reference.softmax_curvature(p) for p in probability])


# Slopes and curvatures.


@pytest.mark.parametrize(
    ("likelihood", "latent"),
    [(Softmax(4), LATENT), (Multinomial(4), CONTRASTS), (Softmax(4).frozen(), LATENT)],
    ids=["softmax", "multinomial", "frozen softmax"],
)
def test_the_slope_is_that_of_the_value(likelihood, latent):
    slope = likelihood.expand(TARGET, latent).slope
    expected = differences(lambda at: likelihood.expand(TARGET, at).value, latent)
    assert_allclose(slope, expected.T, rtol=1e-7, atol=1e-9)


def test_the_value_is_the_log_probability_of_the_label():
    expected = log_softmax(LATENT, axis=1)[np.arange(12), TARGET.astype(int)]
    assert_allclose(Softmax(4).expand(TARGET, LATENT).value, expected, rtol=1e-14)
    contrasts = LATENT @ Multinomial(4).contrasts
    assert_allclose(Multinomial(4).expand(TARGET, contrasts).value, expected, rtol=1e-12)


def test_the_curvature_of_a_softmax_is_that_of_its_slope():
    probability = Softmax(4).expand(TARGET, LATENT).probability
    bent = -differences(lambda at: Softmax(4).expand(TARGET, at).slope, LATENT)
    assert_allclose(bent.transpose(1, 0, 2), curvatures(probability), rtol=1e-6, atol=1e-9)


def test_contrasts_are_an_orthonormal_basis_of_what_sums_to_zero():
    contrasts = Multinomial(5).contrasts
    assert_allclose(contrasts.T @ contrasts, np.eye(4), atol=1e-15)
    assert_allclose(contrasts.sum(axis=0), 0.0, atol=1e-15)


def test_bending_is_the_curvature_times_a_direction():
    likelihood = Multinomial(4)
    direction = RANDOM.normal(size=(12, 3))
    probability = softmax(CONTRASTS @ likelihood.contrasts.T, axis=1)
    matrices = likelihood.contrasts.T @ curvatures(probability) @ likelihood.contrasts
    bent = likelihood.bend(CONTRASTS, direction)
    assert_allclose(bent, np.einsum("nkl,nl->nk", matrices, direction), rtol=1e-12, atol=1e-15)
    high = likelihood.expand(TARGET, CONTRASTS + H * direction).slope
    low = likelihood.expand(TARGET, CONTRASTS - H * direction).slope
    assert_allclose(bent, (low - high) / (2.0 * H), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_the_mean_curvature_is_a_ratio_of_traces(n_classes):
    probability = RANDOM.dirichlet(np.ones(n_classes), 50)
    matrices = curvatures(probability)
    expected = np.einsum("nij,nji->n", matrices, matrices) / np.einsum("nii->n", matrices)
    assert_allclose(mean_curvature(probability), expected, rtol=1e-12)
    eigenvalues = np.linalg.eigvalsh(matrices)
    assert np.all(expected <= eigenvalues[:, -1] * (1.0 + 1e-12))
    assert np.all(expected >= eigenvalues[:, 1] * (1.0 - 1e-12))


def test_the_mean_curvature_of_two_classes_is_exact():
    latent = np.linspace(-40.0, 40.0, 17)[:, None]
    curvature = Multinomial(2).expand(np.zeros(17), latent).curvature
    exact = 2.0 * Bernoulli().expand(np.zeros(17), np.sqrt(2.0) * latent[:, 0]).curvature
    assert_allclose(curvature, exact, rtol=1e-12)


@pytest.mark.parametrize("size", [40.0, 800.0, 1e6, 1e300])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_saturated_rows_stay_finite(size, n_classes):
    probability = softmax(size * np.vstack([np.eye(n_classes), -np.eye(n_classes)]), axis=1)
    curvature = mean_curvature(probability)
    assert np.all((curvature >= 0.0) & (curvature <= 1.0))
    assert np.all(curvature[:n_classes] < 1e-15)
    target = np.arange(n_classes) * 1.0
    sure = Softmax(n_classes).expand(target, size * np.eye(n_classes))
    assert_allclose(sure.value, 0.0, atol=1e-15)
    wrong = Softmax(n_classes).expand(target, -size * np.eye(n_classes))
    assert_allclose(wrong.value, -size, rtol=0.05)
    assert all(np.isfinite(part).all() for part in (*sure, *wrong))


def test_a_mean_curvature_has_full_relative_accuracy():
    """p = (1, e, 0) with e = exp(-40): W is e (1, -1; -1, 1), its one eigenvalue 2 e."""
    curvature = mean_curvature(softmax([[40.0, 0.0, -500.0]], axis=1))
    assert_allclose(curvature, 2.0 * np.exp(-40.0), rtol=1e-14)


# Frozen forms.


@pytest.mark.parametrize(
    ("likelihood", "size"), [(Softmax(4), 4), (Multinomial(4), 3)], ids=["softmax", "multinomial"]
)
def test_a_frozen_likelihood_is_the_quadratic_at_zero(likelihood, size):
    frozen, zero = likelihood.frozen(), np.zeros((12, size))
    for ours, exact in zip(
        frozen.expand(TARGET, zero), likelihood.expand(TARGET, zero), strict=True
    ):
        assert_allclose(ours, exact, rtol=1e-14)
    assert frozen.constant_curvature
    assert not likelihood.constant_curvature
    latent = RANDOM.normal(0.0, 3.0, (12, size))
    start, far = frozen.expand(TARGET, zero), frozen.expand(TARGET, latent)
    middle = frozen.expand(TARGET, 0.5 * latent)
    assert_allclose(far[2], start[2], rtol=1e-15)
    assert_allclose(middle.slope, 0.5 * (start.slope + far.slope), rtol=1e-12, atol=1e-15)
    rise = np.sum(latent * (start.slope + 4.0 * middle.slope + far.slope), axis=1) / 6.0
    assert_allclose(far.value - start.value, rise, rtol=1e-12, atol=1e-14)


def test_a_frozen_multinomial_has_the_exact_curvature_of_zero():
    """There all probabilities are the same, and so are the eigenvalues of W: 1 / K."""
    frozen = Multinomial(4).frozen()
    assert isinstance(frozen, Frozen)
    assert_allclose(frozen.expand(TARGET, CONTRASTS).curvature, 0.25, rtol=1e-14)


# Coupled statistics.


ACTIVE = np.array([12, 0, 3, 8, 5])  # columns 2, 0, 3, 3, 0 for classes 2, 0, 0, 1, 1
MEAN = np.array([0.3, -1.0, 0.7, 0.5, -0.2])
CHUNKS = [None, 1, 7, 1000]


def coupled_case(chunk_rows=None, likelihood=None):
    """Three classes and five columns, each row with a weight; and the naive expanded design."""
    design, target = problems.classes(0, 30)
    weight = np.random.default_rng(1).uniform(0.5, 2.0, 30)
    problem = problems.problem(
        design, target, likelihood or Softmax(3), weight=weight, chunk_rows=chunk_rows
    )
    full = np.zeros(15)
    full[ACTIVE] = MEAN
    expanded = reference.expanded_design(design, 3)
    value, score = reference.softmax_score(expanded, target, full, weight)
    return problem, value, score, reference.softmax_hessian(expanded, full, weight)


def test_there_is_a_candidate_for_every_column_and_class():
    problem = coupled_case()[0]
    assert (problem.n_columns, problem.n_classes, problem.n_candidates) == (5, 3, 15)
    assert problem.no_weights(4).shape == (4,)


@pytest.mark.parametrize("chunk_rows", CHUNKS)
def test_coupled_expansion(chunk_rows):
    problem, value, score, _ = coupled_case(chunk_rows)
    here = statistics.expansion(problem, ACTIVE, MEAN)
    assert_allclose(here.value, value, rtol=1e-12)
    assert_allclose(here.score, score[ACTIVE], rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("chunk_rows", CHUNKS)
def test_coupled_gram(chunk_rows):
    problem, _, _, hessian = coupled_case(chunk_rows)
    found = statistics.gram(problem, ACTIVE, MEAN)
    assert_allclose(found, hessian[np.ix_(ACTIVE, ACTIVE)], rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("chunk_rows", CHUNKS)
@pytest.mark.parametrize("columns", [[14, 0, 7, 3, 12, 1], list(range(15)), [5], [8, 9]])
def test_coupled_gram_of_any_candidates_in_any_order(columns, chunk_rows):
    problem, _, _, hessian = coupled_case(chunk_rows)
    found = statistics.gram_of(problem, np.array(columns), ACTIVE, MEAN)
    assert_allclose(found, hessian[np.ix_(columns, columns)], rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("chunk_rows", CHUNKS)
def test_coupled_candidates(chunk_rows):
    problem, _, score, hessian = coupled_case(chunk_rows)
    every = statistics.candidates(problem, ACTIVE, MEAN)
    assert_allclose(every.score, score, rtol=1e-11, atol=1e-12)
    assert_allclose(every.energy, np.diag(hessian), rtol=1e-12)
    assert_allclose(every.cross_gram, hessian[:, ACTIVE], rtol=1e-11, atol=1e-12)


def test_coupled_statistics_of_a_frozen_softmax():
    """Everything is that of p = 1 / K, and the score falls along the curvature."""
    problem = coupled_case(likelihood=Softmax(3).frozen())[0]
    none = np.empty(0, dtype=np.intp)
    start = statistics.candidates(problem, none, np.empty(0))
    here = statistics.candidates(problem, ACTIVE, MEAN)
    assert_allclose(here.energy, start.energy, rtol=1e-13)
    assert_allclose(here.score, start.score - here.cross_gram @ MEAN, rtol=1e-11, atol=1e-12)
    assert here.cross_gram.shape == (15, 5)
    assert start.cross_gram.shape == (15, 0)


@pytest.mark.parametrize("chunk_rows", CHUNKS)
def test_statistics_of_shared_precisions(chunk_rows):
    """Of contrasts: every class has a weight for every column, and curvatures are mean ones."""
    design, target = problems.classes(0, 30)
    weight = np.random.default_rng(1).uniform(0.5, 2.0, 30)
    likelihood = Multinomial(3)
    problem = problems.problem(design, target, likelihood, weight=weight, chunk_rows=chunk_rows)
    active, random = np.array([4, 0, 2]), np.random.default_rng(2)
    mean, direction = random.normal(size=(2, 3, 2))
    expanded = reference.expanded_design(design[:, active], 3)
    weights, along = ((part @ likelihood.contrasts.T).T.ravel() for part in (mean, direction))
    value, score = reference.softmax_score(expanded, target, weights, weight)
    here = statistics.expansion(problem, active, mean)
    assert_allclose(here.value, value, rtol=1e-12)
    in_contrasts = score.reshape(3, 3).T @ likelihood.contrasts
    assert_allclose(here.score, in_contrasts, rtol=1e-10, atol=1e-12)
    bent = (reference.softmax_hessian(expanded, weights, weight) @ along).reshape(3, 3).T
    found = statistics.bend(problem, active, mean, direction)
    assert_allclose(found, bent @ likelihood.contrasts, rtol=1e-10, atol=1e-12)
    probability = softmax(design[:, active] @ mean @ likelihood.contrasts.T, axis=1)
    full = design.T @ np.diag(weight * mean_curvature(probability)) @ design
    every = statistics.candidates(problem, active, mean)
    assert_allclose(every.cross_gram, full[:, active], rtol=1e-10, atol=1e-12)
    assert_allclose(every.score[active], here.score, rtol=1e-10, atol=1e-12)
    assert every.score.shape == (5, 2)


@pytest.mark.parametrize("likelihood", [Softmax(3), Multinomial(3)], ids=str)
def test_a_row_of_weight_two_is_two_rows(likelihood):
    design, target = problems.classes(2, 30)
    times = np.arange(30) % 3
    weighted = problems.problem(design, target, likelihood, weight=times * 1.0)
    repeated = problems.problem(
        np.repeat(design, times, axis=0), np.repeat(target, times), likelihood
    )
    active = np.array([0, 1, 4])
    mean = np.random.default_rng(3).normal(size=weighted.no_weights(3).shape)
    for one, other in (
        (statistics.expansion(each, active, mean) for each in (weighted, repeated)),
        (statistics.candidates(each, active, mean) for each in (weighted, repeated)),
    ):
        for ours, expected in zip(one, other, strict=True):
            assert_allclose(ours, expected, rtol=1e-11, atol=1e-12)


# Posterior and evidence.


ALPHA = np.geomspace(0.1, 10.0, 15)


def softmax_case(seed=4):
    design, target = problems.classes(seed)
    problem = problems.problem(design, target, Softmax(3))
    return problem, reference.expanded_design(design, 3), target


@pytest.mark.parametrize("seed", [4, 5])
def test_softmax_evidence_is_laplaces_of_all_weights_and_classes(seed):
    problem, expanded, target = softmax_case(seed)
    posterior = problems.posterior_at(problem, np.arange(15), ALPHA)
    mode, _ = reference.softmax_mode(expanded, target, ALPHA)
    assert_allclose(posterior.mean, mode, rtol=1e-6, atol=1e-8)
    hessian = reference.softmax_hessian(expanded, mode) + np.diag(ALPHA)
    assert_allclose(posterior.covariance, np.linalg.inv(hessian), rtol=1e-6, atol=1e-9)
    expected = reference.softmax_log_evidence(expanded, target, ALPHA)
    assert_allclose(evidence.log_evidence(problem, posterior), expected, rtol=1e-9)


def test_softmax_evidence_of_some_weights():
    problem, expanded, target = softmax_case()
    posterior = problems.posterior_at(problem, [1, 5, 7, 13], ALPHA[:4])
    expected = reference.softmax_log_evidence(expanded[:, :, [1, 5, 7, 13]], target, ALPHA[:4])
    assert_allclose(evidence.log_evidence(problem, posterior), expected, rtol=1e-9)


def test_the_mode_of_a_softmax_has_no_gradient():
    problem, expanded, target = softmax_case()
    posterior = problems.posterior_at(problem, np.arange(15), ALPHA)
    _, score = reference.softmax_score(expanded, target, posterior.mean)
    assert_allclose(score, ALPHA * posterior.mean, atol=1e-7)


@pytest.mark.parametrize("likelihood", [Softmax(3), Multinomial(3)], ids=str)
def test_the_gradient_is_that_of_the_evidence_with_the_curvature_held(likelihood):
    design, target = problems.classes(6)
    problem = problems.problem(design, target, likelihood)
    posterior = problems.posterior_at(problem, np.arange(5), ALPHA[:5])

    def held(logs):
        return evidence.log_evidence(problem, revise(posterior, np.exp(logs), 1.0))

    here, steps = np.log(ALPHA[:5]), 1e-4 * np.eye(5)
    expected = [(held(here + step) - held(here - step)) / 2e-4 for step in steps]
    gradient = evidence.weight_gradient(problem, posterior)
    assert_allclose(gradient, expected, rtol=1e-5, atol=1e-7)
    assert np.abs(gradient).min() > 1e-3


def test_the_mode_of_a_multinomial_is_that_of_equal_precisions():
    """Found with the exact curvature, though the covariance has a mean one."""
    design, target = problems.classes(7)
    likelihood = Multinomial(3)
    problem = problems.problem(design, target, likelihood)
    posterior = problems.posterior_at(problem, np.arange(5), ALPHA[:5])
    assert posterior.mean.shape == (5, 2)
    expanded = reference.expanded_design(design, 3)
    mode, log_joint = reference.softmax_mode(expanded, target, np.tile(ALPHA[:5], 3))
    weights = posterior.mean @ likelihood.contrasts.T
    assert_allclose(weights, mode.reshape(3, 5).T, rtol=1e-5, atol=1e-7)
    assert_allclose(posterior.log_density, log_joint, rtol=1e-10)


def test_the_evidence_of_a_multinomial_has_a_mean_curvature():
    design, target = problems.classes(7)
    likelihood = Multinomial(3)
    problem = problems.problem(design, target, likelihood)
    posterior = problems.posterior_at(problem, np.arange(5), ALPHA[:5])
    probability = softmax(design @ posterior.mean @ likelihood.contrasts.T, axis=1)
    gram = design.T @ np.diag(mean_curvature(probability)) @ design
    log_determinant = np.linalg.slogdet(gram / ALPHA[:5] + np.eye(5))[1]
    expected = posterior.log_density - 2.0 * 0.5 * log_determinant
    assert_allclose(evidence.log_evidence(problem, posterior), expected, rtol=1e-10)


@pytest.mark.parametrize("likelihood", [Softmax(3).frozen(), Multinomial(3).frozen()], ids=str)
def test_gains_of_a_held_curvature_are_differences_of_evidence(likelihood):
    problem = problems.problem(*problems.classes(8), likelihood)
    active, alpha = np.array([0, 2, 4]), np.array([0.5, 2.0, 10.0])
    posterior = problems.posterior_at(problem, active, alpha)
    here = evidence.log_evidence(problem, posterior)
    less = problems.posterior_at(problem, active[:1], alpha[:1])
    gain = deletion_gain(posterior, np.array([1, 2]))
    assert_allclose(evidence.log_evidence(problem, less) - here, gain, rtol=1e-8)
    every = statistics.candidates(problem, active, posterior.mean)
    relevance = evidence.candidate_relevance(posterior, every)
    column = int(np.argmax(relevance.gain))
    more = problems.posterior_at(
        problem, np.append(active, column), np.append(alpha, relevance.best_precision[column])
    )
    rise = evidence.log_evidence(problem, more) - here
    assert_allclose(rise, relevance.gain[column], rtol=1e-7)
    assert rise > 0.1


@pytest.mark.parametrize("likelihood", [Softmax(3).frozen(), Multinomial(3).frozen()], ids=str)
def test_each_column_of_a_block_has_the_gain_and_precision_of_its_turn(likelihood):
    problem = problems.problem(*problems.classes(11, 90, 12, 4), likelihood)
    posterior = problems.posterior_at(problem, [11], np.array([2.0]))

    def survey(posterior):
        every = statistics.candidates(problem, posterior.active, posterior.mean)
        return every, evidence.candidate_relevance(posterior, every)

    every, relevance = survey(posterior)
    block = choose_block(problem, posterior, relevance, every, 1e-3)
    assert len(block.columns) >= 3
    for column, precision in zip(block.columns, block.weight_precision, strict=True):
        relevance = survey(posterior)[1]
        assert column == np.argmax(relevance.gain)
        assert_allclose(precision, relevance.best_precision[column], rtol=1e-6)
        posterior = problems.posterior_at(
            problem,
            np.append(posterior.active, column),
            np.append(posterior.weight_precision, precision),
        )


# Fits.


TOL = 1e-3


@pytest.mark.parametrize("inference", [Fast, mackay])
@pytest.mark.parametrize("make", [Softmax, Multinomial])
@pytest.mark.parametrize("seed", range(3))
def test_a_fit_ends_where_nothing_is_left_to_gain(make, inference, seed):
    problem = problems.problem(*problems.classes(seed, 90, 8, n_classes=4), make(4))
    fit = run(inference(TOL), problem, 5000)
    assert fit.outcome is Outcome.CONVERGED
    posterior = fit.posterior
    assert 0 < len(posterior.active) < problem.n_candidates
    assert np.abs(evidence.weight_gradient(problem, posterior)).max() <= TOL
    every = statistics.candidates(problem, posterior.active, posterior.mean)
    assert evidence.candidate_relevance(posterior, every).gain.max() <= TOL
    assert np.all(evidence.active_relevance(posterior).factor > 0.0)


@pytest.mark.parametrize("make", [Softmax, Multinomial])
def test_the_relevant_columns_are_found(make):
    design, target = problems.classes(9, 300, 12, 2)
    posterior = run(Fast(TOL), problems.problem(design, target, make(3)), 5000).posterior
    large = np.abs(posterior.mean.reshape(len(posterior.active), -1)).max(axis=1) > 0.5
    assert set(posterior.active[large] % 12) == {0, 1}


@pytest.mark.parametrize("inference", [Fast, mackay])
@pytest.mark.parametrize("make", [Softmax, Multinomial])
@pytest.mark.parametrize("seed", range(3))
def test_two_classes_are_those_of_a_bernoulli(make, inference, seed):
    design, target = problems.classification(seed)
    ours = run(inference(1e-6), problems.problem(design, target, make(2)), 5000)
    binary = run(inference(1e-6), problems.bernoulli(design, target), 5000)
    assert_allclose(ours.log_evidence, binary.log_evidence, rtol=1e-6)
    active, mean = ours.posterior.active, ours.posterior.mean
    if make is Softmax:
        latent = design[:, active % 6] @ (mean * np.where(active < 6, -1.0, 1.0))
    else:
        latent = design[:, active] @ mean @ Multinomial(2).contrasts.T @ [-1.0, 1.0]
    expected = design[:, binary.posterior.active] @ binary.posterior.mean
    assert_allclose(latent, expected, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("make", [Softmax, Multinomial])
def test_the_order_of_classes_does_not_matter(make):
    design, target = problems.classes(10, 90)
    one = run(Fast(1e-6), problems.problem(design, target, make(3)), 5000)
    other = run(Fast(1e-6), problems.problem(design, (target + 1) % 3, make(3)), 5000)
    assert_allclose(one.log_evidence, other.log_evidence, rtol=1e-6)
