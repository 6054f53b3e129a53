"""MathJax from an installed package, so that formulas need no network either.

Of the package `sphinx-mathjax-offline` only the two parts are copied that the pages load.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.fileutil import copy_asset

PACKAGE = "sphinx-mathjax-offline"
SCRIPT = "tex-chtml.js"
FONTS = "output/chtml/fonts"


def source() -> Path:
    """Where the package keeps MathJax."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise RuntimeError(f"{PACKAGE} is not installed: pip install 'sparsebayes[docs]'")
    return Path(spec.origin).parent / "static" / "mathjax"


def copy(app: Sphinx, failed: Exception | None) -> None:
    """The script and its fonts, beside the pages."""
    if failed is None and app.builder.format == "html":
        target = Path(app.outdir) / "_static" / "mathjax"
        copy_asset(source() / SCRIPT, target)
        copy_asset(source() / FONTS, target / FONTS)


def setup(app: Sphinx) -> dict[str, bool]:
    """Let the pages load the copy."""
    app.config.mathjax_path = f"mathjax/{SCRIPT}"
    app.connect("build-finished", copy)
    return {"parallel_read_safe": True}
