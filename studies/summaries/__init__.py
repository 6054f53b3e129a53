"""Short tables and sentences of README and docs, each computed from stored results.

A module for each theme. Its `TABLES` has, by the name in a marker, the studies that are needed and
the function that writes the text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from studies.framework.packed import Packed

Results = Mapping[str, Packed]
Summaries = dict[str, tuple[tuple[str, ...], Callable[[Results], str]]]


def found_in(results: Results, study: str) -> dict[str, dict]:
    """What a study found, by the key of its tasks."""
    return results[study].results.results
