from dataclasses import replace

import fits
import numpy as np
import problems
import pytest

from sparsebayes import evidence
from sparsebayes.hyperpriors import FLAT, Gamma, student_t
from sparsebayes.inference.newton import derivatives, newton_step

ACTIVE = np.array([0, 2, 3, 5])
ALPHA = np.array([0.5, 3.0, 8.0, 20.0])
BETA = 4.0
N_ROWS = 12
CASES = pytest.mark.parametrize(
    ("noise_std", "weights", "noise"),
    [
        (None, FLAT, FLAT),
        (0.5, FLAT, FLAT),
        (None, student_t(3.0), Gamma(2.0, 0.1)),
        (None, FLAT, Gamma(3.0, 2.0)),
        (0.5, Gamma(1.0, 0.2), FLAT),
    ],
    ids=["estimated noise", "fixed noise", "hyperpriors", "noise hyperprior", "weight hyperprior"],
)


def gaussian(seed, noise_std=None, weights=FLAT, noise=FLAT, **options):
    options |= {"weight_hyperprior": weights, "noise_hyperprior": noise}
    return problems.gaussian(*problems.regression(seed, N_ROWS), noise_std, **options)


def found(problem, logs):
    """The posterior at given log precisions, of the noise last where it is estimated."""
    beta = problem.noise.settle(float(np.exp(logs[-1])))
    return problems.posterior_at(problem, ACTIVE, np.exp(logs[: len(ACTIVE)]), beta)


def log_precisions(problem, alpha=ALPHA, beta=BETA):
    """The point (log alpha, log beta), the latter only where the noise is estimated."""
    return np.log(np.append(alpha, beta) if problem.noise.estimated else alpha)


@CASES
def test_gradient_over_the_curvature_of_em_is_uphill(noise_std, weights, noise):
    """A short step of it, as the damped one is where all else fails."""
    problem = gaussian(3, noise_std, weights, noise)
    point = log_precisions(problem)
    here = derivatives(found(problem, point))
    assert np.all(here.em_curvature > 0.0)
    rise = evidence.objective(found(problem, point + 1e-3 * here.gradient / here.em_curvature))
    assert rise > evidence.objective(found(problem, point))


def random_problem(seed):
    """Any precisions, fixed or estimated noise, flat or proper hyperpriors, also more columns."""
    random = np.random.default_rng(seed)
    n_rows, n_columns = int(random.integers(3, 40)), int(random.integers(1, 12))
    data = problems.regression(seed, n_rows, n_columns, min(3, n_columns))
    weights, noise = [(FLAT, FLAT), (student_t(2.0), Gamma(1.0, 0.1))][seed % 2]
    problem = problems.gaussian(
        *data, 0.5 if seed % 3 == 0 else None, weight_hyperprior=weights, noise_hyperprior=noise
    )
    alpha = 10.0 ** random.uniform(-6.0, 6.0, n_columns)
    beta = 4.0 if seed % 3 == 0 else 10.0 ** random.uniform(-3.0, 3.0)
    return problems.posterior_at(problem, np.arange(n_columns), alpha, beta)


def test_a_step_never_lowers_the_objective():
    """30 problems, from anywhere; the objective is that of a posterior found anew."""
    for seed in range(30):
        posterior = random_problem(seed)
        values = [evidence.objective(posterior)]
        for _ in range(10):
            moved = newton_step(posterior)
            if moved is posterior:
                break
            assert list(moved.active) == list(posterior.active)
            posterior = moved
            values.append(evidence.objective(fits.anew(moved)))
        assert len(values) > 1
        assert np.diff(values).min() >= -1e-9 * np.abs(values).max()


def test_a_fixed_noise_stays():
    problem = gaussian(4, 0.5)
    assert newton_step(found(problem, log_precisions(problem))).noise_precision == 4.0


def test_the_noise_stops_at_its_floor():
    """Exact data: the step takes the noise precision to its ceiling, and it does not move on."""
    problem = problems.gaussian(*problems.regression(5, noise=0.0))
    columns = np.arange(3)
    ceiling = problem.noise_precision_ceiling
    posterior = problems.posterior_at(problem, columns, np.ones(3), 0.5 * ceiling)
    for _ in range(5):
        posterior = newton_step(posterior)
    assert posterior.noise_precision == ceiling
    assert derivatives(posterior).gradient.shape == (3,)


def test_convergence_near_an_optimum_is_quadratic():
    """The distance to the optimum squares, up to a factor, until it is rounding."""
    problem = gaussian(6, weights=student_t(3.0))
    posterior = found(problem, log_precisions(problem))
    for _ in range(60):
        posterior = newton_step(posterior)
    best = np.log(np.append(posterior.weight_precision, posterior.noise_precision))
    assert np.abs(derivatives(posterior).gradient).max() < 1e-9

    errors = [0.1]
    near = found(problem, best + 0.1 * np.array([1.0, -1.0, 1.0, -1.0, 1.0]))
    while errors[-1] > 1e-6:
        near = newton_step(near)
        logs = np.log(np.append(near.weight_precision, near.noise_precision))
        errors.append(np.abs(logs - best).max())
    assert 3 <= len(errors) <= 5
    assert np.all(np.array(errors[1:]) <= 5.0 * np.array(errors[:-1]) ** 2)


def test_an_optimum_is_left_as_it_is():
    problem = gaussian(7, weights=student_t(3.0))
    posterior = found(problem, log_precisions(problem))
    for _ in range(100):
        moved = newton_step(posterior)
        if moved is posterior:
            break
        posterior = moved
    assert moved is posterior
    assert np.abs(derivatives(posterior).gradient).max() < 1e-6


def test_a_step_that_is_no_number_is_not_made():
    problem = problems.gaussian(*problems.regression(1))
    posterior = problems.posterior_at(problem, [0, 1], np.array([2.0, 3.0]), 4.0)
    broken = replace(posterior, mean=np.full((2, 1), np.nan))
    assert newton_step(broken) is broken
