"""Summaries of the process: on how many sets the default has the lower loss."""

from __future__ import annotations

from collections.abc import Collection

from studies.framework.experiment import Table
from studies.framework.markdown import table_text
from studies.process.claims import gaps_to
from studies.process.reading import TITLES
from studies.process.sets import MANY_CLASSES, TWO_CLASSES
from studies.summaries import Results, Summaries, found_in

REGRESSION = ("process-regression", "process-regression-peers")
CLASSES = ("process-classes", "process-classes-peers")
PEERS = ("gp", "svc", "cat", "hgb", "lgb", "ebm", "logistic")


def wins(results: Results) -> str:
    """Of regressions, of two and of many classes, by peer."""
    numbers, classes = (
        {peer: gaps_to(merged, peer) for peer in PEERS}
        for merged in (_merged(results, REGRESSION), _merged(results, CLASSES))
    )
    rows = [
        [
            TITLES[peer],
            _lower(numbers[peer], numbers[peer]),
            *(_lower(classes[peer], names) for names in (TWO_CLASSES, MANY_CLASSES)),
        ]
        for peer in PEERS
    ]
    header = ["peer", "regressions: NLPD lower on", "two classes: log loss", "many classes"]
    return table_text(Table(header, rows))


def _merged(results: Results, studies: tuple[str, str]) -> dict[str, dict]:
    ours, theirs = (found_in(results, study) for study in studies)
    return {**ours, **theirs}


def _lower(gaps: dict[str, float], names: Collection[str]) -> str:
    """On how many of these sets the default is below, of those that both have."""
    found = [gap for name, gap in gaps.items() if name in names]
    return f"{sum(gap < 0.0 for gap in found)} of {len(found)}" if found else "-"


TABLES: Summaries = {"process-wins": ((*REGRESSION, *CLASSES), wins)}
