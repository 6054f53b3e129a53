"""Spectra, whose inputs are nearly collinear: simulated near-infrared ones, and those of meat."""

from __future__ import annotations

from functools import partial

import numpy as np
from sklearn.cross_decomposition import PLSRegression
from sklearn.model_selection import GridSearchCV

from sparsebayes import Bias, Linear, SparseBayesRegressor
from studies import models
from studies.beyond.draws import flat
from studies.beyond.trust import ours, peers
from studies.data import regressions
from studies.data.samples import Sample, regression_sample, regression_split
from studies.measures import rms, timed, worth

N_COMPONENTS = 5
N_BANDS = 4
N_TEST = 500
# Standard deviations: of the factor of each spectrum, of its baseline, of each wavelength, and of
# the target relative to its spread.
SCATTER, DRIFT, SPECTRAL_NOISE, TARGET_NOISE = 0.02, 0.02, 1e-4, 1e-3
# So close that next to nothing is lost of the dense model.
CLOSEST = {"fidelity": 1000.0}
RATIOS = ("dense", "gp")
MOST_COMPONENTS = 20
SETS = ("nir", "meats")


def pure_spectra(n_wavelengths: int, random: np.random.Generator) -> np.ndarray:
    """The spectrum of each component: a few smooth bands."""
    grid = np.linspace(0.0, 1.0, n_wavelengths)
    shape = N_COMPONENTS, N_BANDS, 1
    centre, width = random.uniform(0.0, 1.0, shape), random.uniform(0.05, 0.15, shape)
    height = random.uniform(0.2, 1.0, shape)
    return (height * np.exp(-0.5 * ((grid - centre) / width) ** 2)).sum(axis=1)


def near_infrared(seed: int, n_train: int = 150, n_wavelengths: int = 100) -> Sample:
    """Mixtures with scatter and a baseline that drifts; the target is the first concentration."""
    random = np.random.default_rng(seed)
    n_rows = n_train + N_TEST
    share = random.uniform(size=(n_rows, N_COMPONENTS))
    share /= share.sum(axis=1, keepdims=True)
    X = share @ pure_spectra(n_wavelengths, random)
    X *= 1.0 + SCATTER * random.normal(size=(n_rows, 1))
    baseline = np.vander(np.linspace(-1.0, 1.0, n_wavelengths), 3).T
    X += DRIFT * random.normal(size=(n_rows, 3)) @ baseline
    X += SPECTRAL_NOISE * random.normal(size=X.shape)
    clean = share[:, 0]
    y = clean + TARGET_NOISE * clean.std() * random.normal(size=n_rows)
    train, test = slice(n_train), slice(n_train, None)
    return regression_sample("nir", X[train], y[train], X[test], clean[test], y[test])


def spectra(name: str, seed: int, **size: int) -> Sample:
    """A draw of a set of spectra."""
    if name == "nir":
        return near_infrared(seed, **size)
    return regression_split("meats", regressions.meats, 150, seed)


def dense(one: Sample):
    """A projection that follows its own dense model as closely as can be."""
    return models.rvr("projection", CLOSEST).fit(one.X, one.y)


def columns(one: Sample):
    """A linear model with a prior for each wavelength, or one for all."""
    return SparseBayesRegressor(Linear() + Bias()).fit(one.X, one.y)


def components(one: Sample):
    """PLS with as many components as 5-fold cross-validation chooses."""
    n_rows, n_inputs = one.X.shape
    most = min(MOST_COMPONENTS, n_inputs, n_rows * 4 // 5 - 1)
    search = GridSearchCV(PLSRegression(), {"n_components": range(1, most + 1)}, cv=5)
    return search.fit(one.X, one.y)


MODELS = {
    "default": ours.default,
    "fast": ours.fast,
    "dense": dense,
    "gp": peers.one_width,
    "columns": columns,
    "pls": components,
}


def spectra_draw(name: str, number: int, **size: int) -> dict:
    """Kernels, dense and linear models; errors in percent of the spread, and their ratios."""
    one = spectra(name, ours.FIRST_SEED + number, **size)
    found = {}
    for kind, fit in MODELS.items():
        model, seconds = timed(partial(fit, one))
        error = 100.0 * rms(model.predict(one.X_test), one.y_test)
        values = {**worth(one, model), "error": error, "seconds": seconds}
        if kind == "pls":
            del values["vectors"]
        found[kind] = values | ours.shares(one, model, values)
    for kind in ("default", "fast"):
        for other in RATIOS:
            found[kind][f"ratio_{other}"] = found[kind]["error"] / found[other]["error"]
    return flat(found)
