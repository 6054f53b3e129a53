import numpy as np
import pytest
import reference
from numpy.testing import assert_allclose
from scipy import stats
from scipy.integrate import quad

from sparsebayes.hyperpriors import FLAT, Gamma, broad, student_t

PRECISION = np.array([1e-3, 0.5, 2.0, 40.0])


@pytest.mark.parametrize(("shape", "rate"), [(0.5, 0.25), (2.0, 3.0), (0.0, 0.1)])
def test_gradient_is_that_of_the_log_density(shape, rate):
    prior, h = Gamma(shape, rate), 1e-5
    for precision in PRECISION:
        high, low = (prior.log_density(precision * np.exp(step)) for step in (h, -h))
        assert_allclose(prior.gradient(precision), (high - low) / (2 * h), rtol=1e-6, atol=1e-8)
    assert_allclose(prior.gradient(PRECISION), [prior.gradient(p) for p in PRECISION])


def test_log_density_is_the_gamma_density_of_the_log_precision():
    prior = Gamma(2.5, 0.7)
    scipy_says = stats.gamma.logpdf(PRECISION, 2.5, scale=1 / 0.7) + np.log(PRECISION)
    ours = np.array([prior.log_density(p) for p in PRECISION])
    assert_allclose(np.diff(ours), np.diff(scipy_says), rtol=1e-12)


def test_log_density_sums_over_precisions():
    prior = Gamma(0.5, 0.25)
    each = [prior.log_density(p) for p in PRECISION]
    assert_allclose(prior.log_density(PRECISION), sum(each), rtol=1e-14)
    assert prior.log_density(np.empty(0)) == 0.0


def test_flat_adds_nothing():
    assert FLAT.is_flat
    assert FLAT.log_density(PRECISION) == 0.0
    assert_allclose(FLAT.gradient(PRECISION), 0.0, atol=0.0)


def test_half_flat_is_not_flat():
    assert not Gamma(0.0, 1.0).is_flat


def test_a_prior_that_grows_without_bound_is_refused():
    with pytest.raises(ValueError, match=r"rate of Gamma\(shape=0.5, rate=0\) must be positive"):
        Gamma(0.5, 0.0)


@pytest.mark.parametrize("nu", [1.0, 3.0, 10.0])
def test_student_t_integrates_to_student_t(nu):
    """The integral over the precision of N(w | 0, 1/precision) p(precision) is t_nu. [D14]"""
    prior = student_t(nu)

    def unnormalised(weight):
        def integrand(log_precision):
            precision = np.exp(log_precision)
            log_normal = 0.5 * log_precision - 0.5 * precision * weight**2
            return np.exp(log_normal + prior.log_density(precision))

        return quad(integrand, -60.0, 20.0, points=[-5.0, 0.0, 3.0], epsabs=0.0, epsrel=1e-10)[0]

    weights = np.array([0.0, 0.5, 2.0, 6.0])
    ours = np.array([unnormalised(weight) for weight in weights])
    exact = stats.t.pdf(weights, nu)
    assert_allclose(ours / ours[0], exact / exact[0], rtol=1e-7)


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
@pytest.mark.parametrize("name", ["shape", "rate"])
def test_parameters_must_be_numbers_of_zero_or_more(name, value):
    with pytest.raises(ValueError, match=name):
        Gamma(**{"shape": 1.0, "rate": 1.0, name: value})


@pytest.mark.parametrize("nu", [0.0, -1.0, np.nan, np.inf, "a", None])
def test_student_t_wants_degrees_of_freedom(nu):
    with pytest.raises(ValueError, match=f"nu of student_t must be a positive number, got {nu!r}"):
        student_t(nu)


@pytest.mark.parametrize(("shape", "rate"), [(1e-6, 1e-6), (0.5, 10.0), (2.0, 1e-3)])
@pytest.mark.parametrize("half_count", [0.5, 7.5])
@pytest.mark.parametrize("mean", [1e-3, 1.0, 50.0])
def test_a_bound_is_the_log_density_of_the_mean_and_a_constant(shape, rate, half_count, mean):
    """[BT00] (42), (45), and what <ln x> has more than ln <x>."""
    posterior = shape + half_count, (shape + half_count) / mean
    moments = reference.gamma_moments(*posterior)
    naive = reference.expected_log_gamma(shape, rate, *moments)
    naive += reference.gamma_entropy(*posterior) + half_count * (moments[1] - np.log(mean))
    prior = Gamma(shape, rate)
    assert_allclose(prior.log_density(mean) + prior.bound_constant(half_count), naive, rtol=1e-10)


def test_only_a_prior_with_shape_and_rate_is_proper():
    assert Gamma(1e-6, 1e-6).is_proper
    assert not FLAT.is_proper
    assert not Gamma(0.0, 1.0).is_proper


def test_a_broad_prior_has_the_units_of_a_squared_target():
    assert broad() == Gamma(1e-6, 1e-6)
    assert_allclose([broad(3.0).shape, broad(3.0).rate], [1e-6, 9e-6], rtol=1e-15)
