"""The paper's formula for a Gaussian. For every likelihood: laws/test_evidence_laws.py."""

import numpy as np
import problems
import reference
from numpy.testing import assert_allclose

from sparsebayes.evidence import sensitivity


def test_the_derivative_for_columns_is_the_papers():
    """D = (C^-1 t t' C^-1 - C^-1) Phi A^-1. [T01] (54)"""
    design, target = problems.regression(0, 15, 6)
    alpha, beta = np.array([0.5, 3.0, 1e-2, 20.0, 1.0, 0.1]), 4.0
    inverse = np.linalg.inv(reference.marginal_covariance(design, alpha, beta))
    pull = inverse @ target
    naive = (np.outer(pull, pull) - inverse) @ design / alpha
    posterior = problems.posterior_at(problems.gaussian(design, target), range(6), alpha, beta)
    assert_allclose(sensitivity(posterior, design).columns, naive, rtol=1e-9, atol=1e-11)
