"""Numbers out of range leave a model without columns, and lost digits an outcome that says so."""

from dataclasses import replace

import numpy as np
import problems
import pytest
from procedure_parts import LIMITS

from sparsebayes.inference import Fast, Outcome
from sparsebayes.inference.state import Report
from sparsebayes.procedures import Direct, Guarded, Procedure

RANDOM = np.random.default_rng(0)
DESIGN = RANDOM.normal(size=(30, 3))
TARGET = DESIGN[:, 0] + RANDOM.normal(0.0, 0.1, 30)
PROBLEMS = {
    "gaussian": problems.gaussian(DESIGN, TARGET),
    "bernoulli": problems.bernoulli(DESIGN, (TARGET > 0.0) * 1.0),
}


class Failing(Procedure):
    """A procedure that cannot factorise a matrix."""

    def fit(self, problem, report, known=None):
        raise FloatingPointError("not positive definite")


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=list(PROBLEMS))
def test_a_fit_that_fails_is_a_model_without_columns(problem):
    (fit,) = Guarded(Failing()).fit(problem, Report())
    assert fit.outcome is Outcome.OUT_OF_RANGE
    assert not len(fit.active)
    assert np.isfinite(fit.log_evidence)


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=list(PROBLEMS))
def test_a_fit_that_does_not_fail_is_that_of_the_procedure(problem):
    (plain,), (guarded,) = (
        each.fit(problem, Report())
        for each in (Direct(Fast(), LIMITS), Guarded(Direct(Fast(), LIMITS)))
    )
    assert guarded.outcome is plain.outcome
    np.testing.assert_array_equal(guarded.mean, plain.mean)


def test_the_rounding_of_a_sum_is_that_of_its_largest_terms():
    (fit,) = Direct(Fast(), LIMITS).fit(PROBLEMS["gaussian"], Report())
    terms = np.abs(DESIGN[:, fit.active]) @ np.abs(fit.mean)
    assert fit.rounding == pytest.approx(np.finfo(float).eps * terms.max())


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=list(PROBLEMS))
def test_weights_that_cancel_are_told(problem):
    (fit,) = Direct(Fast(), LIMITS).fit(problem, Report())
    assert not fit.is_rounding
    twice = problems.problem(np.hstack([DESIGN, DESIGN]), problem.data.target, problem.likelihood)
    huge = np.concatenate([fit.mean + 1e12, -np.full_like(fit.mean, 1e12)])
    cancelling = replace(
        fit, problem=twice, active=np.concatenate([fit.active, fit.active + 3]), mean=huge
    )
    assert cancelling.is_rounding
