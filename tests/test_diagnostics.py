"""Calibration reports say what naive counting says, and tell good error bars from bad ones."""

import math
import pickle
import sys

import matplotlib as mpl
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from scipy.stats import t as student
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.calibration import calibration_curve
from sklearn.compose import TransformedTargetRegressor
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.linear_model import BayesianRidge, LinearRegression, LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from sparsebayes import RVC, RVR, EvidenceSearch
from sparsebayes.datasets import noisy_sinc, ripley_mixture
from sparsebayes.diagnostics import (
    ClassificationCalibration,
    ClassificationCalibrationDisplay,
    RegressionCalibration,
    RegressionCalibrationDisplay,
    calibration_report,
)

mpl.use("Agg")

N_ROWS = 4000
INPUTS = np.zeros((N_ROWS, 1))
NOISE = np.random.default_rng(0).normal(size=N_ROWS)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


class Says(RegressorMixin, BaseEstimator):
    """A regressor that predicts the mean and std it was given, of all rows or of each."""

    def __init__(self, mean=0.0, std=1.0):
        self.mean = mean
        self.std = std

    def fit(self, X=None, y=None):
        self.fitted_ = True
        return self

    def predict(self, X, return_std=False):
        mean, std = (np.broadcast_to(value, len(X)) for value in (self.mean, self.std))
        return (mean, std) if return_std else mean


class SaysQuantiles(Says):
    """Quantiles of a Student-t with 3 degrees of freedom and this standard deviation."""

    def predict_quantiles(self, X, quantiles):
        scale = self.std / math.sqrt(3.0)
        return np.tile(student(3).ppf(quantiles) * scale + self.mean, (len(X), 1))


class SaysProbabilities(ClassifierMixin, BaseEstimator):
    """A classifier whose probabilities are X."""

    def __init__(self, classes):
        self.classes = classes

    def fit(self, X=None, y=None):
        self.classes_ = np.asarray(self.classes)
        return self

    def predict_proba(self, X):
        return np.asarray(X)


def says(mean=0.0, std=1.0):
    return Says(mean, std).fit()


def two_columns(probability):
    return np.column_stack([1.0 - probability, probability])


# Regression: values.


def test_values_of_a_regression_are_those_of_naive_counting():
    random = np.random.default_rng(1)
    mean, std = random.normal(size=50), random.uniform(0.5, 2.0, 50)
    y = mean + 1.3 * std * random.normal(size=50)
    report = calibration_report(Says(mean, std).fit(), np.zeros((50, 1)), y, levels=(0.3, 0.9))
    assert isinstance(report, RegressionCalibration)
    rows = list(zip(y, mean, std, strict=True))
    for level, coverage in zip((0.3, 0.9), report.coverage, strict=True):
        intervals = [norm(m, s).interval(level) for _, m, s in rows]
        inside = [low <= t <= high for t, (low, high) in zip(y, intervals, strict=True)]
        assert coverage == sum(inside) / 50
    assert_allclose(report.pit, [norm(m, s).cdf(t) for t, m, s in rows], rtol=1e-12)
    assert_allclose(report.nlpd, -np.mean([norm(m, s).logpdf(t) for t, m, s in rows]), rtol=1e-12)
    assert_allclose(report.sharpness, sum(std) / 50, rtol=1e-12)
    assert_allclose(report.rmse, math.sqrt(sum((y - mean) ** 2) / 50), rtol=1e-12)
    assert_allclose(report.coverage_error, [math.sqrt(0.21 / 50), math.sqrt(0.09 / 50)])
    assert_array_equal(report.levels, [0.3, 0.9])
    assert report.n_samples == 50


def off_by(report):
    return (report.coverage - report.levels) / report.coverage_error


def test_a_calibrated_regressor_covers_its_levels():
    report = calibration_report(says(), INPUTS, NOISE)
    assert np.abs(off_by(report)).max() < 3.0
    assert np.abs(np.histogram(report.pit, 10, (0, 1))[0] / N_ROWS - 0.1).max() < 0.02


@pytest.mark.parametrize(("std", "sign"), [(0.5, -1), (0.8, -1), (1.25, 1), (2.0, 1)])
def test_error_bars_that_are_too_small_or_too_large_are_told(std, sign):
    report = calibration_report(says(std=std), INPUTS, NOISE)
    assert np.all(sign * off_by(report) > 5.0)
    assert report.nlpd > calibration_report(says(), INPUTS, NOISE).nlpd


def test_means_that_are_off_are_seen_in_the_pit():
    report = calibration_report(says(mean=-0.5), INPUTS, NOISE)
    assert report.pit.mean() > 0.6


def test_coverage_is_that_of_the_estimators_own_quantiles():
    heavy = student(3).rvs(N_ROWS, random_state=0)
    own = SaysQuantiles(std=math.sqrt(3.0)).fit()
    report = calibration_report(own, INPUTS, heavy)
    for level, coverage in zip(report.levels, report.coverage, strict=True):
        low, high = student(3).interval(level)
        assert coverage == np.mean((low <= heavy) & (heavy <= high))
    gaussian = calibration_report(says(std=math.sqrt(3.0)), INPUTS, heavy)
    assert np.abs(off_by(report)).max() < 3.0
    assert off_by(gaussian).max() > 5.0
    assert_array_equal(report.pit, gaussian.pit)


# Regression: standard deviations of zero.


def test_certainty_that_is_wrong_has_an_infinite_nlpd():
    model = says(np.zeros(4), np.array([0.0, 0.0, 0.0, 1.0]))
    report = calibration_report(model, np.zeros((4, 1)), [0.0, -1.0, 2.0, 0.1])
    assert_allclose(report.pit, [0.5, 0.0, 1.0, norm.cdf(0.1)])
    assert_array_equal(report.coverage, [0.5, 0.5, 0.5, 0.5])
    assert report.nlpd == math.inf
    assert "nlpd inf" in str(report)


def test_certainty_that_is_right_has_an_nlpd_of_minus_infinity():
    report = calibration_report(says(2.0, 0.0), np.zeros((3, 1)), [2.0, 2.0, 2.0])
    assert_array_equal(report.coverage, 1.0)
    assert report.nlpd == -math.inf


def test_a_tiny_standard_deviation_beside_one_of_zero_is_no_nan():
    model = says(np.zeros(2), np.array([0.0, 1e-200]))
    report = calibration_report(model, np.zeros((2, 1)), [0.0, 1.0])
    assert report.nlpd == math.inf
    assert_array_equal(report.pit, [0.5, 1.0])
    assert calibration_report(says(std=1e-320), np.zeros((1, 1)), [1.0]).nlpd == math.inf


# Regression: estimators.

SINC, TARGET = noisy_sinc(60, random_state=0)
NEW, NEW_TARGET = noisy_sinc(200, random_state=1)


@pytest.mark.parametrize(
    "model",
    [
        RVR(gamma=0.1),
        EvidenceSearch(RVR(), {"gamma": [0.05, 0.1]}),
        GaussianProcessRegressor(alpha=0.01),
        BayesianRidge(),
        make_pipeline(StandardScaler(), BayesianRidge()),
        make_pipeline(StandardScaler(), RVR(gamma=3.0)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_regressors_with_error_bars(model):
    model.fit(SINC, TARGET)
    report = calibration_report(model, NEW, NEW_TARGET)
    mean, std = model.predict(NEW, return_std=True)
    assert_allclose(report.pit, norm(mean, std).cdf(NEW_TARGET), rtol=1e-9)
    inside = np.abs(NEW_TARGET - mean)[:, None] <= std[:, None] * norm.ppf(0.5 + report.levels / 2)
    assert_array_equal(report.coverage, inside.mean(axis=0))


def test_quantiles_of_a_variational_fit():
    model = RVR(gamma=0.1, inference="variational").fit(SINC[::4], TARGET[::4])
    report = calibration_report(model, NEW, NEW_TARGET, levels=[0.9])
    low, high = model.predict_quantiles(NEW, [0.05, 0.95]).T
    assert_array_equal(report.coverage, [np.mean((low <= NEW_TARGET) & (high >= NEW_TARGET))])


def test_one_output_as_a_column():
    expected = calibration_report(RVR(gamma=0.1).fit(SINC, TARGET), NEW, NEW_TARGET)
    model = RVR(gamma=0.1).fit(SINC, TARGET[:, None])
    assert model.predict(NEW).ndim == 2
    report = calibration_report(model, NEW, NEW_TARGET[:, None])
    assert_allclose(report.coverage, expected.coverage)
    assert_allclose(report.nlpd, expected.nlpd)


def test_tables_of_pandas():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(NEW, columns=["x"])
    model = BayesianRidge().fit(table, NEW_TARGET)
    report = calibration_report(model, table, pandas.Series(NEW_TARGET))
    assert report.n_samples == 200


# Regression: errors.


@pytest.mark.parametrize(
    "model",
    [
        LinearRegression(),
        make_pipeline(StandardScaler(), LinearRegression()),
        GridSearchCV(BayesianRidge(), {"max_iter": [100, 300]}, cv=2),
        TransformedTargetRegressor(BayesianRidge()),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_regressor_without_error_bars(model):
    name = type(model).__name__
    model.fit(SINC, TARGET)
    with pytest.raises(TypeError, match=rf"needs predict\(X, return_std=True\), which {name}"):
        calibration_report(model, NEW, NEW_TARGET)


def test_a_regressor_that_ignores_return_std():
    class Deaf(Says):
        def predict(self, X, **options):
            return np.zeros(len(X))

    with pytest.raises(TypeError, match="Deaf does not answer with a mean"):
        calibration_report(Deaf().fit(), INPUTS, NOISE)


def test_errors_of_the_estimator_come_as_they_are():
    with pytest.raises(ValueError, match="2 features"):
        calibration_report(BayesianRidge().fit(SINC, TARGET), np.zeros((5, 2)), np.zeros(5))


@pytest.mark.parametrize("model", [RVR(), RVC(), BayesianRidge(), LinearSVC()])
def test_an_estimator_that_is_not_fitted(model):
    with pytest.raises(NotFittedError):
        calibration_report(model, NEW, NEW_TARGET)


def test_several_outputs():
    outputs = np.column_stack([TARGET, -TARGET])
    model = RVR(gamma=0.1).fit(SINC, outputs)
    with pytest.raises(ValueError, match=r"one output, got y of shape \(60, 2\)"):
        calibration_report(model, SINC, outputs)
    with pytest.raises(ValueError, match=r"one output, got a mean of shape \(60, 2\)"):
        calibration_report(model, SINC, TARGET)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.zeros((0, 1)), [], "0 sample"),
        (np.zeros((3, 1)), [0.0, 1.0], "inconsistent numbers of samples"),
        (np.zeros((2, 1)), [0.0, np.nan], "y contains NaN"),
        (np.zeros((2, 1)), ["a", "b"], "could not convert string"),
    ],
)
def test_targets_that_cannot_be_used(X, y, message):
    with pytest.raises(ValueError, match=message):
        calibration_report(says(), X, y)


@pytest.mark.parametrize("levels", [0.9, [], [0.0, 0.5], [0.5, 1.0], [95], [np.nan]])
def test_levels_that_are_none(levels):
    with pytest.raises(ValueError, match="levels must be a list of numbers between 0 and 1, got"):
        calibration_report(says(), INPUTS, NOISE, levels=levels)


@pytest.mark.parametrize(("mean", "std"), [(0.0, -1.0), (0.0, np.nan), (np.inf, 1.0)])
def test_predictions_that_are_none(mean, std):
    with pytest.raises(
        ValueError, match="Says predicts a mean or a standard deviation that is not"
    ):
        calibration_report(says(mean, std), INPUTS, NOISE)


# Classification: values.


def test_values_of_two_classes_are_those_of_naive_counting():
    random = np.random.default_rng(2)
    probability = random.uniform(size=300) ** 2
    y = np.where(random.uniform(size=300) < probability, "yes", "no")
    model = SaysProbabilities(["no", "yes"]).fit()
    report = calibration_report(model, two_columns(probability), y, n_bins=4)
    assert isinstance(report, ClassificationCalibration)
    for k in range(4):
        rows = [i for i, p in enumerate(probability) if k / 4 < p <= (k + 1) / 4]
        p = probability[rows]
        assert report.count[k] == len(rows)
        assert_allclose(report.confidence[k], sum(p) / len(rows))
        assert_allclose(report.accuracy[k], sum(y[rows] == "yes") / len(rows))
        assert_allclose(report.accuracy_error[k], math.sqrt(sum(p * (1 - p))) / len(rows))
    gaps = np.abs(report.accuracy - report.confidence)
    assert_allclose(report.expected_calibration_error, sum(report.count * gaps) / 300)
    assert report.error == np.mean((probability > 0.5) != (y == "yes"))
    assert_array_equal(report.edges, [0.0, 0.25, 0.5, 0.75, 1.0])
    assert_array_equal(report.classes, ["no", "yes"])
    assert report.n_samples == 300


def test_two_classes_agree_with_scikit_learn():
    X, y = ripley_mixture(200, random_state=0)
    model = RVC(gamma=4.0).fit(X, y)
    new, truth = ripley_mixture(400, random_state=1)
    probability = model.predict_proba(new)
    report = calibration_report(model, new, truth)
    accuracy, confidence = calibration_curve(truth, probability[:, 1], n_bins=10)
    filled = report.count > 0
    assert_allclose(report.accuracy[filled], accuracy)
    assert_allclose(report.confidence[filled], confidence)
    assert_allclose(report.log_loss, log_loss(truth, probability))
    assert_allclose(report.brier, brier_score_loss(truth, probability[:, 1]))
    assert_allclose(report.error, 1.0 - model.score(new, truth))


def three_classes(n_rows=600):
    random = np.random.default_rng(3)
    probability = random.dirichlet([1.0, 1.0, 1.0], size=n_rows)
    return probability, np.array([random.choice(3, p=row) for row in probability])


def test_values_of_three_classes_are_those_of_naive_counting():
    probability, truth = three_classes()
    labels = np.array(["c", "a", "b"])  # in no order
    report = calibration_report(SaysProbabilities(labels).fit(), probability, labels[truth])
    top, hit = probability.max(axis=1), probability.argmax(axis=1) == truth
    for k in range(10):
        rows = (k / 10 < top) & (top <= (k + 1) / 10)
        assert report.count[k] == rows.sum()
        if rows.any():
            assert_allclose(report.confidence[k], top[rows].mean())
            assert_allclose(report.accuracy[k], hit[rows].mean())
    losses = [-math.log(row[k]) for row, k in zip(probability, truth, strict=True)]
    assert_allclose(report.log_loss, sum(losses) / 600)
    one_hot = np.array([[k == c for c in range(3)] for k in truth])
    assert_allclose(report.brier, np.mean([sum(d**2) for d in probability - one_hot]))
    assert_allclose(report.error, 1.0 - hit.mean())


def test_bins_without_rows_are_nan_and_not_shown():
    probability, truth = three_classes()
    report = calibration_report(SaysProbabilities([0, 1, 2]).fit(), probability, truth)
    assert report.count[0] == 0
    assert_array_equal(np.isnan(report.confidence), report.count == 0)
    assert_array_equal(np.isnan(report.accuracy), report.count == 0)
    assert np.isfinite(report.expected_calibration_error)
    assert "nan" not in str(report)


def test_a_confidence_on_an_edge_is_in_the_bin_below():
    rows = two_columns(np.array([0.0, 0.5, 0.75, 1.0]))
    report = calibration_report(SaysProbabilities([0, 1]).fit(), rows, [0, 0, 1, 1], n_bins=4)
    assert_array_equal(report.count, [1, 1, 1, 1])


def gap_in_errors(report):
    filled = report.count > 20
    gap = (report.accuracy - report.confidence) / report.accuracy_error
    return np.abs(gap[filled]).max()


def test_a_calibrated_classifier_and_one_that_is_too_sure():
    probability, truth = three_classes(3000)
    model = SaysProbabilities([0, 1, 2]).fit()
    calibrated = calibration_report(model, probability, truth)
    too_sure = probability**3 / (probability**3).sum(axis=1, keepdims=True)
    sure = calibration_report(model, too_sure, truth)
    assert gap_in_errors(calibrated) < 3.0
    assert gap_in_errors(sure) > 6.0
    assert sure.expected_calibration_error > 3 * calibrated.expected_calibration_error
    assert sure.log_loss > calibrated.log_loss
    assert sure.error == calibrated.error


def test_a_probability_of_zero_for_the_truth_is_a_finite_loss():
    report = calibration_report(SaysProbabilities([0, 1]).fit(), [[1.0, 0.0], [1.0, 0.0]], [0, 1])
    assert_allclose(report.log_loss, log_loss([0, 1], [[1.0, 0.0], [1.0, 0.0]]))
    assert report.brier == 0.5


@pytest.mark.parametrize(
    "labels",
    [[False, True], [3, 7], [-1.0, 1.0], ["a", "b"], np.array(["a", "b"], dtype=object)],
    ids=str,
)
def test_labels_of_any_type(labels):
    X, y = ripley_mixture(80, random_state=0)
    model = LogisticRegression().fit(X, np.asarray(labels)[y])
    report = calibration_report(model, X, np.asarray(labels)[y])
    expected = calibration_report(LogisticRegression().fit(X, y), X, y)
    assert_allclose(report.accuracy, expected.accuracy)
    assert_allclose(report.log_loss, expected.log_loss)


@pytest.mark.parametrize("dtype", ["category", "string", "object"])
def test_labels_of_pandas(dtype):
    pandas = pytest.importorskip("pandas")
    X, y = ripley_mixture(80, random_state=0)
    labels = pandas.Series(np.array(["a", "b"])[y], dtype=dtype)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, labels)
    assert calibration_report(model, X, labels).error < 0.3


def test_some_classes_are_missing_in_y():
    report = calibration_report(SaysProbabilities(["a", "b", "c"]).fit(), [[0.2, 0.3, 0.5]], ["c"])
    assert report.error == 0.0
    assert "1 rows, 3 classes" in str(report)


def test_one_class():
    model = DummyClassifier().fit(INPUTS, np.ones(N_ROWS))
    report = calibration_report(model, INPUTS, np.ones(N_ROWS))
    assert report.error == report.brier == report.expected_calibration_error == 0.0


# Classification: errors.


def test_labels_that_the_estimator_has_not_seen():
    model = SaysProbabilities(["a", "b"]).fit()
    message = r"SaysProbabilities has not seen: \['c', 'd'\]; expected some of \['a', 'b'\]"
    with pytest.raises(ValueError, match=message):
        calibration_report(model, np.full((3, 2), 0.5), ["d", "a", "c"])


def test_a_classifier_without_probabilities():
    X, y = ripley_mixture(80, random_state=0)
    with pytest.raises(TypeError, match="needs predict_proba, which LinearSVC does not have"):
        calibration_report(LinearSVC().fit(X, y), X, y)


@pytest.mark.parametrize("y", [[0.0, np.nan], np.array(["a", np.nan], dtype=object)])
def test_labels_that_are_nan(y):
    with pytest.raises(ValueError, match="NaN"):
        calibration_report(SaysProbabilities([0, 1]).fit(), np.full((2, 2), 0.5), y)


def test_labels_of_several_outputs():
    X, y = ripley_mixture(80, random_state=0)
    labels = np.column_stack([y, 1 - y])
    model = KNeighborsClassifier().fit(X, labels)
    with pytest.raises(ValueError, match="takes one output"):
        calibration_report(model, X, labels)


@pytest.mark.parametrize("rows", [[[0.5, 0.6]], [[-0.5, 1.5]], [[np.nan, 1.0]]])
def test_numbers_that_are_no_probabilities(rows):
    with pytest.raises(ValueError, match="SaysProbabilities gives numbers that are no prob"):
        calibration_report(SaysProbabilities([0, 1]).fit(), rows, [0])


def test_probabilities_of_another_shape():
    with pytest.raises(ValueError, match=r"shape \(1, 3\); expected a row for each of 1"):
        calibration_report(SaysProbabilities([0, 1]).fit(), [[0.2, 0.3, 0.5]], [0])


@pytest.mark.parametrize(("n_bins", "error"), [(0, ValueError), (2.5, TypeError)])
def test_bins_that_are_none(n_bins, error):
    with pytest.raises(error, match="n_bins"):
        calibration_report(SaysProbabilities([0, 1]).fit(), [[0.5, 0.5]], [0], n_bins=n_bins)
    with pytest.raises(error, match="n_bins"):
        RegressionCalibrationDisplay.from_estimator(says(), INPUTS, NOISE, n_bins=n_bins)


# Reports.


def test_a_regression_as_text():
    report = calibration_report(says(std=0.5), np.zeros((4, 1)), [0.1, 1.0, 0.2, -0.3])
    head, names, first, *rest = str(report).splitlines()
    assert head == "4 rows: rmse 0.5339, sharpness (mean std) 0.5, nlpd 0.7958"
    assert names.split() == ["level", "coverage", "standard", "error", "off", "by"]
    assert first.split() == ["0.5", "0.750", "0.250", "+1.0", "errors"]
    assert len(rest) == 3
    assert len({len(line) for line in (names, first, *rest)}) == 1


def test_a_classification_as_text():
    model = SaysProbabilities(["no", "yes"]).fit()
    report = calibration_report(model, two_columns(np.array([0.1, 0.2, 0.9])), ["no", "no", "yes"])
    head, names, *rows = str(report).splitlines()
    assert head.startswith("3 rows, 2 classes: error 0, log loss 0.1446, brier 0.02,")
    assert names == "probability of yes  share of yes  standard error  rows"
    assert [line.split()[0] for line in rows] == ["0.100", "0.200", "0.900"]


def test_reports_are_frozen_and_can_be_stored():
    report = calibration_report(says(), INPUTS, NOISE)
    with pytest.raises(AttributeError, match="nlpd"):
        report.nlpd = 0.0
    assert str(pickle.loads(pickle.dumps(report))) == str(report)
    assert len(repr(report)) < 500  # without the pit of every row


# Pictures.


def test_pictures_of_a_regression():
    display = RegressionCalibrationDisplay.from_estimator(says(), INPUTS, NOISE, n_bins=8)
    coverage, histogram = display.ax_
    assert display.figure_ is coverage.figure is histogram.figure
    lines = {line.get_label(): line.get_xydata() for line in coverage.lines}
    grid, curve = lines["Gaussian of mean and std"].T
    counted = [np.mean(np.abs(NOISE) <= norm.ppf(0.5 + level / 2)) for level in grid]
    assert len(grid) > 100
    assert_allclose(curve, counted, atol=2 / N_ROWS)
    report = display.report
    expected = np.column_stack([report.levels, report.coverage])
    assert_array_equal(lines["levels of the report"], expected)
    assert len(coverage.collections) == 1  # the band of a calibrated model
    (bars,) = histogram.containers
    counts = np.histogram(report.pit, 8, (0, 1))[0]
    assert_allclose([bar.get_height() for bar in bars], counts / N_ROWS * 8)


def test_pictures_of_a_report_on_given_axes():
    from matplotlib import pyplot

    report = calibration_report(says(), INPUTS, NOISE, levels=[0.2, 0.4, 0.6])
    _, axes = pyplot.subplots(2, 1)
    display = RegressionCalibrationDisplay.from_report(report, ax=axes)
    assert display.ax_[0] is axes[0]
    assert display.ax_[1] is axes[1]
    assert display.report is report


def test_a_picture_of_certainty():
    y = np.arange(N_ROWS) % 4 == 0  # a quarter is not as predicted
    display = RegressionCalibrationDisplay.from_estimator(says(std=0.0), INPUTS, y)
    display.figure_.canvas.draw()
    curve = display.ax_[0].lines[1].get_ydata()
    assert_array_equal(curve[:-1], 0.75)
    assert curve[-1] == 1.0


@pytest.mark.parametrize("n_classes", [2, 3])
def test_pictures_of_a_classification(n_classes):
    probability, truth = three_classes()
    if n_classes == 2:
        probability, truth = two_columns(probability[:, 0]), (truth == 0).astype(int)
    labels = np.array(["ant", "bee", "cow"])[:n_classes]
    model = SaysProbabilities(labels).fit()
    display = ClassificationCalibrationDisplay.from_estimator(model, probability, labels[truth])
    reliability, rows = display.ax_
    report = display.report
    filled = report.count > 0
    (dots,) = (line for line in reliability.lines if line.get_marker() == "o")
    points = np.column_stack([report.confidence, report.accuracy])[filled]
    assert_array_equal(dots.get_xydata(), points)
    assert len(reliability.containers) == 1  # the standard errors
    assert [bar.get_height() for bar in rows.patches] == list(report.count)
    assert [bar.get_x() for bar in rows.patches] == list(report.edges[:-1])
    assert rows.get_xlabel() == ("probability of bee" if n_classes == 2 else "confidence")
    assert display.figure_ is rows.figure


def test_displays_refuse_the_other_kind_of_estimator():
    X, y = ripley_mixture(80, random_state=0)
    with pytest.raises(TypeError, match=r"needs predict\(X, return_std=True\)"):
        RegressionCalibrationDisplay.from_estimator(LogisticRegression().fit(X, y), X, y)
    with pytest.raises(TypeError, match="needs predict_proba, which BayesianRidge"):
        ClassificationCalibrationDisplay.from_estimator(BayesianRidge().fit(X, y), X, y)


def test_two_axes_are_needed():
    from matplotlib import pyplot

    report = calibration_report(says(), INPUTS, NOISE)
    with pytest.raises(ValueError, match="ax must be None or 2 axes"):
        RegressionCalibrationDisplay.from_report(report, ax=pyplot.subplots()[1])


def test_without_matplotlib(monkeypatch):
    report = calibration_report(says(), INPUTS, NOISE)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"sparsebayes\[plot\]"):
        RegressionCalibrationDisplay.from_report(report)
