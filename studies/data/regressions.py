"""Real regressions from optional packages and scikit-learn; each loader returns (X, y)."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_diabetes

from studies.data.sources import r_table


def _target(frame, name: str, inputs: list[str] | None = None):
    """Inputs, all others if they are not named, and the target of this name."""
    chosen = frame.drop(columns=name) if inputs is None else frame[inputs]
    return chosen.to_numpy(float), frame[name].to_numpy(float)


def auto():
    """Miles per gallon of cars: 392 rows, 7 inputs."""
    return _target(r_table("ISLR", "Auto").drop(columns="name"), "mpg")


def concrete():
    """Strength of concrete: 1030 rows, 8 inputs."""
    return _target(r_table("modeldata", "concrete"), "compressive_strength")


def biomass():
    """Heating value of fuels by their elements: 536 rows, 5 inputs."""
    elements = ["carbon", "hydrogen", "oxygen", "nitrogen", "sulfur"]
    return _target(r_table("modeldata", "biomass"), "HHV", elements)


def sacramento():
    """Logarithms of house prices by size and place: 932 rows, 5 inputs."""
    inputs = ["beds", "baths", "sqft", "latitude", "longitude"]
    X, y = _target(r_table("modeldata", "Sacramento"), "price", inputs)
    return X, np.log(y)


def ozone():
    """Cube roots of ozone by the weather: 111 rows, 3 inputs."""
    X, y = _target(r_table("lattice", "environmental"), "ozone")
    return X, np.cbrt(y)


def diabetes():
    """Progress of diabetes: 442 rows, 10 inputs."""
    return load_diabetes(return_X_y=True)


def chemical_yield():
    """Yield of a chemical process: the 152 rows without gaps, 57 inputs."""
    return _target(r_table("modeldata", "chem_proc_yield").dropna(), "yield")


def meats():
    """Fat of meat by its near-infrared spectrum (Tecator): 215 rows, 100 wavelengths."""
    frame = r_table("modeldata", "meats")
    return _target(frame, "fat", [name for name in frame.columns if name.startswith("x_")])
