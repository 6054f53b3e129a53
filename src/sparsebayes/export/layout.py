"""Generated code in lines that are not too wide."""

from __future__ import annotations

import re
import textwrap

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
