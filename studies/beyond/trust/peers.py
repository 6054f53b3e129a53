"""Gaussian processes with all rows, as fair peers: several starts, and the best evidence."""

from __future__ import annotations

import numpy as np
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from studies.data.samples import Sample

# Where the climb of the evidence starts: widths relative to the root of the number of inputs, which
# are standardised, and the share of noise in the variance of the targets.
STARTS = ((1.0, 0.1), (3.0, 0.01), (0.5, 0.1))
CLASS_STARTS = (1.0, 3.0)
# Beyond these it makes no difference, or linear algebra fails.
WIDTHS = 1e-2, 1e5
HEIGHTS = 1e-4, 1e6
NOISES = 1e-8, 10.0


def process(one: Sample, n_scales: int = 0):
    """A Gaussian process with a scale for each input, or with as many as are given."""
    candidates = _regressions(one, n_scales) if one.is_regression else _classes(one, n_scales)
    fitted = [model.fit(one.X, one.y) for model in candidates]
    return max(fitted, key=lambda model: model.log_marginal_likelihood_value_)


def one_width(one: Sample):
    """A Gaussian process with one width for all inputs."""
    return process(one, 1)


def _regressions(one: Sample, n_scales: int) -> list[GaussianProcessRegressor]:
    """A process of real targets with white noise for each start."""
    kernels = [
        _kernel(one, width, n_scales) + WhiteKernel(noise, NOISES) for width, noise in STARTS
    ]
    return [GaussianProcessRegressor(kernel, normalize_y=True) for kernel in kernels]


def _classes(one: Sample, n_scales: int) -> list[GaussianProcessClassifier]:
    """A process of two classes for each start, by Laplace's approximation."""
    return [GaussianProcessClassifier(_kernel(one, width, n_scales)) for width in CLASS_STARTS]


def _kernel(one: Sample, width: float, n_scales: int):
    n_inputs = one.X.shape[1]
    scales = np.full(n_scales or n_inputs, width * n_inputs**0.5)
    return ConstantKernel(1.0, HEIGHTS) * RBF(scales, WIDTHS)
