"""Plain columns that are many for the rows, through the estimators: few of them, or all at once."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import BayesianRidge
from sklearn.model_selection import GridSearchCV

from sparsebayes import (
    Bias,
    Fast,
    GivenColumns,
    Linear,
    LinearKernel,
    Outcome,
    Polynomial,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

pytestmark = pytest.mark.slow  # the whole module: the quick lane has a minute

WITH_BIAS = Linear() + Bias()
NOISE = 0.1
as_they_are = np.asarray


def dictionary(seed, n_rows=100, n_columns=400, n_active=5, noise=NOISE, weights=None):
    """Columns at random, of which the first few make the target."""
    random = np.random.default_rng(seed)
    columns = random.normal(size=(n_rows, n_columns))
    if weights is None:
        weights = random.choice([-1.0, 1.0], n_active) * random.uniform(1.0, 2.0, n_active)
    target = columns[:, :n_active] @ weights
    return columns, target + noise * random.normal(size=target.shape)


def names(n_active, *others):
    return {*(f"x{k}" for k in range(n_active)), *others}


def is_dense(model):
    return "LinearKernel(" in repr(model.basis_)


def assert_found(model, n_active=5, noise=NOISE, may=()):
    """These columns and no others but those that may be there, and how noisy the target is."""
    assert names(n_active) <= {*model.column_names_} <= names(n_active, *may)
    assert model.outcome_ is Outcome.CONVERGED
    assert not is_dense(model)
    assert_allclose(model.noise_std_, noise, rtol=0.2)


# Few of many.


@pytest.mark.parametrize("seed", range(5))
def test_the_few_columns_that_matter_are_found_and_no_others(seed):
    assert_found(SparseBayesRegressor(Linear(), fit_intercept=False).fit(*dictionary(seed)))


@pytest.mark.parametrize("seed", range(5))
def test_an_offset_does_not_matter_with_a_bias(seed):
    columns, target = dictionary(seed)
    model = SparseBayesRegressor(WITH_BIAS).fit(columns, target + 1e4)
    assert_found(model, may=["bias"])
    assert_allclose(model.predict(columns), target + 1e4, atol=6.0 * NOISE)


@pytest.mark.parametrize("seed", range(3))
def test_several_outputs_share_the_columns_that_are_found(seed):
    weights = np.random.default_rng(seed).uniform(1.0, 2.0, (5, 3))
    columns, targets = dictionary(seed, weights=weights)
    units = np.array([1.0, 1e-3, 1e4])
    assert_found(
        SparseBayesRegressor(Linear(), fit_intercept=False).fit(columns, units * targets),
        noise=units * NOISE,
    )


@pytest.mark.parametrize("multi_output", ["shared", "separate"])
def test_an_output_of_zeros_does_not_matter_to_the_other(multi_output):
    columns, target = dictionary(0)
    both = np.column_stack([target, np.zeros(100)])
    model = SparseBayesRegressor(Linear(), fit_intercept=False, multi_output=multi_output).fit(
        columns, both
    )
    assert {*model.column_names_} == names(5)
    assert_allclose(model.noise_std_[0], NOISE, rtol=0.2)
    assert_allclose(model.predict(columns)[:, 1], np.zeros(100), atol=1e-3)


@pytest.mark.parametrize("basis", [Linear(), WITH_BIAS], ids=["alone", "bias"])
@pytest.mark.parametrize("seed", range(3))
def test_two_classes(seed, basis):
    random = np.random.default_rng(seed)
    columns = random.normal(size=(150, 300))
    odds = columns[:, :2] @ [3.0, -3.0]
    labels = random.uniform(size=150) < 1.0 / (1.0 + np.exp(-odds))
    model = SparseBayesClassifier(basis).fit(columns, labels)
    assert names(2) <= {*model.column_names_} <= names(2, "bias")
    assert model.outcome_ is Outcome.CONVERGED
    new = random.normal(size=(500, 300))
    right = model.predict(new) == (new[:, :2] @ [3.0, -3.0] > 0.0)
    assert right.mean() > 0.9


def test_classes_that_one_column_separates():
    columns = np.random.default_rng(0).normal(size=(30, 50))
    model = SparseBayesClassifier(Linear()).fit(columns, columns[:, 0] > 0.0)
    assert model.column_names_ == ["x0"]
    assert model.score(columns, columns[:, 0] > 0.0) == 1.0


@pytest.mark.parametrize("seed", range(4))
def test_columns_that_are_correlated_with_their_neighbours(seed):
    """By 0.9; those that matter are 20 apart."""
    random = np.random.default_rng(seed)
    columns = random.normal(size=(100, 200))
    for k in range(1, 200):
        columns[:, k] = 0.9 * columns[:, k - 1] + np.sqrt(1.0 - 0.81) * columns[:, k]
    target = columns[:, 10::20][:, :5] @ [1.5, -1.5, 2.0, 1.0, -1.0]
    model = SparseBayesRegressor(Linear(), fit_intercept=False).fit(
        columns, target + NOISE * random.normal(size=100)
    )
    assert {*model.column_names_} == {"x10", "x30", "x50", "x70", "x90"}
    assert_allclose(model.noise_std_, NOISE, rtol=0.25)


@pytest.mark.parametrize("n_columns", [26, 60, 99])
def test_more_rows_than_columns_and_yet_many(n_columns):
    for seed in range(3):
        assert_found(
            SparseBayesRegressor(Linear(), fit_intercept=False).fit(
                *dictionary(seed, 100, n_columns)
            )
        )


@pytest.mark.parametrize("seed", range(3))
def test_many_columns_of_equal_weight_that_none_pays_for_alone(seed):
    """One in five of the rows: each takes a twentieth of the energy, which is less than noise."""
    weights = np.random.default_rng(seed).choice([-1.0, 1.0], 20)
    columns, target = dictionary(seed, 100, 200, 20, noise=0.05, weights=weights)
    model = SparseBayesRegressor(Linear(), fit_intercept=False).fit(columns, target)
    assert {*model.column_names_} == names(20)
    assert_allclose(model.noise_std_, 0.05, rtol=0.25)


@pytest.mark.parametrize(
    "offset",
    [
        0.0,
        1e3,
        pytest.param(
            1e5,
            marks=pytest.mark.xfail(
                strict=True,
                reason="columns whose offset is 3000 times their spread or more are equal to "
                "rounding to a search that does not take their means out",
            ),
        ),
    ],
)
def test_offsets_of_columns_beside_a_bias(offset):
    columns, target = dictionary(0)
    assert_found(SparseBayesRegressor(WITH_BIAS).fit(columns + offset, target), may=["bias"])


def test_a_noise_that_is_known():
    columns, target = dictionary(0)
    model = SparseBayesRegressor(Linear(), fit_intercept=False, noise_std=NOISE).fit(
        columns, target
    )
    assert {*model.column_names_} == names(5)
    assert model.noise_std_ == NOISE


def test_columns_of_noise_alone_are_left_out_with_a_warning():
    columns, target = dictionary(0, n_active=0, noise=1.0)
    with pytest.warns(ConvergenceWarning, match="No column is relevant"):
        model = SparseBayesRegressor(WITH_BIAS).fit(columns, target + 5.0)
    assert_allclose(model.predict(columns), np.full(100, np.mean(target + 5.0)))


# What does not matter.


def smooth(seed, n_rows=40, n_columns=200, noise=NOISE):
    """Spectra of eight substances, and a sum of their amounts."""
    random = np.random.default_rng(seed)
    where = np.linspace(0.0, 1.0, n_columns)
    peaks = np.exp(-(((where - np.linspace(0.1, 0.9, 8)[:, None]) / 0.08) ** 2))
    amounts = random.uniform(size=(n_rows, 8))
    spectra = amounts @ peaks + 0.01 * random.normal(size=(n_rows, n_columns))
    return spectra, amounts @ np.linspace(1.0, 3.0, 8) + noise * random.normal(size=n_rows)


DATA = {"few": dictionary(0, 60, 150), "all": smooth(0)}
over_bases = pytest.mark.parametrize("basis", [Linear(), WITH_BIAS], ids=["alone", "bias"])


def assert_close(found, expected, part=1e-3):
    assert_allclose(found, expected, atol=part * np.ptp(expected))


# All at once.


@pytest.mark.parametrize("seed", range(5))
def test_spectra_are_explained_by_all_columns_as_well_as_by_ridge_regression(seed):
    spectra, target = smooth(seed)
    new, truth = smooth(1000 + seed, 500)
    model = SparseBayesRegressor(WITH_BIAS).fit(spectra, target)
    assert is_dense(model)
    assert model.outcome_ is Outcome.CONVERGED
    mean, std = model.predict(new, return_std=True)
    rival = np.sqrt(np.mean((BayesianRidge().fit(spectra, target).predict(new) - truth) ** 2))
    assert np.sqrt(np.mean((mean - truth) ** 2)) < 1.05 * rival
    assert 0.8 < np.mean(np.abs(mean - truth) < 1.645 * std) < 0.98


def test_error_bars_grow_away_from_the_data():
    spectra, target = smooth(0)
    model = SparseBayesRegressor(WITH_BIAS).fit(spectra, target)
    middle = spectra.mean(axis=0)
    stds = [
        model.predict(middle + far * (spectra - middle), return_std=True)[1]
        for far in (0.0, 1.0, 2.0, 5.0, 50.0)
    ]
    assert np.all(np.diff(stds, axis=0) > 0.0)
    assert stds[0].min() >= model.noise_std_


def test_the_basis_says_which_it_is():
    sparse = SparseBayesRegressor(WITH_BIAS).fit(*DATA["few"])
    dense = SparseBayesRegressor(WITH_BIAS).fit(*DATA["all"])
    assert repr(sparse.basis_) == repr(WITH_BIAS)
    ((_, kernel),) = dense.basis_.parts
    assert isinstance(kernel, LinearKernel)
    assert kernel.scaling == "standard"
    ((_, kernel),) = (
        SparseBayesRegressor(Linear(), fit_intercept=False).fit(*DATA["all"]).basis_.parts
    )
    assert kernel.scaling == "unit"


def test_classes_of_spectra():
    spectra, target = smooth(0, 120)
    new, truth = smooth(7, 500)
    model = SparseBayesClassifier(WITH_BIAS).fit(spectra, target > 8.0)
    assert model.score(new, truth > 8.0) > 0.9
    assert_allclose(model.predict_proba(new).sum(axis=1), 1.0, rtol=1e-12)


def test_an_offset_of_columns_does_not_cost_the_dense_form_digits():
    spectra, target = smooth(0)
    expected = SparseBayesRegressor(WITH_BIAS).fit(spectra, target).predict(spectra)
    moved = SparseBayesRegressor(WITH_BIAS).fit(spectra + 1e6, target)
    assert is_dense(moved)
    assert_close(moved.predict(spectra + 1e6), expected, 1e-2)


@pytest.mark.parametrize("inference", [Fast(min_gain=0.0), Fast(min_gain=3.0), "projection"])
def test_only_the_default_price_asks_for_a_dense_form(inference):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = SparseBayesRegressor(WITH_BIAS, inference=inference).fit(*DATA["all"])
    assert not is_dense(model)


# As an estimator.


def test_the_price_is_a_parameter():
    weights = np.array([3.0, 2.0, 1.0, 0.4, 0.3])
    columns, target = dictionary(0, 60, 100, noise=0.3, weights=weights)
    model = SparseBayesRegressor(Linear(), fit_intercept=False, inference=Fast())
    default = model.fit(columns, target).column_names_
    assert model.get_params()["inference__min_gain"] == "auto"
    high = model.set_params(inference__min_gain=30.0).fit(columns, target).column_names_
    assert {*high} == names(3) < {*default}
    model.set_params(inference__min_gain="auto").fit(columns, target)
    assert model.column_names_ == default
    with pytest.raises(ValueError, match="min_gain must be 'auto' or a number of 0 or more"):
        model.set_params(inference__min_gain="none").fit(columns, target)


def test_a_search_over_prices():
    columns, target = dictionary(0, 60, 80)
    grid = {"inference__min_gain": ["auto", 3.0, 100.0]}
    search = GridSearchCV(
        SparseBayesRegressor(Linear(), fit_intercept=False, inference=Fast()), grid, cv=3
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        search.fit(columns, target)
    assert search.best_params_["inference__min_gain"] in ("auto", 3.0)
    assert search.best_score_ > 0.9


# No interpolation in silence.


def hostile_draw(seed):
    """Columns of any shape and truth: the noise that was drawn comes with them."""
    random = np.random.default_rng(seed)
    n_rows, n_outputs = int(random.integers(5, 61)), int(random.choice([1, 1, 3]))
    n_columns = int(np.exp(random.uniform(np.log(2), np.log(300))))
    columns, weights = random.normal(size=(n_rows, n_columns)), np.zeros((n_columns, n_outputs))
    if seed % 4 == 1:
        few = max(1, min(n_columns, n_rows // 8))
        weights[:few] = random.normal(size=(few, n_outputs))
    elif seed % 4 >= 2:
        weights = random.normal(size=weights.shape) / np.sqrt(n_columns)
    if seed % 4 == 3:
        columns = (
            random.normal(size=(n_rows, 4)) @ random.normal(size=(4, n_columns)) + 0.1 * columns
        )
    if random.uniform() < 0.3:
        columns[:, random.integers(0, n_columns, max(1, n_columns // 3))] = columns[:, [0]]
    if random.uniform() < 0.3:
        columns[:, random.integers(0, n_columns)] = 1.0
    noise = 10.0 ** random.uniform(-2.0, 0.0) * random.normal(size=(n_rows, n_outputs))
    target = columns @ weights + noise
    return columns, target[:, 0] if n_outputs == 1 else target, np.sqrt(np.mean(noise**2, axis=0))


def fit_of(basis, columns, target):
    """The fit, and whether it warned; no warning of another kind."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("error")
        warnings.simplefilter("always", ConvergenceWarning)
        model = SparseBayesRegressor(basis).fit(columns, target)
    return model, bool(found)


@pytest.mark.parametrize(
    "basis", [Linear(), WITH_BIAS, GivenColumns(as_they_are)], ids=["alone", "bias", "given"]
)
def test_a_default_fit_warns_or_has_the_noise_of_the_data(basis):
    told = 0
    for seed in range(32):
        columns, target, noise = hostile_draw(seed)
        model, warned = fit_of(basis, columns, target)
        told += not warned
        assert warned or np.all(np.asarray(model.noise_std_) > noise / 3.0), seed
        assert np.isfinite(model.predict(columns)).all()
    assert told > 12


def test_products_of_inputs_do_not_interpolate_in_silence():
    told = 0
    for seed in range(10):
        random = np.random.default_rng(seed)
        n_rows, n_inputs = int(random.integers(10, 40)), int(random.integers(3, 9))
        inputs = random.normal(size=(n_rows, n_inputs))
        noise = 0.3 * random.normal(size=n_rows)
        target = inputs[:, 0] * inputs[:, 1] + inputs[:, 2] + noise
        model, warned = fit_of(Polynomial(2) + Bias(), inputs, target)
        told += not warned
        assert warned or model.noise_std_ > np.sqrt(np.mean(noise**2)) / 3.0, seed
    assert told > 5


# Hostile.


HOSTILE = {
    "two rows": (np.random.default_rng(0).normal(size=(2, 1000)), np.array([1.0, -2.0])),
    "a tiny column": (np.where(np.arange(150) == 3, 1e-100, 1.0) * DATA["few"][0], DATA["few"][1]),
    "a constant target": (DATA["few"][0], np.full(60, 3.0)),
    "a target of zeros": (DATA["few"][0], np.zeros(60)),
    "columns of zeros": (np.zeros((30, 50)), np.arange(30.0) - 10.0),
    "equal columns": (np.full((30, 50), 0.1), np.arange(30.0) - 10.0),
    "all constant": (np.full((30, 50), 0.1), np.full(30, 2.0)),
    "one column many times": (np.tile(np.arange(30.0)[:, None], 50), np.sin(np.arange(30.0))),
    "one row many times": (np.tile(DATA["few"][0][:1], (30, 1)), np.sin(np.arange(30.0))),
    "no noise": (DATA["few"][0], DATA["few"][0][:, 0]),
    "one that differs": (np.eye(30), np.eye(30)[3]),
    "outputs, one constant": (
        DATA["few"][0],
        np.column_stack([DATA["few"][1], np.ones(60)]),
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
@over_bases
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_hostile_columns_give_a_finite_model(case, basis):
    columns, target = HOSTILE[case]
    model = SparseBayesRegressor(basis).fit(columns, target)
    mean, std = model.predict(columns, return_std=True)
    assert np.isfinite(mean).all()
    assert np.isfinite(std).all()
    assert np.all(std > 0.0)
    assert np.abs(mean).max() <= 2.0 * np.abs(target).max()


@pytest.mark.parametrize("case", ["two rows", "columns of zeros", "equal columns", "no noise"])
@over_bases
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_hostile_columns_of_classes_give_probabilities(case, basis):
    columns, target = HOSTILE[case]
    model = SparseBayesClassifier(basis).fit(columns, target > 0.0)
    probability = model.predict_proba(columns)
    assert np.isfinite(probability).all()
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-9)
    assert np.isfinite(model.log_evidence_)


def test_a_tiny_column_does_not_keep_others_from_being_found():
    columns, target = DATA["few"]
    units = np.where(np.arange(150) % 7 == 1, 1e-60, 1.0)
    assert_found(
        SparseBayesRegressor(Linear(), fit_intercept=False).fit(columns * units, target), may=()
    )
