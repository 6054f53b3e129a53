"""Each pass is a brute-force sum over rows, wherever and in whatever order these are."""

import pickle
from typing import Any, NamedTuple

import numpy as np
import problems
import pytest
import reference
from laws.parts import LIKELIHOODS, some_candidates, some_row_weights, some_weights
from numpy.testing import assert_allclose
from scipy.sparse import csc_array, csr_array

from sparsebayes import Bias, Linear, statistics
from sparsebayes.problem import Problem
from sparsebayes.rows import Data, InMemoryRows, SparseRows


class Point(NamedTuple):
    """Where statistics are taken; `others` are candidates too, `direction` is one of weights."""

    problem: Problem
    active: np.ndarray
    mean: np.ndarray
    others: np.ndarray
    direction: np.ndarray

    @classmethod
    def of(cls, problem):
        active = some_candidates(problem)
        mean, direction = (some_weights(problem, active, seed) for seed in (1, 6))
        return cls(problem, active, 0.5 * mean, some_candidates(problem, 5), direction)


class Sums(NamedTuple):
    """Of all candidates, by brute force. `gram` has the curvature of one output."""

    value: float
    score: np.ndarray
    gram: np.ndarray
    hessian: np.ndarray

    @classmethod
    def of(cls, part, at):
        data, whole = at.problem.data, at.problem.no_weights(at.problem.n_candidates)
        whole[at.active] = at.mean
        rows = part.expanded(data.inputs), data.target, data.weight, whole.ravel()
        value, score, _ = reference.sums(part.density, *rows)
        hessian = reference.sums(part.steps or part.density, *rows)[2]
        gram = reference.sums(part.volume_density, *rows)[2]
        outputs = whole.shape[1]
        assert_allclose(gram, np.kron(gram[::outputs, ::outputs], np.eye(outputs)), atol=1e-12)
        return cls(value, score.reshape(whole.shape), gram[::outputs, ::outputs], hessian)

    def bent(self, at):
        whole = np.zeros_like(self.score)
        whole[at.active] = at.direction
        return (self.hessian @ whole.ravel()).reshape(whole.shape)[at.active]


# Two groups of two columns.
MEMBERS = np.array([[0, 3], [4, 1]])
# Ours at a point, and the same of the naive sums.
STATISTICS: dict[str, Any] = {
    "value": (
        lambda at: np.sum(statistics.expansion(*at[:3]).value),
        lambda sums, at: sums.value,
    ),
    "score": (
        lambda at: statistics.expansion(*at[:3]).score,
        lambda sums, at: sums.score[at.active],
    ),
    "gram": (
        lambda at: statistics.gram(*at[:3]),
        lambda sums, at: sums.gram[np.ix_(at.active, at.active)],
    ),
    "gram of others": (
        lambda at: statistics.gram_of(at.problem, at.others, at.active, at.mean),
        lambda sums, at: sums.gram[np.ix_(at.others, at.others)],
    ),
    "scores": (lambda at: statistics.scores(*at[:3]), lambda sums, at: sums.score),
    "every score": (
        lambda at: statistics.candidates(*at[:3]).score,
        lambda sums, at: sums.score,
    ),
    "every energy": (
        lambda at: statistics.candidates(*at[:3]).energy,
        lambda sums, at: np.diag(sums.gram),
    ),
    "cross gram": (
        lambda at: statistics.candidates(*at[:3]).cross_gram,
        lambda sums, at: sums.gram[:, at.active],
    ),
    "inner products": (
        lambda at: statistics.inner_products(at.problem, at.others),
        lambda sums, at: sums.gram[:, at.others],
    ),
    "group grams": (
        lambda at: statistics.group_grams(at.problem, MEMBERS, at.active, at.mean),
        lambda sums, at: np.stack([sums.gram[np.ix_(own, own)] for own in MEMBERS]),
    ),
    "curvature product": (
        lambda at: statistics.curvature_product(*at[:3], at.direction),
        lambda sums, at: sums.bent(at),
    ),
}


def is_there(name, likelihood):
    """Inner products are those of a constant curvature; products only of one not at hand.

    Groups have one precision for all classes.
    """
    if name == "inner products":
        return likelihood.constant_curvature
    if name == "group grams":
        return likelihood.layout.n_classes == 1
    return name != "curvature product" or not likelihood.exact_curvature


PAIRS = {
    f"{name}, {kind}": (part, *STATISTICS[name])
    for kind, part in LIKELIHOODS.items()
    for name in STATISTICS
    if is_there(name, part.likelihood)
}
OVER_ALL = pytest.mark.parametrize(("part", "ours", "naive"), PAIRS.values(), ids=PAIRS)
WEIGHT = some_row_weights(24)


def assert_same(found, expected):
    size = np.abs(expected).max(axis=0)
    assert np.shape(found) == np.shape(expected)
    assert_allclose(found / size, expected / size, rtol=1e-11, atol=1e-12)


@OVER_ALL
def test_a_statistic_is_the_sum_over_rows(part, ours, naive):
    at = Point.of(part.problem(weight=WEIGHT))
    assert_same(ours(at), naive(Sums.of(part, at), at))


@OVER_ALL
def test_any_chunks_of_rows_have_the_same_sum(part, ours, naive):
    whole = ours(Point.of(part.problem(weight=WEIGHT)))
    for chunk_rows in (1, 7, 1000):
        assert_same(ours(Point.of(part.problem(weight=WEIGHT, chunk_rows=chunk_rows))), whole)


@OVER_ALL
def test_any_order_of_rows_has_the_same_sum(part, ours, naive):
    plain = part.problem(weight=WEIGHT)
    data = plain.data.take(np.random.default_rng(7).permutation(24))
    shuffled = Problem.of_design(data.inputs, data, part.likelihood)
    assert_same(ours(Point.of(shuffled)), ours(Point.of(plain)))


@OVER_ALL
def test_a_row_of_weight_two_is_the_row_twice(part, ours, naive):
    times = np.arange(24) % 3
    design, target = part.data(0, 24, 5)
    weighted = problems.problem(design, target, part.likelihood, weight=times * 1.0)
    twice = np.repeat(np.arange(24), times)
    repeated = problems.problem(design[twice], target[twice], part.likelihood)
    assert_same(ours(Point.of(weighted)), ours(Point.of(repeated)))


@OVER_ALL
@pytest.mark.parametrize("basis", [Linear(), Linear() + Bias()], ids=["inputs", "and a constant"])
def test_sparse_rows_have_the_same_sum(part, ours, naive, basis):
    design, target = part.data(0, 24, 5)
    design[np.abs(design) < 0.5] = 0.0
    data, columns = Data(design, target, WEIGHT), basis.bind(design, WEIGHT)
    dense = ours(Point.of(Problem(data, columns, part.likelihood)))
    for form in (csr_array, csc_array):
        sparse = Problem(data, columns, part.likelihood)
        vars(sparse)["rows"] = SparseRows.evaluated(columns, data._replace(inputs=form(design)))
        assert_same(ours(Point.of(sparse)), dense)


class FarRows(InMemoryRows):
    """Rows that a pass must travel to."""

    def fold(self, statistic, chosen=None):
        return super().fold(pickle.loads(pickle.dumps(statistic)), chosen)


@OVER_ALL
def test_a_pass_can_travel_to_the_rows(part, ours, naive):
    near, far = part.problem(weight=WEIGHT), part.problem(weight=WEIGHT)
    vars(far)["rows"] = FarRows(far.data.inputs, far.data.target, far.data.weight)
    assert_same(ours(Point.of(far)), ours(Point.of(near)))


@pytest.mark.parametrize("part", LIKELIHOODS.values(), ids=LIKELIHOODS)
def test_without_active_candidates_sums_are_empty(part):
    problem = part.problem()
    n_outputs = part.likelihood.layout.n_outputs
    none = np.empty(0, dtype=np.intp), problem.no_weights(0)
    assert statistics.expansion(problem, *none).score.shape == (0, n_outputs)
    assert statistics.gram(problem, *none).shape == (0, 0)
    every = statistics.candidates(problem, *none)
    assert every.cross_gram.shape == (problem.n_candidates, 0)
    assert every.energy.shape == (problem.n_candidates,)
    assert every.score.shape == (problem.n_candidates, n_outputs)
