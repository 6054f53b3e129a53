"""The statements of a function of loops."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from sparsebayes.export.expressions import Expressions, Span, in_order_of, span
from sparsebayes.export.placement import Step, Write
from sparsebayes.model.graph import Node, factors

if TYPE_CHECKING:
    from sparsebayes.export.loops import Function, Loops

FOLDS = {"sum": (0.0, "{} += {};"), "product": (1.0, "{} *= {};"), "largest": (-np.inf, "")}


class Statements:
    """What writes a function.

    Parameters
    ----------
    loops : the program
    function : what is written
    others : functions of steps that can be called
    """

    def __init__(self, loops: Loops, function: Function, others: Mapping[Node, Function]) -> None:
        self.loops, self.language, self.placement = loops, loops.language, loops.placement
        self.function, self.others = function, others
        self.values = Expressions(loops, self._array)
        self._names: dict[Node, str] = {}
        self._arrays: dict[str, int] = {}
        self._reads: dict[Node | Write, set[Node]] = {}
        self._into: dict[Node, Node | Write] = {}
        self._before: dict[Step, str] = {}
        self._bounds: dict[Step, tuple[str, str]] = {}

    def written(self) -> Function:
        """The function with its statements."""
        own = self.function
        if own.result is None:
            own.lines = self._asked()
            return own
        self._names[own.result] = own.name
        self._arrays[own.name] = 0
        steps = [step for step in self.placement.steps if own.result in self.loops.homes[step]]
        self._reads = {step: self.placement.read(step) for step in steps}
        self._into = self.placement.into(self._reads)
        own.lines = [line for step in steps for line in self._stored(step)]
        return own

    def _asked(self) -> list[str]:
        """Statements of a function that is asked for: what it needs, and its outputs."""
        name, lines, most = self.function.name, [], 0
        writes = [each for each in self.placement.writes if each.function == name]
        place = self.placement.place
        in_place = [each for each in writes if each.node.axes and place.get(each.node) == ()]
        self._names |= {write.node: write.name for write in in_place}
        self._arrays |= dict.fromkeys((write.name for write in writes), 0)
        for step in self.loops.needed(name):
            if name in self.loops.homes[step]:
                self._reads[step] = self.placement.read(step)
            elif step in self.others:
                self._reads[step] = set(self.others[step].reads)
        self._reads |= {write: self.placement.read(write) for write in writes}
        called = {step for step in self._reads if step in self.others}
        self._into = self.placement.into(self._reads, called)
        for step in self.loops.needed(name):
            if step in called:
                lines += self._call(self.others[step])
                most = max(most, self.others[step].n_stacked)
            elif step in self._reads:
                lines += self._stored(step)
        self.function.n_stacked += most
        return lines + [
            line for write in writes if write not in in_place for line in self._level(write, 0)
        ]

    def _call(self, called: Function) -> list[str]:
        """The call of a function that computes a step."""
        step = called.result
        assert step is not None
        args = [self._array(each) for each in called.reads]
        args += [self._length(axis) for axis in called.lengths]
        function = f"{self.language.prefix}{called.name}"
        if step.axes:
            args.append(self._array(step))
            return [*self._declared(step), f"{function}({', '.join(args)});"]
        value = f"{function}({', '.join(args)})"
        return [self.language.constant.format(name=self._array(step), value=value)]

    def _array(self, node: Node) -> str:
        """The name of a variable or an array, which is given if it is not computed here."""
        owner = self._into.get(node)
        if owner is not None:
            return owner.name if owner.kind == "write" else self._array(owner)
        if node not in self._names:
            known = self.others[node].name if node in self.others else node.name
            is_own = self.placement.stored(node) and node not in self.others
            self._names[node] = self.loops.new_name(word(node)) if is_own else known
        if not node.args or (node in self.others and self.function.result is not None):
            self.function.reads[node] = self._names[node]
        return self._names[node]

    def _length(self, axis: str) -> str:
        """How many places along an axis are needed; they are given if that is not always so."""
        lengths = self.loops.lengths(axis, self.function)
        if len(lengths) == 1:
            return str(max(lengths))
        return self.function.lengths.setdefault(axis, f"n_{self.loops.variable(axis)}")

    def _declared(self, node: Node) -> list[str]:
        """The array of a node, unless there is one."""
        name = self._array(node)
        if name in self._arrays or not self.placement.free(node):
            return []
        (first, _), *others = self.placement.free(node)
        # Places of a number are counted by whole axes, so the first alone may be cut short.
        size = max(self.loops.lengths(first, self.function)) * math.prod(n for _, n in others)
        other = self._left_over(node, size)
        self._arrays[name] = 0
        if other:
            self._arrays[name], self._arrays[other] = self._arrays[other], 0
            return [self.language.alias.format(name=name, other=other)]
        self._arrays[name] = size
        self.function.n_stacked += size
        return [self.language.array.format(name=name, size=size)]

    def _left_over(self, node: Node, size: int) -> str:
        """An array of this size at least that nothing reads any more; "" if there is none."""
        if node not in self._reads or node.name == "greater":
            return ""
        owners = list(self._reads)
        later = owners[owners.index(node) :]
        read = set().union(*(self._reads[each] for each in later))
        in_use = {self._array(each) for each in read if each in self._names or each in self._into}
        found = [other for other, n in self._arrays.items() if n >= size and other not in in_use]
        return found[0] if found else ""

    def _stored(self, node: Node) -> list[str]:
        """Statements that compute a variable or an array."""
        name, is_array = self._array(node), bool(self.placement.free(node))
        if node.kind == "root":
            return [self.language.root.format(name=name, n=node.length(node.axis))]
        if node.kind == "map" and not is_array:
            text = self.language.test if node.name == "greater" else self.language.constant
            return [text.format(name=name, value=self.values.map(node, {})[0])]
        return self._declared(node) + self._level(node, 0)

    def _level(self, owner: Node | Write, depth: int) -> list[str]:
        """Statements within the first loops of a node or a write."""
        nest, path = self.placement.nest[owner], self.placement.path(owner)
        here = path[: len(path) - len(nest) + depth]
        inside = self.placement.inside(here) if depth else []
        lines = [line for node in inside for line in self._stored(node)]
        if depth == len(nest):
            return lines + self._last(owner)
        inner = self._loop(owner, depth)
        if owner.kind == "fold" and nest[depth] == owner.axis:
            inner = self._accumulated(owner, nest[depth + 1 :], inner)
        return lines + inner

    def _loop(self, owner: Node | Write, depth: int) -> list[str]:
        axis = self.placement.nest[owner][depth]
        inner, step = self._level(owner, depth + 1), (owner, axis)
        first, end = self._bounds.get(step) or ("0", self._length(axis))
        counter = [self._before[step]] if step in self._before else []
        return counter + self._around(axis, inner, first, end)

    def _around(self, axis: str, inner: list[str], first: str, end: str) -> list[str]:
        """A loop with statements; none is needed for one place."""
        if (first, end) == ("0", "1"):
            return inner
        head = self.language.loop.format(i=self.loops.variable(axis), first=first, end=end)
        lines = [f"    {line}" for line in inner]
        return [head, *lines] if len(inner) == 1 else [f"{head} {{", *lines, "}"]

    def _accumulated(self, fold: Node, late: tuple[str, ...], inner: list[str]) -> list[str]:
        """The loop of a fold, with what comes before and after it."""
        start = self.language.number(FOLDS[fold.name][0])
        if late:
            first = [f"{self.values.variable(fold, {})} = {start};"]
            for axis in reversed(late):
                first = self._around(axis, first, "0", self._length(axis))
            return first + inner
        if not self.placement.free(fold):
            return [self.language.variable.format(name=self._array(fold), value=start), *inner]
        one = self._one(fold)
        before = self.language.variable.format(name=one, value=start)
        return [before, *inner, f"{self.values.variable(fold, {})} = {one};"]

    def _one(self, fold: Node) -> str:
        """The variable of one number of an array of sums."""
        return f"{self._array(fold)}_{fold.name}"

    def _last(self, owner: Node | Write) -> list[str]:
        """The statement in the innermost loop."""
        if owner.kind == "write":
            return [self._output(owner)]
        if owner.kind == "map":
            return [f"{self.values.variable(owner, {})} = {self.values.map(owner, {})[0]};"]
        self._leave_out_zeros(owner)
        is_late = self.placement.nest[owner][-1] != owner.axis
        is_one = is_late or not self.placement.free(owner)
        target = self.values.variable(owner, {}) if is_one else self._one(owner)
        value = self.values.at(owner.args[0], {})
        if owner.name == "largest":
            return [f"{target} = {self.language.maps['max'][0].format(target, value)};"]
        return [FOLDS[owner.name][1].format(target, value)]

    def _output(self, write: Write) -> str:
        value = self.values.at(write.node, {})
        if write.function in self.loops.returned:
            return self.loops.returned[write.function].format(value=value)
        return f"{write.name}[{self.values.place(write.node.axes, {})}] = {value};"

    def _leave_out_zeros(self, fold: Node) -> None:
        """The innermost loop of a fold has bounds, if a table has many zeros."""
        path = self.placement.path(fold)
        for table in factors(fold.args[0]):
            inner = [step for step in path if step[1] in table.names]
            whole = len(inner) == len(table.names) > 1 and inner == list(path[-len(inner) :])
            whole = whole and all(length > 1 for _, length in table.axes)
            if table.is_table and whole and self.placement.contexts[table] == [path]:
                found = span(in_order_of([axis for _, axis in inner], table))
                if found is not None:
                    self._bound(table, found, inner)
                    return

    def _bound(self, table: Node, found: Span, loops: list[Step]) -> None:
        """The numbers of a table are read one after the other, within bounds."""
        counter = self.loops.new_name("at")
        self._before[loops[0]] = self.language.counter.format(name=counter)
        self.values.read_once[table] = f"{self.loops.table(table.label, found.values)}[{counter}++]"
        rows = tuple((axis, table.length(axis)) for _, axis in loops[:-1])
        bounds = []
        for end, bound in (("first", found.first), ("end", found.end)):
            if isinstance(bound, str):
                bounds.append(bound.format(at=self.loops.variable(rows[-1][0])))
            else:
                name = self.loops.table(f"{table.label}_{end}", bound)
                bounds.append(self.language.whole.format(f"{name}[{self.values.place(rows, {})}]"))
        self._bounds[loops[-1]] = (bounds[0], bounds[1])


def word(node: Node) -> str:
    """What a node without a name is called."""
    if node.label or node.kind == "fold":
        return node.label or node.name
    return {"greater": "is_positive", "where": "chosen"}.get(node.name, "value")
