"""What is claimed of the default: on how many sets, and by how much."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import mean
from typing import NamedTuple

from studies.framework.experiment import Status, Verdict
from studies.framework.verdict import SKIPPED
from studies.process.ours import NOTHING, STRUCTURES
from studies.process.reading import TITLES, Results, on_common_draws, values
from studies.process.sets import WIDE_REGRESSIONS

# Shares of 90 % intervals that are to hold: on each set, and on average.
EACH_HOLDS, MEAN_HOLDS = (86.0, 94.0), (89.0, 91.0)
# Log losses within this factor of the least are as good, or within this difference where classes
# are told apart without fail; NLPD, which may be negative, within the last.
AS_GOOD, CERTAIN, NEAR = 1.03, 0.01, 0.03
# Errors to the true function: the most for Friedman 1, and relative to the process for the others.
FRIEDMAN_1, FRIEDMAN_OTHERS = 0.24, 1.1
# In percent of the training rows.
MOST_VECTORS = 20.0
FRIEDMAN = ("friedman1", "friedman2", "friedman3")


class Least(NamedTuple):
    """A loss that is to be no higher than a peer's, on how large a share of sets."""

    peer: str
    share: float
    margin: float = 0.0


def wins(results: Results, least: Least, names: Iterable[str] | None = None) -> Verdict:
    """Whether the default has the lower loss on a share of the sets."""
    chosen = None if names is None else set(names)
    gaps = {
        name: gap
        for name, gap in gaps_to(results, least.peer).items()
        if chosen is None or name in chosen
    }
    good = {name: gap <= least.margin for name, gap in gaps.items()}
    shown = {name: f"{gap:+.3f}" for name, gap in gaps.items()}
    margin = f" + {least.margin:g}" if least.margin else ""
    claim = f"default: loss at most that of {TITLES[least.peer]}{margin}"
    return on_a_share(f"{claim} on {least.share:.0%} of sets", good, shown, least.share)


def gaps_to(results: Results, peer: str) -> dict[str, float]:
    """By set, the loss of the default minus that of a peer on the same draws."""
    found = on_common_draws(results, ("default", peer), "loss")
    return {name: ours - theirs for name, (ours, theirs) in found.items()}


def on_a_share(
    claim: str, holds: Mapping[str, bool], shown: Mapping[str, str], share: float = 1.0
) -> Verdict:
    """Reproduced if it holds on this share of the sets; those where it does not are named."""
    if not holds:
        return Verdict(claim, Status.SKIPPED, SKIPPED)
    failing = [f"{name} ({shown[name]})" for name, good in holds.items() if not good]
    n_good = len(holds) - len(failing)
    why = f"on {n_good} of {len(holds)} sets"
    why += f"; not on {', '.join(failing)}" if failing else ""
    return Verdict(claim, _status(n_good >= share * len(holds)), why)


def _status(good: bool) -> Status:
    return Status.REPRODUCED if good else Status.NOT


def lower_on_average(results: Results, peer: str) -> Verdict:
    """Whether the mean over sets of the difference in loss is below zero."""
    claim = f"default: loss below that of {TITLES[peer]} on average"
    gaps = list(gaps_to(results, peer).values())
    if not gaps:
        return Verdict(claim, Status.SKIPPED, SKIPPED)
    return Verdict(claim, _status(mean(gaps) < 0.0), f"by {mean(gaps):+.3f} over {len(gaps)} sets")


def holds(coverage: Mapping[str, float]) -> list[Verdict]:
    """Whether 90 % intervals hold about 90 %, on each set and on average."""
    low, high = EACH_HOLDS
    each = on_a_share(
        f"default: 90 % intervals hold {low:.0f} to {high:.0f} % on each set",
        {name: low <= value <= high for name, value in coverage.items()},
        {name: f"{value:.1f} %" for name, value in coverage.items()},
    )
    low, high = MEAN_HOLDS
    claim = f"default: on average they hold {low:.0f} to {high:.0f} %"
    if not coverage:
        return [each, Verdict(claim, Status.SKIPPED, SKIPPED)]
    middle = mean(coverage.values())
    return [each, Verdict(claim, _status(low <= middle <= high), f"{middle:.1f} %")]


def friedman(results: Results) -> list[Verdict]:
    """Whether the functions of Friedman are found as well as the process with all rows has them."""
    ours = values(results, "default", "true")
    first = f"default: error to Friedman 1 at most {FRIEDMAN_1}"
    others = f"default: error to Friedman 2 and 3 at most {FRIEDMAN_OTHERS} of the process"
    one = {name: ours[name] for name in FRIEDMAN[:1] if name in ours}
    pairs = on_common_draws(results, ("default", "gp"), "true")
    ratios = {name: a / b for name, (a, b) in pairs.items() if name in FRIEDMAN[1:]}
    return [at_most(first, one, FRIEDMAN_1), at_most(others, ratios, FRIEDMAN_OTHERS)]


def few_vectors(results: Results) -> Verdict:
    """Whether the functions of Friedman take few vectors."""
    share = values(results, "default", "share")
    found = {name: share[name] for name in FRIEDMAN if name in share}
    return at_most(f"default: vectors at most {MOST_VECTORS:.0f} % of rows", found, MOST_VECTORS)


def at_most(claim: str, found: Mapping[str, float], most: float) -> Verdict:
    """Whether a number is at most this on all sets."""
    good = {name: value <= most for name, value in found.items()}
    return on_a_share(claim, good, {name: f"{value:.3g}" for name, value in found.items()})


def among_the_best(results: Results, names: Iterable[str]) -> Verdict:
    """Whether the log loss is the least, or within 3 % of it, on two thirds of the sets."""
    pairs = [
        on_common_draws(results, ("default", kind), "loss") for kind in TITLES if kind != "default"
    ]
    found = {name: [of[name] for of in pairs if name in of] for name in names}
    ratios = {name: max(a / b for a, b in each) for name, each in found.items() if each}
    good = {name: ratio <= AS_GOOD for name, ratio in ratios.items()}
    shown = {name: f"{ratio:.2f} of the least" for name, ratio in ratios.items()}
    claim = "default: log loss the least or within 3 % of it on 8 of 12 sets of many classes"
    return on_a_share(claim, good, shown, 8 / 12)


def near_the_best(results: Results) -> Verdict:
    """Whether the default is not far behind the best of its structures on any set."""
    ours = values(results, "default", "loss")
    losses = [values(results, kind, "loss") for kind in STRUCTURES]
    good, shown = {}, {}
    for name, own in ours.items():
        least = min(of[name] for of in losses if name in of)
        regression = name in WIDE_REGRESSIONS
        most = least + NEAR if regression else max(AS_GOOD * least, least + CERTAIN)
        good[name] = own <= most
        shown[name] = f"{own - least:+.3f}" if regression else f"{own / least:.2f}"
    return on_a_share("default: loss within 3 % (NLPD: .03) of its best structure", good, shown)


def above_nothing(results: Results) -> Verdict:
    """Whether the default is better than a model that knows no inputs."""
    gaps = gaps_to(results, NOTHING)
    good = {name: gap <= 0.0 for name, gap in gaps.items()}
    shown = {name: f"{gap:+.3f}" for name, gap in gaps.items()}
    return on_a_share("default: loss at most that of mean and spread alone", good, shown)
