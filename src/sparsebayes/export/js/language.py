"""JavaScript in the words that loops are written with."""

from __future__ import annotations

from sparsebayes.export.js.source import CALLED
from sparsebayes.export.js.writing import number
from sparsebayes.export.layout import body_of, wrapped
from sparsebayes.export.loops import Function, Language, Loops

HIGH = (0,)
MAPS: dict[str, tuple[str, int, tuple[int, ...]]] = {
    "where": ("{} ? {} : {}", 1, (2,)),
    "greater": ("{} > {}", 2, (3,)),
    "add": ("{} + {}", 3, (3, 4)),
    "sub": ("{} - {}", 3, (3, 4)),
    "mul": ("{} * {}", 4, (4, 5)),
    "div": ("{} / {}", 4, (4, 5)),
    "neg": ("-{}", 5, (6,)),
    "square": ("model_square({})", 9, HIGH),
    "power": ("model_power({}, {})", 9, HIGH),
    **{name: (f"Math.{name}({{}})", 9, HIGH) for name in ("exp", "expm1", "sqrt", "abs", "tanh")},
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
