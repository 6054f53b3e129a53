"""Parameters of a likelihood beside a sparse fit, and rows that count less where they are off."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from procedure_parts import GIVEN, LEARNED, LIMITS, RANDOM, SIGNAL, N, X
from scipy.optimize import minimize

from sparsebayes.basis import Bias, Linear
from sparsebayes.inference import Fast, Mackay, Outcome, Projection
from sparsebayes.inference.loop import Limits
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import CumulativeLogit, NegativeBinomial, Poisson, StudentT
from sparsebayes.problem import Problem
from sparsebayes.procedures import procedure_at_scales, procedure_with_scales
from sparsebayes.procedures.reweighted import expected_precision
from sparsebayes.procedures.tuned import best_parameters, row_moments
from sparsebayes.rows import Data

HEAVY = SIGNAL + 0.1 * RANDOM.normal(size=N) + 2.0 * (np.arange(N) % 10 == 3)
COUNTS = RANDOM.poisson(np.exp(1.0 + SIGNAL)).astype(float)
RANKS = np.digitize(SIGNAL + RANDOM.logistic(0.0, 0.3, N), [-0.5, 0.5]).astype(float)
TARGETS = {
    "student-t": (HEAVY, StudentT()),
    "negative binomial": (COUNTS, NegativeBinomial()),
    "ordered": (RANKS, CumulativeLogit(3)),
}
OVER_TARGETS = pytest.mark.parametrize(("target", "family"), TARGETS.values(), ids=TARGETS)


def problem(target, likelihood, basis=GIVEN):
    return Problem(Data(X, target, np.ones(N)), basis.bind(X, np.ones(N)), likelihood)


def fit(target, likelihood, inference, basis=GIVEN, limits=LIMITS):
    procedure = procedure_with_scales(inference, limits)
    (found,) = procedure.fit(problem(target, likelihood, basis), Report())
    return found


@pytest.mark.slow
@OVER_TARGETS
@pytest.mark.parametrize("inference", [Fast(), Mackay(), Projection()], ids=repr)
@pytest.mark.parametrize(
    "basis", [GIVEN, LEARNED, Linear() + Bias()], ids=["given", "ard", "plain"]
)
def test_the_likelihood_of_a_fit_has_its_parameters(target, family, inference, basis):
    found = fit(target, family, inference, basis)
    assert found.problem.likelihood.n_free == 0
    assert np.isfinite(found.log_evidence)
    assert np.isfinite(found.mean).all()


@OVER_TARGETS
def test_the_best_parameters_are_those_of_a_general_optimiser(target, family):
    found = fit(target, family, Fast())
    moments, data = row_moments(found), found.problem.data
    start = family.free(target, data.weight).start
    ours = best_parameters(family, start, data, moments)
    nodes, shares = np.polynomial.hermite_e.hermegauss(9)
    mean, spread = moments

    def loss(parameters):
        likelihood = family.at(parameters)
        values = [likelihood.expand(data.target, mean + spread * node).value for node in nodes]
        return -np.sum(shares @ np.array(values)) / shares.sum()

    limits = family.free(target, data.weight).limits
    theirs = minimize(loss, start, bounds=limits, method="L-BFGS-B").fun
    assert loss(ours) <= theirs + 1e-2


def test_parameters_stay_at_the_end():
    found = fit(COUNTS, NegativeBinomial(), Fast())
    before = found.problem.likelihood
    start = np.array([np.log(before.dispersion), before.log_mean])
    again = best_parameters(NegativeBinomial(), start, found.problem.data, row_moments(found))
    assert_allclose(again[1], start[1], atol=0.05)


def test_a_mean_is_not_tuned():
    """Columns make up for it, so one fit is enough."""
    seen = []

    class Counting(Report):
        def iteration(self, step):
            seen.append(step)
            return False

    procedure = procedure_at_scales(Fast(), LIMITS)
    (found,) = procedure.fit(problem(COUNTS, Poisson()), Counting())
    assert len(seen) == found.n_iter


def test_expected_precisions_are_those_of_a_gamma_distribution():
    """E u for u ~ Gamma((nu + 1) / 2, (nu + e^2 / s^2) / 2)."""
    likelihood, error = StudentT(4.0, 0.5), np.array([0.0, 0.5, 5.0])
    found = expected_precision(likelihood, error, np.zeros(3), np.zeros(3))
    assert_allclose(found, 5.0 / (4.0 + (error / 0.5) ** 2))


def test_outliers_have_next_to_no_weight_in_a_sparse_fit():
    found, plain = fit(HEAVY, StudentT(), Fast()), fit(HEAVY, StudentT(df=1e6), Fast())
    errors = [np.sqrt(np.mean((each.latents[:, 0] - SIGNAL) ** 2)) for each in (found, plain)]
    assert errors[0] < 0.5 * errors[1]
    assert found.problem.likelihood.scale < 0.3


@OVER_TARGETS
def test_a_limit_of_iterations_holds_for_all_rounds(target, family):
    found = fit(target, family, Mackay(), limits=Limits(max_iter=2, tol=1e-9))
    assert found.outcome is Outcome.ITERATION_LIMIT
    assert found.n_iter <= 2
