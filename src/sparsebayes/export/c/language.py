"""C: the words that loops are written with, and the code that is the same for all models.

Names begin with `model_`, and numbers have the type `real`.
"""

from __future__ import annotations

from sparsebayes.export.c.writing import ANSWERS, Style
from sparsebayes.export.loops import ALIKE, HIGH, Function, Language, Loops, body_of, wrapped
from sparsebayes.model.graph import Node

SQUARE = """
static inline real model_square(real a)
{
    return a * a;
}
"""
SMALLER = """
static inline real model_smaller(real a, real b)
{
    return a < b ? a : b;
}
"""
LARGER = """
static inline real model_larger(real a, real b)
{
    return a > b ? a : b;
}
"""
POWER = """
/* base^exponent */
static inline real model_power(real base, int exponent)
{
    real value = 1.0;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2)
            value *= base;
        base *= base;
    }
    return value;
}
"""
NORMAL = """
/* The distribution function of the normal distribution; 0.7071... is the root of a half. */
static inline real model_normal(real z)
{
    return 0.5 * erfc(-0.7071067811865476 * z);
}
"""
SYMMETRIC_ROOT = """
/* A rotation of two rows and columns after which entry (p, q) is zero. */
static inline void model_rotate(real *matrix, real *vectors, int p, int q)
{
    const int n = MODEL_N_CLASSES;
    const real entry = matrix[p * n + q];
    const real theta = (matrix[q * n + q] - matrix[p * n + p]) / (2.0 * entry);
    const real t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const real cosine = 1.0 / sqrt(t * t + 1.0), sine = t * cosine;
    int k;
    for (k = 0; k < n; ++k) {
        const real a = matrix[k * n + p], b = matrix[k * n + q];
        matrix[k * n + p] = cosine * a - sine * b;
        matrix[k * n + q] = sine * a + cosine * b;
    }
    for (k = 0; k < n; ++k) {
        const real a = matrix[p * n + k], b = matrix[q * n + k];
        matrix[p * n + k] = cosine * a - sine * b;
        matrix[q * n + k] = sine * a + cosine * b;
    }
    for (k = 0; k < n; ++k) {
        const real a = vectors[k * n + p], b = vectors[k * n + q];
        vectors[k * n + p] = cosine * a - sine * b;
        vectors[k * n + q] = sine * a + cosine * b;
    }
}

/* The symmetric square root of a covariance, in place; eigenvalues by Jacobi's rotations. */
static inline void model_symmetric_root(real matrix[MODEL_N_CLASSES * MODEL_N_CLASSES])
{
    const int n = MODEL_N_CLASSES;
    real vectors[MODEL_N_CLASSES * MODEL_N_CLASSES], values[MODEL_N_CLASSES];
    int sweep, p, q, k;
    for (k = 0; k < n * n; ++k)
        vectors[k] = k % (n + 1) ? 0.0 : 1.0;
    for (sweep = 0; sweep < 30; ++sweep) {
        int turned = 0;
        for (p = 0; p < n; ++p)
            for (q = p + 1; q < n; ++q) {
                const real entry = fabs(matrix[p * n + q]);
                const real size = fabs(matrix[p * n + p]) + fabs(matrix[q * n + q]);
                if (entry > MODEL_TINY && size + 0.01 * entry > size) {
                    model_rotate(matrix, vectors, p, q);
                    turned = 1;
                }
            }
        if (!turned)
            break;
    }
    for (k = 0; k < n; ++k)
        values[k] = matrix[k * n + k] > 0.0 ? sqrt(matrix[k * n + k]) : 0.0;
    for (p = 0; p < n; ++p)
        for (q = 0; q < n; ++q) {
            real sum = 0.0;
            for (k = 0; k < n; ++k)
                sum += vectors[p * n + k] * values[k] * vectors[q * n + k];
            matrix[p * n + q] = sum;
        }
}
"""
# What loops call, by what they write.
CALLED = {
    "model_square(": SQUARE,
    "model_smaller(": SMALLER,
    "model_larger(": LARGER,
    "model_power(": POWER,
    "model_normal(": NORMAL,
    "model_symmetric_root(": SYMMETRIC_ROOT,
}
PROGRAM = """
#ifdef SPARSEBAYES_SELFTEST
#include <stdio.h>

ROWS

EXPECTED

ALLOWED

/* Compares what the functions say with what Python said; 0 if all is well. */
int main(void)
{
    real found[N_VALUES], worst = 0.0;
    int i, k, right = 1;
    for (i = 0; i < N_ROWS; ++i) {
        const real *x = model_test_rows + i * MODEL_N_INPUTS;
        CALLS
        for (k = 0; k < N_VALUES; ++k) {
            const real gap = fabs(found[k] - model_test_expected[i * N_VALUES + k]);
            const real error = gap / model_test_allowed[i * N_VALUES + k];
            right = right && error <= 1.0;
            worst = error > worst ? error : worst;
        }
    }
    printf("%s: the largest error is %g of what is allowed\\n", right ? "right" : "WRONG",
           (double)worst);
    return right ? 0 : 1;
}
#endif
"""


MAPS = {
    **ALIKE,
    "abs": ("fabs({})", 9, HIGH),
    "min": ("model_smaller({}, {})", 9, HIGH),
    "max": ("model_larger({}, {})", 9, HIGH),
    "ndtr": ("model_normal({})", 9, HIGH),
    **{name: (f"{name}({{}})", 9, HIGH) for name in ("exp", "expm1", "sqrt", "sin", "tanh")},
}
WORDS = """
auto bool break case catch char class const continue default delete do double else enum explicit
extern false float for friend goto if inline int long mutable namespace new operator private
protected public real register restrict return short signed sizeof static struct switch template
this throw true try typedef typename union unsigned using virtual void volatile while
exp expm1 sqrt sin fabs tanh erfc main model_class_names
"""


def words_of(style: Style) -> Language:
    """The language, with constants in a precision."""
    return Language(
        maps=MAPS,
        number=style.number,
        loop="for (int {i} = {first}; {i} < {end}; ++{i})",
        constant="const real {name} = {value};",
        test="const int {name} = {value};",
        variable="real {name} = {value};",
        array="real {name}[{size}];",
        alias="real *const {name} = {other};",
        counter="int {name} = 0;",
        root="model_symmetric_root({name});",
        whole="(int){}",
        place="(real){}",
        prefix="model_",
        reserved=frozenset(WORDS.split()),
    )


def code_of(loops: Loops) -> str:
    """The functions of loops, and what they call."""
    text = "".join(map(_text, loops.functions))
    return "".join(code for call, code in CALLED.items() if call in text) + text


def _text(function: Function) -> str:
    node, lines = function.result, list(function.lines)
    if node is None:
        answer = next(each for each in ANSWERS.values() if each.function == function.name)
        comment, head = answer.comment, answer.head
        # Constants do not depend on x.
        lines = lines if function.reads else ["(void)x;", *lines]
    else:
        comment, head = _own_head(function, node)
        lines += [] if node.axes else [f"return {function.name};"]
    return f"\n/* {comment} */\n" + "\n".join(wrapped(head)) + f"\n{{\n{body_of(lines)}\n}}\n"


def _own_head(function: Function, result: Node) -> tuple[str, str]:
    """The comment and the head of a function that others call."""
    args = [
        f"const real *{name}" if node.axes else f"real {name}"
        for node, name in function.reads.items()
    ]
    args += [f"int {name}" for name in function.lengths.values()]
    args += [f"real *{function.name}"] if result.axes else []
    kind = "void" if result.axes else "real"
    label = function.label[0].upper() + function.label[1:]
    start = f"static inline {kind} model_{function.name}("
    return f"{label}.", f"{start}{', '.join(args) or 'void'})"
