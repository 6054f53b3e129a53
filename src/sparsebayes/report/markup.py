"""HTML, in which every text is escaped unless it is HTML already."""

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
