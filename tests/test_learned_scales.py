"""Models that learn kernel widths and input scales from the evidence."""

import pickle
import warnings
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
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
from sparsebayes.basis import LaplacianKernel, PolynomialKernel
from sparsebayes.likelihoods import Gaussian
from sparsebayes.scales import dense_scales, relevance

KERNELS = ["rbf", "cauchy", "laplacian", "poly", "sigmoid"]
INFERENCES = ["fast", "mackay", "em", "variational"]
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
over_kernels = pytest.mark.parametrize("kernel", KERNELS)
not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def target_of(estimator):
    return LABELS if is_classifier(estimator) else Y


def fitted(estimator, inputs=X, **options):
    return clone(estimator).fit(inputs, target_of(estimator), **options)


def prediction(model, inputs=NEW):
    return model.predict_proba(inputs)[:, 1] if is_classifier(model) else model.predict(inputs)


def same(found, expected, rtol=1e-6):
    """Relative to the largest prediction."""
    assert_allclose(found, expected, rtol=0.0, atol=rtol * np.abs(expected).max())


# what gamma may be


@both
@over_kernels
def test_what_is_learned(kind, kernel):
    one = fitted(kind(kernel, gamma="learn", coef0=1.0)).gamma_
    assert np.ndim(one) == 0
    assert 0.0 < one < np.inf
    each = fitted(kind(kernel, gamma="ard", coef0=1.0)).gamma_
    assert each.shape == (3,)
    assert np.all((each > 0.0) & (each < np.inf))


@both
def test_one_for_each_input_is_the_default(kind):
    assert kind().gamma == "ard"
    assert_array_equal(prediction(fitted(kind())), prediction(fitted(kind(gamma="ard"))))


@pytest.mark.parametrize(
    ("machine", "over_basis"), [(RVR(), SparseBayesRegressor()), (RVC(), SparseBayesClassifier())]
)
def test_the_default_basis_is_that_of_the_machine(machine, over_basis):
    one, other = fitted(machine), fitted(over_basis)
    assert_array_equal(prediction(one), prediction(other))
    assert one.log_evidence_ == other.log_evidence_
    assert_array_equal(one.input_relevance_, other.input_relevance_)


@both
@pytest.mark.parametrize(("kernel", "power"), [("rbf", 2), ("cauchy", 2), ("laplacian", 1)])
def test_a_given_gamma_for_each_input_is_used_as_it_is(kind, kernel, power):
    gamma = np.array([0.4, 0.025, 0.1])
    given = fitted(kind(kernel, gamma=gamma))
    assert_allclose(given.gamma_, gamma, rtol=1e-12)
    scale = gamma ** (1.0 / power)
    one = fitted(kind(kernel, gamma=1.0), X * scale)
    same(prediction(given), prediction(one, NEW * scale), rtol=1e-8)
    assert not hasattr(given, "input_relevance_")


@both
@pytest.mark.parametrize("kernel", ["poly", "sigmoid"])
def test_a_given_gamma_of_a_product_for_each_input(kind, kernel):
    gamma = [0.4, 0.1, 0.2]
    given = fitted(kind(kernel, gamma=gamma, coef0=1.0))
    assert_array_equal(given.gamma_, gamma)
    scale = np.sqrt(gamma)
    one = fitted(kind(kernel, gamma=1.0, coef0=1.0), X * scale)
    same(prediction(given), prediction(one, NEW * scale))


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
def test_bad_gammas(kind, gamma, words):
    with pytest.raises(ValueError, match=words):
        fitted(kind(gamma=gamma))


@both
@pytest.mark.parametrize("kernel", ["poly", "sigmoid"])
def test_a_gamma_of_a_product_of_the_wrong_length(kind, kernel):
    with pytest.raises(ValueError, match=r"gamma, if one for each input, .*got \[1.0, 4.0\]"):
        fitted(kind(kernel, gamma=[1.0, 4.0]))


# the basis at the end

LEARNED = GaussianKernel("learn") + Bias()
ARD = GaussianKernel(input_scale="learn") + Bias()
BASES = {
    "plain": GaussianKernel() + Linear() + Bias(),
    "one kernel": GaussianKernel(),
    "learned": LEARNED,
    "ard": ARD,
    "dictionary": GaussianKernel([1.0, 2.0, 4.0]) + Bias(),
    "learned dictionary": GaussianKernel([1.0, 2.0, 4.0], input_scale="learn") + Bias(),
    "sum": LaplacianKernel(input_scale="learn") + PolynomialKernel(2, "learn") + Linear(),
}


@pytest.mark.parametrize("kind", [SparseBayesRegressor, SparseBayesClassifier])
@pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
def test_the_basis_at_the_end_has_the_columns_of_the_model(kind, basis):
    model = fitted(kind(basis))
    columns = model.basis_.bind(X, np.ones(N))
    assert len(columns.log_scales) == 0
    where = [columns.names("abc").index(name) for name in model._latent.columns.names("abc")]
    latent = columns.evaluate(NEW, np.array(where)) @ model.weights_
    expected = model.latent_mean_and_variance(NEW)[0] if kind is SparseBayesClassifier else None
    expected = model.predict(NEW) if expected is None else expected
    same(latent, expected, rtol=1e-9)


@pytest.mark.parametrize("kind", [SparseBayesRegressor, SparseBayesClassifier])
@pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
def test_the_basis_at_the_end_can_be_fitted_again(kind, basis):
    """Where scales were learned, from another start: the same but for less than the noise."""
    model = fitted(kind(basis))
    again = fitted(kind(model.basis_))
    assert again.basis_.get_params().keys() == model.basis_.get_params().keys()
    assert np.sqrt(np.mean((prediction(again) - prediction(model)) ** 2)) < 0.05
    if basis in (BASES["plain"], BASES["one kernel"], BASES["dictionary"]):
        same(prediction(again), prediction(model), rtol=1e-9)


# what must not matter

UNITS = np.array([1e5, 1e-4, 1e2])


def tight(kind, kernel="rbf", gamma="ard"):
    """Ends differ by what is still to come, so that fits are taken to theirs."""
    return kind(kernel, gamma=gamma, coef0=1.0, tol=1e-5 if kind is RVC else 1e-7)


@cache
def plain_fit(kind, kernel="rbf", gamma="ard"):
    return fitted(tight(kind, kernel, gamma))


@both
@over_kernels
def test_units_of_each_input_do_not_matter(kind, kernel):
    model, other = plain_fit(kind, kernel), fitted(tight(kind, kernel), X * UNITS)
    rtol = 1e-5 if (kind, kernel) == (RVC, "sigmoid") else 1e-6  # 1e-5 is the fit's own
    same(prediction(other, NEW * UNITS), prediction(model), rtol=rtol)
    power = 1 if kernel == "laplacian" else 2
    assert_allclose(other.gamma_ * UNITS**power, model.gamma_, rtol=1e-9)
    assert_allclose(other.input_relevance_, model.input_relevance_, rtol=1e-4, atol=1e-6)


@both
@over_kernels
def test_a_common_unit_does_not_matter_to_one_scale(kind, kernel):
    model = fitted(tight(kind, kernel, "learn"))
    other = fitted(tight(kind, kernel, "learn"), X * 1e6)
    same(prediction(other, NEW * 1e6), prediction(model))
    power = 1 if kernel == "laplacian" else 2
    assert_allclose(other.gamma_ * 1e6**power, model.gamma_, rtol=1e-9)


def test_the_unit_of_the_target_does_not_matter():
    model, other = plain_fit(RVR), tight(RVR).fit(X, 1e5 * Y)
    same(other.predict(NEW), 1e5 * model.predict(NEW))
    assert_allclose(other.gamma_, model.gamma_, rtol=1e-9)


@pytest.mark.parametrize("kernel", ["rbf", "cauchy", "laplacian"])
def test_an_offset_of_the_inputs_does_not_matter(kernel):
    """But for the digits it costs."""
    model, other = plain_fit(RVR, kernel), tight(RVR, kernel).fit(X + 1e3, Y)
    same(other.predict(NEW + 1e3), model.predict(NEW), rtol=1e-4)
    assert_allclose(other.gamma_, model.gamma_, rtol=1e-6)


@both
@over_kernels
def test_the_order_of_rows_does_not_matter(kind, kernel):
    order = np.random.default_rng(3).permutation(N)
    model = plain_fit(kind, kernel)
    other = tight(kind, kernel).fit(X[order], target_of(model)[order])
    same(prediction(other), prediction(model))
    assert_array_equal(np.sort(order[other.relevance_]), model.relevance_)


@both
@over_kernels
def test_a_row_of_weight_two_is_the_row_twice(kind, kernel):
    weight = np.arange(N) % 2 + 1
    again = np.repeat(np.arange(N), weight)
    weighted = fitted(tight(kind, kernel), sample_weight=weight)
    repeated = tight(kind, kernel).fit(X[again], target_of(weighted)[again])
    same(prediction(repeated), prediction(weighted))


@both
def test_rows_of_weight_zero_are_absent(kind):
    weight = (np.arange(N) % 3 > 0).astype(float)
    used = weight > 0.0
    model = fitted(tight(kind), sample_weight=weight)
    absent = tight(kind).fit(X[used], target_of(model)[used])
    same(prediction(model), prediction(absent))
    assert_allclose(model.input_relevance_, absent.input_relevance_, rtol=1e-6)


@both
@over_kernels
def test_constant_inputs_have_no_scale_and_no_influence(kind, kernel):
    wide = np.column_stack([X[:, 0], np.full(N, 0.1), X[:, 1]])
    model = fitted(kind(kernel, coef0=1.0), wide)
    assert model.gamma_[1] == 0.0
    assert np.all(model.gamma_[[0, 2]] > 0.0)
    assert model.input_relevance_[1] == 0.0
    new = wide[:5]
    moved = new + np.array([0.0, 1e3, 0.0])
    assert_allclose(prediction(model, moved), prediction(model, new), rtol=1e-9)


def test_columns_without_a_scale_do_not_stop_the_others():
    """Linear columns beside kernels, each kernel with scales of its own."""
    basis = GaussianKernel(input_scale="learn") + GaussianKernel("learn") + Linear() + Bias()
    model = SparseBayesRegressor(basis).fit(X, Y)
    settled = dict(model.basis_.parts)
    assert settled["gaussiankernel-1"].input_scale.shape == (3,)
    assert settled["gaussiankernel-2"].input_scale is None
    assert isinstance(settled["gaussiankernel-2"].width, float)
    assert np.mean((model.predict(X) - Y) ** 2) < 0.02


# which inputs matter


@cache
def friedman(seed):
    """Friedman's function of five inputs among ten: a model, and new inputs with their truth."""
    inputs, target = make_friedman1(240, n_features=10, noise=1.0, random_state=seed)
    new, truth = make_friedman1(1000, n_features=10, random_state=seed + 100)
    return RVR().fit(inputs, target), (inputs, target), (new, truth)


def test_inputs_that_do_not_matter_hardly_count():
    model, (inputs, target), (new, truth) = friedman(0)
    noise = np.random.default_rng(0).uniform(size=(1240, 20))
    more = RVR().fit(np.hstack([inputs, noise[:240]]), target)
    share = more.input_relevance_
    assert share[:5].min() > 0.05
    assert share[5:].max() < 0.01 * share.max()
    error = np.mean((model.predict(new) - truth) ** 2)
    with_more = np.mean((more.predict(np.hstack([new, noise[240:]])) - truth) ** 2)
    assert abs(with_more / error - 1.0) < 0.3


@pytest.mark.parametrize("seed", range(3))
def test_a_scale_for_each_input_is_worth_it(seed):
    model, data_, (new, truth) = friedman(seed)
    plain = RVR(gamma="scale").fit(*data_)
    errors = [np.mean((each.predict(new) - truth) ** 2) for each in (model, plain)]
    assert 4.0 * errors[0] < errors[1]


def test_shares_of_a_linear_function():
    """Those of Sobol: b_k^2 var(x_k) / sum, in any units."""
    random = np.random.default_rng(0)
    inputs = random.normal(size=(300, 3)) * np.array([1.0, 100.0, 5.0])
    target = inputs @ np.array([1.0, 0.02, 0.0]) + random.normal(0.0, 0.3, 300)
    model = RVR().fit(inputs, target)
    assert_allclose(model.input_relevance_, [0.2, 0.8, 0.0], atol=0.05)


def test_shares_of_inputs_that_act_together_are_those_of_both():
    """Of x0 x1 each has a part in all of the variance."""
    random = np.random.default_rng(0)
    inputs = random.uniform(-1.0, 1.0, (300, 2))
    model = RVR().fit(inputs, inputs[:, 0] * inputs[:, 1] + random.normal(0.0, 0.05, 300))
    assert_allclose(model.input_relevance_, [1.0, 1.0], atol=0.15)


def test_shares_are_those_of_a_naive_loop():
    model = RVR().fit(X, Y)
    rows = np.array(sorted(map(tuple, X)))
    other = rows[np.random.default_rng(0).permutation(N)]
    naive = []
    for k in range(3):
        changed = rows.copy()
        changed[:, k] = other[:, k]
        naive.append(0.5 * np.mean((model.predict(changed) - model.predict(rows)) ** 2))
    assert_allclose(model.input_relevance_, np.array(naive) / model.predict(X).var(), rtol=1e-10)


def test_shares_do_not_depend_on_the_order_of_rows():
    order = np.random.default_rng(3).permutation(N)
    model, other = RVR().fit(X, Y), RVR().fit(X[order], Y[order])
    assert_allclose(other.input_relevance_, model.input_relevance_, rtol=1e-3)


@not_converged
def test_no_input_matters_to_a_constant():
    assert_array_equal(RVR().fit(X, np.full(N, 5.0)).input_relevance_, np.zeros(3))


@not_converged
def test_no_input_matters_where_nothing_is_relevant():
    model = RVR(fit_intercept=False).fit(X, np.zeros(N))
    assert_array_equal(model.input_relevance_, np.zeros(3))


@pytest.mark.parametrize(
    ("estimator", "target"),
    [
        (RVR(), OUTPUTS),
        (RVR(shared_precision=False), OUTPUTS),
        (RVC(multi_class="ovr"), SEVERAL_LABELS),
        (RVC(multi_class="multinomial", shared_precision=False), SEVERAL_LABELS),
        (RVC(multi_class="multinomial", shared_precision=True), SEVERAL_LABELS),
    ],
    ids=["outputs", "separate outputs", "ovr", "multinomial", "shared"],
)
@pytest.mark.parametrize("gamma", ["ard", "learn"])
def test_several_classes_and_outputs(estimator, target, gamma):
    model = clone(estimator).set_params(gamma=gamma).fit(X, target)
    assert np.ndim(model.gamma_) == (gamma == "ard")
    assert hasattr(model, "input_relevance_") == (gamma == "ard")
    if gamma == "ard":
        assert model.input_relevance_.shape == (3,)
        assert model.input_relevance_[:2].min() > 0.1
        assert model.input_relevance_[2] < 0.1
    assert model.score(X, target) > 0.8


def test_several_outputs_have_their_scales_in_common():
    columns = ARD.bind(X, np.ones(N))
    expected = np.exp(dense_scales(columns, X, OUTPUTS.T, np.ones(N), Gaussian()))
    for shared in (False, True):
        model = RVR(shared_precision=shared).fit(X, OUTPUTS)
        assert_allclose(model.gamma_, expected, rtol=1e-10)


def test_shares_are_only_there_where_they_were_learned():
    model = RVR().fit(X, Y)
    assert hasattr(model, "input_relevance_")
    for gamma in ("scale", "auto", "learn", 0.3, [1.0, 2.0, 3.0]):
        assert not hasattr(model.set_params(gamma=gamma).fit(X, Y), "input_relevance_")
    assert not hasattr(SparseBayesRegressor(Linear()).fit(X, Y), "input_relevance_")


def test_shares_of_very_many_inputs_are_left_out(monkeypatch):
    monkeypatch.setattr(relevance, "MOST_INPUTS", 2)
    assert not hasattr(RVR().fit(X, Y), "input_relevance_")


def test_feature_names():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    model, plain = tight(RVR).fit(frame, Y), plain_fit(RVR)
    assert_array_equal(model.feature_names_in_, ["a", "b", "c"])
    assert_allclose(model.input_relevance_, plain.input_relevance_, rtol=1e-6)


# functions that need few bends and have little noise


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
    [
        straight(60, 0.1),
        straight(300, 0.1),
        straight(60, 0.01),
        straight(300, 0.01),
        product(60, 0.1),
        product(300, 0.0),
    ],
    ids=["60", "300", "60 quiet", "300 quiet", "product", "product without noise"],
)
def test_smooth_functions(inputs, target, gamma):
    """What a kernel of the width that the inputs suggest can do, learned ones can."""
    plain = RVR(gamma="scale").fit(inputs, target)
    model = RVR(gamma=gamma).fit(inputs, target)
    assert plain.score(inputs, target) > 0.85
    assert model.score(inputs, target) > 0.85
    assert model.log_evidence_ > plain.log_evidence_ - 1.0


# what a fit leaves behind


@both
@pytest.mark.parametrize("gamma", ["learn", "ard"])
def test_pickles_and_clones(kind, gamma):
    model = fitted(kind(gamma=gamma))
    loaded = pickle.loads(pickle.dumps(model))
    assert_array_equal(prediction(loaded), prediction(model))
    assert_array_equal(prediction(fitted(model)), prediction(model))
    assert clone(model).gamma == gamma


@both
def test_a_grid_over_gamma(kind):
    grid = {"gamma": ["ard", "learn", 0.1, [1.0, 1.0, 0.0]]}
    search = GridSearchCV(kind(), grid, cv=2).fit(X, target_of(kind()))
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_score_ > 0.7


@both
@pytest.mark.parametrize("inference", INFERENCES)
@pytest.mark.parametrize("gamma", ["learn", "ard"])
def test_every_inference(kind, inference, gamma):
    model = fitted(kind(gamma=gamma, inference=inference))
    assert model.outcome_ is Outcome.CONVERGED
    assert model.score(X, target_of(model)) > (0.75 if kind is RVC else 0.95)
    assert model.history_[-1].log_evidence == model.log_evidence_
    assert len(model.history_) == model.n_iter_ + 1
    if inference == "variational":
        assert model.history_[-1].lower_bound == model.lower_bound_


@both
@over_kernels
def test_the_end_of_the_history_is_the_end_of_the_fit(kind, kernel):
    model = fitted(kind(kernel, coef0=1.0))
    assert model.history_[-1].log_evidence == model.log_evidence_
    assert model.history_[-1].n_active == len(model.weights_)
    assert len(model.history_) == model.n_iter_ + 1


@pytest.mark.parametrize("inference", ["fast", "mackay"])
def test_refinements_raise_the_evidence(inference):
    """Never below that of a fit at the scales of the dense model, and above it now and then."""
    rises = []
    for seed in range(4):
        inputs, target, _ = data(seed, 40)
        columns = ARD.bind(inputs, np.ones(40))
        log_scales = dense_scales(columns, inputs, target[None], np.ones(40), Gaussian())
        first = RVR(gamma=np.exp(log_scales), inference=inference).fit(inputs, target)
        model = RVR(inference=inference).fit(inputs, target)
        rises.append(model.log_evidence_ - first.log_evidence_)
    assert min(rises) >= -1e-9
    assert max(rises) > 0.5


def test_scales_of_a_fit_that_keeps_all_columns_are_those_of_the_dense_model():
    columns = ARD.bind(X, np.ones(N))
    log_scales = dense_scales(columns, X, Y[None], np.ones(N), Gaussian())
    model = RVR(inference="variational").fit(X, Y)
    assert_allclose(model.gamma_, np.exp(log_scales), rtol=1e-10)


def test_sparse_inputs():
    inputs = np.where(np.abs(X) < 0.3, 0.0, X)
    for estimator in (RVR(tol=1e-6), RVC(), RVR("poly", coef0=1.0), RVR(gamma="learn")):
        dense, sparse = (fitted(estimator, each) for each in (inputs, csr_array(inputs)))
        assert_allclose(sparse.gamma_, dense.gamma_, rtol=1e-6)
        same(prediction(sparse, csr_array(NEW)), prediction(dense), rtol=1e-4)
        if estimator.gamma == "ard":
            assert_allclose(sparse.input_relevance_, dense.input_relevance_, rtol=1e-3, atol=1e-5)


def test_a_fixed_noise():
    model = RVR(noise_std=0.1).fit(X, Y)
    assert_allclose(model.noise_std_, 0.1, rtol=1e-12)
    assert np.mean((model.predict(X) - Y) ** 2) < 0.02


def test_rows_in_chunks():
    chunked = tight(RVR).set_params(cache_size=0.01).fit(X, Y)
    same(chunked.predict(NEW), plain_fit(RVR).predict(NEW))


class Counter:
    """A callback that counts iterations, and stops the fit at one of them."""

    def __init__(self, stop_at=None):
        self.count, self.stop_at = 0, stop_at

    def setup(self, estimator, context):
        self.open = True

    def teardown(self, estimator, context):
        self.open = False

    def on_fit_task_begin(self, estimator, context, **rest):
        pass

    def on_fit_task_end(self, estimator, context, **rest):
        self.count += context.task_name == "iteration"
        return self.count == self.stop_at


@both
def test_callbacks_see_every_iteration(kind):
    pytest.importorskip("sklearn.callback")
    counter = Counter()
    model = fitted(kind())
    watched = kind().set_callbacks(counter).fit(X, target_of(kind()))
    assert counter.count >= watched.n_iter_ == model.n_iter_
    assert not counter.open
    assert_array_equal(prediction(watched), prediction(model))


@both
def test_a_callback_can_stop_the_fit(kind):
    pytest.importorskip("sklearn.callback")
    model = kind(inference="mackay").set_callbacks(Counter(stop_at=3))
    with pytest.warns(ConvergenceWarning, match="callback ended the fit"):
        model.fit(X, target_of(model))
    assert model.n_iter_ == 3
    assert np.isfinite(prediction(model)).all()


@both
@pytest.mark.parametrize("inference", ["fast", "mackay"])
def test_few_iterations_end_with_a_warning(kind, inference):
    model = kind(inference=inference, max_iter=1)
    with pytest.warns(ConvergenceWarning):
        model.fit(X, target_of(model))
    assert model.n_iter_ == 1
    assert model.gamma_.shape == (3,)
    assert np.isfinite(prediction(model)).all()


@both
def test_never_more_iterations_than_allowed(kind):
    whole = fitted(kind()).n_iter_
    for max_iter in (2, whole - 1, whole, whole + 1):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = fitted(kind(max_iter=max_iter))
        assert model.n_iter_ <= max_iter
        assert model.history_[-1].log_evidence == model.log_evidence_


@both
def test_a_warm_start_ends_as_high(kind):
    model = kind(warm_start=True)
    first = model.fit(X, target_of(model)).log_evidence_
    again = model.fit(X, target_of(model)).log_evidence_
    assert abs(again - first) < 0.5
    cold = kind(warm_start=True).fit(X[:40], target_of(model)[:40])
    assert np.isfinite(prediction(cold.fit(X, target_of(model)))).all()


def test_verbose_says_how_many_scales(capsys):
    RVR(verbose=1).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "RVR learned 3 scales"
    assert lines[-1].startswith("RVR CONVERGED after")
    RVR(gamma="scale", verbose=1).fit(X, Y)
    assert "scales" not in capsys.readouterr().out


# hostile data

RANDOM = np.random.default_rng(5)
HOSTILE = {
    "two rows": (np.array([[0.0, 1.0], [1.0, 1.0]]), [0.0, 1.0], [0, 1]),
    "one feature": (X[:, :1], Y, LABELS),
    "constant target": (X, np.full(N, 3.0), LABELS),
    "duplicate rows": (np.tile(X, (3, 1)), np.tile(Y, 3), np.tile(LABELS, 3)),
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
    "an input constant but for one row": (
        np.column_stack([X, np.arange(N) == 0]),
        Y,
        LABELS,
    ),
    "no signal": (X, RANDOM.normal(size=N), RANDOM.integers(2, size=N)),
    "no noise": (X, X[:, 0] ** 2, (X[:, 0] ** 2 > 0.3).astype(int)),
}


def sane(model, inputs):
    assert np.isfinite(model.log_evidence_)
    assert np.isfinite(model.gamma_).all()
    relevance_ = getattr(model, "input_relevance_", np.zeros(1))
    assert np.all((relevance_ >= 0.0) & (relevance_ < np.inf))
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
@pytest.mark.parametrize(
    "options",
    [{}, {"gamma": "learn"}, {"kernel": "poly", "coef0": 1.0}],
    ids=str,
)
def test_hostile_data(kind, hostile, options):
    inputs, target, labels = hostile
    model = kind(**options).fit(inputs, labels if kind is RVC else target)
    sane(model, np.asarray(inputs, dtype=float))
    sane(model, np.asarray(inputs, dtype=float)[:3] * 1.1)


@not_converged
@both
def test_random_small_problems(kind):
    """50 of each kind: any shape, kernel, signal, unit and weight."""
    for seed in range(50):
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
        sane(model.fit(inputs, target, sample_weight=weight), inputs)


@not_converged
@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_the_square_of_a_unit_may_underflow(kernel):
    sane(RVR(kernel).fit(X * np.array([1e-160, 1.0, 1.0]), Y), X)
