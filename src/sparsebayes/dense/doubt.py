"""What it means for a dense model that its scales and settings are known roughly."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.linalg import qr

from sparsebayes._linear_algebra import factorise
from sparsebayes.dense.fit import DenseFit
from sparsebayes.dense.model import DenseModel
from sparsebayes.dense.rows import DenseRows
from sparsebayes.problem import Problem

# A difference of a log scale, for derivatives.
STEP = 1e-4
# Part of the noise up to which whitened columns say what a derivative is.
EXACT = 1e-3


def with_doubt(
    problem: Problem, dense: DenseFit, settings: np.ndarray, root: np.ndarray
) -> DenseFit:
    """A dense model whose mean is the less certain, the more it depends on scales and settings.

    With f the mean of the process, theta its settings and scales, and R R' the covariance of these,
    the variance of f has |R' df/dtheta|^2 more. With f = K u, u the pull of the rows, df/dtheta is
    (I + K W)^-1 of what K u changes by where u is held. It is a function of the process, too, and
    so it has weights of the whitened columns.

    Parameters
    ----------
    problem : of one latent value
    settings : of the dense model (n_settings,)
    root : R, settings first (n_settings + n_scales, r)
    """
    changes = _changes(problem, dense, settings)
    design = dense.posterior.problem.rows.map(np.ascontiguousarray, dense.posterior.active)
    prior, exact = dense.posterior.weight_precision, EXACT * dense.noise_variance
    known = factorise(np.diag(prior) + design.T @ design / exact)
    near = known.solve(design.T @ (changes @ root) / exact)
    return replace(dense, doubts=dense.posterior.factor.solve(prior[:, None] * near))


def _changes(problem: Problem, dense: DenseFit, settings: np.ndarray) -> np.ndarray:
    """Derivatives of K u at the rows for settings and log scales, the pull u held (n, k).

    Where the noise precision grows, so does the pull. Parameters of a likelihood are left alone.
    """
    data, likelihood = problem.data, problem.likelihood
    model = DenseModel(problem.columns, DenseRows.of(data, likelihood))
    slope = likelihood.expand(data.target, dense.latents[:, 0]).slope
    pull = dense.posterior.noise_precision * data.weight * slope
    parts, log_scales = model.parts(problem.columns.log_scales), problem.columns.log_scales
    here = model.covariance(settings, parts) @ pull
    found = np.zeros((len(here), len(settings) + len(log_scales)))
    for k, unit in enumerate(np.eye(len(settings))[: int(model.group.max()) + 1]):
        found[:, k] = model.covariance(settings + STEP * unit, parts) @ pull - here
    for k, unit in enumerate(np.eye(len(log_scales)), len(settings)):
        moved = model.parts(log_scales + STEP * unit)
        found[:, k] = model.covariance(settings, moved) @ pull - here
    found /= STEP
    if likelihood.noise.estimated:
        found[:, len(settings) - 1] = here
    return found


def widened(root: np.ndarray, doubts: np.ndarray) -> np.ndarray:
    """The upper triangular root of root root' + doubts doubts' (m, m)."""
    (upper,) = qr(np.hstack([root, doubts])[::-1].T, mode="r")
    return np.ascontiguousarray(upper[: len(root)][::-1, ::-1].T)
