"""Where another method is better, by a rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from studies.beyond import classes as many_classes
from studies.beyond.trust import wide
from studies.framework import sets
from studies.framework.experiment import Table, mean_and_error
from studies.framework.markdown import table_text
from studies.summaries import Results, Summaries, found_in
from studies.summaries.choosing import Found


class Contest(NamedTuple):
    """A study whose sets we may lose: our model there, and the others by their names."""

    study: str
    ours: str
    peers: Mapping[str, str]


CONTESTS = (
    Contest("trust-regression", "default", {"gp": "Gaussian process"}),
    Contest(
        "trust-classes",
        "default",
        {"gp": "Gaussian process", "gp1": "Gaussian process, one width", "svc": "SVM by CV"},
    ),
    Contest("trust-width", "ard", {"gp1": "Gaussian process, one width", "svm": "SVM by CV"}),
    Contest(
        "classes", "default", {kind: many_classes.METHODS[kind] for kind in many_classes.PEERS}
    ),
)
# A loss is clear if the error of the other is lower by this share of ours, and by two standard
# errors of the difference over draws, where there are several.
CLEAR = 0.05


def lost(found: Found, name: str, contest: Contest) -> list[str] | None:
    """The method with the lowest error of those that are clearly better on a set, and errors."""
    ours = sets.values(found, name, f"{contest.ours}_error")
    own = mean_and_error(ours)[0]
    better = {}
    for kind in contest.peers:
        theirs = sets.values(found, name, f"{kind}_error")
        gap, error = mean_and_error([a - b for a, b in zip(ours, theirs, strict=True)])
        if gap > CLEAR * own and not gap <= 2.0 * error:
            better[kind] = own - gap
    if not better:
        return None
    kind, least = min(better.items(), key=lambda item: item[1])
    numbers = contest.study == "trust-regression" or name in wide.REGRESSIONS
    target = "regression" if numbers else "classes, %"
    peer = contest.peers[kind]
    return [name, target, peer, f"{least:.3g}", f"{own:.3g}", f"{own / least:.2f}"]


def losses(results: Results) -> str:
    """All sets on which another method has a clearly lower error, and how many there are."""
    rows: dict[str, list[str] | None] = {}
    for contest in CONTESTS:
        found = found_in(results, contest.study)
        for name in sets.names(found):
            rows[name] = rows.get(name) or lost(found, name, contest)
    clear = [row for row in rows.values() if row is not None]
    header = ["set", "error of", "better there", "its error", "ours", "ours / its"]
    note = f"On the other {len(rows) - len(clear)} of {len(rows)} sets no method that was tried is "
    return table_text(Table(header, clear, f"{note}clearly better."))


TABLES: Summaries = {
    "choosing-losses": (tuple(one.study for one in CONTESTS), losses),
}
