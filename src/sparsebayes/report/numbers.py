"""How numbers are written, and the noise of a model in numbers."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.targets.target import Number

# Numbers between these are written without an exponent.
SMALLEST, LARGEST = 1e-4, 1e6
# Outputs whose noise is shown.
MOST_SHOWN = 6


def short(value: float, digits: int = 3) -> str:
    """A number to some significant digits; a whole number of up to six digits as it is."""
    value = float(value)
    if not math.isfinite(value) or (value.is_integer() and abs(value) < LARGEST):
        return f"{value:.0f}"
    if not SMALLEST <= abs(value) < LARGEST:
        return f"{value:.{digits - 1}e}"
    return _fixed(value, digits - 1 - _order(value, digits))


def to_its_scale(value: float, scale: float, most_places: int = 12) -> str:
    """A number to two digits of what it varies by, so that an offset does not hide the rest."""
    value, scale = float(value), float(scale)
    if not (math.isfinite(value) and 0.0 < scale < abs(value)):
        return short(value)
    places = 1 - _order(scale, 2)
    if not 0 <= places <= most_places or abs(value) >= 1e12:
        return short(value)
    return _fixed(value, places)


def percent(share: float) -> str:
    """A share in percent, to three significant digits and at most one after the point."""
    value = 100.0 * float(share)
    if not math.isfinite(value) or round(value, 6).is_integer():
        return f"{value:.0f} %"
    return f"{_fixed(value, min(1, 2 - _order(value)))} %"


def counted(number: int, noun: str) -> str:
    """A number and its noun, such as "1 row" and "2 rows"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def listed(texts: list[str], most: int = 5) -> str:
    """Texts in a row, such as "a, b and c" or "a, b and 7 more"."""
    shown = texts if len(texts) <= most else [*texts[: most - 1], f"{len(texts) - most + 1} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


class Measured(NamedTuple):
    """An estimate and its standard error."""

    value: float
    error: float

    def __str__(self) -> str:
        """The estimate and its error, with two digits of the error, such as "1.23 ± 0.15"."""
        largest = max(abs(self.value), self.error)
        if not (math.isfinite(self.value) and math.isfinite(self.error)) or not self.error:
            return short(self.value)
        if not SMALLEST <= largest < LARGEST or self.error < SMALLEST * largest:
            return f"{short(self.value)} ± {self.error:.1e}"
        places = 1 - _order(self.error, 2)
        return f"{_fixed(self.value, places)} ± {_fixed(self.error, places)}"

    @property
    def in_percent(self) -> str:
        """The estimate and its error in percent."""
        if not self.error or not math.isfinite(self.error):
            return percent(self.value)
        places = min(1, 1 - _order(100.0 * self.error, 2))
        return f"{_fixed(100.0 * self.value, places)} ± {_fixed(100.0 * self.error, places)} %"


def _order(value: float, digits: int = 3) -> int:
    """The power of ten of the first digit of a number that is rounded to some digits."""
    return int(f"{abs(value):.{digits - 1}e}".partition("e")[2])


def _fixed(value: float, places: int) -> str:
    """A number rounded to places after the point, or before it where places are negative."""
    return f"{round(value, places):.{max(0, places)}f}"


def noise_std_of(estimator: Any, rows: Any, number: Number) -> str | None:
    """Standard deviation of the noise at some rows; None for counts, which have no other noise."""
    if estimator._model.target.counts:
        return None
    std = np.sqrt(estimator._model.predictor.noise_variance(rows))
    low, high = std.min(axis=0), std.max(axis=0)
    if np.array_equal(low, high):
        return ", ".join(number(float(each)) for each in low[:MOST_SHOWN])
    return f"{number(float(low[0]))} to {number(float(high[0]))}"
