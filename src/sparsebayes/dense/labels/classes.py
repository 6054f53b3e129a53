"""The dense model of several classes: regression on their labels, made sharp enough.

It is a Gaussian process for each contrast of classes, all with the same covariance and noise. The
softmax of b times its mean are the probabilities. The sharpness b is found by leaving rows out, and
all else is in its units from then on. A softmax of its own is blended with it (`blending`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sparsebayes.dense.fit import DenseFit, dense_posterior
from sparsebayes.dense.labels.blending import blended
from sparsebayes.dense.labels.labels import label_contrasts
from sparsebayes.dense.labels.leaving_out import leave_out
from sparsebayes.dense.matching import latents_of, moments
from sparsebayes.dense.rows import BUDGET, Budget
from sparsebayes.dense.settings import find_settings
from sparsebayes.likelihoods import Gaussians, secant_curvature
from sparsebayes.posterior import Posterior
from sparsebayes.problem import Precisions, Problem

# One factorisation serves all classes, and is all there is, so that more centres are affordable.
CLASSES_BUDGET = replace(BUDGET, most_centres=3000, work=8e10)


def fit_dense_classes(
    problem: Problem,
    settings: np.ndarray | None = None,
    budget: Budget = CLASSES_BUDGET,
    find: Callable[..., Posterior] = dense_posterior,
) -> DenseFit:
    """The dense model of classes whose latent values are contrasts.

    Parameters
    ----------
    settings : of regression on the labels (n_settings,), the last that of the noise, if known
    find : (regression, settings, budget=budget) -> the posterior of the regression
    """
    if settings is None:
        settings = find_settings(problem, budget).settings
    data, n_contrasts = problem.data, problem.layout.n_outputs
    labels = label_contrasts(data.target, n_contrasts + 1)
    noise = float(np.exp(settings[-1]))
    regression = problem.changed(
        data=data._replace(target=labels), likelihood=Gaussians(n_contrasts, noise**-0.5)
    )
    found = find(regression, settings, budget=budget)
    left_out = leave_out(data.target, data.weight, labels, *moments(found), noise)
    sharp = in_other_units(found, left_out.sharpness)
    blend = blended(sharp, data, left_out)
    posterior = replace(sharp, mean=blend.mean)
    latents = latents_of(posterior)
    curvature = secant_curvature(problem.likelihood.latent_weights(latents))
    return DenseFit.of(
        posterior.problem,
        posterior,
        latents=latents,
        row_precision=data.weight * curvature,
        log_evidence=blend.log_density,
        noise_variance=1.0,
        between=problem.likelihood.between(1.0),
        left_out=left_out._replace(log_density=blend.log_density),
    )


def in_other_units(posterior: Posterior, unit: float) -> Posterior:
    """A posterior of Gaussian rows as it is with all targets `unit` times as large."""
    problem, square = posterior.problem, unit**2
    likelihood = Gaussians(posterior.n_outputs, unit * posterior.noise_precision**-0.5)
    data = problem.data._replace(target=unit * problem.data.target)
    return replace(
        posterior,
        problem=problem.changed(data=data, likelihood=likelihood),
        precisions=Precisions(
            posterior.weight_precision / square, posterior.noise_precision / square
        ),
        mean=unit * posterior.mean,
        value=square * posterior.value,
        factor=replace(posterior.factor, scale=unit * posterior.factor.scale),
    )
