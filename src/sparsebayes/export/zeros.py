"""Tables without their zeros: a loop goes round the numbers between the first and the last."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# A loop has bounds of its own if they leave out this share of a table, less tables of bounds.
WORTH = 0.25


@dataclass(frozen=True)
class Span:
    """What is left of a table (..., n, m), row after row.

    Parameters
    ----------
    values : the numbers that are kept
    first, end : the bounds of the last axis. As texts they are of {at}, the place along the axis
        before it. As tables they have a number for each row, and the text is ""
    """

    values: np.ndarray
    first: str | np.ndarray
    end: str | np.ndarray


def span(values: np.ndarray) -> Span | None:
    """The bounds that leave out the most zeros; None where it is not worth it."""
    found = max([_from(values), _until(values), _by_rows(values)], key=lambda each: each[0])
    return found[1] if found[0] >= WORTH * values.size else None


def _from(values: np.ndarray) -> tuple[int, Span]:
    """The last axis begins at a distance from the axis before it."""
    n, m = values.shape[-2:]
    rows, columns = np.nonzero(values.reshape(-1, n, m).any(axis=0))
    least = int(np.min(columns - rows, initial=m))
    kept = np.arange(m) >= np.arange(n)[:, None] + least
    first = f"{{at}} > {-least} ? {{at}} - {-least} : 0" if least < 0 else "{at}"
    return _span(values, kept, first + f" + {least}" * (least > 0), str(m))


def _until(values: np.ndarray) -> tuple[int, Span]:
    """The last axis ends at a distance from the axis before it."""
    n, m = values.shape[-2:]
    rows, columns = np.nonzero(values.reshape(-1, n, m).any(axis=0))
    most = int(np.max(columns - rows, initial=-n)) + 1
    kept = np.arange(m) < np.arange(n)[:, None] + most
    end = f"{{at}} + {most}" if most >= 0 else f"{{at}} - {-most}"
    return _span(values, kept, "0", end if n - 1 + most <= m else f"({end} < {m} ? {end} : {m})")


def _by_rows(values: np.ndarray) -> tuple[int, Span]:
    """Each row has bounds, in tables."""
    m = values.shape[-1]
    rows = values.reshape(-1, m) != 0.0
    first = np.where(rows.any(axis=1), rows.argmax(axis=1), 0)
    end = np.where(rows.any(axis=1), m - rows[:, ::-1].argmax(axis=1), 0)
    places = np.arange(m)
    kept = ((places >= first[:, None]) & (places < end[:, None])).reshape(values.shape)
    left_out, found = _span(values, kept, "", "")
    return left_out - len(rows), Span(found.values, first, end)


def _span(values: np.ndarray, kept: np.ndarray, first: str, end: str) -> tuple[int, Span]:
    found = values[np.broadcast_to(kept, values.shape)]
    return values.size - found.size, Span(found, first, end)
