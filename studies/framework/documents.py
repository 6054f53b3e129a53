"""Tables in documents, written between markers.

<!-- studies: NAME -->
what `python -m studies tables` writes here
<!-- end -->
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from pathlib import Path

DOCUMENTS = ("README.md", "docs/**/*.md")
MARKED = re.compile(r"(<!-- studies: (?P<name>.+?) -->\n)(?P<body>.*?)(<!-- end -->)", re.S)


def update(root: Path, block: Callable[[str], str | None], check: bool) -> list[str]:
    """Write what differs, and say where; with `check` only show the differences.

    Parameters
    ----------
    block : name of a marker -> text, or None to leave it as it is
    """
    said = []
    for path in documents(root):
        old = path.read_text(encoding="utf-8")
        new = rewritten(old, block)
        if new == old:
            continue
        name = path.relative_to(root).as_posix()
        if check:
            said += _difference(old, new, name)
        else:
            path.write_text(new, encoding="utf-8")
            said.append(f"wrote {name}")
    return said


def documents(root: Path) -> list[Path]:
    """README and the pages of the docs."""
    return [path for pattern in DOCUMENTS for path in sorted(root.glob(pattern))]


def rewritten(text: str, block: Callable[[str], str | None]) -> str:
    """The document with a new text between each pair of markers."""

    def replace(match: re.Match) -> str:
        body = block(match["name"])
        return match[0] if body is None else f"{match[1]}{body.strip()}\n{match[4]}"

    return MARKED.sub(replace, text)


def _difference(old: str, new: str, name: str) -> list[str]:
    lines = old.splitlines(), new.splitlines()
    return list(
        difflib.unified_diff(*lines, name, f"{name}, as studies/results has it", lineterm="")
    )
