"""Bad parameters and bad data: errors say what was given, and what was expected."""

import numpy as np
import pytest
from estimator_data import BLOBS, CLASSES, OUTPUTS
from estimator_data import LABELS as Y_CLASS
from estimator_data import MOONS as X
from estimator_data import RESPONSE as Y_REAL
from estimator_data import X as X_OUTPUTS
from scipy.sparse import csr_array
from sklearn.base import is_classifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from sparsebayes import (
    EM,
    RVC,
    RVR,
    Fast,
    Gamma,
    Mackay,
    Projection,
    SparseBayesClassifier,
    SparseBayesRegressor,
    Variational,
    student_t,
)

N = 80
BOTH = pytest.mark.parametrize("kind", [RVR, RVC])


def target(estimator):
    return Y_CLASS if is_classifier(estimator) else Y_REAL


# parameters


def bad(name, values, words):
    return [(name, value, words) for value in values]


POSITIVE = "must be .* or a positive number, got"
NAMES = "'fast', 'mackay', 'em', 'variational', 'projection'"
PARAMETERS = [
    *bad("kernel", ["nope", None, 3, ["rbf"], "RBF", np.ones(3)], "kernel must be .*'rbf', .*got"),
    *bad(
        "inference",
        ["nope", None, 3, ["em"], Projection, Gamma(1.0, 1.0)],
        rf"inference must be one of {NAMES}, or of Fast\(\), Mackay\(\), .* got",
    ),
    *bad("gamma", [0, -1.0, np.nan, np.inf, "wide", None, True], f"gamma {POSITIVE}"),
    *bad(
        "gamma",
        [np.ones(7), [-1.0, 1.0], [np.nan, 1.0], [0.0, 0.0], ["a", "b"], np.ones((2, 2))],
        "if one for each input, must be an array",
    ),
    *bad("tol", [-1.0, np.nan, "a", None, True], r"tol must be a number of 0.* or more, got"),
    *bad("centres", [0, -3, True, "nope", np.ones(3), np.ones((2, 5))], "centres.* must be .*got"),
    *bad("max_iter", [0, -1, 1.5, "a", None], "max_iter must be an integer of 1 or more, got"),
    *bad("cache_size", [-1, np.nan, "a", None], "cache_size must be a number of 0.* or more, got"),
    *bad("verbose", ["a", -1, 0.5, None], "verbose must be an integer of 0 or more, got"),
    *bad(
        "fit_intercept",
        ["no", 2, None, "columns"],
        "fit_intercept must be True, False or 'column', got",
    ),
]


@BOTH
@pytest.mark.parametrize(("name", "value", "words"), PARAMETERS)
def test_bad_parameters(kind, name, value, words):
    with pytest.raises(ValueError, match=words):
        kind(**{name: value}).fit(X, target(kind()))


INFERENCES = [
    *bad(Fast, [{"min_gain": value} for value in (-1.0, np.nan, "a", None)], "min_gain must be"),
    *bad(Projection, [{"min_gain": value} for value in (-1.0, np.nan, "a")], "min_gain must be"),
    *bad(
        Projection,
        [{"fidelity": value} for value in (0.0, -1.0, np.nan, np.inf, 1e13, "a", None, True)],
        "fidelity must be a positive number up to 1e.12, got",
    ),
    *bad(
        Fast,
        [{"weight_hyperprior": value} for value in (3, "a", (1, 1), Gamma)],
        r"weight_hyperprior must be None \(flat\) or a Gamma\(shape, rate\), got",
    ),
    *bad(
        Variational,
        [{"weight_hyperprior": value} for value in (3, "a", (1, 1), Gamma)],
        r"weight_hyperprior must be None \(broad\) or a Gamma\(shape, rate\), got",
    ),
    *bad(
        Variational,
        [{"weight_hyperprior": value} for value in (Gamma(0.0, 0.0), Gamma(0.0, 1.0))],
        "weight_hyperprior of Variational must have a positive shape .* got Gamma",
    ),
]


@BOTH
@pytest.mark.parametrize(("inference", "params", "words"), INFERENCES)
def test_bad_parameters_of_inferences(kind, inference, params, words):
    with pytest.raises(ValueError, match=words):
        kind(inference=inference(**params)).fit(X, target(kind()))


@pytest.mark.parametrize("inference", [Fast, Variational])
@pytest.mark.parametrize("value", [3, "a", (1, 1)])
def test_bad_noise_hyperpriors(inference, value):
    with pytest.raises(ValueError, match=r"noise_hyperprior must be None .* Gamma.*, got"):
        RVR(inference=inference(noise_hyperprior=value)).fit(X, Y_REAL)


@pytest.mark.parametrize("improper", [Gamma(0.0, 0.0), Gamma(0.0, 1.0)])
def test_an_improper_noise_hyperprior_has_no_bound(improper):
    with pytest.raises(ValueError, match="noise_hyperprior of Variational must have a positive"):
        RVR(inference=Variational(noise_hyperprior=improper)).fit(X, Y_REAL)


@pytest.mark.parametrize("inference", [Mackay, EM, Variational])
def test_only_searches_know_prices(inference):
    with pytest.raises(TypeError, match="min_gain"):
        inference(min_gain=2.0)


@pytest.mark.parametrize("inference", [Fast, Mackay, EM, Variational])
def test_only_projections_have_a_fidelity(inference):
    with pytest.raises(TypeError, match="fidelity"):
        inference(fidelity=2.0)


@BOTH
@pytest.mark.parametrize("name", ["degree", "coef0"])
@pytest.mark.parametrize("value", ["a", None, np.nan])
def test_bad_parameters_of_a_polynomial_kernel(kind, name, value):
    with pytest.raises(ValueError, match=f"{name} must be .*got"):
        kind("poly", **{name: value}).fit(X, target(kind()))


@BOTH
@pytest.mark.parametrize("degree", [-1, 1.5])
def test_bad_degrees_of_a_polynomial_kernel(kind, degree):
    with pytest.raises(ValueError, match=r"degree must be .*got"):
        kind("poly", degree=degree).fit(X, target(kind()))


@pytest.mark.parametrize("value", [0, -1.0, np.nan, np.inf, "a", [0.1], True, 1e-200, 1e200])
def test_bad_noise(value):
    with pytest.raises(ValueError, match=r"noise_std must be None.* or a positive number.*, got"):
        RVR(noise_std=value).fit(X, Y_REAL)


@pytest.mark.parametrize("value", ["one", None, 3, ["ovr"], "multinomial", True])
@pytest.mark.parametrize("kind", [RVC, SparseBayesClassifier])
def test_a_bad_choice_of_multi_class(kind, value):
    words = "multi_class must be one of 'auto', 'ovr', 'softmax', 'shared_softmax', got"
    with pytest.raises(ValueError, match=words):
        kind(multi_class=value).fit(BLOBS, CLASSES)


@pytest.mark.parametrize("value", ["no", None, 2, True, ["shared"]])
@pytest.mark.parametrize("kind", [RVR, SparseBayesRegressor])
def test_a_bad_choice_of_multi_output(kind, value):
    with pytest.raises(ValueError, match="multi_output must be one of 'shared', 'separate', got"):
        kind(multi_output=value).fit(X, Y_REAL)


@BOTH
def test_a_bad_parameter_can_be_displayed(kind):
    assert "nope" in SVC(kernel="nope")._repr_html_()
    assert "nope" in kind("nope")._repr_html_()
    assert "nope" in kind(inference="nope")._repr_html_()


# pairings


@pytest.mark.parametrize("multi_class", ["softmax", "shared_softmax"])
def test_an_inference_that_cannot_fit_classes_jointly_says_what_can(multi_class):
    words = r'Variational\(.*\) cannot be used with .*Use multi_class="ovr", or inference="fast"'
    with pytest.raises(ValueError, match=words):
        RVC(inference=Variational(), multi_class=multi_class).fit(BLOBS, CLASSES)


def test_an_inference_that_cannot_share_outputs_says_what_can():
    words = r'Variational\(.*\) cannot be used with .*Use multi_output="separate", or inf.*="fast"'
    with pytest.raises(ValueError, match=words):
        RVR(inference=Variational()).fit(X_OUTPUTS, OUTPUTS)


def test_a_hyperprior_of_the_noise_needs_one_noise():
    inference = Fast(noise_hyperprior=Gamma(1.0, 1.0))
    words = "noise_hyperprior needs one noise that is estimated"
    for model, inputs, y in (
        (RVR(inference=inference), X_OUTPUTS, OUTPUTS),
        (RVC(inference=inference), X, Y_CLASS),
        (RVR(inference=inference, noise_std=0.1), X, Y_REAL),
    ):
        with pytest.raises(ValueError, match=words):
            model.fit(inputs, y)


def test_outputs_that_share_precisions_cannot_be_given_a_noise():
    words = r'noise_std=0.1 cannot be used with several .*multi_output="separate"'
    with pytest.raises(ValueError, match=words):
        RVR(noise_std=0.1).fit(X_OUTPUTS, OUTPUTS)


# hyperpriors


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf, "a", None])
def test_bad_gamma_hyperpriors(value):
    words = "of a Gamma hyperprior must be a finite number of 0 or more"
    with pytest.raises(ValueError, match=f"shape {words}"):
        Gamma(value, 1.0)
    with pytest.raises(ValueError, match=f"rate {words}"):
        Gamma(1.0, value)


def test_a_bad_number_of_degrees_of_freedom():
    with pytest.raises(ValueError, match=r"nu .* got -1"):
        student_t(-1.0)


# targets


def test_targets_may_be_integers_booleans_and_objects():
    model = RVR(gamma="scale")
    expected = model.fit(X, Y_CLASS.astype(float)).predict(X)
    for y in Y_CLASS, Y_CLASS > 0, Y_CLASS.tolist(), Y_CLASS.astype(object):
        np.testing.assert_allclose(model.fit(X, y).predict(X), expected, rtol=1e-12)


def test_a_regressor_refuses_text():
    with pytest.raises(ValueError, match=r"y of RVR must hold numbers, got 'yes' .*classifier"):
        RVR().fit(X, np.where(Y_CLASS, "yes", "yes"))
    with pytest.raises(ValueError, match="y of RVR must hold numbers, got 'yes'"):
        RVR().fit(X, np.full((N, 2), "yes"))


@pytest.mark.parametrize("only", [0, 1.0, "yes", True])
def test_a_classifier_refuses_a_single_class(only):
    with pytest.raises(ValueError, match=f"y of RVC needs two classes .* got one class: {only}"):
        RVC().fit(X, np.full(N, only))


def test_a_classifier_refuses_a_class_without_weight():
    with pytest.raises(
        ValueError, match=r"y of RVC needs two classes .* positive sample_weight, .*: 1"
    ):
        RVC().fit(X, Y_CLASS, sample_weight=Y_CLASS)


def test_a_classifier_refuses_numbers():
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        RVC().fit(X, Y_REAL)


@pytest.mark.parametrize("size", [1e-80, 1e80])
def test_targets_whose_squares_are_no_numbers_are_refused(size):
    with pytest.raises(ValueError, match=r"y must be zero or of a size between .* got values up"):
        RVR().fit(X, Y_REAL * size)
    with pytest.raises(ValueError, match=r"y must be zero or of a size between .* got values up"):
        RVR(multi_output="separate").fit(X_OUTPUTS, OUTPUTS * [1.0, size, 1.0])


@BOTH
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", ["X", "y", "sample_weight"])
def test_missing_and_infinite_values(kind, where, wrong):
    data = {"X": X.copy(), "y": target(kind()).astype(float), "sample_weight": np.ones(N)}
    data[where].flat[3] = wrong
    with pytest.raises(ValueError, match=rf"Input {where} contains (NaN|infinity)"):
        kind().fit(**data)


@BOTH
def test_data_of_the_wrong_shape(kind):
    y = target(kind())
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[80, 3\]"):
        kind().fit(X, y[:3])
    shape, words = ((N, 2), "y should be a 1d array") if kind is RVC else ((N, 2, 2), "dim 3")
    with pytest.raises(ValueError, match=words):
        kind().fit(X, np.ones(shape))
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
        kind().fit(X[:, 0], y)
    with pytest.raises(ValueError, match=r"1 sample\(s\) .* minimum of 2"):
        kind().fit(X[:1], y[:1])
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        kind().fit(X[:, :0], y)
    with pytest.raises(ValueError, match=f"{kind.__name__} estimator requires y to be passed"):
        kind().fit(X, None)
    with pytest.raises(ValueError, match=r"precomputed kernel .* square .* got shape \(80, 2\)"):
        kind("precomputed").fit(X, y)


@BOTH
@pytest.mark.parametrize(
    ("weight", "words"),
    [
        (np.where(np.arange(N) == 3, -2.0, 1.0), r"sample_weight must not be negative, .* -2"),
        (np.zeros(N), r"([Ss]ample weights|sample_weight) .*zero"),
        (np.ones(3), r"sample_weight.shape == \(3,\), expected \(80,\)"),
        (np.ones((N, 2)), r"Sample weights must be 1D"),
    ],
    ids=["negative", "zero", "length", "shape"],
)
def test_bad_weights(kind, weight, words):
    with pytest.raises(ValueError, match=words):
        kind().fit(X, target(kind()), sample_weight=weight)


# kernels


@BOTH
@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (lambda x, c: np.ones(3), r"kernel function .* shape \(3,\) .* expected shape \(80, 80\)"),
        (lambda x, c: None, r"kernel function .* shape \(\) .* expected shape \(80, 80\)"),
        (lambda x, c: np.full((len(x), len(c)), np.nan), "kernel function .*lambda.* returned NaN"),
        (
            lambda x, c: np.full((len(x), len(c)), np.inf),
            "kernel function .*lambda.* infinite",
        ),
        (lambda x, c: "a", "kernel function .* returned str; expected a dense array"),
    ],
    ids=["shape", "none", "nan", "infinity", "text"],
)
def test_bad_callable_kernels(kind, kernel, words):
    with pytest.raises(ValueError, match=words):
        kind(kernel).fit(X, target(kind()))


@BOTH
def test_a_kernel_that_overflows(kind):
    with pytest.raises(ValueError, match=r"infinite or NaN values .* scale the inputs"):
        kind("poly", gamma=1.0, degree=40).fit(X * 1e8, target(kind()))


@pytest.mark.parametrize("kernel", ["laplacian", "linear_spline", np.inner, "precomputed"])
def test_kernels_that_do_not_take_sparse_matrices_say_so(kernel):
    with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is required"):
        RVR(kernel).fit(csr_array(np.eye(5)), np.arange(5.0))


# new inputs


@BOTH
@pytest.mark.parametrize(
    ("new", "words"),
    [
        (np.ones((2, 2, 2)), "Found array with dim 3"),
        pytest.param(
            *(np.array([[-np.inf, np.inf]]), "Input X contains infinity"),
            marks=pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning"),
        ),
        (np.array([["a", "b"]]), "column 0 of X holds 'a' in row 0"),
    ],
)
def test_new_inputs_of_the_wrong_kind(kind, new, words):
    model = kind(gamma="scale").fit(X, target(kind()))
    with pytest.raises(ValueError, match=words):
        model.predict(new)


@BOTH
def test_new_kernel_values_of_the_wrong_shape(kind):
    model = kind("precomputed").fit(rbf_kernel(X), target(kind()))
    with pytest.raises(ValueError, match=r"X has 4 features, but .* expecting 80"):
        model.predict(rbf_kernel(X, X[:4]))


def undefined_far_left(x, c):
    return np.where(x[:, :1] < -100, np.nan, rbf_kernel(x, c, gamma=0.5))


@pytest.mark.parametrize(
    ("model", "asked"),
    [
        (RVR(undefined_far_left), ["predict", "predict_quantiles", "sample_y"]),
        (RVC(undefined_far_left), ["predict", "predict_proba", "latent_mean_and_variance"]),
    ],
    ids=["RVR", "RVC"],
)
def test_a_kernel_that_is_undefined_at_new_inputs(model, asked):
    model.fit(X, target(model))
    for ask in asked:
        with pytest.raises(ValueError, match=r"undefined_far_left.* returned NaN or infinite"):
            getattr(model, ask)([[-1e3, 0.0]])
