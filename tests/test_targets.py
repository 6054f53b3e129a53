"""What y is: a target can be asked for by name and by object, and is known by its likelihood."""

import numpy as np
import pytest

from sparsebayes import Heteroscedastic, NegativeBinomial, Ordinal, Poisson, StudentT
from sparsebayes.inference import Fast, Projection
from sparsebayes.likelihoods import (
    Bernoulli,
    CumulativeLogit,
    Gaussian,
    Gaussians,
    Multinomial,
    Softmax,
)
from sparsebayes.targets import OF_CLASSES, OF_NUMBERS, Given, asked_target, target_of

OBJECTS = {
    "student_t": StudentT(df=4.0, scale=2.0),
    "poisson": Poisson(log_mean=np.log(3.0)),
    "negative_binomial": NegativeBinomial(dispersion=0.5, log_mean=0.0),
    "heteroscedastic": Heteroscedastic(),
    "ordinal": Ordinal(order=("low", "high")),
}
KINDS = pytest.mark.parametrize(
    ("kinds", "kind"),
    [(kinds, kind) for kinds in (OF_NUMBERS, OF_CLASSES) for kind in kinds],
    ids=lambda value: getattr(value, "name", ""),
)
FOUND = [
    (Gaussian(), "gaussian"),
    (Gaussians(2), "gaussian"),
    (Bernoulli(), "categorical"),
    (Softmax(3), "categorical"),
    (Multinomial(3), "categorical"),
    (CumulativeLogit(3), "ordinal"),
    *((value, name) for name, value in OBJECTS.items()),
]


def number(value):
    return f"{value:.3g}"


@KINDS
def test_a_target_is_asked_for_by_the_name_of_its_likelihood(kinds, kind):
    found = asked_target(kind.name, kinds)
    assert type(found) is kind
    assert found.usual == (kind is kinds[0])
    assert (found.learned is None) == found.usual


@KINDS
def test_a_target_is_asked_for_by_its_likelihood(kinds, kind):
    if kind.name in OBJECTS:
        found = asked_target(OBJECTS[kind.name], kinds)
        assert type(found) is kind
        assert found.likelihood is OBJECTS[kind.name]


@pytest.mark.parametrize(("likelihood", "name"), FOUND, ids=lambda value: type(value).__name__)
def test_a_target_is_known_by_the_likelihood_that_was_found(likelihood, name):
    assert target_of(likelihood).name == name


@pytest.mark.parametrize("value", ["cauchy", None, 3, Poisson, Ordinal(), np.array(["poisson"])])
def test_what_is_no_likelihood_of_numbers_is_refused(value):
    with pytest.raises(ValueError, match=r"likelihood must be one of 'gaussian', 'student_t'"):
        asked_target(value, OF_NUMBERS)


def test_nothing_else_has_a_target():
    with pytest.raises(TypeError, match="no target has the likelihood 3"):
        target_of(3)


def test_what_was_learned_is_told_in_words():
    told = {
        name: target_of(each).words(number) for name, each in OBJECTS.items() if name != "ordinal"
    }
    cuts = CumulativeLogit(3, np.array([-1.0, 0.5]))
    assert told["student_t"] == "Student-t noise of scale 2 with 4 degrees of freedom"
    assert told["poisson"] == "Poisson counts, 3 where nothing is known"
    assert told["negative_binomial"].endswith("of dispersion 0.5, 1 where nothing is known")
    assert told["heteroscedastic"] == "Gaussian noise that may vary with the inputs"
    assert target_of(cuts).words(number) == "classes in an order, cut at -1, 0.5"
    assert target_of(Gaussian()).words(number) is None


def test_a_noise_goes_with_gaussian_noise_only():
    for kind in OF_NUMBERS[1:]:
        with pytest.raises(ValueError, match=f'likelihood="{kind.name}" has another'):
            asked_target(kind.name, OF_NUMBERS).asked(0.1, "shared", Fast())
        given = Given("RVR", np.ones((3, 1)), np.ones(3), noise_std=np.ones(3))
        with pytest.raises(ValueError, match="noise_std of fit is that of Gaussian noise"):
            asked_target(kind.name, OF_NUMBERS).told(given)


def test_exposures_go_with_counts_only():
    given = Given("RVR", np.ones((3, 1)), np.ones(3), exposure=np.ones(3))
    for kind in OF_NUMBERS:
        target = asked_target(kind.name, OF_NUMBERS)
        if target.counts:
            assert target.told(given)[0].obstacle(given.y).startswith("exposure needs all rows")
            assert target.check(np.ones(3), np.ones(3)).shape == (3, 2)
            continue
        for ask in (lambda target=target: target.told(given), lambda t=target: t.check(given.y, 1)):
            with pytest.raises(ValueError, match=f'got likelihood="{kind.name}"'):
                ask()


@pytest.mark.parametrize("inference", [Fast(), Projection()], ids=repr)
def test_several_outputs(inference):
    """One set of columns for all needs an inference that can, and no noise that is given."""
    real = asked_target("gaussian", OF_NUMBERS)
    assert real.asked(None, "shared", inference).several
    assert not real.asked(0.1, "shared", inference).several
    assert real.asked(0.1, "separate", inference).several


def test_the_score_of_counts_is_the_part_of_the_deviance_that_is_explained():
    target, y, weight = target_of(Poisson(0.0)), np.array([0.0, 1.0, 2.0, 5.0]), np.ones(4)
    assert target.score(y, y, weight) == 1.0
    assert target.score(y, np.full(4, 2.0), weight) == 0.0
    assert target.score(np.full(4, 2.0), np.full(4, 3.0), weight) == 0.0
    assert target_of(Gaussian()).score(y, y, weight) is None
