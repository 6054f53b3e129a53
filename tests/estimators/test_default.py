"""RVR() and RVC() as they come: what data of every kind may ask of them."""

import numpy as np
import pytest
from estimator_data import (
    NEW,
    X,
    Y,
    prediction,
)
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_friedman1
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.metrics import r2_score

from sparsebayes import (
    RVR,
    Projection,
)

# Many fits: `make quick` leaves them out.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]


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
