import numpy as np
import problems
import pytest
from numpy.testing import assert_allclose, assert_array_equal

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
