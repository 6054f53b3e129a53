import fits
import numpy as np
import pytest
import reference
from dense_parts import CLASS, N, X, Y, differences, problem, row_weight
from numpy.testing import assert_allclose

from sparsebayes.basis import Bias, CauchyKernel, GaussianKernel, Linear
from sparsebayes.evidence import objective
from sparsebayes.hyperpriors import Gamma
from sparsebayes.inference import Fast
from sparsebayes.inference.state import Fit
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.posterior import find_posterior
from sparsebayes.problem import Precisions
from sparsebayes.scales import CLIMB, JointClimb, joint_scales
from sparsebayes.scales.joint import JointObjective
from sparsebayes.scales.learning import BELIEFS

BASIS = GaussianKernel(input_scale="learn") + CauchyKernel("learn") + Linear() + Bias()
ACTIVE = np.array([3, 17, 0, 30, 25, 32, 9])
BETA = 4.0
CASES = {
    "gaussian": (Y, Gaussian(), {}),
    "fixed noise": (Y, Gaussian(0.3), {}),
    "hyperpriors": (
        Y,
        Gaussian(),
        {"weight_hyperprior": Gamma(2.0, 0.5), "noise_hyperprior": Gamma(1.0, 0.1)},
    ),
    "bernoulli": (CLASS, Bernoulli(), {}),
    "bernoulli and hyperprior": (CLASS, Bernoulli(), {"weight_hyperprior": Gamma(2.0, 0.5)}),
}
cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def posterior_of(case, weighted=False, active=ACTIVE):
    """A posterior over some columns."""
    target, likelihood, priors = case
    given = problem(BASIS, target, likelihood, row_weight(weighted), **priors)
    weight = np.exp(np.random.default_rng(2).normal(size=len(active)))
    return find_posterior(given, active, Precisions(weight, given.noise.settle(BETA)))


def as_fit(posterior):
    """A fit that ended here."""
    found = (posterior.problem, posterior.active, posterior.precisions, 1.0, posterior.mean)
    return Fit(*found, posterior.factor.whitener.T, np.ones(7, bool), 0.0, 7, [], None)


def joint_of(posterior, how=CLIMB):
    columns = posterior.problem.columns
    model = JointObjective(posterior.problem, posterior.active, columns.log_scales, how)
    return model, model.start(posterior.precisions)[0]


@cases
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_its_gradient(case, weighted):
    posterior = posterior_of(case, weighted)
    model, point = joint_of(posterior)
    assert len(point) == 7 + posterior.problem.noise.estimated + 3
    point = point + 0.1 * np.random.default_rng(4).normal(size=len(point))
    _, gradient = model(point)
    numeric = differences(lambda x: model(x)[0], point, 1e-4)
    assert_allclose(gradient, numeric, rtol=1e-6, atol=1e-6)


@cases
def test_it_begins_with_the_objective_of_the_fit(case):
    posterior = posterior_of(case)
    model, point = joint_of(posterior)
    assert_allclose(model(point)[0], objective(posterior), rtol=1e-9)


@pytest.mark.parametrize("std", [0.2, 1.0])
def test_elsewhere_it_is_the_objective_at_these_scales_and_what_tethers_them(std):
    posterior = posterior_of(CASES["gaussian"])
    model, point = joint_of(posterior, JointClimb(tether_std=std))
    columns = posterior.problem.columns
    point[-3:] += [0.1, -0.2, 0.4]
    design = columns.rescaled(point[-3:]).evaluate(X, ACTIVE)
    exact = reference.log_evidence(design, Y, posterior.weight_precision, BETA)
    tether = JointClimb(tether_std=std).tether_log_prior(point[-3:], columns.log_scales)
    assert_allclose(tether, -0.5 * 0.21 / std**2)
    assert_allclose(model(point)[0], exact + tether, rtol=1e-9)


@cases
def test_a_climb_raises_the_objective(case):
    posterior = posterior_of(case)
    columns = posterior.problem.columns
    moved, start = joint_scales(as_fit(posterior), columns.log_scales)
    log_scales = moved.columns.log_scales
    found = find_posterior(moved, start.active, start.precisions)
    value = objective(found) + CLIMB.tether_log_prior(log_scales, columns.log_scales)
    assert value > objective(posterior) + 0.1
    steps = (log_scales - columns.log_spreads) / BELIEFS.step
    assert_allclose(steps, np.round(steps), atol=1e-8)


def test_a_shorter_tether_holds_scales_nearer():
    posterior = posterior_of(CASES["gaussian"])
    anchor = posterior.problem.columns.log_scales
    moves = [
        np.abs(
            joint_scales(as_fit(posterior), anchor, JointClimb(tether_std=std))[
                0
            ].columns.log_scales
            - anchor
        ).max()
        for std in (1e-4, 0.2, 2.0)
    ]
    assert moves[0] < 0.03 < moves[1] < moves[2]


def test_a_climb_without_columns():
    none = np.empty(0, dtype=int)
    posterior = posterior_of(CASES["gaussian"], active=none)
    columns = posterior.problem.columns
    moved, start = joint_scales(as_fit(posterior), columns.log_scales)
    assert_allclose(moved.columns.log_scales, columns.log_scales, rtol=1e-12)
    assert_allclose(start.precisions.noise**-0.5, np.sqrt(np.mean(Y**2)), rtol=1e-4)


def test_a_fixed_noise_stays():
    posterior = posterior_of(CASES["fixed noise"])
    _, start = joint_scales(as_fit(posterior), posterior.problem.columns.log_scales)
    assert start.precisions.noise == 0.3**-2


def test_a_fit_can_start_where_a_climb_ended():
    posterior = posterior_of(CASES["gaussian"])
    moved, start = joint_scales(as_fit(posterior), posterior.problem.columns.log_scales)
    first = fits.fit(Fast(), moved, start=start).history[0]
    assert first.n_active == 7
    assert first.log_evidence > objective(posterior)
    assert len(moved.data.target) == N
