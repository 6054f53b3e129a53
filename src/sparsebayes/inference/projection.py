"""The inference "projection": a Gaussian process, and few columns that say the same."""

from __future__ import annotations

import numbers
from dataclasses import dataclass

import numpy as np

from sparsebayes.inference.fast import Fast, check_min_gain
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.state import State
from sparsebayes.likelihoods import Likelihood
from sparsebayes.problem import Problem

MOST_FIDELITY = 1e12


@dataclass(repr=False)
class Projection(Inference):
    """A dense model first, then few vectors that predict nearly the same.

    The dense model is a Gaussian process where the kernel is a covariance. The search for vectors
    is that of `Fast`, on what the dense model expects of the targets.

    Parameters
    ----------
    fidelity : float, default=3.0
        How closely the vectors follow the dense model. 1 makes the smallest models; with 10 to 30
        predictions are nearly those of the dense model. Technically, each training row counts
        this many times.
    min_gain : float, default=0.0
        What a vector must add to the evidence of the dense model's expectations to be kept.

    Examples
    --------
    >>> from sparsebayes import RVR, Projection
    >>> RVR(inference=Projection(fidelity=10.0)).get_params()["inference__fidelity"]
    10.0
    """

    fidelity: float = 3.0
    min_gain: float = 0.0

    def check(self) -> None:
        """An error for a parameter that is out of its range."""
        fidelity = self.fidelity
        number = isinstance(fidelity, numbers.Real) and not isinstance(fidelity, bool)
        if not number or not 0.0 < float(fidelity) <= MOST_FIDELITY:
            raise ValueError(
                f"fidelity must be a positive number up to {MOST_FIDELITY:g}, got {fidelity!r}."
            )
        check_min_gain(self.min_gain)

    def objection(self, likelihood: Likelihood) -> str | None:
        """It needs a dense model, which is there for one output or two classes."""
        if likelihood.has_expectation:
            return super().objection(likelihood)
        return "it needs a dense model of the targets"

    def init(self, problem: Problem, candidates: np.ndarray | None = None) -> State:
        """That of `Fast`."""
        return self._search.init(problem, candidates)

    def step(self, problem: Problem, state: State, tol: float) -> State:
        """That of `Fast`."""
        return self._search.step(problem, state, tol)

    @property
    def _search(self) -> Fast:
        return Fast(self.min_gain)
