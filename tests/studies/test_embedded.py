"""The study of models on a microcontroller: it also measures where there is none."""

import numpy as np
import pytest

from sparsebayes.export.c import to_c
from studies.carry import embedded
from studies.carry.board import ARM, NATIVE
from studies.carry.measuring import COUNT, REPEATS, measure, printed
from studies.framework.experiment import Status, Table, Verdict


@pytest.mark.skipif(not NATIVE.there, reason="gcc is not installed")
def test_this_machine_measures_sizes_and_no_instructions(tmp_path):
    model, rows = embedded.regressor(covering=False)
    function = embedded.FUNCTIONS["predict_std"]
    header = to_c(model)
    found = measure(NATIVE, header, function.call, 2, rows, "double", tmp_path)
    np.testing.assert_allclose(found["values"], function.expected(model, rows), rtol=1e-9)
    assert found["instructions"] is None
    assert 500 < found["own_flash"] < 10_000


@pytest.mark.skipif(not ARM.there, reason="gcc-arm-none-eabi or qemu-system-arm is not installed")
def test_a_cortex_m4_says_what_python_says():
    found = embedded.measured(1, "double")
    assert found["error"] < 1e-9
    assert found["vectors"] == 6
    assert 1_000 < found["instructions"] < 100_000
    assert 50 < found["stack"] < 1_000


def test_instructions_are_found_from_a_loop_of_known_length():
    def line(kind, number, size=4):
        return kind + int(number).to_bytes(size, "little").hex()

    # A tick is 40 instructions, and a call takes 300 besides the 10 of the loop around it.
    calls = 2 * REPEATS
    ticks = {"s": 96, "c": 2 * COUNT / 40, "t": 310 * calls / 40, "i": 10 * calls / 40}
    values = ["v" + np.float32(value).tobytes().hex() for value in (1.5, -2.0)]
    found = printed([*values, *(line(*each) for each in ticks.items())], "float")
    assert found["values"].tolist() == [[1.5], [-2.0]]
    assert found["stack"] == 96
    assert found["instructions"] == pytest.approx(300.0)


def test_an_error_on_the_board_is_no_success():
    result = {
        "target": "this machine",
        "function": "predict",
        "precision": "double",
        "error": 0.1,
        "estimator": "RVR",
        "vectors": 6,
        "covering": False,
        "covering_rows": 0,
        "own_flash": 1,
        "flash": 2,
        "static": 3,
        "stack": None,
        "instructions": None,
        "versions": {"gcc": "12.2"},
    }
    blocks = embedded.report({"one": result})
    assert [each.status for each in blocks if isinstance(each, Verdict)] == [Status.NOT]
    assert next(each for each in blocks if isinstance(each, Table)).rows[0][6:9] == ["-"] * 3
