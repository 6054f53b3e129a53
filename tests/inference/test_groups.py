"""Groups of columns with one precision: what they gain, how it is found, where a fit ends."""

from dataclasses import replace

import fits
import numpy as np
import problems
import pytest
import reference
from laws.parts import differences
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize_scalar

from sparsebayes import evidence, statistics
from sparsebayes.columns import identity_columns
from sparsebayes.hyperpriors import FLAT, Gamma
from sparsebayes.inference import Fast
from sparsebayes.inference.addition import best_gains, by_size, choose_group
from sparsebayes.inference.deletion import below_price, groups_below_price, removable
from sparsebayes.inference.loop import largest_gradient, n_precisions
from sparsebayes.inference.newton import derivatives, newton_step
from sparsebayes.inference.path import CROWDED, path_start
from sparsebayes.inference.prices import Prices, prices_of
from sparsebayes.inference.reestimation import mackay_update
from sparsebayes.likelihoods import Bernoulli, Frozen, Gaussians

pytestmark = pytest.mark.slow  # the whole module: the quick lane has a minute

# Groups of 1, 2, 3, 2 and 4 columns, not in one piece. The first three bear on the target.
LABELS = np.array([0, 1, 1, 2, 4, 2, 3, 3, 4, 2, 4, 4])
SIZES = [1, 2, 3, 2, 4]
BETA = 4.0


def grouped(problem, labels=LABELS):
    """The same with columns in groups."""
    return replace(problem, columns=identity_columns(problem.n_columns, np.asarray(labels)))


def gaussian(seed=0, noise_std=None, **options):
    return grouped(problems.gaussian(*problems.regression(seed, 40, 12, 4), noise_std, **options))


def weighted(seed=0):
    return gaussian(seed, weight=np.random.default_rng(9).uniform(0.5, 2.0, 40))


def outputs(seed=0):
    design, targets = problems.outputs(seed, 40, 12, 4)
    return grouped(problems.problem(design, targets * [1.0, 1e-3, 50.0], Gaussians(3)))


def collinear(seed=0):
    """Equal columns within a group, and one column in the span of an active one."""
    design, target = problems.regression(seed, 40, 12, 4)
    design[:, 2], design[:, 5], design[:, 9] = design[:, 1], design[:, 3], design[:, 0]
    return grouped(problems.gaussian(design, target))


def with_zeros(seed=0):
    """A column of zeros within a group."""
    design, target = problems.regression(seed, 40, 12, 4)
    design[:, 2] = 0.0
    return grouped(problems.gaussian(design, target))


def bernoulli(seed=0):
    return grouped(problems.bernoulli(*problems.classification(seed, 80, 12, 4)))


def frozen(seed=0):
    data = problems.classification(seed, 80, 12, 4)
    return grouped(problems.problem(*data, Frozen(Bernoulli())))


CASES = {
    "gaussian": gaussian,
    "weights": weighted,
    "outputs": outputs,
    "collinear": collinear,
    "zeros": with_zeros,
    "bernoulli": bernoulli,
}
over_cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def at(problem, active, alpha):
    """The posterior at precisions of candidates."""
    beta = problem.noise.settle(BETA) if problem.noise.estimated else problem.noise.settle(1.0)
    return problems.posterior_at(problem, active, alpha, beta)


def of_groups(problem, labels, alpha):
    """The posterior of whole groups at a precision each."""
    active = np.flatnonzero(np.isin(problem.labels, labels))
    place = np.searchsorted(labels, problem.labels[active])
    return at(problem, active, np.asarray(alpha, dtype=float)[place])


def naive_evidence(posterior):
    """(candidates, precisions) -> log N(t | 0, C), at the noise and curvature of the posterior."""
    problem, design = posterior.problem, posterior.problem.data.inputs
    data, active = problem.data, posterior.active
    targets, noise = data.target.reshape(len(design), -1), posterior.noise_precision * data.weight
    if not problem.likelihood.has_units:
        mode = posterior.mean[:, 0]
        response, curvature = reference.working_response(design[:, active], data.target, mode)
        targets, noise = response[:, None], noise * curvature
    relative = np.broadcast_to(posterior.output_precision, targets.shape[1])

    def log_evidence(candidates, alpha):
        some = design[:, candidates]
        return sum(
            reference.log_evidence(some, target, alpha * own, noise * own)
            for target, own in zip(targets.T, relative, strict=True)
        )

    return log_evidence


def chosen(posterior, least_gain):
    every = statistics.candidates(posterior.problem, posterior.active, posterior.mean)
    return choose_group(posterior, every, least_gain)


def only(problem, label, least=0.0):
    """A least gain that no other group reaches."""
    return np.where(problem.labels == label, least, np.inf)


# What a group gains.


def gain_at(log_alpha, sparsity, power, n_outputs):
    alpha = np.exp(log_alpha)
    each = n_outputs * np.log(alpha / (alpha + sparsity)) + power / (alpha + sparsity)
    return 0.5 * np.sum(each)


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_the_best_gain_is_that_of_a_dense_grid_and_of_an_optimiser(n_outputs):
    random = np.random.default_rng(n_outputs)
    sparsity = 10.0 ** random.uniform(-3.0, 3.0, (20, 4))
    power = n_outputs * sparsity * random.chisquare(2.0, (20, 4))
    power[:, 0] *= 10.0
    found = best_gains(sparsity, power, n_outputs)
    grid = np.linspace(-20.0, 20.0, 4001)
    for s, q, gain, alpha in zip(sparsity, power, *found, strict=True):
        values = np.array([gain_at(x, s, q, n_outputs) for x in grid])
        near = grid[np.argmax(values)]
        best = minimize_scalar(
            lambda x, s=s, q=q: -gain_at(x, s, q, n_outputs), bounds=(near - 0.1, near + 0.1)
        )
        assert_allclose(gain, max(0.0, -best.fun), rtol=1e-6, atol=1e-6)
        if gain > 0.1:
            assert_allclose(gain_at(np.log(alpha), s, q, n_outputs), gain, rtol=1e-9)
    assert np.sum(found.gain > 1.0) > 5


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_the_best_gain_of_a_single_column_is_the_closed_form(n_outputs):
    """With x = q^2 / s: n (x - 1 - log x) / 2 at s^2 / (q^2 - s), and nothing where x <= 1."""
    ratio, sparsity = np.meshgrid([0.1, 0.9, 1.5, 3.0, 30.0, 3000.0], [1e-8, 1.0, 1e8])
    ratio, sparsity = ratio.ravel(), sparsity.ravel()
    found = best_gains(sparsity[:, None], n_outputs * (ratio * sparsity)[:, None], n_outputs)
    inside = ratio > 1.0
    expected = 0.5 * n_outputs * (ratio - 1.0 - np.log(ratio))
    assert_allclose(found.gain, np.where(inside, expected, 0.0), rtol=1e-6, atol=1e-6)
    best = sparsity[inside] / (ratio[inside] - 1.0)
    assert_allclose(found.precision[inside], best, rtol=1e-3)


def test_groups_that_nothing_is_known_of_gain_nothing():
    found = best_gains(np.zeros((2, 3)), np.zeros((2, 3)), 1)
    assert_array_equal(found.gain, [0.0, 0.0])
    assert np.isfinite(found.precision).all()


@pytest.mark.parametrize(
    ("most", "shapes"),
    [(100, [(1, 1), (2, 2), (1, 3), (1, 4)]), (3, [(1, 1), (1, 2), (1, 2), (1, 3), (1, 4)])],
)
def test_groups_of_a_size_are_together_with_all_their_columns(most, shapes):
    found = by_size(LABELS, most)
    assert [each.members.shape for each in found] == shapes
    for each in found:
        for label, members in zip(each.labels, each.members, strict=True):
            assert_array_equal(members, np.flatnonzero(label == LABELS))


@over_cases
@pytest.mark.parametrize("label", [0, 1, 2])
def test_the_gain_of_a_group_is_the_difference_of_log_evidences(case, label):
    """At its precision, and no other precision gains more."""
    problem = case()
    posterior = of_groups(problem, [3], [2.0])
    block = chosen(posterior, only(problem, label))
    assert_array_equal(block.candidates, np.flatnonzero(label == LABELS))
    assert np.ptp(block.weight_precision) == 0.0
    log_evidence, both = naive_evidence(posterior), np.append(posterior.active, block.candidates)

    def gain(log_alpha):
        more = np.full(len(block.candidates), np.exp(log_alpha))
        alpha = np.append(posterior.weight_precision, more)
        return log_evidence(both, alpha) - log_evidence(
            posterior.active, posterior.weight_precision
        )

    here = np.log(block.weight_precision[0])
    found = gain(here)
    assert found > 0.1
    assert found >= max(gain(x) for x in here + np.linspace(-5.0, 5.0, 41)) - 1e-6
    assert len(chosen(posterior, only(problem, label, found - 1e-6)).candidates)
    assert not len(chosen(posterior, only(problem, label, found + 1e-6)).candidates)


@over_cases
def test_the_group_that_gains_most_beyond_its_price_is_chosen(case):
    problem = case()
    posterior = of_groups(problem, [3], [2.0])
    gains = np.array([chosen(posterior, only(problem, k)).largest_gain for k in range(5)])
    assert np.ptp(gains) == 0.0  # the largest of all groups, whatever it has to be
    free = chosen(posterior, np.zeros(12))
    best = problem.labels[free.candidates[0]]
    assert len(chosen(posterior, only(problem, best, free.largest_gain - 1e-6)).candidates)
    dear = np.where(problem.labels == best, free.largest_gain, 0.0)
    other = chosen(posterior, dear)
    assert len(other.candidates)
    assert problem.labels[other.candidates[0]] != best
    assert other.largest_gain == free.largest_gain


def test_groups_in_the_model_are_not_chosen_again():
    problem = gaussian()
    posterior = of_groups(problem, [0, 1, 2, 3, 4], np.full(5, 1e3))
    assert chosen(posterior, np.zeros(12)).candidates.shape == (0,)


def test_no_group_is_chosen_that_does_not_reach_its_price():
    posterior = of_groups(gaussian(), [3], [2.0])
    block = chosen(posterior, np.full(12, 1e9))
    assert block.candidates.shape == block.weight_precision.shape == (0,)
    assert block.largest_gain > 1.0


# One precision for each group.

TIED = {
    "estimated noise": lambda: gaussian(),
    "fixed noise": lambda: gaussian(noise_std=0.5),
    "weights": lambda: weighted(),
    "noise hyperprior": lambda: gaussian(noise_hyperprior=Gamma(3.0, 2.0)),
    "outputs": lambda: outputs(),
    "two classes": lambda: frozen(),
    "zeros": lambda: with_zeros(),
}
over_tied = pytest.mark.parametrize("case", TIED.values(), ids=TIED)
KEPT = [0, 1, 2, 4]


def tied(problem, logs):
    """The posterior at log precisions of the groups 0, 1, 2 and 4, and of the noise if estimated"""
    active = np.flatnonzero(np.isin(problem.labels, KEPT))
    alpha = np.exp(logs)[np.searchsorted(KEPT, problem.labels[active])]
    beta = np.exp(logs[4]) if problem.noise.estimated else problem.noise.settle(1.0)
    return problems.posterior_at(problem, active, alpha, float(beta))


def some_logs(problem):
    return np.log([0.5, 3.0, 8.0, 20.0, BETA][: 5 if problem.noise.estimated else 4])


@over_tied
def test_the_gradient_is_that_of_the_log_evidence_for_the_precision_of_each_group(case):
    problem = case()
    logs = some_logs(problem)
    found = derivatives(tied(problem, logs)).gradient
    expected = differences(lambda x: evidence.objective(tied(problem, x)), logs)
    assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@over_tied
def test_the_hessian_is_the_slope_of_the_gradient(case):
    problem = case()
    logs = some_logs(problem)
    found = derivatives(tied(problem, logs))
    expected = differences(lambda x: derivatives(tied(problem, x)).gradient, logs)
    assert_allclose(found.hessian, expected, rtol=1e-6, atol=1e-6)
    assert found.em_curvature.shape == logs.shape
    assert np.all(found.em_curvature > 0.0)


@over_tied
def test_the_largest_gradient_is_that_of_groups(case):
    posterior = tied(case(), some_logs(case()))
    expected = np.abs(derivatives(posterior).gradient).max()
    assert_allclose(largest_gradient(posterior), expected, rtol=1e-9)


@over_tied
def test_newtons_step_leaves_one_precision_to_each_group(case):
    posterior = tied(case(), some_logs(case()))
    moved = newton_step(posterior)
    assert evidence.objective(moved) > evidence.objective(posterior)
    assert_one_precision(moved)
    assert len(np.unique(moved.weight_precision)) == 4


def assert_one_precision(found):
    labels = found.problem.labels[found.active]
    for label in np.unique(labels):
        assert np.ptp(found.precisions.weight[labels == label]) == 0.0


@over_tied
def test_mackays_update_stays_where_the_gradient_is_zero(case):
    """From Newton's optimum it does not move, and where it does not move the gradient is zero."""
    problem = case()
    posterior = tied(problem, some_logs(problem))
    for _ in range(60):
        posterior = newton_step(posterior)
        gone = posterior.weight_precision > 1e8  # a group that goes; the others have an optimum
        if gone.any():
            posterior = posterior.at(posterior.precisions.of(~gone), ~gone)
    assert np.abs(derivatives(posterior).gradient).max() < 1e-7
    updated = mackay_update(posterior)
    assert_allclose(updated.weight, posterior.weight_precision, rtol=1e-5)
    assert_allclose(updated.noise, posterior.noise_precision, rtol=1e-5)

    away = posterior.at(updated._replace(weight=2.0 * updated.weight))
    for _ in range(300):
        away = away.at(mackay_update(away))
    assert_one_precision(away)
    assert np.abs(derivatives(away).gradient).max() < 1e-5


# Deletions.


@pytest.mark.parametrize("case", [gaussian, weighted, outputs, bernoulli])
def test_the_group_below_its_price_is_that_of_recomputed_evidences(case):
    problem = case()
    posterior = of_groups(problem, [0, 1, 2, 3, 4], [1.0, 3.0, 0.5, 20.0, 5.0])
    held, labels = naive_evidence(posterior), problem.labels
    whole = held(posterior.active, posterior.weight_precision)
    worth = np.array(
        [whole - held(np.flatnonzero(kept), posterior.weight_precision[kept]) for kept in others()]
    )
    random = np.random.default_rng(0)
    for price in [np.zeros(5), *(worth + random.normal(size=(5, 5)))]:
        least = np.argmin(worth - price)
        found = groups_below_price(posterior, price[labels])
        expected = labels == least if worth[least] <= price[least] else np.zeros(12, dtype=bool)
        assert_array_equal(found, np.flatnonzero(expected))
        assert_array_equal(below_price(posterior, price[labels]), found)
    assert not len(groups_below_price(posterior, np.full(12, worth.min() - 1e-6)))
    assert len(groups_below_price(posterior, np.full(12, worth.min() + 1e-6)))


def others():
    """The columns without each group."""
    return [label != LABELS for label in range(5)]


def test_a_group_goes_as_a_whole_where_the_evidence_does_not_fall():
    posterior = of_groups(gaussian(), [0, 1, 2, 3, 4], [1.0, 1.0, 1.0, 1e-4, 1e-4])
    gone = removable(posterior)
    assert_array_equal(gone, np.flatnonzero(LABELS[gone[0]] == LABELS))
    assert LABELS[gone[0]] in (3, 4)


def test_a_model_without_columns_has_no_group_to_delete():
    nothing = at(gaussian(), np.empty(0, dtype=np.intp), np.empty(0))
    assert groups_below_price(nothing, np.empty(0)).shape == (0,)


# Prices.


def test_a_group_is_paid_for_once():
    prices = Prices(np.full(12, 2.0), False, LABELS)
    assert prices.of(np.array([1, 2, 3, 5, 9])) == 4.0
    assert prices.of(np.array([], dtype=np.intp)) == 0.0
    assert prices.largest == 4
    assert_array_equal(prices.whole(np.array([5, 0])), [0, 3, 5, 9])
    expected = [0.0, 2.0, np.inf, 4.0, np.inf, np.inf, 6.0]
    assert_array_equal(prices.along(np.array([0, 1, 2, 3, 5, 9])), expected)


def test_the_price_counts_groups_to_choose_from():
    problem = gaussian()
    assert_allclose(prices_of("auto", problem).each, np.log(5.0) + 1.0)
    alone = grouped(problem, np.zeros(12))
    assert_array_equal(prices_of("auto", alone).each, np.zeros(12))


def test_there_are_as_many_precisions_as_groups():
    problem = gaussian()
    assert n_precisions(problem, np.array([0, 1, 2, 3, 5, 9])) == 3
    assert n_precisions(problem, np.array([], dtype=np.intp)) == 0
    plain = problems.gaussian(problem.data.inputs, problem.data.target)
    assert n_precisions(plain, np.arange(6)) == 6


# Starts.


def test_a_start_from_a_path_has_whole_groups_with_one_precision_each():
    for case in (gaussian, weighted, outputs, collinear, with_zeros, bernoulli):
        problem = case()
        start = path_start(problem, prices_of("auto", problem))
        kept = np.unique(LABELS[start.active])
        assert_array_equal(start.active, np.flatnonzero(np.isin(LABELS, kept)))
        assert_one_precision(start)
        assert {1, 2} & {*kept}


@pytest.mark.parametrize("n_rows", [8, 20])
def test_a_start_with_as_many_columns_as_rows_leaves_half_of_the_target_to_the_noise(n_rows):
    design, target = problems.regression(0, n_rows, 30, 30)
    problem = grouped(problems.gaussian(design, target), np.zeros(30))
    start = path_start(problem, prices_of("auto", problem))
    assert len(start.active) == 30 > CROWDED * n_rows
    assert_allclose(1.0 / start.noise_precision, 0.5 * np.mean(target**2), rtol=1e-12)
    signal = (design**2 / start.weight_precision).sum(axis=1).mean()
    assert_allclose(signal, 1.0 / start.noise_precision, rtol=1e-12)


# Where a fit ends.


def many(seed, n_rows=60, n_groups=30, likelihood="gaussian"):
    """Groups of 3 columns and of 1, of which the first two of 3 bear on the target."""
    labels = np.sort(np.append(np.repeat(np.arange(n_groups), 3), n_groups + np.arange(10)))
    if likelihood == "outputs":
        data = problems.outputs(seed, n_rows, len(labels), 6)
        return grouped(problems.problem(*data, Gaussians(3)), labels)
    if likelihood == "bernoulli":
        data = problems.classification(seed, 4 * n_rows, len(labels), 6)
        return grouped(problems.bernoulli(*data), labels)
    return grouped(problems.gaussian(*problems.regression(seed, n_rows, len(labels), 6)), labels)


@pytest.mark.parametrize("min_gain", ["auto", 0.0, 5.0])
@pytest.mark.parametrize("likelihood", ["gaussian", "outputs", "bernoulli"])
def test_a_fit_ends_where_no_move_pays(likelihood, min_gain):
    """Every derivative is small, no group outside is worth its price, every group inside is."""
    problem, tol = many(0, likelihood=likelihood), 1e-4
    fit = fits.fit(Fast(min_gain=min_gain), problem, tol)
    assert fit.outcome.converged
    posterior, prices = fits.anew(fit), prices_of(min_gain, problem)
    assert {0, 1} <= {*problem.labels[fit.active]}
    assert np.abs(derivatives(posterior).gradient).max() < 2.0 * tol
    least = np.maximum(prices.each, 2.0 * tol)
    assert chosen(posterior, least).candidates.shape == (0,)
    assert_one_precision(fit)
    labels = problem.labels[fit.active]
    assert fit.n_precisions == len(np.unique(labels))
    assert_array_equal(fit.active, prices.whole(fit.active))
    now = evidence.log_evidence(posterior)
    for label in np.unique(labels):
        kept = labels != label
        rest = posterior.at(posterior.precisions.of(kept), kept).refreshed()
        price = prices.each[fit.active[~kept][0]]
        assert now - evidence.log_evidence(rest) >= price - 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_groups_of_one_column_are_no_groups(seed):
    """Of many columns and of few."""
    for n_columns in (10, 150):
        design, target = problems.regression(seed, 60, n_columns, 4)
        plain = problems.gaussian(design, target)
        expected = fits.fit(Fast(), plain, 1e-6)
        found = fits.fit(Fast(), grouped(plain, np.arange(n_columns)), 1e-6)
        assert_array_equal(found.active, expected.active)
        both = [design[:, each.active] @ each.mean[:, 0] for each in (found, expected)]
        assert_allclose(both[0], both[1], atol=1e-3 * expected.precisions.noise**-0.5)
        assert_allclose(found.log_evidence, expected.log_evidence, atol=1e-4)


@pytest.mark.parametrize("n_columns", [50, 80, 200])
def test_one_group_ends_at_the_highest_evidence_of_ridge_regression(n_columns):
    """Also of more columns than rows, where an interpolation is an optimum too."""
    for seed in range(3):
        random = np.random.default_rng(seed)
        design = random.normal(size=(40, n_columns))
        target = design @ random.normal(size=n_columns) / np.sqrt(n_columns)
        target += 0.5 * random.normal(size=40)
        problem = grouped(problems.gaussian(design, target), np.zeros(n_columns))
        fit = fits.fit(Fast(), problem)
        values, axes = np.linalg.eigh(design @ design.T)
        power = (axes.T @ target) ** 2
        noise = np.exp(np.linspace(-12.0, 3.0, 151))[:, None, None]
        covariance = noise + np.exp(np.linspace(-12.0, 3.0, 151))[:, None] * np.maximum(values, 0.0)
        each = np.log(2.0 * np.pi * covariance) + power / covariance
        assert fit.log_evidence > -0.5 * each.sum(axis=2).min() - 1e-2


def test_hyperpriors_of_weights_take_no_groups():
    assert Fast().takes_groups
    assert Fast(weight_hyperprior=FLAT).takes_groups
    assert not Fast(weight_hyperprior=Gamma(1.0, 1.0)).takes_groups
