"""Short tables on inferences: where "fast" ends, prices of columns, the variational posterior."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median

import numpy as np

from studies.beyond import gibbs, model_choice, offset
from studies.framework import sets
from studies.framework.experiment import Table
from studies.framework.markdown import table_text
from studies.speed.optimum import PRICED
from studies.summaries import Results, Summaries, found_in

# By how much the log evidence may be lower and count as reached.
REACHED = 0.5


def optimum(results: Results) -> str:
    """Where "fast" ends for each price of a column, against full MacKay re-estimation."""
    found = found_in(results, "speed-optimum")
    cases = [row for result in found.values() for row in result["rows"]]
    rows = [_against_mackay(cases, name) for name in ("fast", *PRICED)]
    header = [f'against `inference="mackay"`, {len(cases)} cases', "evidence reached"]
    header += ["difference of log evidence, mean", "ratio of test errors", "ratio of columns"]
    return table_text(Table([*header, "times faster, median"], rows))


def _against_mackay(cases: list[dict], method: str) -> list[str]:
    pairs = [(case[method], case["mackay"]) for case in cases]
    gaps = np.array([ours["evidence"] - theirs["evidence"] for ours, theirs in pairs])
    errors = [np.log(ours["error"] / theirs["error"]) for ours, theirs in pairs]
    columns = [ours["columns"] / max(1, theirs["columns"]) for ours, theirs in pairs]
    faster = [theirs["seconds"] / ours["seconds"] for ours, theirs in pairs]
    return [
        "`min_gain=0`" if method == "fast" else f"`{method}`",
        f"{np.mean(gaps >= -REACHED):.0%}",
        f"{gaps.mean():+.2f}",
        f"{np.exp(np.mean(errors)):.2f}",
        f"{np.mean(columns):.2f}",
        f"{median(faster):.1f}",
    ]


def mean_of_targets(results: Results) -> str:
    """The error of each way to treat the mean of y, by set."""
    found = found_in(results, "offset")
    names = sets.names(found)
    rows = [
        [title, *(f"{sets.mean(found, name, f'{kind}_error'):.3g}" for name in names)]
        for kind, title in offset.KINDS.items()
    ]
    return table_text(Table(["squared error / variance of y", *names], rows))


def widths(results: Results) -> str:
    """Error of the width that each criterion chooses, relative to the best width, and seconds."""
    found = found_in(results, "model-choice")
    groups = {
        title.partition(" (")[0]: list(own.values())
        for name, title in model_choice.SETS.items()
        if (own := sets.of_set(found, name))
    }
    rows = [
        [title, *(_chosen(runs, criterion) for runs in groups.values())]
        for criterion, title in model_choice.CRITERIA.items()
    ]
    return table_text(Table(["width by", *groups], rows))


def _chosen(runs: list[dict], criterion: str) -> str:
    """Relative to the width that is best on average, and the seconds for all widths."""
    errors = np.array([run[criterion]["error"] for run in runs])
    best = [int(np.argmax(run[criterion]["score"])) for run in runs]
    error = errors[np.arange(len(runs)), best].mean() / errors.mean(axis=0).min()
    return f"{error:.2f} ({median(run[criterion]['seconds'] for run in runs):.1f} s)"


def sampled(results: Results) -> str:
    """How far the variational posterior is from a sampled one, for needed and other weights."""
    found = found_in(results, "gibbs")
    rows = [
        [f"{kind}, Gamma({hyperprior:g}, {hyperprior:g})", what, *_beside(own)]
        for kind in gibbs.KINDS
        for hyperprior in gibbs.HYPERPRIORS
        for what, own in _weights(found[f"{kind}-{hyperprior:g}"]["rows"]).items()
    ]
    header = ["targets and hyperprior", "of", "largest gap of means", "ratio of std"]
    return table_text(Table(header, rows))


def _weights(rows: list[dict]) -> dict[str, list[dict]]:
    """Weights that are not zero, and the noise if there is one; and weights that are zero."""
    needed = [row for row, weight in zip(rows, gibbs.WEIGHTS, strict=False) if weight]
    zero = [row for row, weight in zip(rows, gibbs.WEIGHTS, strict=False) if not weight]
    noise = rows[len(gibbs.WEIGHTS) :]
    parts = {"weights that are not 0": needed, "weights that are 0": zero, "the noise": noise}
    return {what: own for what, own in parts.items() if own}


def _beside(rows: Iterable[Mapping]) -> list[str]:
    """Gap of means in sampled standard deviations, and variational stds over sampled ones."""
    rows = list(rows)
    gaps = [abs(row["mean"] - row["sampled_mean"]) / row["sampled_std"] for row in rows]
    ratios = [row["std"] / row["sampled_std"] for row in rows]
    ends = dict.fromkeys(f"{each(ratios):.2f}" for each in (min, max))
    return [f"{max(gaps):.2f} std", " to ".join(ends)]


def times(results: Results) -> str:
    """Seconds and steps of variational fits by number of rows, beside those of "fast"."""
    groups = sets.pooled(found_in(results, "speed-variational"), ["set", "width"])
    sizes = sorted({row["n"] for group in groups.values() for row in group})
    rows = [
        [f"{name}, width {width:g}", *(_time(group, size) for size in sizes)]
        for (name, width), group in groups.items()
    ]
    return table_text(
        Table(['seconds (steps); seconds of "fast"', *(f"{n} rows" for n in sizes)], rows)
    )


def _time(group: list[dict], size: int) -> str:
    row = next((one for one in group if one["n"] == size), None)
    if row is None:
        return "-"
    return f"{row['seconds']:.2g} ({row['steps']}); {row['fast_seconds']:.2g}"


TABLES: Summaries = {
    "inference-optimum": (("speed-optimum",), optimum),
    "inference-mean-of-targets": (("offset",), mean_of_targets),
    "variational-widths": (("model-choice",), widths),
    "variational-sampled": (("gibbs",), sampled),
    "variational-times": (("speed-variational",), times),
}
