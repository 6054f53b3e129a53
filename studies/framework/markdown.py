"""The report as Markdown, with its figures beside it as SVG files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from studies.framework.experiment import Block, Figure, Table, Text, Verdict
from studies.framework.picture import svg
from studies.framework.section import Section, counts, duration, sentence

NUMBER = re.compile(r"[-+]?\d")


def markdown(title: str, about: Sequence[str], sections: Sequence[Section], out: Path) -> str:
    """The whole report; its figures are written to `out / "figures"`."""
    (out / "figures").mkdir(parents=True, exist_ok=True)
    verdicts = Table(
        ("source", "claim", "here"),
        [
            (one.source, verdict.claim, verdict.status.value)
            for one in sections
            for verdict in one.verdicts
        ],
    )
    times = [(one.source, one.title, duration(one.seconds)) for one in sections]
    total = ("all", "", duration(sum(one.seconds for one in sections)))
    parts = [
        f"# {title}",
        *about,
        table_text(Table(("source", "what it shows", "time"), [*times, total])),
        "## Verdicts",
        counts(sections),
        table_text(verdicts),
        *(part for one in sections for part in _section(one, out)),
    ]
    return "\n\n".join(parts) + "\n"


def _section(one: Section, out: Path) -> list[str]:
    blocks = [_block(block, f"{one.name}-{k}", out) for k, block in enumerate(one.blocks)]
    return [f"## {one.source}: {one.title}", *blocks, one.origin]


def _block(block: Block, name: str, out: Path) -> str:
    if not isinstance(block, Figure):
        return _text(block)
    path = Path("figures") / f"{name}.svg"
    (out / path).write_text(svg(block, name) + "\n", encoding="utf-8")
    return f"![{name}]({path.as_posix()})\n\n{block.caption}"


def _text(block: Text | Table | Verdict) -> str:
    match block:
        case Text(text):
            return text
        case Table():
            return table_text(block)
        case Verdict(claim, status, why):
            return f"> **{status.value}**: {claim}. {sentence(why)}"


def summary(one: Section) -> str:
    """The tables and claims of a report, for a terminal."""
    shown = [block for block in one.blocks if not isinstance(block, Figure)]
    return "\n\n".join([f"## {one.name}: {one.title}", *(_text(block) for block in shown)])


def table_text(table: Table) -> str:
    """A table and its note; columns of numbers stand to the right, all others to the left."""
    columns = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.header)
    rules = [_rule(column) for column in columns]
    rows = [table.header, rules, *table.rows]
    lines = "\n".join(f"| {' | '.join(_cell(text) for text in row)} |" for row in rows)
    return f"{lines}\n\n{table.note}" if table.note else lines


def _rule(column: Sequence[str]) -> str:
    """How a column is aligned: to the right if half of its filled cells begin with a number."""
    told = [text for text in column if text not in ("", "-")]
    numbers = [text for text in told if NUMBER.match(text)]
    return "---:" if told and 2 * len(numbers) >= len(told) else "---"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
