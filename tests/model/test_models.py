"""Plain models say what the estimators say, with NumPy alone."""

import json
import subprocess
import sys

import numpy as np
import pytest
from carried import CLASSIFIERS, KINDS, NEW, REGRESSORS, X, Y, fitted, largest_gap

from sparsebayes import RVR, GaussianKernel, GivenColumns, NotPortableError, SparseBayesRegressor
from sparsebayes.datasets import noisy_sinc

LEVELS = [1e-6, 0.05, 0.3, 0.5, 0.95]


@pytest.mark.parametrize("name", REGRESSORS)
def test_a_plain_regressor_says_what_the_estimator_says(name):
    model, plain, new = fitted(name), fitted(name).to_portable(), KINDS[name].new
    for found, expected in zip(
        plain.predict(new, return_std=True), model.predict(new, return_std=True), strict=True
    ):
        assert largest_gap(found, expected) < 1e-10
    assert largest_gap(plain.predict(new), model.predict(new)) < 1e-10
    quantiles = model.predict_quantiles(new, LEVELS)
    scale = np.abs(quantiles).max()
    np.testing.assert_allclose(
        plain.predict_quantiles(new, LEVELS), quantiles, rtol=1e-10, atol=1e-10 * scale
    )


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_plain_classifier_says_what_the_estimator_says(name):
    model, plain, new = fitted(name), fitted(name).to_portable(), KINDS[name].new
    assert largest_gap(plain.predict_proba(new), model.predict_proba(new)) < 1e-10
    assert largest_gap(plain.predict_log_proba(new), model.predict_log_proba(new)) < 1e-10
    np.testing.assert_allclose(plain.decision_function(new), model.decision_function(new), 1e-10)
    np.testing.assert_array_equal(plain.predict(new), model.predict(new))
    np.testing.assert_array_equal(plain.classes_, model.classes_)


@pytest.mark.parametrize("name", KINDS)
def test_novelty_is_that_of_the_estimator_where_there_is_one(name):
    model, plain, new = fitted(name), fitted(name).to_portable(), KINDS[name].new
    if hasattr(model, "covering_"):
        np.testing.assert_allclose(plain.novelty(new), model.novelty(new), rtol=1e-9, atol=1e-12)
    else:
        with pytest.raises(AttributeError, match="covering rows"):
            plain.novelty(new)


def test_very_sure_classes_keep_the_digits_of_small_probabilities():
    far = np.array([[0.0, 5.0], [2.0, -3.0], [0.3, 1.9], [40.0, -40.0]])
    for name in ("two classes, fast", "each class, fast", "softmax, fast", "poly classes"):
        model = fitted(name)
        expected = model.predict_log_proba(far)
        assert largest_gap(model.to_portable().predict_log_proba(far), expected) < 1e-9


def test_a_model_whose_covering_was_dropped():
    model = RVR().fit(X, Y).drop_covering()
    found = model.to_portable().predict(NEW, return_std=True)
    for here, there in zip(found, model.predict(NEW, return_std=True), strict=True):
        assert largest_gap(here, there) < 1e-10


def test_sparse_inputs():
    from scipy.sparse import csr_matrix

    rows = np.where(np.random.default_rng(0).uniform(size=X.shape) < 0.5, X, 0.0)
    model = RVR(gamma=1.0).fit(csr_matrix(rows), Y)
    plain = model.to_portable()
    expected = model.predict(csr_matrix(rows))
    assert largest_gap(plain.predict(csr_matrix(rows)), expected) < 1e-10
    assert largest_gap(plain.predict(rows), expected) < 1e-10


def test_many_rows_are_predicted_in_blocks():
    rows = np.random.default_rng(0).uniform(0.0, 2.0, size=(30_000, 2))
    plain = fitted("default").to_portable()
    whole = plain.predict(rows, return_std=True)
    some = plain.predict(rows[12_345:12_350], return_std=True)
    np.testing.assert_allclose(whole[1][12_345:12_350], some[1], rtol=1e-12)


def test_columns_of_several_widths_and_of_no_process_beside_a_covering():
    basis = GaussianKernel(width=[1.0, 3.0]) + GaussianKernel(width=2.0)
    X, y = noisy_sinc(60, random_state=0)
    model = SparseBayesRegressor(basis, inference="projection").fit(X, y)
    found = model.to_portable().predict(X, return_std=True)
    for here, there in zip(found, model.predict(X, return_std=True), strict=True):
        np.testing.assert_allclose(here, there, rtol=1e-9, atol=1e-10)


# What is refused.


def double(inputs):
    return np.column_stack([inputs, 2.0 * inputs**2])


@pytest.mark.parametrize(
    "model",
    [
        RVR(kernel=lambda a, b: np.exp(-((a[:, None] - b) ** 2).sum(axis=2)), inference="fast"),
        SparseBayesRegressor(GivenColumns(double)),
    ],
)
def test_a_function_of_the_user_is_refused_with_a_sentence(model):
    with pytest.raises(NotPortableError, match="a function of yours"):
        model.fit(X, Y).to_portable()


def test_complex_models_are_refused_with_a_sentence():
    from sparsebayes import Linear

    random = np.random.default_rng(0)
    columns = random.normal(size=(20, 4)) + 1j * random.normal(size=(20, 4))
    noise = random.normal(0.0, 0.1, size=20)
    model = SparseBayesRegressor(Linear()).fit(columns, columns[:, 0] + noise)
    with pytest.raises(NotPortableError, match="complex"):
        model.to_portable()


def test_an_estimator_that_is_not_fitted_has_no_plain_form():
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        RVR().to_portable()


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        (np.zeros((3, 5)), r"must have shape \(n_samples, 2\)"),
        (np.zeros(2), r"must have shape \(n_samples, 2\)"),
        (np.zeros((0, 2)), "a row or more"),
        ([["a", "b"]], "expected numbers"),
        ([[0.0, np.nan]], "nan in row 0, column 1"),
        ([[0.0, 0.0], [np.inf, 0.0]], "inf in row 1, column 0"),
    ],
)
def test_inputs_that_do_not_fit_are_refused_with_a_sentence(inputs, words):
    with pytest.raises(ValueError, match=words):
        fitted("default").to_portable().predict(inputs)


def test_inputs_beyond_all_range_are_refused_and_not_nan():
    with pytest.raises(ValueError, match="extreme values"):
        fitted("poly kernel, fast").to_portable().predict([[1e200, 1e200]], return_std=True)


def test_names_of_a_frame_have_to_be_those_of_the_training_frame():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["a", "b"])
    plain = RVR().fit(frame, Y).to_portable()
    np.testing.assert_array_equal(plain.predict(frame), plain.predict(X))
    with pytest.raises(ValueError, match=r"expected \['a', 'b'\], in this order"):
        plain.predict(frame[["b", "a"]])


@pytest.mark.parametrize("levels", [[0.0], [1.0], [[0.5]], 0.5])
def test_quantiles_that_make_no_sense_are_refused(levels):
    with pytest.raises(ValueError, match="quantiles must be a list"):
        fitted("default").to_portable().predict_quantiles(NEW, levels)


ASKED = """
def asked(model):
    rows = [[0.5, 0.5], [9.0, 9.0]]
    if hasattr(model, "predict_proba"):
        found = model.predict_proba(rows), model.decision_function(rows)
    else:
        found = *model.predict(rows, return_std=True), model.predict_quantiles(rows)
    return [each.tolist() for each in (*found, model.novelty(rows))]
"""
SCRIPT = """
import json
import sys
import sparsebayes
print(json.dumps(asked(sparsebayes.load(sys.argv[1]))))
heavy = {"sklearn", "scipy", "pandas", "joblib"} & set(sys.modules)
assert not heavy, heavy
"""


@pytest.mark.parametrize(
    "name", ["default", "two classes", "three classes", "varying noise", "ordered"]
)
def test_a_loaded_model_says_the_same_without_scikit_learn_and_scipy(name, tmp_path):
    fitted(name).save(tmp_path / "model.sbm")
    command = [sys.executable, "-c", ASKED + SCRIPT, str(tmp_path / "model.sbm")]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert found.returncode == 0, found.stderr
    names = {}
    exec(ASKED, names)
    for one, other in zip(json.loads(found.stdout), names["asked"](fitted(name)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
