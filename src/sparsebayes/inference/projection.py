"""The inference "projection": a Gaussian process, and few columns that say the same."""

from __future__ import annotations

import numbers
from dataclasses import dataclass, replace
from typing import Any

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
    """Fit a Gaussian process first, then keep a few vectors that predict nearly the same.

    This is the default of `RVR` and `RVC`. The error bars are those of the Gaussian process. A
    kernel that is no covariance has no Gaussian process; the first step is then a model with all
    kernels and one precision for their weights. The vectors are found by the search of `Fast`,
    which fits the mean of the first model instead of the targets.

    Parameters
    ----------
    fidelity : float, default=10.0
        How closely the vectors follow the first model. What they miss of its mean at the training
        rows has about 1 / fidelity of the variance that this model leaves there. 1 makes the
        smallest models, 3 slightly larger ones. For three or more classes in one softmax, the
        probabilities of the vectors are so near to those of the first model that their
        Kullback-Leibler divergence is at most 1 / fidelity of its log loss.
    min_gain : float, default=0.0
        What a vector must add to the log evidence, in the fit to that mean, to be kept.

    See Also
    --------
    Fast : The relevance vector machine of the papers, without a first model.

    Notes
    -----
    How it works: https://sparsebayes.example/theory/projection.html

    Examples
    --------
    >>> from sparsebayes import RVR, Projection
    >>> from sparsebayes.datasets import noisy_sinc
    >>> X, y = noisy_sinc(100, random_state=0)
    >>> small = RVR(inference=Projection(fidelity=1)).fit(X, y)
    >>> close = RVR(inference=Projection(fidelity=100)).fit(X, y)
    >>> len(small.relevance_) < len(close.relevance_)
    True
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
        """Whether columns have a price: where `min_gain` is positive."""
        return self.min_gain > 0.0

    def chosen_columns(self, columns: AnyColumns, centred: bool) -> AnyColumns:
        """All, tested for being a covariance; no bias next to kernels that fall off to zero.

        A process then says zero far away, which is the mean of targets that are centred.
        """
        rivals: Any = tuple(self.chosen_columns(each, centred) for each in columns.rivals)
        columns = columns.tested()
        return replace(without_bias(columns) if centred else columns, rivals=rivals)

    def init(self, problem: Problem, candidates: np.ndarray | None = None) -> State:
        """The state that `Fast` begins with."""
        return self._search.init(problem, candidates)

    def step(self, problem: Problem, state: State, tol: float) -> State:
        """One step of `Fast`."""
        return self._search.step(problem, state, tol)

    @property
    def _search(self) -> Fast:
        return Fast(self.min_gain)
