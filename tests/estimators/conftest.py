"""Fitted models that many tests ask; none of these tests may change them."""

import pytest
from estimator_data import BLOBS, CLASSES, LABELS, MOONS, OUTPUTS, X, Y

from sparsebayes import RVC, RVR


@pytest.fixture(scope="session")
def regressor():
    return RVR(gamma=0.1).fit(X, Y)


@pytest.fixture(scope="session")
def fast():
    """The relevance vector machine of the papers, with the mean of the targets taken out."""
    return RVR(gamma=0.1, inference="fast").fit(X, Y)


@pytest.fixture(scope="session")
def with_bias():
    """The regression of [T01]: the bias is a column that has to explain the offset."""
    return RVR(gamma=0.1, fit_intercept="column", inference="fast").fit(X, Y + 5.0)


@pytest.fixture(scope="session")
def without_covering():
    """A default model that was made small: its error bars are those of its weights."""
    return RVR(gamma=0.1).fit(X, Y).drop_covering()


@pytest.fixture(scope="session")
def classifier():
    return RVC(gamma="scale").fit(MOONS, LABELS)


def by_both(*kinds):
    """Each of the kinds by "projection" and by "fast"."""
    return [f"{inference} {kind}" for inference in ("projection", "fast") for kind in kinds]


@pytest.fixture(scope="session", params=by_both("ovr", "softmax", "shared_softmax"))
def of_classes(request):
    """A classifier of three classes, of every kind."""
    inference, kind = request.param.split()
    return RVC(gamma=0.5, multi_class=kind, inference=inference).fit(BLOBS, CLASSES)


@pytest.fixture(scope="session", params=by_both("shared", "separate"))
def of_outputs(request):
    """A regressor of three outputs, of both kinds."""
    inference, kind = request.param.split()
    return RVR(gamma=0.1, multi_output=kind, inference=inference).fit(X, OUTPUTS)
