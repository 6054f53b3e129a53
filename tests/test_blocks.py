import threading
import time

import numpy as np
import pytest
from block_parts import blocks_of
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from sparsebayes.rows import RowReader, scattered
from sparsebayes.rows.blocks import BLOCK_ROWS, BUNDLE, Running, bundles, in_threads, places
from sparsebayes.rows.reader import Place

N = 3 * BLOCK_ROWS + 17
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(N, 3))
Y = RANDOM.normal(size=N)
PLACE = Place(2, 100, 103)


def moments(block):
    inputs, target, weight = block.data
    return float(weight.sum()), weight @ inputs, inputs.T @ (weight * target)


def slow_at_first(block):
    time.sleep(0.02 if block.place.number == 0 else 0.0)
    return moments(block)


def test_places_cover_all_rows_once():
    found = places(N, 3)
    assert [place.number for place in found] == [0, 1, 2, 3]
    assert_array_equal(np.concatenate([np.arange(p.start, p.stop) for p in found]), np.arange(N))


def test_blocks_of_many_inputs_have_fewer_rows():
    assert places(10, 2**22)[0].stop == 1
    assert places(N, 4096)[0].stop == 1024


def test_a_fold_is_the_sum_over_all_rows():
    weight = RANDOM.uniform(size=N)
    total, first, second = blocks_of(X, Y, weight, numeric=True).fold(moments)
    assert_allclose(total, weight.sum(), rtol=1e-13)
    assert_allclose(first, weight @ X, rtol=1e-10)
    assert_allclose(second, X.T @ (weight * Y), rtol=1e-10)


@pytest.mark.parametrize("n_threads", [2, 3, 8])
def test_sums_do_not_depend_on_threads_or_on_who_is_first(n_threads):
    one = blocks_of(X, Y, numeric=True).fold(moments)
    several = blocks_of(X, Y, n_threads=n_threads, numeric=True).fold(slow_at_first)
    for a, b in zip(one, several, strict=True):
        assert_array_equal(a, b)


@pytest.mark.parametrize("kind", [np.asfortranarray, np.float32, csr_matrix, list])
def test_rows_of_any_kind_make_the_same_blocks(kind):
    exact = np.round(X, 1) if kind is not np.float32 else np.round(X)
    given = np.float32(exact) if kind is np.float32 else kind(exact)
    inputs = np.asarray(given) if kind is list else given
    found = blocks_of(inputs, Y, numeric=True).fold(
        lambda block: (np.asarray(block.data.inputs.sum(axis=0)).ravel(),)
    )
    assert_allclose(found[0], exact.sum(axis=0), atol=1e-9)


def test_rows_that_are_done_are_told_in_order():
    heard = []
    blocks = blocks_of(X, Y, n_threads=2, numeric=True)
    blocks.fold(moments, lambda done, of: heard.append((done, of)))
    assert heard == [(place.stop, N) for place in blocks.places]


def test_only_a_few_blocks_are_begun_ahead():
    begun, most = [], []

    def function(number):
        begun.append(number)
        return number

    for asked in in_threads(function, range(50), 2):
        most.append(len(begun) - asked)
        time.sleep(0.001)
    assert max(most) <= 5


def test_threads_end_when_a_block_fails():
    def fails(block):
        raise ValueError("in a block")

    before = threading.active_count()
    with pytest.raises(ValueError, match="in a block"):
        blocks_of(X, Y, n_threads=2, numeric=True).fold(fails)
    assert threading.active_count() == before


def test_a_running_sum_carries_its_rounding():
    running = Running()
    for term in [1e16, 1.0, 1.0, -1e16]:
        running.add((term, np.array([term]), 1))
    number, array, count = running.total
    assert number == 2.0
    assert_array_equal(array, [2.0])
    assert count == 4


def test_a_long_sum_keeps_its_digits():
    running, naive = Running(), 0.0
    for _ in range(100_000):
        running.add((0.1,))
        naive += 0.1
    assert abs(running.total[0] - 10_000.0) < 1e-11 < abs(naive - 10_000.0)


def test_bundles_keep_the_order():
    items = list(range(2 * BUNDLE + 3))
    assert [each for bundle in bundles(items) for each in bundle] == items
    assert len(bundles(items)) == 3


def test_scattered_rows_are_about_the_part_that_is_asked_for():
    chosen = [p.start + scattered(p, 0.1, p.stop - p.start) for p in places(N, 3)]
    rows = np.concatenate(chosen)
    assert len(rows) == int(0.1 * N)
    assert len(np.unique(rows)) == len(rows)
    assert_array_equal(rows, np.sort(rows))
    assert np.diff(rows).max() <= 20


@pytest.mark.parametrize("part", [0.999, 0.83, 0.7, 0.51, 0.5, 0.3, 1 / 8, 1 / 64])
def test_no_row_is_scattered_twice(part):
    for place in places(N, 3):
        rows = scattered(place, part, place.stop - place.start)
        assert np.all(np.diff(rows) > 0)
        assert np.all((rows >= 0) & (rows < place.stop - place.start))


def test_scattered_rows_follow_no_period():
    for period in (2, 7, 10, 24, 100):
        rows = scattered(Place(0, 0, 10 * BLOCK_ROWS), 0.1, 10 * BLOCK_ROWS) % period
        counts = np.bincount(rows, minlength=period)
        assert counts.min() > 0.5 * len(rows) / period, period


def test_a_part_below_a_row_for_each_block_still_gives_rows():
    rows = [scattered(p, 1e-4, p.stop - p.start) for p in places(10 * BLOCK_ROWS, 3)]
    assert sum(map(len, rows)) == int(1e-4 * 10 * BLOCK_ROWS)


def read(inputs=None, target=None, weight=None, reader=None):
    inputs = np.zeros((3, 2)) if inputs is None else inputs
    target = np.zeros(3) if target is None else target
    return (reader or RowReader(2, numeric=True))(inputs, target, weight, PLACE)


NAN = np.array([[0.0, 1.0], [np.nan, 1.0], [0.0, 1.0]])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"inputs": NAN}, r"X has NaN or infinity in row 101, in block 2 \(rows 100 to 102\)"),
        ({"inputs": csr_matrix(NAN)}, "row 101, in block 2"),
        ({"inputs": np.zeros((3, 4))}, r"shape \(3, 4\) in block 2 .* expected \(3, 2\)"),
        ({"inputs": np.zeros((2, 2))}, r"shape \(2, 2\) in block 2"),
        ({"inputs": np.array([["a", "b"]] * 3)}, "no numbers"),
        ({"target": [0.0, 1.0, np.inf]}, "y has NaN or infinity in row 102, in block 2"),
        ({"target": ["a", "b", "c"]}, "y has values in block 2 .* no numbers"),
        ({"target": [0.0, 1.0]}, "y has 2 rows in block 2"),
        ({"target": [0.0, np.nan, 1.0], "reader": RowReader(2)}, "y has NaN or None in row 101"),
        ({"target": np.array(["a", "b", None]), "reader": RowReader(2)}, "NaN or None in row 102"),
        ({"weight": [1.0, -1.0, 1.0]}, "the weight -1.0, .* in row 101, in block 2"),
        ({"weight": [1.0, np.nan, 1.0]}, "row 101, in block 2"),
        ({"weight": [1.0]}, "sample_weight has 1 rows in block 2"),
        (
            {"target": [0, 5, 1], "reader": RowReader(2, classes=np.array([0, 1]))},
            "class .*5.*, which no earlier pass has seen, in row 101, in block 2",
        ),
    ],
)
def test_an_error_names_block_and_row(given, message):
    with pytest.raises(ValueError, match=message):
        read(**given)


def test_sums_that_overflow_are_not_mistaken_for_nan():
    assert read(inputs=np.full((3, 2), 1e308)).data.inputs.shape == (3, 2)


def test_a_class_of_no_weight_is_absent():
    reader = RowReader(2, classes=np.array([0, 1]))
    data = read(target=np.array([0, 5, 1]), weight=[1.0, 0.0, 1.0], reader=reader).data
    assert_array_equal(data.target[[0, 2]], [0.0, 1.0])


def test_labels_become_numbers_with_weights():
    reader = RowReader(2, classes=np.array(["no", "yes"]), class_weight=np.array([1.0, 5.0]))
    data = read(target=np.array(["yes", "no", "yes"]), reader=reader).data
    assert_array_equal(data.target, [1.0, 0.0, 1.0])
    assert_array_equal(data.weight, [5.0, 1.0, 5.0])
