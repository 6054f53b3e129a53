import numpy as np
import pytest
from block_parts import blocks_of
from numpy.testing import assert_allclose, assert_array_equal
from procedure_parts import GIVEN, LIMITS, TARGETS, N, X, problem

from sparsebayes import Projection
from sparsebayes.dense.blocks.sums import Sums
from sparsebayes.inference import Outcome
from sparsebayes.inference.state import Report
from sparsebayes.procedures import (
    FromSums,
    Known,
    blockwise_at_scales,
    procedure_at_scales,
    procedure_with_scales,
)

pytestmark = pytest.mark.slow
EVERY = pytest.mark.parametrize("name", [name for name in TARGETS if name != "softmax"])


def blocks(name):
    return blocks_of(X, TARGETS[name][0], numeric=True)


def blockwise(name, **options):
    return blockwise_at_scales(Projection(**options), LIMITS, blocks(name))


def latents(fit):
    design = fit.problem.columns.evaluate(X)[:, fit.active]
    return design @ fit.mean


def both(name):
    """Fits from sums, and with rows in memory."""
    inference = Projection(fidelity=100.0)
    many = blockwise(name, fidelity=100.0).fit(problem(name, GIVEN), Report())
    return many, procedure_at_scales(inference, LIMITS).fit(problem(name, GIVEN), Report())


@pytest.mark.parametrize("name", ["gaussian", "fixed noise", "outputs"])
def test_sums_say_what_rows_in_memory_say(name):
    for one, other in zip(*both(name), strict=True):
        scale = np.abs(latents(other)).max()
        assert_allclose(latents(one), latents(other), atol=0.1 * scale)
        assert one.covering is not None


@pytest.mark.parametrize("name", ["bernoulli", "shared softmax"])
def test_classes_from_sums_are_those_of_rows_in_memory(name):
    (one,), (other,) = both(name)
    sides = np.sign(latents(one)), np.sign(latents(other))
    assert np.mean(sides[0] == sides[1]) > 0.9
    assert one.covering is not None


@EVERY
def test_scales_are_learned_from_the_sample(name):
    procedure = procedure_with_scales(Projection(), LIMITS, blocks(name))
    for fit in procedure.fit(problem(name), Report()):
        assert fit.outcome in (Outcome.CONVERGED, Outcome.NOTHING_RELEVANT)
        assert np.isfinite(latents(fit)).all()


@pytest.mark.parametrize("name", ["gaussian", "outputs", "bernoulli", "shared softmax"])
def test_a_price_makes_vectors_fewer(name):
    free = blockwise(name).fit(problem(name, GIVEN), Report())
    charged = blockwise(name, min_gain=5.0).fit(problem(name, GIVEN), Report())
    assert 0 < len(charged[0].active) <= len(free[0].active)


def test_a_higher_fidelity_is_nearer_to_the_dense_model():
    from sparsebayes.dense.fit import fit_dense

    dense = fit_dense(problem("gaussian", GIVEN))
    apart = []
    for fidelity in (1.0, 1e4):
        (fit,) = blockwise("gaussian", fidelity=fidelity).fit(problem("gaussian", GIVEN), Report())
        apart.append(np.abs(latents(fit) - dense.latents).max())
    assert apart[1] < apart[0]


def test_sums_that_are_kept_give_the_same_fit():
    procedure, one = blockwise("gaussian"), problem("gaussian", GIVEN)
    start = procedure.start(one, Known(), N)
    sums = procedure.sums(start, one, Report())
    assert isinstance(sums, Sums)
    (kept,) = FromSums(procedure, start, sums).fit(one, Report())
    (whole,) = procedure.fit(one, Report())
    assert_array_equal(kept.active, whole.active)
    assert_allclose(kept.mean, whole.mean, rtol=1e-5)
    assert_allclose(kept.precisions.noise, whole.precisions.noise, rtol=1e-6)
