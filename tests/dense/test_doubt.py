"""What a mean may change by where scales are known roughly, against a process at moved scales."""

import numpy as np
import pytest
from dense_parts import BASES, CLASS, N, X, Y, problem, row_weight
from numpy.testing import assert_allclose
from scipy.special import expit

from sparsebayes import Projection
from sparsebayes.dense import fit_dense, with_doubt
from sparsebayes.dense.covering import CoveringRule, covering_of
from sparsebayes.dense.doubt import widened
from sparsebayes.inference.loop import Limits
from sparsebayes.inference.state import Report
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.procedures import WithScales, procedure_at_scales
from sparsebayes.procedures.procedure import Procedure

NEW = np.vstack([X[:4], X[5:9] + 0.3])
WEIGHT = row_weight(True)
SETTINGS = {"gaussian": np.array([-0.5, 1.0, 1.5]), "effects": np.array([0.2, 1.0, 1.5])}
kernels = pytest.mark.parametrize("name", SETTINGS)


def given(name, target=Y, likelihood=None):
    return problem(BASES[name], target, likelihood or Gaussian(), WEIGHT)


def covariance(aim, settings, log_scales, left, right):
    """Of latent values, naively: kernel and bias."""
    kernel, _ = aim.columns.rescaled(log_scales).kinds
    return kernel.formula(left, right) * np.exp(-settings[0]) + np.exp(-settings[1])


def naive_mean(aim, point, new=NEW):
    """The mean of the process at settings and log scales, all N x N."""
    settings, log_scales = point[:3], point[3:]
    noise = np.diag(np.exp(-settings[2]) / WEIGHT)
    at_rows = covariance(aim, settings, log_scales, X, X)
    pull = np.linalg.solve(at_rows + noise, aim.data.target)
    return covariance(aim, settings, log_scales, new, X) @ pull


def naive_mode(aim, point, new=NEW):
    """The mode of two classes, f = K (slope of the log density)."""
    settings, log_scales = point[:2], point[2:]
    at_rows = covariance(aim, settings, log_scales, X, X)
    latent = np.zeros(N)
    for _ in range(60):
        bent = WEIGHT * expit(latent) * expit(-latent)
        response = bent * latent + WEIGHT * (aim.data.target - expit(latent))
        latent = at_rows @ np.linalg.solve(np.eye(N) + bent[:, None] * at_rows, response)
    pull = WEIGHT * (aim.data.target - expit(latent))
    return covariance(aim, settings, log_scales, new, X) @ pull


def derivative(function, point):
    """(n, k), central differences."""
    units = 1e-4 * np.eye(len(point))
    return np.transpose([(function(point + h) - function(point - h)) / 2e-4 for h in units])


def root_of(n):
    """A root of some covariance of settings and scales, which has fewer directions."""
    return 0.3 * np.random.default_rng(1).normal(size=(n, n - 1))


def doubtful(aim, settings):
    """A dense model with and without doubt, the point that it is at, and the root."""
    point = np.append(settings, aim.columns.log_scales)
    dense, root = fit_dense(aim, settings), root_of(len(point))
    return dense, with_doubt(aim, dense, settings, root), point, root


def added(dense, inputs=X):
    """What doubts say of inputs (n, r)."""
    return dense.columns.evaluate(inputs) @ dense.doubts


@kernels
def test_doubts_are_how_the_mean_changes_with_scales_and_settings(name):
    """At the rows. Between them a derivative is known as far as the columns can follow it."""
    aim = given(name)
    dense, found, point, root = doubtful(aim, SETTINGS[name])
    mean = dense.columns.evaluate(X) @ dense.posterior.mean[:, 0]
    assert_allclose(mean, naive_mean(aim, point, X), atol=1e-3)
    for inputs, part in ((X, 0.02), (NEW, 0.6)):
        expected = derivative(lambda each, new=inputs: naive_mean(aim, each, new), point) @ root
        assert_allclose(added(found, inputs), expected, atol=part * np.abs(expected).max())


@kernels
def test_for_two_classes_they_are_how_the_mean_changes_where_its_bend_is_held(name):
    """(I + K W)^-1 of what K u changes by, with the pull u and the curvature W of the rows."""
    aim = given(name, CLASS, Bernoulli())
    dense, found, point, root = doubtful(aim, SETTINGS[name][:2] - [1.0, 0.0])

    def at_rows(each):
        return covariance(aim, each[:2], each[2:], X, X)

    pull = WEIGHT * (CLASS - expit(dense.latents[:, 0]))
    changes = derivative(lambda each: at_rows(each) @ pull, point)
    whole = np.eye(N) + at_rows(point) * dense.row_precision
    expected = np.linalg.solve(whole, changes) @ root
    assert_allclose(added(found), expected, atol=0.01 * np.abs(expected).max())
    of_mode = derivative(lambda each: naive_mode(aim, each, X), point) @ root
    assert 0.7 < np.linalg.norm(added(found)) / np.linalg.norm(of_mode) < 1.1


def test_noise_that_is_known_is_not_in_doubt():
    aim = given("gaussian", Y, Gaussian(0.4))
    _, found, point, root = doubtful(aim, SETTINGS["gaussian"][:2])

    def mean(each):
        return naive_mean(aim, np.concatenate([each[:2], [-2.0 * np.log(0.4)], each[2:]]), X)

    expected = derivative(mean, point) @ root
    assert_allclose(added(found), expected, atol=0.02 * np.abs(expected).max())


@kernels
def test_the_covering_has_so_much_more_variance(name):
    aim = given(name)
    dense, found, _, root = doubtful(aim, SETTINGS[name])
    for rule, part in ((CoveringRule(enough=0.0), 1e-10), (CoveringRule(), 0.1)):
        plain, wide = (covering_of(each, rule).variance(X)[:, 0] for each in (dense, found))
        expected = np.sum(added(found) ** 2, axis=1)
        assert_allclose(wide - plain, expected, atol=part * expected.max())
    nothing = with_doubt(aim, dense, SETTINGS[name], np.zeros((len(root), 2)))
    expected = covering_of(dense).variance(NEW)
    assert_allclose(covering_of(nothing).variance(NEW), expected, rtol=1e-10)


@pytest.mark.parametrize("n_doubts", [1, 4, 9])
def test_a_widened_root(n_doubts):
    random = np.random.default_rng(0)
    root, doubts = np.triu(random.normal(size=(6, 6))), random.normal(size=(6, n_doubts))
    found = widened(root, doubts)
    assert_allclose(found @ found.T, root @ root.T + doubts @ doubts.T, rtol=1e-10, atol=1e-12)
    assert found.shape == (6, 6)
    assert_allclose(found, np.triu(found))


class Hearing(Procedure):
    """Keeps what it is told is known."""

    def fit(self, problem, report, known):
        self.heard = problem, known
        return []


@pytest.mark.parametrize("n_rows", [30, 90])
def test_error_bars_of_few_rows_are_wider_as_scales_were_learned_from_them(n_rows):
    """With twenty rows for each scale and more there is no doubt."""
    random = np.random.default_rng(0)
    inputs = random.uniform(-2.0, 2.0, (n_rows, 2))
    target = np.sin(2.0 * inputs[:, 0]) + inputs[:, 1] + random.normal(0.0, 0.3, n_rows)
    inner, report = Hearing(), Report()
    aim = problem(BASES["gaussian"], target - target.mean(), Gaussian(), inputs=inputs)
    WithScales(inner).fit(aim, report)
    there, known = inner.heard
    assert (known.doubt is not None) is (n_rows == 30)
    procedure = procedure_at_scales(Projection(), Limits())
    (wide,), (narrow,) = (
        procedure.fit(there, report, each) for each in (known, known._replace(doubt=None))
    )
    new = random.uniform(-2.0, 2.0, (50, 2))
    ratio = wide.covering.variance(new) / narrow.covering.variance(new)
    assert bool(np.median(ratio) > 1.02) is (n_rows == 30)
    assert ratio.min() > 1.0 - 1e-6
