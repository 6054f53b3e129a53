"""The answer where numbers leave the range of doubles, or lose their digits."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sparsebayes.inference.loop import end_of
from sparsebayes.inference.start import nothing_of
from sparsebayes.inference.state import Fit, Outcome, Report, State
from sparsebayes.problem import Problem
from sparsebayes.procedures.parameters import at_first_parameters
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure


@dataclass(frozen=True)
class Guarded(Procedure):
    """Fit by `inner`; where a matrix of it cannot be factorised, a model without columns.

    Its prediction is the mean of the targets that was taken out, or even odds. The outcome says
    why, and it also says where a prediction is a sum of terms that leave hardly more than rounding.
    """

    inner: Procedure

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """Fits by `inner`, or a model without columns."""
        try:
            fits = self.inner.fit(problem, report, known)
            if not all(np.isfinite(fit.log_evidence) for fit in fits):
                raise FloatingPointError("the evidence is no number")
        except FloatingPointError:
            problem = at_first_parameters(problem)
            nothing = State(nothing_of(problem))
            return [end_of(problem, nothing, cut=Outcome.OUT_OF_RANGE)]
        return [_told(fit) for fit in fits]


def _told(fit: Fit) -> Fit:
    """The fit, and its outcome says so if it has lost its digits."""
    return replace(fit, outcome=Outcome.OUT_OF_RANGE) if fit.is_rounding else fit
