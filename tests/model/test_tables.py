"""Named columns of a table as inputs."""

import numpy as np
import pytest

from sparsebayes.model.face import TableColumn, TableInputs

TABLE = TableInputs((TableColumn("age"), TableColumn("city", ("Lille", "Rome"))), "y")


def test_a_text_becomes_an_input_for_each_category():
    assert TABLE.input_names == ("age", "city=Lille", "city=Rome")
    found = TABLE.inputs({"city": ["Rome", "Lille"], "age": [3, 4], "other": [0, 0]})
    np.testing.assert_array_equal(found, [[3.0, 0.0, 1.0], [4.0, 1.0, 0.0]])


def test_a_text_that_did_not_occur_is_refused_by_row_and_column():
    with pytest.raises(ValueError, match=r"row 1, column 'city': 'Oslo' did not occur"):
        TABLE.inputs({"age": [3, 4], "city": ["Rome", "Oslo"]})
