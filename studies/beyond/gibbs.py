"""The variational posterior beside a long run of a Gibbs sampler of the same model, as Markdown.

Run as `python -m benchmarks.gibbs [--quick]`. The model is conditionally conjugate, so the sampler
needs nothing but NumPy:

    w | alpha, tau ~ N(mu, Sigma)                  [BT00] (23)-(24), at these precisions
    alpha_m | w    ~ Gamma(a + 1/2, b + w_m^2 / 2)
    tau | w        ~ Gamma(c + N / 2, d + ||t - Phi w||^2 / 2)

For classification w is drawn by elliptical slice sampling (Murray, Adams and MacKay 2010) instead.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.special import expit

from sparsebayes import Gamma, Linear, SparseBayesClassifier, SparseBayesRegressor

BURN_IN = 0.1


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


def table(title, names, variational, chains):
    """Means and standard deviations side by side; the Monte Carlo error from several chains."""
    means = np.array([chain.mean(axis=0) for chain in chains])
    stds = np.array([chain.std(axis=0) for chain in chains])
    print(f"\n### {title}\n")
    print("| | variational mean | sampled mean | variational std | sampled std |")
    print("|---|---|---|---|---|")
    for k, (name, (mean, std)) in enumerate(zip(names, variational, strict=True)):
        error = means[:, k].std(ddof=1) / np.sqrt(len(chains))
        print(
            f"| {name} | {mean:.4f} | {means[:, k].mean():.4f} +- {error:.4f} | {std:.4f} | "
            f"{stds[:, k].mean():.4f} |"
        )


def weight_rows(model):
    return list(zip(model.weights_, np.sqrt(np.diag(model.covariance_)), strict=True))


def noise_row(posterior: Gamma):
    """Mean and standard deviation of tau^-1/2 under Q(tau)."""
    draws = np.random.default_rng(0).gamma(posterior.shape, 1.0 / posterior.rate, 1_000_000) ** -0.5
    return draws.mean(), draws.std()


def design_and_weights(n_rows):
    random = np.random.default_rng(1)
    return random.normal(size=(n_rows, 5)), np.array([1.5, -0.8, 0.4, 0.0, 0.0]), random


def regression(hyperprior, n_steps, n_chains):
    design, weights, random = design_and_weights(30)
    target = design @ weights + random.normal(0.0, 0.5, 30)
    options = {"weight_hyperprior": hyperprior, "noise_hyperprior": hyperprior}
    model = SparseBayesRegressor(Linear(), inference="variational", **options).fit(design, target)
    chains = [
        sample_regression(design, target, hyperprior, hyperprior, n_steps, seed)
        for seed in range(n_chains)
    ]
    names = [f"weight {k} (true {w})" for k, w in enumerate(weights)] + ["noise (true 0.5)"]
    rows = [*weight_rows(model), noise_row(model.noise_posterior_)]
    title = f"Regression, 30 rows, 5 columns, {hyperprior}, {n_chains} x {n_steps} draws"
    table(title, names, rows, chains)


def classification(hyperprior, n_steps, n_chains):
    design, weights, random = design_and_weights(100)
    target = (random.uniform(size=100) < expit(design @ weights)).astype(float)
    model = SparseBayesClassifier(
        Linear(), inference="variational", weight_hyperprior=hyperprior
    ).fit(design, target)
    chains = [
        sample_classification(design, target, hyperprior, n_steps, seed) for seed in range(n_chains)
    ]
    names = [f"weight {k} (true {w})" for k, w in enumerate(weights)]
    title = f"Classification, 100 rows, 5 columns, {hyperprior}, {n_chains} x {n_steps} draws"
    table(title, names, weight_rows(model), chains)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short chains")
    n_steps, n_chains = (500, 2) if parser.parse_args(arguments).quick else (100_000, 4)
    for hyperprior in (Gamma(1e-6, 1e-6), Gamma(0.5, 0.5)):
        regression(hyperprior, n_steps, n_chains)
        classification(hyperprior, n_steps, n_chains)


if __name__ == "__main__":
    main()
