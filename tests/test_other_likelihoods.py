"""Likelihoods with parameters of their own: quadrature, other libraries, extreme values."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.testing import assert_allclose
from problems import posterior_at, problem
from scipy import stats
from scipy.optimize import minimize
from statsmodels.miscmodels.ordinal_model import OrderedModel
from statsmodels.miscmodels.tmodel import TLinearModel

from sparsebayes.evidence import log_evidence
from sparsebayes.likelihoods import (
    CumulativeLogit,
    NegativeBinomial,
    Poisson,
    StudentT,
    Variances,
    robust_spread,
    weighted_median,
)
from sparsebayes.likelihoods.counts import remainder, saturated
from sparsebayes.likelihoods.negative_binomial import saturated_negative_binomial
from sparsebayes.likelihoods.tilting import log_integral, tilted_about_mode

CUTS = np.array([-1.0, 0.5, 2.0])
CONCAVE = {
    "poisson": (Poisson(0.5), np.array([0.0, 1.0, 3.0, 40.0])),
    "exposures": (Poisson(0.5), np.array([[0.0, 1.0], [2.0, -3.0], [90.0, 4.0], [5.0, 0.0]])),
    "negative binomial": (NegativeBinomial(0.4, 0.5), np.array([0.0, 1.0, 3.0, 40.0])),
    "ordered": (CumulativeLogit(4, CUTS), np.arange(4.0)),
    "variances": (Variances(0.5), np.array([0.001, 0.5, 2.0, 30.0])),
}
OVER_CONCAVE = pytest.mark.parametrize(("likelihood", "target"), CONCAVE.values(), ids=CONCAVE)


# Densities.


@pytest.mark.parametrize("latent", [-2.0, 0.7])
def test_densities_are_those_of_scipy(latent):
    mean, count = np.exp(latent + 0.5), np.arange(30.0)
    at = np.full(30, latent)
    ours = Poisson(0.5).expand(count, at).value
    assert_allclose(ours, stats.poisson(mean).logpmf(count), rtol=1e-12, atol=1e-13)
    ours = NegativeBinomial(0.4, 0.5).expand(count, at).value
    share = 1.0 / (1.0 + 0.4 * mean)
    assert_allclose(ours, stats.nbinom(2.5, share).logpmf(count), rtol=1e-11)
    y = np.linspace(-9.0, 9.0, 30)
    ours = StudentT(3.5, 0.7).expand(y, at).value
    assert_allclose(ours, stats.t(3.5, latent, 0.7).logpdf(y), rtol=1e-12)


@pytest.mark.parametrize("likelihood", [Poisson(0.5), NegativeBinomial(0.4, 0.5)])
def test_probabilities_of_counts_sum_to_one(likelihood):
    count = np.arange(3000.0)
    assert_allclose(np.exp(likelihood.expand(count, np.ones(3000)).value).sum(), 1.0, rtol=1e-10)


def test_probabilities_of_ordered_classes_sum_to_one():
    for latent in (-30.0, -1.0, 0.0, 3.0, 30.0):
        value = CumulativeLogit(4, CUTS).expand(np.arange(4.0), np.full(4, latent)).value
        assert_allclose(np.exp(value).sum(), 1.0, rtol=1e-13)


def test_large_counts_lose_no_digits():
    """By the series of Stirling, whose terms of 1e10 have been cancelled on paper."""
    count = 1e9
    expected = -0.5 * np.log(2.0 * np.pi * count) - 1.0 / (12.0 * count)
    assert_allclose(saturated(np.array([count])), expected, rtol=1e-14)
    quadratic = Poisson(np.log(count)).expand(np.array([count]), np.array([1e-5]))
    assert_allclose(quadratic.value - expected, -0.5 * count * 1e-10, rtol=1e-4)
    poisson_limit = saturated_negative_binomial(np.array([7.0]), 1e12)
    assert_allclose(poisson_limit, saturated(np.array([7.0])), rtol=1e-10)


@pytest.mark.parametrize("x", [1e-3, 0.5, 3.0, 9.99, 10.01, 1e6])
def test_the_remainder_of_stirlings_formula(x):
    import mpmath

    with mpmath.workdps(40):
        exact = mpmath.loggamma(x) - (x - mpmath.mpf(0.5)) * mpmath.log(x) + x
        exact -= mpmath.log(2 * mpmath.pi) / 2
    assert_allclose(remainder(np.array([x])), float(exact), rtol=1e-11)


# Moments.


@OVER_CONCAVE
@pytest.mark.parametrize(("mean", "variance"), [(0.0, 1.0), (-3.0, 4.0), (1.0, 1e-4)])
def test_tilted_moments_are_those_of_quadrature(likelihood, target, mean, variance):
    n = len(target)
    found = tilted_about_mode(
        likelihood, target, np.full((n, 1), mean), np.full(n, variance), np.ones(n)
    )
    integral = np.exp(log_integral(likelihood, target, np.full(n, mean), np.full(n, variance)))
    reach = 12.0 * variance**0.5
    for k, each in enumerate(target):
        ends = sorted([mean, found.mean[k, 0]])
        grid = np.linspace(ends[0] - reach, ends[1] + reach, 100_001)
        rows = np.repeat(np.asarray(each)[None], len(grid), axis=0)
        weight = np.exp(likelihood.expand(rows, grid).value)
        weight *= stats.norm(mean, variance**0.5).pdf(grid) * (grid[1] - grid[0])
        expected = weight @ grid / weight.sum()
        assert_allclose(integral[k], weight.sum(), rtol=1e-5)
        assert abs(found.mean[k, 0] - expected) < 1e-5 * found.variance[k] ** 0.5
        spread = weight @ (grid - expected) ** 2 / weight.sum()
        assert_allclose(found.variance[k], spread, rtol=1e-4)


def test_a_count_of_a_billion_tells_its_mean():
    found = tilted_about_mode(
        Poisson(0.0), np.array([1e9]), np.zeros((1, 1)), np.array([100.0]), np.ones(1)
    )
    assert_allclose(found.mean[0, 0], np.log(1e9), rtol=1e-9)
    assert_allclose(found.variance[0], 1e-9, rtol=1e-4)


# Evidence.

# Levels of twenty rows, in no order.
SPREAD = (np.arange(20.0) * 7 % 20 + 0.5) / 20
EVIDENCE = {
    "poisson": (Poisson(1.0), [2.0, 5.0, 1.0, 4.0], 0.03),
    "negative binomial": (NegativeBinomial(0.3, 1.0), [2.0, 5.0, 1.0, 9.0], 0.03),
    "ordered": (CumulativeLogit(4, CUTS), [0.0, 1.0, 3.0, 2.0], 0.05),
    "variances": (Variances(0.0), [0.5, 2.0, 0.8, 0.1], 0.15),
    "student-t": (StudentT(5.0, 0.5), 0.3 + stats.t(5.0, 0.0, 0.5).ppf(SPREAD), 0.25),
}


@pytest.mark.parametrize(("likelihood", "target", "within"), EVIDENCE.values(), ids=EVIDENCE)
def test_laplaces_evidence_is_near_that_of_quadrature(likelihood, target, within):
    """Two weights and few rows, by a grid over the weights."""
    target = np.array(target)
    design = np.column_stack([np.ones(len(target)), np.linspace(-1.0, 1.0, len(target))])
    posterior = posterior_at(problem(design, target, likelihood), [0, 1], [0.5, 1.0])
    grid = np.linspace(-12.0, 12.0, 601)
    first, second = np.meshgrid(grid, grid, indexing="ij")
    weights = np.stack([first.ravel(), second.ravel()])
    log_joint = sum(
        likelihood.expand(np.full(weights.shape[1], each), row @ weights).value
        for each, row in zip(target, design, strict=True)
    )
    for precision, own in zip((0.5, 1.0), weights, strict=True):
        log_joint += stats.norm(0.0, precision**-0.5).logpdf(own)
    exact = np.log(np.exp(log_joint).sum() * (grid[1] - grid[0]) ** 2)
    assert abs(log_evidence(posterior) - exact) < within


# Other libraries.

RANDOM = np.random.default_rng(3)
ROWS = 400
DESIGN = np.column_stack([np.ones(ROWS), RANDOM.normal(size=(ROWS, 3))])
LATENT = DESIGN @ [0.8, 0.5, -0.7, 0.2]
WEAK = np.full(4, 1e-9)


def weights(likelihood, target, design=DESIGN):
    """The mode under next to no prior."""
    found = posterior_at(
        problem(design, target, likelihood), np.arange(design.shape[1]), WEAK[: design.shape[1]]
    )
    return found.mean[:, 0], np.sqrt(np.diag(found.covariance))


def test_poisson_weights_and_errors_are_those_of_statsmodels():
    target = RANDOM.poisson(np.exp(LATENT)).astype(float)
    other = sm.GLM(target, DESIGN, family=sm.families.Poisson()).fit(tol=1e-12)
    mean, std = weights(Poisson(0.0), target)
    assert_allclose(mean, other.params, atol=1e-6)
    assert_allclose(std, other.bse, rtol=1e-4)


def test_exposures_are_those_of_statsmodels():
    exposure = RANDOM.uniform(0.2, 5.0, ROWS)
    target = RANDOM.poisson(exposure * np.exp(LATENT)).astype(float)
    other = sm.GLM(target, DESIGN, family=sm.families.Poisson(), exposure=exposure).fit(tol=1e-12)
    mean, _ = weights(Poisson(0.0), np.column_stack([target, np.log(exposure)]))
    assert_allclose(mean, other.params, atol=1e-6)


def test_negative_binomial_weights_are_those_of_statsmodels():
    target = RANDOM.negative_binomial(2.0, 2.0 / (2.0 + np.exp(LATENT))).astype(float)
    model = sm.NegativeBinomial(target, DESIGN)
    other = model.fit(disp=0, maxiter=500)
    mean, _ = weights(NegativeBinomial(float(other.params[-1]), 0.0), target)
    assert model.loglike(np.append(mean, other.params[-1])) > other.llf - 1e-9  # theirs ends early
    assert np.all(np.abs(mean - other.params[:-1]) < 0.01 * other.bse[:-1])


def test_ordered_weights_are_those_of_statsmodels():
    target = np.digitize(LATENT + RANDOM.logistic(size=ROWS), [-0.5, 1.0, 2.0]).astype(float)
    model = OrderedModel(target, DESIGN[:, 1:], distr="logit")
    other = model.fit(method="bfgs", disp=0, gtol=1e-9)
    cuts = model.transform_threshold_params(other.params)[1:-1]
    mean, _ = weights(CumulativeLogit(4, cuts), target, DESIGN[:, 1:])
    assert_allclose(mean, other.params[:3], atol=1e-5)


def test_student_t_weights_are_those_of_statsmodels():
    target = LATENT + 0.3 * RANDOM.standard_t(3.0, ROWS)
    other = TLinearModel(target, DESIGN).fit(disp=0, method="bfgs", gtol=1e-8, maxiter=2000)
    scale, df = np.abs(other.params[-1]), other.params[-2]
    mean, std = weights(StudentT(float(df), float(scale)), target)
    assert_allclose(mean, other.params[:4], atol=1e-5)
    assert_allclose(std, other.bse[:4], rtol=0.15)


# Parameters.


def test_parameters_of_most_density_are_those_of_maximum_likelihood():
    """The M step of EM at latent values that are known, against a general optimiser."""
    y = 0.3 * RANDOM.standard_t(3.0, 2000)

    def loss(parameters):
        return -StudentT().at(parameters).expand(y, np.zeros(2000)).value.sum()

    start, limits, _ = StudentT().free(y, np.ones(2000))
    found = minimize(loss, start, bounds=limits)
    df, scale = StudentT().at(found.x).values
    fitted = stats.t.fit(y, floc=0.0)
    assert_allclose([df, scale], [fitted[0], fitted[2]], rtol=0.02)


def test_a_median_counts_rows_by_their_weight():
    assert weighted_median(np.array([5.0, 1.0, 3.0]), np.ones(3)) == 3.0
    assert weighted_median(np.array([4.0, 1.0]), np.ones(2)) == 2.5
    assert weighted_median(np.array([5.0, 1.0, 3.0]), np.array([1.0, 1.0, 5.0])) == 3.0
    assert weighted_median(np.array([1.0, 9.0]), np.array([3.0, 1.0])) == 1.0


def test_outliers_do_not_change_a_robust_spread():
    y = RANDOM.normal(0.0, 2.0, 1001)
    spoiled = np.append(y, np.full(100, 1e6))
    assert_allclose(robust_spread(y, np.ones(1001)), 2.0, rtol=0.1)
    assert robust_spread(spoiled, np.ones(1101)) < 2.6
    assert robust_spread(np.full(9, 7.0), np.ones(9)) == 7.0
    mostly_equal = np.array([0.0] * 9 + [3.0])
    assert_allclose(robust_spread(mostly_equal, np.ones(10)), 3.0 * 0.1**0.5)


WRONG = [
    (StudentT(df=2.0), "df of StudentT"),
    (StudentT(df=True), "df of StudentT"),
    (StudentT(df=np.inf), "df of StudentT"),
    (StudentT(scale=0.0), "scale of StudentT"),
    (StudentT(scale="auto"), "scale of StudentT"),
    (NegativeBinomial(dispersion=0.0), "dispersion of NegativeBinomial"),
    (NegativeBinomial(log_mean=np.nan), "log_mean of NegativeBinomial"),
    (Poisson(log_mean="0"), "log_mean of Poisson"),
]


@pytest.mark.parametrize(("likelihood", "words"), WRONG, ids=repr)
def test_a_parameter_out_of_range_is_refused(likelihood, words):
    with pytest.raises(ValueError, match=words):
        likelihood.check()


# The documentation.

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "extend" / "add_a_likelihood.md").read_text()


def lines_of_code(path):
    """Without docstrings, comments and blank lines."""
    text = path.read_text()
    told = set()
    for node in ast.walk(ast.parse(text)):
        kinds = ast.Module | ast.ClassDef | ast.FunctionDef
        if isinstance(node, kinds) and ast.get_docstring(node) is not None:
            told |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    lines = enumerate(text.splitlines(), start=1)
    plain = ((number, line.strip()) for number, line in lines)
    return sum(bool(line) and line[0] != "#" and number not in told for number, line in plain)


@pytest.mark.parametrize(("name", "told"), re.findall(r"([\w/]+\.py): (\d+)", PAGE))
def test_a_likelihood_took_as_many_lines_as_told(name, told):
    folder = ROOT / "src" / "sparsebayes" / ("" if "/" in name else "likelihoods")
    assert lines_of_code(folder / name) == int(told)


def test_the_example_of_the_documentation_is_a_likelihood():
    names = {}
    exec(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1], names)
    target = RANDOM.poisson(np.exp(LATENT)).astype(float)
    ours, theirs = (weights(each, target)[0] for each in (names["Counts"](), Poisson(0.0)))
    assert_allclose(ours, theirs, atol=1e-8)


TARGETS_PAGE = (ROOT / "docs" / "guide" / "other_targets.md").read_text()


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", TARGETS_PAGE, re.DOTALL))
def test_the_code_of_the_page_runs(code):
    exec(code, {})
