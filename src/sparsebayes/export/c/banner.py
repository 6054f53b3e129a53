"""The comment at the head of a header."""

from __future__ import annotations

from sparsebayes.export.c.answers import ANSWERS
from sparsebayes.export.c.writing import Style, Table, quoted, remark
from sparsebayes.model import PortableClassifier, PortableModel

TEXTS = "An input named column=text is 1 in rows with this text in this column, else 0."


def banner(
    model: PortableModel,
    answers: tuple[str, ...],
    tables: list[Table],
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
        *_loss(model, loss),
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
    if isinstance(model, PortableClassifier):
        labels = enumerate(class_names(model))
        return ["Classes, by number:", *(f"  {k} {remark(each)}" for k, each in labels)]
    lines = [f"Outputs: {model.plain.weights.shape[1]}"]
    if model.face.table is not None:
        lines.append(f"Target: {remark(model.face.table.target)}")
    return lines


def _sizes(tables: list[Table], stack_bytes: int, style: Style) -> list[str]:
    sizes = {style.code(each.name): each.n_bytes(style) for each in tables}
    return [
        f"Constant tables: {sum(sizes.values())} bytes of flash, of which",
        *(f"  {name} {size}" for name, size in sizes.items()),
        "A compiler leaves out functions that are not called, and their tables.",
        f"Stack: {stack_bytes} bytes for values of columns, and what calls need.",
    ]


def _loss(model: PortableModel, loss: float | None) -> list[str]:
    if loss is None:
        return []
    of = "in a probability" if isinstance(model, PortableClassifier) else "of the std"
    return [f"Single precision loses about {loss:.1e} {of}, at and around the model's own vectors."]


def class_names(model: PortableClassifier) -> list[str]:
    """The labels of the classes as texts."""
    return [str(each) for each in model.classes_.tolist()]


def class_table(model: PortableClassifier, style: Style) -> str:
    """The labels of the classes in C, and a function that gives them."""
    names = ",\n".join(f"    {quoted(each)}" for each in class_names(model))
    table = f"static const char *const {style.name}_class_names[{len(model.classes_)}] = {{"
    function = (
        "\n/* The label of a class, by its number. */\n"
        "static inline const char *model_class_name(int number)\n"
        "{\n    return model_class_names[number];\n}\n"
    )
    return f"{table}\n{names},\n}};\n{style.code(function)}"
