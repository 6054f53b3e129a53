"""The variational posterior beside a long run of a Gibbs sampler of the same model.

The model is conditionally conjugate, so the sampler needs nothing but NumPy:

    w | alpha, tau ~ N(mu, Sigma)                  [BT00] (23)-(24), at these precisions
    alpha_m | w    ~ Gamma(a + 1/2, b + w_m^2 / 2)
    tau | w        ~ Gamma(c + N / 2, d + ||t - Phi w||^2 / 2)

For classification w is drawn by elliptical slice sampling (Murray, Adams and MacKay 2010) instead.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from sparsebayes import Gamma
from studies import models
from studies.framework.experiment import Block, Experiment, Table, Task

BURN_IN = 0.1
WEIGHTS = np.array([1.5, -0.8, 0.4, 0.0, 0.0])
NOISE = 0.5
# Number of rows.
KINDS = {"regression": 30, "classification": 100}
# Shape and rate of the hyperprior.
HYPERPRIORS = (1e-6, 0.5)


def gaussian_step(random, design, target, alpha, tau):
    """A draw of w given the precisions."""
    lower = np.linalg.cholesky(tau * design.T @ design + np.diag(alpha))
    white = np.linalg.solve(lower, tau * design.T @ target) + random.normal(size=len(alpha))
    return np.linalg.solve(lower.T, white)


def slice_step(random, weights, log_likelihood, alpha):
    """A draw of w ~ N(0, A^-1) times the likelihood, from the last one."""
    other = random.normal(size=len(alpha)) / np.sqrt(alpha)
    level = log_likelihood(weights) + np.log(random.uniform())
    angle = random.uniform(0.0, 2.0 * np.pi)
    low, high = angle - 2.0 * np.pi, angle
    while True:
        proposal = weights * np.cos(angle) + other * np.sin(angle)
        if log_likelihood(proposal) > level:
            return proposal
        low, high = (angle, high) if angle < 0.0 else (low, angle)
        angle = random.uniform(low, high)


def sample_regression(design, target, weight_prior, noise_prior, n_steps, seed):
    """Draws of (weights, noise standard deviation)."""
    random = np.random.default_rng(seed)
    alpha, tau = np.ones(design.shape[1]), 1.0 / target.var()
    draws = np.empty((n_steps, design.shape[1] + 1))
    for step in range(n_steps):
        weights = gaussian_step(random, design, target, alpha, tau)
        alpha = random.gamma(weight_prior.shape + 0.5, size=len(alpha))
        alpha /= weight_prior.rate + 0.5 * weights**2
        energy = np.sum((target - design @ weights) ** 2)
        tau = random.gamma(noise_prior.shape + 0.5 * len(target))
        tau /= noise_prior.rate + 0.5 * energy
        draws[step] = *weights, tau**-0.5
    return draws[int(BURN_IN * n_steps) :]


def sample_classification(design, target, weight_prior, n_steps, seed):
    """Draws of the weights."""
    random = np.random.default_rng(seed)
    signed = (2.0 * target - 1.0)[:, None] * design

    def log_likelihood(weights):
        return -np.logaddexp(0.0, -signed @ weights).sum()

    weights = np.zeros(design.shape[1])
    alpha = np.ones(design.shape[1])
    draws = np.empty((n_steps, design.shape[1]))
    for step in range(n_steps):
        weights = slice_step(random, weights, log_likelihood, alpha)
        alpha = random.gamma(weight_prior.shape + 0.5, size=len(alpha))
        alpha /= weight_prior.rate + 0.5 * weights**2
        draws[step] = weights
    return draws[int(BURN_IN * n_steps) :]


def weight_moments(model) -> list[tuple[float, float]]:
    """Mean and standard deviation of each weight."""
    return list(zip(model.weights_, np.sqrt(np.diag(model.covariance_)), strict=True))


def noise_moments(posterior: Gamma) -> tuple[float, float]:
    """Mean and standard deviation of tau^-1/2 under Q(tau)."""
    draws = np.random.default_rng(0).gamma(posterior.shape, 1.0 / posterior.rate, 1_000_000) ** -0.5
    return float(draws.mean()), float(draws.std())


def compared(variational, chains) -> list[dict]:
    """Moments side by side; the Monte Carlo error comes from the spread of the chains."""
    means = np.array([chain.mean(axis=0) for chain in chains])
    stds = np.array([chain.std(axis=0) for chain in chains])
    errors = means.std(axis=0, ddof=1) / len(chains) ** 0.5
    sampled = zip(means.mean(axis=0), errors, stds.mean(axis=0), strict=True)
    names = "mean", "std", "sampled_mean", "sampled_error", "sampled_std"
    return [
        dict(zip(names, map(float, (*own, *other)), strict=True))
        for own, other in zip(variational, sampled, strict=True)
    ]


def regression(hyperprior: Gamma, n_steps: int, n_chains: int) -> list[dict]:
    """Both posteriors of five weights and the noise of a regression, side by side."""
    random = np.random.default_rng(1)
    design = random.normal(size=(KINDS["regression"], len(WEIGHTS)))
    target = design @ WEIGHTS + random.normal(0.0, NOISE, len(design))
    tuning = {"weight_hyperprior": hyperprior, "noise_hyperprior": hyperprior}
    model = models.linear(True, "variational", tuning).fit(design, target)
    chains = [
        sample_regression(design, target, hyperprior, hyperprior, n_steps, seed)
        for seed in range(n_chains)
    ]
    return compared([*weight_moments(model), noise_moments(model.noise_posterior_)], chains)


def classification(hyperprior: Gamma, n_steps: int, n_chains: int) -> list[dict]:
    """Both posteriors of five weights of a classification, side by side."""
    random = np.random.default_rng(1)
    design = random.normal(size=(KINDS["classification"], len(WEIGHTS)))
    target = (random.uniform(size=len(design)) < expit(design @ WEIGHTS)).astype(float)
    tuning = {"weight_hyperprior": hyperprior}
    model = models.linear(False, "variational", tuning).fit(design, target)
    chains = [
        sample_classification(design, target, hyperprior, n_steps, seed) for seed in range(n_chains)
    ]
    return compared(weight_moments(model), chains)


def sampled(kind: str, hyperprior: float, n_steps: int, n_chains: int) -> dict:
    """Both posteriors under one hyperprior."""
    compare = regression if kind == "regression" else classification
    rows = compare(Gamma(hyperprior, hyperprior), n_steps, n_chains)
    return {"rows": rows, "n_steps": n_steps, "n_chains": n_chains}


def tasks(quick: bool) -> list[Task]:
    """A task for each kind of target and hyperprior; short chains if quick."""
    size = (300, 2) if quick else (100_000, 4)
    return [
        Task(f"{kind}-{hyperprior:g}", sampled, (kind, hyperprior, *size))
        for kind in KINDS
        for hyperprior in HYPERPRIORS
    ]


def report(results: dict[str, dict]) -> list[Block]:
    """A table for each kind of target and hyperprior."""
    names = [*(f"weight {weight:g}" for weight in WEIGHTS), f"noise {NOISE:g}"]
    return [
        _table(f"{kind}, {n_rows} rows", hyperprior, names, results[f"{kind}-{hyperprior:g}"])
        for kind, n_rows in KINDS.items()
        for hyperprior in HYPERPRIORS
        if f"{kind}-{hyperprior:g}" in results
    ]


def _table(title: str, hyperprior: float, names: list[str], result: dict) -> Table:
    rows = [
        [
            name,
            f"{row['mean']:.3f} ± {row['std']:.3f}",
            f"{row['sampled_mean']:.3f} ± {row['sampled_std']:.3f}",
            f"{row['sampled_error']:.4f}",
        ]
        for name, row in zip(names, result["rows"], strict=False)
    ]
    note = (
        f"Hyperprior Gamma({hyperprior:g}, {hyperprior:g}); mean ± standard deviation of the "
        f"posterior; {result['n_chains']} chains of {result['n_steps']} draws."
    )
    return Table([title, "variational", "sampled", "Monte Carlo error of the mean"], rows, note)


EXPERIMENTS = [
    Experiment(
        name="gibbs",
        source="beyond the papers",
        title="The variational posterior beside a Gibbs sampler",
        tasks=tasks,
        report=report,
    )
]
