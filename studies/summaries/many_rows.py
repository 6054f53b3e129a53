"""Short tables on many rows: what the largest fits cost, and what other methods do with them."""

from __future__ import annotations

from collections.abc import Mapping

from studies.framework.experiment import Table
from studies.framework.markdown import table_text
from studies.summaries import Results, Summaries, found_in

# Fewer rows than this are in the long tables only.
MANY = 1_000_000
MILLION = 1e6


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def cost(results: Results) -> str:
    """Seconds and memory of the fits of a million rows and more."""
    found = found_in(results, "large-rows").values()
    rows = [
        [
            f"{one['kind']}, {one['centres']}",
            _grouped(one["n"]),
            f"{one['seconds']:.0f}",
            f"{one['megabytes']:.0f}",
            f"{one['error']:.3f}",
            str(one["vectors"]),
        ]
        for one in sorted(found, key=lambda one: one["n"])
        if one["n"] >= MANY
    ]
    header = ["function, centres", "rows", "seconds", "MB beyond the data"]
    return table_text(Table([*header, "error of the function", "vectors"], rows))


def straight_line(results: Results) -> str:
    """The seconds of most rows beside those by a line through the two sizes before."""
    groups: dict[tuple, list[dict]] = {}
    for one in found_in(results, "large-rows").values():
        groups.setdefault((one["kind"], one["centres"]), []).append(one)
    rows = [[kind, str(centres), *_line(own)] for (kind, centres), own in groups.items()]
    header = ["function", "centres", "rows", "a further million rows, seconds"]
    return table_text(Table([*header, "by that line, seconds", "measured, seconds"], rows))


def _line(fits: list[dict]) -> list[str]:
    """The row of the largest of three sizes."""
    first, second, last = sorted(fits, key=lambda one: one["n"])[-3:]
    slope = (second["seconds"] - first["seconds"]) / (second["n"] - first["n"])
    expected = second["seconds"] + slope * (last["n"] - second["n"])
    seconds = [f"{MILLION * slope:.1f}", f"{expected:.0f}", f"{last['seconds']:.0f}"]
    return [_grouped(last["n"]), *seconds]


def peers(results: Results) -> str:
    """Seconds, error and size of all methods that were given a million rows."""
    largest = [one for one in found_in(results, "large-peers").values() if one["n"] >= MANY]
    kinds = list(dict.fromkeys(one["kind"] for one in largest))
    header = ["method"]
    for kind in kinds:
        header += [f"{kind}: seconds", "error of the function", "numbers in the model"]
    rows = []
    for name in dict.fromkeys(one["name"] for one in largest):
        by_kind = {one["kind"]: one for one in largest if one["name"] == name}
        rows.append([f"`{name}`" if name == "RVR()" else name])
        rows[-1] += [cell for kind in kinds for cell in _peer(by_kind, kind)]
    return table_text(Table(header, rows))


def _peer(by_kind: Mapping[str, dict], kind: str) -> list[str]:
    if kind not in by_kind:
        return ["-", "-", "-"]
    one = by_kind[kind]
    return [f"{one['seconds']:.0f}", f"{one['error']:.3f}", _grouped(one["numbers"])]


TABLES: Summaries = {
    "many-rows-cost": (("large-rows",), cost),
    "many-rows-straight-line": (("large-rows",), straight_line),
    "many-rows-peers": (("large-peers",), peers),
}
