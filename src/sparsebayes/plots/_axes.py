"""What displays draw on."""

from __future__ import annotations

from typing import Any


def axes_or_new(ax: Any) -> Any:
    """The axes to draw on; new ones by default."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            "plots need matplotlib, which is not installed: pip install 'sparsebayes[plot]'."
        ) from error
    return pyplot.subplots()[1] if ax is None else ax
