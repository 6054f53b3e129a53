"""MacKay's fixed point beside a textbook with all columns, and what its start decides."""

import fits
import numpy as np
import pytest
from numpy.testing import assert_allclose

from sparsebayes import Bias, GaussianKernel
from sparsebayes.inference import Mackay, Outcome
from sparsebayes.inference.reestimation import mackay_update
from sparsebayes.inference.start import WeakStart, weak_start
from sparsebayes.inference.state import State
from sparsebayes.likelihoods import Gaussian
from sparsebayes.problem import Problem
from sparsebayes.rows import Data

# What a textbook reaches that begins with all precisions at 1e-6, and what ours does.
OF_TEXTBOOK, OURS = 82.04, 80.57


def sinc():
    """A sinc of 101 rows, a kernel of gamma 1 on each of them, and a bias."""
    x = np.linspace(0.0, 10.0, 101)[:, None]
    target = np.sinc(x[:, 0]) + 0.1 * np.random.RandomState(1).randn(101)
    weight = np.ones(101)
    basis = GaussianKernel(width=1.0) + Bias(centre_target=False)
    return Problem(Data(x, target, weight), basis.bind(x, weight), Gaussian())


def textbook_step(design, target, alpha, beta):
    """alpha = gamma / mu^2, beta = (N - sum gamma) / ||t - Phi mu||^2. [T01] (16) to (18)"""
    covariance = np.linalg.inv(np.diag(alpha) + beta * design.T @ design)
    mean = beta * covariance @ design.T @ target
    gamma = 1.0 - alpha * np.diag(covariance)
    left = np.sum((target - design @ mean) ** 2)
    return gamma / mean**2, (len(target) - gamma.sum()) / left


@pytest.mark.parametrize("prior", [1e-4, 0.1])
def test_each_step_is_that_of_the_textbook_with_all_columns(prior):
    """Five steps: in later ones 1 - alpha Sigma of the textbook has no digits left."""
    problem = sinc()
    posterior = weak_start(problem, weak=WeakStart(prior=prior))
    design = problem.columns.evaluate(problem.data.inputs)[:, posterior.active]
    alpha, beta = posterior.weight_precision, posterior.noise_precision
    for _ in range(5):
        posterior = posterior.at(mackay_update(posterior)).refreshed()
        alpha, beta = textbook_step(design, problem.data.target, alpha, beta)
        assert_allclose(posterior.noise_precision, beta, rtol=1e-9)
        kept = posterior.well_determined > 1e-3
        assert_allclose(np.log(posterior.weight_precision[kept]), np.log(alpha[kept]), atol=1e-4)


@pytest.mark.parametrize(("prior", "ends"), [(WeakStart().prior, OURS), (0.1, OF_TEXTBOOK)])
def test_the_start_decides_where_it_ends_and_no_deleted_column_would_gain(prior, ends):
    problem = sinc()
    start = State(weak_start(problem, weak=WeakStart(prior=prior)))
    found = fits.fit(Mackay(), problem, state=start)
    assert found.outcome is Outcome.CONVERGED
    assert_allclose(found.log_evidence, ends, atol=0.02)
    assert fits.largest_gain(fits.anew(found)) <= 1e-3
