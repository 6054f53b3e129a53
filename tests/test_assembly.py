"""From fits to columns, weights and the covering of all latent values."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from procedure_parts import GIVEN, LIMITS, N, X, problem

from sparsebayes import Bias, Fast, GaussianKernel, PrecomputedKernel, Projection, SigmoidKernel
from sparsebayes.assembly import assemble, assemble_each
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Gaussian, Multinomial
from sparsebayes.problem import Problem
from sparsebayes.procedures import Each, procedure_at_scales
from sparsebayes.rows import Data

PROJECTED = procedure_at_scales(Projection(), LIMITS)
NEW = np.random.default_rng(5).uniform(-1.5, 1.5, (9, 2))


@cache
def fits_of(name):
    return PROJECTED.fit(problem(name, GIVEN), Report())


@cache
def separate_outputs():
    """Outputs fitted apart, each with vectors of its own."""
    target = problem("outputs", GIVEN).data.target
    given = Problem(Data(X, target, np.ones(N)), GIVEN.bind(X, np.ones(N)), Gaussian())
    return Each(PROJECTED).fit(given, Report())


SEVERAL = {
    "outputs that share vectors": lambda: fits_of("outputs"),
    "separate outputs": separate_outputs,
    "classes of a softmax": lambda: fits_of("softmax"),
}
several = pytest.mark.parametrize("make", SEVERAL.values(), ids=SEVERAL)


def latents_of(fit, inputs):
    return fit.problem.columns.evaluate(inputs, fit.active) @ fit.mean


@pytest.mark.parametrize("name", ["gaussian", "bernoulli", "shared softmax"])
def test_one_fit_has_its_own_columns_weights_and_covering(name):
    (fit,) = fits_of(name)
    found = assemble(fit)
    assert found.plain.spread is fit.covering
    expected = fit.problem.likelihood.latent_weights(latents_of(fit, NEW))
    latent = found.plain.without_covering().at(NEW)
    assert_allclose(latent.mean, expected, rtol=1e-9, atol=1e-12)
    half = fit.problem.columns.evaluate(NEW, fit.active) @ fit.root
    variance = np.sum(half**2, axis=1)[:, None] * np.diag(
        fit.problem.likelihood.between(fit.output_precision)
    )
    assert_allclose(latent.variance, variance, rtol=1e-7)


def test_the_columns_of_one_fit_have_rows_in_ascending_order():
    found = assemble(fits_of("gaussian")[0])
    rows = found.plain.columns[0].centre_rows
    assert_array_equal(rows, np.sort(rows))
    assert len(found.weight_precision) == len(found.relevant) == len(found.plain.weights)


@several
def test_several_fits_have_the_columns_of_any_of_them(make):
    fits = make()
    found = assemble_each(fits)
    distinct = np.unique(np.concatenate([fit.active for fit in fits]))
    assert len(found.plain.weights) == len(distinct)
    assert found.weight_precision.shape == (len(distinct), len(fits))
    latent = found.plain.without_covering().at(NEW)
    for k, fit in enumerate(fits):
        mean, root = latents_of(fit, NEW)[:, 0], fit.root
        assert_allclose(latent.mean[:, k], mean, rtol=1e-8, atol=1e-10)
        half = fit.problem.columns.evaluate(NEW, fit.active) @ root
        variance = np.sum(half**2, axis=1)
        assert_allclose(latent.variance[:, k], variance, rtol=1e-7)


def test_outputs_that_share_vectors_have_a_precision_for_every_column_and_output():
    found = assemble_each(fits_of("outputs"))
    assert np.isfinite(found.weight_precision).all()


@pytest.mark.parametrize("make", [SEVERAL["outputs that share vectors"], separate_outputs])
def test_the_covering_of_outputs_is_that_of_each(make):
    fits = make()
    covering = assemble_each(fits).plain.spread
    assert covering.between is None
    assert covering.amplitude.shape[1] == len(fits)
    for k, fit in enumerate(fits):
        alone = fit.covering
        assert_allclose(covering.variance(NEW)[:, k], alone.variance(NEW)[:, 0], rtol=1e-6)
        expected = alone.joint_covariance(NEW, 0)
        assert_allclose(covering.joint_covariance(NEW, k), expected, rtol=1e-5, atol=1e-7)
    novelty = np.mean([fit.covering.novelty(NEW) for fit in fits], axis=0)
    assert_allclose(covering.novelty(NEW), novelty, rtol=1e-6)


def test_the_rows_of_a_common_covering_are_those_of_any():
    fits = separate_outputs()
    expected = np.unique(np.concatenate([fit.covering.rows for fit in fits]))
    assert_array_equal(assemble_each(fits).plain.spread.rows, expected)
    assert len({fit.covering.n_columns for fit in fits}) > 1  # one is the longer


@pytest.mark.parametrize("name", ["softmax", "shared softmax"])
def test_the_covering_of_classes_is_one_process_for_all(name):
    fits = fits_of(name)
    found = assemble(fits[0]) if len(fits) == 1 else assemble_each(fits)
    covering = found.plain.spread
    assert covering is fits[0].covering
    assert_allclose(covering.between, Multinomial(3).between(1.0), rtol=1e-12)
    assert covering.variance(NEW).shape == (9, 3)
    assert len(covering.roots) == 1


def test_where_one_has_no_covering_none_has():
    with_one = fits_of("outputs")
    without = procedure_at_scales(Fast(), LIMITS).fit(problem("gaussian", GIVEN), Report())
    assert not assemble(without[0]).plain.spread.covers
    assert not assemble_each([with_one[0], *without]).plain.spread.covers


def test_kernels_that_are_no_covariance_have_none():
    basis = SigmoidKernel(0.5) + Bias()
    fits = PROJECTED.fit(problem("outputs", basis), Report())
    assert not assemble_each(fits).plain.spread.covers


def test_a_precomputed_kernel_leaves_its_table_behind():
    """At new rows, which it does not know, it has the columns of kept training rows alone."""
    kernel = GaussianKernel(1.0).bind(X, np.ones(N)).between(X, X)
    columns = PrecomputedKernel().bind(kernel, np.ones(N)).tested()
    target = problem("gaussian", GIVEN).data.target
    given = Problem(Data(kernel, target, np.ones(N)), columns, Gaussian())
    (fit,) = PROJECTED.fit(given, Report())
    found = assemble(fit).plain
    assert fit.problem.columns.formula.function is not None
    every = (*found.columns, *found.spread.columns)
    assert all(kind.formula.function is None for kind in every)
    assert np.isfinite(found.spread.variance(0.5 * kernel[:3])).all()
