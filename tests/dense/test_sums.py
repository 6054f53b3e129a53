import numpy as np
import pytest
from block_parts import blocks_of
from numpy.testing import assert_allclose

from sparsebayes.basis import Bias, GaussianKernel, LinearKernel
from sparsebayes.columns import JoinedColumns
from sparsebayes.columns.whitened import whitened
from sparsebayes.dense.blocks.condensed import slopes_at
from sparsebayes.dense.blocks.sums import BlockTargets, Sums, SumsPass
from sparsebayes.dense.labels.labels import label_contrasts
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.rows.blocks import BLOCK_ROWS, nobody

pytestmark = pytest.mark.slow
N = BLOCK_ROWS + 300
RANDOM = np.random.default_rng(0)
X = RANDOM.uniform(-1.0, 1.0, (N, 2))
WEIGHT = RANDOM.uniform(0.5, 2.0, N)
BASIS = GaussianKernel(0.8, centres=12) + LinearKernel(centres=5) + Bias()
COLUMNS = JoinedColumns(tuple(whitened(kind) for kind in BASIS.bind(X, WEIGHT).kinds))
DESIGN = COLUMNS.evaluate(X)
TARGETS = {
    "gaussian": (Gaussian(), np.sin(3.0 * X[:, 0])),
    "outputs": (Gaussian(), np.column_stack([X[:, 0], X[:, 1] ** 2])),
    "bernoulli": (Bernoulli(), (X[:, 0] > X[:, 1]).astype(float)),
}
EVERY = pytest.mark.parametrize(("likelihood", "target"), TARGETS.values(), ids=TARGETS)


def naive(likelihood, target, mean):
    """The sums, by whole arrays."""
    target = target.reshape(N, -1)
    quadratic = likelihood.expand(target, DESIGN @ mean)
    counts = WEIGHT * quadratic.curvature[:, 0]
    variance = [
        0.0 if part.whitener is None else WEIGHT @ part.kind.variance(X) for part in COLUMNS.parts
    ]
    return Sums(
        WEIGHT.sum(),
        counts.sum(),
        WEIGHT @ quadratic.value,
        DESIGN.T @ (WEIGHT[:, None] * quadratic.slope),
        DESIGN.T @ (counts[:, None] * DESIGN),
        WEIGHT @ DESIGN**2,
        np.array(variance),
        WEIGHT @ DESIGN,
        WEIGHT @ quadratic.slope,
    )


def weights(target):
    return RANDOM.normal(size=(DESIGN.shape[1], target.reshape(N, -1).shape[1]))


@EVERY
def test_sums_are_those_of_the_whole_design(likelihood, target):
    mean = weights(target)
    blocks = blocks_of(X, target, WEIGHT, numeric=True)
    found = Sums(*blocks.fold(SumsPass(COLUMNS, BlockTargets(likelihood), mean)))
    for name, own, expected in zip(
        Sums._fields, found, naive(likelihood, target, mean), strict=True
    ):
        assert_allclose(own, expected, rtol=1e-9, atol=1e-9, err_msg=name)


@EVERY
def test_slopes_are_the_same_without_whitening(likelihood, target):
    mean = weights(target)
    blocks = blocks_of(X, target, WEIGHT, numeric=True)
    found = slopes_at(blocks, COLUMNS, BlockTargets(likelihood), mean, nobody)
    expected = naive(likelihood, target, mean)
    assert_allclose(found.value, expected.value, rtol=1e-9)
    assert_allclose(found.score, expected.score, rtol=1e-7, atol=1e-7)


def test_part_of_the_rows_stands_for_all():
    likelihood, target = TARGETS["gaussian"]
    statistic = SumsPass(
        COLUMNS, BlockTargets(likelihood), np.zeros((DESIGN.shape[1], 1)), part=0.25
    )
    found = Sums(*blocks_of(X, target, numeric=True).fold(statistic))
    assert_allclose(found.weight, N, rtol=1e-3)
    expected = DESIGN.T @ DESIGN
    assert_allclose(found.gram, expected, atol=0.1 * np.abs(expected).max())


def test_classes_are_summed_as_contrasts():
    codes = np.digitize(X[:, 0], [-0.3, 0.4]).astype(float)
    nothing = np.zeros((DESIGN.shape[1], 2))
    blocks = blocks_of(X, codes, numeric=True)
    found = Sums(*blocks.fold(SumsPass(COLUMNS, BlockTargets(Gaussian(), 3), nothing)))
    assert_allclose(found.score, DESIGN.T @ label_contrasts(codes, 3), rtol=1e-9, atol=1e-9)


def test_centred_sums_are_those_of_targets_less_their_mean():
    likelihood, target = TARGETS["outputs"]
    nothing = np.zeros((DESIGN.shape[1], 2))
    statistic = SumsPass(COLUMNS, BlockTargets(likelihood), nothing)
    shifted = Sums(*blocks_of(X, target + 5.0, WEIGHT, numeric=True).fold(statistic))
    centred, mean = shifted.centred()
    assert_allclose(mean, WEIGHT @ (target + 5.0) / WEIGHT.sum(), rtol=1e-12)
    expected = naive(likelihood, target + 5.0 - mean, nothing)
    for name, own, wanted in zip(Sums._fields, centred, expected, strict=True):
        assert_allclose(own, wanted, rtol=1e-8, atol=1e-7, err_msg=name)


def test_sums_of_rows_add_up():
    likelihood, target = TARGETS["gaussian"]
    statistic = SumsPass(COLUMNS, BlockTargets(likelihood), np.zeros((DESIGN.shape[1], 1)))
    whole = Sums(*blocks_of(X, target, WEIGHT, numeric=True).fold(statistic))
    halves = [
        Sums(*blocks_of(X[rows], target[rows], WEIGHT[rows], numeric=True).fold(statistic))
        for rows in (slice(0, 1000), slice(1000, N))
    ]
    for own, expected in zip(halves[0].and_more(halves[1]), whole, strict=True):
        assert_allclose(own, expected, rtol=1e-10, atol=1e-10)


def test_a_block_without_rows_of_a_part_adds_nothing():
    likelihood, target = TARGETS["gaussian"]
    statistic = SumsPass(
        COLUMNS, BlockTargets(likelihood), np.zeros((DESIGN.shape[1], 1)), part=1e-6
    )
    found = Sums(*blocks_of(X, target, numeric=True).fold(statistic))
    assert found.weight == 0.0
    assert found.gram.shape == (DESIGN.shape[1],) * 2
