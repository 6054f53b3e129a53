"""The reports of what is beyond the papers."""

from __future__ import annotations

from statistics import median

from studies.data.samples import REGRESSION
from studies.framework import sets
from studies.framework.experiment import (
    Block,
    Status,
    Table,
    Text,
    Verdict,
    cell,
)
from studies.framework.verdict import SKIPPED

INFERENCES = {"fast": "fast", "mackay": "mackay", "variational": "variational"}
SCALES = {
    "scale": 'gamma="scale"',
    "learn": 'gamma="learn"',
    "ard": 'gamma="ard"',
    "cv": "width by 5-fold CV",
}
FIDELITIES = (1, 3, 10, 30)
PROJECTIONS = {
    "fast": 'inference="fast"',
    **{f"p{fidelity}": f'"projection", fidelity={fidelity}' for fidelity in FIDELITIES},
}
PEERS = {
    "fast": "RVM, learned scales",
    "variational": "RVM, the same, variational",
    "projection": "RVM, the same, projection",
    "gp": "Gaussian process",
    "svc": "SVC, Platt",
}
UNITS = (
    "Errors: 10 RMS for sinc and MSE otherwise, to noise-free targets except for Boston; percent "
    "in classification. Loss: minus the mean log density of noisy test targets (standardised), or "
    "log loss. Inputs standardised; draws are ours; Pima is one split. Seconds depend on the "
    "machine and on what else it does."
)
NOTE = "Mean ± standard error over draws; one file of results for each set and draw."


def table(results, kinds: dict[str, str], columns: dict[str, str]) -> Table:
    """One row for each set and kind of model, one column for each quantity."""
    rows = []
    for name in sets.names(results):
        for kind, title in kinds.items():
            cells = [cell(sets.values(results, name, f"{kind}_{key}")) for key in columns]
            if any(each != "-" for each in cells):
                rows.append([name, title, *cells])
    return Table(["set", "model", *columns.values()], rows, NOTE)


def ratios(results, quantity: str, kind: str, other: str) -> dict[str, float]:
    """By set, the mean of one kind over that of another."""
    pairs = {
        name: (
            sets.mean(results, name, f"{kind}_{quantity}"),
            sets.mean(results, name, f"{other}_{quantity}"),
        )
        for name in sets.names(results)
    }
    return {name: a / b for name, (a, b) in pairs.items() if a == a and b == b and b != 0}


def on_all(claim: str, holds: dict[str, bool], shown: dict[str, str]) -> Verdict:
    """Reproduced if it holds on all sets; the others are named with what was found."""
    if not holds:
        return Verdict(claim, Status.SKIPPED, SKIPPED)
    failing = [f"{name} ({shown[name]})" for name, good in holds.items() if not good]
    why = f"on {len(holds) - len(failing)} of {len(holds)} sets"
    why += f"; not on {', '.join(failing)}" if failing else ""
    return Verdict(claim, Status.NOT if failing else Status.REPRODUCED, why)


def _percent(ratio: float) -> str:
    return f"{100 * (ratio - 1):+.1f} %"


def inference_report(results: dict[str, dict]) -> list[Block]:
    """Evidence, error, vectors and seconds of each inference."""
    columns = {"evidence": "log evidence", "error": "error", "vectors": "vectors", "loss": "loss"}
    errors = ratios(results, "error", "fast", "mackay")
    seconds = ratios(results, "seconds", "mackay", "fast")
    within = {name: ratio <= 1.03 for name, ratio in errors.items()}
    blocks: list[Block] = [Text(UNITS), table(results, INFERENCES, {**columns, "seconds": "s"})]
    blocks.append(
        on_all(
            "fast: error within 3 % of mackay's, or lower",
            within,
            {name: _percent(ratio) for name, ratio in errors.items()},
        )
    )
    blocks.append(
        on_all(
            "fast: less time than mackay",
            {name: ratio > 1 for name, ratio in seconds.items()},
            {name: f"{ratio:.1f} times" for name, ratio in seconds.items()},
        )
    )
    return blocks


def scales_report(results: dict[str, dict]) -> list[Block]:
    """Error, vectors, loss and seconds to a tuned model."""
    columns = {"error": "error", "vectors": "vectors", "loss": "loss", "seconds": "s"}
    blocks: list[Block] = [Text(UNITS), table(results, SCALES, columns)]
    for kind in ("learn", "ard"):
        errors = ratios(results, "error", kind, "cv")
        blocks.append(
            on_all(
                f'gamma="{kind}": error within 3 % of cross-validation, or lower',
                {name: ratio <= 1.03 for name, ratio in errors.items()},
                {name: _percent(ratio) for name, ratio in errors.items()},
            )
        )
        blocks.append(_speed(kind, ratios(results, "seconds", "cv", kind)))
    return blocks


def _speed(kind: str, factors: dict[str, float]) -> Verdict:
    """Ten times faster to a tuned model than eight widths in five folds, in the median."""
    claim = f'gamma="{kind}": ten times faster to a tuned model (median over sets)'
    if not factors:
        return Verdict(claim, Status.SKIPPED, SKIPPED)
    middle = median(factors.values())
    why = f"{middle:.1f} times ({min(factors.values()):.1f} to {max(factors.values()):.1f}); "
    why += "cross-validation takes eight widths in five folds"
    return Verdict(claim, Status.REPRODUCED if middle >= 10 else Status.NOT, why)


def gaps(results, quantity: str, kind: str, other: str) -> dict[str, float]:
    """By set, the mean of one kind minus that of another, where both have it."""
    pairs = {
        name: [sets.mean(results, name, f"{each}_{quantity}") for each in (kind, other)]
        for name in sets.names(results)
    }
    return {name: a - b for name, (a, b) in pairs.items() if a == a and b == b}


def small_gaps(claim: str, found: dict[str, float], most: float = 0.0) -> Verdict:
    """Whether all gaps are at most as large as a limit."""
    holds = {name: gap <= most for name, gap in found.items()}
    return on_all(claim, holds, {name: f"{gap:+.3f}" for name, gap in found.items()})


def projection_report(results: dict[str, dict]) -> list[Block]:
    """Error, vectors, loss and coverage by fidelity."""
    columns = {"error": "error", "vectors": "vectors", "loss": "loss"}
    columns |= {"coverage": "90 % coverage", "seconds": "s"}
    text = (
        "One scale per input is learned in all of these from the same dense model; "
        '`inference="fast"` then moves the scales with its vectors. Seeds from 100 on; the '
        "default fidelity, 10, was chosen on others."
    )
    against_fast = [one for kind in ("p3", "p10") for one in _against_fast(results, kind)]
    return [Text(UNITS), Text(text), table(results, PROJECTIONS, columns), *against_fast]


def _against_fast(results, kind: str) -> list[Verdict]:
    """Error and loss of a projection against those of "fast"."""
    errors = ratios(results, "error", kind, "fast")
    return [
        on_all(
            f"{PROJECTIONS[kind]}: error at most that of fast",
            {name: ratio <= 1 for name, ratio in errors.items()},
            {name: _percent(ratio) for name, ratio in errors.items()},
        ),
        small_gaps(
            f"{PROJECTIONS[kind]}: loss at most that of fast", gaps(results, "loss", kind, "fast")
        ),
    ]


def _calibrated(results, kind: str) -> list[Block]:
    """Loss against the Gaussian process and the SVC, and coverage."""
    coverage = {
        name: sets.mean(results, name, f"{kind}_coverage")
        for name in sets.names(results)
        if name in REGRESSION
    }
    return [
        on_all(
            f"{PEERS[kind]}: 90 % intervals hold 85 to 95 % of noisy test targets",
            {name: 85 <= value <= 95 for name, value in coverage.items()},
            {name: f"{value:.1f} %" for name, value in coverage.items()},
        ),
        small_gaps(
            f"{PEERS[kind]}: loss at most 0.02 above that of a Gaussian process",
            gaps(results, "loss", kind, "gp"),
            0.02,
        ),
        small_gaps(
            f"{PEERS[kind]}: log loss at most that of an SVC with Platt's probabilities",
            gaps(results, "loss", kind, "svc"),
        ),
    ]


def calibration_report(results: dict[str, dict]) -> list[Block]:
    """Loss and coverage of the RVM and of peers."""
    columns = {"error": "error", "loss": "loss", "coverage": "90 % coverage", "vectors": "vectors"}
    peers = Text(
        "The Gaussian process has one scale per input and white noise in regression, one width in "
        "classification, both by its marginal likelihood; it keeps all rows. The SVC has C and "
        "width by 5-fold cross-validation."
    )
    return [
        Text(UNITS),
        peers,
        table(results, PEERS, {**columns, "seconds": "s"}),
        *_calibrated(results, "fast"),
        *_calibrated(results, "projection"),
    ]
