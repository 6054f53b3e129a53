"""Coefficients of linear models with 5000 rows beside those of statsmodels.

Effects are strong, so that the prior has next to no say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from typing import NamedTuple

import numpy as np

from sparsebayes import Bias, Linear, SparseBayesClassifier, SparseBayesRegressor
from studies.framework.experiment import Block, Experiment, Table, Task, Text
from studies.framework.sets import of_set
from studies.measures import timed
from studies.targets.peers import statsmodels

N_DRAWS, N_ROWS = 5, 5000
EFFECTS, CONSTANT = np.array([0.5, -0.7, 0.3]), 0.8
CUTS = (-0.5, 1.0, 2.0)
DISPERSION, DF, SCALE = 0.5, 4.0, 0.3
OTHER: dict[str, tuple[str, ...]] = {
    "poisson": (),
    "negative_binomial": ("dispersion",),
    "student_t": ("df", "scale"),
    "ordinal": ("cut_points",),
}


class Fitted(NamedTuple):
    """Coefficients, their standard errors, and the other parameters of the likelihood."""

    coefficient: np.ndarray
    error: np.ndarray
    other: list[float]


def drawn(kind: str, seed: int, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal inputs, and targets of this kind."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n_rows, len(EFFECTS)))
    latent = CONSTANT + X @ EFFECTS
    mean = np.exp(latent)
    match kind:
        case "poisson":
            return X, random.poisson(mean).astype(float)
        case "negative_binomial":
            gamma = random.gamma(1.0 / DISPERSION, DISPERSION, n_rows)
            return X, random.poisson(mean * gamma).astype(float)
        case "student_t":
            return X, latent + SCALE * random.standard_t(DF, n_rows)
    return X, np.digitize(latent + random.logistic(size=n_rows), CUTS).astype(float)


def ours(kind: str, X, y) -> Fitted:
    """Our coefficients, through the public face; the intercept is the first."""
    if kind == "ordinal":
        classes = SparseBayesClassifier(Linear(), likelihood=kind, inference="fast").fit(X, y)
        cuts = classes.likelihood_.cut_points.tolist()
        return Fitted(np.ravel(classes.coef_), np.ravel(classes.coef_std_), cuts)
    model = SparseBayesRegressor(Linear() + Bias(), likelihood=kind, inference="fast").fit(X, y)
    other = [float(getattr(model.likelihood_, name)) for name in OTHER[kind]]
    coefficient = np.append(model.intercept_, model.coef_)
    return Fitted(coefficient, np.append(np.nan, model.coef_std_), other)


def theirs(kind: str, X, y) -> Fitted:
    """Coefficients by maximum likelihood of statsmodels, the intercept first."""
    api = statsmodels("api")
    design, n_inputs = api.add_constant(X), X.shape[1]
    match kind:
        case "poisson":
            fit = api.GLM(y, design, family=api.families.Poisson()).fit(tol=1e-12)
            other: list[float] = []
        case "negative_binomial":
            fit = api.NegativeBinomial(y, design).fit(disp=0, gtol=1e-9, maxiter=500)
            other = [float(fit.params[-1])]
        case "student_t":
            model = statsmodels("miscmodels.tmodel").TLinearModel(y, design)
            fit = model.fit(disp=0, method="bfgs", gtol=1e-8, maxiter=2000)
            other = [float(fit.params[-2]), float(abs(fit.params[-1]))]
        case _:
            model = statsmodels("miscmodels.ordinal_model").OrderedModel(y, X, distr="logit")
            fit = model.fit(method="bfgs", disp=0, gtol=1e-9)
            cuts = model.transform_threshold_params(fit.params)[1:-1]
            return Fitted(fit.params[:n_inputs], fit.bse[:n_inputs], cuts.tolist())
    return Fitted(fit.params[: n_inputs + 1], fit.bse[: n_inputs + 1], other)


def quiet(fit: Callable[[], Fitted]) -> Fitted:
    """What a function returns, without warnings and without what statsmodels prints."""
    with redirect_stdout(StringIO()):
        return timed(fit)[0]


def agreement_draw(kind: str, seed: int, n_rows: int = N_ROWS) -> dict:
    """How far apart our coefficients and those of statsmodels are."""
    X, y = drawn(kind, seed, n_rows)
    mine, other = (quiet(partial(fit, kind, X, y)) for fit in (ours, theirs))
    distance = np.abs(mine.coefficient - other.coefficient)
    effects = slice(-X.shape[1], None)
    found = {
        "distance": float(distance[effects].max()),
        "in_errors": float(np.max((distance / other.error)[effects])),
        "of_errors": float(np.max(np.abs(mine.error / other.error - 1.0)[effects])),
        "other": mine.other,
        "other_theirs": other.other,
    }
    if len(distance) > X.shape[1]:
        found |= {"intercept": distance[0], "intercept_in_errors": distance[0] / other.error[0]}
    return found


TITLES = {
    "poisson": "Poisson",
    "negative_binomial": "negative binomial",
    "student_t": "Student-t",
    "ordinal": "ordered logit",
}


# Title of a column -> what it is the largest of, and how it is written.
LARGEST = {
    "effects: distance": ("distance", "{:.1e}"),
    "in s.e.": ("in_errors", "{:.3f}"),
    "intercept: distance": ("intercept", "{:.1e}"),
    "intercept in s.e.": ("intercept_in_errors", "{:.3f}"),
    "error bars": ("of_errors", "{:.2%}"),
}


def tasks(quick: bool) -> list[Task]:
    """Each draw of each kind."""
    return [
        Task(f"{kind}-{seed:02}", agreement_draw, (kind, seed, 300 if quick else N_ROWS))
        for kind in TITLES
        for seed in range(1 if quick else N_DRAWS)
    ]


def report(results: Mapping[str, dict]) -> list[Block]:
    """A row for each kind."""
    text = (
        "Three inputs with effects of 0.5, -0.7 and 0.3, and an intercept of 0.8. Ours: "
        '`SparseBayesRegressor(Linear() + Bias(), likelihood=..., inference="fast")`, and '
        "`SparseBayesClassifier(Linear(), ...)` for the ordered logit, which has no intercept. "
        "Distances are the largest of all draws, in numbers and in standard errors (s.e.) of "
        "statsmodels. Error bars: the largest relative difference between both."
    )
    header = ["likelihood", "draws", *LARGEST, "other parameters", "ours, draw 0", "statsmodels"]
    rows = [_row(kind, of_set(results, kind)) for kind in TITLES if of_set(results, kind)]
    return [Text(text), Table(header, rows, f"{N_ROWS} rows.")]


def _row(kind: str, found: Mapping[str, dict]) -> list[str]:
    first = next(iter(found.values()))
    numbers = [
        form.format(max(one[key] for one in found.values())) if key in first else "-"
        for key, form in LARGEST.values()
    ]
    others = [_listed(first["other"]), _listed(first["other_theirs"])]
    return [TITLES[kind], str(len(found)), *numbers, ", ".join(OTHER[kind]) or "-", *others]


def _listed(numbers: list[float]) -> str:
    return ", ".join(f"{number:.4f}" for number in numbers) or "-"


EXPERIMENTS = [
    Experiment(
        name="targets-agreement",
        source="other targets",
        title="Coefficients of linear models beside those of statsmodels",
        tasks=tasks,
        report=report,
    )
]
