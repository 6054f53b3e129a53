"""What every procedure does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem


class Known(NamedTuple):
    """What is known of a target when its scales have been learned.

    Attributes
    ----------
    settings : of its dense model
    candidates : that follow its dense model, to start with
    """

    settings: np.ndarray | None = None
    candidates: np.ndarray | None = None


NOTHING = Known()


class Procedure(ABC):
    """An order in which models are fitted."""

    @abstractmethod
    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> Fit:
        """Fit a problem with one likelihood.

        Parameters
        ----------
        problem : what is to be inferred
        report : hears of the progress
        known : from the learning of scales
        """
