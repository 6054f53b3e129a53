"""Weights of rows and classes, and known noise of rows."""

import warnings

import numpy as np
import pytest
import reference
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize_scalar
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import roc_auc_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from sparsebayes import (
    RVC,
    RVR,
    EvidenceSearch,
    Gamma,
    GaussianKernel,
    Linear,
    SparseBayesRegressor,
    Variational,
)

pytestmark = pytest.mark.slow  # the whole module: the quick lane has a minute

# Targets with little noise on the left and much of it on the right.
RANDOM = np.random.default_rng(0)
X = np.linspace(-10.0, 10.0, 80)[:, None]
SIGMA = np.where(X[:, 0] < 0.0, 0.05, 0.3)
Y = np.sinc(X[:, 0] / np.pi) + SIGMA * RANDOM.normal(size=80)
NEW = np.linspace(-12.0, 12.0, 7)[:, None]
TABLE = RANDOM.normal(size=(80, 4))
LINEAR = TABLE @ [1.0, 0.0, -2.0, 0.0] + SIGMA * RANDOM.normal(size=80)
RMS = np.sqrt(np.mean(SIGMA**2))

PRIOR = Gamma(0.1, 0.1)
INFERENCES = {
    "fast": "fast",
    "mackay": "mackay",
    "em": "em",
    "variational": Variational(weight_hyperprior=PRIOR),
    "projection": "projection",
}
inferences = pytest.mark.parametrize("inference", INFERENCES.values(), ids=INFERENCES)
meanings = pytest.mark.parametrize("meaning", [None, "factor"])
both = pytest.mark.parametrize("kind", [RVR, SparseBayesRegressor])


# Known noise of rows.


@pytest.mark.parametrize("inference", ["fast", "mackay", "em"])
@meanings
def test_the_evidence_is_the_density_of_the_targets(inference, meaning):
    model = SparseBayesRegressor(GaussianKernel(3.0), fit_intercept=False, noise_std=meaning)
    model.set_params(inference=inference).fit(X, Y, noise_std=SIGMA)
    design = rbf_kernel(X, X[model.relevance_], gamma=1.0 / 9.0)
    sigma = SIGMA * model.noise_std_ / RMS
    expected = reference.log_evidence(design, Y, model.weight_precision_, sigma**-2)
    assert_allclose(model.log_evidence_, expected, rtol=1e-9)
    assert_allclose(model.history_[-1].log_evidence, expected, rtol=1e-9)


def test_the_evidence_of_a_dense_model_is_the_density_of_the_targets():
    model = RVR(gamma=0.1, fit_intercept=False).fit(X, Y, noise_std=SIGMA)
    kernel = rbf_kernel(X, gamma=0.1)

    def loss(log_variance):
        covariance = np.exp(log_variance) * kernel + np.diag(SIGMA**2)
        energy = Y @ np.linalg.solve(covariance, Y)
        return 0.5 * (np.linalg.slogdet(2.0 * np.pi * covariance)[1] + energy)

    assert_allclose(model.log_evidence_, -minimize_scalar(loss).fun, atol=1e-3)


@inferences
@meanings
def test_rows_in_units_of_their_noise_say_the_same(inference, meaning):
    """A row of known noise is one of unit noise, if inputs and target are divided by it."""
    model = SparseBayesRegressor(
        Linear(), fit_intercept=False, inference=inference, noise_std=meaning
    )
    model.fit(TABLE, LINEAR, noise_std=SIGMA)
    divided = SparseBayesRegressor(
        Linear(),
        fit_intercept=False,
        inference=inference,
        noise_std=1.0 if meaning is None else None,
    )
    divided.fit(TABLE / SIGMA[:, None], LINEAR / SIGMA)
    assert_allclose(model.weights_, divided.weights_, rtol=1e-3, atol=1e-4)
    assert_allclose(model.covariance_, divided.covariance_, rtol=1e-2, atol=1e-6)
    assert_allclose(model.noise_std_, divided.noise_std_ * RMS, rtol=5e-3)
    assert_allclose(
        model.log_evidence_, divided.log_evidence_ - np.log(SIGMA).sum(), rtol=1e-4, atol=1e-2
    )


@meanings
def test_the_bound_is_one_of_the_density_of_the_targets(meaning):
    inference = Variational(
        weight_hyperprior=PRIOR, noise_hyperprior=None if meaning is None else PRIOR
    )
    model = SparseBayesRegressor(
        Linear(), fit_intercept=False, inference=inference, noise_std=meaning
    )
    model.fit(TABLE, LINEAR, noise_std=SIGMA)
    q_w = model.weights_, model.covariance_
    shape = 0.1 + 0.5
    q_alpha = shape, shape / model.weight_precision_
    p_alpha = PRIOR.shape, PRIOR.rate
    unit = np.sqrt(80 / np.sum(SIGMA**-2.0))
    design, target = TABLE * (unit / SIGMA)[:, None], LINEAR * (unit / SIGMA)
    if meaning is None:
        expected = reference.fixed_noise_bound(design, target, q_w, q_alpha, unit**-2, p_alpha)
    else:
        found, ratio = model.noise_posterior_, RMS / unit
        q_tau = found.shape, found.rate / ratio**2
        expected = reference.regression_bound(design, target, q_w, q_alpha, q_tau, p_alpha, p_alpha)
    expected += np.log(unit / SIGMA).sum()
    assert_allclose(model.lower_bound_, expected, atol=2e-3)


@inferences
@meanings
def test_equal_noise_of_all_rows_is_one_number(inference, meaning):
    model = RVR(gamma=0.1, inference=inference, noise_std=meaning)
    model.fit(X, Y, noise_std=np.full(80, 0.2))
    plain = RVR(gamma=0.1, inference=inference, noise_std=0.2 if meaning is None else None)
    plain.fit(X, Y)
    for found, expected in zip(
        model.predict(NEW, return_std=True), plain.predict(NEW, return_std=True), strict=True
    ):
        assert_allclose(found, expected, rtol=1e-6, atol=1e-9)
    assert_allclose(model.log_evidence_, plain.log_evidence_, rtol=1e-9)


@inferences
@meanings
@both
def test_units_do_not_matter(kind, inference, meaning):
    inference = "variational" if inference == INFERENCES["variational"] else inference
    model = kind(inference=inference, noise_std=meaning)
    small = clone(model).fit(X, Y, noise_std=SIGMA)
    large = clone(model).fit(X, 1024.0 * Y, noise_std=1024.0 * SIGMA)
    assert_allclose(large.predict(NEW), 1024.0 * small.predict(NEW), rtol=1e-6, atol=1e-6)
    assert_allclose(large.noise_std_, 1024.0 * small.noise_std_, rtol=1e-6)
    assert_allclose(large.log_evidence_, small.log_evidence_ - 80 * np.log(1024.0), rtol=1e-6)


def test_only_ratios_matter_where_a_factor_is_estimated():
    model = RVR(noise_std="factor")
    once, more = (clone(model).fit(X, Y, noise_std=each * SIGMA) for each in (1.0, 8.0))
    assert_allclose(more.predict(NEW), once.predict(NEW), rtol=1e-9)
    assert_allclose(more.noise_std_, once.noise_std_, rtol=1e-9)
    assert_allclose(more.log_evidence_, once.log_evidence_, rtol=1e-9)


@meanings
def test_a_new_target_has_the_root_mean_square_of_the_noise(meaning):
    model = RVR(noise_std=meaning).fit(X, Y, noise_std=SIGMA)
    assert_allclose(model.noise_std_, RMS, rtol=1e-12 if meaning is None else 0.2)
    far = model.predict([[1e3]], return_std=True)[1]
    assert far > model.noise_std_
    weighted = RVR(noise_std=meaning).fit(X, Y, sample_weight=SIGMA > 0.1, noise_std=SIGMA)
    assert_allclose(weighted.noise_std_, 0.3, rtol=1e-12 if meaning is None else 0.3)


@inferences
def test_equal_rows_of_different_noise_count_by_their_precisions(inference):
    """Two rows of noise s and t say what one row of precision 1 / s^2 + 1 / t^2 says."""
    one = RVR(gamma=0.1, inference=inference)
    model = clone(one).fit(
        np.vstack([X, X[:5]]), np.r_[Y, Y[:5]], noise_std=np.r_[SIGMA, np.full(5, 0.4)]
    )
    sigma = SIGMA.copy()
    sigma[:5] = (sigma[:5] ** -2 + 0.4**-2) ** -0.5
    expected = clone(one).fit(X, Y, noise_std=sigma)
    tolerance = {"rtol": 2e-2, "atol": 2e-3}  # the broad priors of "variational" differ a little
    assert_allclose(model.predict(NEW), expected.predict(NEW), **tolerance)


@inferences
@meanings
def test_a_weight_of_two_is_the_row_twice(inference, meaning):
    model = RVR(gamma=0.1, inference=inference, noise_std=meaning)
    count = np.where(np.arange(80) % 3, 1, 2)
    rows = np.repeat(np.arange(80), count)
    weighted = clone(model).fit(X, Y, sample_weight=count, noise_std=SIGMA)
    repeated = clone(model).fit(X[rows], Y[rows], noise_std=SIGMA[rows])
    assert_allclose(weighted.predict(NEW), repeated.predict(NEW), rtol=1e-6, atol=1e-9)
    assert_allclose(weighted.log_evidence_, repeated.log_evidence_, rtol=1e-9)


def test_known_noise_is_better_than_one_that_is_estimated():
    truth = np.sinc(X[:, 0] / np.pi)
    error = {
        name: np.sqrt(np.mean((model.predict(X) - truth) ** 2))
        for name, model in {
            "estimated": RVR().fit(X, Y),
            "exact": RVR().fit(X, Y, noise_std=SIGMA),
            "factor": RVR(noise_std="factor").fit(X, Y, noise_std=SIGMA),
        }.items()
    }
    assert max(error["exact"], error["factor"]) < error["estimated"]


# Several outputs, many rows, searches and pipelines.

OTHER = np.cos(X[:, 0] / 2.0) + SIGMA * RANDOM.normal(size=80)
TWO = np.column_stack([Y, 100.0 * OTHER])


@pytest.mark.parametrize("inference", ["fast", "projection"])
def test_outputs_that_share_precisions_take_a_factor_each(inference):
    model = RVR(gamma=0.1, inference=inference, noise_std="factor").fit(X, TWO, noise_std=SIGMA)
    single = RVR(gamma=0.1, inference=inference, noise_std="factor").fit(X, Y, noise_std=SIGMA)
    assert model.noise_std_.shape == (2,)
    assert_allclose(model.noise_std_[0], single.noise_std_, rtol=0.1)
    units = clone(model).fit(X, TWO * [1.0, 0.01], noise_std=SIGMA)
    assert_allclose(units.predict(NEW)[:, 1] * 100.0, model.predict(NEW)[:, 1], rtol=1e-6)
    assert_allclose(units.log_evidence_ - model.log_evidence_, 80 * np.log(100.0), rtol=1e-6)


def test_outputs_that_share_precisions_refuse_exact_noise():
    with pytest.raises(ValueError, match='noise_std="factor" in the constructor'):
        RVR().fit(X, TWO, noise_std=SIGMA)


@meanings
def test_outputs_that_are_fitted_for_themselves_take_both(meaning):
    model = RVR(gamma=0.1, multi_output="separate", noise_std=meaning)
    model.fit(X, np.column_stack([Y, OTHER]), noise_std=SIGMA)
    single = RVR(gamma=0.1, noise_std=meaning).fit(X, Y, noise_std=SIGMA)
    assert_allclose(model.predict(NEW)[:, 0], single.predict(NEW), rtol=1e-6, atol=1e-9)


@pytest.mark.slow
@meanings
@pytest.mark.long
def test_many_rows(meaning):
    random = np.random.default_rng(1)
    inputs = random.uniform(-10.0, 10.0, (12_000, 1))
    sigma = np.where(inputs[:, 0] < 0.0, 0.05, 0.5)
    y = np.sinc(inputs[:, 0] / np.pi) + sigma * random.normal(size=12_000)
    model = RVR(gamma=0.1, noise_std=meaning).fit(inputs, y, noise_std=sigma)
    few = RVR(gamma=0.1, noise_std=meaning).fit(inputs[::4], y[::4], noise_std=sigma[::4])
    assert_allclose(model.noise_std_, np.sqrt(np.mean(sigma**2)), rtol=0.03)
    inside = NEW[1:-1]
    assert_allclose(model.predict(inside), few.predict(inside), atol=0.05)
    assert_allclose(model.log_evidence_, 4.0 * few.log_evidence_, rtol=0.05)


def test_a_pipeline_passes_it_on():
    pipe = Pipeline([("scale", StandardScaler()), ("model", RVR())])
    pipe.fit(X, Y, model__noise_std=SIGMA)
    expected = RVR().fit(StandardScaler().fit_transform(X), Y, noise_std=SIGMA)
    assert_array_equal(pipe.predict(X), expected.predict(pipe[:-1].transform(X)))


def test_a_search_passes_it_on():
    search = EvidenceSearch(RVR(), {"gamma": [0.01, 0.1]}).fit(X, Y, noise_std=SIGMA)
    assert_allclose(search.best_estimator_.noise_std_, RMS)


# What is refused.


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (SIGMA[:-1], r"shape \(80,\).*got the shape \(79,\)"),
        (0.1, r"One number for all rows belongs in the constructor"),
        (SIGMA[:, None], r"got the shape \(80, 1\)"),
        (np.where(np.arange(80) == 7, 0.0, SIGMA), "got 0.0 in row 7"),
        (-SIGMA, "positive numbers"),
        (np.where(np.arange(80) == 7, np.nan, SIGMA), "got nan in row 7"),
        (np.where(np.arange(80) == 7, np.inf, SIGMA), "got inf in row 7"),
        (["a"] * 80, "must hold numbers"),
    ],
)
def test_bad_noise_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        RVR().fit(X, Y, noise_std=given)


def test_noise_is_given_once():
    with pytest.raises(ValueError, match=r"given twice: as 0\.1 for all rows"):
        RVR(noise_std=0.1).fit(X, Y, noise_std=SIGMA)
    with pytest.raises(ValueError, match=r"pass fit\(X, y, noise_std=sigma\)"):
        RVR(noise_std="factor").fit(X, Y)
    with pytest.raises(ValueError, match="partial_fit does not take"):
        RVR(noise_std="factor").partial_fit(X, Y)
    with pytest.raises(ValueError, match="noise_std must be None, 'factor' or a positive number"):
        RVR(noise_std="exact").fit(X, Y, noise_std=SIGMA)


# Weights that are no numbers of rows are scaled, and that is told.

SCALED = {
    "precisions": (SIGMA**-2.0, r"by 0\.002567\. .*sum to 42\.22"),
    "tenths": (np.full(80, 0.1), r"by 10\. .*sum to 80,"),
    "shares": (np.full(80, 1.0 / 80.0), r"by 80\. .*sum to 80,"),
    "half of them zero": (np.where(X[:, 0] < 0.0, 0.0, 7.5), r"by 0\.1333\. .*sum to 40,"),
    "one for all": (0.1, r"by 10\. .*sum to 80,"),
}
COUNTS = {
    "none": None,
    "integers": np.full(80, 100),
    "integers as floats": np.where(X[:, 0] < 0.0, 1.0, 4.0),
    "zero and one": (X[:, 0] < 9.0).astype(float),
    "nearly one": RANDOM.uniform(0.99, 1.01, 80),
}


@pytest.mark.parametrize(("weight", "words"), SCALED.values(), ids=SCALED)
def test_scaled_weights_are_told_once(weight, words):
    with pytest.warns(UserWarning, match=words) as seen:
        model = RVR().fit(X, Y, sample_weight=weight)
    told = [each for each in seen if "sample_weight was multiplied" in str(each.message)]
    assert len(told) == 1
    assert told[0].filename == __file__
    assert "noise_std=sigma" in str(told[0].message)
    assert np.isfinite(model.predict(NEW)).all()


@pytest.mark.parametrize(("weight", "words"), SCALED.values(), ids=SCALED)
def test_scaled_weights_of_classes_have_no_noise(weight, words):
    with pytest.warns(UserWarning, match=words) as seen:
        RVC().fit(X, Y > 0.2, sample_weight=weight)
    told = [each for each in seen if "sample_weight was multiplied" in str(each.message)]
    assert len(told) == 1
    assert told[0].filename == __file__
    assert "noise_std" not in str(told[0].message)


@pytest.mark.parametrize("weight", COUNTS.values(), ids=COUNTS)
def test_counts_are_no_reason_to_warn(weight):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RVR().fit(X, Y, sample_weight=weight)


def test_weights_of_classes_are_not_meant():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RVC(class_weight={0: 0.1, 1: 0.1}, gamma=0.1).fit(*rare(0, 100, 30))


# Targets in single precision.


@pytest.mark.parametrize("model", [RVR(), SparseBayesRegressor()], ids=["RVR", "any basis"])
@pytest.mark.parametrize("inference", ["fast", "projection", "variational"])
def test_targets_in_single_precision_raise_no_warning(model, inference):
    model = clone(model).set_params(inference=inference)
    for y in (Y, TWO, 1e30 * Y, 1e-30 * Y):
        if y.ndim == 2 and not model.__sklearn_tags__().target_tags.multi_output:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            warnings.simplefilter("ignore", ConvergenceWarning)
            single = clone(model).fit(X.astype(np.float32), y.astype(np.float32))
        double = clone(model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            double.fit(X.astype(np.float32), y.astype(np.float32).astype(np.float64))
        assert_array_equal(single.predict(NEW), double.predict(NEW))


# Weights of classes.


def rare(seed, n_rows, n_rare):
    """Two overlapping classes, one of them rare; two of five inputs tell them apart."""
    random = np.random.default_rng(seed)
    inputs = random.normal(size=(n_rows, 5))
    inputs[:n_rare, :2] += 1.7
    return inputs, np.repeat([1, 0], [n_rare, n_rows - n_rare])


@pytest.mark.parametrize("more", [{}, {"multi_class": "ovr"}, {"inference": "fast"}])
def test_weights_of_classes_leave_learned_scales_alone(more):
    inputs, y = rare(0, 200, 15)
    y[inputs[:, 2] > 1.0] = 2 if "multi_class" in more else 0
    plain, balanced = (RVC(class_weight=each, **more).fit(inputs, y) for each in (None, "balanced"))
    assert_array_equal(balanced.gamma_, plain.gamma_)
    assert balanced.predict_proba(inputs)[:, 1].mean() > plain.predict_proba(inputs)[:, 1].mean()


def test_a_class_of_no_weight_has_no_part_in_scales():
    inputs, y = rare(0, 200, 60)
    y[150:] = 2
    some = RVC(class_weight={2: 0.0}).fit(inputs, y)
    assert_array_equal(some.gamma_, RVC().fit(inputs[:150], y[:150]).gamma_)


@pytest.mark.slow
def test_weights_of_classes_hardly_change_the_order_of_rows():
    """20 rows that count as 300 would otherwise be learned by heart: 0.898 instead of 0.952."""
    new, expected = rare(1000, 20_000, 10_000)
    plain, balanced = (
        roc_auc_score(
            expected, RVC(class_weight=each).fit(*rare(0, 600, 20)).decision_function(new)
        )
        for each in (None, "balanced")
    )
    assert balanced > plain - 0.01
