"""A chain of SELECTs, each of which computes columns from those of the one before.

What is needed more than once is a column of its own, so that it is computed once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

NAMES = re.compile(r"\b[a-z]+_[0-9]+\b")


class Chain:
    """SELECTs in the making.

    Parameters
    ----------
    source : the table, quoted
    prefix : how the names of all stages begin
    fence : what ends a SELECT that a database may not merge with the next; merged ones compute an
        expression wherever it is used
    """

    def __init__(self, source: str, prefix: str, fence: str) -> None:
        self.source, self.prefix, self.fence = source, prefix, fence
        self._asked: list[str] = []
        self._stages: list[tuple[str, dict[str, str]]] = []
        self._stage_of: dict[str, int] = {}

    def stage(self, name: str) -> None:
        """Begin a SELECT, in which expressions may use the columns of all before."""
        again = sum(each == name for each in self._asked)
        self._asked.append(name)
        number = f"_{again + 1}" if again else ""
        self._stages.append((f"{self.prefix}_{name}{number}", {}))

    def put(self, stem: str, expression: str) -> str:
        """Compute an expression in this SELECT; the name of its column, which begins with `stem`.

        An expression that is a column already keeps its name.
        """
        if expression in self._stage_of:
            return expression
        columns = self._stages[-1][1]
        if expression not in columns:
            name = f"{stem}_{len(self._stage_of)}"
            columns[expression] = name
            self._stage_of[name] = len(self._stages) - 1
        return columns[expression]

    def select(self, outputs: Sequence[tuple[str, str]]) -> str:
        """The statement with these expressions and their quoted names, and its stages."""
        needed = self._names(expression for expression, _ in outputs)
        stages: list[tuple[str, list[str]]] = []
        for number in reversed(range(len(self._stages))):
            stage, columns = self._stages[number]
            own = {name: text for text, name in columns.items() if name in needed}
            if own:
                carried = self._in_order(needed - set(own))
                stages.append(
                    (stage, carried + [f"{text} AS {name}" for name, text in own.items()])
                )
                needed = (needed - set(own)) | self._names(own.values())
        return self._written(stages[::-1], [f"{text} AS {name}" for text, name in outputs])

    def _written(self, stages: list[tuple[str, list[str]]], outputs: list[str]) -> str:
        origin, parts = f"{self.source} AS source", []
        for name, columns in stages:
            parts.append(f"{name} AS (\n{_one(columns, origin)}{self.fence}\n)")
            origin = name
        head = f"WITH {', '.join(parts)}\n" if parts else ""
        return head + _one(outputs, origin)

    def _names(self, expressions: Iterable[str]) -> set[str]:
        """The columns that expressions use."""
        found = {name for text in expressions for name in NAMES.findall(text)}
        return found & self._stage_of.keys()

    def _in_order(self, names: set[str]) -> list[str]:
        return [name for name in self._stage_of if name in names]


def _one(columns: list[str], origin: str) -> str:
    return "SELECT\n  " + ",\n  ".join(columns) + f"\nFROM {origin}"
