"""What a reader needs to make the page again: parameters and versions."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Any

import numpy as np

from sparsebayes.report.findings import Findings
from sparsebayes.report.markup import Html, clipped, facts, joined, paragraph

PACKAGES = ("numpy", "scipy", "scikit-learn", "matplotlib")


def closing(found: Findings) -> Html:
    """The foot of the page."""
    from sparsebayes import __version__

    parameters = found.given.estimator.get_params(deep=False)
    rows = [(name, written(value)) for name, value in sorted(parameters.items())]
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    parts = joined(
        [
            Html("<h2>Parameters of the estimator</h2>"),
            facts(rows),
            paragraph(
                f"sparsebayes {__version__}, {versions}, Python {platform.python_version()}.",
                "The same model and rows give the same page.",
                kind="quiet",
            ),
        ]
    )
    return Html(f"<footer><div>{parts}</div></footer>")


def written(value: Any) -> str:
    """A parameter, without what differs from run to run."""
    if callable(value) and hasattr(value, "__name__"):
        return f"the function {value.__name__}"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    return clipped(repr(value), 120)
