"""Graphs as functions of loops and constant tables, in the words of a language of braces.

    loops = Loops({"predict": {"mean": node}, ...}, language, returned)
    loops.functions    first those that compute what others share, then those that are asked for
    loops.tables       by name, arrays of one axis: of numbers, or of whole numbers

A function has statements, and says what it is given; the language writes its head. Within a
function x and what it is given have their names, and outputs are arrays with theirs.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from sparsebayes.export.placement import LoopPlacement, Write
from sparsebayes.export.statements import Statements, word
from sparsebayes.model.graph import Node, in_order

# What a function computes that has no name.
SHARED = "what several functions need"
HIGH = (0,)
# What C and JavaScript write alike; the functions are those of the code that is the same for all.
ALIKE: dict[str, tuple[str, int, tuple[int, ...]]] = {
    "where": ("{} ? {} : {}", 1, (2,)),
    "greater": ("{} > {}", 2, (3,)),
    "add": ("{} + {}", 3, (3, 4)),
    "sub": ("{} - {}", 3, (3, 4)),
    "mul": ("{} * {}", 4, (4, 5)),
    "div": ("{} / {}", 4, (4, 5)),
    "neg": ("-{}", 5, (6,)),
    "square": ("model_square({})", 9, HIGH),
    "power": ("model_power({}, {})", 9, HIGH),
}


@dataclass(frozen=True)
class Language:
    """The texts of a language.

    Parameters
    ----------
    maps : of each function of numbers its text, how strongly it binds, and how strongly arguments
        must; the last of these counts for all further ones. Names bind with strength 9
    number : a constant; one that is negative binds with strength 5
    loop : the head of a loop, of {i}, {first} and {end}
    constant, test : of a {name} and a {value}, which are a number or true
    variable : a number that changes, of a {name} and a {value}
    array : of {name} and {size}
    alias : a {name} for an {other} array
    counter : of a {name}
    root : sets the matrix {name} of {n} rows to its symmetric root
    whole : {}, read from a table, as a whole number
    place : {}, the variable of a loop, as a number
    prefix : begins the names of tables and functions
    reserved : names that variables cannot have
    """

    maps: Mapping[str, tuple[str, int, tuple[int, ...]]]
    number: Callable[[float], str]
    loop: str
    constant: str
    test: str
    variable: str
    array: str
    alias: str
    counter: str
    root: str
    whole: str
    place: str
    prefix: str
    reserved: frozenset[str]


@dataclass
class Function:
    """A function: one that is asked for, or one that computes what others share.

    Parameters
    ----------
    name : without the prefix
    label : a few words on what it computes
    result : what it computes, the last argument if it is an array; None of a function that is asked
        for, which writes its outputs
    reads : what it is given: the inputs x, and results of others
    lengths : names of further arguments, that say how many places along an axis are needed
    lines : statements
    n_stacked : numbers in arrays, its own and those of what it calls
    """

    name: str
    label: str
    result: Node | None = None
    reads: dict[Node, str] = field(default_factory=dict)
    lengths: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    n_stacked: int = 0

    @property
    def key(self) -> object:
        """What tells it from other functions."""
        return self.result or self.name


class Loops:
    """The functions and tables of a program.

    Parameters
    ----------
    functions : by name, the outputs by their names
    language : its words
    returned : by function, a statement that returns its only output, of {value}
    """

    def __init__(
        self,
        functions: Mapping[str, Mapping[str, Node]],
        language: Language,
        returned: Mapping[str, str],
    ) -> None:
        self.language, self.returned = language, returned
        self.placement = LoopPlacement(functions)
        self.tables: dict[str, np.ndarray] = {}
        self._names_of_tables: dict[tuple[str, bytes], str] = {}
        self._taken = {"x", *language.reserved, *functions}
        self._taken |= {name for outputs in functions.values() for name in outputs}
        self._variables: dict[str, str] = {}
        self._nodes = {name: in_order(outputs.values()) for name, outputs in functions.items()}
        self._reached = {name: self._reach(name) for name in functions}
        self.homes = self._homes()
        self.functions = self._functions()

    def new_name(self, words: str) -> str:
        """A name that nothing else has."""
        name = re.sub(r"\W+", "_", words)
        numbered = (f"{name}_{k}" for k in range(1, len(self._taken) + 2))
        found = next(each for each in (name, *numbered) if each not in self._taken)
        self._taken.add(found)
        return found

    def variable(self, axis: str) -> str:
        """The variable of loops round an axis."""
        if axis not in self._variables:
            word = axis.removesuffix("_0")
            self._variables[axis] = self.new_name(f"{word}_" if word in self._taken else word)
        return self._variables[axis]

    def table(self, label: str, values: np.ndarray) -> str:
        """The name of a table with these numbers; equal tables are one."""
        key = (values.dtype.kind, values.tobytes())
        if key not in self._names_of_tables:
            name = self.language.prefix + self.new_name(label or "table")
            self._names_of_tables[key] = name
            self.tables[name] = values.ravel()
        return self._names_of_tables[key]

    def lengths(self, axis: str, function: Function) -> set[int]:
        """How many places along an axis a function needs, by what it is called for."""
        return {
            self._reached[name][axis]
            for name, nodes in self._nodes.items()
            if function.key in (name, *nodes) and axis in self._reached[name]
        }

    def needed(self, name: str) -> list[Node]:
        """The steps that a function that is asked for needs."""
        nodes = set(self._nodes[name])
        return [step for step in self.placement.steps if step in nodes]

    def _reach(self, name: str) -> dict[str, int]:
        """How many places along each axis a function needs: a take can leave out the last."""
        lengths = dict(axis for node in self._nodes[name] for axis in node.axes)
        least: dict[str, int] = {}
        whole = {axis for each in self._written(name) for axis in each.node.names}
        for node in self._nodes[name]:
            if node.data is not None and node.kind == "take":
                least[node.axis] = max(least.get(node.axis, 0), int(node.data.max()) + 1)
            elif node.kind == "fold":
                whole.add(node.axis)
            elif node.kind == "root":
                whole |= set(node.names)
        return {a: length if a in whole else least.get(a, length) for a, length in lengths.items()}

    def _written(self, name: str) -> list[Write]:
        return [write for write in self.placement.writes if write.function == name]

    def _homes(self) -> dict[Node, set[object]]:
        """The functions in which a step is computed: one of its own, or those that read it."""
        homes: dict[Node, set[object]] = {step: set() for step in self.placement.steps}

        def tell(owner: Node | Write, own: set[object]) -> None:
            for node in self.placement.read(owner):
                if node in homes:
                    homes[node] |= own

        for write in self.placement.writes:
            tell(write, {write.function})
        for node in reversed(self.placement.steps):
            has_name = bool(node.label) and self.placement.has_parts(node)
            if not self._is_small(node) and (has_name or len(homes[node]) > 1):
                homes[node] = {node}
            tell(node, homes[node])
        return homes

    def _is_small(self, node: Node) -> bool:
        """Whether a step needs no function: it is one number, or goes into a root."""
        if any(reader.kind == "root" for reader in self.placement.readers[node]):
            return True
        return node.kind == "map" and not node.axes and not self.placement.has_parts(node)

    def _functions(self) -> list[Function]:
        own: dict[Node, Function] = {}
        for node in self.placement.steps:
            if self.homes[node] == {node}:
                function = Function(self.new_name(word(node)), node.label or SHARED, node)
                own[node] = Statements(self, function, own).written()
        asked = [Statements(self, Function(name, name), own).written() for name in self._nodes]
        return [*own.values(), *asked]


WIDEST, WIDEST_OF_NUMBERS, NUMBERS_ON_A_LINE = 98, 96, 16
# Spaces at which no line ends, and what stands in place of them.
TOGETHER, KEPT = re.compile(r"\[[^][]*\]|(real|int|new) (?=[*\w])"), "\0"


def wrapped(line: str) -> list[str]:
    """A line of code, broken at its spaces; neither what is in brackets nor a type ends one."""
    indent = " " * (len(line) - len(line.lstrip()))
    kept = TOGETHER.sub(lambda found: found.group().replace(" ", KEPT), line)
    lines = textwrap.wrap(
        kept,
        WIDEST,
        subsequent_indent=f"{indent}    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [each.replace(KEPT, " ") for each in lines]


def body_of(lines: list[str]) -> str:
    """The statements of a function."""
    return "\n".join(part for line in lines for part in wrapped(f"    {line}"))


def in_lines(shown: list[str]) -> list[str]:
    """Numbers with commas, some on each line."""
    widest = max(map(len, shown)) + 2
    per_line = max(1, min(NUMBERS_ON_A_LINE, WIDEST_OF_NUMBERS // widest))
    groups = [shown[k : k + per_line] for k in range(0, len(shown), per_line)]
    return [f"    {', '.join(group)}," for group in groups]
