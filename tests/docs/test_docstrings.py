"""Docstrings are whole, lead to pages that exist, and the reference has every public name."""

import ast
import inspect
import re
from enum import Enum
from importlib import import_module
from pathlib import Path

import pytest
from numpydoc.validate import validate

import sparsebayes

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SITE = "https://sparsebayes.example/"
SOURCES = sorted((ROOT / "src" / "sparsebayes").rglob("*.py"))

# Not asked for: verbs first in a summary (SS05), since it may be a noun; an extended summary (ES01)
# or See Also (SA01) everywhere, since many things are said in a line; no names of what is returned
# (RT02), since arrays have them; other words for types (PR06), since they are prose; deprecations
# (GL09), since there are none; where the first line begins (GL01), as versions of numpydoc differ.
GENERAL = ("GL02", "GL03", "GL05", "GL06", "GL07", "GL08", "GL10")
SUMMARY = ("SS01", "SS02", "SS03", "SS04", "SS06")
PARAMETERS = ("PR01", "PR02", "PR03", "PR04", "PR05", "PR07", "PR08", "PR09", "PR10")
RESULTS = ("RT01", "RT03", "RT04", "RT05", "YD01")
SEE_ALSO = ("SA02", "SA03", "SA04")
EXAMPLES = ("EX01",)
WHOLE = {*GENERAL, *SUMMARY, *PARAMETERS, *RESULTS, *SEE_ALSO, *EXAMPLES}
# Methods need no example each, and attributes are a sentence.
METHOD = WHOLE - {*EXAMPLES}
ATTRIBUTE = {"GL03", "GL08", *SUMMARY}
# What a basis, an inference and a likelihood do for a fit is for those who write one: a sentence,
# and docs/extend has the rest.
PARTS = ("sparsebayes.basis.", "sparsebayes.inference.", "sparsebayes.likelihoods.")
# Constructors that are not written here.
OTHERS = (Enum, Exception)


def reference():
    """The names on the page, as (module, name)."""
    module = None
    for line in (ROOT / "docs" / "reference" / "index.rst").read_text("utf-8").splitlines():
        if line.startswith(".. currentmodule:: "):
            module = line.split()[-1]
        elif re.fullmatch(r"   \w+", line):
            yield module, line.strip()


REFERENCE = list(reference())
THINGS = {f"{module}.{name}": getattr(import_module(module), name) for module, name in REFERENCE}


def function_of(member):
    """The function that a member of a class is made of, if there is one."""
    for name in ("fget", "__func__", "fn"):  # a property, of the class, there under a condition
        member = getattr(member, name, member)
    return member if inspect.isfunction(member) else None


def members():
    """Public methods and properties of the classes on the page that are written here, each once."""
    return {
        f"{owner.__module__}.{owner.__qualname__}.{name}": member
        for kind in filter(inspect.isclass, THINGS.values())
        for owner in kind.__mro__
        for name, member in vars(owner).items()
        if owner.__module__.startswith("sparsebayes.")
        if not name.startswith("_") and function_of(member) is not None
    }


MEMBERS = members()


def faults(path, codes):
    """What numpydoc says of a docstring, of these codes."""
    return [error for error in validate(path)["errors"] if error[0] in codes]


def docstrings(path):
    """The docstrings in a file."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


def test_the_reference_has_each_name_once():
    assert len(set(REFERENCE)) == len(REFERENCE) > 50


@pytest.mark.parametrize("module", ["", "export", "plots", "diagnostics", "model", "report"])
def test_every_public_name_is_in_the_reference(module):
    home = import_module(f"sparsebayes.{module}".rstrip("."))
    there = list(THINGS.values())
    assert not [name for name in home.__all__ if getattr(home, name) not in there]


def test_every_data_set_is_in_the_reference():
    home = sparsebayes.datasets
    made = [name for name, each in vars(home).items() if inspect.isfunction(each)]
    assert {("sparsebayes.datasets", name) for name in made} <= set(REFERENCE)


@pytest.mark.parametrize("name", THINGS)
def test_docstrings_of_the_reference_are_whole(name):
    thing = THINGS[name]
    other = inspect.isclass(thing) and issubclass(thing, OTHERS)
    assert not faults(name, WHOLE - {"PR01"} if other else WHOLE)


@pytest.mark.parametrize("name", MEMBERS)
def test_docstrings_of_methods_and_attributes_are_whole(name):
    sentence = isinstance(MEMBERS[name], property) or name.startswith(PARTS)
    assert not faults(name, ATTRIBUTE if sentence else METHOD)


def test_methods_are_found():
    estimators = "sparsebayes.estimators."
    some = ["_real_targets.RealPredictions.predict", "_regression.Regression.partial_fit"]
    assert {estimators + name for name in some} <= set(MEMBERS)
    assert "sparsebayes.plots.predictions.ProbabilityDisplay.from_estimator" in MEMBERS


def test_addresses_in_docstrings_are_those_of_pages():
    texts = {path: path.read_text("utf-8") for path in SOURCES}
    found = {
        address for text in texts.values() for address in re.findall(rf"{SITE}([\w/]+)\.html", text)
    }
    assert len(found) > 10
    assert not [page for page in found if not (ROOT / "docs" / f"{page}.md").is_file()]
    every = sum(text.count(SITE) for text in texts.values())
    assert every == sum(len(re.findall(rf"{SITE}[\w/]+\.html", text)) for text in texts.values())


GUIDED = [
    *("RVR", "RVC", "SparseBayesRegressor", "SparseBayesClassifier", "EvidenceSearch"),
    *("Projection", "Fast", "Variational", "Mackay", "EM"),
    *("StudentT", "Poisson", "NegativeBinomial", "Heteroscedastic", "Ordinal"),
]


@pytest.mark.parametrize(
    "name",
    [
        *(f"sparsebayes.{name}" for name in GUIDED),
        *(name for name in THINGS if name.startswith("sparsebayes.export.")),
        *(name for name in THINGS if name.endswith(("Display", "calibration_report"))),
    ],
)
def test_what_users_call_leads_to_one_page(name):
    assert inspect.getdoc(THINGS[name]).count(SITE) == 1


def test_no_docstring_sends_to_a_file_that_is_not_installed():
    assert not [path for path in SOURCES if any("docs/" in text for text in docstrings(path))]
