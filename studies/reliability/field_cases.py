"""Random estimators for tables from the field, with every part of their settings."""

from __future__ import annotations

from typing import Any

import numpy as np

from sparsebayes import EM, Fast, Gamma, Mackay, Projection, Variational
from studies.reliability.cases import Case, case_of, with_other_likelihood
from studies.reliability.data import HOSTILE, TAME, Reach, pick, power_of_ten
from studies.reliability.field_tables import draw_field_table

Random = np.random.Generator

# How often the target has another likelihood, and an inference has parameters.
OTHER, SPECIAL = 0.25, 0.25


def draw_field_case(kind: str, seed: int) -> Case:
    """Case number `seed` of a kind, "field" or "hostile field"."""
    hostile = kind != "field"
    random = np.random.default_rng([11, int(hostile), seed])
    reach: Reach = pick(random, HOSTILE) if hostile else TAME
    classes = bool(random.integers(2))
    case = case_of(random, draw_field_table(random, classes, reach), classes, hostile)
    estimator = getattr(case.estimator, "estimator", case.estimator)
    if random.uniform() < SPECIAL:
        estimator.set_params(inference=draw_inference_object(random, classes, hostile))
    if random.uniform() < 0.05:
        estimator.set_params(cache_size=0.01)
    return with_other_likelihood(random, case) if random.uniform() < OTHER else case


def draw_inference_object(random: Random, classes: bool, hostile: bool) -> Any:
    """An inference whose parameters are all drawn."""
    kind = pick(random, {Projection: 4, Fast: 3, Mackay: 1, EM: 1, Variational: 1})
    if kind is Projection:
        return Projection(pick(random, [0.1, 1.0, 3.0, 30.0, 1e4]), pick(random, [0.0, 2.0]))
    said: dict[str, Any] = {}
    for name, chance in {"weight_hyperprior": 0.4, "noise_hyperprior": 0.2 * (not classes)}.items():
        if random.uniform() < chance:
            said[name] = Gamma(*power_of_ten(random, 6.0 if hostile else 2.0, 2))
    if kind is Fast and "weight_hyperprior" not in said:
        said["min_gain"] = pick(random, [0.0, 0.5, 5.0, 1e3])
    return kind(**said)
