"""Estimators that learn kernel widths and input scales from the evidence."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.base import clone, is_classifier
from sklearn.datasets import make_friedman1
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    GaussianKernel,
    Linear,
    Outcome,
    SparseBayesClassifier,
    SparseBayesRegressor,
)
from sparsebayes.basis import LaplacianKernel, LinearSplineKernel, PolynomialKernel
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Gaussian
from sparsebayes.problem import Problem
from sparsebayes.rows import Data
from sparsebayes.scales import learn_scales

pytestmark = pytest.mark.slow

KERNELS = ["rbf", "cauchy", "laplacian", "poly", "sigmoid"]
N = 60


def data(seed, n=N):
    """Three inputs, of which the last one does not matter; a target, and two classes."""
    random = np.random.default_rng(seed)
    inputs = random.uniform(-1.0, 1.0, (n, 3))
    signal = np.sin(3.0 * inputs[:, 0]) + inputs[:, 1]
    target = signal + random.normal(0.0, 0.1, n)
    return inputs, target, (signal + random.normal(0.0, 0.3, n) > 0.0).astype(int)


X, Y, LABELS = data(0)
NEW = data(1)[0][:20]
SEVERAL_LABELS = np.digitize(Y, [-0.6, 0.6])
OUTPUTS = np.column_stack([Y, X[:, 0] * X[:, 1] + 0.1 * data(2)[0][:, 0]])

both = pytest.mark.parametrize("kind", [RVR, RVC])
over_kernels = pytest.mark.parametrize(
    "kernel", [*KERNELS[:-1], pytest.param("sigmoid", marks=pytest.mark.slow)]
)
not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def target_of(estimator):
    return LABELS if is_classifier(estimator) else Y


def fitted(estimator, inputs=X, **options):
    return clone(estimator).fit(inputs, target_of(estimator), **options)


def prediction(model, inputs=NEW):
    return model.predict_proba(inputs)[:, 1] if is_classifier(model) else model.predict(inputs)


def deviation(model, inputs=NEW):
    """Standard deviations of predictions; those of probabilities by the slope of the logistic."""
    if not is_classifier(model):
        return model.predict(inputs, return_std=True)[1]
    mean, variance = model.latent_mean_and_variance(inputs)
    return expit(mean) * expit(-mean) * np.sqrt(variance)


def rms(values):
    return np.sqrt(np.mean(values**2))


def same(found, expected, rtol=1e-6):
    """Relative to the largest prediction."""
    assert_allclose(found, expected, rtol=0.0, atol=rtol * np.abs(expected).max())


@cache
def plain_fit(kind, kernel="rbf", gamma="ard"):
    return fitted(tight(kind, kernel, gamma))


def tight(kind, kernel="rbf", gamma="ard"):
    """Ends differ by what is still to come, so that fits are taken to theirs."""
    return kind(kernel, gamma=gamma, coef0=1.0, tol=1e-5)


# What gamma may be.


@both
@over_kernels
def test_one_scale_is_learned_or_one_for_each_input(kind, kernel):
    one = fitted(kind(kernel, gamma="learn", coef0=1.0)).gamma_
    assert np.ndim(one) == 0
    assert 0.0 < one < np.inf
    each = plain_fit(kind, kernel).gamma_
    assert each.shape == (3,)
    assert np.all((each > 0.0) & (each < np.inf))


@pytest.mark.parametrize(
    ("machine", "over_basis"), [(RVR, SparseBayesRegressor), (RVC, SparseBayesClassifier)]
)
@pytest.mark.parametrize("inference", ["fast", "projection"])
def test_one_for_each_input_is_the_default_of_machines_and_of_the_basis(
    machine, over_basis, inference
):
    one = fitted(machine(kernel="rbf", inference=inference))
    other = fitted(over_basis(inference=inference))
    assert one.gamma == "ard"
    assert_array_equal(prediction(one), prediction(other))
    assert one.log_evidence_ == other.log_evidence_
    assert_array_equal(one.input_relevance_, other.input_relevance_)


@not_converged
@both
@pytest.mark.parametrize(
    ("kernel", "power"), [("rbf", 2), ("cauchy", 2), ("laplacian", 1), ("poly", 2), ("sigmoid", 2)]
)
def test_a_given_gamma_for_each_input_is_used_as_it_is(kind, kernel, power):
    gamma = np.array([0.4, 0.025, 0.1])
    given = fitted(kind(kernel, gamma=gamma, coef0=1.0))
    assert_allclose(given.gamma_, gamma, rtol=1e-12)
    scale = gamma ** (1.0 / power)
    one = fitted(kind(kernel, gamma=1.0, coef0=1.0), X * scale)
    rtol = 1e-6 if kernel in ("poly", "sigmoid") else 1e-8
    same(prediction(given), prediction(one, NEW * scale), rtol)
    assert not hasattr(given, "input_relevance_")


@both
@pytest.mark.parametrize(
    ("gamma", "words"),
    [
        ("ARD", "gamma must be .*'ard'.*got 'ARD'"),
        (-1.0, "gamma must be .*got -1.0"),
        ([1.0, -1.0, 1.0], r"gamma, if one for each input, .*got \[1.0, -1.0, 1.0\]"),
        ([], r"gamma, if one for each input, .*got \[\]"),
        ([1.0, 4.0], r"gamma, if one for each input, .*got \[1.0, 4.0\]"),
    ],
)
@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_bad_gammas(kind, kernel, gamma, words):
    with pytest.raises(ValueError, match=words):
        fitted(kind(kernel, gamma=gamma))


# The basis at the end.

BASES = {
    "learned": GaussianKernel("learn") + Bias(),
    "ard": GaussianKernel(input_scale="learn") + Bias(),
    "learned dictionary": GaussianKernel([1.0, 2.0, 4.0], input_scale="learn") + Bias(),
    "sum": LaplacianKernel(input_scale="learn") + PolynomialKernel(2, "learn") + Linear(),
}


@pytest.mark.parametrize("kind", [SparseBayesRegressor, SparseBayesClassifier])
@pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
def test_the_basis_at_the_end_has_the_columns_of_the_model_and_can_be_fitted_again(kind, basis):
    """With nothing left to learn. Its search starts elsewhere, and ends at a model as good."""
    model = fitted(kind(basis))
    columns = model.basis_.bind(X, np.ones(N))
    assert len(columns.log_scales) == 0
    names = columns.names(["x0", "x1", "x2"])
    where = np.array([names.index(name) for name in model.column_names_])
    latent = columns.evaluate(NEW, where) @ model.weights_
    if kind is SparseBayesClassifier:
        same(latent, model.latent_mean_and_variance(NEW)[0], rtol=1e-9)
    else:
        same(latent + model.offset_, model.predict(NEW), rtol=1e-9)
    again = fitted(kind(model.basis_))
    assert again.basis_.get_params().keys() == model.basis_.get_params().keys()
    assert rms(prediction(again) - prediction(model)) < rms(deviation(model))


def test_a_spline_whose_centres_are_positive_and_whose_inputs_are_not():
    """It is no covariance then, and learning other scales must not take it for one."""
    inputs = np.linspace(-6.0, 6.0, 60)[:, None]
    noise = 0.1 * np.random.default_rng(0).normal(size=60)
    spline = LinearSplineKernel(centres=np.array([[0.0], [1.0], [2.0], [4.0]]))
    model = SparseBayesRegressor(spline + GaussianKernel("learn"))
    target = np.where(inputs[:, 0] > 0.0, 5.0 * inputs[:, 0], inputs[:, 0]) + noise
    assert model.fit(inputs, target).score(inputs, target) > 0.99


def test_columns_without_a_scale_do_not_stop_the_others():
    """Linear columns beside kernels, each kernel with scales of its own."""
    basis = GaussianKernel(input_scale="learn") + GaussianKernel("learn") + Linear() + Bias()
    model = SparseBayesRegressor(basis).fit(X, Y)
    parts = dict(model.basis_.parts)
    assert parts["gaussiankernel-1"].input_scale.shape == (3,)
    assert parts["gaussiankernel-2"].input_scale is None
    assert isinstance(parts["gaussiankernel-2"].width, float)
    assert np.mean((model.predict(X) - Y) ** 2) < 0.02


# What must not matter.

UNITS = np.array([1e5, 1e-4, 1e2])


@both
@pytest.mark.parametrize("kernel", KERNELS[:-1])
def test_units_of_each_input_do_not_matter(kind, kernel):
    model, other = plain_fit(kind, kernel), fitted(tight(kind, kernel), X * UNITS)
    same(prediction(other, NEW * UNITS), prediction(model))
    power = 1 if kernel == "laplacian" else 2
    assert_allclose(other.gamma_ * UNITS**power, model.gamma_, rtol=1e-9)
    assert_allclose(other.input_relevance_, model.input_relevance_, rtol=1e-4, atol=1e-6)


def test_a_common_unit_and_that_of_the_target_do_not_matter_to_one_scale():
    model, other = plain_fit(RVR, "rbf", "learn"), tight(RVR, gamma="learn").fit(X * 1e6, 1e5 * Y)
    same(other.predict(NEW * 1e6), 1e5 * model.predict(NEW))
    assert_allclose(other.gamma_ * 1e12, model.gamma_, rtol=1e-9)


@both
@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "poly"])
def test_constant_inputs_have_no_scale_and_no_influence(kind, kernel):
    wide = np.column_stack([X[:, 0], np.full(N, 0.1), X[:, 1]])
    model = fitted(kind(kernel, coef0=1.0), wide)
    assert model.gamma_[1] == model.input_relevance_[1] == 0.0
    assert np.all(model.gamma_[[0, 2]] > 0.0)
    moved = wide[:5] + np.array([0.0, 1e3, 0.0])
    assert_allclose(prediction(model, moved), prediction(model, wide[:5]), rtol=1e-9)


@both
@pytest.mark.parametrize("kernel", ["rbf", "cauchy", "laplacian"])
def test_a_constant_input_more_changes_nothing(kind, kernel):
    model = plain_fit(kind, kernel)
    wide, new = (np.insert(inputs, [1, 3], 7.0, axis=1) for inputs in (X, NEW))
    other = fitted(tight(kind, kernel), wide)
    same(prediction(other, new), prediction(model), rtol=1e-9)
    assert_allclose(other.gamma_, np.insert(model.gamma_, [1, 3], 0.0), rtol=1e-12)


def with_codes(seed, n, column, code):
    """Four inputs, of which the first two matter; one row in fifteen has a code in one of them."""
    random = np.random.default_rng(seed)
    inputs = random.normal(size=(n, 4))
    truth = np.sin(2.0 * inputs[:, 0]) + 0.5 * inputs[:, 1]
    coded = np.arange(n) % 15 == 0
    inputs[coded, column] = code
    return inputs, truth + 0.1 * random.normal(size=n), truth, coded


def errors_with_codes(column, code):
    """Root of the mean squared error of new rows without and with a code."""
    inputs, target, _, _ = with_codes(1, 150, column, code)
    new, _, truth, coded = with_codes(2, 1500, column, code)
    missed = (RVR().fit(inputs, target).predict(new) - truth) ** 2
    return np.sqrt(missed[~coded].mean()), np.sqrt(missed[coded].mean())


@pytest.mark.parametrize("column", [0, 1, 3])
@pytest.mark.parametrize("code", [-99.0, -999.0, 1e6])
def test_a_few_codes_do_not_spoil_the_rows_that_have_none(column, code):
    without, _ = errors_with_codes(column, code)
    assert without < 0.15


@pytest.mark.parametrize("code", [-99.0, -999.0])
def test_a_few_codes_in_an_input_that_does_not_matter_do_not_spoil_their_rows(code):
    """From a scale of the spread of all values, codes included, the error is 0.1."""
    _, coded = errors_with_codes(3, code)
    assert coded < 0.3


def test_rows_in_chunks():
    chunked = tight(RVR).set_params(cache_size=0.01).fit(X, Y)
    same(chunked.predict(NEW), plain_fit(RVR).predict(NEW))


# Which inputs matter.


@pytest.mark.slow
def test_inputs_that_do_not_matter_hardly_count_and_a_scale_for_each_is_worth_it():
    """Friedman's function of five inputs among ten, and among twenty."""
    inputs, target = make_friedman1(240, n_features=10, noise=1.0, random_state=0)
    new, truth = make_friedman1(1000, n_features=10, random_state=100)
    noise = np.random.default_rng(0).uniform(size=(1240, 10))
    model, plain = RVR().fit(inputs, target), RVR(gamma="scale").fit(inputs, target)
    more = RVR().fit(np.hstack([inputs, noise[:240]]), target)
    share = more.input_relevance_
    assert share[:5].min() > 0.05
    assert share[5:].max() < 0.01 * share.max()
    error, without = (np.mean((each.predict(new) - truth) ** 2) for each in (model, plain))
    with_more = np.mean((more.predict(np.hstack([new, noise[240:]])) - truth) ** 2)
    assert 4.0 * max(error, with_more) < without


@pytest.mark.parametrize("seed", range(4))
def test_no_input_that_matters_is_lost_among_twenty_that_do_not(seed):
    """An input that is lost when scales are learned from few rows makes the error 2.8."""
    inputs, target = make_friedman1(240, n_features=30, noise=1.0, random_state=seed)
    new, truth = make_friedman1(1000, n_features=30, random_state=100 + seed)
    assert np.mean((RVR().fit(inputs, target).predict(new) - truth) ** 2) < 0.8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("estimator", "target"),
    [
        (RVR(), OUTPUTS),
        (RVR(multi_output="separate"), OUTPUTS),
        (RVC(multi_class="ovr"), SEVERAL_LABELS),
        (RVC(multi_class="softmax"), SEVERAL_LABELS),
        (RVC(multi_class="shared_softmax"), SEVERAL_LABELS),
    ],
    ids=["outputs", "separate outputs", "ovr", "softmax", "shared softmax"],
)
def test_several_classes_and_outputs(estimator, target):
    model = clone(estimator).fit(X, target)
    assert model.gamma_.shape == model.input_relevance_.shape == (3,)
    assert model.input_relevance_[:2].min() > 0.1
    assert model.input_relevance_[2] < 0.1
    assert model.score(X, target) > 0.8


def test_several_outputs_can_have_one_scale():
    model = RVR(gamma="learn").fit(X, OUTPUTS)
    assert np.ndim(model.gamma_) == 0
    assert not hasattr(model, "input_relevance_")
    assert model.score(X, OUTPUTS) > 0.8


def learned(basis, inputs, target):
    """The scales of the dense models of one target or several."""
    columns = basis.bind(inputs, np.ones(len(inputs)))
    problem = Problem(Data(inputs, target, np.ones(len(inputs))), columns, Gaussian())
    return np.exp(learn_scales(problem, Report()).log_scales)


@pytest.mark.parametrize(
    ("inference", "basis"),
    [("fast", BASES["ard"]), ("projection", GaussianKernel(input_scale="learn"))],
)
@pytest.mark.parametrize("multi_output", ["shared", "separate"])
def test_several_outputs_have_their_scales_in_common(inference, basis, multi_output):
    """A projection has no bias next to kernels that fall off to zero."""
    expected = learned(basis, X, OUTPUTS - OUTPUTS.mean(axis=0))
    model = RVR("rbf", multi_output=multi_output, inference=inference).fit(X, OUTPUTS)
    assert_allclose(model.gamma_, expected, rtol=1e-10)


def test_shares_are_only_there_where_they_were_learned():
    assert hasattr(plain_fit(RVR), "input_relevance_")
    for gamma in ("scale", "auto", "learn", 0.3, [1.0, 2.0, 3.0]):
        assert not hasattr(RVR(gamma=gamma).fit(X, Y), "input_relevance_")
    basis = GaussianKernel(width=2.0) + Linear()
    assert not hasattr(SparseBayesRegressor(basis).fit(X, Y), "input_relevance_")


@not_converged
def test_no_input_matters_to_a_constant_or_to_nothing():
    assert_array_equal(RVR().fit(X, np.full(N, 5.0)).input_relevance_, np.zeros(3))
    model = RVR(fit_intercept=False).fit(X, np.zeros(N))
    assert_array_equal(model.input_relevance_, np.zeros(3))


# Functions that need few bends and have little noise.


def straight(n, noise):
    random = np.random.default_rng(0)
    inputs = random.normal(size=(n, 3))
    return inputs, inputs @ np.array([1.0, 2.0, 0.0]) + noise * random.normal(size=n)


def product(n, noise):
    random = np.random.default_rng(0)
    inputs = random.uniform(-1.0, 1.0, (n, 2))
    return inputs, inputs[:, 0] * inputs[:, 1] + noise * random.normal(size=n)


@not_converged
@pytest.mark.parametrize("gamma", ["ard", "learn"])
@pytest.mark.parametrize(
    ("inputs", "target"),
    [straight(60, 0.1), straight(100, 0.01), product(60, 0.1), product(60, 0.0)],
    ids=["straight", "straight and quiet", "product", "product without noise"],
)
def test_smooth_functions(inputs, target, gamma):
    """What a kernel of the width that the inputs suggest can do, learned ones can."""
    plain = RVR(gamma="scale").fit(inputs, target)
    model = RVR(gamma=gamma).fit(inputs, target)
    assert plain.score(inputs, target) > 0.85
    assert model.score(inputs, target) > 0.85
    assert model.log_evidence_ > plain.log_evidence_ - 1.0


# What a fit leaves behind.


@both
def test_a_grid_over_gamma(kind):
    grid = {"gamma": ["ard", 0.1, [1.0, 1.0, 0.0]]}
    search = GridSearchCV(kind(), grid, cv=2).fit(X, target_of(kind()))
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_score_ > 0.7


@both
@pytest.mark.parametrize("inference", ["fast", "variational", "projection"])
def test_the_history_ends_where_the_fit_ends(kind, inference):
    model = fitted(kind(inference=inference))
    assert model.outcome_ is Outcome.CONVERGED
    assert model.score(X, target_of(model)) > (0.75 if kind is RVC else 0.95)
    assert len(model.history_) == model.n_iter_ + 1
    if inference != "projection":
        assert model.history_[-1].log_evidence == model.log_evidence_
        assert model.history_[-1].n_active == len(model.weights_)
    if inference == "variational":
        assert model.history_[-1].lower_bound == model.lower_bound_


class Counter:
    """A callback that counts tasks of a name, and stops at one of them."""

    def __init__(self, task, stop_at=None):
        self.task, self.count, self.stop_at = task, 0, stop_at

    def setup(self, estimator, context):
        self.open = True

    def teardown(self, estimator, context):
        self.open = False

    def on_fit_task_begin(self, estimator, context, **rest):
        pass

    def on_fit_task_end(self, estimator, context, **rest):
        self.count += context.task_name == self.task
        return context.task_name == self.task and self.count == self.stop_at


@both
def test_callbacks_see_every_iteration_and_every_evaluation(kind):
    pytest.importorskip("sklearn.callback")
    iterations, evaluations = Counter("iteration"), Counter("learning scales")
    model = fitted(kind())
    watched = kind().set_callbacks(iterations, evaluations).fit(X, target_of(kind()))
    assert iterations.count >= watched.n_iter_ == model.n_iter_
    assert evaluations.count > 5
    assert not iterations.open
    assert_array_equal(prediction(watched), prediction(model))


@both
def test_a_callback_can_stop_the_fit(kind):
    pytest.importorskip("sklearn.callback")
    model = kind(inference="mackay").set_callbacks(Counter("iteration", stop_at=3))
    with pytest.warns(ConvergenceWarning, match="callback ended the fit"):
        model.fit(X, target_of(model))
    assert model.n_iter_ == 3
    assert np.isfinite(prediction(model)).all()


@both
def test_a_callback_can_stop_learning_and_the_fit_goes_on(kind):
    pytest.importorskip("sklearn.callback")
    counter = Counter("learning scales", stop_at=2)
    model = kind(gamma="ard").set_callbacks(counter).fit(X, target_of(kind()))
    assert counter.count == 2
    assert model.outcome_ is Outcome.CONVERGED


@both
def test_few_iterations_end_with_a_warning(kind):
    model = kind(inference="mackay", max_iter=1)
    with pytest.warns(ConvergenceWarning):
        model.fit(X, target_of(model))
    assert model.n_iter_ == 1
    assert model.gamma_.shape == (3,)
    assert np.isfinite(prediction(model)).all()


def test_verbose_says_how_many_scales(capsys):
    RVR(verbose=1).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "RVR learned 3 scales"
    assert lines[-1].startswith("RVR CONVERGED after")
    RVR(gamma="scale", verbose=1).fit(X, Y)
    assert "scales" not in capsys.readouterr().out


# Hostile data.

RANDOM = np.random.default_rng(5)
HOSTILE = {
    "two rows": (np.array([[0.0, 1.0], [1.0, 1.0]]), [0.0, 1.0], [0, 1]),
    "one feature": (X[:, :1], Y, LABELS),
    "constant target": (X, np.full(N, 3.0), LABELS),
    "duplicate rows": (np.tile(X[:30], (2, 1)), np.tile(Y[:30], 2), np.tile(LABELS[:30], 2)),
    "contradicting rows": (np.tile(X, (2, 1)), np.r_[Y, -Y], np.r_[LABELS, 1 - LABELS]),
    "fewer rows than inputs": (RANDOM.normal(size=(8, 30)), Y[:8], np.arange(8) % 2),
    "collinear inputs": (np.hstack([X, X @ RANDOM.normal(size=(3, 2))]), Y, LABELS),
    "equal inputs": (np.hstack([X, X]), Y, LABELS),
    "units from 1e-12 to 1e12": (X * np.array([1e-12, 1.0, 1e12]), Y, LABELS),
    "units of 1e-100 and 1e100": (X * np.array([1e-100, 1e100, 1.0]), Y, LABELS),
    "separable": (X, np.sign(X[:, 0]), (X[:, 0] > 0).astype(int)),
    "one row of a class": (X, Y, (np.arange(N) == 7).astype(int)),
    "integers": (np.round(3 * X).astype(int), np.round(Y).astype(int), LABELS),
    "an outlying target": (X, np.where(np.arange(N) == 3, 1e6, Y), LABELS),
    "an outlying input": (np.where((np.arange(N) == 3)[:, None], 1e6, X), Y, LABELS),
    "an input constant but for one row": (np.column_stack([X, np.arange(N) == 0]), Y, LABELS),
    "no signal": (X, RANDOM.normal(size=N), RANDOM.integers(2, size=N)),
    "no noise": (X, X[:, 0] ** 2, (X[:, 0] ** 2 > 0.3).astype(int)),
}


def assert_sane(model, inputs):
    assert np.isfinite(model.log_evidence_)
    assert np.isfinite(model.gamma_).all()
    relevance = getattr(model, "input_relevance_", np.zeros(1))
    assert np.all((relevance >= 0.0) & (relevance < np.inf))
    if is_classifier(model):
        probability = model.predict_proba(inputs)
        assert np.all((probability >= 0.0) & (probability <= 1.0))
        return
    mean, std = model.predict(inputs, return_std=True)
    assert np.isfinite(mean).all()
    assert np.all((std > 0.0) & (std < np.inf))


@not_converged
@both
@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_hostile_data(kind, hostile):
    inputs, target, labels = hostile
    model = kind().fit(inputs, labels if kind is RVC else target)
    assert_sane(model, np.asarray(inputs, dtype=float))
    assert_sane(model, np.asarray(inputs, dtype=float)[:3] * 1.1)


@not_converged
@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_hostile_data_of_a_product_kernel(hostile):
    inputs, target, _ = hostile
    model = RVR("poly", coef0=1.0).fit(inputs, target)
    assert_sane(model, np.asarray(inputs, dtype=float))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:sample_weight was multiplied")
@not_converged
@both
def test_random_small_problems(kind):
    """10 of each kind: any shape, kernel, signal, unit and weight."""
    for seed in range(10):
        random = np.random.default_rng(seed)
        n, d = int(random.integers(3, 20)), int(random.integers(1, 5))
        inputs = random.normal(size=(n, d)) * 10.0 ** random.uniform(-3, 3, d)
        inputs = np.round(inputs) if seed % 5 == 0 else inputs
        latent = np.tanh(inputs @ random.normal(size=d) / inputs.std()) if inputs.any() else 0.0
        latent = latent + 10.0 ** random.uniform(-4, 1) * random.normal(size=n)
        labels = (latent > np.median(latent)).astype(int)
        weight = random.uniform(0.1, 3.0, n) if seed % 3 == 0 else None
        options = {"gamma": ("ard", "learn")[seed % 2], "coef0": 1.0}
        model = kind(KERNELS[seed % len(KERNELS)], **options)
        target = labels if kind is RVC else latent
        assert_sane(model.fit(inputs, target, sample_weight=weight), inputs)
