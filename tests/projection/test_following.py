"""Columns that follow a dense model, against greedy least squares that tries every column."""

import numpy as np
import pytest
from dense_parts import BASES, TARGETS, N, X, row_weight
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes.basis import Bias, PolynomialKernel
from sparsebayes.dense.model import DenseModel
from sparsebayes.dense.rows import DenseRows
from sparsebayes.likelihoods import Gaussian
from sparsebayes.projection.following import (
    Following,
    following_columns,
    orthogonal_part,
    pick_in_turn,
)
from sparsebayes.rows import Data

RANDOM = np.random.default_rng(0)
DESIGN = RANDOM.normal(size=(12, 8)) * 10.0 ** np.arange(-4, 4)
TARGET = RANDOM.normal(size=(12, 1))
ENERGY = np.vdot(TARGET, TARGET)
WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
OF_TARGET = pytest.mark.parametrize(("target", "likelihood"), TARGETS.values(), ids=TARGETS)


def squared_error(design, target):
    design = design / np.abs(design).max(axis=0)
    missed = target - design @ np.linalg.lstsq(design, target, rcond=None)[0]
    return np.vdot(missed, missed)


def naive_picks(design, target, least, most):
    chosen = []
    while len(chosen) < most and squared_error(design[:, chosen], target) > least:
        errors = [squared_error(design[:, [*chosen, j]], target) for j in range(design.shape[1])]
        chosen.append(int(np.argmin(errors)))
    return chosen


@pytest.mark.parametrize("n_targets", [1, 2, 5])
@pytest.mark.parametrize("seed", range(5))
def test_each_pick_is_the_one_that_lowers_the_squared_error_most(seed, n_targets):
    random = np.random.default_rng(seed)
    design = random.normal(size=(12, 8)) + 2.0 * random.normal(size=(12, 1))
    target = random.normal(size=(12, n_targets))
    expected = naive_picks(design, target, 0.0, 8)
    assert_array_equal(pick_in_turn(design, target, 0.0, 128), expected)


def test_there_are_as_many_picks_as_rows_where_columns_are_more():
    wide = RANDOM.normal(size=(5, 9))
    picks = pick_in_turn(wide, TARGET[:5], 0.0, 128)
    assert_array_equal(picks[:4], naive_picks(wide, TARGET[:5], 0.0, 4))
    assert len(picks) == 5


@pytest.mark.parametrize("part", [0.9, 0.6, 0.4])
def test_it_ends_as_soon_as_the_squared_error_is_small_enough(part):
    picks = pick_in_turn(DESIGN, TARGET, part * ENERGY, 128)
    assert_array_equal(picks, naive_picks(DESIGN, TARGET, part * ENERGY, 8))
    assert squared_error(DESIGN[:, picks], TARGET) <= part * ENERGY
    assert squared_error(DESIGN[:, picks[:-1]], TARGET) > part * ENERGY


def test_a_target_that_is_small_enough_needs_no_column():
    picks = pick_in_turn(DESIGN, TARGET, ENERGY, 128)
    assert len(picks) == 0
    assert picks.dtype == np.intp


@pytest.mark.parametrize("most", [0, 1, 4])
def test_it_ends_at_so_many_columns(most):
    whole = pick_in_turn(DESIGN, TARGET, 0.0, 8)
    assert_array_equal(pick_in_turn(DESIGN, TARGET, 0.0, most), whole[:most])
    assert len(whole) == 8


@pytest.mark.parametrize("n_targets", [1, 3])
def test_it_ends_when_what_is_left_is_enough(n_targets):
    target = np.random.default_rng(4).normal(size=(12, n_targets))
    whole, seen = naive_picks(DESIGN, target, 0.0, 8), []

    def enough(residual):
        seen.append(residual.copy())
        return len(seen) == 4

    assert_array_equal(pick_in_turn(DESIGN, target, 0.0, 128, enough), whole[:3])
    scaled = DESIGN / np.abs(DESIGN).max(axis=0)
    for size, residual in enumerate(seen):
        some = scaled[:, whole[:size]]
        left = target - some @ np.linalg.lstsq(some, target, rcond=None)[0]
        assert_allclose(residual, left, atol=1e-12)


def test_it_ends_where_nothing_is_gained():
    design, outside = np.eye(6)[:, :3], np.eye(6)[:, 5:]
    assert len(pick_in_turn(design, outside, 0.0, 128)) == 0
    assert len(pick_in_turn(design, np.zeros((6, 1)), -1.0, 128)) == 0
    assert_array_equal(pick_in_turn(design, outside + 2.0 * np.eye(6)[:, 1:2], 0.0, 128), [1])


def test_columns_that_say_the_same_are_picked_once():
    double = np.column_stack([DESIGN, -3.0 * DESIGN[:, ::-1], DESIGN[:, :2] @ [[1e4], [1e3]]])
    picks = pick_in_turn(double, TARGET, 0.0, 128)
    assert len(picks) == 8
    assert np.linalg.matrix_rank(double[:, picks] / np.abs(double[:, picks]).max(axis=0)) == 8
    assert_allclose(squared_error(double[:, picks], TARGET), squared_error(DESIGN, TARGET))


def test_columns_equal_to_rounding_are_picked_once():
    noise = 1.0 + 1e-13 * RANDOM.normal(size=DESIGN.shape)
    picks = pick_in_turn(np.column_stack([DESIGN, noise * DESIGN]), TARGET, 0.0, 128)
    assert_array_equal(np.sort(picks % 8), np.arange(8))


@pytest.mark.parametrize("unit", [1e-8, 1e8])
def test_units_of_columns_do_not_matter(unit):
    units = unit ** np.linspace(-1.0, 1.0, 8)
    expected = pick_in_turn(DESIGN, TARGET, 0.5 * ENERGY, 128)
    assert_array_equal(pick_in_turn(DESIGN * units, TARGET, 0.5 * ENERGY, 128), expected)


def test_units_of_the_target_do_not_matter():
    expected = pick_in_turn(DESIGN, TARGET, 0.5 * ENERGY, 128)
    found = pick_in_turn(DESIGN, 1e8 * TARGET, 1e16 * 0.5 * ENERGY, 128)
    assert_array_equal(found, expected)


def test_columns_of_zeros_are_never_picked():
    zeros = np.zeros((12, 2))
    picks = pick_in_turn(np.column_stack([zeros, DESIGN, zeros]), TARGET, 0.0, 128)
    assert_array_equal(picks, 2 + pick_in_turn(DESIGN, TARGET, 0.0, 128))
    assert len(pick_in_turn(zeros, TARGET, 0.0, 128)) == 0


def test_it_changes_neither_design_nor_target():
    design, target = DESIGN.copy(), TARGET.copy()
    pick_in_turn(design, target, 0.0, 128)
    assert_array_equal(design, DESIGN)
    assert_array_equal(target, TARGET)


@pytest.mark.parametrize("apart", [1.0, 1e-5, 1e-9])
def test_what_is_left_of_a_column_is_orthonormal_to_those_before_it(apart):
    basis = np.linalg.qr(RANDOM.normal(size=(12, 5)))[0].T
    outside = RANDOM.normal(size=12)
    column = basis.T @ RANDOM.normal(size=5) + apart * outside
    found = orthogonal_part(column, basis)
    assert_allclose(basis @ found, 0.0, atol=1e-14)
    assert_allclose(found @ found, 1.0, rtol=1e-14)
    exact = outside - basis.T @ (basis @ outside)
    assert_allclose(found, exact / np.linalg.norm(exact), atol=1e-14 / apart)


def test_of_a_column_before_all_others_everything_is_left():
    found = orthogonal_part(TARGET[:, 0], np.empty((0, 12)))
    assert_allclose(found, TARGET[:, 0] / np.sqrt(ENERGY), rtol=1e-14)


# Those that follow a dense model.


def model_of(basis, target, likelihood, weighted=False, order=None):
    """A model, its columns, and settings near those that a climb begins at."""
    order = np.arange(N) if order is None else order
    columns = basis.bind(X, row_weight(weighted))
    rows = DenseRows.of(Data(X[order], target[order], row_weight(weighted)[order]), likelihood)
    model = DenseModel(columns, rows)
    settings, _ = model.first_settings(columns.log_scales, 1e-6)
    return model, columns, settings


def missed(model, columns, settings, found):
    """Mean square of what columns miss of the mode of each target, in units of the noise."""
    parts, errors = model.parts(columns.log_scales), []
    for k, (own, chosen) in enumerate(zip(settings, found, strict=True)):
        mode = model.find_mode(k, own, parts).point
        root = np.sqrt(mode.rows.curvature)
        design = root[:, None] * columns.evaluate(model.rows.inputs, chosen)
        errors.append(squared_error(design, root * mode.latent) / model.rows.weight.sum())
    return np.array(errors)


@WEIGHTED
@OF_TARGET
@pytest.mark.parametrize("enough", [0.1, 0.01, 1e-4])
def test_what_the_columns_of_each_target_miss_is_small(target, likelihood, weighted, enough):
    asked = model_of(BASES["sum"], target, likelihood, weighted)
    found = following_columns(*asked, Following(enough))
    assert len(found) == len(np.atleast_2d(target.T))
    assert np.all(missed(*asked, found) <= enough)
    assert np.all(missed(*asked, [picks[:-1] for picks in found]) > enough)


@pytest.mark.parametrize("name", [name for name in BASES if "centres" not in name])
def test_columns_of_any_basis_follow_its_dense_model(name):
    asked = model_of(BASES[name], *TARGETS["gaussian"])
    found = following_columns(*asked)
    assert np.all(missed(*asked, found) <= 0.01)


def test_the_noise_of_a_gaussian_is_its_unit():
    model, columns, settings = model_of(BASES["gaussian"], *TARGETS["gaussian"])
    (chosen,) = following_columns(model, columns, settings, Following(0.05))
    latent = model.find_mode(0, settings[0], model.parts(columns.log_scales)).point.latent
    design = columns.evaluate(X, chosen)
    residual = latent - design @ np.linalg.lstsq(design, latent, rcond=None)[0]
    error = np.exp(settings[0, -1]) * np.mean(residual**2)
    assert_allclose(missed(model, columns, settings, [chosen]), error, rtol=1e-9)
    assert error <= 0.05


def test_there_are_at_most_so_many_columns():
    asked = model_of(BASES["sum"], *TARGETS["two targets"])
    whole = following_columns(*asked, Following(1e-6))
    found = following_columns(*asked, Following(1e-6, most=2))
    for few, many in zip(found, whole, strict=True):
        assert_array_equal(few, many[:2])
        assert len(many) > 2


@WEIGHTED
@OF_TARGET
def test_the_order_of_rows_does_not_matter(target, likelihood, weighted):
    """But for which of several columns that say the same is picked."""
    order = np.random.default_rng(3).permutation(N)
    model, columns, settings = model_of(BASES["sum"], target, likelihood, weighted)
    found = following_columns(model, columns, settings)
    again = following_columns(*model_of(BASES["sum"], target, likelihood, weighted, order))
    design = columns.evaluate(X)
    for one, other in zip(found, again, strict=True):
        assert len(one) == len(other)
        for column in design[:, other].T:
            assert squared_error(design[:, one], column) < 1e-12 * (column @ column)


@pytest.mark.parametrize("name", ["gaussian", "bernoulli"])
def test_a_weight_of_two_equals_the_row_twice(name):
    target, likelihood = TARGETS[name]
    columns, twice = BASES["gaussian"].bind(X, np.ones(N)), np.repeat(np.arange(N), 2)
    heavy = DenseRows.of(Data(X, target, np.full(N, 2.0)), likelihood)
    often = DenseRows.of(Data(X[twice], target[twice], np.ones(2 * N)), likelihood)
    models = [DenseModel(columns, rows) for rows in (heavy, often)]
    settings, _ = models[0].first_settings(columns.log_scales, 1e-6)
    found = [following_columns(model, columns, settings) for model in models]
    assert_array_equal(found[1], found[0])


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("scale", [1e160, 1e250])
def test_where_the_dense_model_cannot_be_evaluated_all_columns_serve(scale):
    basis = PolynomialKernel(2, "ard") + Bias()
    columns = basis.bind(X, np.ones(N)).rescaled(np.full(2, np.log(scale)))
    rows = DenseRows.of(Data(X, np.sin(X[:, 0]), np.ones(N)), Gaussian())
    model = DenseModel(columns, rows)
    (found,) = following_columns(model, columns, np.zeros((1, 3)))
    assert_array_equal(found, np.arange(columns.n_columns))
