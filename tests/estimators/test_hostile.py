"""Hostile data and hostile arguments: a finite answer, or an error that says what is wrong.

Only a ConvergenceWarning may be raised by the way; warnings of any other kind are errors.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.base import clone, is_classifier

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    Fast,
    Gamma,
    Linear,
    Outcome,
    Polynomial,
    SparseBayesClassifier,
    SparseBayesRegressor,
    student_t,
)
from sparsebayes.datasets import noisy_sinc

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]

RANDOM = np.random.default_rng(0)
N = 30
X = RANDOM.normal(size=(N, 2))
SIGNAL = np.sin(2 * X[:, 0]) + X[:, 1]
Y = SIGNAL + RANDOM.normal(0.0, 0.1, N)
LABELS = (SIGNAL + RANDOM.normal(0.0, 0.3, N) > 0).astype(int)
FAR = np.array([[0.0, 0.0], [1e3, -1e3], [1e12, 1e12]])

# Scales are learned in some of them; it takes most of the time.
REGRESSORS = [
    RVR(),
    RVR(gamma="scale", fit_intercept=False),
    RVR(gamma="scale", fit_intercept="column"),
    RVR("linear"),
    RVR("poly", gamma="scale"),
    RVR("laplacian", gamma="scale"),
    RVR("laplacian"),
    RVR("linear_spline"),
    RVR("sigmoid", gamma="scale"),
    RVR(inference="fast"),
    RVR(gamma="scale", fit_intercept=False, inference="fast"),
    RVR(gamma="scale", fit_intercept="column", inference="fast"),
    RVR("linear", inference="fast"),
    RVR("poly", gamma="scale", inference="fast"),
    RVR("laplacian", gamma="scale", inference="fast"),
    RVR("linear_spline", inference="fast"),
    RVR(gamma="scale", inference="mackay", max_iter=200),
    RVR(gamma="scale", inference="em", max_iter=50),
    RVR(gamma="scale", inference="variational", max_iter=200),
    RVR(gamma="scale", noise_std=0.1),
    RVR(gamma="scale", noise_std=0.1, inference="fast"),
    RVR(gamma="scale", inference=Fast(0.0, student_t(1.0), Gamma(1.0, 1e-4))),
    SparseBayesRegressor(Linear() + Bias()),
    SparseBayesRegressor(Linear() + Bias(), inference="projection"),
]
CLASSIFIERS = [
    RVC(),
    RVC(gamma="scale", fit_intercept=False),
    RVC("linear"),
    RVC("poly", gamma="scale"),
    RVC("laplacian", gamma="scale"),
    RVC(inference="fast"),
    RVC(gamma="scale", fit_intercept=False, inference="fast"),
    RVC("linear", inference="fast"),
    RVC("poly", gamma="scale", inference="fast"),
    RVC("laplacian", gamma="scale", inference="fast"),
    RVC(gamma="scale", inference="mackay", max_iter=200),
    RVC(gamma="scale", inference="em", max_iter=50),
    RVC(gamma="scale", inference="variational", max_iter=200),
    RVC(gamma="scale", inference=Fast(weight_hyperprior=student_t(1.0))),
    SparseBayesClassifier(Linear() + Bias()),
    SparseBayesClassifier(Linear() + Bias(), inference="projection"),
]
BOTH = pytest.mark.parametrize("kind", [RVR, RVC])


def lane(estimator):
    """Of settings other than the default, searches and what differs by its kernel take long."""
    options = {
        name for name in ("kernel", "fit_intercept", "noise_std") if f"{name}=" in str(estimator)
    }
    long = (options and estimator.inference in ("fast", "em")) or estimator.inference == "em"
    return pytest.param(estimator, id=str(estimator), marks=[pytest.mark.long] if long else [])


def target(estimator):
    return LABELS if is_classifier(estimator) else Y


def sane(model, inputs):
    """Finite and real means with positive deviations, or probabilities."""
    if is_classifier(model):
        probability = model.predict_proba(inputs)
        assert np.all((probability >= 0.0) & (probability <= 1.0))
        assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)
        assert np.isin(model.predict(inputs), model.classes_).all()
        return
    mean, std = model.predict(inputs, return_std=True)
    assert np.isrealobj(std)
    assert np.isfinite(mean).all()
    assert np.isfinite(std).all()
    assert np.all(std > 0.0)
    quantiles = model.predict_quantiles(inputs)
    assert np.isfinite(quantiles).all()
    assert np.all(np.diff(quantiles, axis=1) >= 0.0)
    assert np.isfinite(model.sample_y(inputs, 3)).all()
    assert np.isfinite(model.predict(inputs, return_cov=True)[1]).all()


# data


LINE = np.linspace(-1.0, 1.0, N)
DATA = {
    "two rows": (np.array([[0.0], [1.0]]), np.array([0.0, 1.0]), np.array([0, 1])),
    "two equal rows": (np.ones((2, 1)), np.array([0.0, 1.0]), np.array([0, 1])),
    "three rows": (np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1, 0]), np.array([0, 1, 0])),
    "one feature": (X[:, :1], Y, LABELS),
    "all rows zero": (np.zeros((N, 2)), Y, LABELS),
    "duplicate rows": (np.vstack([X] * 3), np.tile(Y, 3), np.tile(LABELS, 3)),
    "contradicting rows": (np.vstack([X, X]), np.r_[Y, -Y], np.r_[LABELS, 1 - LABELS]),
    "duplicate columns": (np.hstack([X, X]), Y, LABELS),
    "collinear columns": (np.hstack([X, X + 1e-12 * RANDOM.normal(size=X.shape)]), Y, LABELS),
    "a constant column": (np.column_stack([X, np.ones(N)]), Y, LABELS),
    "fewer rows than columns": (RANDOM.normal(size=(10, 20)), Y[:10], np.arange(10) % 2),
    "separable": (LINE[:, None], np.sign(LINE), (LINE > 0).astype(int)),
    "one row of a class": (X, Y, (np.arange(N) == 0).astype(int)),
    "outlying target": (X, np.where(np.arange(N) == 3, 1e6, Y), LABELS),
    "outlying input": (np.where((np.arange(N) == 3)[:, None], 1e8, X), Y, LABELS),
    "more columns than rows, by far": (
        RANDOM.normal(size=(5, 50)),
        np.arange(5.0),
        np.arange(5) % 2,
    ),
    "booleans": (X > 0.0, Y > 0.0, LABELS),
    "integers": (np.round(3 * X).astype(int), np.round(Y).astype(int), LABELS),
    "target zero": (X, np.zeros(N), LABELS),
    "target constant": (X, np.full(N, 5.0), LABELS),
    "target constant and large": (X, np.full(N, 1e8), LABELS),
    "inputs in units of 1e-8": (X * 1e8, Y, LABELS),
    "inputs in units of 1e8": (X * 1e-8, Y, LABELS),
    "inputs far from zero": (X + 1e8, Y, LABELS),
    "inputs in units of 1e-12": (X * 1e12, Y, LABELS),
    "inputs in units of 1e12": (X * 1e-12, Y, LABELS),
    "target far from zero": (X, Y + 1e8, LABELS),
    "target in units of 1e-8": (X, Y * 1e8, LABELS),
    "target in units of 1e8": (X, Y * 1e-8, LABELS),
}


@pytest.mark.slow
@pytest.mark.parametrize("data", DATA.values(), ids=DATA.keys())
@pytest.mark.parametrize("estimator", [*map(lane, REGRESSORS + CLASSIFIERS)])
def test_any_data_give_finite_predictions(estimator, data):
    inputs, y, labels = data
    model = clone(estimator).fit(inputs, labels if is_classifier(estimator) else y)
    sane(model, inputs)
    sane(model, np.asarray(inputs)[:1] + 0.5)
    sane(model, np.full((1, np.shape(inputs)[1]), 1e3))
    assert np.isfinite(model.log_evidence_)
    assert np.isfinite(getattr(model, "lower_bound_", 0.0))
    sane(model.prune(), inputs)
    sane(model.drop_covering(), inputs)


SEVERAL = [
    RVC(),
    RVC("linear"),
    RVC("poly", gamma="scale"),
    RVC(gamma="scale", multi_class="ovr"),
    *(
        RVC(gamma="scale", multi_class=multi_class, inference="fast")
        for multi_class in ("ovr", "softmax", "shared_softmax")
    ),
    RVR(),
    RVR(gamma="scale", multi_output="separate"),
    RVR(inference="fast"),
    RVR(gamma="scale", multi_output="separate", inference="fast"),
    RVR(gamma="scale", inference="mackay", max_iter=200),
]


@pytest.mark.slow
@pytest.mark.parametrize("data", DATA.values(), ids=DATA.keys())
@pytest.mark.parametrize("estimator", SEVERAL, ids=str)
def test_any_data_of_three_classes_or_two_outputs_give_finite_predictions(estimator, data):
    inputs, y, labels = data
    several = np.column_stack([y, np.roll(y, 1) * 1e3])
    if is_classifier(estimator):
        several = np.where(np.arange(len(labels)) % 5 == 1, 2, labels)
    model = clone(estimator).fit(inputs, several)
    sane(model, inputs)
    sane(model, np.asarray(inputs)[:1] + 0.5)
    assert np.isfinite(model.log_evidence_)
    assert np.isfinite(model.weights_).all()


@BOTH
@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_inputs_that_are_all_equal(kind, kernel):
    model = kind(kernel).fit(np.ones((N, 2)), target(kind()))
    sane(model, FAR[:2])
    if kernel == "rbf":  # of a polynomial, gamma changes the size of the kernel
        assert_allclose(model.gamma_, [0.5, 0.5], rtol=1e-12)


NARROW_AND_WIDE = [
    1e-12,
    1.0,
    1e12,
    *(pytest.param(gamma, marks=pytest.mark.long) for gamma in (1e-6, 1e6)),
]


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("inference", ["fast", "variational", "projection"])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy", "poly", "sigmoid"])
@pytest.mark.parametrize("gamma", NARROW_AND_WIDE)
def test_kernels_of_rank_one_and_identities(kind, kernel, gamma, inference):
    model = kind(kernel, gamma=gamma, inference=inference, max_iter=300).fit(X, target(kind()))
    sane(model, X)
    sane(model, FAR[:2])


@BOTH
def test_kernels_narrower_than_the_data_know_nothing_elsewhere(kind):
    model = kind(gamma=1e12, fit_intercept=False).fit(X, target(kind()))
    where = X + 0.1
    if kind is RVC:
        assert_allclose(model.predict_proba(where), 0.5, rtol=1e-12)
    else:
        assert_allclose(model.predict(where), 0.0, atol=1e-12)


@pytest.mark.parametrize("fit_intercept", [True, "column"])
@pytest.mark.parametrize("y", [0.0, 5.0, -5.0, 1e8, 1e-8])
@pytest.mark.parametrize(("inference", "floor"), [("fast", 1e-5), ("projection", 1e-4)])
def test_a_constant_target_is_predicted(y, fit_intercept, inference, floor):
    """It has no spread to measure residuals by, so that its mean is not taken out."""
    model = RVR(fit_intercept=fit_intercept, inference=inference).fit(X, np.full(N, y))
    mean, std = model.predict(X, return_std=True)
    assert_allclose(mean, y, rtol=1e-9)
    assert np.all(std <= 2 * floor * (abs(y) or 1.0))
    assert model.outcome_ in (Outcome.NOISE_VANISHED, Outcome.NOTHING_RELEVANT)
    assert model.offset_ == 0.0


@pytest.mark.parametrize("inference", ["fast", "mackay", "em", "variational", "projection"])
@pytest.mark.parametrize("y", [0.0, 5.0, 1e8])
def test_a_constant_target_is_predicted_by_every_inference(inference, y):
    model = RVR(gamma="scale", inference=inference).fit(X, np.full(N, y))
    mean, std = model.predict(X, return_std=True)
    assert_allclose(mean, y, rtol=1e-5, atol=1e-12)
    assert np.all(std <= 2e-3 * (abs(y) or 1.0))


@pytest.mark.parametrize("y", [0.0, 5.0, 1e8])
def test_a_constant_target_without_an_intercept(y):
    model = RVR(fit_intercept=False).fit(X, np.full(N, y))
    mean, std = model.predict(X, return_std=True)
    assert np.mean(np.abs(mean - y) <= 3 * std) > 0.9
    assert np.abs(mean - y).max() <= 0.1 * y


@BOTH
@pytest.mark.parametrize("inference", ["fast", "projection"])
def test_a_model_without_relevant_columns_predicts_a_constant(kind, inference):
    y = np.r_[Y, -Y] if kind is RVR else np.r_[LABELS, 1 - LABELS]
    model = kind(inference=inference)
    with pytest.warns(UserWarning, match="No column is relevant"):
        model.fit(np.vstack([X, X]), y)
    assert model.outcome_ is Outcome.NOTHING_RELEVANT
    assert model.weights_.shape == model.relevance_.shape == (0,)
    assert model.covariance_.shape == (0, 0)
    assert model.dual_coef_.shape == (1, 0)
    assert model.relevance_vectors_.shape == (0, 2)
    assert model.column_names_ == []
    assert_allclose(model.intercept_, [0.0], atol=1e-15)
    if kind is RVC:
        assert_allclose(model.predict_proba(FAR), 0.5)
        mean, variance = model.latent_mean_and_variance(FAR)
        assert_allclose(mean, np.zeros(3))
        # A process keeps what the data leave of its variance.
        assert_allclose(variance, np.zeros(3), atol=0.01 if inference == "projection" else 0.0)
    else:
        mean, std = model.predict(FAR, return_std=True)
        assert_allclose(mean, 0.0, atol=1e-15)
        # While scales are learned, what is thought of noise pulls at it: it is a little too small.
        assert_allclose(std, model.noise_std_, rtol=0.02)
        assert_allclose(
            model.noise_std_, np.std(y), rtol=0.03 if inference == "projection" else 0.02
        )
        assert model.predict(FAR, return_cov=True)[1].shape == (3, 3)
        assert model.sample_y(FAR, 2).shape == (3, 2)


@pytest.mark.parametrize("inference", ["fast", "mackay", "em", "variational", "projection"])
@pytest.mark.filterwarnings("ignore:sample_weight was multiplied")
@pytest.mark.parametrize("weight", [0.1, 1.0 / 60])
def test_weights_below_one(inference, weight):
    inputs, y = noisy_sinc(60, random_state=0)
    model = RVR(gamma=0.1, inference=inference).fit(inputs, y, sample_weight=np.full(60, weight))
    sane(model, inputs)
    assert model.noise_std_ < 0.5


def test_many_more_columns_than_rows():
    random = np.random.default_rng(4)
    inputs, y = random.normal(size=(10, 20)), random.normal(size=10)
    sane(SparseBayesRegressor(Polynomial(2) + Bias()).fit(inputs, y), inputs)


@pytest.mark.filterwarnings("ignore:sample_weight was multiplied")
@BOTH
def test_weights_of_all_sizes(kind):
    weight = 10.0 ** np.random.default_rng(0).uniform(-6, 6, N)
    sane(kind(gamma="scale").fit(X, target(kind()), sample_weight=weight), X)


@BOTH
@pytest.mark.parametrize("inference", ["fast", "mackay", "em", "projection"])
def test_one_column_is_kept_of_many_that_are_proportional(kind, inference):
    model = kind("linear", inference=inference).fit(X[:, :1], target(kind()))
    assert len(model.weights_) <= 2


# new inputs


@BOTH
@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy", "sigmoid"])
def test_new_inputs_far_away(kind, kernel):
    model = kind(kernel, gamma="scale").fit(X, target(kind()))
    sane(model, FAR)
    sane(model, np.array([[1e200, -1e200]]))


@BOTH
def test_new_inputs_at_the_end_of_the_numbers(kind):
    sane(kind(gamma="scale").fit(X, target(kind())), np.full((3, 2), 1.7e308))


CODES = [[0.81], [1.56], [-2.4], [0.67], [0.84], [0.16]]
HEAVY = [2e5, 2e5, 1e3, 1e5, 50, 8e3]


def test_separable_classes_with_large_weights():
    inputs = np.array([[-10], [0.3], [-2], [0.8], [1], [2]])
    model = RVC(gamma="scale").fit(inputs, [0, 1, 1, 0, 1, 0], sample_weight=HEAVY)
    sane(model, inputs)


def test_sparse_inputs_far_from_zero():
    inputs = csr_array(np.random.default_rng(0).normal(size=(30, 3)) + 1e7)
    sane(RVR().fit(inputs, np.arange(30.0)), inputs)


@pytest.mark.parametrize("multi_class", ["ovr", "auto"])
def test_a_few_rows_of_separable_classes(multi_class):
    model = RVC(gamma=10.0, multi_class=multi_class).fit(CODES, [0, 1, 2, 2, 2, 0])
    sane(model, np.array(CODES))


# known faults


def test_a_softmax_of_separable_classes():
    RVC(gamma=10.0, multi_class="softmax", inference="fast").fit(CODES, [0, 1, 2, 2, 2, 0])
