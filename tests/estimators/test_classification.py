"""Classifiers of two classes."""

import numpy as np
import pytest
from estimator_data import LABELS, MOONS
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.metrics.pairwise import rbf_kernel

from sparsebayes import RVC, Outcome


@pytest.mark.parametrize("inference", ["fast", "projection"])
def test_latent_moments_follow_from_the_fitted_attributes(inference):
    """Without covering rows, which know the variance better."""
    model = RVC(gamma="scale", inference=inference).fit(MOONS, LABELS).drop_covering()
    design = rbf_kernel(MOONS, model.relevance_vectors_, gamma=model.gamma_)
    if "bias" in model.column_names_:
        design = np.column_stack([design, np.ones(80)])
    mean, variance = model.latent_mean_and_variance(MOONS)
    assert_allclose(mean, design @ model.weights_, rtol=1e-9, atol=1e-12)
    expected = np.einsum("ij,jk,ik->i", design, model.covariance_, design)
    assert_allclose(variance, expected, rtol=1e-9)


def test_probabilities_are_moderated_by_the_latent_variance(classifier):
    mean, _ = classifier.latent_mean_and_variance(MOONS)
    probability = classifier.predict_proba(MOONS)
    assert_allclose(expit(classifier.decision_function(MOONS)), probability[:, 1], rtol=1e-12)
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-15)
    assert np.all(np.abs(probability[:, 1] - 0.5) <= np.abs(expit(mean) - 0.5))
    assert_allclose(np.exp(classifier.predict_log_proba(MOONS)), probability, rtol=1e-12)


def test_classifiers_have_no_offset(classifier):
    assert not hasattr(classifier, "offset_")
    plain, same = (
        RVC(gamma="scale", fit_intercept=fit_intercept, inference="fast").fit(MOONS, LABELS)
        for fit_intercept in (True, "column")
    )
    assert_array_equal(same.predict_proba(MOONS), plain.predict_proba(MOONS))


def test_log_probabilities_stay_finite_far_from_the_boundary():
    inputs = np.array([[-50.0], [50.0]])
    steep = RVC("linear").fit(np.linspace(-1, 1, 40)[:, None], np.arange(40) >= 20)
    logs = steep.predict_log_proba(inputs)
    assert np.isfinite(logs).all()
    assert_allclose(np.exp(logs), steep.predict_proba(inputs), atol=1e-12)


def test_a_narrow_kernel_is_not_said_to_be_collinear():
    """Its weights are poorly determined one by one, but its columns are orthogonal."""
    inputs = np.random.default_rng(0).normal(size=(60, 2))
    model = RVC(gamma=1e3, inference="fast").fit(inputs, np.arange(60) % 2)
    assert model.outcome_ is Outcome.CONVERGED
