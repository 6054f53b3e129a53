"""The answer where numbers leave the range of doubles."""

from __future__ import annotations

from dataclasses import dataclass

from sparsebayes.inference.loop import end_of
from sparsebayes.inference.start import empty, null_noise_precision
from sparsebayes.inference.state import Fit, Outcome, Report, State
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure


@dataclass(frozen=True)
class Guarded(Procedure):
    """Fit by `inner`; where a matrix of it cannot be factorised, a model without columns.

    Its prediction is the mean of the targets that was taken out, or even odds, and its outcome
    says why.
    """

    inner: Procedure

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """See `Procedure`."""
        try:
            return self.inner.fit(problem, report, known)
        except FloatingPointError:
            nothing = State(empty(problem, null_noise_precision(problem)))
            return [end_of(problem, nothing, cut=Outcome.OUT_OF_RANGE)]
