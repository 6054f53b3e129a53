"""HOW the precisions are found: one loop, many kinds of step.

An inference has `init(problem) -> State` and `step(problem, state) -> State`. `run` drives any of
them, records the history, stops, and says how it ended.
"""

from collections.abc import Callable

from sparsebayes.inference.fast import Fast
from sparsebayes.inference.loop import Fit, Start, State, Step, run
from sparsebayes.inference.outcome import Outcome
from sparsebayes.inference.reestimation import em, mackay
from sparsebayes.inference.variational import Variational

INFERENCES: dict[str, Callable] = {
    "fast": Fast,
    "mackay": mackay,
    "em": em,
    "variational": Variational,
}

__all__ = [
    "INFERENCES",
    "Fast",
    "Fit",
    "Outcome",
    "Start",
    "State",
    "Step",
    "Variational",
    "em",
    "mackay",
    "run",
]
