"""How JavaScript is written: numbers, tables, and texts that nothing in them can end."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from sparsebayes.export.loops import in_lines
from sparsebayes.model import NotPortableError

# The largest whole number up to which a number of JavaScript tells all from one another.
MOST_SAFE = 2**53 - 1


def number(value: float) -> str:
    """A constant that is read back as the same number."""
    if np.isinf(value):
        return "-Infinity" if value < 0 else "Infinity"
    return repr(float(value))


def table(name: str, values: np.ndarray) -> str:
    """A constant array, of numbers or of whole ones."""
    whole = values.dtype.kind in "iu"
    kind = "Uint32Array" if whole else "Float64Array"
    shown = [str(each) if whole else number(each) for each in values.ravel().tolist()]
    return array(f"const {name} = new {kind}(", shown, ");")


def array(before: str, shown: list[str], after: str) -> str:
    """An array of literals."""
    return "\n".join([f"{before}[", *(in_lines(shown) if shown else []), f"]{after}"])


def text(value: Any) -> str:
    """JSON of plain ASCII, which can end no comment, no string and no script of a page."""
    return json.dumps(value).replace("*", "\\u002a").replace("<", "\\u003c").replace("/", "\\u002f")


def label(value: Any) -> str:
    """The label of a class as a literal."""
    if isinstance(value, int) and abs(value) > MOST_SAFE:
        return f"{value}n"
    if isinstance(value, float):
        return "NaN" if np.isnan(value) else number(value)
    if isinstance(value, (bool, int, str)):
        return text(value)
    raise NotPortableError(
        f"the class {value!r} is a {type(value).__name__}, which has no literal in JavaScript. Fit "
        "the classifier to texts, numbers or booleans."
    )
