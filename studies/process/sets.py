"""The data sets by name: `REGRESSIONS["auto"](seed)` draws rows in the units of their table.

A draw is `X, y, X_test, y_test`, the same for the same seed. Nothing is scaled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from studies.data import sources
from studies.process import labels, regressions, wide
from studies.process.frames import Draw, even_split, keel, split

Loader = Callable[[int], Draw]

REGRESSIONS: dict[str, Loader] = {
    "auto": partial(split, regressions.auto, 250),
    "concrete": partial(split, regressions.concrete, 300),
    "biomass": partial(split, regressions.biomass, 300),
    "sacramento": partial(split, regressions.sacramento, 300),
    "yield": partial(split, regressions.chemical_yield, 110),
    "meats": partial(split, regressions.meats, 140),
    "hitters": partial(split, regressions.hitters, 180),
    "college": partial(split, regressions.college, 300),
    "carseats": partial(split, regressions.carseats, 250),
    "nox": partial(split, regressions.nox, 300),
    "diabetes": partial(split, regressions.diabetes, 250),
    "ozone": partial(split, regressions.ozone, 80),
    "cpus": partial(split, regressions.cpus, 140),
    "bodies": partial(split, regressions.bodies, 200),
    "athletes": partial(split, regressions.athletes, 130),
    "ethanol": partial(split, regressions.ethanol, 60),
    "quakes": partial(split, regressions.quakes, 300),
    "computers": partial(split, regressions.computers, 400),
    "diamonds": partial(split, regressions.diamonds, 300),
    "houses": partial(split, regressions.houses, 300),
    "wages": partial(split, regressions.wages, 300),
    "power": partial(split, regressions.power, 100),
    "schools": partial(split, regressions.schools, 200),
    "wafers": partial(split, regressions.wafers, 150),
    "solder": partial(split, regressions.solder, 300),
    "deliveries": partial(split, regressions.deliveries, 300),
    "cars": partial(split, regressions.cars, 300),
    "teachers": partial(split, regressions.teachers, 250),
    "messy": partial(regressions.messy, 150),
    "friedman1-100": partial(regressions.friedman, 1, 100),
    "friedman1": partial(regressions.friedman, 1, 240),
    "friedman2": partial(regressions.friedman, 2, 240),
    "friedman3": partial(regressions.friedman, 3, 240),
}

# Where the function without noise is known: targets of the test rows by their inputs.
TRUTHS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "messy": regressions.messy_formula,
    "friedman1-100": partial(sources.friedman_formula, 1),
    "friedman1": partial(sources.friedman_formula, 1),
    "friedman2": partial(sources.friedman_formula, 2),
    "friedman3": partial(sources.friedman_formula, 3),
}

TWO_CLASSES: dict[str, Loader] = {
    "attrition": partial(even_split, labels.attrition, 400),
    "default": partial(even_split, labels.default, 500),
    "caravan": partial(even_split, labels.caravan, 500),
    "juice": partial(even_split, labels.juice, 400),
    "pima": partial(even_split, partial(keel, "pima"), 300),
    "churn": partial(even_split, labels.churn, 400),
    "market": partial(even_split, labels.market, 300),
    "heart": partial(even_split, partial(keel, "heart"), 150),
    "german": partial(even_split, partial(keel, "german"), 400),
    "credit": partial(even_split, partial(keel, "crx"), 400),
    "bands": partial(even_split, partial(keel, "bands"), 240),
    "monks": partial(even_split, partial(keel, "monk-2"), 200),
    "tic-tac-toe": partial(even_split, partial(keel, "tic-tac-toe"), 400),
    "saheart": partial(even_split, partial(keel, "saheart"), 250),
    "mammographic": partial(even_split, partial(keel, "mammographic"), 300),
    "ionosphere": partial(even_split, partial(keel, "ionosphere"), 200),
    "cells": partial(even_split, labels.cells, 300),
    "phoneme": partial(even_split, partial(keel, "phoneme"), 400),
    "chess": partial(even_split, partial(keel, "chess"), 300),
    "abalone": partial(even_split, labels.abalone, 400),
}

MANY_CLASSES: dict[str, Loader] = {
    "crabs": partial(even_split, labels.crabs, 130),
    "vehicle": partial(even_split, partial(keel, "vehicle"), 300),
    "glass": partial(even_split, labels.glass, 140),
    "teaching": partial(even_split, partial(keel, "tae"), 100),
    "hayes-roth": partial(even_split, partial(keel, "hayes-roth"), 110),
    "contraceptive": partial(even_split, partial(keel, "contraceptive"), 400),
    "led": partial(even_split, partial(keel, "led7digit"), 250),
    "wine": partial(even_split, partial(keel, "wine"), 90),
    "vowels": partial(even_split, labels.vowels, 300),
    "segments": partial(even_split, labels.segments, 300),
    "olives": partial(even_split, labels.olives, 150),
    "jobs": partial(even_split, labels.jobs, 400),
}

WIDE_REGRESSIONS: dict[str, Loader] = {
    "meats-70": partial(split, regressions.meats, 70),
    "permeability": partial(split, wide.permeability, 110),
    "spectra": partial(wide.spectra, 80),
    "genes": partial(wide.genes, 120, 1000),
    "molecules": partial(wide.molecules, 100, 600),
    "rounded": partial(wide.rounded, 80, 120),
}
WIDE_CLASSES: dict[str, Loader] = {
    "speech": partial(even_split, wide.speech, 170),
    "tissues": partial(even_split, wide.tissues, 80),
    "grants": partial(even_split, wide.grants, 200),
    "livers": partial(even_split, wide.livers, 150),
    "tumours": partial(wide.tumours, 60, 2000),
}
WIDE: dict[str, Loader] = {**WIDE_REGRESSIONS, **WIDE_CLASSES}
ALL: dict[str, Loader] = {**REGRESSIONS, **TWO_CLASSES, **MANY_CLASSES, **WIDE}
