"""The answer where numbers leave the range of doubles, or lose their digits."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sparsebayes.inference.loop import end_of
from sparsebayes.inference.start import empty, null_noise_precision
from sparsebayes.inference.state import Fit, Outcome, Report, State
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure

# Part of the latent values that may be rounding.
MOST_ROUNDING = 1e-7


@dataclass(frozen=True)
class Guarded(Procedure):
    """Fit by `inner`; where a matrix of it cannot be factorised, a model without columns.

    Its prediction is the mean of the targets that was taken out, or even odds. The outcome says
    why, and it also says where a prediction is a sum of terms that leave hardly more than rounding.
    """

    inner: Procedure

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """See `Procedure`."""
        try:
            fits = self.inner.fit(problem, report, known)
        except FloatingPointError:
            nothing = State(empty(problem, null_noise_precision(problem)))
            return [end_of(problem, nothing, cut=Outcome.OUT_OF_RANGE)]
        return [_told(fit) for fit in fits]


def _told(fit: Fit) -> Fit:
    """The fit, and its outcome says so if it has lost its digits."""
    return replace(fit, outcome=Outcome.OUT_OF_RANGE) if is_rounding(fit) else fit


def is_rounding(fit: Fit) -> bool:
    """Whether too much of the latent values of a fit is rounding.

    It is compared with the largest of them, or with 1 for classes, whose log odds have that scale.
    """
    if not len(fit.active):
        return False
    placed, size = fit.problem.place(fit.active), 1.0
    if fit.problem.likelihood.has_units:
        latents = fit.problem.rows.map(lambda d: placed.latent(d, fit.mean), placed.columns)
        size = float(np.abs(latents).max())
    return fit.rounding > MOST_ROUNDING * size
