"""Summaries of three and more classes against peers, and of several outputs."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from studies.beyond.classes import METHODS
from studies.beyond.report import ratios
from studies.framework import sets
from studies.framework.experiment import Table
from studies.framework.markdown import table_text
from studies.framework.verdict import share_error
from studies.papers.t01_benchmarks import ROWS
from studies.summaries import Results, Summaries, found_in

# An error up to this many times that of the support vector machine counts as being as good.
AS_GOOD = 1.1
Found = Mapping[str, dict]


def summary(results: Results) -> str:
    """A row for each method: how often its log loss is the lowest, and medians over sets."""
    found = found_in(results, "classes")
    best = [_lowest(found, name) for name in sets.names(found)]
    header = [
        "",
        f"lowest log loss, of {len(best)} sets",
        *(f"median {each}" for each in ("log loss", "error, %", "vectors", "seconds")),
    ]
    rows = []
    for kind, title in METHODS.items():
        quantities = ("loss", "error", "vectors", "seconds")
        cells = [_median(found, f"{kind}_{quantity}") for quantity in quantities]
        rows.append([f"`{title}`" if "RVC" in title else title, str(best.count(kind)), *cells])
    return table_text(Table(header, rows))


def _median(found: Found, quantity: str) -> str:
    """The median over sets of the means over draws; a dash where there is none."""
    means = [sets.mean(found, name, quantity) for name in sets.names(found)]
    known = [mean for mean in means if mean == mean]
    return f"{median(known):.3g}" if known else "-"


def _losses(found: Found, name: str) -> dict[str, float]:
    losses = {kind: sets.mean(found, name, f"{kind}_loss") for kind in METHODS}
    return {kind: loss for kind, loss in losses.items() if loss == loss}


def _lowest(found: Found, name: str) -> str:
    """The method with the lowest log loss on a set."""
    losses = _losses(found, name)
    return min(losses, key=lambda kind: losses[kind])


def findings(results: Results) -> str:
    """Where the default has the lowest log loss; its error, size and time beside others."""
    found = found_in(results, "classes")
    return "\n".join([_by_loss(found), _by_error(found), _by_size(found), _by_time(found)])


def _by_loss(found: Found) -> str:
    best = {name: _lowest(found, name) for name in sets.names(found)}
    ours = [name for name, kind in best.items() if kind == "default"]
    others = []
    for name, kind in best.items():
        if kind != "default":
            losses = _losses(found, name)
            above = 100 * (losses["default"] / losses[kind] - 1)
            others.append(f"{name} ({METHODS[kind]}, `RVC()` is {above:.0f} % above)")
    text = f"- `RVC()` has the lowest log loss on {len(ours)} of {len(best)} sets"
    text += f": {', '.join(ours)}." if ours else "."
    return text + (f" Another method is better on {', '.join(others)}." if others else "")


def _by_error(found: Found) -> str:
    errors = ratios(found, "error", "default", "svc")
    above = [f"{name} ({ratio:.2f} times)" for name, ratio in errors.items() if ratio > AS_GOOD]
    text = (
        f"- Its error is at most {100 * (AS_GOOD - 1):.0f} % above that of the support vector "
        f"machine on {len(errors) - len(above)} of {len(errors)} sets."
    )
    return text + (f" The exceptions: {', '.join(above)}." if above else "")


def _by_size(found: Found) -> str:
    fewer = ratios(found, "vectors", "svc", "default").values()
    return f"- The support vector machine has {_range(fewer)} times as many vectors."


def _by_time(found: Found) -> str:
    svc, ovr = (ratios(found, "seconds", "default", peer).values() for peer in ("svc", "ovr"))
    return (
        f"- It takes {_range(svc)} times as long as the search for the support vector machine, and "
        f'{_range(ovr)} times as long as one class against the rest by `inference="fast"`.'
    )


def _range(values) -> str:
    return f"{min(values):.1f} to {max(values):.1f}"


def usps(results: Results) -> str:
    """The one-against-rest model of [T01] on U.S.P.S. here, beside what the paper has."""
    found = found_in(results, "t01-benchmarks")
    error, vectors = (sets.mean(found, "usps", f"rvm_{each}") for each in ("error", "vectors"))
    paper = next(row for row in ROWS if row.key == "usps")
    return (
        f"[T01] reports {paper.rvm_error} % and {paper.rvm_vectors} vectors for one class against "
        f"the rest. That model has {error:.1f} % and {vectors:.0f} vectors here, at one width "
        f"(study `t01-benchmarks`; a vector of several classes counts once for each). The "
        f"standard error of such a percentage is "
        f"{share_error(error, paper.n_test or 1):.1f} %."
    )


def outputs(results: Results) -> str:
    """What shared precisions save, over numbers of rows."""
    found = found_in(results, "outputs")
    error, fewer, faster = (
        ratios(found, quantity, *kinds).values()
        for quantity, kinds in (
            ("error", ("shared", "separate")),
            ("vectors", ("separate", "shared")),
            ("seconds", ("separate", "shared")),
        )
    )
    rows = sets.names(found)
    return (
        f"Three outputs that mix two functions, {rows[0]} to {rows[-1]} rows: shared vectors have "
        f"{min(error):.2f} to {max(error):.2f} times the error of separate ones. Separate models "
        f"keep {_range(fewer)} times as many distinct vectors, and take {_range(faster)} times as "
        "long."
    )


TABLES: Summaries = {
    "classes-summary": (("classes",), summary),
    "classes-findings": (("classes",), findings),
    "classes-usps-paper": (("t01-benchmarks",), usps),
    "outputs-summary": (("outputs",), outputs),
}
