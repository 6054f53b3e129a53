from types import SimpleNamespace

import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import coo_array, csc_array, csr_array

from sparsebayes.columns import identity_columns
from sparsebayes.rows import Data, InMemoryRows, SparseRows
from sparsebayes.rows import make_rows as rows_of
from sparsebayes.rows.in_memory import MANY_NUMBERS, are_many_inputs
from sparsebayes.rows.rows import BLOCK_NUMBERS

N_ROWS = 23
CHUNKS = [1, 2, 7, 22, 23, 24, 1000]


def make_rows(chunk_rows=None, design=None):
    random = np.random.default_rng(0)
    inputs = random.normal(size=(N_ROWS, 5)) if design is None else design
    target, weight = random.normal(size=N_ROWS), random.uniform(size=N_ROWS)
    return problems.make_rows(inputs, target, weight, chunk_rows)


def everything(design, target, weight):
    return len(target), weight @ target, design.T @ (weight * target), design.T @ design


@pytest.mark.parametrize("chunk_rows", CHUNKS)
@pytest.mark.parametrize("active", [None, [], [2], [0, 3, 4], [4, 0]])
def test_any_chunking_folds_to_the_same(chunk_rows, active):
    active = active if active is None else np.array(active, dtype=np.intp)
    whole = make_rows().fold(everything, active)
    parts = make_rows(chunk_rows).fold(everything, active)
    assert len(whole) == len(parts) == 4
    assert whole[0] == parts[0] == N_ROWS
    for one, other in zip(whole, parts, strict=True):
        assert np.shape(one) == np.shape(other)
        assert_allclose(other, one, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("chunk_rows", [None, 7])
def test_active_selects_columns_in_their_order(chunk_rows):
    rows = make_rows(chunk_rows)
    everywhere = rows.fold(lambda design, target, weight: (target @ design,))[0]
    some = np.array([3, 1])
    chosen = rows.fold(lambda design, target, weight: (target @ design,), some)[0]
    assert_allclose(chosen, everywhere[some], rtol=1e-12)


def test_blocks_are_the_rows_in_order_and_no_larger_than_asked():
    rows, seen = make_rows(7), []

    def look(design, target, weight):
        seen.append((design, target, weight))
        return (0,)

    rows.fold(look)
    assert [len(target) for _, target, _ in seen] == [7, 7, 7, 2]
    whole = make_rows().fold(lambda *block: block)
    for place, expected in enumerate(whole):
        assert_array_equal(np.concatenate([block[place] for block in seen]), expected)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_design_that_is_not_finite_is_refused(bad):
    design = np.ones((N_ROWS, 5))
    design[-1, 3] = bad
    with pytest.raises(ValueError, match="infinite or NaN"):
        make_rows(design=design)
    with pytest.raises(ValueError, match="infinite or NaN"):
        make_rows(7, design).fold(everything)


@pytest.mark.parametrize("chunk_rows", [None, *CHUNKS])
@pytest.mark.parametrize("active", [None, [], [2], [4, 0]])
def test_a_map_has_a_result_for_each_row_in_order(chunk_rows, active):
    active = active if active is None else np.array(active, dtype=np.intp)
    design = np.random.default_rng(1).normal(size=(N_ROWS, 5))
    rows = make_rows(chunk_rows, design)
    chosen = design if active is None else design[:, active]
    found = rows.map(lambda block: np.sum(block**2, axis=1), active)
    assert_allclose(found, np.sum(chosen**2, axis=1), rtol=1e-14)


@pytest.mark.parametrize("chunk_rows", [None, 7])
def test_columns_are_those_asked_for_whatever_was_asked_before(chunk_rows):
    design = np.random.default_rng(1).normal(size=(N_ROWS, 5))
    rows = make_rows(chunk_rows, design)
    asked = [[2], [2], [0, 3], [3, 0], None, [0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [], [2], [0]]
    for numbers in asked:
        chosen = None if numbers is None else np.array(numbers, dtype=np.intp)
        expected = design if numbers is None else design[:, numbers]
        assert_array_equal(rows.map(np.ascontiguousarray, chosen), expected)


def blocks_of(rows, chosen):
    """The columns of all rows, without a copy."""
    return rows.fold(lambda design, target, weight: (design,), np.array(chosen, dtype=np.intp))[0]


def test_columns_that_were_asked_for_last_are_remembered():
    rows = make_rows()
    first = blocks_of(rows, [3, 1])
    assert np.shares_memory(blocks_of(rows, [3, 1]), first)
    blocks_of(rows, [1, 3])
    assert not np.shares_memory(blocks_of(rows, [3, 1]), first)


def test_all_columns_are_no_copy():
    design = np.random.default_rng(1).normal(size=(N_ROWS, 5))
    rows = make_rows(design=design)
    whole = rows.fold(lambda design, target, weight: (design,))[0]
    assert np.shares_memory(blocks_of(rows, range(5)), whole)


@pytest.mark.parametrize("chunk_rows", [None, 7])
def test_another_target_leaves_the_rows_alone(chunk_rows):
    rows, whole = make_rows(chunk_rows), make_rows()
    target = np.arange(2.0 * N_ROWS).reshape(N_ROWS, 2)
    other = rows.relabelled(target, 2.0 * rows.weight)
    first = other.fold(lambda design, target, weight: (design.T @ target, weight.sum()))
    design = whole.fold(lambda *block: block)[0]
    assert_allclose(first[0], design.T @ target, rtol=1e-12)
    assert_allclose(first[1], 2.0 * whole.weight.sum(), rtol=1e-12)
    assert_array_equal(rows.target, whole.target)
    assert_array_equal(rows.weight, whole.weight)
    assert type(other) is type(rows)


# Large inputs.


@pytest.fixture(scope="module")
def large():
    """Inputs of a little more than the numbers that are copied, most of them zero."""
    random, n_rows = np.random.default_rng(0), 10_010
    inputs = np.zeros((n_rows, MANY_NUMBERS // 10_000))
    inputs[:, ::100] = random.normal(size=inputs[:, ::100].shape)
    assert inputs.size > MANY_NUMBERS
    return Data(inputs, random.normal(size=n_rows), random.uniform(0.5, 2.0, n_rows))


def folded(rows, chosen=None):
    """Sums over rows, and what blocks there were."""
    seen = []

    def look(design, target, weight):
        seen.append(design)
        return (design.T @ (weight * target), (design**2).sum(axis=0))

    return SimpleNamespace(sums=rows.fold(look, chosen), blocks=seen)


def test_large_inputs_are_not_copied(large):
    columns = identity_columns(large.inputs.shape[1])
    rows = InMemoryRows.evaluated(columns, large)
    found = folded(rows)
    assert all(np.shares_memory(block, large.inputs) for block in found.blocks)
    copied = InMemoryRows(np.asfortranarray(large.inputs), large.target, large.weight)
    for one, other in zip(found.sums, folded(copied).sums, strict=True):
        assert_allclose(one, other, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("order", ["backwards", "twice", "few"])
def test_most_columns_of_large_inputs_are_copied_block_by_block(large, order):
    n_columns = large.inputs.shape[1]
    every = np.arange(n_columns)
    some = {"backwards": every[::-1], "twice": np.append(every, every[:7]), "few": every[::200]}
    rows = InMemoryRows.evaluated(identity_columns(n_columns), large)
    found = folded(rows, some[order])
    assert max(block.size for block in found.blocks) <= BLOCK_NUMBERS
    for one, other in zip(found.sums, folded(rows).sums, strict=True):
        assert_allclose(one, other[some[order]], rtol=1e-9, atol=1e-9)
    assert not np.shares_memory(found.blocks[0], large.inputs)


def test_only_arrays_of_many_numbers_that_are_all_columns_are_not_copied(large):
    n_columns = large.inputs.shape[1]
    columns = identity_columns(n_columns)
    assert are_many_inputs(columns, large)
    assert not are_many_inputs(columns, large.take(np.arange(100)))
    assert not are_many_inputs(columns.keep(np.arange(n_columns)[::-1]), large)
    assert not are_many_inputs(columns.keep(np.arange(n_columns - 1)), large)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_large_inputs_that_are_not_finite_are_refused(large, bad):
    inputs = large.inputs.copy()
    inputs[-1, 3] = bad
    with pytest.raises(ValueError, match="infinite or NaN"):
        InMemoryRows.evaluated(identity_columns(inputs.shape[1]), large._replace(inputs=inputs))


# Sparse inputs.


def wide_and_sparse(form=csr_array, n_rows=50, n_columns=250_000, n_values=5000):
    random = np.random.default_rng(0)
    places = random.integers(0, n_rows, n_values), random.integers(0, n_columns, n_values)
    inputs = form(coo_array((random.normal(size=n_values), places), shape=(n_rows, n_columns)))
    return Data(inputs, random.normal(size=n_rows), random.uniform(0.5, 2.0, n_rows))


@pytest.mark.parametrize("form", [csr_array, csc_array])
def test_large_sparse_inputs_stay_sparse(form):
    data = wide_and_sparse(form)
    rows = rows_of(identity_columns(250_000), data, 1e9)
    assert isinstance(rows, SparseRows)
    found = rows.fold(lambda design, target, weight: (design.nnz, design.T @ target))
    assert found[0] == data.inputs.nnz
    assert_allclose(found[1], data.inputs.T @ data.target, rtol=1e-12, atol=1e-12)


def test_small_sparse_inputs_become_dense():
    data = wide_and_sparse(n_columns=1000)
    assert not isinstance(rows_of(identity_columns(1000), data, 1e9), SparseRows)


@pytest.mark.parametrize("n_chosen", [0, 1, 1000, 250_000])
def test_some_columns_of_sparse_rows_are_arrays_of_a_limited_size(n_chosen):
    data = wide_and_sparse()
    rows = SparseRows.evaluated(identity_columns(250_000), data)
    chosen = np.random.default_rng(1).permutation(250_000)[:n_chosen]
    found = folded(rows, chosen)
    assert all(isinstance(block, np.ndarray) for block in found.blocks)
    assert max(block.size for block in found.blocks) <= BLOCK_NUMBERS
    assert sum(len(block) for block in found.blocks) == 50
    inputs = data.inputs.tocsc()[:, chosen]
    expected = inputs.T @ (data.weight * data.target), inputs.multiply(inputs).sum(axis=0)
    for one, other in zip(found.sums, expected, strict=True):
        assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def test_sparse_rows_map_every_row_in_order():
    data = wide_and_sparse()
    rows, chosen = SparseRows.evaluated(identity_columns(250_000), data), np.arange(250_000)
    found = rows.map(lambda design: design.sum(axis=1), chosen)
    assert_allclose(found, data.inputs.sum(axis=1), rtol=1e-12, atol=1e-12)


def test_sparse_inputs_that_are_not_finite_are_refused():
    data = wide_and_sparse()
    data.inputs.data[7] = np.inf
    with pytest.raises(ValueError, match="infinite or NaN"):
        SparseRows.evaluated(identity_columns(250_000), data)
