"""What a sparse fit is to reproduce: the expectations of a dense model."""

from __future__ import annotations

from sparsebayes.dense import DenseFit
from sparsebayes.problem import Problem


def goal_problem(problem: Problem, dense: DenseFit, fidelity: float) -> Problem:
    """The problem with what the dense model expects of the targets, E[t | f], as its targets.

    Each row counts `fidelity` times as often. The noise is that of the dense model. The weights of
    some columns that fit it best are those whose model is nearest to the dense one,

        min_w sum_n KL(p(t | f_n) || p(t | phi_n' w)),

    and the evidence asks for as many columns as that many observations can tell from fewer.
    """
    data, likelihood = problem.data, problem.likelihood
    expected = data._replace(
        target=likelihood.expected(dense.latent), weight=fidelity * data.weight
    )
    known = likelihood.with_noise(dense.posterior.noise_precision)
    return problem.changed(data=expected, likelihood=known)
