import fits
import numpy as np
import pytest
from joblib import Parallel, delayed
from numpy.testing import assert_allclose, assert_array_equal
from procedure_parts import GIVEN, INFERENCES, LEARNED, LIMITS, OUTPUTS, SEVERAL, N, X

from sparsebayes import RVC, RVR, Fast, Projection
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Bernoulli, Gaussian, one_hot
from sparsebayes.problem import Problem
from sparsebayes.procedures import Each, procedure_at_scales
from sparsebayes.procedures.with_scales import scaled
from sparsebayes.rows import Data

TARGETS = {"outputs": (OUTPUTS, Gaussian()), "classes": (one_hot(SEVERAL, 3).T, Bernoulli())}
names = pytest.mark.parametrize("name", TARGETS)


def problem(name, basis, column=None):
    target, likelihood = TARGETS[name]
    target = target if column is None else target[:, column].copy()
    return Problem(Data(X, target, np.ones(N)), basis.bind(X, np.ones(N)), likelihood)


def assert_same(one, other):
    """Equal to rounding, which can depend on where arrays lie in memory."""
    assert_array_equal(one.active, other.active)
    assert_array_equal(one.relevant, other.relevant)
    for part in ("mean", "root", "noise_std", "log_evidence"):
        assert_allclose(getattr(one, part), getattr(other, part), rtol=1e-9, atol=1e-12)
    assert_allclose(one.precisions.weight, other.precisions.weight, rtol=1e-9)
    assert_allclose(one.history, other.history, rtol=1e-9, atol=1e-9)
    assert one.outcome is other.outcome


@pytest.mark.slow
@names
@pytest.mark.parametrize("inference", INFERENCES, ids=str)
def test_each_target_is_fitted_as_if_it_were_alone(inference, name):
    inner = procedure_at_scales(inference, LIMITS)
    found = Each(inner).fit(problem(name, GIVEN), Report())
    assert len(found) == problem(name, GIVEN).data.target.shape[1]
    for k, fit in enumerate(found):
        (alone,) = inner.fit(problem(name, GIVEN, k), Report())
        assert_same(fit, alone)


@names
def test_all_targets_have_the_same_scales(name):
    watch = fits.Watch()
    found = Each(procedure_at_scales(Fast(), LIMITS)).fit(problem(name, LEARNED), watch)
    expected, _ = scaled(problem(name, LEARNED), Report())
    for fit in found:
        assert_array_equal(fit.problem.columns.log_scales, expected.columns.log_scales)
    assert watch.notes == ["learned 2 scales"]


@names
def test_each_target_knows_what_was_learned_for_it(name):
    seen = []

    class Procedure:
        def fit(self, problem, report, known):
            seen.append((problem.data.target, known))
            return []

    given = problem(name, LEARNED)
    Each(Procedure()).fit(given, Report())
    _, found = scaled(given, Report())
    for k, (target, known) in enumerate(seen):
        assert_array_equal(target, given.data.target[:, k])
        assert_array_equal(known.settings, found.settings[[k]])
        assert_array_equal(known.candidates, found.following[k])
        assert_array_equal(known.latents, found.latents[[k]])


def in_two_processes(function, arguments):
    return Parallel(n_jobs=2)(delayed(function)(*each) for each in arguments)


@pytest.mark.slow
@names
@pytest.mark.parametrize("inference", [Fast(), Projection()], ids=str)
def test_two_processes_give_the_very_same(inference, name):
    inner = procedure_at_scales(inference, LIMITS)
    here = Each(inner).fit(problem(name, LEARNED), Report())
    there = Each(inner, in_two_processes).fit(problem(name, LEARNED), Report())
    for one, other in zip(here, there, strict=True):
        assert_same(one, other)


@pytest.mark.slow
@pytest.mark.parametrize("inference", ["fast", "projection"])
def test_a_classifier_of_two_jobs_is_that_of_one(inference):
    models = [RVC(inference=inference, n_jobs=n_jobs).fit(X, SEVERAL) for n_jobs in (None, 2)]
    assert_allclose(*(model.predict_proba(X) for model in models), rtol=1e-9)


def test_a_regressor_of_separate_outputs_is_one_for_each():
    given = {"gamma": 1.0, "inference": Projection(10)}
    both = RVR(multi_output="separate", **given).fit(X, OUTPUTS)
    for k in range(2):
        alone = RVR(**given).fit(X, OUTPUTS[:, k])
        assert_allclose(both.predict(X)[:, k], alone.predict(X), rtol=1e-9)
        assert_allclose(both.noise_std_[k], alone.noise_std_, rtol=1e-9)
