"""Where each node of a graph is computed: within which loops, and whether it is stored.

Functions share what they compute. What depends on a loop that reads it is computed inside; what
several places read, and what is costly and a loop would repeat, is stored before. A fold goes
round its axis last, unless something costly depends on this axis and not on all others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from sparsebayes.model.graph import Axes, Node, in_order

COSTLY = ("exp", "expm1", "sqrt", "sin", "tanh", "div", "power", "ndtr")


@dataclass(frozen=True, eq=False)
class Write:
    """An output that a function gives, by its name; it reads one node."""

    function: str
    name: str
    node: Node
    kind: Literal["write"] = "write"

    @property
    def args(self) -> tuple[Node, ...]:
        """What it is computed from."""
        return (self.node,)

    @property
    def axes(self) -> Axes:
        """Names and lengths."""
        return self.node.axes


# A loop of a node, or of a write, round an axis; and loops from the outermost to the innermost.
Step = tuple[Any, str]
Path = tuple[Step, ...]


class LoopPlacement:
    """The nodes of all functions in loops.

    Parameters
    ----------
    functions : by name, the outputs by their names
    """

    def __init__(self, functions: Mapping[str, Mapping[str, Node]]) -> None:
        self.writes = [
            Write(function, name, node)
            for function, outputs in functions.items()
            for name, node in outputs.items()
        ]
        self.nodes = in_order(write.node for write in self.writes)
        self.readers: dict[Node, list[Node]] = {node: [] for node in self.nodes}
        for node in self.nodes:
            for arg in node.args:
                self.readers[arg].append(node)
        self.contexts: dict[Node, list[Path]] = {node: [] for node in self.nodes}
        self.place: dict[Node, Path] = {}
        self.nest: dict[Any, tuple[str, ...]] = {}
        for write in self.writes:
            self.nest[write] = write.node.names
            self.contexts[write.node].append(self.path(write))
        for node in reversed(self.nodes):
            self._put(node)

    def stored(self, node: Node) -> bool:
        """Whether a node has a variable or an array."""
        return node in self.place

    def path(self, owner: Any) -> Path:
        """The loops within which a stored node, or a write, is computed, its own among them."""
        return self.place.get(owner, ()) + tuple((owner, axis) for axis in self.nest[owner])

    def free(self, node: Node) -> tuple[tuple[str, int], ...]:
        """The axes along which a stored node has an array."""
        bound = {axis for _, axis in self.place[node]}
        return tuple(axis for axis in node.axes if axis[0] not in bound)

    @cached_property
    def steps(self) -> list[Node]:
        """Stored nodes that are within no loop, each after those that it reads."""
        return [node for node in self.nodes if self.place.get(node) == ()]

    def inside(self, path: Path) -> list[Node]:
        """Stored nodes that are within these loops and no others, in their order."""
        return [node for node in self.nodes if path and self.place.get(node) == path]

    def has_parts(self, node: Node) -> bool:
        """Whether a stored node has others within its loops, or is a fold."""
        return node.kind == "fold" or any(
            owner is node for place in self.place.values() for owner, _ in place
        )

    def read(self, owner: Any) -> set[Node]:
        """The nodes, leaves and steps, that a step or a write reads while it is computed."""
        found: set[Node] = set()
        open_nodes = list(owner.args)
        while open_nodes:
            node = open_nodes.pop()
            if node not in found:
                found.add(node)
                open_nodes += () if self.place.get(node) == () else node.args
        return {each for each in found if not each.args or self.place.get(each) == ()}

    def into(
        self, reads: Mapping[Node | Write, set[Node]], called: Collection[Node | Write] = ()
    ) -> dict[Node, Node | Write]:
        """The steps whose arrays are those of others, which read them last.

        These others are roots, or have loops in which they read each number where they put theirs.
        What each step or write of a function reads is given, in their order. What is called cannot
        be such another, because what it is given is not to be changed.
        """
        found: dict[Node, Node | Write] = {}
        owners = list(reads)
        for k, owner in enumerate(owners):
            later: set[Node] = set().union(*(reads[each] for each in owners[k + 1 :]))
            before = [each for each in owners[:k] if each.kind != "write"]
            for node in before if owner not in called else ():
                if node in reads[owner] - later and self._is_replaced(node, owner):
                    found[node] = owner
                    break
        return found

    def _is_replaced(self, node: Node, owner: Node | Write) -> bool:
        if owner.kind not in ("map", "write"):
            return owner.kind == "root"
        read_at = [each for each in self.contexts[node] if any(one is owner for one, _ in each)]
        same = all(each == self.path(owner) for each in read_at)
        return bool(owner.axes) and node.axes == owner.axes and same and node.name != "greater"

    def _put(self, node: Node) -> None:
        contexts = self.contexts[node]
        axes = set() if node.kind == "root" else set(node.names) - self._late(node)
        place = _shared(contexts, axes)
        if node.kind == "fold" or node.kind == "root" or self._is_kept(node, place):
            self.place[node] = place
            self.nest[node] = self._nest(node)
            contexts = [place if node.kind == "root" else self.path(node)]
        if node.kind == "take":
            # None of these loops goes round the axis, which is read elsewhere.
            axis = node.axis
            contexts = [tuple((o, "" if a == axis else a) for o, a in path) for path in contexts]
        for arg in node.args:
            self.contexts[arg] += [each for each in contexts if each not in self.contexts[arg]]

    def _is_kept(self, node: Node, place: Path) -> bool:
        """Whether a map is computed once, for several readers or for all rounds of a loop."""
        if node.kind != "map":
            return False
        if len(self.readers[node]) + any(write.node is node for write in self.writes) > 1:
            inside = {axis for _, axis in place}
            return not (set(node.names) - inside and self._is_read_off(node))
        if any(reader.kind == "root" for reader in self.readers[node]):
            return True
        repeated = any(
            axis not in node.names
            for context in self.contexts[node]
            for _, axis in context[len(place) :]
        )
        return node.name in COSTLY and repeated

    def _is_read_off(self, node: Node) -> bool:
        """Whether a map is cheap, and of numbers that are there."""
        return node.name not in COSTLY and all(arg.kind != "map" for arg in node.args)

    def _nest(self, node: Node) -> tuple[str, ...]:
        """The loops of a stored node, from the outermost to the innermost."""
        if node.kind == "root":
            return ()
        free, late = [axis for axis, _ in self.free(node)], self._late(node)
        first = [axis for axis in free if axis not in late]
        fold = [node.axis] if node.kind == "fold" else []
        return (*first, *fold, *(axis for axis in free if axis in late))

    def _late(self, node: Node) -> set[str]:
        """The axes that a fold goes round within its own: something costly is without them.

        It counts if nothing else reads it. Along an axis that a take replaces it is read elsewhere.
        """
        late: set[str] = set()
        own: dict[Node, set[str]] = {node: set()}
        for each in reversed(in_order(node.args) if node.kind == "fold" else []):
            readers = self.readers[each]
            if any(reader not in own for reader in readers) or node.axis not in each.names:
                continue
            elsewhere = set().union(*(own[reader] for reader in readers))
            elsewhere |= {reader.axis for reader in readers if reader.kind == "take"}
            if each.kind == "fold" or each.name in COSTLY:
                late |= set(node.names) - (set(each.names) - elsewhere)
            if each.kind in ("map", "take"):
                own[each] = elsewhere
        return late


def _shared(contexts: Iterable[Path], axes: set[str]) -> Path:
    """The loops that all contexts have in common, as long as they go round these axes."""
    found: list[Step] = []
    for steps in zip(*contexts, strict=False):
        if any(step != steps[0] for step in steps) or steps[0][1] not in axes:
            break
        found.append(steps[0])
    return tuple(found)
