"""A header put together, and the comment at its head."""

from __future__ import annotations

import warnings
from typing import Any

from sparsebayes.export.c.language import code_of, words_of
from sparsebayes.export.c.selftest import self_test, single_loss
from sparsebayes.export.c.writing import ANSWERS, ConstantTable, Style, quoted, remark
from sparsebayes.export.given import MOST_LOST, asked, plain_model, probe_rows, rows_to_test
from sparsebayes.export.loops import Loops
from sparsebayes.model import PortableModel
from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.model.graph import Node, capped, graph

LEAST_POSITIVE = {"double": "2.2250738585072014e-308", "float": "1.17549435e-38f"}


@without_numpy_errors
def to_c(
    model: Any,
    *,
    name: str = "model",
    precision: str = "double",
    std: bool = True,
    rows: Any = None,
) -> str:
    """Write a fitted model as a C99 header, which needs math.h and allocates no memory.

    All functions are static and read constant tables. A regressor becomes ``model_predict`` and
    ``model_predict_std``, a classifier ``model_predict_proba`` and ``model_predict_class``, and a
    model with covering rows also has ``model_novelty``. The comment at the head of the header lists
    inputs, outputs and bytes. Compiled with ``-DSPARSEBAYES_SELFTEST`` the header is a program that
    tests itself.

    Parameters
    ----------
    model : estimator
        A fitted estimator, or what `sparsebayes.load` gives.
    name : str, default="model"
        A C identifier, with which all names begin.
    precision : {"double", "float"}, default="double"
        The type of all numbers. There is a warning if floats lose more than 0.001 of the standard
        deviation, or of a probability.
    std : bool, default=True
        Whether to write error bars. Without them the tables are smaller. A classifier then has only
        ``model_predict_class``, and no probabilities if these depend on error bars. It is refused
        if the class depends on them too. The mean of counts depends on error bars, so a model of
        counts only leaves ``model_predict_std`` out.
    rows : array-like of shape (n_rows, n_features), default=None
        Rows for the test of itself. By default they are a few vectors of the model, and rows beside
        them.

    Returns
    -------
    header : str
        The text of the header.

    Raises
    ------
    NotPortableError
        If a function of yours makes columns.

    See Also
    --------
    RVR.drop_covering : Makes the tables smaller.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> from sparsebayes.export import to_c
    >>> model = RVR().fit(*noisy_sinc(50, random_state=0))
    >>> header = to_c(model, name="sinc", precision="float")
    >>> "static inline void sinc_predict(const float x[SINC_N_INPUTS]" in header
    True
    """
    style, plain = Style(name, precision), plain_model(model)
    answers = _answers(plain, std, style)
    functions = {ANSWERS[each].function: outputs for each, outputs in answers.items()}
    returned = {each.function: each.returned for each in ANSWERS.values() if each.returned}
    loops = Loops(functions, words_of(style), returned)
    tables = [ConstantTable(each, values) for each, values in loops.tables.items()]
    stacked = max(each.n_stacked for each in loops.functions) * style.number_bytes
    tested = rows_to_test(plain, rows)
    guard = f"{name.upper()}_H"
    parts = [
        banner(plain, tuple(answers), tables, stacked, _loss(plain, style), style),
        f"#ifndef {guard}\n#define {guard}\n\n#include <math.h>\n#include <stdint.h>\n",
        _macros(plain, style),
        *(table.text(style) for table in tables),
        *([class_table(plain, style)] if plain.response.is_probability else []),
        style.code(code_of(loops)),
        self_test(plain, tuple(answers), tested, style),
        f"#endif /* {guard} */",
    ]
    return "\n".join(parts) + "\n"


def _answers(model: PortableModel, std: bool, style: Style) -> dict[str, dict[str, Node]]:
    """The outputs of each function; without error bars those that do without them."""
    nodes = graph(model, shared=True)
    nodes = asked(capped(nodes) if style.single else nodes, std)
    return {
        name: {each: nodes[each] for each in answer.outputs}
        for name, answer in ANSWERS.items()
        if name in nodes
    }


def _macros(model: PortableModel, style: Style) -> str:
    n_outputs = model.plain.weights.shape[1]
    size = f"N_OUTPUTS {n_outputs}"
    if model.response.is_probability:
        size = f"N_CLASSES {len(model.labels)}"
    least = LEAST_POSITIVE[style.precision]
    lines = [f"N_INPUTS {model.face.n_features}", size, f"TINY {least}"]
    return style.code("\n".join(f"#define MODEL_{line}" for line in lines)) + "\n"


def _loss(model: PortableModel, style: Style) -> float | None:
    """What single precision loses; None of double precision."""
    if not style.single:
        return None
    loss = single_loss(model, probe_rows(model))
    if loss > MOST_LOST:
        of = "in a probability" if model.response.is_probability else "of the std"
        warnings.warn(
            f"in single precision the model loses about {loss:.1e} {of} at and around its own "
            'vectors; use precision="double" if that is too much.',
            UserWarning,
            stacklevel=4,
        )
    return loss


TEXTS = "An input named column=text is 1 in rows with this text in this column, else 0."


def banner(
    model: PortableModel,
    answers: tuple[str, ...],
    tables: list[ConstantTable],
    stack_bytes: int,
    loss: float | None,
    style: Style,
) -> str:
    """What the header is, what it takes, what it says, and what it needs."""
    lines = [
        f"A fitted {remark(model.face.estimator)} of sparsebayes in C99, {style.precision} "
        "precision. Generated: do not edit.",
        "",
        *_inputs(model),
        "",
        *_outputs(model),
        "",
        "Functions, where x are the inputs and all arrays are the caller's:",
        *(f"  {style.code(ANSWERS[each].shown)}" for each in answers),
        "Inputs must be finite. There is no state, and no memory is allocated.",
        "",
        *_sizes(tables, stack_bytes, style),
        *_of_loss(model, loss),
        "",
        "To test it: cc -std=c99 -DSPARSEBAYES_SELFTEST -x c FILE -x none -lm, then run a.out.",
    ]
    return "\n".join(["/*", *(f" * {line}".rstrip() for line in lines), " */"])


def _inputs(model: PortableModel) -> list[str]:
    face = model.face
    names = face.input_names if face.table is None else face.table.input_names
    lines = ["Inputs, in this order:"]
    lines += [f"  x[{k}] {remark(each)}" for k, each in enumerate(names)]
    return lines if face.table is None else [*lines, TEXTS]


def _outputs(model: PortableModel) -> list[str]:
    if model.response.is_probability:
        labels = enumerate(class_names(model))
        return ["Classes, by number:", *(f"  {k} {remark(each)}" for k, each in labels)]
    lines = [f"Outputs: {model.plain.weights.shape[1]}"]
    if model.face.table is not None:
        lines.append(f"Target: {remark(model.face.table.target)}")
    return lines


def _sizes(tables: list[ConstantTable], stack_bytes: int, style: Style) -> list[str]:
    sizes = {style.code(each.name): each.n_bytes(style) for each in tables}
    return [
        f"Constant tables: {sum(sizes.values())} bytes of flash, of which",
        *(f"  {name} {size}" for name, size in sizes.items()),
        "A compiler leaves out functions that are not called, and their tables.",
        f"Stack: {stack_bytes} bytes for values of columns, and what calls need.",
    ]


def _of_loss(model: PortableModel, loss: float | None) -> list[str]:
    if loss is None:
        return []
    of = "in a probability" if model.response.is_probability else "of the std"
    return [f"Single precision loses about {loss:.1e} {of}, at and around the model's own vectors."]


def class_names(model: PortableModel) -> list[str]:
    """The labels of the classes as texts."""
    return [str(each) for each in model.labels.tolist()]


def class_table(model: PortableModel, style: Style) -> str:
    """The labels of the classes in C, and a function that gives them."""
    names = ",\n".join(f"    {quoted(each)}" for each in class_names(model))
    table = f"static const char *const {style.name}_class_names[{len(model.labels)}] = {{"
    function = (
        "\n/* The label of a class, by its number. */\n"
        "static inline const char *model_class_name(int number)\n"
        "{\n    return model_class_names[number];\n}\n"
    )
    return f"{table}\n{names},\n}};\n{style.code(function)}"
