import fits
import numpy as np
import pytest
from dense_parts import CountingGaussian
from numpy.testing import assert_allclose, assert_array_equal
from procedure_parts import GIVEN, LIMITS, N, X, Y, problem

from sparsebayes import EM, Fast, GaussianKernel, Mackay, Outcome, Projection
from sparsebayes.dense import fit_dense
from sparsebayes.inference.loop import Limits
from sparsebayes.inference.state import Report
from sparsebayes.problem import Problem
from sparsebayes.procedures import Direct, Projected, WithScales
from sparsebayes.procedures.with_scales import scaled
from sparsebayes.projection import carry_over, goal_problem
from sparsebayes.rows import Data


@pytest.mark.parametrize("name", ["gaussian", "fixed noise", "bernoulli"])
def test_it_is_a_dense_fit_a_sparse_fit_and_what_is_carried_over(name):
    given, direct = problem(name, GIVEN), Direct(Projection(), LIMITS)
    found = Projected(direct, 4.0).fit(given, Report())
    dense = fit_dense(given)
    sparse = direct.fit(goal_problem(given, dense, 4.0), Report())
    expected = carry_over(given, dense, sparse, 4.0)
    assert_array_equal(found.active, expected.active)
    assert_array_equal(found.root, expected.root)
    assert found.precisions.noise == expected.precisions.noise
    assert found.log_evidence == dense.log_evidence
    assert found.problem is given


@pytest.mark.parametrize("inference", [Fast(), Mackay(), EM()], ids=str)
@pytest.mark.parametrize("name", ["gaussian", "bernoulli"])
def test_any_inference_can_choose_the_columns(inference, name):
    given = problem(name, GIVEN)
    fit = Projected(Direct(inference, LIMITS), 10.0).fit(given, Report())
    assert fit.outcome is Outcome.CONVERGED
    latent = given.columns.keep(fit.active).evaluate(X) @ fit.mean[:, 0]
    dense = fit_dense(given).latent
    assert np.std(latent - dense) < 0.15 * np.std(dense)
    assert len(fit.active) < N


def test_it_tells_of_the_dense_model():
    watch = fits.Watch()
    fit = Projected(Direct(Fast(), LIMITS), 3.0).fit(problem("gaussian", GIVEN), watch)
    assert watch.notes == [f"dense model: {N + 1} columns, log evidence {fit.log_evidence:.6g}"]
    assert watch.steps == fit.history[1:]


def test_a_report_that_asks_to_stop_ends_the_search():
    watch = fits.Watch(stop_after=1)
    procedure = Projected(Direct(Mackay(), Limits(tol=0.0)), 3.0)
    fit = procedure.fit(problem("gaussian", GIVEN), watch)
    assert fit.outcome is Outcome.STOPPED
    assert np.isfinite(fit.root).all()


def test_one_dense_fit_serves_scales_and_projection():
    """From the settings where scales were learned, to the same precisions in fewer evaluations."""
    basis, procedure = GaussianKernel(input_scale="learn"), Projected(Direct(Fast(), LIMITS), 3.0)
    count = []

    def counted(make):
        given = Problem(Data(X, Y, np.ones(N)), basis.bind(X, np.ones(N)), CountingGaussian())
        fit = make(given)
        count.append(given.likelihood.count[0])
        return fit

    counted(lambda given: scaled(given, Report()))
    whole = counted(lambda given: WithScales(procedure).fit(given, Report()))
    anew = counted(lambda given: procedure.fit(scaled(given, Report())[0], Report()))
    learning, shared, twice = count
    assert shared - learning < twice - learning
    assert whole.log_evidence == anew.log_evidence
    assert_allclose(whole.precisions.noise, anew.precisions.noise, rtol=0.1)
