"""Effects, relevance, trust and remarks, beside what is computed by other means."""

import numpy as np
import pytest
from carried import X, Y, fitted
from scipy.special import expit
from scipy.stats import norm

from sparsebayes import RVR, GaussianKernel, SparseBayesRegressor
from sparsebayes.report.effects import N_ROWS, effect, relevance
from sparsebayes.report.findings import Findings
from sparsebayes.report.given import checked
from sparsebayes.report.held_out import TargetPredictions
from sparsebayes.report.scores import of_targets, target_calibration, trust_in_error_bars
from sparsebayes.report.sections.fit import cautions
from sparsebayes.report.sections.inputs import _most_relevant


def given(name, inputs=X, target=Y):
    return checked(fitted(name), inputs, target, new=False)


def test_an_effect_is_the_average_of_predictions():
    subject = given("default")
    found = effect(subject, subject.factors[0])
    rows = subject.dense_rows(N_ROWS)
    for place, mean in zip(found.places, found.mean, strict=True):
        rows[:, 0] = place
        assert mean == pytest.approx(fitted("default").predict(rows).mean(), rel=1e-12)


def test_the_band_of_a_linear_effect_is_that_of_its_coefficients():
    subject, model = given("linear"), fitted("linear")
    found = effect(subject, subject.factors[0])
    names = model.column_names_
    rows = subject.dense_rows(N_ROWS)
    for place, std in zip(found.places, found.std, strict=True):
        point = {"x0": place, "x1": rows[:, 1].mean()}
        phi = np.array([point.get(name, 1.0) for name in names])
        assert std == pytest.approx(np.sqrt(phi @ model.covariance_ @ phi), rel=1e-7)


def test_the_band_of_a_process_is_that_of_draws_of_it():
    subject, model = given("default"), fitted("default")
    found = effect(subject, subject.factors[1])
    rows = subject.dense_rows(N_ROWS)
    for k in (0, 20, 40):
        rows[:, 1] = found.places[k]
        draws = model._model.predictor.sample_latent(rows, 4000, np.random.default_rng(1))
        assert found.std[k] == pytest.approx(draws.mean(axis=0).std(), rel=0.05)


def test_the_band_of_a_probability_is_that_of_draws_of_its_weights():
    target = np.where(Y > 3.2, "yes", "no")
    subject, model = given("two classes, fast", target=target), fitted("two classes, fast")
    found = effect(subject, subject.factors[0])
    rows, random = subject.dense_rows(N_ROWS), np.random.default_rng(7)
    weights = random.multivariate_normal(model.weights_, model.covariance_, size=4000)
    for k in (5, 20, 35):
        rows[:, 0] = found.places[k]
        share = expit(model._model.columns.evaluate(rows) @ weights.T).mean(axis=0)
        assert found.std[k, 1] == pytest.approx(share.std(), rel=0.2)
        assert found.mean[k, 1] == pytest.approx(share.mean(), abs=0.01)


@pytest.mark.parametrize(
    "name", ["each class, fast", "softmax, fast", "shared softmax, fast", "ordered"]
)
def test_draws_of_several_classes_have_the_mean_of_their_probabilities(name):
    target = np.digitize(Y, [2.8, 3.6])
    subject, predictor = given(name, target=target), fitted(name)._model.predictor
    draws = predictor.sample_latent(subject.X, 4000, np.random.default_rng(3))
    found = predictor.response.known(draws).mean(axis=(0, 1))
    expected = fitted(name).predict_proba(subject.X).mean(axis=0)
    assert found == pytest.approx(expected, abs=0.02)


def test_probabilities_of_classes_sum_to_one_along_an_effect():
    target = np.digitize(Y, [2.8, 3.6])
    subject = given("three classes", target=target)
    found = effect(subject, subject.factors[0])
    assert found.mean.sum(axis=1) == pytest.approx(1.0)


def test_the_relevance_is_that_of_the_model_where_it_has_one():
    assert np.array_equal(relevance(given("default")), fitted("default").input_relevance_)


def test_the_relevance_of_a_model_without_one_is_the_share_of_variance():
    random = np.random.default_rng(0)
    rows = random.uniform(-1.0, 1.0, size=(150, 3))
    target = 3.0 * rows[:, 0] + rows[:, 1] + 0.05 * random.normal(size=150)
    model = SparseBayesRegressor(GaussianKernel(width=2.0)).fit(rows, target)
    assert not hasattr(model, "input_relevance_")
    found = relevance(checked(model, rows, target, new=False))
    # The shares of 3 a and b, of variances 9 and 1.
    assert found == pytest.approx([0.9, 0.1, 0.0], abs=0.1)


def predictions(scale, n_rows=400, seed=0):
    """Targets of unit noise, and predictions whose error bars are a multiple of it."""
    observed = np.random.default_rng(seed).normal(size=n_rows)
    reach = scale * np.array([0.6744897501960817, 1.2815515655446004, 1.6448536269514722, 1.96])
    inside = (np.abs(observed)[:, None] <= reach).astype(float)
    zero, density = np.zeros(n_rows), norm(0.0, scale)
    pit, log_density = density.cdf(observed), density.logpdf(observed)
    return TargetPredictions(
        np.arange(n_rows), observed, zero, zero + scale, inside, pit, log_density, zero
    )


@pytest.mark.parametrize(
    ("scale", "fine", "words"),
    [(1.0, True, "Nothing says"), (0.5, False, "too small"), (2.0, False, "too large")],
)
def test_error_bars_of_a_wrong_size_are_found_out(scale, fine, words):
    found = predictions(scale)
    trust = trust_in_error_bars(found, target_calibration(found))
    assert trust.fine == fine
    assert words in trust.finding


def test_a_model_that_predicts_the_mean_is_not_clearly_better():
    found = predictions(1.0)
    assert of_targets(found).verdict == "not clearly better than"


def test_a_model_that_is_off_is_worse():
    found = predictions(1.0)
    off = TargetPredictions(**{**vars(found), "mean": found.mean + 2.0})
    assert of_targets(off).verdict == "worse than"


def test_a_good_model_has_no_remarks():
    assert cautions(Findings(given("default"))) == []


def test_training_rows_that_are_said_to_be_new_are_found_out():
    found = cautions(Findings(checked(fitted("default"), X, Y, new=True)))
    assert any("the model has seen some of them or all" in each for each in found)
    found = cautions(Findings(checked(fitted("default"), X + 0.01, Y, new=True)))
    assert not any("the model has seen" in each for each in found)
    some = cautions(Findings(checked(fitted("default"), X[:45], Y[:45], new=True)))
    assert any("the model has seen some of them or all" in each for each in some)


def test_error_bars_that_shrink_are_remarked_on():
    found = cautions(Findings(given("fast")))
    assert any("shrink away from the data" in each for each in found)
    assert not any("shrink" in each for each in cautions(Findings(given("linear"))))


def test_a_fit_that_did_not_end_well_is_remarked_on():
    found = cautions(Findings(given("sigmoid kernel")))
    assert any(each.startswith("The fit did not end well.") for each in found)


def test_a_model_of_most_rows_is_remarked_on():
    found = cautions(Findings(given("laplacian kernel")))
    assert any("52 of 60 rows as vectors" in each for each in found)


def test_rows_that_stand_alone_are_named():
    rows = np.vstack([X, [[40.0, 40.0]]])
    target = np.append(Y, 3.0)
    model = RVR(gamma=1.0, noise_std=0.5).fit(rows, target)
    rows[-1] = 80.0
    found = cautions(Findings(checked(model, rows, target, new=False)))
    assert any("stand alone (rows 60, counted from 0)" in each for each in found)


def test_shares_that_sum_to_more_than_one_do_not_lead_the_page():
    """The target is the difference of inputs that are nearly equal."""
    random = np.random.default_rng(0)
    rows = random.normal(size=(60, 1)) + 0.1 * random.normal(size=(60, 3))
    target = rows[:, 0] - rows[:, 1] + 0.01 * random.normal(size=60)
    model = RVR(kernel="linear").fit(rows, target)
    found = Findings(checked(model, rows, target, new=False))
    assert found.relevance.sum() > 2.0
    text = _most_relevant(found)
    assert text.startswith("Inputs stand in for one another")
    assert "matters most" not in text


def test_the_input_that_matters_most_leads_the_page():
    text = _most_relevant(Findings(given("default")))
    assert "matters most: it has a part in" in text
