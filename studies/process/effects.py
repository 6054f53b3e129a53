"""Whether effects are what the function has: curves and shares of Friedman 1."""

from __future__ import annotations

import warnings
from statistics import mean

import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.exceptions import ConvergenceWarning

from sparsebayes import RVR
from studies.framework.experiment import Block, Experiment, Table, Text, Verdict, cell, draws
from studies.measures import COVERED
from studies.process.claims import at_most

N_DRAWS, N_ROWS = 10, 240
# Where curves are asked for: inputs are uniform between 0 and 1.
PLACES = np.linspace(0.05, 0.95, 40)
# The function over uniform inputs: 10 sin(pi x0 x1) + 20 (x2 - 1/2)^2 + 10 x3 + 5 x4.
MIDDLES = (np.arange(2000) + 0.5) / 2000
SHARES = {
    ("x0",): 0.197,
    ("x1",): 0.197,
    ("x2",): 0.093,
    ("x3",): 0.350,
    ("x4",): 0.087,
    ("x0", "x1"): 0.075,
}


def effect_of(k: int, values: np.ndarray) -> np.ndarray:
    """The effect of input k at values, up to a constant."""
    if k < 2:
        return np.array([np.mean(10.0 * np.sin(np.pi * a * MIDDLES)) for a in values])
    return {2: 20.0 * (values - 0.5) ** 2, 3: 10.0 * values, 4: 5.0 * values}[k]


def effects_draw(number: int) -> dict:
    """How many points of curves their bands hold, and how far shares are off."""
    X, y = make_friedman1(N_ROWS, noise=1.0, random_state=number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        effects = RVR(kernel="effects").fit(X, y).effects()
    found: dict[str, float] = {}
    for k in range(5):
        _, found_mean, std = effects.curve(f"x{k}", PLACES)
        truth = effect_of(k, PLACES)
        middle = effect_of(k, X[:, k]).mean()
        apart = np.abs(found_mean - (truth - middle))
        found[f"held_x{k}"] = 100.0 * float(np.mean(apart < COVERED * std))
        found[f"held_2_x{k}"] = 100.0 * float(np.mean(apart < 2.0 * std))
    shares = effects.shares
    return found | {"share_" + "_".join(key): shares.get(key, 0.0) for key in SHARES}


def effects_report(results: dict[str, dict]) -> list[Block]:
    """Bands of curves, and shares beside the truth."""
    every = list(results.values())
    text = Text(
        f"Friedman 1 with {N_ROWS} rows, ten inputs of which five matter, and noise of standard "
        "deviation 1. Shares of the function are those over uniform inputs."
    )
    rows = [
        [
            " with ".join(key),
            *(_held(every, kind, key) for kind in ("held", "held_2")),
            cell([one["share_" + "_".join(key)] for one in every], "{:.3f}"),
            f"{share:.3f}",
        ]
        for key, share in SHARES.items()
    ]
    header = ["effect", "90 % bands hold, %", "bands of two deviations, %"]
    table = Table([*header, "share of the variance", "that of the function"], rows)
    return [text, table, *_claims(every)]


def _claims(every: list[dict]) -> list[Verdict]:
    """What is claimed of shares and of bands, on average over draws."""
    shares = {
        " with ".join(key): abs(mean(one["share_" + "_".join(key)] for one in every) - share)
        for key, share in SHARES.items()
        if every
    }
    outside = {f"x{k}": 100.0 - mean(one[f"held_x{k}"] for one in every) for k in range(5) if every}
    return [
        at_most("shares are within 0.03 of those of the function", shares, 0.03),
        at_most("90 % bands leave out at most 10 % of the points of a curve", outside, 10.0),
    ]


def _held(every: list[dict], kind: str, key: tuple[str, ...]) -> str:
    """The share of points of a curve that its bands hold; a pair has no curve."""
    return cell([one[f"{kind}_{key[0]}"] for one in every], "{:.0f}") if len(key) == 1 else "-"


EFFECTS = Experiment(
    name="process-effects",
    source="beyond the papers",
    title="Effects of inputs: curves and shares beside those of a known function",
    tasks=draws(effects_draw, N_DRAWS),
    report=effects_report,
)
