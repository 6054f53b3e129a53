import numpy as np
import problems
import pytest
import reference
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes import statistics
from sparsebayes.posterior import find, refresh, revise

ALPHA = np.array([0.5, 3.0, 1e-4, 20.0])
ACTIVE = np.array([1, 2, 4, 5])


def gradient_size(problem, posterior):
    """Length of the gradient of the log posterior, in posterior standard deviations."""
    score = statistics.expansion(problem, posterior.active, posterior.mean).score
    gradient = posterior.noise_precision * score - posterior.weight_precision * posterior.mean
    return np.sqrt(gradient @ posterior.covariance @ gradient)


@pytest.mark.parametrize("noise_precision", [1e-3, 7.0, 1e5])
def test_gaussian_posterior_is_the_papers(noise_precision):
    """[T01] (12)-(13)"""
    design, target = problems.regression(0)
    problem = problems.gaussian(design, target)
    posterior = problems.posterior_at(problem, ACTIVE, ALPHA, noise_precision)
    chosen = design[:, ACTIVE]
    mean, covariance = reference.gaussian_posterior(chosen, target, ALPHA, noise_precision)
    assert_allclose(posterior.mean, mean, rtol=1e-10)
    assert_allclose(posterior.covariance, covariance, rtol=1e-10, atol=1e-16)
    assert_allclose(posterior.variance, np.diag(covariance), rtol=1e-10)
    assert_allclose(posterior.gram, chosen.T @ chosen, rtol=1e-12, atol=1e-12)
    assert_allclose(posterior.residual_energy, np.sum((target - chosen @ mean) ** 2), rtol=1e-10)
    well_determined = 1.0 - ALPHA * np.diag(covariance)
    assert_allclose(posterior.well_determined, well_determined, rtol=1e-10)


def test_log_density_is_that_of_target_and_mean():
    design, target = problems.regression(1)
    posterior = problems.posterior_at(problems.gaussian(design, target), ACTIVE, ALPHA, 7.0)
    residual = target - design[:, ACTIVE] @ posterior.mean
    expected = -3.5 * residual @ residual - 0.5 * ALPHA @ posterior.mean**2
    assert_allclose(posterior.log_density, expected, rtol=1e-12)


def test_weights_of_rows_are_precisions_of_their_noise():
    design, target = problems.regression(2)
    weight = np.random.default_rng(3).uniform(0.2, 3.0, len(target))
    problem = problems.gaussian(design, target, weight=weight)
    posterior = problems.posterior_at(problem, ACTIVE, ALPHA, 7.0)
    root = np.sqrt(weight)
    scaled, scaled_target = root[:, None] * design[:, ACTIVE], root * target
    mean, covariance = reference.gaussian_posterior(scaled, scaled_target, ALPHA, 7.0)
    assert_allclose(posterior.mean, mean, rtol=1e-10)
    assert_allclose(posterior.covariance, covariance, rtol=1e-10, atol=1e-16)


def test_second_newton_step_removes_the_rounding_of_the_first():
    """Two columns that differ by 1e-6, and an offset of 1e6: the normal equations alone err."""
    random = np.random.default_rng(4)
    column = random.normal(size=50)
    design = np.column_stack([np.ones(50), column, column + 1e-6 * random.normal(size=50)])
    problem = problems.gaussian(design, 1e6 + column + 0.1 * random.normal(size=50))
    alpha = np.array([1e-12, 1e-3, 1e-3])
    posterior = problems.posterior_at(problem, [0, 1, 2], alpha, 100.0)
    assert gradient_size(problem, posterior) < 1e-5


@pytest.mark.parametrize("seed", range(5))
def test_bernoulli_mode_has_no_gradient(seed):
    design, target = problems.classification(seed)
    problem = problems.bernoulli(design, target)
    posterior = problems.posterior_at(problem, ACTIVE, ALPHA)
    assert gradient_size(problem, posterior) < 1e-4
    mode, log_joint = reference.bernoulli_mode(design[:, ACTIVE], target, ALPHA)
    assert_allclose(posterior.mean, mode, rtol=1e-4, atol=1e-5)
    assert_allclose(posterior.log_density, log_joint, rtol=1e-9)


def test_bernoulli_curvature_is_that_of_the_mode():
    design, target = problems.classification(6)
    posterior = problems.posterior_at(problems.bernoulli(design, target), ACTIVE, ALPHA)
    hessian = reference.laplace_hessian(design[:, ACTIVE], posterior.mean, ALPHA)
    assert_allclose(posterior.gram + np.diag(ALPHA), hessian, rtol=1e-10, atol=1e-12)
    assert_allclose(posterior.covariance, np.linalg.inv(hessian), rtol=1e-9, atol=1e-14)


def test_classes_that_can_be_separated_have_a_mode():
    inputs = np.linspace(-1.0, 1.0, 30)
    design, target = np.column_stack([np.ones(30), inputs]), (inputs > 0.0).astype(float)
    problem = problems.bernoulli(design, target)
    posterior = problems.posterior_at(problem, [0, 1], np.array([1e-8, 1e-8]))
    assert posterior.mean[1] > 100.0
    assert gradient_size(problem, posterior) < 1e-4


@pytest.mark.parametrize("size", [1.0, 30.0, 1e3, 1e5])
def test_the_start_does_not_matter(size):
    """Also where the start saturates every row, so that the curvature there is 0."""
    random = np.random.default_rng(7)
    for make, data in [
        (problems.gaussian, problems.regression(8)),
        (problems.bernoulli, problems.classification(8)),
    ]:
        problem = make(*data)
        plain = problems.posterior_at(problem, ACTIVE, np.ones(4))
        start = size * random.normal(size=4)
        moved = find(problem, ACTIVE, np.ones(4), 1.0, start)
        assert_allclose(moved.mean, plain.mean, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("make", ["gaussian", "bernoulli"])
def test_a_start_near_the_mode_is_not_taken_for_it(make):
    data = problems.regression(11) if make == "gaussian" else problems.classification(11)
    problem = getattr(problems, make)(*data)
    plain = problems.posterior_at(problem, ACTIVE, np.ones(4))
    near = find(problem, ACTIVE, np.ones(4), 1.0, plain.mean + 1e-6 * np.sqrt(plain.variance))
    assert gradient_size(problem, near) < 1e-9


def test_a_posterior_without_columns():
    design, target = problems.regression(9)
    none = np.empty(0, dtype=np.intp)
    posterior = problems.posterior_at(problems.gaussian(design, target), none, np.empty(0), 2.0)
    assert posterior.mean.shape == (0,)
    assert posterior.covariance.shape == (0, 0)
    assert posterior.well_determined.shape == (0,)
    assert_allclose(posterior.residual_energy, target @ target, rtol=1e-12)


def test_well_determined_lies_between_0_and_1_for_collinear_columns():
    design, target = problems.regression(10)
    design = np.column_stack([design, design])
    problem = problems.gaussian(design, target)
    posterior = problems.posterior_at(problem, np.arange(16), np.full(16, 1e-14), 1.0)
    assert np.all((posterior.well_determined >= 0.0) & (posterior.well_determined <= 1.0))


# At other precisions, and without some columns.


@pytest.mark.parametrize("kept", [None, [True, False, True, True], [False] * 4])
def test_a_revised_gaussian_posterior_is_the_one_found_anew(kept):
    problem = problems.gaussian(*problems.regression(12))
    posterior = problems.posterior_at(problem, ACTIVE, ALPHA, 7.0)
    kept = kept if kept is None else np.array(kept)
    active = ACTIVE if kept is None else ACTIVE[kept]
    alpha = np.geomspace(1e-3, 1e3, 4)[: len(active)]
    revised = revise(posterior, alpha, 2.0, kept)
    expected = problems.posterior_at(problem, active, alpha, 2.0)
    assert list(revised.active) == list(active)
    assert revised.noise_precision == 2.0
    assert_allclose(revised.mean, expected.mean, rtol=1e-9, atol=1e-12)
    assert_allclose(revised.covariance, expected.covariance, rtol=1e-9, atol=1e-15)
    assert_allclose(revised.value, expected.value, rtol=1e-10)
    assert gradient_size(problem, revised) < 1e-7


def test_a_revised_bernoulli_posterior_moves_on_its_quadratic():
    """mean_new maximises the old quadratic under the new prior; refreshing finds the new mode."""
    problem = problems.bernoulli(*problems.classification(12))
    posterior = problems.posterior_at(problem, ACTIVE, ALPHA)
    alpha = 3.0 * ALPHA
    revised = revise(posterior, alpha, 1.0)
    response = posterior.gram @ posterior.mean + ALPHA * posterior.mean
    expected = np.linalg.solve(posterior.gram + np.diag(alpha), response)
    assert_allclose(revised.mean, expected, rtol=1e-6)
    assert_allclose(revised.gram, posterior.gram, rtol=0.0)
    anew = problems.posterior_at(problem, ACTIVE, alpha)
    assert gradient_size(problem, revised) > 1e-3
    fresh = refresh(problem, revised)
    assert gradient_size(problem, fresh) < 1e-5
    assert_allclose(fresh.mean, anew.mean, rtol=1e-5, atol=1e-6)
    assert_allclose(fresh.gram, anew.gram, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("make", ["gaussian", "bernoulli"])
def test_refreshing_keeps_what_is_right(make):
    data = problems.regression(13) if make == "gaussian" else problems.classification(13)
    problem = getattr(problems, make)(*data)
    posterior = problems.posterior_at(problem, ACTIVE, ALPHA)
    fresh = refresh(problem, posterior)
    assert_array_equal(fresh.weight_precision, ALPHA)
    assert_allclose(fresh.mean, posterior.mean, rtol=1e-6, atol=1e-8)
    assert gradient_size(problem, fresh) < 1e-7


def test_a_known_gram_is_used():
    problem = problems.gaussian(*problems.regression(14))
    plain = problems.posterior_at(problem, ACTIVE, ALPHA, 7.0)
    known = find(problem, ACTIVE, ALPHA, 7.0, np.zeros(4), plain.gram)
    assert known.gram is plain.gram
    assert_allclose(known.mean, plain.mean, rtol=1e-12)
