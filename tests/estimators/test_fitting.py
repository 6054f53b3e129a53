"""How a fit begins and ends: data left alone, limits and warnings, fits that fail."""

import numpy as np
import pytest
from estimator_data import BLOBS, CLASSES, LABELS, MOONS, NEW, OUTPUTS, X, Y, prediction
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils.validation import check_is_fitted

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    CallableKernel,
    GaussianKernel,
    Linear,
    Outcome,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

pytestmark = pytest.mark.slow

# Some of the small sets have as many weights as rows.
not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

BOTH = pytest.mark.parametrize(
    ("estimator", "inputs", "target"),
    [
        (RVR(gamma=0.1), X, Y),
        (RVC(gamma="scale"), MOONS, LABELS),
        (RVR(gamma=0.1, inference="fast"), X, Y),
        (RVC(gamma="scale", inference="fast"), MOONS, LABELS),
        (SparseBayesRegressor(GaussianKernel(3.0) + Linear()), X, Y),
        (SparseBayesClassifier(GaussianKernel(1.0) + Linear() + Bias()), MOONS, LABELS),
    ],
    ids=["RVR", "RVC", "fast RVR", "fast RVC", "SparseBayesRegressor", "SparseBayesClassifier"],
)


# the caller's things


def test_no_cache_at_all():
    model = RVR(gamma=0.1, cache_size=0).fit(X[::2], Y[::2])
    expected = RVR(gamma=0.1).fit(X[::2], Y[::2]).predict(NEW)
    assert_allclose(model.predict(NEW), expected, rtol=1e-6, atol=1e-9)


# how a fit ends


@BOTH
def test_the_iteration_limit_warns_and_points_at_the_caller(estimator, inputs, target):
    with pytest.warns(ConvergenceWarning, match="Increase max_iter") as caught:
        model = clone(estimator).set_params(inference="mackay", max_iter=3).fit(inputs, target)
    assert caught[0].filename == __file__
    assert model.n_iter_ == 3
    assert model.outcome_ is Outcome.ITERATION_LIMIT
    assert np.isfinite(prediction(model, inputs)).all()


def test_a_looser_tolerance_ends_farther_from_the_maximum(regressor):
    loose = RVR(gamma=0.1, tol=1.0).fit(X, Y)
    assert regressor.tol < loose.history_[-1].gradient <= 1.0
    assert loose.outcome_ is Outcome.CONVERGED


def test_a_tolerance_below_rounding_is_said_to_be_that():
    with pytest.warns(ConvergenceWarning, match="tol is smaller than rounding allows"):
        model = RVR(gamma=0.1, tol=0, inference="fast").fit(X, Y)
    assert model.outcome_ is Outcome.STALLED


def test_a_tolerance_below_rounding_is_no_matter_to_a_projection(regressor):
    """Its vectors have a goal of their own: to follow the dense model."""
    model = RVR(gamma=0.1, tol=0).fit(X, Y)
    assert model.outcome_ is Outcome.CONVERGED
    assert_allclose(model.predict(NEW), regressor.predict(NEW), atol=0.02)


def test_a_kernel_too_wide_to_tell_columns_apart_is_said_to_be_that():
    with pytest.warns(ConvergenceWarning, match="collinear to rounding"):
        model = RVR(gamma=1e-7, fit_intercept="column", inference="fast").fit(X, Y)
    assert model.outcome_ is Outcome.ILL_CONDITIONED


def test_a_kernel_that_is_constant_to_rounding_has_nothing_to_say_of_a_centred_target():
    with pytest.warns(ConvergenceWarning, match=r"No column is relevant.* mean of y"):
        model = RVR(gamma=1e-7, inference="fast").fit(X, Y)
    assert_allclose(model.predict(NEW), Y.mean(), rtol=1e-12)


def test_the_process_of_a_kernel_that_is_constant_to_rounding_is_a_parabola():
    """What it says is in directions of little energy, which a search for columns cannot see."""
    model = RVR(gamma=1e-7).fit(X, Y)
    parabola = np.polynomial.Polynomial.fit(X[:, 0], Y, 2)(X[:, 0])
    assert np.corrcoef(model.predict(X), parabola)[0, 1] > 0.99


@pytest.mark.parametrize("inference", ["fast", "projection"])
def test_a_fit_that_warns_is_complete_when_the_warning_is_an_error(inference):
    model = RVR(gamma=0.1, inference=inference)
    with pytest.raises(ConvergenceWarning):
        model.fit(np.vstack([X, X]), np.concatenate([Y, -Y]))
    assert np.isfinite(model.predict(X, return_std=True)).all()


# fits that fail


class Fragile:
    """A Gaussian kernel that raises when it is told to, at the first or at a later evaluation."""

    def __init__(self):
        self.error, self.after = None, 0

    def __call__(self, x, c):
        if self.error is not None:
            self.after -= 1
            if self.after < 0:
                raise self.error("enough")
        return rbf_kernel(x, c, gamma=0.5)

    def __deepcopy__(self, memo):
        return self


def state(model, inputs):
    """Everything that a user can see of a fit."""
    names = ("classes_", "n_features_in_", "feature_names_in_", "outcome_", "log_evidence_")
    known = {name: getattr(model, name, None) for name in names}
    return {**known, "prediction": model.predict(inputs), "scores": prediction(model, inputs)}


def assert_same_state(found, expected):
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert_array_equal(found[name], value, err_msg=name)


THREE = np.where(CLASSES == 2, "bird", np.where(CLASSES == 1, "dog", "cat"))
SINC, SEVERAL = (X[::3], Y[::3]), (X[::3], OUTPUTS[::3])
TWO_CLASSES, THREE_CLASSES = (MOONS[::2], LABELS[::2]), (BLOBS[::3], THREE[::3])
REFITS = {
    "another number of inputs": (RVR, SINC, (BLOBS[::3], BLOBS[::3, 0])),
    "from one output to three": (RVR, SINC, SEVERAL),
    "from three outputs to one": (RVR, SEVERAL, SINC),
    "from numbers to words": (RVC, TWO_CLASSES, (MOONS, np.where(LABELS, "a", "b"))),
    "from two classes to three": (RVC, TWO_CLASSES, THREE_CLASSES),
    "from three classes to two": (RVC, THREE_CLASSES, (MOONS[:, :1], LABELS)),
}
REFIT = pytest.mark.parametrize(("kind", "first", "second"), REFITS.values(), ids=REFITS)
ERRORS = pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])


@REFIT
@not_converged
@pytest.mark.parametrize(
    ("error", "after"), [(KeyboardInterrupt, 0), (KeyboardInterrupt, 5), (ValueError, 1)]
)
def test_a_refit_that_fails_leaves_the_model_as_it_was(kind, first, second, error, after):
    kernel = Fragile()
    model = kind(kernel, cache_size=0.001).fit(*first)
    before, names = state(model, first[0]), set(vars(model))
    kernel.error, kernel.after = error, after
    with pytest.raises(error, match="enough"):
        model.fit(*second)
    kernel.error = None
    assert_same_state(state(model, first[0]), before)
    assert set(vars(model)) == names


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_a_refit_that_fails_leaves_the_names_of_a_table(error):
    pandas = pytest.importorskip("pandas")
    kernel = Fragile()
    model = RVC(kernel).fit(pandas.DataFrame(MOONS, columns=["a", "b"]), LABELS)
    kernel.error = error
    for other in (pandas.DataFrame(BLOBS, columns=["c", "d"]), BLOBS):
        with pytest.raises(error, match="enough"):
            model.fit(other, THREE)
        assert model.feature_names_in_.tolist() == ["a", "b"]
        assert_array_equal(model.classes_, [0, 1])


@REFIT
@ERRORS
@not_converged
def test_a_first_fit_that_fails_leaves_an_unfitted_model(kind, first, second, error):
    kernel = Fragile()
    kernel.error, kernel.after = error, 1
    model = kind(kernel, cache_size=0.001)
    names = set(vars(model))
    with pytest.raises(error, match="enough"):
        model.fit(*first)
    assert set(vars(model)) == names
    for name in ("n_features_in_", "classes_", "weights_", "gamma_", "history_"):
        assert not hasattr(model, name)
    with pytest.raises(NotFittedError, match="not fitted"):
        check_is_fitted(model)
    kernel.error = None
    model.fit(*second)
    assert model.n_features_in_ == second[0].shape[1]


@pytest.mark.parametrize(
    "bad",
    [
        {"gamma": -1.0},
        {"inference": "nope"},
        {"multi_class": "nope"},
        {"fit_intercept": 3},
        {"inference": "variational", "multi_class": "softmax"},
    ],
    ids=str,
)
def test_a_refit_with_a_bad_parameter_leaves_the_model_as_it_was(bad):
    model = RVC(gamma=0.5).fit(MOONS, LABELS)
    before = state(model, MOONS)
    with pytest.raises(ValueError, match=r"must be|cannot be used"):
        model.set_params(**bad).fit(BLOBS[:, :1], THREE)
    assert_same_state(state(model, MOONS), before)


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_a_refit_that_fails_leaves_the_basis_of_the_fit(error):
    kernel = Fragile()
    model = SparseBayesRegressor(CallableKernel(kernel) + Bias()).fit(X, Y)
    kernel.error = error
    with pytest.raises(error, match="enough"):
        model.set_params(basis=CallableKernel(kernel)).fit(X, Y)
    assert len(model.basis_.parts) == 2
