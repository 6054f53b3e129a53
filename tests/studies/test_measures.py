"""What is measured of models, beyond errors."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC, SVR

from studies import models
from studies.beyond.draws import gaussian_process
from studies.data.samples import friedman, moons
from studies.measures import calibration_error, density, measured, n_vectors, vectors_of
from studies.speed.measure import kernel_evidence

ONE = friedman(1, 0, 50)
TWO = moons(0, 50)


def test_vectors_of_a_search_are_those_of_its_best_model():
    search = GridSearchCV(SVR(), {"C": [1.0, 10.0]}).fit(ONE.X, ONE.y)
    assert n_vectors(search) == len(search.best_estimator_.support_)


def test_distinct_vectors_of_several_classifiers():
    model = OneVsRestClassifier(SVC()).fit(TWO.X, TWO.y + (TWO.X[:, 0] > 1))
    assert len(vectors_of(model)) < n_vectors(model)
    assert len(np.unique(vectors_of(model))) == len(vectors_of(model))


def test_a_model_without_a_distribution_has_no_density():
    assert density(ONE, SVR().fit(ONE.X, ONE.y)) == {}
    assert density(TWO, SVC().fit(TWO.X, TWO.y)) == {}


def test_all_measures_of_a_regression():
    found = measured(ONE, lambda: models.rvr(gamma=0.1).fit(ONE.X, ONE.y))
    assert set(found) == {"error", "seconds", "loss", "coverage", "vectors", "evidence"}


def test_calibration_error_of_what_is_always_right_is_its_doubt():
    probability = np.array([[0.9, 0.1], [0.1, 0.9]])
    assert calibration_error(probability, np.array([0, 1])) == pytest.approx(0.1)


@pytest.mark.parametrize("one", [ONE, TWO], ids=["regression", "classes"])
def test_evidence_from_weights_alone_is_that_of_the_fit(one):
    gamma = one.gamma(0.3)
    model = models.machine(one.is_regression, gamma=gamma, tol=1e-6, **models.NO_BIAS)
    model.fit(one.X, one.y)
    noise = model.noise_std_**-2 if one.is_regression else 1.0
    found = kernel_evidence(one, gamma, model.relevance_, model.dual_coef_[0], noise)
    assert found == pytest.approx(model.log_evidence_, abs=1e-4)


def test_probabilities_of_a_gaussian_process():
    found = measured(TWO, lambda: gaussian_process(TWO))
    assert 0 < found["loss"] < 1
    assert found["error"] < 30
    assert "vectors" not in found
