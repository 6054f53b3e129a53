"""Summaries of trust: error bars and probabilities in the data and off them, medians over sets."""

from __future__ import annotations

from collections.abc import Mapping

from studies.beyond.trust.report import CLASSIFIERS, ONE_WIDTH
from studies.framework.experiment import Table
from studies.framework.markdown import table_text
from studies.framework.sets import mean, values
from studies.summaries import Results, Summaries, found_in
from studies.summaries.choosing import middle

# The names of trust.report, with the class that a reader types.
REGRESSORS = {
    "default": "`RVR()`",
    "fast": '`RVR(inference="fast")`',
    "gp": "Gaussian process, all rows",
}
CLASSES = {**CLASSIFIERS, "default": "`RVC()`", "fast": '`RVC(inference="fast")`'}
CLASSES |= {"gp": "Gaussian process, a scale for each input", "gp1": ONE_WIDTH}
SCORES = {
    "novelty": "`novelty` of `RVR()`",
    "fast": '`return_std` of `RVR(inference="fast")`',
    "gp": "`return_std` of a Gaussian process",
    "nearest": "distance to the nearest training row",
}


def regression(results: Results) -> str:
    """Coverage and loss in the data and beyond them."""
    found = found_in(results, "trust-regression")
    columns = {
        "coverage": "90 % intervals hold, %: in the data",
        "beyond_coverage": "beyond the data",
        "over": "NLPD above the process: in the data",
        "beyond_over": "beyond the data",
        "gap_over": "in a gap",
    }
    forms = {key: "{:.1f}" if "coverage" in key else "{:.2f}" for key in columns}
    rows = [
        [title, *(middle(found, f"{kind}_{key}", form) for key, form in forms.items())]
        for kind, title in REGRESSORS.items()
    ]
    return table_text(Table(["model", *columns.values()], _with_zeros(rows)))


def _with_zeros(rows: list[list[str]]) -> list[list[str]]:
    """A median that rounds to zero from below is zero."""
    return [[cell.replace("-0.00", "0.00") for cell in row] for row in rows]


def classes(results: Results) -> str:
    """Error and log loss in the data, and how sure a model is far from all of them."""
    found = found_in(results, "trust-classes")
    forms = {"error": "{:.1f}", "loss": "{:.3f}", "far_half": "{:.2f}"}
    rows = [
        [title, *(middle(found, f"{kind}_{key}", form) for key, form in forms.items())]
        for kind, title in CLASSES.items()
    ]
    header = ["model", "wrong, %", "log loss", "far away: distance of the probability from 1/2"]
    return table_text(Table(header, rows))


def novelty(results: Results) -> str:
    """How well each score tells new rows from rows like the training data."""
    found = found_in(results, "trust-novelty")
    rows = [
        [title, *(middle(found, f"{kind}_{key}", "{:.2f}") for key in ("beyond", "permuted"))]
        for kind, title in SCORES.items()
    ]
    return table_text(Table(["score", "AUC: beyond the data", "AUC: permuted"], rows))


SPECTRA = {
    "default": "`RVR()`",
    "columns": "`SparseBayesRegressor(Linear() + Bias())`",
    "pls": "PLS, components by CV",
    "gp": ONE_WIDTH,
}
SETS = {"nir": "simulated, with scatter", "meats": "fat of meat (Tecator)"}


def spectra(results: Results) -> str:
    """Errors on spectra with hardly any noise, of the models that were run."""
    found = found_in(results, "trust-spectra")
    rows = [
        [title, *(_in_percent(found, name, kind) for name in SETS)]
        for kind, title in SPECTRA.items()
        if any(values(found, name, f"{kind}_error") for name in SETS)
    ]
    return table_text(Table(["error, % of the spread", *SETS.values()], rows))


def _in_percent(found: Mapping[str, dict], name: str, kind: str) -> str:
    return f"{mean(found, name, f'{kind}_error'):.1f}"


TABLES: Summaries = {
    "trust-spectra-summary": (("trust-spectra",), spectra),
    "trust-regression-summary": (("trust-regression",), regression),
    "trust-classes-summary": (("trust-classes",), classes),
    "trust-novelty-summary": (("trust-novelty",), novelty),
}
