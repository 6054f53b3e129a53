"""The study of shapes: what it counts, and its tables."""

import numpy as np

from studies.columns import shapes
from studies.columns.shapes import BIC, OURS, Kept, Shape, counted


def test_false_and_missed_inputs_are_counted_and_those_that_bic_found():
    active = np.array([True, True, False, False])
    kept = np.array([False, True, True, False])
    by_bic = np.array([True, True, False, False])
    found = counted(Kept(kept), active, by_bic)
    assert found == {"dense": 0, "false": 1, "missed": 1, "beside": 1}
    dense = counted(Kept(np.ones(4, dtype=bool), dense=True), active, by_bic)
    assert dense == {"dense": 1, "false": 2, "missed": 0, "beside": 0}


def test_weights_are_between_one_and_two_and_the_target_has_an_offset():
    inputs, target, active = shapes.table(Shape(2000, 5, 2), 0.7, 0)
    assert active.sum() == 2
    assert abs(np.mean(target) - shapes.OFFSET) < 0.5
    assert abs(np.corrcoef(inputs[:, 0], inputs[:, 1])[0, 1] - 0.7) < 0.05


def test_a_draw_has_all_methods_and_makes_tables():
    shape = shapes.SMALL[0]
    found = shapes.draw(shape, 0.0, 0)
    assert {OURS, BIC} < set(shapes.METHODS)
    assert {len(each) for each in found.values()} == {len(shapes.METHODS)}
    _, table, empty = shapes.report({shapes.key_of(shape, 0.0, 0): found})
    assert table.rows[0][0] == "40 x 5, 1"
    assert len(table.rows[0]) == len(table.header)
    assert not empty.rows
