"""Each likelihood is the density that it says it is."""

from inspect import isabstract

import numpy as np
import pytest
from laws.parts import LIKELIHOODS, MODELS, constant, curved, over, single
from numpy.testing import assert_allclose

from sparsebayes import likelihoods
from sparsebayes.likelihoods import Likelihood

SEEDS = pytest.mark.parametrize("seed", range(3))
H = 1e-5


def some_rows(part, seed):
    """Targets, and latent values for them (n, L)."""
    target = part.data(seed, 24, 5)[1]
    n_latents = part.expanded(np.ones((1, 1))).shape[1]
    return target, 2.0 * np.random.default_rng(seed).normal(size=(24, n_latents))


def expand(part, target, latent):
    """Value (n,), slope (n, L) and curvature (n, L, L)."""
    layout, shape = part.likelihood.layout, latent.shape
    value, slope, curvature = part.likelihood.expand(target, part.shaped(latent))
    matrices = [
        layout.bend(curvature, part.shaped(np.tile(unit, (len(latent), 1)))).reshape(shape)
        for unit in np.eye(shape[1])
    ]
    return value.reshape(len(latent), -1).sum(axis=1), slope.reshape(shape), np.stack(matrices, 2)


def row_differences(function, latent):
    """Central differences of a function of each row for its latent values (n, ..., L)."""
    steps = H * np.eye(latent.shape[1])
    return np.stack([(function(latent + s) - function(latent - s)) / (2.0 * H) for s in steps], -1)


def test_every_likelihood_is_in_the_list():
    kinds = [kind for kind in vars(likelihoods).values() if isinstance(kind, type)]
    whole = {kind for kind in kinds if issubclass(kind, Likelihood) and not isabstract(kind)}
    assert {type(part.likelihood) for part in LIKELIHOODS.values()} == whole


@over(LIKELIHOODS)
@SEEDS
def test_the_value_is_the_naive_log_density(part, seed):
    target, latent = some_rows(part, seed)
    expected = part.density(target, latent)[0]
    assert_allclose(expand(part, target, latent)[0], expected, rtol=1e-12, atol=1e-14)


@over(LIKELIHOODS)
@SEEDS
def test_the_slope_is_that_of_the_value(part, seed):
    target, latent = some_rows(part, seed)
    slope = expand(part, target, latent)[1]
    expected = row_differences(lambda at: part.density(target, at)[0], latent)
    size = np.abs(slope).max(axis=0)
    assert_allclose(slope / size, expected / size, rtol=1e-7, atol=1e-8)


@over(LIKELIHOODS, lambda part: part.likelihood.exact_curvature)
@SEEDS
def test_the_curvature_is_that_of_the_slope(part, seed):
    target, latent = some_rows(part, seed)
    expected = -row_differences(lambda at: expand(part, target, at)[1], latent)
    assert_allclose(expand(part, target, latent)[2], expected, rtol=1e-6, atol=1e-9)


@over(LIKELIHOODS, lambda part: not part.likelihood.exact_curvature)
@SEEDS
def test_a_curvature_product_is_the_change_of_the_slope_or_that_of_steps(part, seed):
    target, latent = some_rows(part, seed)
    direction = np.random.default_rng(4).normal(size=latent.shape)
    ahead, behind = (expand(part, target, latent + step * direction)[1] for step in (H, -H))
    expected = (behind - ahead) / (2.0 * H)
    if part.steps is not None:
        expected = np.einsum("nij,nj->ni", part.steps(target, latent)[2], direction)
    product = part.likelihood.curvature_at(target, part.shaped(latent))(part.shaped(direction))
    assert_allclose(product.reshape(latent.shape), expected, rtol=1e-6, atol=1e-9)


@over(LIKELIHOODS, lambda part: not part.likelihood.exact_curvature)
@SEEDS
def test_a_curvature_that_stands_in_is_the_naive_one(part, seed):
    target, latent = some_rows(part, seed)
    expected = part.volume_density(target, latent)[2]
    assert_allclose(expand(part, target, latent)[2], expected, rtol=1e-12, atol=1e-14)


@over(LIKELIHOODS, single)
def test_the_slope_of_the_curvature_is_its_derivative(part):
    target, latent = some_rows(part, 0)
    expected = row_differences(lambda at: expand(part, target, at)[2], latent)[:, 0, 0, 0]
    found = part.likelihood.curvature_slope(target, latent[:, 0])
    assert_allclose(found, expected, rtol=1e-6, atol=1e-9)


@over(LIKELIHOODS, lambda part: part.likelihood.exact_curvature)
def test_the_curvature_is_constant_where_it_is_said_to_be(part):
    target, latent = some_rows(part, 0)
    here, there = (expand(part, target, at)[2] for at in (latent, -3.0 * latent + 1.0))
    assert np.allclose(here, there, rtol=1e-15, atol=0.0) == constant(part)


# Parameters.

TUNABLE = over(MODELS, lambda part: part.family is not None)


@TUNABLE
def test_a_family_at_its_parameters_is_the_likelihood(part):
    family, parameters = part.family
    target, latent = some_rows(part, 0)
    found = family.at(parameters)
    assert family.n_free == len(parameters)
    assert found.n_free == 0
    for ours, expected in zip(
        found.expand(target, latent[:, 0]),
        part.likelihood.expand(target, latent[:, 0]),
        strict=True,
    ):
        assert_allclose(ours, expected, rtol=1e-12, atol=1e-12)


@TUNABLE
@SEEDS
def test_derivatives_for_parameters_are_those_of_the_expansion(part, seed):
    family, parameters = part.family
    target, latent = some_rows(part, seed)
    found = family.by_parameter(parameters, target, latent[:, 0])
    assert len(found) == family.n_free
    for each, unit in zip(found, np.eye(len(parameters)), strict=True):
        ahead, behind = (
            family.at(parameters + step * unit).expand(target, latent[:, 0]) for step in (H, -H)
        )
        for ours, a, b in zip(each, ahead, behind, strict=True):
            assert_allclose(ours, (a - b) / (2.0 * H), rtol=1e-6, atol=1e-6)


@TUNABLE
def test_parameters_start_within_their_limits(part):
    family, parameters = part.family
    target, _ = some_rows(part, 0)
    free = family.free(target, np.ones(len(target)))
    for start in free.starts:
        assert start.shape == parameters.shape
        assert (free.limits[:, 0] < start).all()
        assert (start < free.limits[:, 1]).all()


# Bounds.

BOUNDED = over(MODELS, lambda part: part.likelihood.has_bound and curved(part))
TANGENTS = pytest.mark.parametrize("tangent", [0.0, 1e-300, 1e-5, 1e-4, 0.3, 2.0, 30.0, 1e3, 1e8])


def bound_at(part, target, latent, tangent):
    return part.likelihood.bound(target, latent, np.full_like(latent, tangent))


@BOUNDED
@TANGENTS
@SEEDS
def test_a_bound_is_nowhere_above_the_log_density(part, tangent, seed):
    for target in part.data(seed, 6, 2)[1]:
        latent = np.concatenate([np.linspace(-50.0, 50.0, 1001), [tangent, -tangent]])
        target = np.full_like(latent, target)
        log_density = part.density(target, latent[:, None])[0]
        rounding = 1e-15 * (1.0 + tangent + np.abs(latent))
        assert np.all(bound_at(part, target, latent, tangent).value <= log_density + rounding)


@BOUNDED
@TANGENTS
@SEEDS
def test_a_bound_touches_the_log_density_at_its_tangents(part, tangent, seed):
    target = part.data(seed, 6, 2)[1]
    for latent in np.full((2, 6), tangent) * [[1.0], [-1.0]]:
        ours, exact = (
            bound_at(part, target, latent, tangent),
            part.likelihood.expand(target, latent),
        )
        assert_allclose(ours.value, exact.value, rtol=1e-12, atol=1e-15 * (1.0 + tangent))
        assert_allclose(ours.slope, exact.slope, rtol=1e-9, atol=1e-15)
