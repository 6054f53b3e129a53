"""HOW the precisions are found: one loop, many kinds of step.

An inference has `init(problem) -> Posterior` and `step(problem, posterior) -> Posterior, settled`.
The posterior carries the precisions it was made with, so it is all the state there is. `run` drives
any of them, records the history, stops, and says how it ended.
"""

from sparsebayes.inference.loop import Fit, Step, run
from sparsebayes.inference.outcome import Outcome
from sparsebayes.inference.reestimation import em, mackay

INFERENCES = {"mackay": mackay, "em": em}

__all__ = ["INFERENCES", "Fit", "Outcome", "Step", "em", "mackay", "run"]
