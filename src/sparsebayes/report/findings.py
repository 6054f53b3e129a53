"""What was found out about a model, once, for all sections."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sparsebayes.diagnostics.twins import twins_in
from sparsebayes.report.effects import relevance
from sparsebayes.report.given import InputFactor, Subject
from sparsebayes.report.held_out import HeldOut, held_out
from sparsebayes.report.live import Live, live
from sparsebayes.report.scores import (
    Score,
    Trust,
    label_calibration,
    of_labels,
    of_targets,
    target_calibration,
    trust_in_error_bars,
    trust_in_probabilities,
)


@dataclass(frozen=True)
class Findings:
    """A model and rows, and what is computed from them when it is first asked for.

    Lists have an entry for each output; a classifier has one. They are empty where no row could
    be held out.
    """

    given: Subject

    @cached_property
    def held_out(self) -> HeldOut:
        """Predictions of rows that were not trained on."""
        return held_out(self.given)

    @cached_property
    def twins(self) -> str:
        """What is seen of held-out rows with twins among the others; empty where there are none."""
        if self.given.new or not self.held_out.predictions:
            return ""
        return twins_in(self.given.X, self.given.y, self.given.classes is not None)

    @cached_property
    def scores(self) -> list[Score]:
        """Errors beside those of a trivial prediction."""
        score = of_targets if self.given.classes is None else of_labels
        return [score(each) for each in self.held_out.predictions]

    @cached_property
    def calibrations(self) -> list[Any]:
        """What `calibration_report` says of each output."""
        report = target_calibration if self.given.classes is None else label_calibration
        return [report(each) for each in self.held_out.predictions]

    @cached_property
    def trust(self) -> list[Trust]:
        """Whether the model knows how sure it is."""
        judge = trust_in_error_bars if self.given.classes is None else trust_in_probabilities
        return list(map(judge, self.held_out.predictions, self.calibrations))

    @cached_property
    def relevance(self) -> np.ndarray | None:
        """The relevance of each factor; None where it is unknown."""
        return relevance(self.given)

    @cached_property
    def live(self) -> Live | None:
        """The model that answers in the page; None where it cannot."""
        return live(self.given, self.most_relevant(len(self.given.factors)))

    def most_relevant(self, most: int) -> list[InputFactor]:
        """Factors that the model uses, the most relevant first."""
        if self.relevance is None:
            return []
        order = np.argsort(-self.relevance, kind="stable")[:most]
        return [self.given.factors[k] for k in order if self.relevance[k] > 0.0]

    def naming(self, k: int) -> str:
        """How a sentence on output k begins: with its name if there are several outputs."""
        targets = self.given.targets
        return f"{targets[k]}: " if len(targets) > 1 else ""
