"""Estimators with inference="projection"."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from projection_parts import GAMMA, LABELS, NEW, N, X, Y, kernel, problem, spread_at
from scipy.sparse import csr_array
from sklearn.base import clone, is_classifier
from sklearn.datasets import make_friedman1, make_moons
from sklearn.exceptions import ConvergenceWarning

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    EvidenceSearch,
    GaussianKernel,
    Linear,
    Outcome,
    Projection,
    SparseBayesRegressor,
)
from sparsebayes.dense.fit import fit_dense
from sparsebayes.estimators.evidence_search import OCCAM_FACTOR
from sparsebayes.likelihoods import Gaussian

pytestmark = pytest.mark.slow

MOONS, SIDES = make_moons(120, noise=0.35, random_state=0)
FRIEDMAN = make_friedman1(150, noise=1.0, random_state=0)
MODELS = {
    "RVR": (RVR(inference=Projection()), *FRIEDMAN),
    "RVC": (RVC(inference=Projection()), MOONS, SIDES),
}
models = pytest.mark.parametrize(("model", "inputs", "y"), MODELS.values(), ids=MODELS)
not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def latent(model, inputs):
    if is_classifier(model):
        return model.latent_mean_and_variance(inputs)[0]
    return model.predict(inputs)


def process(target):
    """The dense model of the default: a kernel, and no bias."""
    return fit_dense(problem(target, Gaussian(), np.ones(N), basis=GaussianKernel(GAMMA**-0.5)))


def test_verbose_tells_of_the_dense_model(capsys):
    model = RVR(gamma=GAMMA, inference="projection", verbose=1).fit(X, Y)
    size = process(Y - Y.mean()).columns.n_columns
    told = f"RVR dense model: {size} columns, log evidence {model.log_evidence_:.6g}"
    assert told in capsys.readouterr().out


@pytest.mark.slow
@models
def test_more_fidelity_is_nearer_to_the_dense_model_with_more_vectors(model, inputs, y):
    found = [
        clone(model).set_params(inference__fidelity=f).fit(inputs, y) for f in (1.0, 30.0, 1e6)
    ]
    few, more, all_ = (latent(each, inputs) for each in found)
    sizes = [len(each.relevance_) for each in found]
    assert sizes[0] <= sizes[1] <= sizes[2] < len(y)
    assert sizes[0] < sizes[2]
    assert np.std(few - all_) > 2.0 * np.std(more - all_)
    assert np.std(more - all_) < 0.1 * np.std(all_)


def test_without_limit_it_is_the_gaussian_process():
    """Its mean by the vectors; its spread by the vectors where they have to do without covering."""
    model = RVR(gamma=GAMMA, inference=Projection(fidelity=1e8), fit_intercept="column").fit(X, Y)
    dense = fit_dense(problem(Y, Gaussian(), np.ones(N)))
    design = dense.columns.evaluate(NEW)
    inside = np.abs(NEW[:, 0]) <= 10.0
    expected = (design @ dense.posterior.mean)[inside, 0]
    assert_allclose(model.predict(NEW)[inside], expected, atol=1e-3)
    std = np.sqrt(np.diag(spread_at(dense, NEW)) + dense.noise_variance)
    mean, found = model.drop_covering().predict(NEW, return_std=True)
    assert_allclose(found[inside], std[inside], rtol=1e-2)
    assert_allclose(mean[inside], expected, atol=1e-3)
    assert_allclose(model.log_evidence_, dense.log_evidence, rtol=1e-12)


def test_error_bars_are_those_of_the_process_up_to_a_tenth_of_the_noise():
    """On average over training rows: that much of the variance covering rows may leave."""
    model = RVR(gamma=GAMMA, inference="projection").fit(X, Y)
    dense = process(Y - Y.mean())
    prior = dense.prior_variance[0] * kernel(X, X)
    noise = dense.noise_variance
    spread = prior - prior @ np.linalg.solve(prior + noise * np.eye(N), prior)
    latent = model.predict(X, return_std=True)[1] ** 2 - model.noise_std_**2
    more = latent - np.diag(spread)
    assert -0.01 * noise < more.mean() < 0.1 * noise
    assert np.all(np.sqrt(latent + noise) > 0.95 * np.sqrt(np.diag(spread) + noise))
    far = model.predict([[1e3]], return_std=True)
    assert_allclose(far[0], Y.mean(), rtol=1e-12)
    assert_allclose(far[1], np.sqrt(dense.prior_variance[0] + model.noise_std_**2), rtol=1e-6)


@not_converged
def test_pure_noise_has_no_vectors_where_the_evidence_keeps_many():
    random = np.random.default_rng(0)
    inputs, noise = random.uniform(-10, 10, (100, 1)), random.normal(size=100)
    assert len(RVR(gamma=10.0, inference="fast").fit(inputs, noise).relevance_) > 10
    model = RVR(gamma=10.0, inference="projection").fit(inputs, noise)
    assert model.outcome_ is Outcome.NOTHING_RELEVANT
    assert len(model.relevance_) == 0
    assert_allclose(model.noise_std_, np.std(noise), rtol=0.05)


@pytest.mark.parametrize("min_gain", [2.0, 8.0, 20.0])
@models
def test_a_price_does_not_make_more_vectors(model, inputs, y, min_gain):
    """But for one or two, as the search is a greedy one."""
    free, dear = (
        clone(model).set_params(inference__min_gain=price).fit(inputs, y)
        for price in (0.0, min_gain)
    )
    assert len(dear.relevance_) <= len(free.relevance_) + 2


def test_units_and_order_do_not_matter():
    inputs, y = FRIEDMAN
    expected = RVR(inference="projection").fit(inputs, y).predict(inputs)
    order = np.random.default_rng(0).permutation(len(y))
    found = RVR(inference="projection").fit(1e3 * inputs[order], 1e-5 * y[order])
    assert_allclose(1e5 * found.predict(1e3 * inputs), expected, rtol=1e-5)


def test_linear_columns_each_have_their_own_precision():
    inputs, y = FRIEDMAN
    basis = GaussianKernel(input_scale="learn") + Linear() + Bias(centre_target=False)
    model = SparseBayesRegressor(basis, inference=Projection(fidelity=3.0)).fit(inputs, y)
    weight = dict(zip(model.column_names_, model.weights_, strict=True))
    assert 8.0 < weight["x3"] < 12.0  # 10 x3 is the linear term of Friedman's function
    assert abs(weight.get("x9", 0.0)) < 1.0


@pytest.mark.parametrize("unit", [1e-8, 1.0, 1e8])
def test_columns_of_zeros_do_no_harm(unit):
    inputs, basis = np.column_stack([X[:, 0], np.zeros(N)]), Linear() + Bias()
    model = SparseBayesRegressor(basis, inference="projection").fit(inputs, unit * (X[:, 0] + Y))
    assert model.column_names_[0] == "x0"
    assert np.isfinite(model.predict(inputs, return_std=True)).all()


def test_three_classes_can_be_each_against_the_rest():
    random = np.random.default_rng(0)
    inputs = random.normal(size=(150, 2))
    y = np.digitize(inputs[:, 0] + 0.3 * random.normal(size=150), [-0.5, 0.5])
    model = RVC(inference="projection", gamma=0.5, multi_class="ovr").fit(inputs, y)
    assert model.score(inputs, y) > 0.75
    assert model.predict_proba(inputs).shape == (150, 3)
    first = RVC(inference="projection", gamma=0.5).fit(inputs, y == 0)
    assert_allclose(
        model.latent_mean_and_variance(inputs)[0][:, 0],
        first.latent_mean_and_variance(inputs)[0],
        rtol=1e-9,
    )


WAYS = {
    "few centres": (RVR(gamma=0.1, centres=20), X),
    "given centres": (RVR(gamma=0.1, centres=np.linspace(-10, 10, 15)[:, None]), X),
    "precomputed": (RVR(kernel="precomputed"), kernel(X, X)),
    "a function": (RVR(kernel=kernel), X),
    "spline": (RVR(kernel="linear_spline"), X),
    "spline, a covariance": (RVR(kernel="linear_spline"), X + 10.0),
    "sparse inputs": (RVR(gamma=0.1), csr_array(X)),
    "several widths": (
        SparseBayesRegressor(GaussianKernel([1.0, 3.0], input_scale="learn") + Bias()),
        X,
    ),
    "a price": (RVR(gamma=0.1, inference=Projection(min_gain=2.0)), X),
    "small memory": (RVR(gamma=0.1, cache_size=1e-6), X),
    "a bias that is a column": (RVR(gamma=0.1, fit_intercept="column"), X),
}


def fitted_way(name):
    model, inputs = WAYS[name]
    model = clone(model)
    if model.inference in ("fast", "auto"):
        model.set_params(inference="projection")
    return model.fit(inputs, Y), inputs


ways = pytest.mark.parametrize("name", WAYS)


@ways
def test_other_ways_to_ask_for_columns(name):
    model, inputs = fitted_way(name)
    mean, std = model.predict(inputs, return_std=True)
    assert np.sqrt(np.mean((mean - Y) ** 2)) < 0.15
    assert np.all((std > 0.05) & (std < 0.3))
    assert model.sample_y(inputs, 3).shape == (N, 3)
    assert_allclose(np.diag(model.predict(inputs, return_cov=True)[1]), std**2, rtol=1e-8)


@ways
def test_all_ways_but_one_have_the_error_bars_of_a_process(name):
    """The spline is no covariance where inputs are negative."""
    model, inputs = fitted_way(name)
    assert hasattr(model, "covering_") == (name != "spline")
    if name != "spline":
        assert np.all(model.novelty(inputs) < 0.5)


@models
def test_pickles(model, inputs, y):
    fitted = clone(model).set_params(gamma=0.3).fit(inputs, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(latent(again, inputs), latent(fitted, inputs))


def test_weights_of_classes():
    plain = RVC(gamma=0.3, inference="projection").fit(MOONS, SIDES)
    heavy = clone(plain).set_params(class_weight={0: 1.0, 1: 10.0}).fit(MOONS, SIDES)
    assert np.mean(heavy.predict(MOONS)) > np.mean(plain.predict(MOONS))


@pytest.mark.slow
def test_many_rows():
    """More than precisions are found from, and more than are centres."""
    random = np.random.default_rng(0)
    inputs = random.uniform(-10, 10, (2500, 1))
    truth = np.sinc(inputs[:, 0] / np.pi)
    model = RVR(gamma=0.1, centres=300, inference="projection")
    model.fit(inputs, truth + random.normal(0.0, 0.1, 2500))
    assert np.sqrt(np.mean((model.predict(inputs) - truth) ** 2)) < 0.02
    assert_allclose(model.noise_std_, 0.1, rtol=0.05)
    assert len(model.relevance_) < 20


@pytest.mark.parametrize("model", [RVR(), RVC()], ids=["RVR", "RVC"])
def test_a_bad_fidelity_is_refused_by_fit(model):
    with pytest.raises(ValueError, match=r"fidelity must be a positive number up to 1e\+12, got"):
        clone(model).set_params(inference=Projection(fidelity=-1.0)).fit(X, LABELS)


def test_a_dense_model_that_passes_through_the_targets_is_told():
    with pytest.warns(ConvergenceWarning, match="passes through the training targets"):
        RVR(gamma=3.0, inference="projection").fit(*FRIEDMAN)


@not_converged
def test_exact_targets_are_told_and_a_given_noise_helps():
    exact = np.sinc(X[:, 0] / np.pi)
    model = RVR(gamma=GAMMA, inference="projection").fit(X, exact)
    assert model.outcome_ is Outcome.NOISE_VANISHED
    finer = RVR(gamma=GAMMA, inference="projection", noise_std=1e-4).fit(X, exact)
    assert np.abs(finer.predict(X) - exact).max() < 2e-4
    assert finer.noise_std_ == 1e-4


@not_converged
def test_its_evidence_can_choose_a_width():
    grid = {"gamma": [1e-4, 0.1, 30.0]}
    search = EvidenceSearch(RVR(inference="projection"), grid).fit(X, Y)
    assert search.best_params_ == {"gamma": 0.1}
    one_precision = search.best_estimator_.log_evidence_ + OCCAM_FACTOR
    assert_allclose(search.best_score_, one_precision, rtol=1e-12)
