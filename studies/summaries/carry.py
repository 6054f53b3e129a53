"""Short tables on models elsewhere: firmware, web pages, files, databases, agreement."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from studies.carry.embedded import MEGAHERTZ
from studies.carry.files import STARTED
from studies.carry.web import table_of
from studies.framework.experiment import Table
from studies.framework.markdown import table_text
from studies.summaries import Results, Summaries, found_in

PRECISIONS = ("float", "double")
QUANTITIES = ("flash", "stack", "instructions")


def firmware(results: Results) -> str:
    """Bytes and instructions of each function of a header, in both precisions."""
    found: dict[tuple[str, str], dict[str, dict]] = {}
    for one in found_in(results, "carry-embedded").values():
        found.setdefault((_model(one), one["function"]), {})[one["precision"]] = one
    columns = [(precision, quantity) for precision in PRECISIONS for quantity in QUANTITIES]
    rows = [
        [model, f"`model_{name}`", *(_number(by, *each) for each in columns)]
        for (model, name), by in found.items()
    ]
    header = ["model", "function", *(f"{precision}: {each}" for precision, each in columns)]
    return table_text(Table(header, rows))


def _model(one: Mapping) -> str:
    """What a function reads: covering rows only where it has error bars."""
    covering = one["covering"] and one["function"] in ("predict_std", "predict_proba")
    more = f", {one['covering_rows']} covering rows" if covering else ""
    return f"{one['estimator']}, {one['vectors']} vectors{more}"


def _number(by: dict[str, dict], precision: str, quantity: str) -> str:
    value = by.get(precision, {}).get(quantity)
    return "-" if value is None else f"{value:,.0f}".replace(",", " ")


def firmware_where(results: Results) -> str:
    """What firmware was measured with, and how exact it is, in two lines."""
    found = list(found_in(results, "carry-embedded").values())
    tools = ", ".join(f"{tool} {number}" for tool, number in found[0]["versions"].items())
    worst = {
        precision: max(one["error"] for one in found if one["precision"] == precision)
        for precision in PRECISIONS
    }
    return (
        f"- Measured on a {found[0]['target']} with {tools}, `gcc -Os`. At {MEGAHERTZ:.0f} MHz "
        f"and one instruction for each cycle, {MEGAHERTZ:.0f} instructions take a microsecond.\n"
        f"- The largest error is {worst['double']:.0e} in double precision and "
        f"{worst['float']:.0e} in single precision, relative to the standard deviation, or in a "
        "probability."
    )


def web(results: Results) -> str:
    """What modules of JavaScript cost."""
    return table_text(table_of(dict(found_in(results, "carry-web"))))


def starts(results: Results) -> str:
    """How long the first prediction of a new process takes, and how large files are."""
    found = found_in(results, "carry-start")
    lines = []
    for key, one in found.items():
        ours, theirs = (
            one["milliseconds"][name][1] for name in ("sparsebayes.load", "joblib.load")
        )
        sizes = [one["bytes"][name] / 1e3 for name in ("sparsebayes.load", "joblib.load")]
        lines.append(
            f"- `{STARTED[int(key)]}`: {ours:.0f} ms with `sparsebayes.load`, {theirs:.0f} ms with "
            f"`joblib.load`; files of {sizes[0]:.0f} and {sizes[1]:.0f} kB."
        )
    return "\n".join(lines)


def damage(results: Results) -> str:
    """How many damaged files were refused."""
    found = found_in(results, "carry-damage").values()
    files, same, refused = (
        sum(one[name] for one in found) for name in ("files", "same", "refused")
    )
    return f"Of {files - same} damaged files, {refused} were refused with a `ModelFileError`."


def agreement(results: Results) -> str:
    """By way: the usual and the largest gap over all kinds of models, and how many are refused."""
    found = list(found_in(results, "carry-agreement").values())
    rows = []
    for way in found[0]:
        gaps = [one[way] for one in found if one[way] is not None]
        measure = "in standard deviations, or a probability" if "float" in way else "relative"
        shown = [f"{value:.0e}" for value in (median(gaps), max(gaps))]
        rows.append([way, measure, *shown, f"{len(found) - len(gaps)} of {len(found)}"])
    header = ["way", "difference", "median", "largest", "kinds of model that are refused"]
    return table_text(Table(header, rows))


def databases(results: Results) -> str:
    """Rows for each second in databases, beside `predict`."""
    rows = [
        [
            one["name"],
            f"{one['vectors']} and {one['covering']}",
            *(_rounded(one[way]) for way in ("predict", "duckdb 1", "duckdb all", "sqlite")),
        ]
        for one in found_in(results, "carry-database").values()
    ]
    header = ["model and columns", "vectors and covering rows", "`predict`"]
    return table_text(Table([*header, "DuckDB, one thread", "DuckDB, all", "SQLite"], rows))


def _rounded(rows_per_second: float | None) -> str:
    """A number with two digits that count."""
    if rows_per_second is None:
        return "-"
    return f"{float(f'{rows_per_second:.1e}'):,.0f}".replace(",", " ")


TABLES: Summaries = {
    "carry-firmware": (("carry-embedded",), firmware),
    "carry-firmware-where": (("carry-embedded",), firmware_where),
    "carry-web": (("carry-web",), web),
    "carry-starts": (("carry-start",), starts),
    "carry-damaged": (("carry-damage",), damage),
    "carry-exactly": (("carry-agreement",), agreement),
    "carry-rates": (("carry-database",), databases),
}
