"""Summaries of learned scales: against cross-validation, on Friedman 1, and with noise inputs."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import geometric_mean, median

from studies.beyond.report import SCALES, ratios
from studies.beyond.scales import NOISE_INPUTS
from studies.framework import sets
from studies.framework.experiment import Table
from studies.framework.markdown import table_text
from studies.summaries import Results, Summaries, found_in

# An error up to this many times that of cross-validation counts as being as good.
AS_GOOD = 1.03
Found = Mapping[str, dict]


def summary(results: Results) -> str:
    """Error, vectors and time of each value of gamma, relative to cross-validation."""
    found = found_in(results, "beyond-scales")
    header = [
        "",
        "error",
        "vectors",
        f"sets with an error within {100 * (AS_GOOD - 1):.0f} %, or lower",
        "times faster",
    ]
    rows = [[_called(kind), *_relative(found, kind)] for kind in ("ard", "learn", "scale", "cv")]
    return table_text(Table(header, rows))


def _called(kind: str) -> str:
    return SCALES[kind] if kind == "cv" else f"`{SCALES[kind]}`"


def _relative(found: Found, kind: str) -> list[str]:
    """The cells of one value of gamma."""
    if kind == "cv":
        return ["1", "1", "", "1"]
    errors, vectors = (ratios(found, each, kind, "cv") for each in ("error", "vectors"))
    good = sum(ratio <= AS_GOOD for ratio in errors.values())
    faster = median(ratios(found, "seconds", "cv", kind).values())
    means = [f"{geometric_mean(each.values()):.2f}" for each in (errors, vectors)]
    return [*means, f"{good} of {len(errors)}", f"{faster:.0f}"]


def findings(results: Results) -> str:
    """What the table of sets says, set by set."""
    found = found_in(results, "beyond-scales")
    lines = [line for kind in ("ard", "learn") for line in _against_search(found, kind)]
    worst = [name for name in sets.names(found) if _highest_loss(found, name) == "scale"]
    lines.append(
        f'- `gamma="scale"` has the highest loss of the four on {len(worst)} of '
        f"{len(sets.names(found))} sets."
    )
    return "\n".join(lines)


def _against_search(found: Found, kind: str) -> list[str]:
    """Where a value of gamma is as good as cross-validation, and how much faster it is."""
    errors = ratios(found, "error", kind, "cv")
    above = {name: ratio for name, ratio in errors.items() if ratio > AS_GOOD}
    others = ", ".join(f"{name} ({100 * (ratio - 1):+.1f} %)" for name, ratio in above.items())
    faster = ratios(found, "seconds", "cv", kind).values()
    return [
        f"- {_called(kind)}: the error is at most {100 * (AS_GOOD - 1):.0f} % above that of "
        f"cross-validation on {len(errors) - len(above)} of {len(errors)} sets."
        + (f" The exceptions: {others}." if others else ""),
        f"- {_called(kind)} takes a fraction of the time: cross-validation takes "
        f"{median(faster):.1f} times as long in the median over sets "
        f"({min(faster):.1f} to {max(faster):.1f}).",
    ]


def _highest_loss(found: Found, name: str) -> str:
    return max(SCALES, key=lambda kind: sets.mean(found, name, f"{kind}_loss"))


def friedman(results: Results) -> str:
    """What learned scales are worth on Friedman 1."""
    found = found_in(results, "scales-friedman")

    def mean(kind: str, quantity: str) -> float:
        return sets.mean(found, "friedman1", f"{kind}_{quantity}")

    learned, linear = (mean("scale", "error") / mean(kind, "error") for kind in ("ard", "linear"))
    process = mean("linear", "error") / mean("gp", "error")
    fewer = mean("scale", "vectors") / mean("ard", "vectors")
    return "\n".join(
        [
            f"- With a learned scale for each input the error is {learned:.1f} times lower than "
            f'with `gamma="scale"`, and there are {fewer:.1f} times fewer vectors.',
            f"- With a second width and linear columns besides it is {linear:.1f} times lower. It "
            f"is then {process:.2f} times that of a Gaussian process, which keeps all rows.",
        ]
    )


def noise_inputs(results: Results) -> str:
    """What further inputs of pure noise do to the error, and what relevance they get."""
    runs = list(found_in(results, "scales-noise-inputs").values())
    without, with_noise = (
        sum(run[key] for run in runs) / len(runs) for key in ("error", "noisy_error")
    )
    largest = max(run["relevance"] for run in runs)
    return (
        f"On Friedman 1, {NOISE_INPUTS} further inputs of pure noise take the error from "
        f"{without:.3f} to {with_noise:.3f} (means over {len(runs)} draws). The largest relevance "
        f"of any noise input was {100 * largest:.2g} % of that of the strongest input."
    )


TABLES: Summaries = {
    "scales-summary": (("beyond-scales",), summary),
    "scales-findings": (("beyond-scales",), findings),
    "scales-friedman-findings": (("scales-friedman",), friedman),
    "scales-noise-inputs-summary": (("scales-noise-inputs",), noise_inputs),
}
