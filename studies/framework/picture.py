"""Figures as SVG."""

from __future__ import annotations

import io
import re
from typing import Any

from studies.framework.experiment import Figure

STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "sparsebayes",
    "font.family": "sans-serif",
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.fontsize": 8.0,
}
NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def need_matplotlib() -> None:
    """An error that says what to install, unless it is installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "figures need matplotlib, which is not installed: pip install 'sparsebayes[plot]'."
        ) from error


def svg(figure: Figure, name: str) -> str:
    """The picture as an <svg> element whose ids begin with this name."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    written = io.StringIO()
    with rc_context(STYLE):
        canvas = Canvas(figsize=figure.size, layout="constrained")
        figure.draw(canvas)
        canvas.savefig(written, format="svg", metadata=NO_METADATA)
    text = written.getvalue()
    return _own_ids(text[text.index("<svg") :].strip(), name)


def _own_ids(text: str, name: str) -> str:
    """Put the name before each id and each mention of one."""
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", text)
