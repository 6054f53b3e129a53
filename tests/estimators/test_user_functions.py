"""Functions of the user do no harm: kernels that misbehave, callbacks that fail."""

from pathlib import Path

import numpy as np
import pytest
from fault_parts import X, Y, gaussian
from numpy.testing import assert_array_equal
from sklearn.base import clone

from sparsebayes import RVC, RVR, Bias, GivenColumns, SparseBayesRegressor
from studies.reliability.fault_state import data

not_converged = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
SOURCE = Path(__file__).parents[2] / "src"
LABELS = Y.mean() < Y

# kernels and columns


def raising(x, *c):
    raise ArithmeticError("enough")


def vandal(x, c):
    values = gaussian(x, c)
    x[:], c[:] = 7.0, 7.0
    return values


WRONG = {
    "raises": (raising, ArithmeticError),
    "NaN": (lambda x, c: gaussian(x, c) * np.nan, ValueError),
    "one NaN": (lambda x, c: np.where(gaussian(x, c) > 0.99, np.nan, gaussian(x, c)), ValueError),
    "infinite": (lambda x, c: gaussian(x, c) + np.inf, ValueError),
    "a column too few": (lambda x, c: gaussian(x, c)[:, 1:], ValueError),
    "one row": (lambda x, c: gaussian(x, c)[0], ValueError),
    "text": (lambda x, c: "text", ValueError),
    "texts": (lambda x, c: np.full((len(x), len(c)), "a"), ValueError),
    "nothing": (lambda x, c: None, ValueError),
    "complex": (lambda x, c: gaussian(x, c) + 1j, ValueError),
}
INFERENCES = ("projection", "fast", "mackay", "em", "variational")


NAMED = "the kernel function <"  # and then which


def words(error):
    """What is read below a traceback: the message, and notes to it."""
    return "\n".join([str(error), *getattr(error, "__notes__", [])])


@pytest.mark.parametrize("kind", [RVR, RVC])
@pytest.mark.parametrize(("kernel", "error"), WRONG.values(), ids=WRONG)
def test_an_error_names_the_kernel_function(kind, kernel, error):
    with pytest.raises(error) as raised:
        kind(kernel).fit(X, Y if kind is RVR else LABELS)
    assert NAMED in words(raised.value)


@pytest.mark.parametrize("name", ["raises", "NaN", "text"])
def test_an_error_at_a_prediction_names_the_kernel_function(name):
    chosen = {"kernel": gaussian}
    model = RVR(lambda x, c: chosen["kernel"](x, c), inference="fast").fit(X, Y)
    chosen["kernel"], error = WRONG[name]
    with pytest.raises(error) as raised:
        model.predict(X)
    assert NAMED in words(raised.value)


COLUMNS = {
    "raises": (raising, ArithmeticError),
    "NaN": (lambda x: x * np.nan, ValueError),
    "a row too few": (lambda x: x[1:], ValueError),
    "text": (lambda x: "text", ValueError),
    "one axis": (lambda x: x[:, 0], ValueError),
}


@pytest.mark.parametrize(("function", "error"), COLUMNS.values(), ids=COLUMNS)
def test_an_error_names_the_function_of_given_columns(function, error):
    with pytest.raises(error) as raised:
        SparseBayesRegressor(GivenColumns(function) + Bias()).fit(X, Y)
    assert "GivenColumns" in words(raised.value)


@pytest.mark.parametrize("inference", INFERENCES)
def test_a_kernel_that_writes_to_its_arguments_changes_nothing(inference):
    inputs = X.copy()
    model = RVR(vandal, inference=inference).fit(inputs, Y)
    expected = RVR(gaussian, inference=inference).fit(X, Y)
    assert_array_equal(model.predict(inputs), expected.predict(X))
    assert_array_equal(inputs, X)


def fitted_or_named(model, y, name):
    """The fitted model; None if it was refused by an error that names what is wrong."""
    refused = None
    try:
        model.fit(X, y)
    except ValueError as error:
        refused = words(error)
    if refused is None:
        return model
    assert name in refused
    return None


@pytest.mark.parametrize("inference", INFERENCES)
@pytest.mark.parametrize("unit", [1e200, 1e-200])
@pytest.mark.parametrize("kind", [RVR, RVC])
def test_a_kernel_of_any_size_gives_the_same_model_or_an_error_that_names_it(kind, unit, inference):
    y = Y if kind is RVR else LABELS
    model = kind(lambda x, c: unit * gaussian(x, c), inference=inference)
    if fitted_or_named(model, y, NAMED):
        expected = kind(gaussian, inference=inference).fit(X, y)
        assert model.score(X, y) > expected.score(X, y) - 0.05


@pytest.mark.parametrize("unit", [1e200, 1e-200])
def test_given_columns_of_any_size_give_the_same_model_or_an_error_that_names_them(unit):
    model = SparseBayesRegressor(GivenColumns(lambda x: unit * x) + Bias())
    if fitted_or_named(model, Y, "GivenColumns"):
        expected = SparseBayesRegressor(GivenColumns(lambda x: x) + Bias()).fit(X, Y)
        assert model.score(X, Y) > expected.score(X, Y) - 0.05


# callbacks


class Failing:
    """A callback that raises when it is told of something, and counts."""

    def __init__(self, where, error=ArithmeticError):
        self.where, self.error = where, error
        self.setups = self.teardowns = 0

    def _tell(self, what):
        if what == self.where:
            raise self.error("enough")

    def setup(self, estimator, context):
        self.setups += 1
        self._tell("setup")

    def teardown(self, estimator, context):
        self.teardowns += 1
        self._tell("teardown")

    def on_fit_task_begin(self, estimator, context, **rest):
        self._tell(f"begin of {context.task_name}")

    def on_fit_task_end(self, estimator, context, **rest):
        self._tell(f"end of {context.task_name}")
        return False


SEVERAL = {
    "three classes": (RVC(gamma=0.5), data("three", 24)),
    "one against the rest": (RVC(gamma=0.5, multi_class="ovr"), data("three", 24)),
    "separate outputs": (RVR(gamma=0.5, multi_output="separate"), data("outputs", 24)),
}
MOMENTS = ("setup", "teardown", "begin of fit", "end of fit", "begin of iteration")


@pytest.mark.slow
@not_converged
@pytest.mark.parametrize("error", [ArithmeticError, KeyboardInterrupt])
@pytest.mark.parametrize("where", MOMENTS)
@pytest.mark.parametrize(("estimator", "table"), SEVERAL.values(), ids=SEVERAL)
def test_a_callback_that_raises_is_torn_down_once(estimator, table, where, error):
    pytest.importorskip("sklearn.callback", reason="needs scikit-learn 1.9")
    if (where, error) == ("teardown", KeyboardInterrupt):
        pytest.skip("scikit-learn does not catch it, and goes no further")
    callback = Failing(where, error)
    model = clone(estimator).set_callbacks(callback)
    with pytest.raises(error, match="enough"):
        model.fit(*table)
    assert (callback.setups, callback.teardowns) == (1, 1)
    model.set_callbacks().fit(*table)
    assert not [name for name in vars(model) if "callback" in name]
