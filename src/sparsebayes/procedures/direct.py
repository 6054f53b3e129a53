"""One inference, run to its end."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sparsebayes.inference.inference import Inference
from sparsebayes.inference.loop import Limits, run
from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import NOTHING, Known, Procedure


@dataclass(frozen=True)
class Direct(Procedure):
    """Run an inference on the problem, with the hyperpriors that the inference has."""

    inference: Inference
    limits: Limits

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """See `Procedure`; settings of a dense model are of no use here."""
        problem = self.inference.with_hyperpriors(problem)
        fit = run(self.inference, problem, self.limits, report, known.candidates)
        return [replace(fit, price=self.inference.price(problem, fit.active))]
