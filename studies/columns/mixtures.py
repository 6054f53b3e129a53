"""Simulated spectra of mixtures, and lines of which a few matter.

"bands": spectra of four components whose smooth bands overlap, with a baseline that drifts and
noise of the instrument; the target is the concentration of the first. "lines": wavelengths are
independent, and five of them make the target. The reference, from which a model learns and by which
it is judged, has an error of its own in both.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

N_TRAIN, N_TEST, N_WAVELENGTHS = 60, 2000, 700
N_COMPONENTS, N_BANDS, N_LINES = 4, 4, 5
# Concentrations are uniform from zero to this.
MOST = 10.0
# Standard deviations: of the reference; of each wavelength and of the baseline's three terms,
# relative to a band of a unit of concentration.
REFERENCE, INSTRUMENT, DRIFT = 0.4, 0.7, 1.0


class Spectra(NamedTuple):
    """Training and new rows, standardised by the former; targets have the reference's error."""

    X: np.ndarray
    y: np.ndarray
    X_new: np.ndarray
    y_new: np.ndarray


def pure(random, n_wavelengths: int) -> np.ndarray:
    """The spectrum of each component for a unit of concentration: a few smooth bands."""
    grid = np.linspace(0.0, 1.0, n_wavelengths)
    shape = N_COMPONENTS, N_BANDS, 1
    centre, width = random.uniform(0.0, 1.0, shape), random.uniform(0.05, 0.15, shape)
    height = random.uniform(0.2, 1.0, shape)
    return (height * np.exp(-0.5 * ((grid - centre) / width) ** 2)).sum(axis=1)


def bands(random, n_rows: int, n_wavelengths: int) -> tuple[np.ndarray, np.ndarray]:
    """Spectra of mixtures, and the concentration of the first component."""
    amounts = random.uniform(0.0, MOST, (n_rows, N_COMPONENTS))
    X = amounts @ pure(random, n_wavelengths)
    baseline = np.vander(np.linspace(-1.0, 1.0, n_wavelengths), 3).T
    X += DRIFT * random.standard_normal((n_rows, 3)) @ baseline
    return X + INSTRUMENT * random.standard_normal(X.shape), amounts[:, 0]


def lines(random, n_rows: int, n_wavelengths: int) -> tuple[np.ndarray, np.ndarray]:
    """Independent wavelengths, and the sum of some, each with a sign."""
    X = random.standard_normal((n_rows, n_wavelengths))
    chosen = random.choice(n_wavelengths, N_LINES, replace=False)
    return X, X[:, chosen] @ random.choice([-1.0, 1.0], N_LINES)


KINDS = {"bands": bands, "lines": lines}


def spectra(kind: str, seed: int, n_train=N_TRAIN, n_wavelengths=N_WAVELENGTHS) -> Spectra:
    """One draw of spectra: training rows and new ones."""
    random = np.random.default_rng(seed)
    X, clean = KINDS[kind](random, n_train + N_TEST, n_wavelengths)
    y = clean + REFERENCE * random.standard_normal(len(clean))
    X = (X - X[:n_train].mean(axis=0)) / X[:n_train].std(axis=0)
    return Spectra(X[:n_train], y[:n_train], X[n_train:], y[n_train:])
