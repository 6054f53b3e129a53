"""Small problems with a given design, for the tests of the numerical core."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sparsebayes.columns import identity_columns
from sparsebayes.hyperpriors import FLAT
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.posterior import find_posterior
from sparsebayes.problem import Precisions, Problem
from sparsebayes.rows import ChunkedRows, Data, InMemoryRows


def problem(
    design,
    target,
    likelihood,
    *,
    weight=None,
    chunk_rows=None,
    weight_hyperprior=FLAT,
    noise_hyperprior=FLAT,
):
    """A problem whose columns are those of `design`; in memory unless `chunk_rows` is given."""
    weight = np.ones(len(target)) if weight is None else weight
    data = Data(design, target, weight)
    found = replace(
        Problem.of_design(design, data, likelihood),
        weight_hyperprior=weight_hyperprior,
        noise_hyperprior=noise_hyperprior,
    )
    if chunk_rows is not None:
        vars(found)["rows"] = make_rows(design, target, weight, chunk_rows)
    return found


def make_rows(design, target, weight, chunk_rows=None):
    """Rows in memory, or in blocks of `chunk_rows` where all columns are asked for."""
    columns, data = identity_columns(design.shape[1]), Data(design, target, weight)
    if chunk_rows is None:
        return InMemoryRows.evaluated(columns, data)
    return ChunkedRows(columns, data, chunk_rows * design.shape[1])


def gaussian(design, target, noise_std=None, **options):
    return problem(design, target, Gaussian(noise_std), **options)


def bernoulli(design, target, **options):
    return problem(design, target, Bernoulli(), **options)


def posterior_at(problem, active, weight_precision, noise_precision=1.0):
    """The posterior at given precisions, searched from zero."""
    precisions = Precisions(np.asarray(weight_precision, dtype=float), noise_precision)
    return find_posterior(problem, np.asarray(active), precisions)


def regression(seed, n_rows=40, n_columns=8, n_relevant=3, noise=0.3):
    """A random design, and a target made of its first `n_relevant` columns and noise."""
    random = np.random.default_rng(seed)
    design = random.normal(size=(n_rows, n_columns))
    weights = random.choice([-1.0, 1.0], n_relevant) * random.uniform(1.0, 2.0, n_relevant)
    return design, design[:, :n_relevant] @ weights + noise * random.normal(size=n_rows)


def classification(seed, n_rows=80, n_columns=6, n_relevant=2):
    """A random design, and classes drawn with the log odds of `regression`."""
    design, latent = regression(seed, n_rows, n_columns, n_relevant, noise=0.0)
    random = np.random.default_rng(seed + 1000)
    return design, (random.uniform(size=n_rows) < 1.0 / (1.0 + np.exp(-latent))).astype(float)


def kernel_design(inputs, centres, width):
    """A bias, and a Gaussian kernel on each centre."""
    distance = (inputs[:, None] - centres) / width
    return np.column_stack([np.ones(len(inputs)), np.exp(-(distance**2))])


def classes(seed, n_rows=60, n_columns=5, n_relevant=2, n_classes=3):
    """A random design, and labels drawn from the softmax of its first `n_relevant` columns."""
    random = np.random.default_rng(seed)
    design = random.normal(size=(n_rows, n_columns))
    latent = design[:, :n_relevant] @ random.normal(0.0, 2.0, (n_relevant, n_classes))
    noise = random.gumbel(size=(n_rows, n_classes))
    return design, np.argmax(latent + noise, axis=1).astype(float)


def outputs(seed, n_rows=40, n_columns=8, n_relevant=3, n_outputs=3, noise=0.3):
    """A random design, and targets made of its first `n_relevant` columns and noise."""
    random = np.random.default_rng(seed)
    design = random.normal(size=(n_rows, n_columns))
    weights = random.uniform(1.0, 2.0, (n_relevant, n_outputs))
    weights *= random.choice([-1.0, 1.0], weights.shape)
    error = noise * random.normal(size=(n_rows, n_outputs))
    return design, design[:, :n_relevant] @ weights + error
