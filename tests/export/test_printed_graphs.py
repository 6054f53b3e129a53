"""Printers say what small graphs say, each of which has something that they must know."""

import json

import numpy as np
import pytest
from graph_samples import ROWS, samples
from graph_values import values
from javascript import NODE, run

from sparsebayes.export.js.module import computing
from sparsebayes.export.onnx_graph.graph import Graph
from sparsebayes.export.onnx_graph.printer import tensors

SAMPLES = samples()


def by_onnx(name):
    onnx = pytest.importorskip("onnx", reason="the extra onnx is not installed")
    onnxruntime = pytest.importorskip("onnxruntime")
    graph = Graph(np.float64)
    (found,) = tensors({"found": SAMPLES[name]}, graph.named("x")).values()
    shape = ("n", *(length for _, length in SAMPLES[name].axes))
    ends = [graph.value("x", ("n", 3))], [graph.value(found.name, shape)]
    proto = onnx.helper.make_model(
        graph.proto("sample", *ends, constants=True),
        opset_imports=[onnx.helper.make_opsetid("", 17)],
        ir_version=8,
    )
    onnx.checker.check_model(proto, full_check=True)
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    return [session.run(None, {"x": rows})[0] for rows in (ROWS, ROWS[:0])]


@pytest.mark.parametrize("name", SAMPLES)
def test_onnx_says_what_a_graph_says(name):
    expected = values({"found": SAMPLES[name]}, ROWS)["found"]
    found, nothing = by_onnx(name)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)
    assert nothing.shape == (0, *expected.shape[1:])


@pytest.fixture(scope="module")
def by_javascript(tmp_path_factory):
    """What all graphs say in JavaScript, flat, by their names."""
    if NODE is None:
        pytest.skip("node is not installed")
    parts = []
    for name, node in SAMPLES.items():
        code, _ = computing({"found": node})
        said = f"{json.dumps(ROWS.tolist())}.map((row) => Array.from(model_said(row).found))"
        parts.append(f"all[{json.dumps(name)}] = (() => {{{code}\nreturn {said};\n}})();")
    script = "\n".join(["const all = {};", *parts, "console.log(JSON.stringify(all));"])
    return json.loads(run(script, tmp_path_factory.mktemp("graphs")))


@pytest.mark.parametrize("name", SAMPLES)
def test_javascript_says_what_a_graph_says(name, by_javascript):
    expected = values({"found": SAMPLES[name]}, ROWS)["found"]
    found = np.array(by_javascript[name]).reshape(expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)
