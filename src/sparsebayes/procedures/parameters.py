"""Parameters that a likelihood has of its own: where they come from before a fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sparsebayes.columns import NO_ROW
from sparsebayes.dense import find_settings
from sparsebayes.likelihoods import Likelihood
from sparsebayes.problem import Problem
from sparsebayes.procedures.procedure import Known


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
