"""HOW the precisions are found: one loop, many kinds of step.

An inference has `init(problem) -> State` and `step(problem, state, tol) -> State`. `run` drives any
of them, records the history, stops, and says how it ended. What users tune are the fields of an
inference; a name such as "fast" stands for one with all defaults.

To add an inference, write a dataclass in a file of its own and enter it here.
"""

from sparsebayes.inference.fast import Fast
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.projection import Projection
from sparsebayes.inference.reestimation import EM, Mackay
from sparsebayes.inference.state import Outcome
from sparsebayes.inference.variational import Variational

INFERENCES: dict[str, type[Inference]] = {
    "fast": Fast,
    "mackay": Mackay,
    "em": EM,
    "variational": Variational,
    "projection": Projection,
}

__all__ = ["EM", "Fast", "Mackay", "Outcome", "Projection", "Variational"]
