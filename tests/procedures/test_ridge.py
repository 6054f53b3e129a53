"""The evidence of a process from the eigenvalues of its kernel, against N x N densities."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.stats import multivariate_normal

from sparsebayes.procedures.or_dense import RATIOS, ridge_log_evidence

N = 25
MISSED = 0.1  # nats; "some tenths"


def drawn(seed, rank, ratio, n_targets=1):
    """A kernel of so many inputs, and draws of its process with so much noise for its variance."""
    random = np.random.default_rng(seed)
    inputs = random.normal(size=(N, rank))
    kernel = inputs @ inputs.T / rank
    latent = inputs @ random.normal(size=(rank, n_targets)) / np.sqrt(rank)
    return kernel, latent + np.sqrt(ratio) * random.normal(size=(N, n_targets))


def log_density(kernel, target, variance, ratio):
    covariance = variance * (kernel + ratio * np.eye(len(kernel)))
    return multivariate_normal(cov=covariance).logpdf(target)


def maximum(kernel, target):
    """Of the log density over variance and ratio, the ratio in the range that is tried."""
    largest = np.linalg.eigvalsh(kernel)[-1]
    low, high = (np.log(largest) + np.log(10.0) * end for end in RATIOS[:2])

    def loss(point):
        return -log_density(kernel, target, *np.exp(point))

    found = np.inf
    for ratio in np.linspace(low + 12.0, high, 5):
        start = np.log(np.mean(target**2) / (np.exp(ratio) + np.trace(kernel) / N)), ratio
        bounds = [(None, None), (low + 4.0, high)]
        end = minimize(loss, start, bounds=bounds, method="Nelder-Mead", options={"fatol": 1e-9})
        found = min(found, end.fun)
    return -found


@pytest.mark.slow
@pytest.mark.parametrize("rank", [2, N, 60])
@pytest.mark.parametrize("ratio", [0.01, 0.3, 10.0])
def test_it_is_the_maximum_of_the_density_and_never_above(rank, ratio):
    for seed in range(2):
        kernel, target = drawn(seed, rank, ratio)
        highest = maximum(kernel, target[:, 0])
        found = ridge_log_evidence(kernel, target)
        assert highest - MISSED < found < highest + 1e-3


def test_it_is_a_value_of_the_density_at_the_best_of_the_ratios():
    """With the variance that is best at it."""
    kernel, target = drawn(0, 60, 0.3)
    largest = np.linalg.eigvalsh(kernel)[-1]
    values = []
    for ratio in largest * np.logspace(*RATIOS):
        whole = kernel + ratio * np.eye(N)
        variance = target[:, 0] @ np.linalg.solve(whole, target[:, 0]) / N
        values.append(log_density(kernel, target[:, 0], variance, ratio))
    assert_allclose(ridge_log_evidence(kernel, target), max(values), rtol=1e-9)


def test_each_of_several_targets_has_its_own_variance_and_noise():
    kernel, targets = drawn(1, 60, 0.1, n_targets=3)
    targets *= [1.0, 1e-6, 1e6]
    alone = [ridge_log_evidence(kernel, targets[:, [k]]) for k in range(3)]
    assert_allclose(ridge_log_evidence(kernel, targets), sum(alone), rtol=1e-12)


@pytest.mark.parametrize("unit", [1e-12, 1e-3, 1e9])
def test_units_move_it_by_their_logarithm(unit):
    """Of the target; those of the kernel do not matter, as it has a variance of its own."""
    kernel, target = drawn(2, 10, 0.1)
    expected = ridge_log_evidence(kernel, target)
    assert_allclose(ridge_log_evidence(unit * kernel, target), expected, rtol=1e-9)
    moved = expected - N * np.log(unit)
    assert_allclose(ridge_log_evidence(kernel, unit * target), moved, rtol=1e-9)


def test_the_order_of_rows_does_not_matter():
    kernel, target = drawn(3, 10, 0.1)
    order = np.random.default_rng(0).permutation(N)
    found = ridge_log_evidence(kernel[np.ix_(order, order)], target[order])
    assert_allclose(found, ridge_log_evidence(kernel, target), rtol=1e-10)


def test_finer_ratios_find_little_more():
    for seed, rank, ratio in [(0, 3, 0.01), (1, N, 0.1), (2, 60, 1.0), (3, 200, 1e-3)]:
        kernel, target = drawn(seed, rank, ratio)
        fine = ridge_log_evidence(kernel, target, (RATIOS[0], RATIOS[1], 1441))
        found = ridge_log_evidence(kernel, target)
        assert fine - MISSED < found <= fine + 1e-9


@pytest.mark.parametrize("rank", [1, 2])
def test_a_kernel_of_low_rank_explains_what_lies_in_it(rank):
    """Negative eigenvalues are rounding."""
    kernel, target = drawn(0, rank, 1e-4)
    assert np.linalg.eigvalsh(kernel)[0] < 1e-12
    signal, noise = ridge_log_evidence(kernel, target), ridge_log_evidence(0.0 * kernel, target)
    assert signal > noise + 20.0


@pytest.mark.parametrize("size", [0.0, 1e-200, 1e-320])
def test_a_kernel_of_zeros_is_noise_alone(size):
    target = np.random.default_rng(0).normal(size=(N, 1))
    expected = -0.5 * N * np.log(2.0 * np.pi * np.e * np.mean(target**2))
    assert_allclose(ridge_log_evidence(np.full((N, N), size), target), expected, rtol=1e-9)


def test_noise_is_worth_no_more_than_a_process_that_is_nearly_noise():
    """The highest of the ratios leaves a thousandth of the kernel."""
    kernel, _ = drawn(0, 60, 0.1)
    target = np.random.default_rng(11).normal(size=(N, 1))
    nothing = -0.5 * N * np.log(2.0 * np.pi * np.e * np.mean(target**2))
    assert nothing - 0.1 < ridge_log_evidence(kernel, target) < nothing + 3.0


def test_a_target_of_zeros_is_finite():
    kernel, _ = drawn(0, 60, 0.1)
    found = ridge_log_evidence(kernel, np.zeros((N, 1)))
    assert np.isfinite(found)
    assert found > ridge_log_evidence(kernel, np.full((N, 1), 1e-30))


@pytest.mark.parametrize("n_rows", [1, 2])
def test_one_or_two_rows_are_finite(n_rows):
    kernel = np.eye(n_rows)
    assert np.isfinite(ridge_log_evidence(kernel, np.ones((n_rows, 1))))
