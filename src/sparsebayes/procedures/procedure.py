"""What every procedure does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem, Start


class Known(NamedTuple):
    """What has been found before, where a fit can start from.

    Attributes
    ----------
    start : precisions of the candidates
    settings : of the dense model of the targets at these scales
    """

    start: Start | None = None
    settings: np.ndarray | None = None


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
        known : what has been found before
        """
