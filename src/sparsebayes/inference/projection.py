"""The inference "projection": a Gaussian process, and few columns that say the same."""

from __future__ import annotations

import numbers
from dataclasses import dataclass

import numpy as np

from sparsebayes.columns import AnyColumns, without_bias
from sparsebayes.inference.fast import Fast
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.prices import check_price
from sparsebayes.inference.state import State
from sparsebayes.problem import Problem

MOST_FIDELITY = 1e12


@dataclass(repr=False)
class Projection(Inference):
    """A dense model first, then few vectors that predict nearly the same.

    The dense model is a Gaussian process where the kernel is a covariance. The search for vectors
    is that of `Fast`, on the mean of the dense model.

    Parameters
    ----------
    fidelity : float, default=10.0
        How closely the vectors follow the dense model: what they miss of its mean at the training
        rows has about 1 / fidelity of the variance that the dense model itself leaves there. 1
        makes the smallest models, 3 slightly larger ones. Technically, each training row counts
        this many times. For three or more classes in one softmax: what the vectors lose of the
        dense model's probabilities is at most 1 / fidelity of its log loss.
    min_gain : float, default=0.0
        What a vector must add to the evidence of the dense model's mean to be kept.

    Examples
    --------
    >>> from sparsebayes import RVR, Projection
    >>> RVR(inference=Projection(fidelity=3.0)).get_params()["inference__fidelity"]
    3.0
    """

    fidelity: float = 10.0
    min_gain: float = 0.0

    def check(self) -> None:
        """An error for a parameter that is out of its range."""
        fidelity = self.fidelity
        number = isinstance(fidelity, numbers.Real) and not isinstance(fidelity, bool)
        if not number or not 0.0 < float(fidelity) <= MOST_FIDELITY:
            raise ValueError(
                f"fidelity must be a positive number up to {MOST_FIDELITY:g}, got {fidelity!r}."
            )
        check_price(self.min_gain)

    @property
    def charges(self) -> bool:  # type: ignore[override]
        """With a positive `min_gain`."""
        return self.min_gain > 0.0

    def chosen_columns(self, columns: AnyColumns, centred: bool) -> AnyColumns:
        """All, tested for being a covariance; no bias next to kernels that fall off to zero.

        A process then says zero far away, which is the mean of targets that are centred.
        """
        columns = columns.tested()
        return without_bias(columns) if centred else columns

    def init(self, problem: Problem, candidates: np.ndarray | None = None) -> State:
        """That of `Fast`."""
        return self._search.init(problem, candidates)

    def step(self, problem: Problem, state: State, tol: float) -> State:
        """That of `Fast`."""
        return self._search.step(problem, state, tol)

    @property
    def _search(self) -> Fast:
        return Fast(self.min_gain)
