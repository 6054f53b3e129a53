"""HTML, in which every text is escaped unless it is HTML already, and how a page looks."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

# A line does not end between a number and % or ±.
KEPT_TOGETHER, NO_BREAK = re.compile(r"(?<=\d) (?=[%±])|(?<=±) (?=\d)"), "\u00a0"


class Html(str):
    """Text that is HTML already."""


def clean(text: object) -> str:
    """A text in one line, without characters that no page can hold."""
    line = " ".join(str(text).split()).encode("utf-8", "replace").decode("utf-8")
    return "".join("\ufffd" if unicodedata.category(each) == "Cc" else each for each in line)


def clipped(text: object, most: int) -> str:
    """A text in one line, cut to a number of characters."""
    line = clean(text)
    return line if len(line) <= most else f"{line[: most - 1]}…"


def escaped(text: object) -> Html:
    """A text as HTML, numbers kept with their signs; what is HTML stays as it is."""
    if isinstance(text, Html):
        return text
    return Html(html.escape(KEPT_TOGETHER.sub(NO_BREAK, clean(text))))


def joined(parts: Iterable[object]) -> Html:
    """Parts of a page, one below the other."""
    return Html("\n".join(escaped(part) for part in parts if part))


def paragraph(*sentences: str, kind: str = "") -> Html:
    """A paragraph of sentences."""
    opened = f'<p class="{kind}">' if kind else "<p>"
    return Html(f"{opened}{' '.join(escaped(each) for each in sentences if each)}</p>")


def bullets(items: Sequence[str]) -> Html:
    """A list of sentences."""
    return Html("<ul>{}</ul>".format("".join(f"<li>{escaped(each)}</li>" for each in items)))


def heading(text: str) -> Html:
    """A heading within a section."""
    return Html(f"<h3>{escaped(text)}</h3>")


def code(text: str, language: str) -> Html:
    """Lines of code; they are escaped and otherwise stay as they are."""
    held = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")
    opened = f'<pre role="region" tabindex="0" aria-label="{language} code">'
    return Html(f"{opened}<code>{html.escape(held)}</code></pre>")


def table(
    head: Sequence[object], rows: Sequence[Sequence[object]], caption: str, words: int = 1
) -> Html:
    """A table that scrolls where it is too wide.

    Parameters
    ----------
    head : names of the columns
    rows : cells; the first of each is its name
    caption : what it shows
    words : how many columns hold words, on the left; the others hold numbers
    """

    def kind(column: int) -> str:
        return "" if column < words else ' class="number"'

    names = "".join(f'<th scope="col"{kind(k)}>{escaped(each)}</th>' for k, each in enumerate(head))
    lines = []
    for row in rows:
        first, *others = (escaped(each) for each in row)
        cells = "".join(f"<td{kind(k)}>{each}</td>" for k, each in enumerate(others, 1))
        lines.append(f'<tr><th scope="row">{first}</th>{cells}</tr>')
    label = escaped(caption)
    return Html(
        f'<div class="table"><p class="caption">{label}</p>'
        f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">'
        f"<table><thead><tr>{names}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div></div>"
    )


def facts(pairs: Sequence[tuple[str, object]]) -> Html:
    """Names and what they are, in two columns."""
    lines = "".join(
        f"<div><dt>{escaped(name)}</dt><dd>{escaped(each)}</dd></div>" for name, each in pairs
    )
    return Html(f'<dl class="facts">{lines}</dl>')


def bar(share: float) -> Html:
    """A bar as long as a share of its cell."""
    width = min(max(100.0 * share, 0.0), 100.0)
    return Html(f'<span class="bar"><span style="width: {width:.1f}%"></span></span>')


def figure(picture: Html, caption: str, data: Mapping[str, object] | None = None) -> Html:
    """A picture with a caption; a script can read the data."""
    told = "".join(f' data-{name}="{escaped(each)}"' for name, each in (data or {}).items())
    return Html(f"<figure{told}>{picture}<figcaption>{escaped(caption)}</figcaption></figure>")


def beside(blocks: Iterable[Html]) -> Html:
    """Figures and tables, beside each other where there is room."""
    return Html(f'<div class="beside">{"".join(blocks)}</div>')


def section(key: str, title: str, parts: Iterable[object]) -> Html:
    """A section with a heading."""
    name = f"{key}-title"
    return Html(
        f'<section id="{key}" aria-labelledby="{name}"><h2 id="{name}">{escaped(title)}</h2>\n'
        f"{joined(parts)}\n</section>"
    )


CSS = """
:root { --ink: #1a1a1a; --soft: #555; --line: #d5d5d5; --dark: #17365d; --pale: #f3f6fa; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: #fff; color: var(--ink);
  font: 16px/1.55 "Segoe UI", "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; }
header, main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2.2rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; color: var(--dark);
  overflow-wrap: anywhere; }
header p { margin: 0; color: var(--soft); }
nav { margin: 1rem 0 0; padding: .6rem 0; border-top: 1px solid var(--line);
  border-bottom: 1px solid var(--line); font-size: .9rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .15rem 1.4rem; margin: 0;
  padding: 0; }
a { color: var(--dark); }
section { margin-top: 2.4rem; }
h2 { font-size: 1.32rem; line-height: 1.25; margin: 0 0 .6rem; color: var(--dark); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .4rem; }
p { margin: 0 0 .8rem; max-width: 46rem; overflow-wrap: anywhere; }
ul { padding-left: 1.25rem; max-width: 46rem; }
li { margin-bottom: .45rem; overflow-wrap: anywhere; }
.verdict { border-left: .3rem solid var(--dark); background: var(--pale); padding: .85rem 1.1rem;
  margin: .8rem 0 1.2rem; font-size: 1.08rem; max-width: none; }
.quiet { color: var(--soft); font-size: .92rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr));
  gap: .7rem 2rem; margin: 0 0 1rem; }
.facts dt { font-size: .82rem; color: var(--soft); }
.facts dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.table { margin: .6rem 0 1.3rem; min-width: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
.caption { color: var(--soft); font-size: .88rem; margin: 0 0 .35rem; }
th, td { padding: .32rem .9rem .32rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
th:last-child, td:last-child { padding-right: .2rem; }
thead th { border-bottom: 2px solid #888; font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 400; min-width: 5rem; max-width: 22rem; overflow-wrap: anywhere; }
td.number { text-align: right; white-space: nowrap; }
th.number { text-align: right; max-width: 10.5rem; overflow-wrap: break-word; }
.least { color: var(--soft); font-size: .84rem; }
.hit { font-weight: 700; text-decoration: underline; text-underline-offset: .2em; }
.bar { display: inline-block; width: 12rem; height: .8rem; vertical-align: middle;
  border: 1px solid #9aa7b5; background: #fff; }
.bar > span { display: block; height: 100%; background: #3a6ea5;
  -webkit-print-color-adjust: exact; print-color-adjust: exact; }
.beside { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr));
  gap: 1.2rem 1.8rem; margin: .8rem 0 1.2rem; align-items: start; }
figure { margin: 0; max-width: 31rem; }
figure svg { display: block; width: 100%; height: auto; }
figure svg * { stroke-linejoin: round; stroke-linecap: butt; }
figure svg text { font-family: "Segoe UI", "Helvetica Neue", Helvetica, Arial, "Liberation Sans",
  sans-serif; }
figcaption { color: var(--soft); font-size: .88rem; margin-top: .3rem; overflow-wrap: anywhere; }
pre { overflow-x: auto; background: var(--pale); border: 1px solid var(--line);
  padding: .75rem .9rem; margin: .3rem 0 1.1rem;
  font: .84rem/1.5 Consolas, "DejaVu Sans Mono", "Liberation Mono", Menlo, monospace; }
#try { border: 1px solid var(--line); padding: .2rem 1.1rem .4rem; margin: 1rem 0; }
.controls { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr));
  gap: .5rem 1.8rem; margin: 0 0 1rem; }
.controls > div { display: grid; grid-template-columns: 7rem 1fr 4.5rem; gap: .7rem;
  align-items: center; }
.controls label { overflow-wrap: anywhere; }
.controls select { grid-column: 2 / 4; }
.controls input, .controls select { width: 100%; min-width: 0; font: inherit; }
.controls output { text-align: right; font-variant-numeric: tabular-nums; }
footer { margin-top: 3rem; padding-bottom: 2.5rem; }
footer > div { border-top: 1px solid var(--line); padding-top: 1rem; font-size: .9rem; }
footer h2 { font-size: 1.1rem; }
footer .facts dd { font-weight: 400; }
footer .facts { gap: .3rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); }
@media (max-width: 40rem) {
  body { font-size: 15px; }
  header, main, footer { padding-left: 1rem; padding-right: 1rem; }
  header { padding-top: 1.3rem; }
  h1 { font-size: 1.5rem; }
  .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .6rem 1rem; }
  .bar { width: 6rem; }
  .facts dd { font-size: .93rem; }
  th, td { padding-right: .7rem; }
}
@page { margin: 16mm 15mm; }
@media print {
  body { font-size: 10pt; }
  header, main, footer { max-width: none; padding: 0; }
  nav, #try, .live { display: none; }
  section { margin-top: 1.6rem; }
  h2, h3, .caption { break-after: avoid; }
  p { orphans: 3; widows: 3; }
  figure, .table, pre, .verdict, .facts > div { break-inside: avoid; }
  thead { display: table-header-group; }
  .beside { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .8rem 1.2rem; }
  .scroll { overflow: visible; }
  .verdict, pre { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  a { color: inherit; text-decoration: none; }
}
"""
