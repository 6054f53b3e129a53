"""Several real targets with shared precisions in the numerical core, their noise profiled out."""

import numpy as np
import problems
import pytest
import reference
from numpy.testing import assert_allclose

from sparsebayes import evidence
from sparsebayes.inference import EM, Fast, Mackay, Outcome
from sparsebayes.inference.loop import Limits, run
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Gaussians

ALPHA = np.geomspace(1e-2, 1e3, 8)
UNITS = np.array([1.0, 1e-3, 50.0])
SEARCHES = pytest.mark.parametrize("inference", [Fast(), Mackay(), EM()], ids=repr)


def fit(inference, design, targets, tol=1e-3, max_iter=5000):
    problem = problems.problem(design, targets, Gaussians(targets.shape[1]))
    return run(inference, problem, Limits(max_iter, tol), Report())


# The noise.


@pytest.mark.parametrize("seed", range(3))
def test_the_noise_of_each_output_is_the_best_one(seed):
    design, targets = problems.outputs(seed)
    targets = targets * UNITS
    problem = problems.problem(design, targets, Gaussians(3))
    posterior = problems.posterior_at(problem, np.arange(8), ALPHA)
    best = reference.best_noise_std(design, targets, ALPHA)
    assert_allclose(posterior.output_precision**-0.5, best, rtol=1e-10)
    for factor in (0.9, 1.1):
        worse = reference.outputs_log_evidence(design, targets, ALPHA, factor * best)
        assert worse < evidence.log_evidence(posterior)


# Fits.


@pytest.mark.parametrize("inference", [Fast(), Mackay()], ids=repr)
@pytest.mark.parametrize("seed", range(5))
def test_one_output_is_that_of_a_gaussian(inference, seed):
    design, target = problems.regression(seed)
    plain = run(inference, problems.gaussian(design, target), Limits(tol=1e-6), Report())
    ours = fit(inference, design, target[:, None], 1e-6)
    assert list(ours.active) == list(plain.active)
    assert_allclose(ours.log_evidence, plain.log_evidence, rtol=1e-8)
    assert_allclose(ours.mean, plain.mean, rtol=1e-3, atol=1e-4)
    assert_allclose(ours.output_precision, plain.precisions.noise, rtol=1e-4)
    precision = ours.output_precision * ours.precisions.weight
    assert_allclose(precision, plain.precisions.weight, rtol=1e-2)


@SEARCHES
@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_the_unit_of_an_output_changes_nothing_else(inference, unit):
    design, targets = problems.outputs(8)
    units = np.array([1.0, unit, 1.0])
    plain, scaled = fit(inference, design, targets), fit(inference, design, targets * units)
    assert list(scaled.active) == list(plain.active)
    assert_allclose(scaled.mean / units, plain.mean, rtol=1e-6, atol=1e-9)
    assert_allclose(scaled.noise_std / units, plain.noise_std, rtol=1e-8)
    shift = -40.0 * np.log(unit)
    assert_allclose(scaled.log_evidence, plain.log_evidence + shift, rtol=1e-8)


@SEARCHES
def test_noise_vanishes_for_exact_data(inference):
    design, targets = problems.outputs(9, noise=0.0)
    found = fit(inference, design, targets)
    assert found.outcome is Outcome.NOISE_VANISHED
    assert_allclose(found.output_precision**-0.5, 1e-5 * targets.std(axis=0), rtol=1e-9)
    latent = design[:, found.active] @ found.mean
    assert_allclose(latent, targets, rtol=1e-6, atol=1e-6)


@SEARCHES
def test_noise_stays_positive_where_columns_span_all_rows(inference):
    for seed in range(10):
        data = problems.outputs(seed, 3, 10, n_outputs=2)
        found = fit(inference, *data, max_iter=200)
        assert np.all(found.output_precision > 0.0)
        assert np.isfinite(found.output_precision).all()
        assert np.isfinite(found.log_evidence)


@SEARCHES
def test_an_output_without_noise_leaves_the_others_alone(inference):
    design, targets = problems.outputs(9)
    targets[:, 1] = design[:, 2]
    found = fit(inference, design, targets)
    assert np.isfinite(found.log_evidence)
    latent = design[:, found.active] @ found.mean
    assert_allclose(latent[:, 1], design[:, 2], atol=1e-3)
    assert_allclose(found.output_precision[[0, 2]] ** -0.5, 0.3, rtol=0.3)


@SEARCHES
def test_nothing_is_relevant_to_targets_of_zeros(inference):
    design = problems.outputs(10)[0]
    found = fit(inference, design, np.zeros((40, 2)))
    assert found.outcome is Outcome.NOTHING_RELEVANT
    assert found.mean.shape == (0, 2)


@pytest.mark.parametrize("inference", [Fast(), Mackay()], ids=repr)
def test_an_output_of_zeros_leaves_the_others_as_they_are(inference):
    design, targets = problems.outputs(11)
    targets[:, 1] = 0.0
    found = fit(inference, design, targets)
    assert found.outcome is Outcome.CONVERGED
    assert_allclose(found.mean[:, 1], 0.0, atol=1e-12)
    assert {0, 1, 2} <= set(found.active)
    assert_allclose(found.output_precision[[0, 2]] ** -0.5, 0.3, rtol=0.3)
