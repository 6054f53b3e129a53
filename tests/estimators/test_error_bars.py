"""Error bars of default models: those of a process, which grow away from the data."""

import pickle

import numpy as np
import pytest
from estimator_data import (
    BLOBS,
    CLASSES,
    LABELS,
    MOONS,
    NEW,
    OUTPUTS,
    X,
    Y,
    prediction,
)
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel

from sparsebayes import (
    RVC,
    RVR,
    Projection,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

# Many fits: `make quick` leaves them out.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]

SEEN = (X[:, 0] < 2.0) | (X[:, 0] > 7.0)
FAR = np.array([[-1e6], [1e6]])
FAR_PLANE = np.array([[1e6, 1e6], [-1e6, 1e6], [1e6, -1e6]])
LOCAL = pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])


def rbf(x, c):
    return rbf_kernel(x, c, gamma=0.1)


@pytest.fixture(scope="module")
def gap():
    """A default model of data with a gap."""
    return RVR().fit(X[SEEN], Y[SEEN])


def latent_variance(model, inputs):
    return model.predict(inputs, return_std=True)[1] ** 2 - model.noise_std_**2


# growth


def test_error_bars_grow_in_a_gap(gap):
    inside, near, seen = gap.predict([[4.5], [2.5], [0.0]], return_std=True)[1]
    assert inside > near > seen
    assert inside > 2.0 * seen
    assert seen < 1.3 * gap.noise_std_


def test_error_bars_grow_beyond_the_range_to_those_of_the_prior(gap):
    beyond = gap.predict(np.linspace(10.0, 40.0, 31)[:, None], return_std=True)[1]
    assert np.all(np.diff(beyond) > -1e-12)
    (left, right) = gap.predict(FAR, return_std=True)[1]
    assert_allclose([left, beyond[-1]], right, rtol=1e-6)
    assert right > 2.0 * beyond[0]


def test_the_novelty_is_the_share_of_the_prior_variance_that_is_left(gap):
    inputs = np.linspace(-20.0, 20.0, 41)[:, None]
    share = latent_variance(gap, inputs) / latent_variance(gap, FAR)[0]
    # What the vectors miss of the mean is noise, which new targets have everywhere.
    assert_allclose(gap.novelty(inputs), share, rtol=1e-9, atol=1e-12)


def test_the_far_variance_is_that_of_the_process_whose_evidence_is_given():
    """With hardly anything missed, the evidence is that of N(y | mean, prior k + noise)."""
    model = RVR(gamma=0.1, inference=Projection(fidelity=1e8)).fit(X, Y)
    prior = latent_variance(model, FAR)[0] * rbf(X, X)
    covariance = prior + model.noise_std_**2 * np.eye(80)
    expected = multivariate_normal(np.full(80, Y.mean()), covariance).logpdf(Y)
    assert_allclose(model.log_evidence_, expected, rtol=1e-5)


def test_error_bars_are_about_those_of_a_gaussian_process(regressor):
    """Covering rows leave a tenth of the noise on average, and more here and there."""
    new = np.linspace(-12.0, 12.0, 241)[:, None]
    noise, prior = regressor.noise_std_**2, latent_variance(regressor, FAR)[0]
    across = prior * rbf(new, X)
    known = np.linalg.solve(prior * rbf(X, X) + noise * np.eye(80), across.T)
    variance = prior - np.einsum("nm,mn->n", across, known)
    share = regressor.predict(new, return_std=True)[1] / np.sqrt(variance + noise)
    assert_allclose(share.mean(), 1.0, atol=0.03)
    assert np.all((share > 0.9) & (share < 1.25))


def test_the_machine_of_the_papers_has_error_bars_that_shrink():
    fast = RVR(inference="fast", fit_intercept=False).fit(X[SEEN], Y[SEEN])
    seen, far = fast.predict([[0.0], [1e6]], return_std=True)[1]
    assert_allclose(far, fast.noise_std_, rtol=1e-9)
    assert far < seen


# the mean far away


@pytest.mark.filterwarnings("ignore:sample_weight was multiplied")
@LOCAL
@pytest.mark.parametrize("multi_output", ["shared", "separate"])
def test_the_mean_far_away_of_several_outputs_and_rows_of_several_weights(kernel, multi_output):
    weight = np.linspace(0.2, 3.0, 80)
    model = RVR(kernel, multi_output=multi_output).fit(X, OUTPUTS, sample_weight=weight)
    expected = np.average(OUTPUTS, axis=0, weights=weight)
    assert_allclose(model.predict(FAR), [expected] * 2, rtol=1e-6, atol=1e-6)


# novelty


@pytest.mark.parametrize(
    ("model", "inputs", "y", "far"),
    [
        (RVR(), X, Y, FAR),
        (RVR("laplacian"), X, Y, FAR),
        (RVR(fit_intercept="column"), X, Y, FAR),
        (RVR(), X, OUTPUTS, FAR),
        (RVR(multi_output="separate"), X, OUTPUTS, FAR),
        (RVC(), MOONS, LABELS, FAR_PLANE),
        (RVC("rbf"), BLOBS, CLASSES, FAR_PLANE),
        (RVC("rbf", multi_class="ovr"), BLOBS, CLASSES, FAR_PLANE),
        (SparseBayesRegressor(inference="projection"), X, Y, FAR),
        (SparseBayesClassifier(inference="projection"), MOONS, LABELS, FAR_PLANE),
    ],
    ids=str,
)
def test_the_novelty_is_small_at_the_data_and_one_far_away(model, inputs, y, far):
    model = clone(model).fit(inputs, y)
    seen = model.novelty(inputs)
    assert seen.shape == (len(y),)
    assert np.all((seen >= 0.0) & (seen <= 1.0))
    assert np.median(seen) < 0.3
    assert_allclose(model.novelty(far), 1.0, rtol=1e-9)


@pytest.mark.parametrize("multi_class", ["auto", "ovr"])
def test_far_away_all_is_new_to_a_sum_of_effects_but_its_constant(multi_class):
    model = RVC("effects", multi_class=multi_class).fit(BLOBS, CLASSES)
    seen, far = model.novelty(BLOBS), model.novelty(FAR_PLANE)
    assert np.all((seen >= 0.0) & (seen <= 1.0))
    assert np.median(seen) < 0.5
    assert_allclose(far, far[0], rtol=1e-9)
    assert max(0.99, seen.max()) < far[0] < 1.0


def test_the_novelty_orders_rows_as_the_error_bars_do(gap):
    inputs = np.linspace(-15.0, 15.0, 61)[:, None]
    std = gap.predict(inputs, return_std=True)[1]
    order = np.argsort(gap.novelty(inputs))
    assert np.all(np.diff(std[order]) > -1e-12)


# covering rows


def test_the_covering_rows_of_a_precomputed_kernel_have_no_inputs():
    model = RVR("precomputed").fit(rbf(X, X), Y)
    assert 0 < len(model.covering_) < 80
    assert model.covering_.max() < 80
    assert model.covering_vectors_.shape == (0, 0)


def test_rows_of_no_weight_do_not_cover():
    weight = np.where(np.arange(80) % 2, 1.0, 0.0)
    model = RVR(gamma=0.1).fit(X, Y, sample_weight=weight)
    assert np.all(weight[model.covering_] > 0.0)
    expected = RVR(gamma=0.1).fit(X[weight > 0.0], Y[weight > 0.0])
    assert_array_equal(model.covering_vectors_, expected.covering_vectors_)


def test_centres_of_the_users_own_cover():
    centres = np.linspace(-10.0, 10.0, 9)[:, None]
    model = RVR(gamma=0.1, centres=centres).fit(X, Y)
    assert model.covering_.max() < 9
    assert_array_equal(model.covering_vectors_, centres[model.covering_])


# without covering rows


def moments(model, inputs):
    """Mean and variance, of the latent value of classes."""
    if hasattr(model, "latent_mean_and_variance"):
        return model.latent_mean_and_variance(inputs)
    mean, std = model.predict(inputs, return_std=True)
    return mean, std**2


def test_without_covering_rows_error_bars_at_the_data_are_about_the_same(
    regressor, without_covering
):
    _, before = regressor.predict(X, return_std=True)
    _, after = without_covering.predict(X, return_std=True)
    assert_allclose(after.mean(), before.mean(), rtol=0.05)
    assert_allclose(after, before, rtol=0.25)
    assert without_covering.noise_std_ > regressor.noise_std_


def test_a_given_noise_grows_by_what_the_vectors_miss():
    model = RVR(gamma=0.1, noise_std=0.2).fit(X, Y)
    assert_allclose(model.noise_std_, 0.2, rtol=1e-12)
    assert 0.2 < model.drop_covering().noise_std_ < 0.25


@pytest.mark.parametrize("centres", [10, 20])
def test_what_few_centres_miss_of_the_process_is_noise_without_covering_rows(centres):
    """Error bars at the training rows stay about as they were."""
    random = np.random.default_rng(0)
    inputs = random.uniform(size=(150, 5))
    y = np.sin(6.0 * inputs[:, 0]) + inputs[:, 1] ** 2 + 0.1 * random.normal(size=150)
    model = RVR(gamma="scale", centres=centres).fit(inputs, y)
    before = model.predict(inputs, return_std=True)[1]
    mean, std = model.drop_covering().predict(inputs, return_std=True)
    assert np.mean(np.abs(y - mean) < 1.645 * std) > 0.75
    assert_allclose(std.mean(), before.mean(), rtol=0.3)


def test_a_model_without_covering_rows_is_smaller_and_can_be_pickled():
    model = RVC().fit(MOONS, LABELS)
    size = len(pickle.dumps(model))
    small = pickle.dumps(model.drop_covering())
    assert len(small) < 0.8 * size
    assert_array_equal(prediction(pickle.loads(small), MOONS), prediction(model, MOONS))


def test_a_fit_after_dropping_starts_afresh(regressor):
    model = RVR(gamma=0.1).fit(X, Y).drop_covering().fit(X, Y)
    for found, expected in zip(moments(model, NEW), moments(regressor, NEW), strict=True):
        assert_array_equal(found, expected)


# covariances


def test_draws_spread_away_from_the_data_and_are_smooth_there(gap):
    draws = gap.sample_y([[0.0], [30.0], [30.1], [60.0]], 2000, random_state=0)
    noise = gap.noise_std_
    assert_allclose(draws[0].std(), gap.predict([[0.0]], return_std=True)[1][0], rtol=0.1)
    assert draws[1].std() > 2.0 * draws[0].std()
    assert_allclose((draws[1] - draws[2]).std(), np.sqrt(2.0) * noise, rtol=0.1)
    assert abs(np.corrcoef(draws[1], draws[3])[0, 1]) < 0.1


@pytest.mark.slow
def test_draws_at_more_rows_than_are_drawn_together_have_their_variances(gap):
    inputs = np.linspace(-20.0, 20.0, 2500)[:, None]
    draws = gap.sample_y(inputs, 200, random_state=0)
    std = gap.predict(inputs, return_std=True)[1]
    assert_allclose(np.mean(draws.std(axis=1) / std), 1.0, rtol=0.03)
    assert np.all(np.abs(draws.std(axis=1) / std - 1.0) < 0.35)


# kernels of the user


@pytest.mark.parametrize("fit_intercept", [True, False, "column"])
def test_a_gaussian_kernel_is_known_by_its_values(fit_intercept):
    named = RVR(gamma=0.1, fit_intercept=fit_intercept).fit(X, Y)
    mean = named.predict(NEW)
    far = latent_variance(named, FAR)[0]
    function = RVR(rbf, fit_intercept=fit_intercept).fit(X, Y)
    table = RVR("precomputed", fit_intercept=fit_intercept).fit(rbf(X, X), Y)
    for model, new, away in ((function, NEW, FAR), (table, rbf(NEW, X), rbf(FAR, X))):
        assert_allclose(model.predict(new), mean, atol=1e-5)
        assert_allclose(latent_variance(model, away), far, rtol=0.05)
        std = model.predict(new, return_std=True)[1]
        assert std[0] > 2.0 * std[12]
        # Other rows may cover the process, so that error bars are equal only about.
        assert_allclose(std, named.predict(NEW, return_std=True)[1], rtol=0.25)
        assert_allclose(model.novelty(away), 1.0, rtol=1e-9)


def test_a_precomputed_kernel_of_rows_of_several_variances_is_not_known_at_new_ones():
    """The variance of new rows is not given, so that it must be one for all rows."""
    gram = X @ X.T
    model = RVR("precomputed").fit(gram, Y + 0.1 * X[:, 0])
    assert not hasattr(model, "covering_")
    assert np.isfinite(model.predict(gram, return_std=True)).all()
