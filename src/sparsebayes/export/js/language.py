"""JavaScript: the words that loops are written with, and the code that is the same for all models.

All names in it begin with `model_`.
"""

from __future__ import annotations

from sparsebayes.export.js.writing import number
from sparsebayes.export.loops import ALIKE, HIGH, Function, Language, Loops, body_of, wrapped

SQUARE = """
function model_square(a) {
    return a * a;
}
"""
POWER = """
/** base^exponent, for a whole number */
function model_power(base, exponent) {
    let value = 1.0;
    for (; exponent > 0; exponent = Math.floor(exponent / 2)) {
        if (exponent % 2) value *= base;
        base *= base;
    }
    return value;
}
"""
SYMMETRIC_ROOT = """
/** Rotates two columns or rows of a matrix, which begin at p and q, by a step to each entry. */
function model_turn(matrix, p, q, step, n, cosine, sine) {
    for (let k = 0; k < n; ++k) {
        const a = matrix[p + k * step], b = matrix[q + k * step];
        matrix[p + k * step] = cosine * a - sine * b;
        matrix[q + k * step] = sine * a + cosine * b;
    }
}

/** The symmetric square root of a covariance, in place; eigenvalues by Jacobi's rotations. */
function model_symmetric_root(matrix, n) {
    const vectors = new Float64Array(n * n).fill(0.0).map((_, k) => (k % (n + 1) ? 0.0 : 1.0));
    for (let sweep = 0, turned = true; sweep < 30 && turned; ++sweep) {
        turned = false;
        for (let p = 0; p < n; ++p) {
            for (let q = p + 1; q < n; ++q) {
                const entry = matrix[p * n + q], large = Math.abs(entry);
                const size = Math.abs(matrix[p * n + p]) + Math.abs(matrix[q * n + q]);
                if (!(large > 2.2250738585072014e-308 && size + 0.01 * large > size)) continue;
                const theta = (matrix[q * n + q] - matrix[p * n + p]) / (2.0 * entry);
                const sign = theta < 0.0 ? -1.0 : 1.0;
                const t = sign / (Math.abs(theta) + Math.sqrt(theta * theta + 1.0));
                const cosine = 1.0 / Math.sqrt(t * t + 1.0), sine = t * cosine;
                model_turn(matrix, p, q, n, n, cosine, sine);
                model_turn(matrix, p * n, q * n, 1, n, cosine, sine);
                model_turn(vectors, p, q, n, n, cosine, sine);
                turned = true;
            }
        }
    }
    const values = vectors.slice(0, n).map((_, k) => Math.sqrt(Math.max(matrix[k * n + k], 0.0)));
    for (let p = 0; p < n; ++p) {
        for (let q = 0; q < n; ++q) {
            let sum = 0.0;
            for (let k = 0; k < n; ++k) sum += vectors[p * n + k] * values[k] * vectors[q * n + k];
            matrix[p * n + q] = sum;
        }
    }
}
"""
# What loops call, by what they write.
CALLED = {
    "model_square(": SQUARE,
    "model_power(": POWER,
    "model_symmetric_root(": SYMMETRIC_ROOT,
}
# Takes a row to the inputs of the model, and to what the model says.
PREDICT = """
/** An input for each text that there can be: 1 for the one that is there. */
function model_chosen(name, texts, value) {
    if (!texts.includes(value)) {
        throw new RangeError(`${JSON.stringify(name)} must be one of ${JSON.stringify(texts)}`);
    }
    return texts.map((text) => (text === value ? 1.0 : 0.0));
}

/** A number, or true or false. */
function model_number(name, value) {
    if (!Number.isFinite(typeof value === "boolean" ? Number(value) : value)) {
        const given = typeof value === "number" ? value : `a ${typeof value}`;
        throw new TypeError(`${JSON.stringify(name)} must be a finite number, got ${given}`);
    }
    return Number(value);
}

/** The inputs of the model in a row; an error says what is wrong with it. */
function model_inputs(row) {
    if (row === null || typeof row !== "object") {
        throw new TypeError("a row is an array of values, or an object with their names");
    }
    const listed = Array.isArray(row) || ArrayBuffer.isView(row);
    if (listed && row.length !== inputs.length) {
        throw new RangeError(`a row has ${inputs.length} values, got ${row.length}`);
    }
    return Float64Array.from(inputs.flatMap(({ name, texts }, k) => {
        if (!listed && !Object.hasOwn(row, name)) {
            throw new TypeError(`the row has no ${JSON.stringify(name)}`);
        }
        const value = listed ? row[k] : row[name];
        return texts ? model_chosen(name, texts, value) : model_number(name, value);
    }));
}

/**
 * What the model says of a row.
 * @param {ArrayLike<*>|Object} row values in the order of inputs, or by their names
 * @returns {{KINDS}}
 */
export function predict(row) {
    const said = model_said(model_inputs(row));
    return { VALUES };
}
"""
SELF_TEST = """
/**
 * Compares what the module says of some rows with what Python said.
 * @returns {{right: boolean, worst: number}} the largest error, as a part of what is allowed
 */
export function selfTest() {
    let worst = 0.0;
    for (let i = 0; i < N_ROWS; ++i) {
        const said = model_said(model_test_rows.subarray(i * N_INPUTS, (i + 1) * N_INPUTS));
        Object.values(said).flatMap((each) => Array.from(each)).forEach((value, k) => {
            const gap = Math.abs(value - model_test_expected[i * N_VALUES + k]);
            worst = Math.max(worst, gap / model_test_allowed[i * N_VALUES + k]);
        });
    }
    return { right: worst <= 1.0, worst };
}
"""


MAPS = {
    **ALIKE,
    **{
        name: (f"Math.{name}({{}})", 9, HIGH)
        for name in ("exp", "expm1", "sqrt", "sin", "abs", "tanh")
    },
    **{name: (f"Math.{name}({{}}, {{}})", 9, HIGH) for name in ("min", "max")},
}
WORDS = """
arguments async await break case catch class const continue debugger default delete do else enum
eval export extends false finally for function get if implements import in instanceof interface let
new null of package private protected public return set static super switch this throw true try
typeof undefined var void while with yield Math Infinity NaN Object Float64Array
"""
LANGUAGE = Language(
    maps=MAPS,
    number=number,
    loop="for (let {i} = {first}; {i} < {end}; ++{i})",
    constant="const {name} = {value};",
    test="const {name} = {value};",
    variable="let {name} = {value};",
    array="const {name} = new Float64Array({size});",
    alias="const {name} = {other};",
    counter="let {name} = 0;",
    root="model_symmetric_root({name}, {n});",
    whole="{}",
    place="{}",
    prefix="model_",
    reserved=frozenset(WORDS.split()),
)


def code_of(loops: Loops) -> str:
    """The functions of loops, and what they call."""
    outputs = [write.name for write in loops.placement.writes]
    text = "".join(_text(each, outputs) for each in loops.functions)
    return "".join(code for call, code in CALLED.items() if call in text) + text


def _text(function: Function, outputs: list[str]) -> str:
    """A function that is given what it reads, and writes arrays or returns a number."""
    node, args, lines = function.result, ["x", *outputs], list(function.lines)
    if node is not None:
        args = [*function.reads.values(), *function.lengths.values()]
        args += [function.name] if node.axes else []
        lines += [] if node.axes else [f"return {function.name};"]
    comment = f"{function.label[0].upper()}{function.label[1:]}."
    head = "\n".join(wrapped(f"function model_{function.name}({', '.join(args)}) {{"))
    return f"\n/** {comment} */\n{head}\n{body_of(lines)}\n}}\n"
