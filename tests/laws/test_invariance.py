"""What must not change a prediction, and what may change only its units (flat hyperpriors)."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import problems
import pytest
from laws.parts import MODELS, Part, has_price, pairs
from numpy.testing import assert_allclose

from sparsebayes import evidence
from sparsebayes.inference import EM, Outcome
from sparsebayes.inference.loop import Limits
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import StudentT
from sparsebayes.procedures import procedure_at_scales

pytestmark = pytest.mark.slow


class Data(NamedTuple):
    """A design, its target, and the same columns on new rows."""

    part: Part
    design: np.ndarray
    target: np.ndarray
    new: np.ndarray

    def columns(self, change):
        return self._replace(design=change(self.design), new=change(self.new))

    def in_units(self, unit):
        likelihood = self.part.likelihood
        if isinstance(likelihood, StudentT):
            likelihood = StudentT(likelihood.df, unit * likelihood.scale)
        elif not likelihood.noise.inferred:
            likelihood = replace(likelihood, noise_std=unit * likelihood.noise_std)
        part = replace(self.part, likelihood=likelihood)
        return self._replace(part=part, target=unit * self.target)


def columns_of(part):
    design, target = part.data(0, 40, 5)
    return Data(part, design[:30], target[:30], design[30:])


def kernels(part):
    random = np.random.default_rng(0)
    inputs = np.sort(random.uniform(-10.0, 10.0, 80))
    target = np.sinc(inputs / np.pi) + 0.1 * random.normal(size=80)
    new = np.linspace(-10.0, 10.0, 33)
    design, new = (problems.kernel_design(x, inputs, 3.0) for x in (inputs, new))
    return Data(part, design, target if part.likelihood.has_units else 1.0 * (target > 0.2), new)


PLAIN = {name: columns_of(part) for name, part in MODELS.items()}
KERNELS = {f"kernels {name}": kernels(MODELS[name]) for name in ("gaussian", "bernoulli")}
DATA = PLAIN | KERNELS


def over(data, having=lambda inference, each: True):
    """A law over inferences and data for them."""
    found = pairs(data, having, lambda each: each.part)
    return pytest.mark.parametrize(("inference", "data"), list(found))


def flat(inference, data):
    return not inference.needs_proper_hyperpriors


def direct(inference, data):
    """Those whose evidence is that of the targets; a dense model rounds its precisions."""
    return flat(inference, data) and inference.fidelity is None


def fit(inference, data, tol=1e-3, max_iter=5000, **options):
    """One fit, or one for each output or class."""
    problem = problems.problem(data.design, data.target, data.part.likelihood, **options)
    limits = Limits(max_iter, tol, work=np.inf)  # columns that are evaluated anew are work
    return procedure_at_scales(inference, limits).fit(problem, Report())


def predict(inference, data, tol=1e-3, **options):
    """Latent means and standard deviations on the new rows (n, L)."""
    first, *others = found = fit(inference, data, tol, **options)
    if others:
        pairs = [moments(each, data.new[:, None, each.active]) for each in found]
        return tuple(np.concatenate(each, axis=1) for each in zip(*pairs, strict=True))
    part = replace(data.part, likelihood=first.problem.likelihood)  # classes may share columns
    return moments(first, part.expanded(data.new, first.active))


def moments(fit, new):
    """Latent means and standard deviations for an expanded design."""
    spread = np.linalg.norm(new @ np.kron(fit.root, np.eye(fit.mean.shape[1])), axis=2)
    return new @ fit.mean.ravel(), spread / np.sqrt(fit.output_precision)


PREDICTIONS = {}


def assert_unchanged(inference, data, other, tol=1e-3, unit=1.0, **options):
    """The predictions of two fits are the same, but for a unit."""
    key = repr(inference), data.part, data.design.shape, tol
    if key not in PREDICTIONS:
        PREDICTIONS[key] = predict(inference, data, tol)
    for here, there in zip(
        PREDICTIONS[key], predict(inference, other, tol, **options), strict=True
    ):
        size = np.abs(here).max(axis=0)
        if has_price(inference) and not size.any():
            assert not there.any()  # where nothing is worth its price, nothing is so again
            continue
        assert size.any()
        size[size == 0.0] = size.max()
        assert_allclose(there / size / unit, here / size, rtol=1e-6, atol=1e-6)


@over(DATA, lambda inference, data: data.part.likelihood.has_units)
@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_units_of_the_target(inference, data, unit):
    assert_unchanged(inference, data, data.in_units(unit), unit=unit)


@over(DATA, flat)
def test_units_of_columns(inference, data):
    units = np.resize([1e-6, -1.0, 1e6, 1.0], data.design.shape[1])
    assert_unchanged(inference, data, data.columns(lambda design: design * units))


@over(DATA)
def test_order_of_the_rows(inference, data):
    order = np.random.default_rng(1).permutation(len(data.target))
    shuffled = data._replace(design=data.design[order], target=data.target[order])
    assert_unchanged(inference, data, shuffled)


@over(DATA)
def test_order_of_the_columns(inference, data):
    order = np.random.default_rng(2).permutation(data.design.shape[1])
    assert_unchanged(inference, data, data.columns(lambda design: design[:, order]))


@over(DATA)
def test_chunks_of_rows(inference, data):
    assert_unchanged(inference, data, data, chunk_rows=13)


def free(inference, data):
    """Those for which it does not matter how many columns there are to choose from."""
    return direct(inference, data) and not has_price(inference)


@over(PLAIN, lambda inference, data: free(inference, data) and inference != EM())
def test_columns_twice(inference, data):
    """One of the model, and one that is not.

    Kernels are left out: with many local maxima, a doubled prior at the start may change which.
    The evidence knows only 1/alpha_1 + 1/alpha_2 of the two, so tol must be small for 1e-6. To that
    EM takes thousands of steps; it leaves out copies at its start, by the code of `Mackay`.
    """
    (plain,) = fit(inference, data)
    active = np.unique(plain.active % data.design.shape[1])
    twice = [active[0], *np.setdiff1d(np.arange(data.design.shape[1]), active)[:1]]
    doubled = data.columns(lambda design: np.column_stack([design, design[:, twice]]))
    assert_unchanged(inference, data, doubled, 1e-8)


@over(PLAIN, lambda inference, data: direct(inference, data) and has_price(inference))
def test_a_column_and_its_copy_are_not_both_worth_their_price(inference, data):
    n_columns = data.design.shape[1]
    doubled = data.columns(lambda design: np.column_stack([design, design]))
    (found,) = fit(inference, doubled)
    copied = found.active // (2 * n_columns), found.active % n_columns  # of each class for itself
    assert len(np.unique(copied, axis=1).T) == len(found.active)


SHAPES = [(8, 14), (40, 1), (2, 1), (2, 2), (2, 6), (1, 1), (1, 3)]


@over(PLAIN)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_any_shape_gives_a_finite_fit(inference, data, shape):
    design, target = data.part.data(3, *shape)
    fits = fit(inference, data._replace(design=design, target=target), max_iter=20000)
    for found in fits:
        assert found.outcome is not Outcome.ITERATION_LIMIT
        assert np.isfinite([step.log_evidence for step in found.history]).all()
        assert np.isfinite(found.mean).all()
        assert np.isfinite(found.root).all()
    if direct(inference, data):
        (found,) = fits
        none = np.empty(0, dtype=np.intp)
        nothing = problems.posterior_at(found.problem, none, np.empty(0), found.precisions.noise)
        assert found.log_evidence >= evidence.log_evidence(nothing) - 1e-3


@over({"known noise": PLAIN["known noise"]}, direct)
def test_one_column_has_the_best_precision_in_closed_form(inference, data):
    """s^2 / (q^2 - s), with the noise fixed. [TF03]"""
    random = np.random.default_rng(4)
    column = random.normal(size=30)
    target = column + 0.5 * random.normal(size=30)
    (found,) = fit(inference, data._replace(design=column[:, None], target=target), 1e-9)
    sparsity, quality = 4.0 * column @ column, 4.0 * column @ target
    best = sparsity**2 / (quality**2 - sparsity)
    assert_allclose(found.precisions.weight, [best], rtol=1e-7)
