"""Reports of counts, of classes in an order, and of noise with heavy tails or that varies."""

import re

import numpy as np
import pytest
from carried import KINDS, NEW, X, fitted
from scipy.stats import nbinom, norm, poisson
from scipy.stats import t as student

from sparsebayes import RVR, NegativeBinomial, Poisson, StudentT
from sparsebayes.diagnostics import RegressionCalibrationDisplay, calibration_report
from sparsebayes.diagnostics.judging import judged
from sparsebayes.report import report
from sparsebayes.report.effects import N_ROWS, effect
from sparsebayes.report.findings import Findings
from sparsebayes.report.given import checked
from sparsebayes.report.markup import joined
from sparsebayes.report.numbers import noise_std_of, short
from sparsebayes.report.sections.fit import cautions
from sparsebayes.report.sections.summary import summary
from sparsebayes.report.sections.vectors import vectors

pytestmark = pytest.mark.slow

REAL = ["student", "varying noise"]
COUNTS = ["poisson", "negative binomial"]


def slow(*values):
    """Values of a test that has to fit some models of noise again."""
    return pytest.param(*values, marks=pytest.mark.slow)


def given(name, new=False):
    kind = KINDS[name]
    return checked(fitted(name), kind.inputs, kind.y, new)


# What was learned, in words.


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("student", "Student-t noise of scale {scale} with {df} degrees of freedom"),
        ("poisson", "Poisson counts, {count} where nothing is known"),
        ("negative binomial", "negative binomial counts of dispersion 0.300, {count} where"),
        ("varying noise", "Gaussian noise that may vary with the inputs"),
        ("ordered", "classes in an order, cut at {cuts}"),
    ],
)
def test_a_likelihood_is_told_with_what_was_learned(name, words):
    learned = fitted(name).likelihood_
    numbers = {key: short(getattr(learned, key, 0.0) or 0.0) for key in ("scale", "df")}
    numbers["count"] = short(np.exp(getattr(learned, "log_mean", 0.0)))
    numbers["cuts"] = ", ".join(map(short, getattr(learned, "cut_points", [])))
    assert words.format(**numbers) in fitted(name)._model.target.words(short)


@pytest.mark.parametrize("name", ["default", "two classes", "three classes"])
def test_the_usual_likelihoods_are_not_told(name):
    assert fitted(name)._model.target.words(short) is None


def test_the_noise_is_told_where_there_is_one():
    assert noise_std_of(fitted("student"), X, short) == short(fitted("student").noise_std_)
    assert noise_std_of(fitted("poisson"), X, short) is None
    low, high = noise_std_of(fitted("varying noise"), X, short).split(" to ")
    assert 0.0 < float(low) < 0.1 < float(high)


@pytest.mark.parametrize(
    ("name", "there", "missing"),
    [
        ("poisson", "Poisson counts", "noise"),
        slow("varying noise", "Standard deviation of the noise", "Poisson"),
        slow("student", "degrees of freedom", "Poisson"),
        ("ordered", "cut at", "noise"),
    ],
)
def test_a_summary_says_what_was_learned(name, there, missing):
    text = joined(summary(Findings(given(name))))
    assert there in text
    assert missing not in text


def test_what_columns_of_counts_sum_to_is_a_logarithm():
    assert "The logarithm of the mean count is a sum" in joined(vectors(Findings(given("poisson"))))
    linear = joined(vectors(Findings(given("poisson, linear"))))
    assert "what the logarithm of the mean count gains" in linear


@pytest.mark.slow
@pytest.mark.parametrize("name", [*REAL, *COUNTS, "ordered"])
def test_a_page_of_each_is_whole(name, page_of):
    kind = KINDS[name]
    page = page_of(report(fitted(name), kind.inputs, kind.y))
    assert page.text.count("On rows that it had not seen") == 1
    assert "Not possible" not in page.text


# Effects.


@pytest.mark.parametrize("name", [*REAL, *COUNTS])
def test_the_band_of_an_effect_is_that_of_draws_without_their_noise(name):
    subject, model = given(name), fitted(name)
    found = effect(subject, subject.factors[0])
    rows, predictor = subject.dense_rows(N_ROWS), model._model.predictor
    for k in (5, 35):
        rows[:, 0] = found.places[k]
        draws = predictor.sample_latent(rows, 4000, np.random.default_rng(1))[:, :, 0]
        draws = draws + np.mean(model.offset_)
        if name in COUNTS:
            draws = np.exp(draws)
        assert found.mean[k] == pytest.approx(draws.mean(), rel=0.05, abs=0.05)
        assert found.std[k] == pytest.approx(draws.mean(axis=0).std(), rel=0.1)
    assert found.limits[0] == (0.0 if name in COUNTS else -np.inf)


@pytest.mark.parametrize("name", [*REAL, *COUNTS, "default", "two outputs"])
def test_the_noise_is_what_the_variance_of_targets_has_more_than_latent_values(name):
    predictor = fitted(name)._model.predictor
    std = predictor.predict_std(NEW)[1]
    mean, variance = predictor.latent_moments(NEW)
    if name in COUNTS:
        mean = np.exp(mean + 0.5 * variance + predictor.response.log_mean)
        variance = mean**2 * np.expm1(variance)
    np.testing.assert_allclose(predictor.noise_variance(NEW), std**2 - variance, rtol=1e-8)


# Calibration.


def plenty(draw, n_rows=700):
    random = np.random.default_rng(3)
    rows = random.uniform(0.0, 2.0, size=(n_rows, 1))
    return rows, draw(np.sin(3.0 * rows[:, 0]), random)


def counted(latent, random):
    return random.poisson(np.exp(0.3 * latent)).astype(float)


def heavy(latent, random):
    return latent + 0.2 * random.standard_t(3.0, size=len(latent))


@pytest.fixture(scope="module")
def of_counts():
    """A model of small counts, and rows that it has not seen."""
    rows, y = plenty(counted)
    return RVR(likelihood=Poisson(), gamma=1.0).fit(rows[:200], y[:200]), rows[200:], y[200:]


@pytest.fixture(scope="module")
def of_heavy_tails():
    """A model of noise with heavy tails, and rows that it has not seen."""
    rows, y = plenty(heavy)
    return RVR(likelihood=StudentT(), gamma=1.0).fit(rows[:200], y[:200]), rows[200:], y[200:]


def off_by(found):
    return np.abs(found.coverage - found.levels) / found.coverage_error


@pytest.mark.parametrize("kind", ["of_counts", "of_heavy_tails"])
def test_a_model_that_is_right_is_found_right(kind, request):
    model, rows, y = request.getfixturevalue(kind)
    found = calibration_report(model, rows, y)
    assert found.nlpd == pytest.approx(-model.log_density(rows, y).mean())
    assert not found.gaussian
    assert off_by(found).max() < 3.0
    shares = np.histogram(found.pit, 10, (0.0, 1.0))[0] / len(y)
    assert np.abs(shares - 0.1).max() < 0.04
    assert calibration_report(model, rows, y).pit.tolist() == found.pit.tolist()


def test_intervals_of_small_counts_hold_more_than_they_say_and_are_not_blamed(of_counts):
    model, rows, y = of_counts
    low, high = model.predict_quantiles(rows, [0.25, 0.75]).T
    assert np.mean((low <= y) & (y <= high)) > 0.7
    assert off_by(calibration_report(model, rows, y))[0] < 3.0


def test_counts_that_vary_too_much_are_found_out(of_counts):
    model, rows, _ = of_counts
    random = np.random.default_rng(5)
    wide = nbinom(0.5, 0.5 / (0.5 + np.exp(0.3 * np.sin(3.0 * rows[:, 0]))))
    found = calibration_report(model, rows, wide.rvs(random_state=random).astype(float))
    assert (found.coverage < found.levels).all()
    assert off_by(found).max() > 3.0


@pytest.mark.parametrize("dispersion", [0.0, 0.4])
def test_places_of_counts_are_those_of_their_distribution(dispersion):
    y, mean = np.arange(9.0), np.linspace(0.5, 6.0, 9)
    known = poisson(mean)
    if dispersion:
        known = nbinom(1.0 / dispersion, 1.0 / (1.0 + dispersion * mean))

    class Sure:
        """Counts whose mean is known."""

        likelihood_ = NegativeBinomial(dispersion, 0.0) if dispersion else Poisson(0.0)

        def log_density(self, X, y):
            return known.logpmf(y)

    own = judged(Sure(), mean, y, mean, known.std(), np.array([0.5, 0.9]))
    below, up_to = known.cdf(y - 1.0), known.cdf(y)
    assert ((own.pit[:, 0] > below) & (own.pit[:, 0] < up_to)).all()
    for k, (low, high) in enumerate([(0.25, 0.75), (0.05, 0.95)]):
        part = (np.minimum(up_to, high) - np.maximum(below, low)) / (up_to - below)
        np.testing.assert_allclose(own.inside[:, k, 0], np.clip(part, 0.0, 1.0), atol=1e-9)


def test_places_of_real_targets_are_those_of_their_distribution():
    class OfThree:
        """Student-t with three degrees of freedom."""

        def log_density(self, X, y):
            return student(3.0).logpdf(y)

        def predict_quantiles(self, X, levels):
            return np.tile(student(3.0).ppf(levels), (len(X), 1))

    y = np.array([-300.0, -8.0, -1.0, -0.2, 0.0, 0.3, 2.0, 40.0])
    zeros = np.zeros(len(y))
    own = judged(OfThree(), zeros, y, zeros, zeros + 3.0**0.5, np.array([0.9]))
    np.testing.assert_allclose(own.pit[:, 0], student(3.0).cdf(y), atol=4e-3)
    low, high = student(3.0).interval(0.9)
    assert own.inside[:, 0, 0].tolist() == ((low <= y) & (y <= high)).tolist()
    np.testing.assert_allclose(own.log_density[:, 0], student(3.0).logpdf(y))


def test_a_gaussian_model_has_the_places_of_a_gaussian():
    model = fitted("default")
    y = model.predict(NEW) + np.linspace(-2.0, 2.0, len(NEW))
    mean, std = model.predict(NEW, return_std=True)
    found = calibration_report(model, NEW, y)
    np.testing.assert_allclose(found.pit, norm(mean, std).cdf(y), rtol=1e-9)
    assert found.nlpd == pytest.approx(-norm(mean, std).logpdf(y).mean())


def test_pictures_name_what_they_are_of(of_counts):
    display = RegressionCalibrationDisplay.from_estimator(*of_counts)
    labels = [each.get_label() for each in display.ax_[0].lines]
    assert "predicted distribution" in labels
    assert display.ax_[1].get_xlabel() == "PIT: probability of a smaller y"


@pytest.mark.parametrize("name", ["poisson", slow("varying noise")])
def test_error_bars_of_a_model_that_is_right_are_no_reason_to_warn(name):
    found = Findings(given(name))
    assert found.trust[0].fine
    assert not any("Error bars" in each for each in cautions(found))


def test_rows_that_are_no_counts_are_refused_with_a_sentence():
    with pytest.raises(ValueError, match="counts or rates of 0 or more"):
        report(fitted("poisson"), X, KINDS["poisson"].y - 5.0, new=True)


@pytest.mark.slow
def test_the_coverage_of_a_page_is_that_of_new_rows(of_counts):
    model, rows, y = of_counts
    text = report(model, rows, y, new=True).replace("\u00a0", " ")
    found = calibration_report(model, rows, y)
    stated = re.search(r'90 %</th><td class="number">([\d.]+) ±', text)
    assert float(stated[1]) == pytest.approx(100 * found.coverage[2], abs=0.06)
