import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sparsebayes.model.arrays import map_rows


@pytest.mark.parametrize(
    ("block_numbers", "sizes"),
    [(100, [7]), (21, [7]), (20, [6, 1]), (6, [2, 2, 2, 1]), (1, [1] * 7)],
)
def test_blocks_have_at_most_so_many_numbers(block_numbers, sizes):
    seen = []

    def function(rows):
        seen.append(rows.stop - rows.start)
        return np.arange(7)[rows], np.arange(14).reshape(7, 2)[rows]

    one, two = map_rows(function, 7, 3, block_numbers)
    assert seen == sizes
    assert_array_equal(one, np.arange(7))
    assert_array_equal(two, np.arange(14).reshape(7, 2))


def test_no_rows_are_one_empty_block():
    (empty,) = map_rows(lambda rows: (np.zeros((5, 2))[rows],), 0, 3, 10)
    assert empty.shape == (0, 2)
