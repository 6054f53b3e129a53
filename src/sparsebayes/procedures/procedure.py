"""What every procedure does."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem, Start


class Procedure(ABC):
    """An order in which models are fitted."""

    @abstractmethod
    def fit(
        self,
        problem: Problem,
        report: Report,
        start: Start | None = None,
        settings: np.ndarray | None = None,
    ) -> Fit:
        """Fit a problem with one likelihood.

        Parameters
        ----------
        problem : what is to be inferred
        report : hears of the progress
        start : precisions of the candidates to start from, if they are known
        settings : of the dense model of the targets at these scales, if they are known
        """
