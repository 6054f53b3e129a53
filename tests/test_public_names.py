"""Public names exist, and every parameter and every fitted attribute is documented."""

import inspect
import re
from pathlib import Path

import pytest
from estimator_data import LABELS, MOONS, OUTPUTS, RESPONSE, X, Y

import sparsebayes
from sparsebayes import (
    RVC,
    RVR,
    Bias,
    GaussianKernel,
    Linear,
    Outcome,
    SparseBayesClassifier,
    SparseBayesRegressor,
    export,
)
from sparsebayes.basis import RECIPES
from sparsebayes.model import PortableClassifier, PortableRegressor

CLASSES = [
    thing
    for thing in (getattr(sparsebayes, name) for name in sparsebayes.__all__)
    if inspect.isclass(thing) and thing is not Outcome and not inspect.isabstract(thing)
    if not issubclass(thing, Exception)
]
METHODS = [
    (kind, name)
    for kind in (RVR, RVC)
    for name in (
        *("fit", "predict", "predict_proba", "predict_log_proba", "decision_function"),
        *("latent_mean_and_variance", "predict_quantiles", "sample_y", "prune"),
        *("novelty", "drop_covering", "to_portable", "save", "formula", "to_frame", "report"),
    )
    if hasattr(kind, name)
]


def documented(text):
    """The names under the numpydoc heading Parameters."""
    section = re.search(r"Parameters\n\s*-+\n(.*?)(\n\s*\n\s*\w[\w ]*\n\s*-+|\Z)", text, re.S)
    names = re.findall(r"^([\w, ]+?) :", section.group(1), re.M) if section else []
    return [name.strip() for line in names for name in line.split(",")]


def test_every_name_in_all_exists():
    assert all(hasattr(sparsebayes, name) for name in sparsebayes.__all__)
    assert len(CLASSES) >= 20
    shown = {name for name in dir(sparsebayes) if not name.startswith("__")}
    assert set(sparsebayes.__all__) <= shown
    assert not shown & {"Any", "import_module", "_HOME"}


def test_recipes_and_the_names_for_type_checkers_are_the_public_names():
    assert set(RECIPES) <= set(sparsebayes.__all__)
    stub = Path(sparsebayes.__file__).with_suffix(".pyi").read_text()
    assert sorted(re.findall(r"import (\w+) as \1$", stub, re.M)) == sparsebayes.__all__


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'SVR'"):
        sparsebayes.SVR  # noqa: B018


@pytest.mark.parametrize("name", export.__all__)
def test_every_parameter_of_an_export_is_documented(name):
    thing = getattr(export, name)
    if callable(thing):
        assert documented(inspect.getdoc(thing)) == list(inspect.signature(thing).parameters)


@pytest.mark.parametrize("kind", [PortableRegressor, PortableClassifier])
def test_every_parameter_of_a_loaded_model_is_documented(kind):
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        if not name.startswith("_"):
            expected = list(inspect.signature(method).parameters)[1:]
            assert documented(inspect.getdoc(method)) == expected, name


@pytest.mark.parametrize("thing", CLASSES)
def test_every_parameter_is_documented(thing):
    assert documented(inspect.getdoc(thing)) == list(inspect.signature(thing).parameters)


@pytest.mark.parametrize(("kind", "name"), METHODS)
def test_every_parameter_of_a_method_is_documented(kind, name):
    method = getattr(kind, name)
    assert documented(inspect.getdoc(method)) == list(inspect.signature(method).parameters)[1:]


MODELS = {
    "RVR": (RVR(), X, Y),
    "RVC": (RVC(), MOONS, LABELS),
    "variational RVR": (RVR(gamma=0.1, inference="variational"), X, Y),
    "variational RVC": (RVC(gamma=1.0, inference="variational"), MOONS, LABELS),
    "outputs": (RVR(gamma=0.1), X, OUTPUTS),
    "classes": (RVC(gamma=1.0), MOONS, LABELS + (MOONS[:, 0] > 1.0)),
    "fast RVR": (RVR(gamma=0.1, inference="fast"), X, Y),
    "fast RVC": (RVC(gamma=1.0, inference="fast"), MOONS, LABELS),
    "any basis": (
        SparseBayesRegressor(GaussianKernel() + Bias(), inference="projection"),
        *(X, Y),
    ),
}


@pytest.mark.parametrize(("model", "inputs", "y"), MODELS.values(), ids=MODELS)
def test_every_fitted_attribute_is_documented(model, inputs, y):
    model.fit(inputs, y)
    names = {name for name in dir(model) if re.fullmatch(r"[a-z]\w*[a-z]_", name)}
    attributes = {name for name in names if hasattr(model, name)}
    assert attributes >= {"relevance_", "history_", "n_features_in_"}
    assert isinstance(model, SparseBayesRegressor) or "gamma_" in attributes
    assert ("covering_" in attributes) is (model.inference == "projection")
    assert not {name for name in attributes if name not in inspect.getdoc(type(model))}


LINEAR = {
    "plain": (SparseBayesRegressor(Linear() + Bias()), RESPONSE),
    "plain classes": (SparseBayesClassifier(Linear() + Bias()), LABELS),
    "kernel": (RVR(kernel="linear", inference="fast"), RESPONSE),
    "kernel, classes": (RVC(kernel="linear", inference="fast"), LABELS),
}


@pytest.mark.parametrize(("model", "y"), LINEAR.values(), ids=LINEAR)
def test_every_attribute_of_a_linear_model_is_documented(model, y):
    model.fit(MOONS, y)
    names = {"coef_", "coef_std_", "intercept_", "selected_", "input_relevance_"}
    if isinstance(model, SparseBayesRegressor | SparseBayesClassifier):
        names.add("inclusion_")
    assert all(hasattr(model, name) for name in names)
    assert not {name for name in names if name not in inspect.getdoc(type(model))}


def test_representations():
    assert repr(RVR(gamma=0.1)) == "RVR(gamma=0.1)"
    assert "RVR" in RVR()._repr_html_()
    assert "GaussianKernel" in SparseBayesRegressor(GaussianKernel() + Bias())._repr_html_()
