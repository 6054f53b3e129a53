"""The evidence of dense models against naive Gaussian processes, its gradient by differences."""

import numpy as np
import pytest
import reference
from dense_parts import (
    BASES,
    CLASS,
    OTHER_TARGETS,
    TARGETS,
    Y2,
    N,
    X,
    Y,
    differences,
    row_weight,
)
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.stats import multivariate_normal

from sparsebayes.basis import Bias, CauchyKernel, GaussianKernel, LaplacianKernel, SigmoidKernel
from sparsebayes.dense.latent import LatentSearch
from sparsebayes.dense.model import DenseModel, precisions_of
from sparsebayes.dense.rows import BUDGET, Budget, DenseRows
from sparsebayes.likelihoods import Bernoulli, Gaussian, Gaussians
from sparsebayes.rows import Data

KERNEL_OF = {
    GaussianKernel: lambda d, gamma: np.exp(-(gamma * d**2).sum(-1)),
    CauchyKernel: lambda d, gamma: 1.0 / (1.0 + (gamma * d**2).sum(-1)),
    LaplacianKernel: lambda d, gamma: np.exp(-(gamma * np.abs(d)).sum(-1)),
}
EVERY_TARGET = TARGETS | OTHER_TARGETS
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])


def model_of(basis, target, likelihood, weighted=False, inputs=X, budget=BUDGET):
    weight = row_weight(weighted)
    columns = basis.bind(inputs, weight)
    rows = DenseRows.of(Data(inputs, target, weight), likelihood)
    return DenseModel(columns, rows, budget, LatentSearch(last_step=1e-14))


def near_start(model, spread=0.3):
    """Settings and log scales not far from where a climb begins."""
    log_scales = model.columns.log_spreads
    settings, _ = model.first_settings(log_scales, 1e-4)
    random = np.random.default_rng(5)
    settings = settings + spread * random.normal(size=settings.shape)
    return settings, log_scales + spread * random.normal(size=log_scales.shape)


def kernel_at(kind, log_scales):
    return KERNEL_OF[kind](X[:, None] - X, np.exp(log_scales))


@pytest.mark.parametrize("kind", KERNEL_OF)
def test_it_is_a_gaussian_process(kind):
    """With scales in common, for all targets."""
    model = model_of(kind(input_scale="learn") + Bias(), Y2, Gaussian())
    settings, log_scales = near_start(model)
    kernel = kernel_at(kind, log_scales)
    exact = 0.0
    for target, (alpha, bias, beta) in zip(Y2.T, np.exp(settings), strict=True):
        covariance = kernel / alpha + 1.0 / bias + np.eye(N) / beta
        exact += multivariate_normal(np.zeros(N), covariance).logpdf(target)
    assert_allclose(model.evaluate(settings, log_scales).value, exact, rtol=1e-9)


@pytest.mark.parametrize("centres", [5, X[:4] + 0.1], ids=["some rows", "given"])
def test_it_is_the_process_of_the_kernel_whatever_its_centres(centres):
    few = GaussianKernel(input_scale="learn", centres=centres) + Bias()
    one, other = (model_of(basis, Y, Gaussian()) for basis in (BASES["gaussian"], few))
    point = near_start(one)
    assert_allclose(other.evaluate(*point).value, one.evaluate(*point).value, rtol=1e-12)


def test_that_of_classes_is_laplaces_for_whitened_columns():
    model = model_of(GaussianKernel(input_scale="learn"), CLASS, Bernoulli())
    settings, log_scales = near_start(model)
    kernel = kernel_at(GaussianKernel, log_scales)
    design = np.linalg.cholesky(kernel)
    exact = reference.laplace_log_evidence(design, CLASS, np.full(N, np.exp(settings[0, 0])))
    assert_allclose(model.evaluate(settings, log_scales).value, exact, rtol=1e-7)


def assert_gradients(model):
    settings, log_scales = near_start(model)
    found = model.evaluate(settings, log_scales)
    by_setting = differences(lambda x: model.evaluate(x, log_scales).value, settings, 1e-4)
    by_scale = differences(lambda x: model.evaluate(settings, x).value, log_scales, 1e-4)
    assert_allclose(found.by_setting, by_setting, rtol=1e-6, atol=1e-6)
    assert_allclose(found.by_scale, by_scale, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
@pytest.mark.parametrize(("target", "likelihood"), EVERY_TARGET.values(), ids=EVERY_TARGET)
def test_its_gradient(basis, target, likelihood):
    assert_gradients(model_of(basis, target, likelihood))


@pytest.mark.parametrize("name", ["gaussian", "bernoulli"])
def test_its_gradient_with_weights_of_rows(name):
    assert_gradients(model_of(BASES["sum"], *TARGETS[name], weighted=True))


@pytest.mark.parametrize("name", TARGETS)
def test_parts_that_are_given_make_the_same_value_and_gradient(name):
    model = model_of(BASES["sum"], *TARGETS[name], weighted=True)
    settings, log_scales = near_start(model)
    found = model.evaluate_at(settings, model.parts(log_scales))
    whole = model.evaluate(settings, log_scales)
    assert_allclose(found.value, whole.value, rtol=1e-10)
    assert_allclose(found.by_setting, whole.by_setting, rtol=1e-6, atol=1e-8)


def test_sparse_inputs_are_the_same():
    dense, sparse = (
        model_of(BASES["gaussian"], Y, Gaussian(), inputs=inputs) for inputs in (X, csr_array(X))
    )
    one, other = (each.evaluate(*near_start(dense)) for each in (dense, sparse))
    for found, expected in zip(other, one, strict=True):
        assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@WEIGHTED
def test_the_first_settings_have_the_units_of_the_data(weighted):
    one, other = (model_of(BASES["sum"], unit * Y, Gaussian(), weighted) for unit in (1.0, 1e3))
    log_scales = one.columns.log_spreads
    for a, b in zip(
        one.first_settings(log_scales, 1e-4), other.first_settings(log_scales, 1e-4), strict=True
    ):
        assert_allclose(b - a, -2.0 * np.log(1e3), rtol=1e-9)
    settings, limits = one.first_settings(log_scales, 1e-4)
    assert settings.shape == (1, 6 + 1)
    assert limits.shape == (1, 6 + 1, 2)
    assert np.all((limits[..., 0] < settings) & (settings < limits[..., 1]))


def test_columns_of_zeros_have_first_settings():
    model = model_of(BASES["sum"], Y, Gaussian(), inputs=np.column_stack([X[:, 0], np.zeros(N)]))
    settings, _ = model.first_settings(model.columns.log_spreads, 1e-4)
    assert np.isfinite(settings).all()


@pytest.mark.parametrize("name", ["gaussian", "fixed noise", "bernoulli"])
def test_settings_say_precisions_of_groups_and_of_the_noise(name):
    target, likelihood = TARGETS[name]
    model = model_of(BASES["gaussian"], target, likelihood)
    (settings,), _ = model.first_settings(model.columns.log_spreads, 1e-4)
    found = precisions_of(settings, model.group, likelihood.noise)
    assert_allclose(found.weight, np.exp(np.repeat(settings[:2], [N, 1])))
    given = {"gaussian": np.exp(settings[-1]), "fixed noise": 0.3**-2, "bernoulli": 1.0}
    assert_allclose(found.noise, given[name], rtol=1e-12)


def test_several_outputs_are_each_for_itself():
    model = model_of(BASES["gaussian"], Y2, Gaussians(2))
    assert_array_equal(model.rows.targets, Y2.T)
    assert model.rows.likelihood == Gaussian()


# Latent values.


def latents_of(model, inputs=X):
    """Latent values at inputs, once the modes have been found."""
    settings, log_scales = near_start(model)
    model.evaluate(settings, log_scales)
    return model.latents_at(inputs, settings, log_scales)


@pytest.mark.parametrize("basis", BASES.values(), ids=BASES)
def test_latent_values_are_the_mean_of_a_gaussian_process(basis):
    """f = K (K + noise)^-1 t, for each target."""
    model = model_of(basis, Y2, Gaussian(), weighted=True)
    settings, log_scales = near_start(model)
    found = latents_of(model)
    assert found.shape == (2, N)
    for target, own, latent in zip(Y2.T, settings, found, strict=True):
        covariance = naive_prior(model, own, log_scales, X)
        noise = np.diag(np.exp(-own[-1]) / row_weight(True))
        expected = covariance @ np.linalg.solve(covariance + noise, target)
        assert_allclose(latent, expected, atol=1e-6)


def naive_prior(model, settings, log_scales, inputs):
    """Prior covariance between inputs and the rows, column by column."""
    total, start = np.zeros((len(inputs), model.rows.n_rows)), 0
    for kind in model.columns.rescaled(log_scales).kinds:
        if kind.positive_definite:
            total += np.exp(-settings[start]) * kind.formula(inputs, model.rows.inputs)
            start += 1
            continue
        left, right = kind.evaluate(inputs), kind.evaluate(model.rows.inputs)
        plain = kind.centre_rows[0] < 0
        variance = np.exp(-settings[start : start + kind.n_columns] if plain else -settings[start])
        total += (left * variance) @ right.T
        start += kind.n_columns if plain else 1
    return total


@pytest.mark.parametrize("name", ["gaussian", "two classes each"])
@pytest.mark.parametrize("basis", ["gaussian", "sum", "sigmoid"])
def test_latent_values_of_rows_that_were_left_out_follow_from_the_others(name, basis):
    target, likelihood = TARGETS[name]
    data = Data(X, target, row_weight(True))
    rows = DenseRows.of(data, likelihood).thinned(9)
    model = DenseModel(BASES[basis].bind(X, data.weight), rows)
    settings, log_scales = near_start(model)
    found = latents_of(model)
    assert found.shape == (len(rows.targets), N)
    parts = model.parts(log_scales)
    for k, own in enumerate(settings):
        pull = model.find_mode(k, own, parts).point.pull
        expected = naive_prior(model, own, log_scales, X) @ pull
        assert_allclose(found[k], expected, rtol=1e-6, atol=1e-9)


def test_latent_values_of_equal_rows_are_equal():
    twice = np.vstack([X, X])
    data = Data(twice, np.tile(CLASS, 2), np.ones(2 * N))
    columns = BASES["gaussian"].bind(twice, data.weight)
    all_rows = DenseRows.of(data, Bernoulli())
    one, other = (
        latents_of(DenseModel(columns, rows), twice) for rows in (all_rows, all_rows.distinct())
    )
    assert_allclose(one, other, atol=1e-6)
    assert_allclose(one[:, :N], one[:, N:], atol=1e-9)


def test_of_too_many_rows_latent_values_are_not_worth_it():
    data = Data(X, Y, np.ones(N))
    rows = DenseRows.of(data, Gaussian()).thinned(9)
    columns = BASES["gaussian"].bind(X, data.weight)
    assert latents_of(DenseModel(columns, rows, Budget(seen_rows=N - 1))) is None
    assert latents_of(DenseModel(columns, rows, Budget(seen_rows=N))) is not None


@pytest.mark.parametrize("name", TARGETS)
def test_the_evidence_of_targets_is_the_sum_of_that_of_each(name):
    model = model_of(BASES["sum"], *TARGETS[name])
    settings, log_scales = near_start(model)
    parts = model.parts(log_scales)
    each = [model.evaluate_target(k, own, parts) for k, own in enumerate(settings)]
    whole = model.evaluate(settings, log_scales)
    assert_allclose(sum(one.value for one in each), whole.value, rtol=1e-9)
    assert_allclose([one.by_setting for one in each], whole.by_setting, rtol=1e-6, atol=1e-8)
    assert_allclose(sum(one.by_scale for one in each), whole.by_scale, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", ["gaussian", "two targets", "fixed noise", "bernoulli"])
def test_whether_the_noise_of_any_target_is_the_least(name):
    target, likelihood = TARGETS[name]
    model = model_of(BASES["gaussian"], target, likelihood)
    settings, limits = model.first_settings(model.columns.log_spreads, 1e-4)
    assert not model.at_least_noise(settings, limits)
    settings[-1, -1] = limits[-1, -1, 1] - 0.05
    assert model.at_least_noise(settings, limits) == likelihood.noise.estimated


def test_the_least_noise_is_a_part_of_the_variance_of_the_target():
    model = model_of(BASES["gaussian"], Y, Gaussian(), weighted=True)
    for part in (1e-4, 1e-8):
        _, limits = model.first_settings(model.columns.log_spreads, part)
        weight = row_weight(True)
        centred = Y - weight @ Y / weight.sum()
        variance = weight @ centred**2 / weight.sum()
        assert_allclose(limits[0, -1, 1], -np.log(part * variance), rtol=1e-9)


# How large it may be.


def test_of_many_centres_some_serve():
    model = model_of(BASES["sum"], Y, Gaussian(), budget=Budget(centres=4))
    assert model.columns.n_columns == 4 + 2 + 4 + 4 + 1
    assert_array_equal(np.bincount(model.group), [4, 1, 1, 4, 4, 1])


def test_kernels_are_known():
    model = model_of(SigmoidKernel("ard") + GaussianKernel("learn") + Bias(), Y, Gaussian())
    assert_array_equal(model.kernels, [True, True, False])
