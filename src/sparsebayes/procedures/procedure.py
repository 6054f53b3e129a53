"""What every procedure does, what is known before; running an inference, and its guard."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sparsebayes.columns import NO_ROW
from sparsebayes.dense import find_settings
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.loop import Limits, end_of, run
from sparsebayes.inference.start import nothing_of
from sparsebayes.inference.state import Fit, Outcome, Report, State
from sparsebayes.likelihoods import Likelihood
from sparsebayes.problem import Problem


class Known(NamedTuple):
    """What is known of targets when their scales have been learned.

    Attributes
    ----------
    settings : of the dense model of each target (k, n_settings)
    candidates : that follow their dense models, to start with
    latents : of their dense models at the rows (k, n), or nearly
    parameters : of the likelihood, those that are open (p,)
    doubt : the settings of the only target, and a root of the covariance of these and of log scales
    """

    settings: np.ndarray | None = None
    candidates: np.ndarray | None = None
    latents: np.ndarray | None = None
    parameters: np.ndarray | None = None
    doubt: tuple[np.ndarray, np.ndarray] | None = None

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


def split_settings(
    settings: np.ndarray, likelihood: Likelihood
) -> tuple[np.ndarray, np.ndarray | None]:
    """Settings of a dense model (k, n_settings) without the parameters of the likelihood; these."""
    if not likelihood.n_free:
        return settings, None
    rest, parameters = np.split(settings, [settings.shape[1] - likelihood.n_free], axis=1)
    return rest, parameters[0]


def at_dense_parameters(problem: Problem, known: Known) -> tuple[Problem, Known]:
    """The problem with the parameters of its likelihood set, as a dense model has them.

    They are those that are known; or the dense model is fitted, and its settings are known, too.
    """
    likelihood = problem.likelihood
    if not likelihood.n_free:
        return problem, known
    if known.parameters is None:
        found = settings_of([problem], Known())
        settings, parameters = split_settings(found, likelihood)
        known = known._replace(settings=settings, parameters=parameters)
    return with_parameters(problem, known.parameters), known


def one_by_one(problem: Problem) -> list[Problem]:
    """A problem for each output; the problem itself where it has one latent value."""
    if problem.layout.single:
        return [problem]
    targets, likelihood = problem.likelihood.one_by_one(problem.data.target)
    return [
        problem.changed(data=problem.data._replace(target=each), likelihood=likelihood)
        for each in targets
    ]


def settings_of(problems: Sequence[Problem], known: Known) -> np.ndarray:
    """Settings of the dense model of each problem (k, n_settings), found where not known."""
    if known.settings is not None:
        return known.settings
    return np.array([find_settings(each).settings for each in problems])


def with_parameters(problem: Problem, parameters: np.ndarray | None) -> Problem:
    """The problem with the parameters of its likelihood set."""
    assert parameters is not None, "the parameters are not known"
    return problem.changed(likelihood=problem.likelihood.at(parameters))


def has_kernels(problem: Problem) -> bool:
    """Whether any of the columns is a kernel; plain columns may be many, and make no process."""
    return any((kind.centre_rows != NO_ROW).any() for kind in problem.columns.kinds)


def at_first_parameters(problem: Problem) -> Problem:
    """The problem with the parameters of its likelihood where a search for them starts."""
    if not problem.likelihood.n_free:
        return problem
    free = problem.likelihood.free(problem.data.target, problem.data.weight)
    return with_parameters(problem, free.start)


@dataclass(frozen=True)
class Guarded(Procedure):
    """Fit by `inner`; where a matrix of it cannot be factorised, a model without columns.

    Its prediction is the mean of the targets that was taken out, or even odds. The outcome says
    why, and it also says where a prediction is a sum of terms that leave hardly more than rounding.
    """

    inner: Procedure

    def fit(self, problem: Problem, report: Report, known: Known = NOTHING) -> list[Fit]:
        """Fits by `inner`, or a model without columns."""
        try:
            fits = self.inner.fit(problem, report, known)
            if not all(np.isfinite(fit.log_evidence) for fit in fits):
                raise FloatingPointError("the evidence is no number")
        except FloatingPointError:
            problem = at_first_parameters(problem)
            nothing = State(nothing_of(problem))
            return [end_of(problem, nothing, cut=Outcome.OUT_OF_RANGE)]
        return [_told(fit) for fit in fits]


def _told(fit: Fit) -> Fit:
    """The fit, and its outcome says so if it has lost its digits."""
    return replace(fit, outcome=Outcome.OUT_OF_RANGE) if fit.is_rounding else fit
