"""RVR() and RVC() as they come: what data of every kind may ask of them."""

import pickle

import numpy as np
import pytest
from estimator_data import (
    BLOBS,
    CLASSES,
    LABELS,
    MOONS,
    NEW,
    NEW_BLOBS,
    OUTPUTS,
    RESPONSE,
    X,
    Y,
    prediction,
)
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.base import clone, is_classifier
from sklearn.datasets import make_friedman1
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.metrics import r2_score

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    GaussianKernel,
    Linear,
    Projection,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

# Many fits: `make quick` leaves them out.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]

BASES = {
    "gaussian": GaussianKernel(1.0) + Bias(),
    "with lines": GaussianKernel("scale") + Linear() + Bias(),
    "lines": Linear() + Bias(),
}
TWO_OUTPUTS = np.column_stack([RESPONSE, MOONS[:, 1] - RESPONSE])
THREE = LABELS + (MOONS[:, 0] > 1.0)


def regressors(multi_output):
    yield RVR(multi_output=multi_output)
    for basis in BASES.values():
        yield SparseBayesRegressor(basis, multi_output=multi_output, inference="projection")


def classifiers(multi_class):
    yield RVC(multi_class=multi_class)
    for basis in BASES.values():
        yield SparseBayesClassifier(basis, multi_class=multi_class, inference="projection")


EVERY = {
    **{f"one output {k}": (m, RESPONSE) for k, m in enumerate(regressors("shared"))},
    **{
        f"{kind} outputs {k}": (model, TWO_OUTPUTS)
        for kind in ("shared", "separate")
        for k, model in enumerate(regressors(kind))
    },
    **{f"two classes {k}": (m, LABELS) for k, m in enumerate(classifiers("ovr"))},
    **{
        f"{kind} {k}": (model, THREE)
        for kind in ("ovr", "auto")
        for k, model in enumerate(classifiers(kind))
    },
}


def asked(model, inputs):
    """What a model says of mean and spread."""
    if is_classifier(model):
        return [model.predict_proba(inputs), *model.latent_mean_and_variance(inputs)]
    return list(model.predict(inputs, return_std=True))


def assert_same(one, other, new, rtol=1e-6, atol=1e-8):
    for found, expected in zip(asked(one, new), asked(other, new), strict=True):
        assert_allclose(found, expected, rtol=rtol, atol=atol)


# every combination


@pytest.mark.parametrize(("model", "y"), EVERY.values(), ids=EVERY)
def test_every_estimator_fits_predicts_and_can_be_copied(model, y):
    fitted = clone(model).fit(MOONS, y)
    assert fitted.score(MOONS, y) > (0.7 if is_classifier(model) else 0.4)
    new = np.vstack([MOONS[:5], NEW_BLOBS[:5]])
    said = asked(fitted, new)
    assert all(np.isfinite(each).all() for each in said)
    assert np.all(said[-1] > 0.0)
    k = 1 if y.ndim == 1 and y.max() < 2 else 3 if is_classifier(model) else 2
    assert said[-1].shape == ((10,) if y is RESPONSE or k == 1 else (10, k))
    for copy in (pickle.loads(pickle.dumps(fitted)), clone(fitted).fit(MOONS, y)):
        assert_same(copy, fitted, new, rtol=1e-12, atol=1e-14)
    assert set(vars(clone(fitted))) == set(model.get_params(deep=False))


# rows


WEIGHTED = {
    "two classes": (RVC(), MOONS, LABELS),
    "two classes, given scale": (RVC(gamma=1.0), MOONS, LABELS),
    "ovr": (RVC(multi_class="ovr"), BLOBS, CLASSES),
    "several classes": (RVC(), BLOBS, CLASSES),
    "several classes, given scale": (RVC(gamma=0.5), BLOBS, CLASSES),
    "one output": (RVR(), X, Y),
    "shared outputs": (RVR(), X, OUTPUTS),
    "separate outputs": (RVR(multi_output="separate"), X, OUTPUTS),
    "sigmoid": (RVC("sigmoid", gamma=0.5), MOONS, LABELS),
}
ROWS = pytest.mark.parametrize(("model", "inputs", "y"), WEIGHTED.values(), ids=WEIGHTED)


@ROWS
def test_a_weight_of_two_is_the_row_twice_and_zero_its_absence(model, inputs, y):
    times = np.random.default_rng(1).integers(0, 3, len(y))
    rows = np.repeat(np.arange(len(y)), times)
    weighted = clone(model).fit(inputs, y, sample_weight=times)
    repeated = clone(model).fit(inputs[rows], y[rows])
    assert_same(weighted, repeated, inputs, rtol=1e-5, atol=1e-7)
    assert_array_equal(weighted.relevance_, rows[repeated.relevance_])
    assert_allclose(weighted.log_evidence_, repeated.log_evidence_, rtol=1e-7)


@ROWS
def test_the_order_of_the_rows_changes_nothing(model, inputs, y):
    order = np.random.default_rng(2).permutation(len(y))
    plain, shuffled = clone(model).fit(inputs, y), clone(model).fit(inputs[order], y[order])
    assert_same(shuffled, plain, inputs)
    assert_array_equal(np.sort(order[shuffled.relevance_]), np.sort(plain.relevance_))
    if hasattr(plain, "covering_"):
        assert_array_equal(np.sort(order[shuffled.covering_]), plain.covering_)
        assert_allclose(shuffled.novelty(inputs), plain.novelty(inputs), rtol=1e-6, atol=1e-9)


@ROWS
def test_a_sparse_matrix_equals_its_dense_form(model, inputs, y):
    inputs = inputs * (inputs > 0.0)
    dense, sparse = clone(model).fit(inputs, y), clone(model).fit(csr_array(inputs), y)
    for new in (inputs, csr_array(inputs)):
        for found, expected in zip(asked(sparse, new), asked(dense, inputs), strict=True):
            assert_allclose(found, expected, rtol=1e-5, atol=1e-7)
    if hasattr(dense, "covering_"):
        assert_allclose(sparse.novelty(csr_array(inputs)), dense.novelty(inputs), atol=1e-6)


# what data may be like


@pytest.mark.parametrize(("n", "d"), [(20, 20), (60, 5), (60, 30)])
def test_intervals_of_pure_noise_hold_nine_of_ten(n, d):
    covered = []
    for seed in range(6):
        random = np.random.default_rng(seed)
        model = RVR().fit(random.normal(size=(n, d)), random.normal(size=n))
        low, _, high = model.predict_quantiles(random.normal(size=(200, d))).T
        new = random.normal(size=200)
        covered.append(np.mean((low < new) & (new < high)))
    assert 0.75 < np.mean(covered) < 1.0


@pytest.mark.parametrize("n", [60, 200])
def test_intervals_of_a_signal_in_noise_hold_nine_of_ten(n):
    covered = []
    new, truth = make_friedman1(500, noise=1.0, random_state=99)
    for seed in range(3):
        model = RVR().fit(*make_friedman1(n, noise=1.0, random_state=seed))
        low, _, high = model.predict_quantiles(new).T
        covered.append(np.mean((low < truth) & (truth < high)))
    assert 0.75 < np.mean(covered) < 0.97


def signal(inputs):
    return np.sin(2.0 * inputs[:, 0]) + 0.5 * inputs[:, 1]


@pytest.mark.parametrize("one_column", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_codes_of_missing_values_in_a_few_rows_do_no_harm(seed, one_column):
    random = np.random.default_rng(seed)
    inputs, new = random.normal(size=(150, 3)), random.normal(size=(300, 3))
    y = signal(inputs) + 0.1 * random.normal(size=150)
    columns = np.ones(5, dtype=int) if one_column else random.integers(0, 3, 5)
    inputs[random.choice(150, 5, replace=False), columns] = -999.0
    assert r2_score(signal(new), RVR().fit(inputs, y).predict(new)) > 0.95


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "cauchy"])
@pytest.mark.parametrize(("kind", "y"), [(RVR, RESPONSE), (RVC, LABELS)])
@pytest.mark.parametrize("constant", [0.0, 7.0, 1e6])
def test_a_constant_column_changes_no_prediction(kind, y, kernel, constant):
    def wider(inputs):
        return np.column_stack([inputs, np.full(len(inputs), constant)])

    plain, wide = kind(kernel).fit(MOONS, y), kind(kernel).fit(wider(MOONS), y)
    for found, expected in zip(asked(wide, wider(NEW_BLOBS)), asked(plain, NEW_BLOBS), strict=True):
        assert_allclose(found, expected, rtol=1e-9)


def spectra(n, seed):
    """Mixtures of four broad lines, and a property of their parts; hardly any noise."""
    random = np.random.default_rng(seed)
    wave = np.linspace(0.0, 1.0, 60)
    lines = np.exp(-0.5 * ((wave - np.array([[0.2], [0.45], [0.6], [0.8]])) / 0.12) ** 2)
    parts = random.uniform(size=(n, 4))
    y = parts[:, 0] + 0.5 * parts[:, 1] ** 2 + 0.3 * np.sin(3.0 * parts[:, 2])
    noise = random.normal(size=(n, 61))
    return parts @ lines + 1e-4 * noise[:, :-1], y + 1e-3 * noise[:, -1]


@pytest.mark.parametrize("seed", range(3))
def test_collinear_inputs_with_hardly_any_noise_are_as_good_as_a_gaussian_process(seed):
    inputs, y = spectra(260, seed)
    process = ConstantKernel(1.0, (1e-3, 1e8)) * RBF(1.0, (1e-3, 1e5))
    process = process + WhiteKernel(1e-2, (1e-12, 1.0))
    models = (
        RVR(),
        RVR(inference=Projection(fidelity=1000.0)),
        GaussianProcessRegressor(process, normalize_y=True, n_restarts_optimizer=1, random_state=0),
    )
    ours, closer, theirs = (
        np.sqrt(np.mean((model.fit(inputs[:80], y[:80]).predict(inputs[80:]) - y[80:]) ** 2))
        for model in models
    )
    assert ours < 1.2 * closer
    assert ours < 1.2 * theirs


LINE = np.linspace(-1.0, 1.0, 12)[:, None]
HOSTILE = {
    "two rows": ([[0.0], [1.0]], [0.0, 1.0]),
    "two equal rows": ([[1.0], [1.0]], [0.0, 1.0]),
    "three rows": ([[0.0], [1.0], [2.0]], [0.0, 1.0, 0.0]),
    "one column": (LINE, np.sin(3.0 * LINE[:, 0])),
    "more columns than rows": (np.random.default_rng(0).normal(size=(5, 50)), np.arange(5.0)),
    "constant target": (LINE, np.full(12, 5.0)),
    "target of zeros": (LINE, np.zeros(12)),
    "constant and large": (LINE, np.full(12, 1e8)),
    "equal rows": (np.ones((12, 2)), np.arange(12.0)),
    "every row twice": (np.repeat(LINE, 2, axis=0), np.repeat(np.cos(LINE[:, 0]), 2)),
    "contradictions": (np.repeat(LINE, 2, axis=0), np.tile([1.0, -1.0], 12)),
    "large offset": (LINE, 1e8 + np.sin(3.0 * LINE[:, 0])),
    "tiny inputs": (1e-12 * LINE, LINE[:, 0]),
    "huge inputs": (1e12 * LINE, LINE[:, 0]),
    "an outlier": (LINE, np.where(np.arange(12) == 3, 1e9, LINE[:, 0])),
    "integers": (np.arange(12)[:, None], np.arange(12) % 3),
    "booleans": (LINE > 0.0, LINE[:, 0] > 0.0),
}
FEW = pytest.mark.parametrize(("inputs", "y"), HOSTILE.values(), ids=HOSTILE)
MODELS = pytest.mark.parametrize(
    "kind",
    [
        RVR(),
        RVR("laplacian"),
        RVR("linear"),
        SparseBayesRegressor(inference="projection"),
        SparseBayesRegressor(Linear() + Bias(), inference="projection"),
    ],
    ids=str,
)


@FEW
@MODELS
def test_small_hostile_data_give_finite_means_and_deviations(kind, inputs, y):
    model = clone(kind).fit(inputs, y)
    new = np.vstack([np.asarray(inputs, dtype=float), np.full((1, np.shape(inputs)[1]), 1e3)])
    for said in (model, model.drop_covering()):
        mean, std = said.predict(new, return_std=True)
        assert np.isfinite(mean).all()
        assert np.isfinite(std).all()
        assert np.all(std > 0.0)
        assert np.isfinite(said.sample_y(new, 3)).all()
        assert np.isfinite(said.predict(new, return_cov=True)[1]).all()


@FEW
@pytest.mark.parametrize("multi_output", ["shared", "separate"])
def test_small_hostile_data_of_two_outputs_give_finite_means_and_deviations(
    inputs, y, multi_output
):
    targets = np.column_stack([y, 3.0 - 2.0 * np.roll(y, 1)])
    model = RVR(multi_output=multi_output).fit(inputs, targets)
    mean, std = model.predict(np.asarray(inputs, dtype=float), return_std=True)
    assert np.isfinite(mean).all()
    assert np.isfinite(std).all()
    assert np.all(std > 0.0)


@FEW
@pytest.mark.parametrize("multi_class", ["ovr", "auto"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_small_hostile_data_of_classes_give_probabilities(inputs, y, multi_class, n_classes):
    labels = np.arange(len(y)) % n_classes
    model = RVC(multi_class=multi_class).fit(inputs, labels)
    new = np.vstack([np.asarray(inputs, dtype=float), np.full((1, np.shape(inputs)[1]), 1e3)])
    for said in (model, model.drop_covering()):
        probability = said.predict_proba(new)
        assert np.all((probability >= 0.0) & (probability <= 1.0))
        assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-9)


def test_a_large_offset_of_the_target_changes_nothing_but_the_mean():
    plain, moved = RVR().fit(X, Y), RVR().fit(X, Y + 1e8)
    mean, std = plain.predict(NEW, return_std=True)
    moved_mean, moved_std = moved.predict(NEW, return_std=True)
    assert_allclose(moved_mean - 1e8, mean, atol=1e-6)
    assert_allclose(moved_std, std, rtol=1e-6)


# as good as the machine of the papers


def test_the_default_is_no_worse_than_the_machine_of_the_papers():
    new, truth = make_friedman1(500, noise=0.0, random_state=99)
    errors = {"projection": [], "fast": []}
    for seed in range(4):
        data = make_friedman1(100, noise=1.0, random_state=seed)
        for inference, found in errors.items():
            found.append(np.mean((RVR(inference=inference).fit(*data).predict(new) - truth) ** 2))
    assert np.mean(errors["projection"]) < 1.05 * np.mean(errors["fast"])


def test_a_default_model_is_sparse():
    model = RVR().fit(X, Y)
    assert len(model.relevance_) < 20
    assert len(model.covering_) < 30
    assert_array_equal(np.sort(model.relevance_), model.relevance_)
    kernel = np.exp(-model.gamma_ * (NEW - model.relevance_vectors_.T) ** 2)
    by_hand = kernel @ model.dual_coef_[0] + Y.mean()
    assert_allclose(prediction(model, NEW), by_hand, rtol=1e-9, atol=1e-12)
