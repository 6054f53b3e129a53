"""Plain text tables."""

from __future__ import annotations

from collections.abc import Sequence


def table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Plain text, columns right-aligned below their names."""
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    return "\n".join(
        "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True))
        for line in (names, *rows)
    )
