"""RVR and RVC: kernels by the names of SVR and SVC, centres, gamma, the intercept."""

import numpy as np
import pytest
from estimator_data import LABELS, MOONS, SINC, X, Y, prediction
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import pairwise

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    CallableKernel,
    CauchyKernel,
    GaussianKernel,
    LaplacianKernel,
    LinearKernel,
    LinearSplineKernel,
    Outcome,
    PolynomialKernel,
    SigmoidKernel,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

KERNELS = {
    "rbf": GaussianKernel(0.5**-0.5),
    "cauchy": CauchyKernel(0.5**-0.5),
    "laplacian": LaplacianKernel(2.0),
    "linear": LinearKernel(),
    "poly": PolynomialKernel(2, 0.5, 0.7),
    "sigmoid": SigmoidKernel(0.5, 0.7),
    "linear_spline": LinearSplineKernel(),
    pairwise.chi2_kernel: CallableKernel(pairwise.chi2_kernel),
}


@pytest.mark.slow
@pytest.mark.parametrize("inference", ["fast", "projection"])
@pytest.mark.parametrize(("kernel", "basis"), KERNELS.items())
def test_every_kernel_fits_and_equals_its_basis(kernel, basis, inference):
    inputs = np.abs(MOONS)
    params = {"kernel": kernel, "gamma": 0.5, "degree": 2, "coef0": 0.7}
    target = inputs[:, 0] + np.random.default_rng(0).normal(0.0, 0.2, 80)
    for named, general, y in (
        (RVR(**params), SparseBayesRegressor(basis + Bias()), target),
        (RVC(**params), SparseBayesClassifier(basis + Bias()), LABELS),
    ):
        named.set_params(inference=inference).fit(inputs, y)
        general.set_params(inference=inference).fit(inputs, y)
        assert named.outcome_ is Outcome.CONVERGED
        expected = prediction(general, inputs)
        assert_allclose(prediction(named, inputs), expected, rtol=1e-8, atol=1e-10)
        assert np.std(prediction(named, inputs)) > 0.1


@pytest.mark.parametrize(
    ("fit_intercept", "basis"),
    [
        (True, GaussianKernel(0.1**-0.5) + Bias()),
        ("column", GaussianKernel(0.1**-0.5) + Bias(centre_target=False)),
        (False, GaussianKernel(0.1**-0.5)),
    ],
)
@pytest.mark.parametrize("inference", ["fast", "projection"])
def test_every_intercept_equals_its_basis(fit_intercept, basis, inference):
    named = RVR(gamma=0.1, fit_intercept=fit_intercept, inference=inference).fit(X, Y + 1.0)
    general = SparseBayesRegressor(basis, fit_intercept=False, inference=inference)
    general.fit(X, Y + 1.0)
    assert_allclose(named.predict(X), general.predict(X), rtol=1e-10)
    assert named.offset_ == general.offset_


def test_relevance_vectors_of_a_precomputed_kernel_are_rows(regressor):
    model = RVR("precomputed").fit(pairwise.rbf_kernel(X, gamma=0.1), Y)
    assert_array_equal(np.sort(model.relevance_), np.sort(regressor.relevance_))
    assert model.relevance_vectors_.shape == (0, 0)


def test_a_kernel_need_not_be_positive_definite():
    kernel = pairwise.sigmoid_kernel(MOONS, gamma=2.0, coef0=-1.0)
    assert np.linalg.eigvalsh(kernel).min() < -0.1
    model = RVC("sigmoid", gamma=2.0, coef0=-1.0).fit(MOONS, LABELS)
    assert model.outcome_ is Outcome.CONVERGED
    assert model.score(MOONS, LABELS) > 0.8


def test_a_kernel_need_not_be_symmetric():
    model = RVR(lambda x, c: np.maximum(x - c.T, 0.0)).fit(X, Y)
    mean, std = model.predict(X, return_std=True)
    assert np.mean(np.abs(mean - SINC) < 2 * std) > 0.9


# gamma


@pytest.mark.parametrize("kernel", ["rbf", "cauchy", "poly", "sigmoid"])
def test_gamma_as_a_number(kernel):
    model = RVC(kernel, gamma="scale").fit(MOONS, LABELS)
    assert_allclose(model.gamma_, 1 / (2 * MOONS.var()), rtol=1e-12)
    assert_allclose(RVC(kernel, gamma="auto").fit(MOONS, LABELS).gamma_, 0.5, rtol=1e-12)
    assert_allclose(RVC(kernel, gamma=0.3).fit(MOONS, LABELS).gamma_, 0.3, rtol=1e-12)


def test_gamma_of_the_laplacian():
    model = RVC("laplacian", gamma="scale").fit(MOONS, LABELS)
    assert_allclose(model.gamma_, 1 / (2 * MOONS.std()), rtol=1e-12)
    assert_allclose(RVC("laplacian", gamma=0.3).fit(MOONS, LABELS).gamma_, 0.3, rtol=1e-12)


@pytest.mark.parametrize("kernel", ["linear", "linear_spline", pairwise.linear_kernel])
def test_kernels_without_a_gamma_have_none(kernel):
    model = RVC(kernel).fit(MOONS, LABELS)
    with pytest.raises(AttributeError, match="has no gamma"):
        model.gamma_  # noqa: B018


# centres


def test_centres_may_be_points_of_the_users_own():
    model = RVR(gamma=0.1, centres=np.linspace(-10, 10, 9)[:, None]).fit(X, Y)
    assert model.relevance_.max() < 9
    assert np.abs(model.predict(X) - SINC).max() < 0.15


def test_more_centres_than_rows_are_all_rows():
    expected = RVR(gamma=0.1, centres=None).fit(X, Y)
    for centres in ("auto", 80, 1000):
        model = RVR(gamma=0.1, centres=centres).fit(X, Y)
        assert_array_equal(model.relevance_, expected.relevance_)
        assert_allclose(model.log_evidence_, expected.log_evidence_, rtol=1e-12)


def test_few_centres_leave_all_rows_in_the_likelihood():
    model = RVR(gamma=0.1, centres=12).fit(X, Y)
    assert 0 < len(model.relevance_) <= 12
    assert_array_equal(model.relevance_vectors_, X[model.relevance_])
    assert np.abs(model.predict(X) - SINC).max() < 0.2
    assert_allclose(model.noise_std_, 0.1, rtol=0.3)


# how often a call evaluates the kernel


class Counted:
    """A kernel that counts its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x, c):
        self.calls += 1
        return pairwise.rbf_kernel(x, c, gamma=0.5)


REGRESSION = {
    "predict": lambda model: model.predict(MOONS),
    "std": lambda model: model.predict(MOONS, return_std=True),
    "cov": lambda model: model.predict(MOONS, return_cov=True),
    "quantiles": lambda model: model.predict_quantiles(MOONS),
    "sample_y": lambda model: model.sample_y(MOONS, 3),
    "score": lambda model: model.score(MOONS, LABELS),
}
CLASSIFICATION = {
    name: lambda model, name=name: getattr(model, name)(MOONS)
    for name in (
        *("predict", "predict_proba", "predict_log_proba", "decision_function"),
        "latent_mean_and_variance",
    )
}


def calls(estimator, y, asks):
    """How often each kind of call evaluates the kernel."""
    kernel, found = Counted(), {}
    model = estimator.set_params(kernel=kernel).fit(MOONS, y)
    for name, ask in asks.items():
        kernel.calls = 0
        ask(model)
        found[name] = kernel.calls
    return found


@pytest.mark.parametrize("inference", ["fast", "variational"])
def test_regressors_evaluate_the_kernel_once_for_a_call(inference):
    found = calls(RVR(inference=inference), LABELS, REGRESSION)
    assert found == dict.fromkeys(REGRESSION, 1)


OUTPUTS = np.column_stack([LABELS, MOONS[:, 0] + np.random.default_rng(0).normal(0.0, 0.2, 80)])
OF_OUTPUTS = {name: ask for name, ask in REGRESSION.items() if name != "score"}
EITHER = pytest.mark.parametrize("multi_output", ["shared", "separate"])
KINDS = pytest.mark.parametrize("multi_class", ["ovr", "softmax", "shared_softmax"])
CLASSES = pytest.mark.parametrize("y", [LABELS, LABELS + (MOONS[:, 0] > 1.0)], ids=["two", "three"])


@EITHER
def test_regressors_of_several_outputs_evaluate_the_kernel_once_for_a_call(multi_output):
    found = calls(RVR(multi_output=multi_output, inference="fast"), OUTPUTS, OF_OUTPUTS)
    assert found == dict.fromkeys(OF_OUTPUTS, 1)


@KINDS
@CLASSES
def test_classifiers_evaluate_the_kernel_once_for_a_call(y, multi_class):
    found = calls(RVC(multi_class=multi_class, inference="fast"), y, CLASSIFICATION)
    assert found == dict.fromkeys(CLASSIFICATION, 1)


# Between the rows and the vectors, the rows and the covering rows, and for the variance of a row
# between that and itself, 32 rows at a time.
WITH_VARIANCE = 1 + 1 + 3


def test_error_bars_of_a_process_evaluate_the_kernel_as_often_as_it_takes():
    found = calls(RVR(), LABELS, REGRESSION)
    alone = {name: found.pop(name) for name in ("predict", "score")}
    joint = {name: found.pop(name) for name in ("cov", "sample_y")}
    assert set(alone.values()) == {1}
    assert set(found.values()) == {WITH_VARIANCE}
    assert max(joint.values()) <= 3 * WITH_VARIANCE


@EITHER
def test_error_bars_of_outputs_evaluate_the_kernel_no_oftener_than_those_of_one(multi_output):
    found = calls(RVR(multi_output=multi_output), OUTPUTS, OF_OUTPUTS)
    assert found["predict"] == 1
    assert found["std"] == found["quantiles"] == WITH_VARIANCE
    assert found["sample_y"] <= 3 * WITH_VARIANCE


@KINDS
@CLASSES
def test_probabilities_of_a_process_evaluate_the_kernel_as_often_as_it_takes(y, multi_class):
    found = calls(RVC(multi_class=multi_class), y, CLASSIFICATION)
    assert set(found.values()) <= {1, WITH_VARIANCE}
    assert found["latent_mean_and_variance"] == WITH_VARIANCE


def test_a_model_without_covering_rows_evaluates_the_kernel_once_for_a_call():
    kernel = Counted()
    model = RVR(kernel).fit(MOONS, LABELS).drop_covering()
    for ask in REGRESSION.values():
        kernel.calls = 0
        ask(model)
        assert kernel.calls == 1
