"""What every inference is: a few parameters of its own, where it starts, and a step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from sparsebayes._parameters import Tunable
from sparsebayes.columns import AnyColumns
from sparsebayes.hyperpriors import FLAT, Gamma, broad
from sparsebayes.inference.state import Fit, State
from sparsebayes.likelihoods import Likelihood
from sparsebayes.problem import Problem


class Inference(Tunable, ABC):
    """A way to find precisions. A subclass is a dataclass whose fields are what users tune.

    Attributes
    ----------
    weight_hyperprior, noise_hyperprior : Gamma or None
        None is flat, or broad where the inference needs a proper one.
    needs_proper_hyperpriors : whether flat hyperpriors will not do
    fidelity : how closely a sparse fit follows a dense model; None to fit the targets themselves
    charges : whether columns have a price, for which a fit may miss more
    takes_groups : whether columns of a group can have one precision
    """

    weight_hyperprior: Gamma | None = None
    noise_hyperprior: Gamma | None = None
    needs_proper_hyperpriors: bool = False
    fidelity: float | None = None
    charges: bool = False
    takes_groups: bool = False

    @abstractmethod
    def init(self, problem: Problem, candidates: np.ndarray | None = None) -> State:
        """The state to begin with.

        Parameters
        ----------
        candidates : good ones to start with, where some are known; there is no need to use them
        """

    @abstractmethod
    def step(self, problem: Problem, state: State, tol: float) -> State:
        """The next state; it is settled where derivatives and gains are below `tol`."""

    def check(self) -> None:
        """An error for a parameter that is out of its range."""
        for name in ("weight_hyperprior", "noise_hyperprior"):
            self._check_hyperprior(name, getattr(self, name))

    def _check_hyperprior(self, name: str, value: Any) -> None:
        if value is None:
            return
        if not isinstance(value, Gamma):
            default = "broad" if self.needs_proper_hyperpriors else "flat"
            raise ValueError(
                f"{name} must be None ({default}) or a Gamma(shape, rate), got {value!r}."
            )
        if self.needs_proper_hyperpriors and not value.is_proper:
            raise ValueError(
                f"{name} of {type(self).__name__} must have a positive shape and a positive rate, "
                f"as its bound is infinite otherwise; got {value!r}."
            )

    def objection(self, likelihood: Likelihood) -> str | None:
        """Why this inference cannot be used with a likelihood, or None if it can."""
        if self.noise_hyperprior is not None and not likelihood.noise.estimated:
            return "noise_hyperprior needs one noise that is estimated"
        return None

    def chosen_columns(self, columns: AnyColumns, centred: bool) -> AnyColumns:
        """The columns that serve this inference.

        Parameters
        ----------
        centred : whether the targets have no offset that a bias would have to explain
        """
        return columns

    def price(self, problem: Problem, active: np.ndarray) -> float:
        """What these candidates have to add to the log evidence, all together."""
        return 0.0

    def doubts(self, problem: Problem) -> bool:
        """Whether it is to be asked if a dense model is more likely than a sparse one."""
        return False

    def noise_posterior(self, fit: Fit) -> Gamma | None:
        """The distribution of the noise precision, where the inference has one."""
        return None

    def inclusion(self, fit: Fit) -> np.ndarray | None:
        """The probability that each column has a part in the target (n_columns,), if there is one.

        It needs precisions that are those of single columns.
        """
        return None

    def with_hyperpriors(self, problem: Problem) -> Problem:
        """The problem with the hyperpriors of this inference."""
        unit = problem.target_scale if problem.likelihood.has_units else 1.0
        default = broad(unit) if self.needs_proper_hyperpriors else FLAT
        return problem.changed(
            weight_hyperprior=self.weight_hyperprior or default,
            noise_hyperprior=self.noise_hyperprior or default,
        )
