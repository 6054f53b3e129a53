"""What the page says of one experiment."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from studies.framework.experiment import Block, Experiment, Status, Text, Verdict
from studies.framework.runner import Results


@dataclass(frozen=True)
class Section:
    """An experiment, its blocks, and where the numbers are."""

    name: str
    source: str
    title: str
    blocks: Sequence[Block]
    n_results: int
    seconds: float
    folder: str
    failed: bool

    @property
    def verdicts(self) -> list[Verdict]:
        """The claims of the experiment."""
        return [block for block in self.blocks if isinstance(block, Verdict)]

    @property
    def counts(self) -> dict[Status, int]:
        """How many claims of the experiment fare how, ways that do not occur left out."""
        found = Counter(verdict.status for verdict in self.verdicts)
        return {status: found[status] for status in Status if found[status]}

    @property
    def origin(self) -> str:
        """Where the numbers of the section come from, and how long they took."""
        return (
            f"Computed from the files of [`{self.folder}`]({self.folder}/) (tasks: "
            f"{self.n_results}), which took {duration(self.seconds)} in one process. To run it "
            f"alone: `python -m studies {self.name}`."
        )


def section(experiment: Experiment, results: Results, folder: str) -> Section:
    """The report of an experiment, with a word on what could not be run."""
    blocks = [*_missing(results), *_failures(results)]
    failed = bool(results.failures)
    if results.results:
        try:
            blocks = [*experiment.report(results.results), *blocks]
        except Exception:
            failed = True
            blocks.append(Text(f"The report failed: `{traceback.format_exc(limit=-1)}`"))
    if results.missing and not any(_is_skipped(block) for block in blocks):
        blocks.append(Verdict(experiment.title, Status.SKIPPED, _reasons(results)))
    return Section(
        experiment.name,
        experiment.source,
        experiment.title,
        blocks,
        len(results.results),
        results.seconds,
        folder,
        failed,
    )


def duration(seconds: float) -> str:
    """Seconds or minutes, as is easier to read."""
    return f"{seconds:.1f} s" if seconds < 100.0 else f"{seconds / 60.0:.1f} min"


def sentence(text: str) -> str:
    """A text with a capital at its begin and a full stop at its end."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def counts(sections: Sequence[Section]) -> str:
    """How many claims fare how."""
    found = sum((Counter(one.counts) for one in sections), Counter())
    return ", ".join(f"{found[status]} {status.value}" for status in Status)


def _is_skipped(block: Block) -> bool:
    return isinstance(block, Verdict) and block.status is Status.SKIPPED


def _missing(results: Results) -> list[Block]:
    reasons = Counter(results.missing.values())
    return [Text(f"Skipped {n} of its tasks: {reason}.") for reason, n in reasons.items()]


def _reasons(results: Results) -> str:
    return "; ".join(dict.fromkeys(results.missing.values()))


def _failures(results: Results) -> list[Block]:
    return [
        Text(f"Task `{key}` failed: `{failure.strip().splitlines()[-1]}`")
        for key, failure in results.failures.items()
    ]
