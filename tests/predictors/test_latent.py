import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from predictor_parts import DESIGN, KINDS, latent_at

from sparsebayes.predictors.predictor import checked

KIND = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)


@KIND
def test_latent_values_are_those_of_the_weights(make):
    weights, _ = make(2)
    latent = latent_at(weights, DESIGN)
    assert_array_equal(latent.mean(), weights.mean_of(DESIGN))
    assert_array_equal(latent.moments().variance, weights.variance(DESIGN))
    mean, root = latent.mean_and_root()
    assert_array_equal(mean, latent.mean())
    assert_allclose(np.einsum("nkk->nk", root @ root), latent.moments().variance, rtol=1e-9)
    assert_array_equal(latent.joint_covariance(1), weights.joint_covariance(DESIGN, 1))
    draws = weights.draw(3, np.random.default_rng(0))
    assert_array_equal(latent.at(draws), weights.sample(DESIGN, 3, np.random.default_rng(0)))


@KIND
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_columns_that_are_not_finite_are_refused(make, bad):
    weights, _ = make(2)
    design = DESIGN.copy()
    design[3] = bad
    latent = latent_at(weights, design)
    draws = weights.draw(3, np.random.default_rng(0))
    questions = (
        latent.mean,
        latent.moments,
        latent.mean_and_root,
        lambda: latent.joint_covariance(0),
        lambda: latent.at(draws),
    )
    for ask in questions:
        with np.errstate(invalid="ignore"), pytest.raises(ValueError, match="infinite or NaN at"):
            ask()


@pytest.mark.parametrize("n_latent", [1, 2, 3, 5])
@KIND
def test_a_variance_that_overflows_is_refused(make, n_latent):
    weights, _ = make(n_latent)
    latent = latent_at(weights, 1e200 * DESIGN)
    assert np.isfinite(latent.mean()).all()
    for ask in (latent.moments, latent.mean_and_root):
        with np.errstate(over="ignore"), pytest.raises(ValueError, match="infinite or NaN at"):
            ask()


def test_finite_values_are_handed_on():
    values = np.arange(3.0)
    assert checked(values) is values
