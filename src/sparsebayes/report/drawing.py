"""Pictures as SVG that can stand in a page: no styles of their own, no names that clash."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any
from xml.etree import ElementTree

from sparsebayes.report.markup import Html, escaped

STYLE: dict[str, Any] = {
    # Text stays text, so that pages are small and can be searched; a name with $ is no formula.
    "svg.fonttype": "none",
    "svg.hashsalt": "sparsebayes",
    "text.parse_math": False,
    "font.size": 9.5,
    "axes.labelsize": 9.5,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.edgecolor": "0.35",
    "axes.labelcolor": "0.1",
    "xtick.color": "0.25",
    "ytick.color": "0.25",
    "axes.formatter.limits": (-4, 5),
    "axes.formatter.useoffset": False,
    "path.simplify_threshold": 0.2,
}
SIZE = (4.5, 3.3)
# Of an SVG, in an inch.
POINTS = 72.0
DARK, ACCENT, BAND, FAINT = "#17365d", "#b4431f", "#9db8d6", "#8a8a8a"
# Styles of lines, so that they are told apart without colours.
LINES = ("-", "--", ":", "-.")
COLOURS = (DARK, ACCENT, "#3d7a3d", "#6b4c8a")
# Names of a legend that stand in one line.
MOST_LETTERS = 36
NUMBER = re.compile(r"-?\d+\.\d{3,}")
REFERENCE = re.compile(r"#([\w.-]+)")
FONT = re.compile(r"font: (?:\S+ )*?([\d.]+px) [^;]*|font-family: [^;]*;? ?")


def pictures(
    key: str, labels: Sequence[str], draw: Callable[..., None], size: tuple[float, float] = SIZE
) -> list[Html]:
    """A picture for each label.

    Parameters
    ----------
    key : begins all names within them; no other picture of the page may have it
    labels : what each shows, in words
    draw : takes one axes for each label
    size : width and height in inches
    """
    try:
        from matplotlib import style
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(
            "a report needs matplotlib, which is not installed: pip install 'sparsebayes[plot]'."
        ) from error
    with style.context(STYLE, after_reset=True), warnings.catch_warnings():
        # The reader's fonts count, not those that are installed here.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        axes = [Figure(figsize=size, layout="constrained").subplots() for _ in labels]
        draw(*axes)
        drawn = [(_svg(each.figure), _frame(each)) for each in axes]
    return [_for_page(*each, f"{key}{k}", labels[k]) for k, each in enumerate(drawn)]


def picture(
    key: str, label: str, draw: Callable[[Any], None], size: tuple[float, float] = SIZE
) -> Html:
    """One picture; see `pictures`."""
    return pictures(key, [label], draw, size)[0]


def legend_above(ax: Any) -> None:
    """A legend that hides nothing."""
    handles, names = ax.get_legend_handles_labels()
    columns = len(names) if sum(map(len, names)) <= MOST_LETTERS else 2
    ax.figure.legend(handles, names, loc="outside upper center", ncols=columns)


def _svg(figure: Any) -> str:
    file = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(file, format="svg", metadata=nothing, transparent=True)
    return file.getvalue()


def _frame(ax: Any) -> str:
    """Where the axes are in an SVG that was drawn, left, top, width and height, and their ends."""
    width, height = (POINTS * each for each in ax.figure.get_size_inches())
    box = ax.get_position()
    place = (width * box.x0, height * (1.0 - box.y1), width * box.width, height * box.height)
    ends = (*ax.get_xlim(), *ax.get_ylim())
    return " ".join([*(f"{each:.2f}" for each in place), *(f"{each:.9g}" for each in ends)])


def _for_page(svg: str, frame: str, key: str, label: str) -> Html:
    """An SVG file as an element of a page."""
    root = ElementTree.fromstring(svg)
    values = [value for each in root.iter() for value in each.attrib.values()]
    used = {name for value in values for name in REFERENCE.findall(value)}
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag.endswith(("}metadata", "}style")):
                parent.remove(child)
    for each in root.iter():
        each.tag = each.tag.rpartition("}")[2]
        each.attrib = _attributes(each, key, used)
        each.tail = None
        if each.tag not in ("text", "tspan"):
            each.text = None
    box = root.attrib["viewBox"]
    inside = "".join(ElementTree.tostring(each, encoding="unicode") for each in root)
    return Html(
        f'<svg viewBox="{box}" data-frame="{frame}" role="img" aria-label="{escaped(label)}" '
        f'preserveAspectRatio="xMidYMid meet">{inside}</svg>'
    )


def _attributes(element: ElementTree.Element, key: str, used: set[str]) -> dict[str, str]:
    """The attributes of an element, with numbers rounded and names that begin with the key."""
    found = {}
    for name, value in element.attrib.items():
        name = name.rpartition("}")[2]
        if name == "id":
            if value in used:
                found[name] = f"{key}-{value}"
            continue
        if name == "href" or value.startswith("url(#"):
            value = value.replace("#", f"#{key}-", 1)
        elif name == "style":
            value = FONT.sub(lambda m: f"font-size: {m[1]}" if m[1] else "", value)
        value = NUMBER.sub(lambda m: f"{float(m[0]):.2f}", value)
        found[name] = " ".join(value.split())
    return found
