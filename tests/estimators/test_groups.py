"""Groups of columns through the estimators: kept or left out together."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import BayesianRidge
from sklearn.model_selection import GridSearchCV

from sparsebayes import (
    Bias,
    EvidenceSearch,
    Fast,
    Gamma,
    GivenColumns,
    Linear,
    Outcome,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

NOISE = 0.1
N_ROWS, N_GROUPS, SIZE = 60, 40, 5
GROUPS = np.arange(N_GROUPS * SIZE) // SIZE
ACTIVE = GROUPS < 3
SEEDS = pytest.mark.parametrize("seed", range(3))


def table(seed, n_rows=N_ROWS, n_outputs=None, noise=NOISE):
    """200 columns in groups of 5, of which three groups make the target."""
    random = np.random.default_rng(seed)
    columns = random.normal(size=(n_rows, len(GROUPS)))
    shape = (15,) if n_outputs is None else (15, n_outputs)
    latent = columns[:, :15] @ random.normal(size=shape)
    return columns, latent + noise * random.normal(size=latent.shape)


def fitted(columns, target, groups=GROUPS, **options):
    return SparseBayesRegressor(Linear(groups=groups), fit_intercept=False, **options).fit(
        columns, target
    )


def assert_found(model):
    assert model.outcome_ is Outcome.CONVERGED
    assert_array_equal(model.selected_, ACTIVE)
    assert_allclose(model.noise_std_, NOISE, rtol=0.25)


# What is found.


@SEEDS
def test_the_groups_that_matter_are_found_and_no_others(seed):
    columns, target = table(seed)
    model = fitted(columns, target)
    assert_found(model)
    assert_array_equal(model.coef_ != 0.0, ACTIVE)
    assert_array_equal(model.coef_std_ > 0.0, ACTIVE)
    truth = np.random.default_rng(seed)
    truth.normal(size=columns.shape)
    error = (model.coef_[:15] - truth.normal(size=15)) / model.coef_std_[:15]
    assert np.sqrt(np.mean(error**2)) < 2.0
    assert_allclose(model.predict(columns), columns @ model.coef_, rtol=1e-9, atol=1e-12)
    assert model.column_names_ == [f"x{k}" for k in range(15)]


@SEEDS
def test_a_group_has_one_precision(seed):
    model = fitted(*table(seed))
    precisions = model.weight_precision_.reshape(3, SIZE)
    assert_array_equal(precisions, precisions[:, [0]] * np.ones(SIZE))
    assert len(np.unique(precisions)) == 3
    assert model._model.n_precisions == 3


@SEEDS
def test_several_outputs_share_groups(seed):
    columns, targets = table(seed, n_outputs=3)
    units = np.array([1.0, 1e-3, 1e4])
    model = fitted(columns, units * targets)
    assert_array_equal(model.selected_, ACTIVE)
    assert_allclose(model.noise_std_, units * NOISE, rtol=0.3)
    assert model.coef_.shape == model.coef_std_.shape == (3, 200)
    assert_allclose(model.predict(columns), columns @ model.coef_.T, rtol=1e-9, atol=1e-12)


def test_separate_outputs_have_groups_of_their_own():
    columns, first = table(0)
    second = columns[:, 20:25].sum(axis=1) + NOISE * np.random.default_rng(9).normal(size=60)
    model = fitted(columns, np.column_stack([first, second]), multi_output="separate")
    assert_array_equal((model.coef_ != 0.0), [ACTIVE, GROUPS == 4])


def labels_of(seed, n_rows=300, n_classes=2):
    """Classes that depend on the first two of twelve groups of 3 columns."""
    random = np.random.default_rng(seed)
    columns = random.normal(size=(n_rows, 36))
    latent = columns[:, :6] @ random.normal(0.0, 2.0, (6, n_classes))
    return columns, np.argmax(latent + random.gumbel(size=latent.shape), axis=1)


THREES = np.arange(36) // 3


@SEEDS
@pytest.mark.parametrize("basis", [Linear(THREES), Linear(THREES) + Bias()], ids=["alone", "bias"])
def test_two_classes(seed, basis):
    columns, labels = labels_of(seed)
    inference = Fast(min_gain=3.0)
    model = SparseBayesClassifier(basis, inference=inference).fit(columns, labels)
    assert_array_equal(model.selected_, THREES < 2)
    assert model.coef_.shape == (1, 36)
    latent = columns @ model.coef_[0] + model.intercept_
    assert_array_equal(model.decision_function(columns) > 0.0, latent > 0.0)
    assert np.mean(model.predict(columns) == labels) > 0.8


@SEEDS
def test_three_classes_one_against_the_rest(seed):
    columns, labels = labels_of(seed, n_classes=3)
    model = SparseBayesClassifier(
        Linear(THREES) + Bias(), multi_class="ovr", inference=Fast(min_gain=3.0)
    ).fit(columns, labels)
    assert_array_equal(model.selected_, THREES < 2)
    assert model.coef_.shape == (3, 36)
    assert model.score(columns, labels) > 0.7


def test_three_classes_by_default_share_groups():
    columns, labels = labels_of(0, n_classes=3)
    model = SparseBayesClassifier(Linear(THREES), inference=Fast(min_gain=3.0))
    model.set_params(multi_class="shared_softmax").fit(columns, labels)
    assert_array_equal(model.selected_, THREES < 2)


@SEEDS
def test_an_offset_does_not_matter_with_a_bias(seed):
    columns, target = table(seed)
    model = SparseBayesRegressor(Linear(GROUPS) + Bias()).fit(columns, target + 1e4)
    assert_found(model)
    assert_allclose(model.predict(columns), target + 1e4, atol=6.0 * NOISE)
    bias = "bias" in model.column_names_
    assert model._model.n_precisions == 3 + bias
    assert_allclose(model.intercept_, 1e4, atol=0.2)


def test_groups_beside_a_constant_that_matters():
    columns, target = table(0)
    model = SparseBayesRegressor(Linear(GROUPS) + Bias(centre_target=False))
    model.fit(columns, target + 3.0)
    assert_found(model)
    assert model.column_names_[-1] == "bias"
    assert model._model.n_precisions == 4
    assert_allclose(model.intercept_, 3.0, atol=0.2)


# What does not matter.


def assert_same(found, expected, part=1e-3):
    assert_allclose(found, expected, atol=part * NOISE)


def test_the_order_of_columns_does_not_matter():
    columns, target = table(1)
    order = np.random.default_rng(0).permutation(len(GROUPS))
    moved, expected = fitted(columns[:, order], target, GROUPS[order]), fitted(columns, target)
    assert_array_equal(moved.selected_, ACTIVE[order])
    assert_same(moved.predict(columns[:, order]), expected.predict(columns))
    assert_same(moved.coef_, expected.coef_[order])


LABELLED = {
    "numbers": GROUPS[::-1] - 7,
    "fractions": -0.5 * GROUPS,
    "words": np.array([f"group {k}" for k in GROUPS]),
    "a list of words": [f"group {k}" for k in GROUPS],
    "a list": GROUPS.tolist(),
    "a tuple": tuple(GROUPS),
    "objects": np.array([f"group {k}" for k in GROUPS], dtype=object),
    "small integers": GROUPS.astype(np.int8),
}


@pytest.mark.parametrize("groups", LABELLED.values(), ids=LABELLED)
def test_labels_are_of_any_type(groups):
    columns, target = table(1)
    model, expected = fitted(columns, target, groups), fitted(columns, target)
    assert_array_equal(model.selected_, expected.selected_)
    assert_same(model.predict(columns), expected.predict(columns))


def test_labels_of_a_series():
    pandas = pytest.importorskip("pandas")
    columns, target = table(1)
    words = pandas.Series([f"group {k}" for k in GROUPS])
    for groups in (words, words.astype("category"), pandas.Series(GROUPS)):
        assert_found(fitted(columns, target, groups))


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_a_unit_of_all_columns_of_a_group_does_not_matter(unit):
    columns, target = table(1)
    units = np.where(np.isin(GROUPS, [0, 2, 7]), unit, 1.0)
    model, expected = fitted(units * columns, target), fitted(columns, target)
    assert_array_equal(model.selected_, expected.selected_)
    assert_same(model.predict(units * columns), expected.predict(columns))


def test_groups_of_one_column_are_no_groups():
    random = np.random.default_rng(3)
    columns = random.normal(size=(60, 150))
    target = columns[:, :4] @ [1.0, -2.0, 1.5, 1.0] + NOISE * random.normal(size=60)
    found = fitted(columns, target, np.arange(150)[::-1])
    expected = SparseBayesRegressor(Linear(), fit_intercept=False).fit(columns, target)
    assert_array_equal(found.selected_, expected.selected_)
    assert_same(found.predict(columns), expected.predict(columns))


def test_given_columns_in_groups_are_those_of_inputs():
    columns, target = table(1)
    given = SparseBayesRegressor(GivenColumns(np.asarray, groups=GROUPS)).fit(columns, target)
    some = GivenColumns(lambda inputs, chosen: inputs[:, chosen], len(GROUPS), GROUPS)
    expected = fitted(columns, target).predict(columns)
    assert_same(given.predict(columns), expected)
    assert_same(SparseBayesRegressor(some).fit(columns, target).predict(columns), expected)


# Groups of any size.


@pytest.mark.parametrize("n_columns", [20, 50, 90])
def test_one_group_of_all_columns_is_ridge_regression(n_columns):
    random = np.random.default_rng(n_columns)
    columns = random.normal(size=(60, n_columns))
    target = columns @ random.normal(size=n_columns) / np.sqrt(n_columns)
    target += 0.5 * random.normal(size=60)
    model = fitted(columns, target, np.zeros(n_columns))
    rival = BayesianRidge(fit_intercept=False).fit(columns, target)
    assert model.selected_.all()
    assert model.outcome_ is Outcome.CONVERGED
    away = np.linalg.norm(model.coef_ - rival.coef_)
    assert away < 0.1 * np.linalg.norm(rival.coef_)
    assert_allclose(model.noise_std_, rival.alpha_**-0.5, rtol=0.1)
    assert model._model.n_precisions == 1


@SEEDS
def test_a_group_of_more_columns_than_rows_is_found(seed):
    random = np.random.default_rng(seed)
    columns, groups = random.normal(size=(120, 450)), np.arange(450) // 150
    target = columns[:, :150] @ random.normal(size=150) / 12.0 + 0.7 * random.normal(size=120)
    model = fitted(columns, target, groups)
    assert_array_equal(model.selected_, groups == 0)
    assert model.outcome_ is Outcome.CONVERGED
    assert 0.35 < model.noise_std_ < 1.0


@SEEDS
def test_a_column_of_zeros_in_a_group_does_not_matter(seed):
    columns, target = table(seed)
    wide = np.insert(columns, [2, 100], 0.0, axis=1)
    groups = np.insert(GROUPS, [2, 100], [0, 20])
    model, expected = fitted(wide, target, groups), fitted(columns, target)
    assert model.outcome_ is Outcome.CONVERGED
    assert_array_equal(model.selected_, groups < 3)
    assert model.coef_[2] == 0.0
    assert_allclose(model.predict(wide), expected.predict(columns), atol=0.2 * NOISE)


def test_a_group_of_zeros_is_left_out():
    columns, target = table(0)
    columns[:, 50:55] = 0.0
    assert_found(fitted(columns, target))


def test_equal_columns_in_a_group_share_its_weight():
    columns, target = table(0)
    wide = np.insert(columns, 2, columns[:, 1], axis=1)
    model = fitted(wide, target, np.insert(GROUPS, 2, 0))
    assert_array_equal(model.selected_, np.insert(ACTIVE, 2, True))
    assert_allclose(model.coef_[1], model.coef_[2], rtol=1e-6)
    assert_allclose(model.noise_std_, NOISE, rtol=0.25)


def test_no_group_is_found_in_noise():
    random = np.random.default_rng(0)
    columns, target = random.normal(size=(60, 200)), random.normal(size=60)
    with pytest.warns(match="No column is relevant"):
        model = fitted(columns, target)
    assert not model.selected_.any()
    assert_array_equal(model.predict(columns), np.zeros(60))


# What is refused.


WRONG = {
    "too few": (GROUPS[:-1], r"a label for each of 200 columns, got an array of shape \(199,\)"),
    "two axes": (GROUPS[:, None], r"each of 200 columns, got an array of shape \(200, 1\)"),
    "a word": ("levels", r"each of 200 columns, got an array of shape \(\)"),
    "a number": (3, r"each of 200 columns, got an array of shape \(\)"),
    "mixed": ([*GROUPS[:-1].tolist(), "last"], "labels of one type, such as words or whole"),
    "alike": ([1] * 100 + ["1"] * 100, "labels of one type, such as words or whole numbers"),
    "none": ([None] * 5 + ["a"] * 195, "labels of one type, such as words or whole numbers"),
}


@pytest.mark.parametrize(("groups", "words"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("kind", [Linear, GivenColumns])
def test_labels_that_cannot_be_are_refused(kind, groups, words):
    basis = Linear(groups) if kind is Linear else GivenColumns(np.asarray, groups=groups)
    with pytest.raises(ValueError, match=f"groups of {kind.__name__} must .*{words}"):
        SparseBayesRegressor(basis).fit(*table(0))


@pytest.mark.parametrize(
    "inference",
    ["mackay", "em", "variational", "projection", Fast(weight_hyperprior=Gamma(0.1, 0.1))],
)
def test_other_inferences_say_what_to_use_instead(inference):
    words = r'cannot be used with groups of columns.*Use inference="fast" without a weight_hyper'
    with pytest.raises(ValueError, match=words):
        fitted(*table(0), inference=inference)


def test_a_softmax_with_precisions_for_each_class_says_what_to_use_instead():
    model = SparseBayesClassifier(Linear(THREES), multi_class="softmax")
    with pytest.raises(ValueError, match=r'groups of columns .* softmax .* Use multi_class="ovr"'):
        model.fit(*labels_of(0, n_classes=3))


def test_groups_have_no_probability_of_inclusion():
    model = fitted(*table(0))
    with pytest.raises(AttributeError, match=r"inclusion_ needs .*Linear\(\) without groups"):
        _ = model.inclusion_
    assert not hasattr(model, "inclusion_")


# As an estimator.


def test_groups_are_not_changed():
    groups = GROUPS.copy()
    model = SparseBayesRegressor(Linear(groups)).fit(*table(0))
    assert model.basis.groups is groups
    assert_array_equal(groups, GROUPS)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_search_over_groupings():
    """By cross-validation and by evidence."""
    grid = {"basis__groups": [None, GROUPS, np.arange(200) % 40]}
    model = SparseBayesRegressor(Linear())
    for search in (GridSearchCV(model, grid, cv=3), EvidenceSearch(model, grid)):
        search.fit(*table(0))
        assert_array_equal(search.best_params_["basis__groups"], GROUPS)
