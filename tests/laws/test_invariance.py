"""What must not change a prediction, and what may change only its units (flat hyperpriors)."""

from typing import NamedTuple

import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose

from sparsebayes import evidence
from sparsebayes.inference import Fast, Outcome, em, mackay, run


class Data(NamedTuple):
    """A design, its target, and the same columns on new rows."""

    make: str
    design: np.ndarray
    target: np.ndarray
    new: np.ndarray

    def columns(self, change):
        return self._replace(design=change(self.design), new=change(self.new))


def regression():
    design, target = problems.regression(0, n_rows=60, n_columns=12)
    return Data("gaussian", design[:40], target[:40], design[40:])


def classification():
    design, target = problems.classification(0, n_rows=100)
    return Data("bernoulli", design[:80], target[:80], design[80:])


def kernel_regression():
    random = np.random.default_rng(0)
    inputs = np.sort(random.uniform(-10.0, 10.0, 40))
    target = np.sinc(inputs / np.pi) + 0.1 * random.normal(size=40)
    new = np.linspace(-10.0, 10.0, 33)
    design, new = (problems.kernel_design(x, inputs, 3.0) for x in (inputs, new))
    return Data("gaussian", design, target, new)


def kernel_classification():
    data = kernel_regression()
    return data._replace(make="bernoulli", target=(data.target > 0.2).astype(float))


REGRESSIONS = [regression, kernel_regression]
ALL = [*REGRESSIONS, classification, kernel_classification]
INFERENCES = pytest.mark.parametrize("inference", [Fast, mackay, em])
DATA = pytest.mark.parametrize("data", ALL)


def fit(inference, data, tol=1e-3, **options):
    problem = getattr(problems, data.make)(data.design, data.target, **options)
    return problem, run(inference(tol), problem, 5000)


def predict(inference, data, tol=1e-3, **options):
    """Latent mean and standard deviation on the new rows."""
    posterior = fit(inference, data, tol, **options)[1].posterior
    new = data.new[:, posterior.active]
    return new @ posterior.mean, np.sqrt(np.sum((new @ posterior.factor.whitener.T) ** 2, axis=1))


def assert_same(one, other, unit=1.0):
    for here, there in zip(one, other, strict=True):
        size = np.abs(here).max()
        assert size > 0.0
        assert_allclose(there / unit, here, rtol=1e-6, atol=1e-6 * size)


@INFERENCES
@pytest.mark.parametrize("data", REGRESSIONS)
@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_units_of_the_target(inference, data, unit):
    data = data()
    scaled = data._replace(target=unit * data.target)
    assert_same(predict(inference, data), predict(inference, scaled), unit)


@INFERENCES
@DATA
@pytest.mark.parametrize("unit", [1e-6, -1.0, 1e6])
def test_units_of_a_column(inference, data, unit):
    data = data()
    plain = predict(inference, data)
    active = fit(inference, data)[1].posterior.active
    for column in (active[0], np.setdiff1d(np.arange(data.design.shape[1]), active)[0]):
        scale = np.ones(data.design.shape[1])
        scale[column] = unit
        assert_same(plain, predict(inference, data.columns(lambda design, by=scale: design * by)))


@INFERENCES
@DATA
def test_order_of_the_rows(inference, data):
    data = data()
    order = np.random.default_rng(1).permutation(len(data.target))
    shuffled = data._replace(design=data.design[order], target=data.target[order])
    assert_same(predict(inference, data), predict(inference, shuffled))


@INFERENCES
@DATA
def test_order_of_the_columns(inference, data):
    data = data()
    order = np.random.default_rng(2).permutation(data.design.shape[1])
    shuffled = data.columns(lambda design: design[:, order])
    assert_same(predict(inference, data), predict(inference, shuffled))


@INFERENCES
@DATA
@pytest.mark.parametrize("chunk_rows", [3, 17, 1000])
def test_chunks_of_rows(inference, data, chunk_rows):
    data = data()
    assert_same(predict(inference, data), predict(inference, data, chunk_rows=chunk_rows))


@INFERENCES
@pytest.mark.parametrize("data", [regression, classification])
def test_a_column_twice(inference, data):
    """Kernels are left out: with many local maxima, a doubled prior at the start may change which.

    The evidence knows only 1/alpha_1 + 1/alpha_2 of the two, so tol must be small for 1e-6.
    """
    data = data()
    plain = predict(inference, data, tol=1e-6)
    active = fit(inference, data)[1].posterior.active
    for column in (active[0], np.setdiff1d(np.arange(data.design.shape[1]), active)[0]):
        twice = data.columns(lambda design, j=column: np.column_stack([design, design[:, j]]))
        assert_same(plain, predict(inference, twice, tol=1e-6))


@INFERENCES
@pytest.mark.parametrize("make", ["gaussian", "bernoulli"])
@pytest.mark.parametrize(
    ("n_rows", "n_columns"), [(10, 25), (40, 1), (2, 1), (2, 2), (2, 6), (1, 1), (1, 3)]
)
def test_any_shape_gives_a_finite_fit(inference, make, n_rows, n_columns):
    random = np.random.default_rng(3)
    design = random.normal(size=(n_rows, n_columns))
    latent = 2.0 * design[:, 0] + 0.3 * random.normal(size=n_rows)
    target = latent if make == "gaussian" else (latent > 0.0).astype(float)
    data = Data(make, design, target, design)
    problem, end = fit(inference, data)
    if (inference, make, n_rows) != (em, "gaussian", 10):  # there EM takes 5300 steps
        assert end.outcome is not Outcome.ITERATION_LIMIT
    assert np.isfinite([step.log_evidence for step in end.history]).all()
    assert np.isfinite(end.posterior.mean).all()
    assert np.isfinite(end.posterior.covariance).all()
    beta = end.posterior.noise_precision
    none = problems.posterior_at(problem, np.empty(0, dtype=np.intp), np.empty(0), beta)
    assert end.log_evidence >= evidence.log_evidence(problem, none) - 1e-3


@INFERENCES
def test_one_column_has_the_best_precision_in_closed_form(inference):
    """s^2 / (q^2 - s), with the noise fixed. [TF03]"""
    random = np.random.default_rng(4)
    column = random.normal(size=30)
    target = column + 0.5 * random.normal(size=30)
    data = Data("gaussian", column[:, None], target, column[:, None])
    posterior = fit(inference, data, 1e-9, noise_std=0.5)[1].posterior
    sparsity, quality = 4.0 * column @ column, 4.0 * column @ target
    best = sparsity**2 / (quality**2 - sparsity)
    assert_allclose(posterior.weight_precision, [best], rtol=1e-7)
