"""What a user tells NumPy to raise is no matter of ours: an exponential that vanishes is no error.

The law: every method of every kind of model, fitted or from a file, says under
`np.errstate(all="raise")` what it says without, at training rows, near them, and far away.
"""

import inspect
import io
import warnings

import matplotlib as mpl
import numpy as np
import pytest
from carried import KINDS, X, Y, fitted
from numpy.testing import assert_array_equal
from sklearn.base import clone

import sparsebayes
from sparsebayes import RVR, EvidenceSearch, diagnostics, export, plots
from sparsebayes.report import report

mpl.use("Agg")
# What changes a model, or makes something else than numbers.
OTHER = {"fit", "partial_fit", "report", "save", "to_estimator", "drop_covering", "prune"}
RAISE = {"all": "raise"}


def loaded(model):
    """The model, as it comes from a file."""
    file = io.BytesIO()
    model.save(file)
    file.seek(0)
    return sparsebayes.load(file)


def methods(model):
    """Public methods of new rows, by name."""
    found = {}
    for name in dir(type(model)):
        one = None if name.startswith("_") or name in OTHER else getattr(model, name, None)
        if callable(one) and "X" in inspect.signature(one).parameters:
            found[name] = one
    return found


def answers(name, method, rows, y):
    """What a method says in all its ways, as a list of arrays."""
    needs = inspect.signature(method).parameters
    arguments = (rows, y) if "y" in needs else (rows,)
    options = [{each: True} for each in ("return_std", "return_cov") if each in needs]
    found = [method(*arguments, **each) for each in [{}, *options]]
    return [array for each in found for array in (each if isinstance(each, tuple) else (each,))]


def outcome(*asked):
    """What a method says, or the sentence with which it refuses."""
    try:
        return answers(*asked)
    except (AttributeError, ValueError) as error:
        return [str(error)]


def places(kind):
    """Rows of training, near them, far away, and so far that squares have no double."""
    rows = min(20, len(kind.new))
    yield kind.inputs[:rows]
    for factor in (1.0, 1e3, 1e160):
        yield factor * kind.new[:rows]


@pytest.mark.parametrize("name", KINDS)
def test_predictions_are_those_without_it(name):
    kind = KINDS[name]
    for model in (fitted(name), loaded(fitted(name))):
        for rows in places(kind):
            y = kind.y[: len(rows)]
            for method in methods(model).items():
                expected = outcome(*method, rows, y)
                with np.errstate(**RAISE):
                    found = outcome(*method, rows, y)
                assert len(found) == len(expected)
                for one, other in zip(found, expected, strict=True):
                    assert_array_equal(one, other, err_msg=method[0])


def test_the_law_knows_all_methods():
    known = {"predict", "predict_quantiles", "novelty", "log_density", "sample_y", "score"}
    assert known <= set(methods(fitted("default")))
    classes = {"predict_proba", "predict_log_proba", "decision_function", "novelty"}
    assert classes | {"latent_mean_and_variance"} <= set(methods(fitted("two classes, fast")))
    assert classes <= set(methods(fitted("two classes, fast").to_portable()))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", KINDS)
def test_fits_are_those_without_it(name):
    kind = KINDS[name]
    with np.errstate(**RAISE):
        model = clone(kind.estimator).fit(kind.inputs, kind.y)
        model.score(kind.inputs, kind.y)
        shown = [getattr(model, each, None) for each in dir(model) if each.endswith("_")]
    assert shown
    assert_array_equal(model.predict(kind.new), fitted(name).predict(kind.new))


@pytest.mark.slow
@pytest.mark.parametrize(
    "write",
    [
        lambda model: export.to_c(model),
        lambda model: export.to_c(model, precision="float"),
        lambda model: export.to_js(model),
        lambda model: export.to_sql(model, "t"),
        lambda model: export.to_json(model),
        lambda model: export.formula(model),
        lambda model: export.to_frame(model).to_numpy(dtype=str).tolist(),
        lambda model: export.to_onnx(model).SerializeToString(),
        lambda model: export.to_onnx(model, precision="float").SerializeToString(),
        lambda model: loaded(model).to_estimator().predict(1e3 * X).tolist(),
    ],
)
@pytest.mark.parametrize("name", ["default", "ordered", "negative binomial", "each class"])
def test_exports_are_those_without_it(name, write):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        expected = write(fitted(name))
        with np.errstate(**RAISE):
            assert write(fitted(name)) == expected


LONG = [(name, new) for name in ("default", "negative binomial") for new in (True, False)]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("name", "new"),
    [("ordered", True), *(pytest.param(*each, marks=pytest.mark.long) for each in LONG)],
)
def test_pages_are_those_without_it(name, new):
    kind, model = KINDS[name], fitted(name)
    rows = np.vstack([kind.inputs[:-4], 50.0 * kind.inputs[-4:]]) if new else kind.inputs
    expected = report(model, rows, kind.y, new=new)
    with np.errstate(**RAISE):
        assert report(model, rows, kind.y, new=new) == expected


@pytest.mark.slow
def test_pictures_and_diagnostics_are_those_without_it():
    far = np.vstack([X, 50.0 * X[:5]])
    y, labels = np.append(Y, Y[:5]), np.append(KINDS["ordered"].y, KINDS["ordered"].y[:5])
    one = RVR().fit(X[:, :1], Y)
    with np.errstate(**RAISE):
        found = diagnostics.calibration_report(fitted("default"), far, y)
        diagnostics.calibration_report(fitted("ordered"), far, labels)
        diagnostics.RegressionCalibrationDisplay.from_estimator(fitted("default"), far, y)
        diagnostics.ClassificationCalibrationDisplay.from_estimator(fitted("ordered"), far, labels)
        plots.PredictiveBandDisplay.from_estimator(one, 50.0 * far[:, :1], y)
        plots.ProbabilityDisplay.from_estimator(fitted("two classes, fast"), 50.0 * far, labels)
        plots.InputRelevanceDisplay.from_estimator(fitted("default"))
        plots.CoefficientDisplay.from_estimator(fitted("linear"))
    mpl.pyplot.close("all")
    assert str(found) == str(diagnostics.calibration_report(fitted("default"), far, y))


@pytest.mark.slow
def test_more_rows_and_searches_are_those_without_it():
    grown, search = RVR(centres=20), EvidenceSearch(RVR(), {"gamma": [0.1, 1.0]})
    with np.errstate(**RAISE):
        grown.partial_fit(X, Y).partial_fit(X, Y)
        search.fit(X, Y)
        found = search.predict(1e3 * X)
    assert_array_equal(
        grown.predict(X), RVR(centres=20).partial_fit(X, Y).partial_fit(X, Y).predict(X)
    )
    assert_array_equal(found, search.predict(1e3 * X))


def test_squares_that_vanish_are_no_error_in_a_fit():
    tiny = np.where(X > 1.0, X, 1e-160 * X)
    with np.errstate(**RAISE):
        model = RVR().fit(tiny, Y)
        model.score(tiny, Y)
    assert np.isfinite(model.predict(tiny)).all()


def test_what_the_user_has_said_stays():
    with np.errstate(**RAISE):
        fitted("default").predict(1e3 * X)
        fitted("default").to_portable().predict(1e3 * X)
        assert set(np.geterr().values()) == {"raise"}
        with pytest.raises(FloatingPointError):
            np.exp(np.array([-1e3]))
