"""What does not matter to a fit, and what it leaves alone, for every kind of estimator."""

import pickle
import re

import numpy as np
import pytest
from carried import KERNEL, NEW, NEW_KERNEL, OUTPUTS, THREE, TWO, X, Y
from laws.kinds import (
    BALANCED,
    CLASSES,
    COUNTED,
    CURVES,
    DENSE_ONLY,
    GIVEN,
    GROUPED,
    ORDERED,
    PLANES,
    SEARCHED_SOFTMAX,
    SEVERAL,
    SPLINES,
    WIDTH_GIVEN,
    WIDTH_OF_ALL,
    N,
    assert_same,
    fit,
    fitted,
    gaussian,
    over,
    rows_of,
    said,
)
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_matrix, csr_array
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.gaussian_process.kernels import Kernel as KernelObject

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    Fast,
    GaussianKernel,
    SparseBayesClassifier,
    SparseBayesRegressor,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore:sample_weight was multiplied"),
]
RANDOM = np.random.default_rng(5)
ORDER = RANDOM.permutation(N)
TIMES = RANDOM.integers(0, 3, N)


# Rows and their weights.


@over()
def test_the_order_of_rows(kind):
    model, (inputs, y, new) = fitted(kind), rows_of(kind, ORDER)
    shuffled = fit(kind, inputs, y)
    assert_same(said(shuffled, new), said(model, kind.new))
    assert_allclose(shuffled.log_evidence_, model.log_evidence_, rtol=1e-9)


@over({"centres", "some centres"})  # centres that are given, or drawn, are no rows in order
def test_the_same_rows_are_kept_in_any_order(kind):
    model, (inputs, y, _) = fitted(kind), rows_of(kind, ORDER)
    shuffled = fit(kind, inputs, y)
    for name in ("relevance_", "covering_"):
        if hasattr(model, name):
            assert_array_equal(np.sort(ORDER[getattr(shuffled, name)]), getattr(model, name))


@over(GIVEN, BALANCED)  # other rows may cover the process where inputs are not known
def test_an_integer_weight_is_so_many_rows(kind):
    rows = np.repeat(np.arange(N), TIMES)
    weighted = fit(kind, sample_weight=TIMES)
    inputs, y, new = rows_of(kind, rows)
    repeated = fit(kind, inputs, y)
    assert_same(said(weighted, new), said(repeated, new))
    assert_allclose(weighted.log_evidence_, repeated.log_evidence_, rtol=1e-9)
    assert_allclose(weighted.weights_, repeated.weights_, rtol=1e-6, atol=1e-9)


@over(GIVEN, BALANCED)  # other rows may cover the process where inputs are not known
def test_a_row_of_weight_zero_is_absent(kind):
    weight = 1.0 * (np.arange(N) % 4 != 1)
    inputs, y, new = rows_of(kind, np.flatnonzero(weight))
    assert_same(said(fit(kind, sample_weight=weight), new), said(fit(kind, inputs, y), new))


@over()
@pytest.mark.parametrize("weight", [1.0, 3.0, 0.25])
def test_one_weight_for_all_rows(kind, weight):
    model = fit(kind, sample_weight=np.full(N, weight))
    assert_same(said(model, kind.new), said(fitted(kind), kind.new))


@over()
def test_the_size_of_the_cache(kind):
    model = clone(kind.estimator).set_params(cache_size=0.001).fit(kind.inputs, kind.y)
    assert_same(said(model, kind.new), said(fitted(kind), kind.new))
    assert_allclose(model.log_evidence_, fitted(kind).log_evidence_, rtol=1e-8)


# Inputs.

ONE_WAY = {"centres"}  # are given in the units, the order and the number of the inputs


@over(GIVEN, ONE_WAY)
def test_the_order_of_inputs(kind):
    model = fit(kind, kind.inputs[:, ::-1])
    assert_same(said(model, kind.new[:, ::-1]), said(fitted(kind), kind.new))


@over(GIVEN, WIDTH_GIVEN)
@pytest.mark.parametrize("unit", [1e-8, 1e8])
def test_the_unit_of_all_inputs(kind, unit):
    model = fit(kind, unit * kind.inputs)
    assert_same(said(model, unit * kind.new), said(fitted(kind), kind.new))


AS_MANY = ONE_WAY | GROUPED | {"kernel object"}  # are told how many inputs there are
# One scale for all inputs: given, of their variance, of a softmax, and of linear kernels.
ONE_SCALE = (
    WIDTH_GIVEN | WIDTH_OF_ALL | GROUPED | {"learned sum", "three classes", "three classes, linear"}
)
ONE_SCALE |= {"softmax", "shared softmax"} | SEARCHED_SOFTMAX
ONE_SCALE |= {f"linear {each}" for each in ("kernel", "kernel, fast", "classes")}


@over(GIVEN, ONE_SCALE)
def test_a_unit_of_each_input(kind):
    units = np.resize([1e-3, 1e3], kind.inputs.shape[1])
    model = fit(kind, units * kind.inputs)
    assert_same(said(model, units * kind.new), said(fitted(kind), kind.new))


DRIFTING = {"ordered, fast"}  # cut points that drift, until rounding ends the fit


@over(GIVEN, PLANES, CURVES, SPLINES, ONE_WAY, DRIFTING, {"learned sum"})  # zero is a place
def test_an_offset_of_the_inputs(kind):
    """An object divides by its lengths before it subtracts: 1e8 leaves it eight digits."""
    part = 1e-5 if isinstance(getattr(kind.estimator, "kernel", None), KernelObject) else 1e-6
    inputs, new = (np.round(64.0 * x) / 64.0 for x in (kind.inputs, kind.new))  # exact far away
    for offset in (1e3, 1e8):
        moved = said(fit(kind, inputs + offset), new + offset)
        assert_same(moved, said(fit(kind, inputs), new), part)


def assert_nothing_comes_of_an_input_of(constant, kind):
    wide, new = (np.column_stack([x, np.full(len(x), constant)]) for x in (kind.inputs, kind.new))
    assert_same(said(fit(kind, wide), new), said(fitted(kind), kind.new))


@over(GIVEN, WIDTH_OF_ALL, AS_MANY)  # a scale of the variance of all inputs notices another one
def test_an_input_of_zeros(kind):
    assert_nothing_comes_of_an_input_of(0.0, kind)


@over(GIVEN, PLANES, WIDTH_OF_ALL, AS_MANY, {"learned sum"})  # a constant is a bias of planes
def test_a_constant_input(kind):
    assert_nothing_comes_of_an_input_of(1e6, kind)


@over(GIVEN, DENSE_ONLY)
@pytest.mark.parametrize("form", [csr_array, csc_matrix])
def test_a_sparse_matrix_is_its_dense_form(kind, form):
    inputs, new = (x * (x > 1.0) for x in (kind.inputs, kind.new))
    dense, sparse = fit(kind, inputs), fit(kind, form(inputs))
    assert_same(said(sparse, form(new)), said(dense, new))
    assert_same(said(dense, form(new)), said(dense, new))


@over(of=DENSE_ONLY)
def test_a_sparse_matrix_is_refused_where_columns_need_dense_inputs(kind):
    with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is required"):
        fit(kind, csr_array(kind.inputs))


@over({"callable"})  # a function of the user takes what it takes
def test_the_type_and_the_layout_of_inputs(kind):
    inputs, new = (np.round(8.0 * x) / 8.0 for x in (kind.inputs, kind.new))
    expected = said(fit(kind, inputs), new)
    for form in (np.float32, np.asfortranarray, np.ndarray.tolist):
        assert_same(said(fit(kind, form(inputs)), form(new)), expected, 1e-9)


@over(GIVEN)
def test_a_table_keeps_the_names_of_its_columns(kind):
    pandas = pytest.importorskip("pandas")
    names = [f"input {k}" for k in range(kind.inputs.shape[1])]
    inputs, new = (pandas.DataFrame(x, columns=names) for x in (kind.inputs, kind.new))
    model, plain = fit(kind, inputs), fitted(kind)
    assert model.feature_names_in_.tolist() == names
    assert not hasattr(plain, "feature_names_in_")
    assert model.column_names_ == [
        re.sub(r"\bx(\d+)", r"input \1", name) for name in plain.column_names_
    ]
    assert_same(said(model, new), said(plain, kind.new), 1e-9)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(kind.new)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(new[names[::-1]])
    assert not hasattr(model.fit(kind.inputs, kind.y), "feature_names_in_")


TARGETS = {
    "number": (RVR, SparseBayesRegressor, {}, Y),
    "outputs": (RVR, SparseBayesRegressor, {"multi_output": "separate"}, OUTPUTS),
    "two classes": (RVC, SparseBayesClassifier, {}, TWO),
    "three classes": (RVC, SparseBayesClassifier, {}, THREE),
    "one softmax": (RVC, SparseBayesClassifier, {"multi_class": "softmax"}, THREE),
    "shared softmax": (RVC, SparseBayesClassifier, {"multi_class": "shared_softmax"}, THREE),
}
BY_VALUES = {
    f"{inference} {target}": (model(inference=inference, fit_intercept=False, **options), y)
    for inference in ("projection", "fast", "mackay", "variational")
    for target, (model, _, options, y) in TARGETS.items()
    if inference != "variational" or "softmax" not in target
}


@pytest.mark.parametrize("inference", ["projection", "fast"])
@pytest.mark.parametrize(("machine", "any_basis", "options", "y"), TARGETS.values(), ids=TARGETS)
def test_a_kernel_machine_is_its_basis(machine, any_basis, options, y, inference):
    options = {**options, "inference": inference}
    named = machine(gamma=1.0, **options).fit(X, y)
    general = any_basis(GaussianKernel(1.0) + Bias(), **options).fit(X, y)
    assert_same(said(general, NEW), said(named, NEW))
    assert_allclose(general.log_evidence_, named.log_evidence_, rtol=1e-9)


@pytest.mark.parametrize(("machine", "_", "options", "y"), TARGETS.values(), ids=TARGETS)
def test_a_price_of_columns_leaves_fewer(machine, _, options, y):
    free, priced = (
        machine(gamma=4.0, inference=Fast(min_gain=price), **options).fit(X, y)
        for price in (0.0, 2.0)
    )
    assert 0 < len(priced.weights_) < len(free.weights_)
    assert priced.score(X, y) > 0.7


@pytest.mark.parametrize(("model", "y"), BY_VALUES.values(), ids=BY_VALUES)
def test_a_kernel_is_known_by_its_values(model, y):
    """Without a bias, which a projection has beside a kernel that is not known to fall off."""
    expected = said(clone(model).set_params(gamma=1.0).fit(X, y), NEW)
    called = said(clone(model).set_params(kernel=gaussian).fit(X, y), NEW)
    given = said(clone(model).set_params(kernel="precomputed").fit(KERNEL, y), NEW_KERNEL)
    searched = model.inference != "projection"
    mean = slice(None) if searched else slice(1, 2) if is_classifier(model) else slice(0, 1)
    for found in (called, given):
        assert_same(found[mean], expected[mean])
        # Other rows may cover a process, so that variances are equal only about.
        assert_same(found[-1:], expected[-1:], 1e-6 if searched else 0.1)


# Targets.

UNITLESS = CLASSES | COUNTED | {"known noise"}  # a given noise has the unit of the target


@over(UNITLESS)
@pytest.mark.parametrize("unit", [1024.0, 1e-6, 1e6])
def test_the_unit_of_the_target(kind, unit):
    mean, std = said(fit(kind, y=unit * kind.y), kind.new)
    assert_same((mean / unit, std / unit), said(fitted(kind), kind.new))


@over(CLASSES, COUNTED, {"column", "no intercept"})  # which have to explain the offset
@pytest.mark.parametrize("offset", [1e3, -1e8])
def test_an_offset_of_the_target(kind, offset):
    model = fit(kind, y=kind.y + offset)
    mean, std = said(model, kind.new)
    assert_same((mean - offset, std), said(fitted(kind), kind.new))
    assert_allclose(model.log_evidence_, fitted(kind).log_evidence_, rtol=1e-6)


@over(CLASSES)
@pytest.mark.parametrize("kind_of_number", [np.float32, np.float16, np.longdouble, np.int8])
def test_targets_of_any_type_of_number(kind, kind_of_number):
    y = np.round(8.0 * kind.y).astype(kind_of_number)
    model = fit(kind, y=y)
    assert model.predict(kind.new).dtype == np.float64
    expected = said(fit(kind, y=y.astype(np.float64)), kind.new)
    for one, other in zip(said(model, kind.new), expected, strict=True):
        assert_array_equal(one, other)


LABELS = {
    2: ([False, True], [-7, 12], ["eins", "zwei"], [2.0, 7.0]),
    3: ([-7, 0, 12], ["drei", "eins", "zwei"], [2.0, 7.0, 9.0]),
}


@over(ORDERED, of=CLASSES)
def test_labels_may_be_anything(kind):
    model = fitted(kind)
    for names in map(np.array, LABELS[len(model.classes_)]):
        other = fit(kind, y=names[np.unique(kind.y, return_inverse=True)[1]])
        assert_array_equal(other.classes_, names)
        assert other.predict(kind.new).dtype == names.dtype
        assert_array_equal(other.predict_proba(kind.new), model.predict_proba(kind.new))
        expected = names[np.searchsorted(model.classes_, model.predict(kind.new))]
        assert_array_equal(other.predict(kind.new), expected)


@over(ORDERED, SEARCHED_SOFTMAX, of=CLASSES)
def test_the_order_of_classes(kind):
    code = np.unique(kind.y, return_inverse=True)[1]
    found = fit(kind, y=code.max() - code).predict_proba(kind.new)[:, ::-1]
    assert_allclose(found, fitted(kind).predict_proba(kind.new), rtol=1e-6, atol=1e-8)


@over(of=SEARCHED_SOFTMAX)
def test_the_order_of_classes_of_a_search_that_takes_another_path(kind):
    found = fit(kind, y=2 - kind.y).predict_proba(kind.new)[:, ::-1]
    assert_allclose(found, fitted(kind).predict_proba(kind.new), atol=0.005)


ABSENT = {"i": 1, "U": "no"}  # a label


@over({"ordered texts"}, BALANCED, of=CLASSES)  # whose order names all classes
def test_a_class_of_no_weight_is_absent(kind):
    absent = np.arange(N) % 4 == 1
    model = fit(kind, y=np.where(absent, ABSENT[kind.y.dtype.kind], kind.y), sample_weight=~absent)
    expected = fit(kind, sample_weight=~absent)
    assert_array_equal(model.classes_, expected.classes_)
    assert_array_equal(model.predict_proba(kind.new), expected.predict_proba(kind.new))


# Several outputs.


@over(of=SEVERAL)
def test_the_order_of_outputs(kind):
    swapped = said(fit(kind, y=kind.y[:, ::-1]), kind.new)
    assert_same([each[:, ::-1] for each in swapped], said(fitted(kind), kind.new))


@over(of=SEVERAL)
@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_the_unit_of_one_output(kind, unit):
    units = np.array([1.0, unit])
    found = said(fit(kind, y=units * kind.y), kind.new)
    assert_same([each / units for each in found], said(fitted(kind), kind.new))


@over(of=SEVERAL)
def test_an_output_twice_has_the_same_predictions(kind):
    for each in said(fit(kind, y=kind.y[:, [0, 0]]), kind.new):
        assert_allclose(each[:, 0], each[:, 1], rtol=1e-9, atol=1e-12)


# What a fit leaves alone.


@over()
def test_a_fit_changes_neither_data_nor_parameters(kind):
    inputs, y, weight = kind.inputs.copy(), kind.y.copy(), TIMES + 1.0
    for each in (inputs, y, weight):
        each.flags.writeable = False
    model = clone(kind.estimator)
    before = model.get_params(deep=False)
    assert model.fit(inputs, y, sample_weight=weight) is model
    said(model, inputs)
    after = model.get_params(deep=False)
    assert all(after[name] is before[name] for name in before)
    assert after.keys() == before.keys()


@over()
def test_a_fitted_model_does_not_change_with_the_callers_arrays(kind):
    inputs, y = kind.inputs.copy(), kind.y.copy()
    model = fit(kind, inputs, y)
    before = said(model, kind.new)
    inputs[:], y[:] = 0.0, y[0]
    for found, expected in zip(said(model, kind.new), before, strict=True):
        assert_array_equal(found, expected)


def assert_equal(model, other, new):
    for found, expected in zip(said(model, new), said(other, new), strict=True):
        assert_array_equal(found, expected)
    assert_array_equal(model.weights_, other.weights_)
    assert_array_equal(model.weight_precision_, other.weight_precision_)
    assert repr(model.history_) == repr(other.history_)
    assert_array_equal(model.log_evidence_, other.log_evidence_)


@over()
def test_pickles_clones_and_refits_say_the_same(kind):
    model = fitted(kind)
    assert_equal(pickle.loads(pickle.dumps(model)), model, kind.new)
    copy = clone(model)
    assert set(vars(copy)) == set(kind.estimator.get_params(deep=False))
    assert_equal(copy.fit(kind.inputs, kind.y), model, kind.new)
    inputs, y, _ = rows_of(kind, np.arange(40))
    assert_equal(copy.fit(inputs, y).fit(kind.inputs, kind.y), model, kind.new)


def wrong_data(kind):
    """Inputs, targets, weights, and words of the error; of other shapes than those of the fit."""
    inputs, y = (kind.inputs, kind.y) if kind.inputs is KERNEL else (kind.inputs[:, :1], kind.y)
    holes = np.where(np.arange(N)[:, None] == 7, np.nan, inputs)
    yield holes, y, None, "Input X contains NaN"
    yield np.where(np.isnan(holes), np.inf, inputs), y, None, "Input X contains infinity"
    yield inputs, y[:-1], None, "inconsistent numbers of samples"
    yield inputs, y, -np.ones(N), "negative|weight -1"
    yield inputs, y, np.ones(3), "inconsistent|shape"
    yield inputs, None, None, "requires y"
    yield inputs[:, 0], y, None, "Expected 2D array, got 1D array"
    if y.dtype.kind == "f":
        for bad, word in ((np.nan, "NaN"), (np.inf, "infinity")):
            spoiled = y.copy()
            spoiled[3] = bad
            yield inputs, spoiled, None, f"Input y contains {word}"
        yield inputs, np.zeros((N, 0)), None, "0 feature|y must|output|y should|takes one target"
    else:
        yield inputs, np.full(N, y[0]), None, "needs two classes or more"
        yield inputs, np.column_stack([y, y]), None, "y should be a 1d array"


@over()
def test_a_fit_to_wrong_data_is_refused_and_leaves_the_model_as_it_was(kind):
    model, fresh = pickle.loads(pickle.dumps(fitted(kind))), clone(kind.estimator)
    for inputs, y, weight, words in wrong_data(kind):
        for each in (model, fresh):
            with pytest.raises(ValueError, match=words):
                each.fit(inputs, y, sample_weight=weight)
        assert set(vars(fresh)) == set(kind.estimator.get_params(deep=False))
    assert_equal(model, fitted(kind), kind.new)
    assert model.n_features_in_ == kind.inputs.shape[1]


@over()
def test_an_unfitted_model_says_so(kind):
    model = clone(kind.estimator)
    asks = ["predict", "novelty", "predict_proba", "decision_function", "latent_mean_and_variance"]
    for name in asks if is_classifier(model) else [*asks[:2], "predict_quantiles", "sample_y"]:
        with pytest.raises(NotFittedError, match="instance is not fitted"):
            getattr(model, name)(kind.new)
    for ask in (model.prune, model.drop_covering):
        with pytest.raises(NotFittedError, match="instance is not fitted"):
            ask()
    for name in ("weights_", "relevance_", "log_evidence_", "outcome_", "column_names_"):
        assert not hasattr(model, name)
        with pytest.raises(AttributeError, match="not fitted"):
            getattr(model, name)
    assert not hasattr(model, "covering_")
