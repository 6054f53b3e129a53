"""Outliers, counts, ordered classes and noise that varies, through the estimators."""

import warnings

import carried
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import d2_tweedie_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    GaussianKernel,
    Linear,
    NegativeBinomial,
    Ordinal,
    SparseBayesClassifier,
    SparseBayesRegressor,
    StudentT,
)
from sparsebayes.likelihoods.tilting import log_integral
from sparsebayes.targets import target_of

RANDOM = np.random.default_rng(0)
N = 120
X = np.sort(RANDOM.uniform(-3.0, 3.0, N))[:, None]
F = 1.0 + np.sin(2.0 * X[:, 0])
OUT = np.arange(N) % 10 == 4
NOISY = F + 0.1 * RANDOM.normal(size=N)
SPOILED = NOISY + np.where(OUT, RANDOM.choice([-1.0, 1.0], N), 0.0)
COUNTS = RANDOM.poisson(np.exp(F)).astype(float)
WILD = RANDOM.negative_binomial(2.0, 2.0 / (2.0 + np.exp(F))).astype(float)
RANKS = np.digitize(2.0 * F + RANDOM.logistic(size=N), [0.5, 2.0, 3.5])
SIGMA = np.exp(0.6 * X[:, 0] - 1.5)
UNEVEN = F + SIGMA * RANDOM.normal(size=N)
REAL = {
    "student_t": SPOILED,
    "poisson": COUNTS,
    "negative_binomial": WILD,
    "heteroscedastic": UNEVEN,
}
SLOW_MACKAY = pytest.param("mackay", marks=pytest.mark.slow)
INFERENCES = pytest.mark.parametrize("inference", ["projection", "fast", SLOW_MACKAY])
OVER_REAL = pytest.mark.parametrize("likelihood", REAL)


def fit(likelihood, inference="projection", y=None, **parameters):
    model = RVR(likelihood=likelihood, inference=inference, **parameters)
    return model.fit(X, REAL[likelihood] if y is None else y)


def rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


# What they are for.


@INFERENCES
def test_outliers_hardly_count(inference):
    spoiled, plain = fit("student_t", inference), RVR(inference=inference).fit(X, SPOILED)
    clean = RVR(inference=inference).fit(X, NOISY)
    of_clean, of_spoiled, of_plain = (
        (each.predict(X) - F) ** 2 for each in (clean, spoiled, plain)
    )
    gain = of_plain - of_spoiled
    assert gain.mean() > 3.0 * gain.std() / np.sqrt(N)
    assert gain.mean() > 2.0 * (of_spoiled - of_clean).mean()  # nearer to what clean rows say
    assert spoiled.outlier_weight_[OUT].max() < 0.3
    assert np.median(spoiled.outlier_weight_[~OUT]) > 0.6
    assert 0.05 < spoiled.likelihood_.scale < 0.2
    assert spoiled.likelihood_.df < 4.0


def test_without_outliers_noise_is_that_of_a_gaussian():
    model, plain = fit("student_t", y=NOISY), RVR().fit(X, NOISY)
    assert model.likelihood_.df > 4.0
    assert_allclose(model.noise_std_, plain.noise_std_, rtol=0.1)
    assert rms(model.predict(X) - plain.predict(X)) < 0.03


@INFERENCES
@pytest.mark.slow
def test_counts_have_their_mean(inference):
    for likelihood in ("poisson", "negative_binomial"):
        model = fit(likelihood, inference)
        assert rms(np.log(model.predict(X)) - F) < 0.35
        assert len(model.relevance_) < 15


@pytest.mark.filterwarnings("ignore:The model has .* vectors:sklearn.exceptions.ConvergenceWarning")
def test_dispersion_is_learned():
    assert fit("negative_binomial", y=COUNTS).likelihood_.dispersion < 0.1
    assert 0.25 < fit("negative_binomial").likelihood_.dispersion < 1.0
    assert fit("negative_binomial").log_evidence_ > fit("poisson", y=WILD).log_evidence_ + 10.0


@INFERENCES
def test_noise_that_varies_is_found(inference):
    model, plain = fit("heteroscedastic", inference), RVR(inference=inference).fit(X, UNEVEN)
    mean, std = model.predict(X, return_std=True)
    assert rms(np.log(std / SIGMA)) < 0.35
    assert model.log_evidence_ > plain.log_evidence_ + 10.0
    assert model.log_density(X, UNEVEN).mean() > plain.log_density(X, UNEVEN).mean() + 0.2
    assert rms((mean - F) / SIGMA) < rms((plain.predict(X) - F) / SIGMA)


@INFERENCES
def test_constant_noise_stays_constant(inference):
    model, plain = fit("heteroscedastic", inference, NOISY), RVR(inference=inference).fit(X, NOISY)
    assert_array_equal(model.predict(X, return_std=True), plain.predict(X, return_std=True))
    assert model.noise_std_ == plain.noise_std_


@INFERENCES
@pytest.mark.slow
def test_ordered_classes_are_told_apart_by_cut_points(inference):
    model = RVC(likelihood="ordinal", inference=inference).fit(X, RANKS)
    probability = model.predict_proba(X)
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)
    assert (probability > 0.0).all()
    assert (np.diff(model.likelihood_.cut_points) > 0.0).all()
    loss = -np.log(probability[np.arange(N), RANKS]).mean()
    share = np.bincount(RANKS) / N
    assert loss < -share @ np.log(share) - 0.1
    assert_array_equal(model.predict(X), model.classes_[probability.argmax(axis=1)])
    mean, variance = model.latent_mean_and_variance(X)
    assert mean.shape == variance.shape == (N,)
    assert np.corrcoef(mean, F)[0, 1] > 0.9


# Predictions.


@OVER_REAL
def test_log_densities_are_normalised(likelihood):
    model, row = fit(likelihood), X[60:61]
    mean, std = (float(each[0]) for each in model.predict(row, return_std=True))
    if target_of(model.likelihood_).counts:
        grid, step = np.arange(400.0), 1.0
    else:
        grid = np.linspace(mean - 100.0 * std, mean + 100.0 * std, 40_001)
        step = grid[1] - grid[0]
    density = np.exp(model.log_density(np.repeat(row, len(grid), axis=0), grid))
    assert_allclose(density.sum() * step, 1.0, rtol=1e-3)


def test_far_out_the_density_is_that_of_a_student_t():
    from scipy.stats import t

    model = fit("student_t")
    df, scale = model.likelihood_.values
    y = np.array([1e3, 1e6, 1e9])
    row = np.repeat(X[:1], 3, axis=0)
    expected = t.logpdf(y - model.predict(row), df, scale=scale)
    assert_allclose(model.log_density(row, y), expected, rtol=1e-4)


def test_quantiles_of_counts_are_whole_numbers():
    quantiles = fit("poisson").predict_quantiles(X, [1e-9, 0.05, 0.5, 0.95, 1.0 - 1e-9])
    assert_array_equal(quantiles, np.floor(quantiles))
    assert (quantiles >= 0.0).all()
    assert (np.diff(quantiles, axis=1) >= 0.0).all()
    covered = (quantiles[:, 1] <= COUNTS) & (quantiles[:, 3] >= COUNTS)
    assert 0.87 < covered.mean() <= 1.0


def test_scores_of_counts_are_explained_deviances():
    model = fit("poisson")
    weight = RANDOM.uniform(0.5, 2.0, N)
    ours = model.score(X, COUNTS, weight)
    theirs = d2_tweedie_score(COUNTS, model.predict(X), power=1, sample_weight=weight)
    assert_allclose(ours, theirs, rtol=1e-10)
    wild = fit("negative_binomial")
    assert 0.0 < wild.score(X, WILD) < 1.0
    assert fit("student_t").score(X, SPOILED) < 1.0


def test_wild_counts_are_told_from_poisson_counts():
    inputs = np.random.default_rng(0).uniform(-1.0, 1.0, (300, 2))
    random = np.random.default_rng(1)
    mean = np.exp(0.8 + np.sin(3.0 * inputs[:, 0])) * random.gamma(2.0, 0.5, 300)
    counts = random.poisson(mean)
    with pytest.warns(ConvergenceWarning, match="they vary more than Poisson counts do"):
        poisson = RVR(likelihood="poisson").fit(inputs, counts)
    wild = RVR(likelihood="negative_binomial").fit(inputs, counts)
    assert wild.log_evidence_ > poisson.log_evidence_ + 10.0
    assert len(wild.relevance_) < 0.1 * len(poisson.relevance_)


# Exposure.


@pytest.mark.parametrize("inference", ["projection", "fast"])
def test_rates_with_weights_are_counts_with_exposure(inference):
    exposure = RANDOM.uniform(0.5, 4.0, N)
    counts = RANDOM.poisson(exposure * np.exp(F)).astype(float)
    model = RVR(likelihood="poisson", inference=inference, gamma=0.5)
    by_weight = clone(model).fit(X, counts / exposure, sample_weight=exposure)
    by_exposure = clone(model).fit(X, counts, exposure=exposure)
    assert_allclose(by_weight.predict(X), by_exposure.predict(X), rtol=0.03)
    assert rms(np.log(by_exposure.predict(X)) - F) < 0.3


def test_exposures_of_wild_counts():
    exposure = RANDOM.uniform(0.5, 4.0, 400)
    inputs = RANDOM.uniform(-3.0, 3.0, (400, 1))
    latent = 1.0 + np.sin(2.0 * inputs[:, 0])
    counts = RANDOM.negative_binomial(2.0, 2.0 / (2.0 + exposure * np.exp(latent)))
    model = RVR(likelihood="negative_binomial").fit(inputs, counts, exposure=exposure)
    assert 0.35 < model.likelihood_.dispersion < 0.7
    assert rms(np.log(model.predict(inputs)) - latent) < 0.25


def test_counts_of_any_exposure_are_judged():
    """The log probability of a count over an exposure is that of one with another mean."""
    exposure = RANDOM.uniform(0.5, 4.0, N)
    for likelihood in ("poisson", "negative_binomial"):
        model = RVR(likelihood=likelihood).fit(X, COUNTS, exposure=exposure)
        mean, variance = (each[:, 0] for each in model._model.predictor.latent_moments(X))
        expected = log_integral(model.likelihood_, COUNTS, mean + np.log(exposure), variance)
        assert_allclose(model.log_density(X, COUNTS, exposure=exposure), expected, rtol=1e-9)
        assert 0.0 < model.score(X, COUNTS / exposure, exposure) < 1.0


def test_a_poor_maximum_of_the_dispersion_is_left():
    """Narrow kernels stand for counts that vary as well, with a lower evidence."""
    random = np.random.default_rng(3)
    inputs = random.integers(0, 4, (200, 5)).astype(float)
    counts = random.negative_binomial(0.15, 0.15 / (0.15 + np.exp(0.3 * inputs[:, 0])))
    learned = RVR(likelihood="negative_binomial").fit(inputs, counts)
    given = RVR(likelihood=NegativeBinomial(dispersion=1.0 / 0.15)).fit(inputs, counts)
    assert learned.log_evidence_ > given.log_evidence_ - 1.0


def test_weights_of_exposures_are_not_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RVR(likelihood="poisson").fit(X, COUNTS / 100.0, sample_weight=np.full(N, 100.5))


# Any basis, any inputs.

BASES = {
    "kernel": GaussianKernel(width=1.0) + Bias(),
    "linear": Linear() + Bias(),
    "without a bias": GaussianKernel(input_scale="learn"),
    "sum": GaussianKernel("learn") + Linear() + Bias(),
}


@pytest.mark.slow
@OVER_REAL
@pytest.mark.parametrize("inference", ["projection", "fast"])
@pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_basis(basis, inference, likelihood):
    model = SparseBayesRegressor(basis, likelihood=likelihood, inference=inference)
    model.fit(X, REAL[likelihood])
    mean, std = model.predict(X, return_std=True)
    assert np.isfinite(mean).all()
    assert (std > 0.0).all()


@pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
@pytest.mark.slow
def test_every_basis_of_ordered_classes(basis):
    model = SparseBayesClassifier(basis, likelihood="ordinal").fit(X, RANKS)
    assert_allclose(model.predict_proba(X).sum(axis=1), 1.0, rtol=1e-12)
    assert "bias" not in model.column_names_


def test_linear_models_have_coefficients():
    inputs = RANDOM.normal(size=(300, 3))
    counts = RANDOM.poisson(np.exp(0.5 + inputs @ [0.8, 0.0, -0.5])).astype(float)
    model = SparseBayesRegressor(Linear() + Bias(), likelihood="poisson").fit(inputs, counts)
    assert_allclose(model.coef_, [0.8, 0.0, -0.5], atol=0.15)
    assert_allclose(model.intercept_, 0.5, atol=0.15)
    latent = inputs @ model.coef_ + model.intercept_
    mean = model.predict(inputs)
    assert_allclose(np.log(mean), latent, atol=0.02)


def test_more_columns_than_rows():
    inputs = RANDOM.normal(size=(100, 300))
    y = inputs[:, :3] @ [2.0, -2.0, 1.5] + 0.1 * RANDOM.normal(size=100)
    y[::10] += 8.0
    model = SparseBayesRegressor(Linear(), likelihood="student_t").fit(inputs, y)
    assert_array_equal(np.flatnonzero(model.selected_), [0, 1, 2])
    assert_allclose(model.coef_[:3], [2.0, -2.0, 1.5], atol=0.1)


def test_kernels_of_the_user_and_precomputed_ones():
    def kernel(a, b):
        return np.exp(-0.5 * (a - b.T) ** 2)

    for y, likelihood in ((SPOILED, "student_t"), (COUNTS, "poisson")):
        by_name = RVR(gamma=0.5, likelihood=likelihood).fit(X, y)
        called = RVR(kernel, likelihood=likelihood).fit(X, y)
        given = RVR("precomputed", likelihood=likelihood).fit(kernel(X, X), y)
        assert_allclose(called.log_evidence_, by_name.log_evidence_, atol=1e-2)
        assert_allclose(given.log_evidence_, by_name.log_evidence_, atol=1e-2)
        assert rms(called.predict(X) - by_name.predict(X)) < 0.1 * by_name.predict(X).std()


# Order of classes.

NAMES = np.array(["low", "medium", "high", "top"])


def test_the_order_of_names_is_given_or_that_of_a_categorical():
    names = NAMES[RANKS]
    by_number = RVC(likelihood="ordinal").fit(X, RANKS).predict_proba(X)
    given = RVC(likelihood=Ordinal(order=tuple(NAMES))).fit(X, names)
    ordered = pd.Series(pd.Categorical(names, categories=NAMES, ordered=True))
    of_pandas = RVC(likelihood="ordinal").fit(X, ordered)
    assert_array_equal(given.classes_, np.sort(NAMES))
    place = np.argsort(NAMES)
    assert_allclose(given.predict_proba(X), by_number[:, place], rtol=1e-10)
    assert_allclose(of_pandas.predict_proba(X), by_number[:, place], rtol=1e-10)
    with pytest.warns(UserWarning, match="column-vector"):
        of_frame = RVC(likelihood="ordinal").fit(X, ordered.to_frame())
    assert_allclose(of_frame.predict_proba(X), by_number[:, place], rtol=1e-10)
    array = RVC(likelihood=Ordinal(order=NAMES))
    assert "order=array(['low'" in repr(array)
    assert_allclose(clone(array).fit(X, names).predict_proba(X), by_number[:, place], rtol=1e-10)


def test_names_without_an_order_are_refused():
    with pytest.raises(ValueError, match=r"order of classes such as .* is not known"):
        RVC(likelihood="ordinal").fit(X, NAMES[RANKS])
    with pytest.raises(ValueError, match="has the class 'top', which is not in the order"):
        RVC(likelihood=Ordinal(order=("low", "medium", "high"))).fit(X, NAMES[RANKS])
    for order in ("low", ["low"], ["low", "low"], {"low", "high"}, {"low": 1}, 3, iter("ab")):
        with pytest.raises(ValueError, match="order of Ordinal must be"):
            RVC(likelihood=Ordinal(order=order)).fit(X, RANKS)


def test_a_class_that_is_missing_in_the_middle():
    ranks = np.where(RANKS == 1, 2, RANKS)
    model = RVC(likelihood=Ordinal(order=(0, 1, 2, 3))).fit(X, ranks)
    assert_array_equal(model.classes_, [0, 2, 3])
    assert model.predict_proba(X).shape == (N, 3)


def test_two_classes_in_an_order():
    model = RVC(likelihood="ordinal").fit(X, RANKS > 1)
    other = RVC().fit(X, RANKS > 1)
    assert model.decision_function(X).shape == (N,)
    assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=0.1)


def test_classes_that_can_be_told_apart_without_error():
    ranks = np.digitize(X[:, 0], [-1.0, 0.5, 2.0])
    assert RVC(likelihood="ordinal").fit(X, ranks).score(X, ranks) > 0.97


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("moved", [0.0, 1e3])
def test_cut_points_that_run_away_leave_the_last_sound_model(moved):
    """Beside kernels without a constant they drifted until weights were 1e10."""
    inputs = np.round(64.0 * carried.X) / 64.0 + moved
    model = RVC(likelihood="ordinal", inference="fast").fit(inputs, carried.THREE)
    assert model.log_evidence_ > -30.0
    assert model.score(inputs, carried.THREE) > 0.9
    assert np.abs(model.weights_).max() < 1e3


# Hostile targets.

HOSTILE = {
    "no counts": ("poisson", np.zeros(N)),
    "no wild counts": ("negative_binomial", np.zeros(N)),
    "one count": ("poisson", 1.0 * (np.arange(N) == 7)),
    "a billion": ("poisson", np.round(1e9 * np.exp(F))),
    "wild billions": ("negative_binomial", np.round(1e9 * WILD)),
    "constant counts": ("negative_binomial", np.full(N, 5.0)),
    "one gross error": ("student_t", np.where(np.arange(N) == 7, 1e8, NOISY)),
    "exact": ("student_t", F),
    "constant": ("student_t", np.full(N, 3.0)),
    "zero": ("student_t", np.zeros(N)),
    "mostly equal": ("student_t", 1.0 * (np.arange(N) % 7 == 0)),
    "half outliers": ("student_t", np.where(np.arange(N) % 2, NOISY, 30.0)),
    "constant, noise varies": ("heteroscedastic", np.full(N, 3.0)),
    "exact, noise varies": ("heteroscedastic", F),
    "a jump of noise": ("heteroscedastic", F + np.where(X[:, 0] > 0, 1.0, 1e-3) * (NOISY - F)),
    "one gross error, noise varies": ("heteroscedastic", np.where(np.arange(N) == 7, 1e6, NOISY)),
}


@pytest.mark.slow
@pytest.mark.parametrize(("likelihood", "y"), HOSTILE.values(), ids=HOSTILE)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.long
def test_hostile_targets_give_a_finite_model(likelihood, y):
    model = fit(likelihood, y=y)
    far = np.vstack([X, [[1e4], [-1e4]]])
    mean, std = model.predict(far, return_std=True)
    assert np.isfinite(mean).all()
    assert np.isfinite(std).all()
    assert (std > 0.0).all()
    assert np.isfinite(model.predict_quantiles(far)).all()
    assert np.isfinite(model.log_density(X, y)).all()


def test_no_counts_at_all_leave_a_rate_of_half_a_count():
    with pytest.warns(ConvergenceWarning, match="No column is relevant"):
        model = fit("poisson", y=np.zeros(N))
    assert_allclose(model.predict(X), 0.5 / N, rtol=0.1)


@OVER_REAL
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_two_rows(likelihood):
    model = RVR(likelihood=likelihood).fit([[0.0], [1.0]], [0.0, 3.0])
    assert np.isfinite(model.predict([[0.5]], return_std=True)).all()


@pytest.mark.parametrize("df", [2.0001, 1e8])
def test_degrees_of_freedom_at_their_limits(df):
    model = fit(StudentT(df=df), y=NOISY)
    assert rms(model.predict(X) - F) < 0.1
    assert np.isfinite(model.predict_quantiles(X)).all()


# What is refused.

REFUSED = [
    (RVR(likelihood="poisson"), -COUNTS - 1.0, {}, "counts or rates of 0 or more"),
    (RVR(likelihood="negative_binomial"), COUNTS + 0.5, {}, "must hold whole numbers"),
    (RVR(likelihood="cauchy"), NOISY, {}, "likelihood must be one of 'gaussian', 'student_t'"),
    (RVR(likelihood=StudentT(df=1.0)), NOISY, {}, "df of StudentT"),
    (RVR(likelihood=Ordinal()), RANKS, {}, "likelihood must be one of"),
    (RVC(likelihood="student_t"), RANKS, {}, "likelihood must be one of 'categorical', 'ordinal'"),
    (RVR(likelihood="poisson", noise_std=0.1), COUNTS, {}, "noise_std=0.1 is that of Gaussian"),
    (RVR(likelihood="student_t"), NOISY, {"noise_std": np.ones(N)}, "StudentT\\(scale="),
    (RVR(), NOISY, {"exposure": np.ones(N)}, "exposure is for counts"),
    (RVR(likelihood="poisson"), COUNTS, {"exposure": np.ones(3)}, "one number for each row"),
    (RVR(likelihood="poisson"), COUNTS, {"exposure": -np.ones(N)}, "positive finite numbers"),
    (RVR(likelihood="poisson"), COUNTS, {"exposure": "all"}, "must hold numbers"),
    (RVR(likelihood="poisson"), COUNTS + 0.5, {"exposure": np.ones(N)}, "must hold counts where"),
    (RVR(likelihood="negative_binomial"), -COUNTS - 1.0, {}, "must hold counts of 0 or more"),
    (RVR(likelihood="poisson"), np.column_stack([COUNTS, COUNTS]), {}, "takes one target"),
    (RVR(likelihood="poisson", inference="variational"), COUNTS, {}, "cannot be used with Poisson"),
    (RVR(likelihood="student_t", inference="variational"), NOISY, {}, "Student-t noise"),
    (RVC(likelihood="ordinal", inference="variational"), RANKS, {}, "classes in an order"),
]


@pytest.mark.parametrize(("model", "y", "options", "words"), REFUSED)
def test_what_cannot_be_is_refused_with_a_sentence(model, y, options, words):
    with pytest.raises(ValueError, match=words):
        model.fit(X, y, **options)


def test_attributes_that_are_not_there_say_why():
    counts, plain = fit("poisson"), RVR().fit(X, NOISY)
    for model, name in (
        (counts, "noise_std_"),
        (fit("heteroscedastic"), "noise_std_"),
        (counts, "outlier_weight_"),
        (fit("student_t"), "noise_posterior_"),
        (plain, "likelihood_"),
        (counts, "partial_fit"),
    ):
        assert not hasattr(model, name)


def test_log_density_checks_its_targets():
    with pytest.raises(ValueError, match=r"shape \(120,\), got \(3,\)"):
        fit("poisson").log_density(X, COUNTS[:3])
    with pytest.raises(ValueError, match="finite numbers"):
        fit("poisson").log_density(X, np.where(OUT, np.nan, COUNTS))
    with pytest.raises(ValueError, match="exposure is for counts"):
        fit("student_t").log_density(X, NOISY, exposure=np.ones(N))
    with pytest.raises(ValueError, match="0 or more"):
        fit("poisson").log_density(X, -COUNTS - 1.0)


# scikit-learn.


TEXTS = {"check_classifiers_classes": "texts have no order"}


@pytest.mark.slow
@parametrize_with_checks(
    [
        RVR(likelihood="poisson"),
        RVC(likelihood="ordinal"),
    ],
    expected_failed_checks=lambda estimator: TEXTS if isinstance(estimator, RVC) else {},
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_nested_parameters_are_searched():
    search = GridSearchCV(
        make_pipeline(StandardScaler(), RVR(likelihood=StudentT())),
        {"rvr__likelihood__df": [3.0, 30.0]},
        cv=2,
    )
    assert search.fit(X, SPOILED).best_params_["rvr__likelihood__df"] in (3.0, 30.0)
    with pytest.raises(ValueError, match="needs a likelihood that is an object"):
        RVR(likelihood="student_t").set_params(likelihood__df=3.0)
    with pytest.raises(ValueError, match="StudentT has no parameter 'nu'"):
        RVR(likelihood=StudentT()).set_params(likelihood__nu=3.0)


@pytest.mark.slow
@pytest.mark.parametrize("likelihood", ["poisson", "negative_binomial"])
@pytest.mark.long
def test_many_rows_come_in_blocks(likelihood):
    inputs = RANDOM.uniform(-3.0, 3.0, (12_000, 1))
    latent = 1.0 + np.sin(2.0 * inputs[:, 0])
    counts = RANDOM.poisson(np.exp(latent))
    model = RVR(likelihood=likelihood).fit(inputs, counts)
    assert rms(np.log(model.predict(inputs)) - latent) < 0.05
    few = RVR(likelihood=likelihood).fit(inputs[:3000], counts[:3000])
    assert rms(np.log(model.predict(inputs) / few.predict(inputs))) < 0.1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.long
def test_counts_of_a_dask_collection():
    array = pytest.importorskip("dask.array")
    inputs = RANDOM.uniform(-3.0, 3.0, (12_000, 1))
    counts = RANDOM.poisson(np.exp(np.sin(inputs[:, 0])))
    model = RVR(likelihood="poisson", gamma=0.5)
    lazy = clone(model).fit(
        array.from_array(inputs, chunks=(3000, 1)), array.from_array(counts, chunks=3000)
    )
    at_hand = clone(model).fit(inputs, counts)
    assert_allclose(lazy.predict(inputs), at_hand.predict(inputs), rtol=0.02)
    with pytest.raises(ValueError, match="needs all rows in memory"):
        clone(model).set_params(likelihood="student_t").fit(
            array.from_array(inputs, chunks=(3000, 1)), array.from_array(counts, chunks=3000)
        )


@pytest.mark.parametrize("inference", ["projection", "fast"])
def test_noise_that_varies_far_from_zero_without_an_intercept(inference):
    """A mean that was not taken out is compared with one noise, which such a model has not."""
    model = RVR(gamma=0.5, fit_intercept=False, likelihood="heteroscedastic", inference=inference)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, 100.0 + UNEVEN)
    assert rms(model.predict(X) - 100.0 - F) < 1.0


@pytest.mark.parametrize("n_rows", [N, 12_000])
def test_several_columns_of_counts_are_refused(n_rows):
    """Also of many rows, where a second column is no logarithm of exposures."""
    two = np.resize(np.column_stack([COUNTS, COUNTS]), (n_rows, 2))
    with pytest.raises(ValueError, match="takes one target, got 2 columns of y"):
        RVR(likelihood="poisson").fit(np.resize(X, (n_rows, 1)), two)
