"""The report as one HTML page that needs nothing else: no network, no script, no other file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from studies.framework.experiment import Block, Figure, Status, Table, Text, Verdict
from studies.framework.picture import svg
from studies.framework.section import Section, counts, duration, sentence

CSS = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --good: #1a7f37; --fair: #0969da;
  --bad: #cf222e; --none: #777; }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --fair: #58a6ff; --bad: #ff7b72;
  --none: #999; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 0 auto; padding: 1rem;
  overflow-wrap: break-word; }
h1 { line-height: 1.2; } h2 { margin-top: 3rem; border-top: 1px solid var(--line);
  padding-top: 1rem; line-height: 1.3; }
p { max-width: 56rem; }
.box { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.88rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.7rem; text-align: right; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th:first-child, td:first-child, .summary td, .summary th { text-align: left; }
.summary td:last-child, .numbers td:not(:first-child) { white-space: nowrap; }
@media (max-width: 40rem) { th, td { padding: 0.25rem 0.3rem; } table { font-size: 0.8rem; }
  h1 { font-size: 1.6rem; } h2 { font-size: 1.3rem; } }
thead th { border-bottom-width: 2px; }
.note, .origin, figcaption { font-size: 0.88rem; opacity: 0.8; }
figure { margin: 1rem 0; }
figure svg { max-width: 100%; min-width: 30rem; height: auto;
  background: white; color-scheme: light;
  border-radius: 4px; }
.verdict { border-left: 4px solid var(--none); background: var(--soft);
  padding: 0.4rem 0.8rem; margin: 0.5rem 0; }
.verdict.better { border-color: var(--good); } .verdict.reproduced { border-color: var(--fair); }
.verdict.not { border-color: var(--bad); }
b.better { color: var(--good); } b.reproduced { color: var(--fair); } b.not { color: var(--bad); }
b.skipped { color: var(--none); }
summary { cursor: pointer; }
code { background: var(--soft); padding: 0 0.2em; border-radius: 3px; }
"""
MARKS = (
    (r"`([^`]+)`", r"<code>\1</code>"),
    (r"\*\*([^*]+)\*\*", r"<strong>\1</strong>"),
    (r"(?<!\w)\*([^*\s][^*]*)\*(?!\w)", r"<em>\1</em>"),
    (r"\[([^\]]+)\]\(([^)\s]+)\)", r'<a href="\2">\1</a>'),
)


def page(title: str, about: Sequence[str], sections: Sequence[Section]) -> str:
    """The whole page: what was run, the contents, all verdicts, and a section for each."""
    parts = [
        f"<h1>{escape(title)}</h1>",
        *(f"<p>{inline(line)}</p>" for line in about),
        _contents(sections),
        _verdicts(sections),
        *map(_section, sections),
    ]
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{CSS}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def inline(text: str) -> str:
    """Markdown of a paragraph as HTML: **bold**, *emphasis*, `code`, links."""
    text = escape(text, quote=True)
    for pattern, replacement in MARKS:
        text = re.sub(pattern, replacement, text)
    return text


def _contents(sections: Sequence[Section]) -> str:
    rows = [[_link(one), inline(one.title), *_result(one)] for one in sections]
    total = duration(sum(one.seconds for one in sections))
    header = "source", "what it shows", "claims", "time"
    return _grid(header, [*rows, ["all", "", "", total]], "summary")


def _result(one: Section) -> tuple[str, str]:
    """How many claims fare how, and the time."""
    found = [
        f'<b class="{status.name.lower()}">{n}&nbsp;{_word(status)}</b>'
        for status, n in one.counts.items()
    ]
    return ", ".join(found), duration(one.seconds)


def _verdicts(sections: Sequence[Section]) -> str:
    """All verdicts, to be unfolded."""
    rows = [
        [_link(one), inline(verdict.claim), _status(verdict)]
        for one in sections
        for verdict in one.verdicts
    ]
    table = _grid(("source", "claim", "here"), rows, "summary")
    total = f"<summary>All claims: {counts(sections)}</summary>"
    return f'<details id="verdicts">{total}\n{table}</details>'


def _link(one: Section) -> str:
    return f'<a href="#{one.name}">{inline(one.source)}</a>'


def _section(one: Section) -> str:
    blocks = [_block(block, f"{one.name}-{number}") for number, block in enumerate(one.blocks)]
    return (
        f'<section id="{one.name}">\n<h2>{inline(one.source)}: {inline(one.title)}</h2>\n'
        f'{_lines(blocks)}\n<p class="origin">{inline(one.origin)}</p>\n</section>'
    )


def _block(block: Block, name: str) -> str:
    match block:
        case Text(text):
            return f"<p>{inline(text)}</p>"
        case Table():
            return _table(block)
        case Figure(caption=caption):
            caption = f"<figcaption>{inline(caption)}</figcaption>"
            return f'<figure>\n<div class="box">{svg(block, name)}</div>\n{caption}\n</figure>'
        case Verdict(claim=claim, why=why):
            return (
                f'<p class="verdict {_class(block)}">{_status(block)}: {inline(claim)}.<br>'
                f"{inline(sentence(why))}</p>"
            )


def _table(table: Table) -> str:
    header = [inline(text) for text in table.header]
    note = f'\n<p class="note">{inline(table.note)}</p>' if table.note else ""
    return _grid(header, [[inline(text) for text in row] for row in table.rows], "numbers") + note


def _grid(header: Sequence[str], rows: Sequence[Sequence[str]], kind: str) -> str:
    """A table of cells that are HTML, in a box that scrolls."""
    head = "".join(f"<th>{text}</th>" for text in header)
    body = [f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in rows]
    return (
        f'<div class="box"><table class="{kind}"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{_lines(body)}\n</tbody></table></div>"
    )


def _status(verdict: Verdict) -> str:
    return f'<b class="{_class(verdict)}">{verdict.status.value}</b>'


def _word(status: Status) -> str:
    return "not" if status is Status.NOT else status.value


def _class(verdict: Verdict) -> str:
    return verdict.status.name.lower()


def _lines(parts: Sequence[str]) -> str:
    return "\n".join(parts)
