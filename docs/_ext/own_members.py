"""The reference leaves out what estimators have from scikit-learn, whose own docs explain it."""

from __future__ import annotations

from inspect import unwrap
from typing import Any

from sphinx.application import Sphinx


def skip(
    app: Sphinx, kind: str, name: str, member: Any, skipped: bool, options: Any
) -> bool | None:
    """True for methods that are written in another package."""
    function = getattr(member, "fget", None) or member
    home = getattr(unwrap(function), "__module__", None) or ""
    return True if home and not home.startswith("sparsebayes") else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Ask before each member."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-skip-member", skip)
    return {"parallel_read_safe": True}
