"""What every procedure does; and the simplest one, which runs an inference."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sparsebayes.inference.inference import Inference
from sparsebayes.inference.loop import Limits, run
from sparsebayes.inference.state import Fit, Report
from sparsebayes.problem import Problem


class Known(NamedTuple):
    """What is known of targets when their scales have been learned.

    Attributes
    ----------
    settings : of the dense model of each target (k, n_settings)
    candidates : that follow their dense models, to start with
    latents : of their dense models at the rows (k, n), or nearly
    parameters : of the likelihood, those that are open (p,)
    """

    settings: np.ndarray | None = None
    candidates: np.ndarray | None = None
    latents: np.ndarray | None = None
    parameters: np.ndarray | None = None

    def of(self, k: int) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Settings and latent values of target number k, as far as they are known."""
        settings, latents = (
            None if each is None else each[k] for each in (self.settings, self.latents)
        )
        return settings, latents


NOTHING = Known()


class Procedure(ABC):
    """An order in which models are fitted."""

    @abstractmethod
    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """Fit a problem with one likelihood: one fit, or one for each output or class.

        Parameters
        ----------
        problem : what is to be inferred
        report : hears of the progress
        known : from the learning of scales
        """


@dataclass(frozen=True)
class Direct(Procedure):
    """Run an inference on the problem, with the hyperpriors that the inference has."""

    inference: Inference
    limits: Limits

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """The fit of the inference; settings of a dense model are of no use here."""
        problem = self.inference.with_hyperpriors(problem)
        fit = run(self.inference, problem, self.limits, report, known.candidates)
        return [replace(fit, price=self.inference.price(problem, fit.active))]
