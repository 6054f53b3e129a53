"""Concentrations from spectra: columns of wavelengths beside PLS, ridge, lasso and kernels.

Methods without error bars, PLS and the lasso, have the root mean squared error of their
cross-validation as the standard deviation of new targets.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from sklearn.cross_decomposition import PLSRegression
from sklearn.linear_model import ARDRegression, BayesianRidge, LassoCV
from sklearn.model_selection import cross_val_predict

from sparsebayes import RVR, SparseBayesRegressor
from sparsebayes.basis import Bias, Linear
from studies.columns.mixtures import KINDS, Spectra, spectra
from studies.framework.comparison import values_of
from studies.framework.experiment import Block, Experiment, Table, Task, Text, cell
from studies.framework.sets import of_set
from studies.measures import COVERED, rms, timed

N_DRAWS, FOLDS, MOST_COMPONENTS = 20, 5, 15
PLS, COLUMNS = "PLS, components by CV", "`SparseBayesRegressor(Linear() + Bias())`"
DENSE = '`RVR(kernel="linear")`'
ARD = "ARDRegression"
DRAWS = {ARD: 1}
TITLES = {
    "bands": "Bands: four components that overlap, 60 spectra of 700 wavelengths.",
    "lines": "Lines: five of 700 independent wavelengths matter, 60 rows.",
}


class WithError:
    """A model with one standard deviation for all new targets."""

    def __init__(self, model, std: float) -> None:
        self.model, self.std = model, std

    def predict(self, X, return_std: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """Means, and the standard deviation of each."""
        mean = np.ravel(self.model.predict(X))
        return mean, np.full(len(mean), self.std)


def pls(one: Spectra) -> WithError:
    """PLS with as many components as cross-validation chooses."""
    most = min(MOST_COMPONENTS, len(one.y) * (FOLDS - 1) // FOLDS - 1)
    errors = [
        rms(np.ravel(cross_val_predict(PLSRegression(k), one.X, one.y, cv=FOLDS)), one.y)
        for k in range(1, most + 1)
    ]
    best = int(np.argmin(errors))
    return WithError(PLSRegression(best + 1).fit(one.X, one.y), errors[best])


def lasso(one: Spectra) -> WithError:
    """The lasso, its penalty by cross-validation."""
    model = LassoCV(cv=FOLDS).fit(one.X, one.y)
    return WithError(model, float(np.sqrt(model.mse_path_.mean(axis=1).min())))


def columns(one: Spectra):
    """The linear model with a column for each wavelength."""
    return SparseBayesRegressor(Linear() + Bias()).fit(one.X, one.y)


def dense(one: Spectra):
    """A linear kernel: all wavelengths alike."""
    return RVR(kernel="linear").fit(one.X, one.y)


def kernels(one: Spectra):
    """The default model of kernels."""
    return RVR().fit(one.X, one.y)


MODELS = {
    PLS: pls,
    "BayesianRidge": lambda one: BayesianRidge().fit(one.X, one.y),
    "LassoCV": lasso,
    ARD: lambda one: ARDRegression().fit(one.X, one.y),
    DENSE: dense,
    "`RVR()`": kernels,
    COLUMNS: columns,
}


def measured(one: Spectra, model, seconds: float) -> dict:
    """Error on new rows, 90 % intervals of their targets, and what else the model says."""
    mean, std = model.predict(one.X_new, return_std=True)
    found = {
        "error": rms(mean, one.y_new),
        "coverage": 100.0 * float(np.mean(np.abs(one.y_new - mean) < COVERED * std)),
        "width": 2.0 * COVERED * float(np.mean(std)),
        "seconds": seconds,
    }
    if hasattr(model, "log_evidence_"):
        found["evidence"] = float(model.log_evidence_)
    if hasattr(model, "column_names_") and not isinstance(model, RVR):
        found["kept"] = sum(name != "bias" for name in model.column_names_)
    return found


def spectra_draw(kind: str, number: int, **size: int) -> dict:
    """All models on one draw."""
    one = spectra(kind, number, **size)
    found = {}
    for name, fit in MODELS.items():
        if number < DRAWS.get(name, N_DRAWS):
            model, seconds = timed(partial(fit, one))
            found[name] = measured(one, model, seconds)
            found[name]["ratio"] = found[name]["error"] / found[PLS]["error"]
    return found


def tasks(quick: bool) -> list[Task]:
    """Each draw of each kind."""
    draw = partial(spectra_draw, n_train=30, n_wavelengths=20) if quick else spectra_draw
    return [
        Task(f"{kind}-{number:02}", draw, (kind, number))
        for kind in KINDS
        for number in range(1 if quick else N_DRAWS)
    ]


def report(results: Mapping[str, dict]) -> list[Block]:
    """A table for each kind, and which of two linear models has the higher evidence."""
    text = (
        "Simulated; targets have an error of 0.4. RMSEP is the error on 2000 new rows, whose "
        "targets have that error too. PLS and LassoCV have no error bars; theirs are the error of "
        "their cross-validation. Inputs are standardised by the training rows."
    )
    blocks: list[Block] = [Text(text)]
    for kind, title in TITLES.items():
        found = of_set(results, kind)
        if found:
            blocks += [_table(found, title), Text(_chosen(found))]
    return blocks


def _table(found: Mapping[str, dict], title: str) -> Table:
    header = ["model", "draws", "RMSEP", "of PLS", "90 % coverage", "width", "columns", "seconds"]
    keys = {"error": "{:.3f}", "ratio": "{:.3f}", "coverage": "{:.1f}", "width": "{:.2f}"}
    keys |= {"kept": "{:.1f}", "seconds": "{:.2g}"}
    rows = [
        [name, str(len(values_of(found, name, "error")))]
        + [cell(values_of(found, name, key), form) for key, form in keys.items()]
        for name in MODELS
        if values_of(found, name, "error")
    ]
    return Table(header, rows, f"{title} Means over draws, and their standard errors.")


def _chosen(found: Mapping[str, dict]) -> str:
    """In how many draws the evidence is for columns, and in how many the error is."""
    pairs = [(one[COLUMNS], one[DENSE]) for one in found.values()]
    evidence = sum(mine["evidence"] > other["evidence"] for mine, other in pairs)
    error = sum(mine["error"] < other["error"] for mine, other in pairs)
    return (
        f"{COLUMNS} has a higher evidence than {DENSE} in {evidence} of {len(pairs)} draws, and a "
        f"smaller error in {error}."
    )


EXPERIMENTS = [
    Experiment(
        name="columns-spectra",
        source="columns of your own",
        title="Concentrations from spectra, beside PLS",
        tasks=tasks,
        report=report,
    )
]
