"""C in the words that loops are written with, and the functions that these words need."""

from __future__ import annotations

from sparsebayes.export.c.answers import ANSWERS
from sparsebayes.export.c.source import CALLED
from sparsebayes.export.c.writing import Style
from sparsebayes.export.layout import body_of, wrapped
from sparsebayes.export.loops import Function, Language, Loops
from sparsebayes.model.graph import Node

HIGH = (0,)
MAPS: dict[str, tuple[str, int, tuple[int, ...]]] = {
    "where": ("{} ? {} : {}", 1, (2,)),
    "greater": ("{} > {}", 2, (3,)),
    "add": ("{} + {}", 3, (3, 4)),
    "sub": ("{} - {}", 3, (3, 4)),
    "mul": ("{} * {}", 4, (4, 5)),
    "div": ("{} / {}", 4, (4, 5)),
    "neg": ("-{}", 5, (6,)),
    "abs": ("fabs({})", 9, HIGH),
    "min": ("model_smaller({}, {})", 9, HIGH),
    "max": ("model_larger({}, {})", 9, HIGH),
    "square": ("model_square({})", 9, HIGH),
    "power": ("model_power({}, {})", 9, HIGH),
    "ndtr": ("model_normal({})", 9, HIGH),
    **{name: (f"{name}({{}})", 9, HIGH) for name in ("exp", "expm1", "sqrt", "tanh")},
}
WORDS = """
auto bool break case catch char class const continue default delete do double else enum explicit
extern false float for friend goto if inline int long mutable namespace new operator private
protected public real register restrict return short signed sizeof static struct switch template
this throw true try typedef typename union unsigned using virtual void volatile while
exp expm1 sqrt fabs tanh erfc main model_class_names
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
