"""Weights, repeated rows and samples with replacement do not tell that there is no noise."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.datasets import make_friedman1
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
)
from sklearn.metrics import roc_auc_score

from sparsebayes import RVC, RVR, Outcome

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:sample_weight was multiplied"),
]
N = 200
ALL = make_friedman1(N + 600, n_features=6, noise=2.0, random_state=0)
X, Y, NEW, TRUE = ALL[0][:N], ALL[1][:N], ALL[0][N:], ALL[1][N:]
LABELS = np.median(Y) < Y


def table(n_rows, seed=0):
    """Inputs and targets of few levels, in which equal rows are observations."""
    random = np.random.default_rng(seed)
    inputs = random.integers(0, 4, (n_rows, 2)).astype(float)
    signal = 1.5 * np.sin(inputs[:, 0]) + inputs[:, 1]
    return inputs, np.round(signal + 0.8 * random.normal(size=n_rows))


LEVELS = [each[:400] for each in table(1000)]
NEW_LEVELS = [each[400:] for each in table(1000)]


def held(model, inputs, y):
    """R^2, and the part of 90 % intervals that hold."""
    mean, std = model.predict(inputs, return_std=True)
    return model.score(inputs, y), np.mean(np.abs(y - mean) < 1.645 * std)


def error(model):
    """Root mean square of the errors at new rows."""
    return np.sqrt(np.mean((model.predict(NEW) - TRUE) ** 2))


def assert_as_good(model, plain, inputs, y):
    """R^2 within .02, coverage within 3 points."""
    found, expected = held(model, inputs, y), held(plain, inputs, y)
    assert abs(found[0] - expected[0]) < 0.02
    assert abs(found[1] - expected[1]) < 0.03


@pytest.fixture(scope="module")
def plain():
    return RVR().fit(X, Y)


@pytest.fixture(scope="module")
def plain_levels():
    return RVR().fit(*LEVELS)


CONSTANTS = [0.01, 1.1, 3, 100, 1.0 / N]
constants = pytest.mark.parametrize("weight", CONSTANTS)


@constants
def test_one_weight_for_all_rows_changes_nothing(weight, plain):
    model = RVR().fit(X, Y, sample_weight=np.full(N, weight))
    assert_as_good(model, plain, NEW, TRUE)
    assert_allclose(model.predict(NEW), plain.predict(NEW), rtol=1e-6)
    assert model.outcome_ is Outcome.CONVERGED


@constants
def test_one_weight_for_all_rows_of_few_levels_changes_nothing(weight, plain_levels):
    model = RVR().fit(*LEVELS, sample_weight=np.full(400, weight))
    assert_allclose(
        model.predict(NEW_LEVELS[0]), plain_levels.predict(NEW_LEVELS[0]), rtol=1e-6, atol=1e-6
    )
    assert_allclose(model.noise_std_, plain_levels.noise_std_, rtol=1e-6)


@pytest.mark.parametrize("times", [2, 5])
def test_all_rows_repeated_change_nothing(times, plain):
    model = RVR().fit(np.tile(X, (times, 1)), np.tile(Y, times))
    assert_allclose(model.predict(NEW), plain.predict(NEW), rtol=1e-6)


def test_half_of_the_rows_doubled(plain):
    model = RVR().fit(np.vstack([X, X[: N // 2]]), np.append(Y, Y[: N // 2]))
    assert_as_good(model, plain, NEW, TRUE)


def test_half_of_the_rows_doubled_as_a_sparse_matrix(plain):
    rows = np.append(np.arange(N), np.arange(N // 2))
    model = RVR().fit(csr_array(X[rows]), Y[rows])
    assert_as_good(model, plain, NEW, TRUE)


@pytest.mark.parametrize("seed", range(3))
def test_a_sample_with_replacement_is_worth_its_different_rows(seed):
    rows = np.random.default_rng(seed).integers(0, N, N)
    different = np.unique(rows)
    model, once = RVR().fit(X[rows], Y[rows]), RVR().fit(X[different], Y[different])
    assert_as_good(model, once, NEW, TRUE)
    assert_allclose(model.noise_std_, once.noise_std_, rtol=0.1)


def test_weights_between_a_half_and_two(plain):
    weight = np.random.default_rng(0).uniform(0.5, 2.0, N)
    assert_as_good(RVR().fit(X, Y, sample_weight=weight), plain, NEW, TRUE)


@pytest.mark.parametrize("kind", ["exponential", "decay", "one over the replicates"])
def test_uneven_weights_leave_the_noise_as_it_is(kind, plain):
    weight = {
        "exponential": np.random.default_rng(1).exponential(size=N),
        "decay": np.exp(-np.arange(N) / 70.0),
        "one over the replicates": 1.0 / np.repeat([1, 2, 4, 5], N // 4),
    }[kind]
    model = RVR().fit(X, Y, sample_weight=weight)
    assert_allclose(model.noise_std_, plain.noise_std_, rtol=0.1)
    # Fewer rows count, so that scales are less sure and intervals wider: but not too wide.
    missed, of_plain = (abs(held(each, NEW, TRUE)[1] - 0.9) for each in (model, plain))
    assert missed < of_plain + 0.03


def test_a_row_of_little_weight_hardly_counts():
    outlier = Y.copy()
    outlier[:5] += 50.0
    weight = np.where(np.arange(N) < 5, 1e-4, 1.0)
    without = RVR().fit(X[5:], Y[5:])
    model = RVR().fit(X, outlier, sample_weight=weight)
    assert_as_good(model, without, NEW, TRUE)
    assert_allclose(model.noise_std_, without.noise_std_, rtol=0.05)


def test_heavy_rows_pull_the_model():
    """Two halves of the rows disagree: the model follows the one that counts more."""
    inputs = np.tile(np.linspace(-1.0, 1.0, 40), 2)[:, None]
    sign = np.repeat([1.0, -1.0], 40)
    y = sign * np.exp(-5.0 * inputs[:, 0] ** 2) + 0.1 * np.random.default_rng(0).normal(size=80)
    heavy = RVR().fit(inputs, y, sample_weight=np.repeat([9.0, 1.0], 40))
    assert_allclose(heavy.predict([[0.0]]), 0.8, atol=0.15)


def test_repeats_of_few_levels_are_observations(plain_levels):
    """Counted as one each, the cells would lose how often each target was seen."""
    inputs, y = LEVELS
    cells = {tuple(row): y[(inputs == row).all(axis=1)] for row in inputs}
    within = np.sqrt(sum(((each - each.mean()) ** 2).sum() for each in cells.values()) / 384)
    assert_allclose(plain_levels.noise_std_, within, rtol=0.1)


def test_copies_of_few_levels_are_no_observations():
    """Ratings of different inputs, each row five times: inputs repeat only with their targets."""
    ratings = np.round(Y / 5.0)
    once = RVR().fit(X, ratings)
    model = RVR().fit(np.tile(X, (5, 1)), np.tile(ratings, 5))
    assert_allclose(model.predict(NEW), once.predict(NEW), rtol=1e-6)
    rows = np.random.default_rng(0).integers(0, N, N)
    assert RVR().fit(X[rows], ratings[rows]).noise_std_ > 0.7 * once.noise_std_


def integer_weights(kind):
    """Weights of N rows that are integers, and tell nothing of how many rows there are."""
    random = np.random.default_rng(3)
    return {
        "1 to 3": random.integers(1, 4, N),
        "of a survey": random.integers(500, 3000, N),
        "with replacement": np.bincount(random.integers(0, N, N), minlength=N),
    }[kind]


def log_loss(model, labels):
    """Mean at new rows."""
    return -np.mean(model.predict_log_proba(NEW)[np.arange(len(NEW)), labels])


@pytest.mark.parametrize("kind", ["1 to 3", "of a survey", "with replacement"])
@pytest.mark.parametrize("levels", [2, pytest.param(3, marks=pytest.mark.long)])
def test_integer_weights_do_not_make_classes_surer(kind, levels):
    """Repeats of measured inputs are copies: the loss is that of the rows, each once.

    With three classes each fit has the same kernel: weights that are not equal leave fewer rows to
    tell effects from, which is a matter of the choice of kernels.
    """
    kernel = "auto" if levels == 2 else "rbf"
    edges = np.quantile(Y, np.arange(1, levels) / levels)
    labels, new = np.searchsorted(edges, Y), np.searchsorted(edges, TRUE)
    weight = integer_weights(kind)
    used = weight > 0
    once = log_loss(RVC(kernel=kernel).fit(X[used], labels[used]), new)
    assert log_loss(RVC(kernel=kernel).fit(X, labels, sample_weight=weight), new) < once + 0.02
    rows = np.repeat(np.arange(N), np.minimum(weight, 3))
    assert log_loss(RVC(kernel=kernel).fit(X[rows], labels[rows]), new) < once + 0.02


@pytest.mark.parametrize("likelihood", ["poisson", "negative_binomial"])
def test_integer_weights_do_not_make_counts_surer(likelihood):
    random = np.random.default_rng(0)
    counts, new = (random.poisson(np.exp(y / y.mean())) for y in (Y, TRUE))
    model = RVR(likelihood=likelihood)
    once = model.fit(X, counts)
    plain = once.log_density(NEW, new).mean()
    expected = once.predict(NEW)
    model.fit(X, counts, sample_weight=np.full(N, 7))
    assert_allclose(model.predict(NEW), expected, rtol=1e-5)
    model.fit(X, counts, sample_weight=integer_weights("of a survey"))
    assert model.log_density(NEW, new).mean() > plain - 0.02


def test_weights_of_rates_are_exposures():
    random = np.random.default_rng(0)
    hours = random.uniform(0.5, 3.0, N)
    counts = random.poisson(hours * np.exp(Y / Y.mean()))
    of_counts = RVR(gamma=0.3, likelihood="poisson").fit(X, counts, exposure=hours)
    of_rates = RVR(gamma=0.3, likelihood="poisson").fit(X, counts / hours, sample_weight=hours)
    unweighted = RVR(gamma=0.3, likelihood="poisson").fit(X, counts / hours)
    gaps = [
        np.abs(np.log(model.predict(NEW) / of_counts.predict(NEW))).max()
        for model in (of_rates, unweighted)
    ]
    assert gaps[0] < 0.2 * gaps[1]


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_repeats_of_classes_of_few_levels_are_observations(noise):
    """With one label in each cell, too, where as many rows repeat by chance."""
    random = np.random.default_rng(0)
    inputs = random.integers(0, 4, (300, 3)).astype(float)
    labels = (inputs[:, 0] > 1) ^ (random.random(300) < noise)
    cells, counts = np.unique(np.column_stack([inputs, labels]), axis=0, return_counts=True)
    each = RVC().fit(inputs, labels)
    cell = RVC().fit(cells[:, :3], cells[:, 3], sample_weight=counts)
    assert_allclose(each.predict_proba(inputs), cell.predict_proba(inputs), rtol=1e-9)
    high = inputs[:, 0] > 1
    share = np.where(high, labels[high].mean(), labels[~high].mean())
    gap = np.abs(each.predict_proba(inputs)[:, 1] - share).mean()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a hundred noisy rows may have nothing relevant
        once = RVC().fit(cells[:, :3], cells[:, 3]).predict_proba(inputs)[:, 1]
    assert gap < 0.5 * np.abs(once - share).mean()


@pytest.mark.parametrize("likelihood", ["student_t", "heteroscedastic"])
def test_other_densities(likelihood):
    model = RVR(gamma=0.3, likelihood=likelihood)
    expected = model.fit(X, Y).predict(NEW)
    model.fit(np.vstack([X, X]), np.append(Y, Y))
    assert_allclose(model.predict(NEW), expected, rtol=1e-5)


@pytest.mark.long
def test_integer_weights_of_many_rows_of_classes():
    inputs, y = make_friedman1(12_000, n_features=5, noise=2.0, random_state=1)
    labels, new = np.median(y) < y, np.median(y) < TRUE
    plain = RVC(centres=200).fit(inputs, labels)
    weight = np.random.default_rng(0).integers(500, 3000, 12_000)
    model = RVC(centres=200).fit(inputs, labels, sample_weight=weight)
    losses = [
        -np.mean(each.predict_log_proba(NEW[:, :5])[np.arange(len(NEW)), new.astype(int)])
        for each in (plain, model)
    ]
    assert losses[1] < losses[0] + 0.02


@pytest.mark.long
@pytest.mark.parametrize("weight", [0.01, 3])
def test_many_rows(weight):
    inputs, y = make_friedman1(12_000, n_features=5, noise=2.0, random_state=1)
    plain = RVR(centres=200).fit(inputs, y)
    model = RVR(centres=200).fit(inputs, y, sample_weight=np.full(12_000, weight))
    assert_allclose(model.noise_std_, plain.noise_std_, rtol=0.02)
    assert_as_good(model, plain, NEW[:, :5], TRUE)


def test_more_rows_in_turn():
    weight = np.full(N, 0.01)
    model, plain = RVR(), RVR()
    for part in (slice(0, 120), slice(120, N)):
        model.partial_fit(X[part], Y[part], sample_weight=weight[part])
        plain.partial_fit(X[part], Y[part])
    assert_allclose(model.predict(NEW), plain.predict(NEW), rtol=1e-6)


@pytest.mark.long
def test_a_bag_is_as_good_as_one_of_as_many_different_rows():
    """A sample with replacement has 63 % of the rows; what the bag loses is the other rows."""
    some = {"max_samples": 0.632, "bootstrap": False}
    errors = np.array(
        [
            [
                error(model.set_params(random_state=seed).fit(X, Y))
                for model in (
                    BaggingRegressor(RVR(), 10, **some),
                    BaggingRegressor(RVR(), 10),
                    AdaBoostRegressor(RVR(), n_estimators=10),
                )
            ]
            for seed in range(4)
        ]
    )
    different, bag, boosted = errors.mean(axis=0)
    assert bag < 1.03 * different
    assert boosted < 1.05 * different


def test_weights_of_a_rare_class_do_not_ruin_the_ranking():
    """A few rows that counted as many were learned by heart: AUC .71 at a given gamma."""
    random = np.random.default_rng(0)
    labels = (np.arange(3000) % 30 == 0).astype(int)
    inputs = random.normal(size=(3000, 2)) + labels[:, None] * [1.5, 0.9]
    train, new = slice(0, 600), slice(600, None)
    areas = [
        roc_auc_score(
            labels[new],
            RVC(gamma=0.1, class_weight=weight)
            .fit(inputs[train], labels[train])
            .predict_proba(inputs[new])[:, 1],
        )
        for weight in (None, "balanced")
    ]
    assert areas[1] > areas[0] - 0.02


@pytest.mark.long
def test_a_bag_of_classes_is_as_good_as_one_model():
    random = np.random.default_rng(0)
    inputs = random.normal(size=(1200, 4))
    odds = 2.0 * np.sin(inputs[:, 0]) + inputs[:, 1]
    labels = (random.random(1200) < 1.0 / (1.0 + np.exp(-odds))).astype(int)
    losses = [
        -model.fit(inputs[:N], labels[:N]).predict_log_proba(inputs[N:])[
            np.arange(1000), labels[N:]
        ]
        for model in (RVC(), BaggingClassifier(RVC(), 10, random_state=0))
    ]
    assert losses[1].mean() < 1.03 * losses[0].mean()


def test_boosting_of_classes_begins_with_the_plain_model():
    """Its first weights sum to one."""
    boosted = AdaBoostClassifier(RVC(), n_estimators=3).fit(X, LABELS)
    first = boosted.estimators_[0].predict_proba(NEW)
    assert_allclose(first, RVC().fit(X, LABELS).predict_proba(NEW), atol=1e-6)
    truth = np.median(Y) < TRUE
    assert boosted.score(NEW, truth) > RVC().fit(X, LABELS).score(NEW, truth) - 0.03


def test_no_vanished_noise_is_blamed_on_the_targets():
    with warnings.catch_warnings():
        warnings.simplefilter("error", category=Warning)
        warnings.filterwarnings("ignore", message="sample_weight was multiplied")
        rows = np.random.default_rng(5).integers(0, N, N)
        RVR().fit(X[rows], Y[rows])


def test_precisions_as_weights_stand_for_known_noise():
    """What the message for collections of Dask advises, where `fit` takes no noise of rows."""
    sigma = np.random.default_rng(2).uniform(1.0, 3.0, N)
    precision = sigma**-2.0
    scale = (precision.sum() / (precision @ precision)) ** 0.5
    known = RVR(gamma=0.3).fit(X, Y, noise_std=sigma)
    weighted = RVR(gamma=0.3, noise_std=scale).fit(X, Y, sample_weight=precision)
    assert_allclose(weighted.predict(NEW), known.predict(NEW), rtol=0.02)
