"""Fits to more rows than are kept in memory: from anywhere, in any order of blocks."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pandas as pd
import polars as pl
import pytest
from many_rows_data import CLASSES, LABELS, NEW, NOISE, RANDOM, SIGNAL, TRUTH, N, X, Y
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_matrix, csr_matrix
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    GaussianKernel,
    Linear,
    Outcome,
    Projection,
    SparseBayesRegressor,
)
from sparsebayes.columns import EffectScales
from sparsebayes.estimators import _rows

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def regressor():
    return RVR().fit(X, Y)


@pytest.fixture(scope="module")
def classifier():
    return RVC().fit(X, LABELS)


def rms(model, truth=TRUTH):
    return float(np.sqrt(np.mean((model.predict(NEW) - truth) ** 2)))


def apart(model, other):
    return float(np.sqrt(np.mean((model.predict(NEW) - other.predict(NEW)) ** 2)))


def test_the_error_is_far_below_the_noise_and_so_is_the_number_of_vectors(regressor):
    assert rms(regressor) < 0.1 * NOISE
    assert len(regressor.relevance_) < 200
    assert regressor.noise_std_ == pytest.approx(NOISE, rel=0.02)
    assert regressor.outcome_ is Outcome.CONVERGED


def test_it_is_as_good_as_a_fit_with_all_rows_in_memory(regressor, monkeypatch):
    monkeypatch.setattr(_rows, "MANY_ROWS", N)
    whole = RVR().fit(X, Y)
    assert rms(regressor) < 1.2 * rms(whole) + 0.01 * NOISE
    assert_allclose(regressor.predict(NEW), whole.predict(NEW), atol=0.25 * NOISE)
    assert regressor.log_evidence_ == pytest.approx(whole.log_evidence_, abs=0.005 * N)


def test_error_bars_cover_what_they_say_and_grow_away_from_the_rows(regressor):
    mean, std = regressor.predict(NEW, return_std=True)
    new = TRUTH + NOISE * np.random.default_rng(1).normal(size=len(TRUTH))
    assert 0.86 < np.mean(np.abs(new - mean) < 1.645 * std) < 0.94
    _, far = regressor.predict([[50.0, 50.0]], return_std=True)
    assert far > 3.0 * std.max()
    assert regressor.novelty([[50.0, 50.0]]) > 0.99
    assert regressor.predict([[50.0, 50.0]]) == pytest.approx(far_away(regressor), abs=1e-6)
    assert far_away(regressor) == pytest.approx(Y.mean(), abs=0.1)


def far_away(model):
    """What is predicted far from all rows: the intercept, and the constant of a sum of effects."""
    formula = model._kernel_columns.formula
    constant = EffectScales.of(formula.gamma).orders[0] if formula.name == "effects" else 0.0
    return model.intercept_[0] + constant * model.dual_coef_[0].sum()


def test_vectors_are_rows_of_x(regressor):
    assert_array_equal(regressor.relevance_vectors_, X[regressor.relevance_])
    assert set(map(tuple, regressor.covering_vectors_)) == set(map(tuple, X[regressor.covering_]))


def test_dual_coefficients_make_the_prediction(regressor):
    kernel = regressor._kernel_columns.formula
    design = kernel(NEW, regressor.relevance_vectors_)
    latent = design @ regressor.dual_coef_[0] + regressor.intercept_
    assert_allclose(regressor.predict(NEW), latent, atol=1e-6)


def test_probabilities_are_near_the_truth(classifier):
    truth = 1.0 / (1.0 + np.exp(-(TRUTH - 0.5) / 0.3))
    found = classifier.predict_proba(NEW)[:, 1]
    assert np.mean(np.abs(found - truth)) < 0.02
    mean, _ = classifier.latent_mean_and_variance([[50.0, 50.0]])
    assert mean[0] == pytest.approx(far_away(classifier), abs=1e-6)
    assert classifier.predict_proba([[50.0, 50.0]])[0, 1] == pytest.approx(0.5, abs=0.1)


def as_memmap(values, folder, dtype=np.float64):
    path = folder / f"{dtype.__name__}-{values.ndim}.npy"
    np.save(path, values.astype(dtype))
    return np.load(path, mmap_mode="r")


def test_memory_maps_and_other_layouts_give_the_same_model(regressor, tmp_path):
    expected = regressor.predict(NEW)
    mapped = as_memmap(X, tmp_path), as_memmap(Y, tmp_path)
    for inputs, y in (mapped, (np.asfortranarray(X), list(Y)), (X[::-1][::-1], Y)):
        assert_array_equal(RVR().fit(inputs, y).predict(NEW), expected)


def test_memory_maps_in_single_precision_are_read_in_blocks(tmp_path):
    mapped = as_memmap(X, tmp_path, np.float32), as_memmap(Y, tmp_path, np.float32)
    expected = RVR().fit(np.float64(mapped[0]), np.float64(mapped[1]))
    assert_array_equal(RVR().fit(*mapped).predict(NEW), expected.predict(NEW))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_in_memory_keep_their_names(regressor, frame):
    table = frame({"a": X[:, 0], "b": X[:, 1]})
    model = RVR().fit(table, Y)
    assert list(model.feature_names_in_) == ["a", "b"]
    new = frame({"a": NEW[:, 0], "b": NEW[:, 1]})
    assert_array_equal(model.predict(new), regressor.predict(NEW))


@pytest.mark.parametrize("kind", [csr_matrix, csc_matrix])
def test_sparse_matrices_give_the_same_model(regressor, kind):
    assert_allclose(RVR().fit(kind(X), Y).predict(NEW), regressor.predict(NEW), atol=0.02 * NOISE)


def test_the_number_of_threads_does_not_matter(regressor):
    with threadpool_limits(1):
        alone = RVR().fit(X, Y).predict(NEW)
    with threadpool_limits(2):
        assert_array_equal(RVR().fit(X, Y).predict(NEW), alone)
    assert_array_equal(regressor.predict(NEW), alone)


def test_the_order_of_rows_hardly_matters(regressor):
    for order in (RANDOM.permutation(N), np.argsort(Y)):
        assert apart(RVR().fit(X[order], Y[order]), regressor) < 0.1 * NOISE


def test_rows_of_no_weight_are_absent():
    weight = np.append(np.ones(N), np.zeros(500))
    inputs, y = np.vstack([X, 100.0 + X[:500]]), np.append(Y, np.full(500, 1e6))
    model = RVR(gamma=0.5, centres=X[:60]).fit(inputs, y, weight)
    expected = RVR(gamma=0.5, centres=X[:60]).fit(X, Y)
    assert apart(model, expected) < 0.03 * NOISE


def test_few_rows_of_positive_weight_are_kept_in_memory():
    weight = np.zeros(N)
    weight[:300] = 1.0
    model = RVR().fit(X, Y, weight)
    assert_array_equal(model.predict(NEW), RVR().fit(X[:300], Y[:300]).predict(NEW))


def test_a_weight_of_two_is_the_row_twice_where_rows_of_few_levels_are_observations():
    """Of other rows, integer weights are those of copies, which blocks do not look for."""
    weight = RANDOM.choice([1.0, 2.0], N)
    rows = np.repeat(np.arange(N), weight.astype(int))
    inputs, target = np.round(2.0 * X) / 2.0, np.round(Y, 1)
    options = {"gamma": 0.5, "centres": inputs[:60], "noise_std": NOISE}
    weighted = RVR(**options).fit(inputs, target, weight)
    repeated = RVR(**options).fit(inputs[rows], target[rows])
    assert apart(weighted, repeated) < 0.03 * NOISE


@pytest.mark.parametrize(
    "y",
    [
        np.column_stack([Y, 100.0 * SIGNAL + RANDOM.normal(0.0, 5.0, N) + 1e3]),
        Y[:, None],
    ],
    ids=["two", "a column"],
)
def test_outputs_share_their_vectors(y):
    model = RVR().fit(X, y)
    mean, std = model.predict(NEW, return_std=True)
    assert mean.shape == std.shape == (len(NEW), y.shape[1])
    assert np.sqrt(np.mean((mean[:, 0] - TRUTH) ** 2)) < 0.15 * NOISE
    assert_allclose(model.noise_std_, [NOISE, 5.0][: y.shape[1]], rtol=0.03)


@pytest.mark.long
def test_several_classes(classifier):
    model = RVC().fit(X, CLASSES)
    expected = np.digitize(TRUTH, [0.0, 1.0])
    assert np.mean(model.predict(NEW) == expected) > 0.93
    assert_allclose(model.predict_proba(NEW).sum(axis=1), 1.0)


@pytest.mark.long
def test_labels_may_be_words_and_classes_may_have_weights(classifier):
    words = np.where(LABELS == 1, "yes", "no")
    model = RVC().fit(X, words)
    assert_array_equal(model.predict(NEW) == "yes", classifier.predict(NEW) == 1)
    heavy = RVC(class_weight={"yes": 3.0}, gamma=classifier.gamma_).fit(X, words)
    assert heavy.predict_proba(NEW)[:, 1].mean() > model.predict_proba(NEW)[:, 1].mean()
    balanced = RVC(class_weight="balanced", gamma=classifier.gamma_).fit(X, words)
    weights = N / (2.0 * np.bincount(LABELS))
    given = {"no": weights[0], "yes": weights[1]}
    same = RVC(class_weight=given, gamma=classifier.gamma_).fit(X, words)
    assert_array_equal(balanced.predict_proba(NEW), same.predict_proba(NEW))


KERNELS = {
    "linear": RVR(kernel="linear", centres=30),
    "poly": RVR(kernel="poly", degree=2, coef0=1.0, centres=60),
    "cauchy": RVR(kernel="cauchy", centres=60),
    "laplacian": RVR(kernel="laplacian", centres=60),
    "sigmoid": RVR(kernel="sigmoid", centres=60),
    "callable": RVR(kernel=lambda a, b: np.exp(-((a[:, None] - b) ** 2).sum(-1)), centres=X[:60]),
    "column": RVR(fit_intercept="column", centres=60),
    "no intercept": RVR(fit_intercept=False, centres=60),
    "given centres": RVR(centres=X[:40]),
    "a price": RVR("rbf", centres=60, inference=Projection(min_gain=2.0)),
    "known noise": RVR(centres=60, noise_std=NOISE),
    "sum": SparseBayesRegressor(
        GaussianKernel(input_scale="learn", centres=60) + Linear() + Bias(),
        inference="projection",
    ),
    "several widths": SparseBayesRegressor(
        GaussianKernel([0.5, 2.0], centres=60) + Bias(), inference="projection"
    ),
}


@pytest.mark.parametrize("model", KERNELS.values(), ids=KERNELS)
@pytest.mark.long
def test_every_kernel_is_no_worse_than_with_all_rows_in_memory(model, monkeypatch):
    many = rms(model.fit(X, Y))
    monkeypatch.setattr(_rows, "MANY_ROWS", N)
    assert many < 1.25 * rms(model.fit(X, Y)) + 0.02 * NOISE


def test_pure_noise_is_told():
    with pytest.warns(ConvergenceWarning, match="No column is relevant"):
        model = RVR(centres=200).fit(X, RANDOM.normal(size=N))
    assert model.noise_std_ == pytest.approx(1.0, rel=0.02)


def test_a_constant_target_is_predicted():
    with pytest.warns(ConvergenceWarning):
        model = RVR(centres=50).fit(X, np.full(N, 3.0))
    assert_allclose(model.predict(NEW), 3.0, atol=1e-6)


def test_exact_targets_are_told_and_followed():
    with pytest.warns(ConvergenceWarning, match="passes through"):
        model = RVR(centres=300).fit(X, SIGNAL)
    assert rms(model) < 0.01


def test_other_inferences_take_many_rows_as_before():
    model = RVR(gamma=0.5, centres=30, inference="fast").fit(X, Y)
    assert rms(model) < 0.5 * NOISE


def broken(rows, value=np.nan):
    values = X.copy()
    values[rows, 0] = value
    return values


@pytest.mark.parametrize(
    ("inputs", "y", "weight", "message"),
    [
        (broken(5000), Y, None, r"X has NaN or infinity in row 5000, in block 1"),
        (X, np.append(Y[:-1], np.nan), None, "y has NaN or infinity in row 11999, in block 2"),
        (X, Y[:-1], None, "inconsistent numbers of samples"),
        (X, Y, -np.ones(N), "the weight -1.0, .* in row 0, in block 0"),
        (X, Y, np.append(-np.ones(N - 1), 1.0), "the weight -1.0, .* in row 0, in block 0"),
        (X, Y, np.append(np.zeros(N - 1), 1.0), "positive for one row"),
        (X, Y, np.ones(N - 1), "inconsistent numbers of samples"),
        (X, None, None, "requires y"),
        (broken(0, 1e200), Y, None, "a column of X must be"),
        (X, Y * 1e200, None, "rescale y"),
    ],
)
def test_what_is_wrong_is_named(inputs, y, weight, message):
    model = RVR(centres=50)
    with pytest.raises(ValueError, match=message):
        model.fit(inputs, y, weight)
    assert not hasattr(model, "n_features_in_")


def test_functions_of_the_user_are_called_by_one_thread():
    callers = set()

    def kernel(a, b):
        callers.add(threading.get_ident())
        return np.exp(-((a[:, None] - b) ** 2).sum(-1))

    with threadpool_limits(2):
        RVR(kernel=kernel, centres=30).fit(X, Y)
    assert callers == {threading.get_ident()}


def test_labels_that_are_missing_are_named():
    labels = LABELS.astype(float)
    labels[4100] = np.nan
    with pytest.raises(ValueError, match="y has NaN or None in row 4100, in block 1"):
        RVC().fit(X, labels)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="two classes or more"):
        RVC().fit(X, np.zeros(N))


def test_a_failed_refit_leaves_the_model_as_it_was():
    model = RVR(gamma=0.5, centres=50).fit(X, Y)
    before = model.predict(NEW)
    with pytest.raises(ValueError, match="row 5000"):
        model.fit(broken(5000), Y)
    assert_array_equal(model.predict(NEW), before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_interrupt_leaves_the_model_and_the_threads_as_they_were():
    model = RVR(gamma=0.5, centres=50).fit(X, Y)
    before, threads = model.predict(NEW), threading.active_count()
    main, timers = threading.main_thread().ident, []

    def interrupts(a, b):
        if not timers:
            timers.append(threading.Timer(0.02, signal.pthread_kill, (main, signal.SIGINT)))
            timers[0].start()
            time.sleep(1.0)  # until it is interrupted, however busy the machine is
        return np.exp(-(((a[:, None] - b) ** 2).sum(-1)))

    model.set_params(kernel=interrupts, centres=400)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, Y)
    timers[0].join()
    model.set_params(kernel="rbf")
    assert_array_equal(model.predict(NEW), before)
    assert threading.active_count() == threads


def test_passes_are_printed_and_told_to_callbacks(capsys):
    pytest.importorskip("sklearn.callback", reason="needs scikit-learn 1.9")
    heard = []

    class Hears:
        def setup(self, estimator, context):
            pass

        def teardown(self, estimator, context):
            pass

        def on_fit_task_begin(self, estimator, context, **rest):
            pass

        def on_fit_task_end(self, estimator, context, *, metadata=None, **rest):
            heard.append((context.task_name, metadata))

    RVR(gamma=0.5, centres=50, verbose=1).set_callbacks(Hears()).fit(X, Y)
    rows = [each["n_rows"] for name, each in heard if name.startswith("pass")]
    assert rows == [4096, 8192, 12000] * 2
    printed = capsys.readouterr().out
    assert "pass 1, sums: 12000 of 12000 rows" in printed
    assert "pass 2, residuals: 12000 of 12000 rows" in printed


def test_a_pickle_is_small_and_predicts_the_same(regressor):
    written = pickle.dumps(regressor)
    assert len(written) < 400_000
    assert_array_equal(pickle.loads(written).predict(NEW), regressor.predict(NEW))


def test_weights_of_classes_leave_learned_scales_alone(classifier):
    balanced = RVC(class_weight={0: 1.0, 1: 20.0}).fit(X, LABELS)
    assert_array_equal(balanced.gamma_, classifier.gamma_)
