"""A path by orthogonal least squares, against explicit QR, and the part of it that pays."""

from dataclasses import replace

import fits
import numpy as np
import problems
import pytest
import reference
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize, minimize_scalar

from sparsebayes.evidence import log_evidence
from sparsebayes.inference import Fast, Outcome
from sparsebayes.inference.path import (
    LENGTH,
    PathLength,
    find_path,
    path_start,
    seems_complete,
    suitable_precisions,
    target_energy,
    worth_along,
    worthiest,
)
from sparsebayes.inference.prices import prices_of
from sparsebayes.inference.start import nothing_of
from sparsebayes.likelihoods import Bernoulli, Frozen, Gaussians

pytestmark = pytest.mark.slow  # the whole module: the quick lane has a minute

WHOLE = PathLength(of_rows=0.9, of_wide=0.9, patience=10**9)


def path_of(problem, length=WHOLE):
    return find_path(problem, prices_of("auto", problem), length)


def naive_path(design, targets, weight, most):
    """Orthogonal least squares by an explicit basis, targets in units of their own energy."""
    root = np.sqrt(weight)[:, None]
    design, targets = root * design, root * targets
    energy = np.sum(targets**2, axis=0)
    rest = targets / np.sqrt(energy)
    size = np.sum(design**2, axis=0)
    taken = []
    for _ in range(most):
        basis = np.linalg.qr(design[:, taken])[0]
        left = design - basis @ (basis.T @ design)
        length = np.sum(left**2, axis=0)
        free = length > 1e-7 * size
        free[taken] = False
        gain = np.where(free, np.sum((left.T @ rest) ** 2, axis=1), 0.0)
        merit = np.divide(gain, length, out=np.zeros_like(gain), where=free)
        if not merit.max() > 0.0:
            break
        taken.append(int(np.argmax(merit)))
    return np.array(taken), energies(design, targets, taken)


def energies(design, targets, taken):
    """What least squares with each part of the columns leaves of the targets."""
    found = []
    for size in range(len(taken) + 1):
        part = design[:, taken[:size]]
        misfit = targets - part @ np.linalg.lstsq(part, targets, rcond=None)[0]
        found.append(np.sum(misfit**2, axis=0))
    return np.array(found)


def several(seed, n_rows=30, n_columns=50):
    design, targets = problems.outputs(seed, n_rows, n_columns)
    return design, targets * [1.0, 1e-4, 1e3]


# Against explicit QR.

CASES = {
    "one output": lambda seed: problems.gaussian(*problems.regression(seed, 30, 50)),
    "fewer columns than rows": lambda seed: problems.gaussian(*problems.regression(seed, 30, 9)),
    "known noise": lambda seed: problems.gaussian(*problems.regression(seed, 30, 50), 0.3),
    "outputs": lambda seed: problems.problem(*several(seed), Gaussians(3)),
    "labels": lambda seed: problems.problem(
        *problems.classification(seed, 40, 50), Frozen(Bernoulli())
    ),
}
over_cases = pytest.mark.parametrize("case", CASES)


def working(problem):
    """Targets (n, k) and weights of the least squares that a problem is."""
    data = problem.data
    if isinstance(problem.likelihood, Frozen):
        return 4.0 * (data.target - 0.5)[:, None], 0.25 * data.weight
    return data.target.reshape(len(data.target), -1), data.weight


def assert_naive(problem):
    targets, weight = working(problem)
    most = WHOLE.most(len(targets), problem.n_columns)
    columns, left = naive_path(problem.data.inputs, targets, weight, most)
    found = path_of(problem)
    assert len(columns) == most > 3
    assert_array_equal(found.columns, columns)
    assert_allclose(found.left, left, rtol=1e-7, atol=1e-12 * left[0].min())


@over_cases
@pytest.mark.parametrize("kept", [1.0, 150.0, 2000.0])
def test_inner_products_that_are_forgotten_do_not_matter(case, kept):
    """None ahead, those of three columns, and those of one pass."""
    problem = CASES[case](0)
    found, expected = path_of(problem, replace(WHOLE, kept=kept)), path_of(problem)
    assert_array_equal(found.columns, expected.columns)
    assert_allclose(found.left, expected.left, rtol=1e-9, atol=1e-12 * expected.left[0].min())


@over_cases
def test_a_path_is_that_of_explicit_orthogonal_least_squares(case):
    for seed in range(3):
        assert_naive(CASES[case](seed))


@over_cases
def test_rows_count_by_their_weight(case):
    given = CASES[case](0)
    weight = np.random.default_rng(1).uniform(0.2, 3.0, len(given.data.target))
    weighted = given.changed(data=given.data._replace(weight=weight))
    assert not np.array_equal(path_of(weighted).columns, path_of(given).columns)
    assert_naive(weighted)


@over_cases
def test_a_weight_of_two_is_the_row_twice(case):
    given = CASES[case](0)
    times = np.arange(len(given.data.target)) % 3
    data = given.data._replace(weight=1.0 * times)
    again = np.repeat(np.arange(len(times)), times)
    twice = problems.problem(data.inputs[again], data.target[again], given.likelihood)
    few = PathLength(of_rows=0.2, patience=10**9)
    found, expected = path_of(given.changed(data=data), few), path_of(twice, few)
    shared = min(len(found.columns), len(expected.columns))
    assert shared >= 5
    assert_array_equal(found.columns[:shared], expected.columns[:shared])
    assert_allclose(found.left[:shared], expected.left[:shared], rtol=1e-9)


@over_cases
def test_the_first_row_is_all_of_the_energy(case):
    given = CASES[case](0)
    targets, weight = working(given)
    assert_allclose(target_energy(given), weight @ targets**2, rtol=1e-12)
    assert_allclose(path_of(given).left[0], weight @ targets**2, rtol=1e-12)


@pytest.mark.parametrize("at_once", [1, 2, 1000])
def test_it_does_not_matter_how_many_products_are_formed_at_once(at_once):
    given = CASES["one output"](0)
    length = PathLength(of_rows=0.9, of_wide=0.9, patience=10**9, at_once=at_once)
    found, expected = path_of(given, length), path_of(given)
    assert_array_equal(found.columns, expected.columns)
    assert_allclose(found.left, expected.left, rtol=1e-9)


@pytest.mark.parametrize("chunk_rows", [1, 7])
def test_rows_that_come_in_blocks_have_the_same_path(chunk_rows):
    data = problems.regression(0, 30, 50)
    found = path_of(problems.gaussian(*data, chunk_rows=chunk_rows))
    expected = path_of(problems.gaussian(*data))
    assert_array_equal(found.columns, expected.columns)
    assert_allclose(found.left, expected.left, rtol=1e-9)


# Units and order.


@over_cases
def test_units_of_columns_do_not_change_it(case):
    given = CASES[case](0)
    units = np.geomspace(1e-60, 1e60, given.n_columns)
    data = given.data
    scaled = problems.problem(data.inputs * units, data.target, given.likelihood)
    found, expected = path_of(scaled), path_of(given)
    assert_array_equal(found.columns, expected.columns)
    assert_allclose(found.left, expected.left, rtol=1e-7)


@pytest.mark.parametrize("unit", [1e-100, 1e-3, 1e100])
def test_units_of_a_target_do_not_change_it(unit):
    design, target = problems.regression(0, 30, 50)
    found = path_of(problems.gaussian(design, unit * target))
    expected = path_of(problems.gaussian(design, target))
    assert_array_equal(found.columns, expected.columns)
    assert_allclose(found.left / unit**2, expected.left, rtol=1e-7)


def test_each_output_counts_in_its_own_units():
    design, targets = problems.outputs(0, 30, 50)
    expected = path_of(problems.problem(design, targets, Gaussians(3)))
    found = path_of(problems.problem(design, targets * [1.0, 1e-50, 1e50], Gaussians(3)))
    assert_array_equal(found.columns, expected.columns)


@over_cases
def test_the_order_of_columns_and_of_rows_does_not_matter(case):
    given = CASES[case](0)
    random, data = np.random.default_rng(2), given.data
    order, rows = random.permutation(given.n_columns), random.permutation(len(data.target))
    moved = problems.problem(data.inputs[rows][:, order], data.target[rows], given.likelihood)
    found, expected = path_of(moved), path_of(given)
    assert_array_equal(order[found.columns], expected.columns)
    assert_allclose(found.left, expected.left, rtol=1e-7)


# Odd columns.


def test_of_equal_columns_one_is_taken():
    design, target = problems.regression(0, 30, 20)
    twice = np.hstack([design, design, -3.0 * design])
    found = path_of(problems.gaussian(twice, target))
    expected = path_of(problems.gaussian(design, target), PathLength(of_rows=1.0, of_wide=1.0))
    shared = min(len(found.columns), len(expected.columns))
    assert shared >= 10
    assert len(np.unique(found.columns % 20)) == len(found.columns) <= 20
    assert_array_equal(found.columns[:shared] % 20, expected.columns[:shared])


def test_a_column_that_the_others_span_ends_the_path():
    """Rank 3 in 8 columns: no fourth is taken."""
    random = np.random.default_rng(0)
    design = random.normal(size=(30, 3)) @ random.normal(size=(3, 8))
    found = path_of(problems.gaussian(design, random.normal(size=30)))
    assert len(found.columns) == 3


@pytest.mark.parametrize("fill", [0.0, 1e-200])
def test_a_column_of_nothing_is_never_taken(fill):
    design, target = problems.regression(0, 30, 10)
    design[:, [0, 4, 9]] = fill
    found = path_of(problems.gaussian(design, target))
    assert not {0, 4, 9} & {*found.columns}
    assert len(found.columns) == 7


def test_columns_of_nothing_alone_make_no_path():
    found = path_of(problems.gaussian(np.zeros((10, 4)), np.arange(10.0)))
    assert found.columns.shape == (0,)
    assert_allclose(found.left, [[285.0]])


def test_a_target_of_zeros_has_no_path():
    found = path_of(problems.gaussian(np.random.default_rng(0).normal(size=(10, 30)), np.zeros(10)))
    assert found.columns.shape == (0,)
    assert_array_equal(found.left, [[0.0]])


def test_an_output_of_zeros_counts_for_nothing():
    design, target = problems.regression(0, 30, 50)
    both = problems.problem(design, np.column_stack([target, np.zeros(30)]), Gaussians(2))
    alone = problems.gaussian(design, target)
    found, expected = path_of(both), path_of(alone)
    assert_array_equal(found.columns, expected.columns)
    assert_array_equal(found.left[:, 1], np.zeros(len(found.left)))
    assert_allclose(worth_along(found, both), worth_along(expected, alone), rtol=1e-7, atol=1e-9)


def test_a_target_without_noise_is_explained_and_no_column_more_pays():
    design, target = problems.regression(0, 40, 100, noise=0.0)
    given = problems.gaussian(design, target)
    found = path_of(given)
    assert {*found.columns[:3]} == {0, 1, 2}
    assert found.left[3:].max() < 1e-12 * found.left[0]
    assert worthiest(found, given, prices_of("auto", given)) == 3


@pytest.mark.parametrize(
    ("n_rows", "n_columns"), [(2, 1), (1, 1), (2, 2), (2, 1000), (3, 5), (1, 4), (50, 1)]
)
def test_small_problems_have_short_paths(n_rows, n_columns):
    random = np.random.default_rng(0)
    design, target = random.normal(size=(n_rows, n_columns)), random.normal(size=n_rows)
    given = problems.gaussian(design, target)
    found = path_of(given, LENGTH)
    assert len(found.columns) == max(1, min(LENGTH.most(n_rows, n_columns), n_columns)) >= 1
    assert len(found.left) == len(found.columns) + 1
    assert np.all(np.diff(found.left[:, 0]) < 0.0)
    assert np.isfinite(worth_along(found, given)).all()


# How long it is.


@pytest.mark.parametrize(
    ("n_rows", "n_columns", "most"),
    [
        (100, 30, 30),
        (100, 100, 40),
        (100, 200, 40),
        (100, 10_000, int(75.0 / np.log(100.0))),
        (2, 1000, 1),
        (1, 1, 1),
        (10**5, 10**5, 2),
        (10**3, 10**6, 20),
    ],
)
def test_the_most_columns_of_a_path(n_rows, n_columns, most):
    assert LENGTH.most(n_rows, n_columns) == most


# What it is worth.


def ratio(design, target, variance, noise):
    """The log density with one prior variance in units of what the data say, over that without."""
    projection = design @ np.linalg.pinv(design)
    covariance = noise * (np.eye(len(target)) + variance * projection)
    _, volume = np.linalg.slogdet(covariance)
    energy = target @ np.linalg.solve(covariance, target)
    return -0.5 * (len(target) * np.log(2.0 * np.pi) + volume + energy)


def best_of_two(design, target):
    """Maximised over the prior variance and the noise."""
    scale = np.mean(target**2)
    starts = [
        (np.log(variance), np.log(part * scale)) for variance in (1, 100) for part in (1, 0.1)
    ]
    found = [
        minimize(lambda x: -ratio(design, target, *np.exp(x)), start, method="Nelder-Mead").fun
        for start in starts
    ]
    alone = ratio(design, target, 0.0, scale)
    return max(-min(found), alone) - alone


def best_of_one(design, target, noise):
    """Maximised over the prior variance."""
    found = minimize_scalar(
        lambda x: -ratio(design, target, np.exp(x), noise), bounds=(-10, 15), method="bounded"
    )
    alone = ratio(design, target, 0.0, noise)
    return max(-found.fun, alone) - alone


@pytest.mark.parametrize("noise", [0.1, 1.0, 5.0])
def test_the_worth_is_the_best_evidence_of_one_prior_variance(noise):
    design, target = problems.regression(1, 16, 20, noise=noise)
    given = problems.gaussian(design, target)
    path = path_of(given, PathLength(of_rows=0.4, patience=10**9))
    expected = [best_of_two(design[:, path.columns[:m]], target) for m in range(1, 6)]
    found = worth_along(path, given)
    assert found[0] == 0.0
    assert_allclose(found[1:6], expected, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("noise", [0.1, 1.0, 5.0])
def test_the_same_with_a_noise_that_is_known(noise):
    design, target = problems.regression(1, 16, 20, noise=noise)
    given = problems.gaussian(design, target, noise)
    path = path_of(given, PathLength(of_rows=0.4, patience=10**9))
    expected = [best_of_one(design[:, path.columns[:m]], target, noise**2) for m in range(1, 6)]
    assert_allclose(worth_along(path, given)[1:6], expected, rtol=1e-4, atol=1e-3)


def test_the_worth_of_labels_is_that_of_least_squares_on_them():
    """The quadratic at zero has targets of 4 (t - 1/2) with a noise of variance 4."""
    given = CASES["labels"](0)
    path = path_of(given)
    design, (targets, _) = given.data.inputs, working(given)
    expected = [best_of_one(design[:, path.columns[:m]], targets[:, 0], 4.0) for m in range(1, 6)]
    assert_allclose(worth_along(path, given)[1:6], expected, rtol=1e-4, atol=1e-3)


def test_outputs_are_worth_the_sum_of_what_they_are_worth():
    design, targets = several(0)
    given = problems.problem(design, targets, Gaussians(3))
    path = path_of(given)
    alone = [
        worth_along(path._replace(left=path.left[:, [k]]), problems.gaussian(design, targets[:, k]))
        for k in range(3)
    ]
    assert_allclose(worth_along(path, given), np.sum(alone, axis=0), rtol=1e-9)


def test_the_worth_counts_rows_by_weight():
    given = CASES["one output"](0)
    path = path_of(given, LENGTH)
    twice = given.changed(data=given.data._replace(weight=np.full(30, 2.0)))
    repeated = problems.gaussian(np.tile(given.data.inputs, (2, 1)), np.tile(given.data.target, 2))
    again = path._replace(left=2.0 * path.left)
    assert_allclose(worth_along(again, twice), worth_along(again, repeated), rtol=1e-12)


def test_the_part_that_pays_is_where_worth_less_price_is_highest():
    given = problems.gaussian(*problems.regression(0, 60, 100, n_relevant=4))
    path = path_of(given)
    assert worthiest(path, given, prices_of("auto", given)) == 4
    assert {*path.columns[:4]} == {0, 1, 2, 3}
    assert worthiest(path, given, prices_of(1e6, given)) == 0
    worth = worth_along(path, given)
    for min_gain in (0.0, 1.0, 15.0):
        size = worthiest(path, given, prices_of(min_gain, given))
        assert size == np.argmax(worth - min_gain * np.arange(len(worth)))
    assert size == 4
    assert worthiest(path, given, prices_of(50.0, given)) == 0


# An early end.


def early_cases():
    for seed in range(12):
        n_relevant, noise = (1, 3, 8, 12)[seed % 4], (0.01, 0.3, 1.0)[seed % 3]
        yield problems.gaussian(*problems.regression(seed, 100, 150, n_relevant, noise))


def test_an_early_end_does_not_change_the_part_that_pays():
    shorter = 0
    for given in early_cases():
        prices = prices_of("auto", given)
        early = find_path(given, prices)
        whole = find_path(given, prices, PathLength(patience=10**9))
        shorter += len(early.columns) < len(whole.columns)
        assert_array_equal(early.columns, whole.columns[: len(early.columns)])
        assert worthiest(early, given, prices) == worthiest(whole, given, prices)
    assert shorter >= 6


def test_a_path_does_not_end_while_it_leaves_much_or_columns_pay():
    given = problems.gaussian(*problems.regression(0, 100, 150, 3, 0.1))
    prices = prices_of("auto", given)
    path = path_of(given)

    def part(size):
        return path._replace(columns=path.columns[:size], left=path.left[: size + 1])

    assert not seems_complete(part(3), given, prices)
    assert not seems_complete(part(18), given, prices)
    assert seems_complete(part(19), given, prices)
    assert not seems_complete(part(19), given, prices, PathLength(little=1e-9))
    assert not seems_complete(part(19), given, prices, PathLength(patience=20))
    noise = problems.gaussian(given.data.inputs, np.random.default_rng(5).normal(size=100))
    assert not seems_complete(path_of(noise), noise, prices)


def test_a_length_of_the_users_own_says_when_a_path_ends():
    given = problems.gaussian(*problems.regression(0, 100, 150, 3, 0.1))
    prices = prices_of("auto", given)
    assert len(find_path(given, prices, PathLength(patience=4)).columns) == 8
    assert len(find_path(given, prices, PathLength(patience=4, little=1e-9)).columns) == 40


# Where a search starts.


def test_a_start_has_the_columns_that_pay_at_precisions_that_suit():
    """Near the end that a search from there finds."""
    for seed in range(5):
        design, target = problems.regression(seed, 60, 100, n_relevant=4)
        given = problems.gaussian(design, target)
        start = path_start(given, prices_of("auto", given))
        assert_array_equal(start.active, np.arange(4))
        end = fits.fit(Fast(), given)
        assert_array_equal(np.sort(end.active), start.active)
        assert end.log_evidence - 0.1 < log_evidence(start) <= end.log_evidence + 1e-6
        noise = start.noise_precision**-0.5
        assert_allclose(noise, end.noise_std[0], rtol=0.02)
        naive = reference.log_evidence(
            design[:, start.active], target, start.weight_precision, start.noise_precision
        )
        assert_allclose(log_evidence(start), naive, rtol=1e-9)


@pytest.mark.parametrize("likelihood", ["outputs", "labels"])
def test_a_start_is_better_than_no_column(likelihood):
    for seed in range(3):
        if likelihood == "outputs":
            given = problems.problem(*several(seed), Gaussians(3))
        else:
            given = problems.bernoulli(*problems.classification(seed, 120, 60))
        start = path_start(given, prices_of("auto", given))
        assert {0, 1} & {*start.active}
        price = prices_of("auto", given).of(start.active)
        assert log_evidence(start) - price > log_evidence(nothing_of(given))


def test_where_no_column_pays_a_start_has_none():
    random = np.random.default_rng(0)
    given = problems.gaussian(random.normal(size=(40, 60)), random.normal(size=40))
    start = path_start(given, prices_of("auto", given))
    assert len(start.active) == 0
    assert_allclose(start.noise_precision, 1.0 / np.mean(given.data.target**2))


def test_suitable_precisions_are_those_of_least_squares():
    """1 / alpha = w^2 + variance of w, and the noise of the residuals."""
    design, target = problems.regression(0, 30, 50)
    active = np.arange(3)
    weights, (left,), _, _ = np.linalg.lstsq(design[:, active], target, rcond=None)
    found = suitable_precisions(problems.gaussian(design, target), active, np.array([left]))
    assert_allclose(found.noise, 27.0 / left, rtol=1e-12)
    variance = np.diag(np.linalg.inv(design[:, active].T @ design[:, active])) / found.noise
    assert_allclose(found.weight, 1.0 / (weights**2 + variance), rtol=1e-4)


def test_where_nothing_is_left_the_noise_has_its_floor():
    design, target = problems.regression(0, 30, 50, noise=0.0)
    given = problems.gaussian(design, target)
    found = suitable_precisions(given, np.arange(3), np.zeros(1))
    assert found.noise == given.noise_precision_ceiling
    assert np.isfinite(found.weight).all()
    end = fits.fit(Fast(), given)
    assert end.outcome is Outcome.NOISE_VANISHED
    assert_array_equal(np.sort(end.active), np.arange(3))
