"""Sums that could cancel. That they are the naive ones: laws/test_statistics_laws.py."""

import numpy as np
import problems
from numpy.testing import assert_allclose

from sparsebayes import statistics


def test_residual_energy_does_not_cancel():
    """A residual of 1e-7 beside an offset of 1e6: t't alone is known to 1e-4 of it at best."""
    random = np.random.default_rng(2)
    design = np.column_stack([np.ones(30), np.arange(30.0)])
    residual = 2.0**-23 * random.integers(-3, 4, 30)
    problem = problems.gaussian(design, 2.0**20 + residual)
    mean = np.array([[2.0**20], [0.0]])
    value = statistics.expansion(problem, np.array([0, 1]), mean).value
    assert_allclose(value, -0.5 * residual @ residual, rtol=1e-14)
