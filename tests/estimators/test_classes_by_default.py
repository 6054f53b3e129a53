"""RVC() with three and more classes: one softmax, whose classes share their vectors."""

import numpy as np
import pytest
from estimator_data import BLOBS, CLASSES, LABELS, MOONS, NEW_BLOBS
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import softmax
from sklearn.base import clone
from sklearn.datasets import load_digits, make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.utils.class_weight import compute_sample_weight

from sparsebayes import (
    RVC,
    Bias,
    GaussianKernel,
    LaplacianKernel,
    Linear,
    Outcome,
    Projection,
    SparseBayesClassifier,
)

pytestmark = pytest.mark.slow  # the whole module: the quick lane has a minute

# Warnings are errors, but for these: that there is nothing to tell classes apart by, and how many
# classes there are (of scikit-learn).
nothing_found = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
many_classes = pytest.mark.filterwarnings("ignore:The number of unique classes:UserWarning")

FOUR = 2 * (MOONS[:, 0] > 0.5) + (MOONS[:, 1] > 0.3)
DATA = {"three": (BLOBS, CLASSES), "four": (MOONS, FOUR)}
KINDS = [RVC(), RVC(gamma=0.5), RVC("laplacian"), RVC("linear"), RVC("poly", coef0=1.0)]
EVERY = pytest.mark.parametrize("kind", KINDS, ids=str)
OF_DATA = pytest.mark.parametrize(("inputs", "y"), DATA.values(), ids=DATA)


@pytest.fixture(scope="module")
def default():
    return RVC().fit(BLOBS, CLASSES)


def sane(model, inputs):
    """Probabilities, finite weights, and predictions that are classes; the probabilities."""
    probability = model.predict_proba(inputs)
    assert probability.shape == (inputs.shape[0], len(model.classes_))
    assert np.all((probability >= 0.0) & (probability <= 1.0))
    assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)
    place = np.searchsorted(model.classes_, model.predict(inputs))
    chosen = np.take_along_axis(probability, place[:, None], axis=1)[:, 0]
    assert_allclose(chosen, probability.max(axis=1), rtol=1e-12)  # far away they are equal
    for numbers in (model.weights_, model.log_evidence_, model.decision_function(inputs)):
        assert np.isfinite(numbers).all()
    mean, variance = model.latent_mean_and_variance(inputs)
    assert np.isfinite(mean).all()
    assert np.all(variance >= 0.0)
    return probability


# what the default is


@pytest.mark.parametrize("kind", ["softmax", "shared_softmax"])
def test_by_projection_the_default_is_a_softmax_of_either_name(default, kind):
    assert default.multi_class == "auto"
    named = RVC(multi_class=kind).fit(BLOBS, CLASSES)
    assert_array_equal(named.predict_proba(NEW_BLOBS), default.predict_proba(NEW_BLOBS))
    assert_array_equal(named.weights_, default.weights_)
    assert named.log_evidence_ == default.log_evidence_
    ovr = RVC(multi_class="ovr").fit(BLOBS, CLASSES)
    assert np.abs(ovr.predict_proba(NEW_BLOBS) - default.predict_proba(NEW_BLOBS)).max() > 0.01


@pytest.mark.parametrize("inference", ["fast", "variational"])
def test_by_other_inferences_the_default_is_a_model_for_each_class(inference):
    found, named = (
        RVC(gamma=0.5, inference=inference, **kind).fit(BLOBS, CLASSES)
        for kind in ({}, {"multi_class": "ovr"})
    )
    assert_array_equal(found.predict_proba(NEW_BLOBS), named.predict_proba(NEW_BLOBS))
    assert_array_equal(found.weights_, named.weights_)
    assert len(found.history_) == 3


def test_two_classes_are_as_ever():
    found = RVC(gamma=0.5).fit(MOONS, LABELS)
    for kind in ("ovr", "shared_softmax"):
        other = RVC(gamma=0.5, multi_class=kind).fit(MOONS, LABELS)
        assert_array_equal(found.predict_proba(MOONS), other.predict_proba(MOONS))


# what it says


@EVERY
@OF_DATA
def test_classes_share_their_vectors(kind, inputs, y):
    model, n_classes = clone(kind).fit(inputs, y), len(np.unique(y))
    n_vectors = len(model.relevance_)
    assert 0 < n_vectors < len(y) / 2
    assert_array_equal(np.unique(model.relevance_), model.relevance_)
    assert_array_equal(model.relevance_vectors_, inputs[model.relevance_])
    assert model.dual_coef_.shape == (n_classes, n_vectors)
    assert np.all(model.dual_coef_ != 0.0)
    assert model.weight_precision_.shape == (len(model.weights_),)
    assert model.outcome_ is Outcome.CONVERGED


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
@OF_DATA
def test_probabilities_are_the_softmax_of_the_latent_means(kernel, inputs, y):
    """Where kernels fall off to zero, and the latent means with them."""
    model = RVC(kernel).fit(inputs, y)
    mean, _ = model.latent_mean_and_variance(NEW_BLOBS)
    assert_allclose(model.predict_proba(NEW_BLOBS), softmax(mean, axis=1), rtol=1e-12)


@OF_DATA
def test_far_away_planes_are_less_certain_than_their_means(inputs, y):
    model = RVC("linear").fit(inputs, y)

    def certainty(rows):
        """Of the latent means, the part that probabilities have."""
        mean, _ = model.latent_mean_and_variance(rows)
        found = model.predict_log_proba(rows)
        found -= found.mean(axis=1, keepdims=True)
        part = np.sum(found * mean, axis=1) / np.sum(mean**2, axis=1)
        assert_allclose(found, part[:, None] * mean, rtol=1e-9, atol=1e-9)
        return part

    assert_allclose(certainty(inputs), 1.0, rtol=1e-9)
    away = inputs - inputs.mean(axis=0)
    near, far, farther = (certainty(inputs.mean(axis=0) + k * away) for k in (1.0, 30.0, 100.0))
    assert np.all(far < near)
    assert np.all(farther < far)
    assert np.median(farther) < 0.2


# what does not matter


def test_the_number_of_processes_does_not_matter(default):
    model = RVC(n_jobs=2).fit(BLOBS, CLASSES)
    assert_array_equal(model.predict_proba(NEW_BLOBS), default.predict_proba(NEW_BLOBS))


def test_weights_of_classes_are_counts_of_their_rows_at_given_scales():
    used = (CLASSES != 1) | (BLOBS[:, 0] < 2.0)  # in unequal numbers
    inputs, y = BLOBS[used], CLASSES[used]
    given, of_classes = RVC(gamma=0.5), {0: 1, 1: 3, 2: 1}
    plain, heavier = (
        clone(given).set_params(class_weight=each).fit(inputs, y) for each in (None, of_classes)
    )
    weighted = clone(given).fit(inputs, y, sample_weight=compute_sample_weight(of_classes, y))
    assert_array_equal(heavier.predict_proba(NEW_BLOBS), weighted.predict_proba(NEW_BLOBS))
    rare, often = (model.predict_proba(BLOBS)[:, 1].mean() for model in (plain, heavier))
    assert rare < often


# how good it is


@pytest.mark.slow
def test_probabilities_of_overlapping_classes_are_those_at_which_they_are_right():
    sure, right = [], []
    for seed in range(4):
        inputs, y = make_blobs(
            1100, centers=[[0, 0], [2, 1], [0, 3], [2, -2]], cluster_std=1.3, random_state=seed
        )
        model = RVC().fit(inputs[:100], y[:100])
        sure.append(model.predict_proba(inputs[100:]).max(axis=1).mean())
        right.append(model.score(inputs[100:], y[100:]))
    assert_allclose(np.mean(sure), np.mean(right), atol=0.04)
    assert np.mean(right) > 0.6


@pytest.mark.slow
@pytest.mark.long
def test_digits_are_more_probable_than_by_the_machine_of_the_papers():
    inputs, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[:300], order[300:]
    default, papers = (
        RVC(inference=inference).fit(inputs[train], y[train])
        for inference in ("projection", "fast")
    )
    losses = [log_loss(y[test], model.predict_proba(inputs[test])) for model in (default, papers)]
    assert losses[0] < 0.5 * losses[1]
    assert default.score(inputs[test], y[test]) > 0.95
    assert len(default.relevance_) < 100


@pytest.mark.parametrize("seed", range(3))
def test_planes_tell_ordered_classes_apart_as_well_as_a_logistic_regression(seed):
    random = np.random.default_rng(seed)
    inputs = random.normal(size=(700, 3))
    value = inputs @ [1.0, 0.5, 0.0] + 0.3 * random.normal(size=700)
    y = np.digitize(value, [-1.0, -0.3, 0.3, 1.0])
    ours, theirs = (
        model.fit(inputs[:200], y[:200]).score(inputs[200:], y[200:])
        for model in (RVC("linear"), LogisticRegression(max_iter=2000))
    )
    assert ours >= theirs - 0.05


# fidelity and prices


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
@OF_DATA
def test_more_fidelity_needs_no_fewer_vectors_and_comes_nearer(kernel, inputs, y):
    models = [
        RVC(kernel, inference=Projection(fidelity=fidelity)).fit(inputs, y)
        for fidelity in (1.0, 10.0, 100.0, 1e3, 1e5)
    ]
    numbers = [len(model.relevance_) for model in models]
    assert numbers == sorted(numbers)
    assert numbers[0] < numbers[-1]
    closest = models.pop().predict_proba(inputs)
    apart = [np.abs(model.predict_proba(inputs) - closest).mean() for model in models]
    assert apart[-1] < 0.2 * apart[0]
    assert len({model.log_evidence_ for model in models}) == 1


def test_a_high_price_leaves_fewer_vectors():
    numbers = [
        len(RVC(inference=Projection(min_gain=price)).fit(MOONS, FOUR).relevance_)
        for price in (0.5, 50.0)
    ]
    assert numbers[1] < numbers[0]


SUMS = {
    "given": GaussianKernel(1.0) + Linear() + Bias(),
    "learned": GaussianKernel(input_scale="learn") + LaplacianKernel("learn") + Linear() + Bias(),
    "two widths": GaussianKernel(width=[0.5, 4.0]),
}


@pytest.mark.parametrize("basis", SUMS.values(), ids=SUMS)
@OF_DATA
def test_sums_of_kernels(basis, inputs, y):
    model = SparseBayesClassifier(basis, inference="projection").fit(inputs, y)
    sane(model, NEW_BLOBS)
    assert model.score(inputs, y) > 0.7
    assert model.weights_.shape == (len(model.column_names_), len(model.classes_))
    assert model.weight_precision_.shape == (len(model.weights_),)


# hostile classes


def noise(seed, n=90, shares=(1 / 3, 1 / 3, 1 / 3)):
    """Inputs that have nothing to do with the classes, and others."""
    random = np.random.default_rng(seed)
    y = random.choice(len(shares), n, p=shares)
    return random.normal(size=(n, 2)), y, random.normal(size=(200, 2))


RANDOM = np.random.default_rng(0)
HUNDRED = np.repeat(np.arange(100), 3)
HOSTILE = {
    "a row for each class": (RANDOM.normal(size=(30, 3)), np.arange(30)),
    "a hundred classes": (
        RANDOM.normal(0.0, 5.0, (100, 5))[HUNDRED] + RANDOM.normal(0.0, 0.5, (300, 5)),
        HUNDRED,
    ),
    "a class seen once": (BLOBS, np.where(np.arange(60) == 7, 3, CLASSES)),
    "a constant input": (np.column_stack([BLOBS, np.full(60, 1e6)]), CLASSES),
    "collinear inputs": (
        np.column_stack([BLOBS, BLOBS + 1e-9 * RANDOM.normal(size=BLOBS.shape)]),
        CLASSES,
    ),
    "contradictions": (np.vstack([BLOBS, BLOBS]), np.r_[CLASSES, np.roll(CLASSES, 1)]),
    "every label for every row": (np.repeat(BLOBS[:20], 3, axis=0), np.tile([0, 1, 2], 20)),
    "pure noise": noise(0)[:2],
    "imbalanced noise": noise(0, 200, (0.9, 0.05, 0.05))[:2],
    "inputs that are all equal": (np.full((30, 2), 3.0), np.arange(30) % 3),
    "one input": (np.linspace(0.0, 1.0, 30)[:, None], np.arange(30) // 10),
    "more inputs than rows": (RANDOM.normal(size=(12, 50)), np.arange(12) % 4),
    "an outlying row": (np.where(np.arange(60)[:, None] == 7, 1e8, BLOBS), CLASSES),
    "integers": (np.round(BLOBS).astype(int), CLASSES),
}


@nothing_found
@many_classes
@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, RVC(inference=Projection(min_gain=2.0))], ids=str)
@pytest.mark.parametrize(("inputs", "y"), HOSTILE.values(), ids=HOSTILE)
@pytest.mark.long
def test_hostile_classes_have_probabilities(kind, inputs, y):
    model = clone(kind).fit(inputs, y)
    for said in (model, model.drop_covering()):
        sane(said, np.asarray(inputs, dtype=float))
        sane(said, np.full((2, inputs.shape[1]), [[1e3], [-1e9]]))


@pytest.mark.slow
def test_a_hundred_classes_that_are_apart_are_told_apart():
    inputs, y = HOSTILE["a hundred classes"]
    model = RVC().fit(inputs, y)
    assert model.score(inputs, y) > 0.99
    assert len(model.relevance_) <= 150


def test_a_class_seen_once_is_improbable():
    model = RVC().fit(*HOSTILE["a class seen once"])
    assert model.predict_proba(BLOBS)[:, 3].mean() < 0.05


def test_collinear_inputs_are_as_good_as_one_of_them():
    inputs, y = HOSTILE["collinear inputs"]
    once, twice = (RVC("rbf").fit(each, y) for each in (BLOBS, inputs))
    assert_allclose(twice.predict_proba(inputs), once.predict_proba(BLOBS), atol=0.1)


def test_collinear_inputs_are_as_good_to_the_default_which_has_pairs_of_them(default):
    inputs, y = HOSTILE["collinear inputs"]
    twice = RVC().fit(inputs, y)
    found, expected = twice.predict_proba(inputs), default.predict_proba(BLOBS)
    assert np.abs(found - expected).mean() < 0.03
    losses = [-np.log(each[np.arange(len(y)), y]).mean() for each in (found, expected)]
    assert abs(losses[0] - losses[1]) < 0.03


@many_classes
@pytest.mark.parametrize(
    "name", ["a row for each class", "every label for every row", "inputs that are all equal"]
)
def test_where_nothing_tells_classes_apart_all_are_equally_probable(name):
    inputs, y = HOSTILE[name]
    with pytest.warns(ConvergenceWarning, match="No column is relevant"):
        model = RVC().fit(inputs, y)
    assert model.outcome_ is Outcome.NOTHING_RELEVANT
    n_classes = len(model.classes_)
    assert model.relevance_.shape == (0,)
    assert model.dual_coef_.shape == (n_classes, 0)
    assert_allclose(model.predict_proba(inputs), 1.0 / n_classes, rtol=1e-12)


@nothing_found
@pytest.mark.slow
def test_pure_noise_has_hardly_ever_vectors():
    empty, losses = [], []
    for seed in range(10):
        inputs, y, new = noise(seed)
        model = RVC().fit(inputs, y)
        empty.append(model.outcome_ is Outcome.NOTHING_RELEVANT)
        assert empty[-1] == (len(model.relevance_) == 0)
        losses.append(-model.predict_log_proba(new).mean())  # of classes that are equally frequent
        if empty[-1]:
            assert_allclose(losses[-1], np.log(3.0), rtol=1e-12)
    assert np.mean(empty) >= 0.8
    assert np.mean(losses) < 1.02 * np.log(3.0)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_in_imbalanced_noise_the_frequent_class_is_probable(kernel):
    chosen, probable = [], []
    for seed in range(5):
        inputs, y, new = noise(seed, 200, (0.9, 0.05, 0.05))
        model = RVC(kernel).fit(inputs, y)
        chosen.append(np.mean(model.predict(new) == 0))
        probable.append(model.predict_proba(new)[:, 0].mean())
    assert np.mean(chosen) > 0.95
    assert_allclose(probable, 0.9, atol=0.08)


@nothing_found
@pytest.mark.filterwarnings("ignore:sample_weight was multiplied")
@EVERY
@pytest.mark.parametrize("seed", range(3))
def test_weights_of_all_sizes(kind, seed):
    weight = 10.0 ** np.random.default_rng(seed).uniform(-4.0, 4.0, 60)
    model = clone(kind).fit(BLOBS, CLASSES, sample_weight=weight)
    sane(model, BLOBS)
    sane(model, NEW_BLOBS)
