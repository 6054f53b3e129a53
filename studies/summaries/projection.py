"""Summaries of the projection: by fidelity, beside "fast", and beside peers."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import geometric_mean

import numpy as np

from studies.beyond.report import FIDELITIES, gaps, ratios
from studies.data.samples import REGRESSION
from studies.framework import sets
from studies.framework.experiment import Table
from studies.framework.markdown import table_text
from studies.papers.t01_report import KINDS
from studies.summaries import Results, Summaries, found_in

DEFAULT = 10
# A loss up to this much above that of a Gaussian process counts as being as good.
AS_GOOD = 0.02
Found = Mapping[str, dict]


def summary(results: Results) -> str:
    """Error and vectors by fidelity, relative to "fast"."""
    found = found_in(results, "beyond-projection")
    rows = [
        [_called(fidelity), *_means(found, fidelity, ("error", "vectors"))]
        for fidelity in FIDELITIES
    ]
    fast = ['`inference="fast"`', "1", "1"]
    return table_text(Table(["`fidelity`", "error", "vectors"], [*rows, fast]))


def _called(fidelity: int) -> str:
    return f"{fidelity} (default)" if fidelity == DEFAULT else str(fidelity)


def _means(found: Found, fidelity: int, quantities: tuple[str, ...]) -> list[str]:
    """Geometric means over sets, relative to "fast"."""
    each = (ratios(found, quantity, f"p{fidelity}", "fast") for quantity in quantities)
    return [f"{geometric_mean(by_set.values()):.2f}" for by_set in each]


def against_fast(results: Results) -> str:
    """The projection beside "fast", its time, and how often error and loss are no higher."""
    found = found_in(results, "beyond-projection")
    header = ["`fidelity`", "error", "vectors", "time", "error no higher", "loss no higher"]
    rows = []
    for fidelity in FIDELITIES:
        kind = f"p{fidelity}"
        errors, losses = ratios(found, "error", kind, "fast"), gaps(found, "loss", kind, "fast")
        rows.append(
            [
                _called(fidelity),
                *_means(found, fidelity, ("error", "vectors", "seconds")),
                f"{sum(ratio <= 1 for ratio in errors.values())} of {len(errors)} sets",
                f"{sum(gap <= 0 for gap in losses.values())} of {len(losses)} sets",
            ]
        )
    return table_text(Table(header, rows))


def at_default(results: Results) -> str:
    """At the default fidelity, the sets on which "fast" is better, and the range of times."""
    found = found_in(results, "beyond-projection")
    kind = f"p{DEFAULT}"
    errors, losses = ratios(found, "error", kind, "fast"), gaps(found, "loss", kind, "fast")
    times = ratios(found, "seconds", kind, "fast").values()
    worse = [f"{name} ({100 * (ratio - 1):+.1f} %)" for name, ratio in errors.items() if ratio > 1]
    dearer = [f"{name} ({gap:+.3f})" for name, gap in losses.items() if gap > 0]
    return "\n".join(
        [
            f'- The error is higher than that of "fast" on {len(worse)} of {len(errors)} sets'
            + (f": {', '.join(worse)}." if worse else "."),
            f"- The loss is higher on {len(dearer)} of {len(losses)} sets"
            + (f": {', '.join(dearer)}." if dearer else "."),
            f"- A fit takes {min(times):.2f} to {max(times):.2f} times as long.",
        ]
    )


def against_peers(results: Results) -> str:
    """Loss beside a Gaussian process and an SVC, and what intervals hold, with "fast" beside it."""
    found = found_in(results, "beyond-calibration")
    columns = [_beside_peers(found, kind) for kind in ("projection", "fast")]
    names = [
        f"sets on which the loss is at most {AS_GOOD} above that of the Gaussian process",
        "the other sets",
        "sets of classes on which the log loss is at most that of the SVC",
        "test targets in 90 % intervals, regression sets",
    ]
    rows = [[name, *cells] for name, cells in zip(names, zip(*columns, strict=True), strict=True)]
    return table_text(Table(["", "projection", '"fast"'], rows))


def _beside_peers(found: Found, kind: str) -> list[str]:
    """The cells of one inference."""
    to_process, to_svc = (gaps(found, "loss", kind, peer) for peer in ("gp", "svc"))
    far = [f"{name} ({gap:+.3f})" for name, gap in to_process.items() if gap > AS_GOOD]
    names = [name for name in sets.names(found) if name in REGRESSION]
    held = [sets.mean(found, name, f"{kind}_coverage") for name in names]
    return [
        f"{len(to_process) - len(far)} of {len(to_process)}",
        ", ".join(far) or "none",
        f"{sum(gap <= 0 for gap in to_svc.values())} of {len(to_svc)}",
        f"{min(held):.1f} to {max(held):.1f} %",
    ]


def benchmarks(results: Results) -> str:
    """On how many sets of [T01] 4.4 the projection with linear columns is the best of ours."""
    found = found_in(results, "t01-benchmarks")
    names = sets.names(found)
    lowest = [name for name in names if _best_of_ours(found, name) == "best"]
    return (
        f"On the benchmark sets of [T01] the projection with `fidelity=10` and linear columns has "
        f"the lowest error of our models on {len(lowest)} of {len(names)} sets."
    )


def _best_of_ours(found: Found, name: str) -> str:
    errors = {kind: sets.mean(found, name, f"{kind}_error") for kind in KINDS if kind != "svm"}
    known = {kind: error for kind, error in errors.items() if error == error}
    return min(known, key=lambda kind: known[kind])


def widths(results: Results) -> str:
    """A width by the evidence of the dense model, beside one for "fast" by cross-validation."""
    found = found_in(results, "model-choice")
    names = sets.names(found)
    lower = [
        name
        for name in names
        if _chosen_error(found, name, "dense") < _chosen_error(found, name, "folds")
    ]
    return (
        f"With the width that its evidence chooses out of ten, the projection has a lower error "
        f'than "fast" with a width by 5-fold cross-validation on {len(lower)} of {len(names)} '
        "sets."
    )


def _chosen_error(found: Found, name: str, criterion: str) -> float:
    """The mean error, over draws, of the width with the highest score."""
    runs = [run[criterion] for run in sets.of_set(found, name).values()]
    return float(np.mean([run["error"][int(np.argmax(run["score"]))] for run in runs]))


TABLES: Summaries = {
    "projection-summary": (("beyond-projection",), summary),
    "projection-against-fast": (("beyond-projection",), against_fast),
    "projection-at-default": (("beyond-projection",), at_default),
    "projection-against-peers": (("beyond-calibration",), against_peers),
    "projection-benchmarks": (("t01-benchmarks",), benchmarks),
    "projection-widths": (("model-choice",), widths),
}
