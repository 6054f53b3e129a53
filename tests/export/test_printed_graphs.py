"""Printers say what small graphs say, each of which has something that they must know."""

import json
import subprocess

import numpy as np
import pytest
from c_programs import GCC, compiled
from carried import THREE, X
from graph_samples import ROWS, samples
from graph_values import values
from javascript import NODE, run
from sql_databases import DATABASES, numbers

from sparsebayes import Bias, SparseBayesClassifier
from sparsebayes.export import to_sql
from sparsebayes.export.c.language import code_of, words_of
from sparsebayes.export.c.writing import ConstantTable, Style
from sparsebayes.export.js.module import computing
from sparsebayes.export.loops import Loops
from sparsebayes.export.onnx_graph.graph import Graph
from sparsebayes.export.onnx_graph.printer import tensors
from sparsebayes.export.sql.chain import Chain
from sparsebayes.export.sql.dialects import DIALECTS, dialect_named
from sparsebayes.export.sql.printer import SqlPrinter

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


def by_sql(name, database):
    dialect = dialect_named(database)
    chain = Chain("t", "sample", dialect.fence)
    chain.stage("inputs")
    key, inputs = chain.put("id", "id"), {k: chain.put("x", f"x{k}") for k in range(3)}
    found = SqlPrinter(chain, dialect, inputs).write({"found": SAMPLES[name]})["found"]
    outputs = [(text, f"found_{k}") for k, text in enumerate(found.ravel())]
    _, rows = DATABASES[database](numbers(ROWS), chain.select([(key, "id"), *outputs]))
    return np.array(sorted(rows))[:, 1:].astype(float)


@pytest.mark.parametrize("name", SAMPLES)
def test_onnx_says_what_a_graph_says(name):
    expected = values({"found": SAMPLES[name]}, ROWS)["found"]
    found, nothing = by_onnx(name)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)
    assert nothing.shape == (0, *expected.shape[1:])


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("name", [name for name in SAMPLES if not name.startswith("a root")])
def test_sql_says_what_a_graph_says(name, database):
    expected = values({"found": SAMPLES[name]}, ROWS)["found"].reshape(len(ROWS), -1)
    found = by_sql(name, database)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("value", [0.1, -2.5, 1e-150, -1e300])
def test_a_literal_of_sql_is_the_number(value, dialect):
    assert float(dialect_named(dialect).number(value).strip("()")) == value


def printing(number, node, precision):
    """A C function that prints what a node is at the rows, with all that it needs."""
    style, size = Style(f"s{number}", precision), int(np.prod([n for _, n in node.axes], dtype=int))
    loops = Loops({"predict": {"mean": node}}, words_of(style), {})
    sizes = {"N_INPUTS": 3, "N_OUTPUTS": size, "N_CLASSES": 3, "TINY": style.number(1e-30)}
    main = f"""
static void model_print(void)
{{
    real out[MODEL_N_OUTPUTS];
    int i, k;
    for (i = 0; i < {len(ROWS)}; ++i) {{
        model_predict(rows + 3 * i, out);
        for (k = 0; k < MODEL_N_OUTPUTS; ++k)
            printf("%.17g ", (double)out[k]);
    }}
    printf("\\n");
}}
"""
    defined = "\n".join(f"#define MODEL_{word} {n}" for word, n in sizes.items())
    tables = [ConstantTable(name, numbers).text(style) for name, numbers in loops.tables.items()]
    return "\n".join([style.code(defined), *tables, style.code(code_of(loops) + main)])


@pytest.fixture(scope="module", params=["double", "float"])
def by_c(request, tmp_path_factory):
    """The precision, and what C says of each sample at the rows."""
    if GCC is None:
        pytest.skip("gcc is not installed")
    rows = ConstantTable("rows", ROWS.ravel()).text(Style("model", request.param))
    calls = "\n".join(f"    s{k}_print();" for k in range(len(SAMPLES)))
    source = [
        "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>",
        rows,
        *(printing(k, node, request.param) for k, node in enumerate(SAMPLES.values())),
        f"int main(void)\n{{\n{calls}\n    return 0;\n}}\n",
    ]
    program = compiled("\n".join(source), tmp_path_factory.mktemp(request.param))
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    lines = [np.array(line.split(), dtype=float) for line in done.stdout.splitlines()]
    return request.param, dict(zip(SAMPLES, lines, strict=True))


@pytest.mark.parametrize("name", SAMPLES)
def test_c_says_what_a_graph_says(name, by_c):
    expected = values({"found": SAMPLES[name]}, ROWS)["found"]
    precision, found = by_c
    most = 1e-12 if precision == "double" else 2e-5
    np.testing.assert_allclose(found[name], expected.ravel(), rtol=most, atol=most)


@pytest.mark.parametrize("database", DATABASES)
def test_classes_without_an_input_are_written(database):
    model = SparseBayesClassifier(Bias(), multi_class="ovr").fit(X, THREE)
    sql = to_sql(model, "t", dialect=database, keep="id")
    _, rows = DATABASES[database](numbers(ROWS[:, :2]), sql)
    expected = model.predict_proba(ROWS[:, :2])
    found = np.array([row[2:] for row in sorted(rows)], dtype=float)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


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
