"""Counts, simulated and real: mean deviance, log probability, and intervals of whole numbers.

A method returns what it says of new rows. Those with a mean only, of splines and of trees, and
those of statsmodels are plugged into the Poisson or negative binomial distribution that they
assume.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.stats import nbinom, poisson
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import PoissonRegressor
from sklearn.metrics import mean_poisson_deviance
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import SplineTransformer

from sparsebayes import RVR
from studies.data.sources import standardised
from studies.framework.experiment import Block, Experiment, Table, Task, Text
from studies.measures import timed
from studies.targets.data import publications, trips
from studies.targets.peers import FOLDS, statsmodels
from studies.targets.shown import by_measure, by_method, table

N_DRAWS, N_TRAIN, N_NEW, REAL_FOLDS = 20, 300, 2000, 10
DISPERSION = 0.5
LEVELS = (0.05, 0.95)
PENALTIES = (1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0)
# The least mean that a deviance is computed with.
LEAST_MEAN = 1e-6
POISSON, NEGATIVE = '`RVR(likelihood="poisson")`', '`RVR(likelihood="negative_binomial")`'
SPLINES, TREES = "PoissonRegressor on splines, penalty by CV", "HistGradientBoostingRegressor"
GLM_POISSON, GLM_NEGATIVE = "statsmodels, linear, Poisson", "statsmodels, linear, neg. binomial"
TRUTH = "the true means and dispersion"
SIMULATED = {
    "poisson": "Poisson",
    "overdispersed": "negative binomial",
    "exposed": "Poisson, exposures 0.2 to 5",
}
REAL = {"publications": publications, "trips": trips}
REAL_TITLES = {"publications": "articles", "trips": "boating trips"}


class Counts(NamedTuple):
    """Training rows, and new rows of an exposure of one."""

    X: np.ndarray
    y: np.ndarray
    exposure: np.ndarray | None
    X_new: np.ndarray
    y_new: np.ndarray


class Said(NamedTuple):
    """What a method says of new rows: means, log probabilities, and 90 % intervals."""

    mean: np.ndarray
    log_probability: np.ndarray
    low: np.ndarray
    high: np.ndarray
    more: Mapping[str, float] = {}


def simulated(kind: str, seed: int, n_train: int) -> tuple[Counts, np.ndarray]:
    """A smooth function of two inputs, with a mean count of about 3; and its new means."""
    random = np.random.default_rng(seed)
    n_rows = n_train + N_NEW
    X = random.uniform(-1.0, 1.0, (n_rows, 2))
    truth = np.exp(0.8 + np.sin(3.0 * X[:, 0]) + 0.8 * X[:, 1] ** 2 * X[:, 0] - 0.3 * X[:, 1])
    exposure = np.ones(n_rows)
    if kind == "exposed":
        exposure[:n_train] = np.exp(random.uniform(np.log(0.2), np.log(5.0), n_train))
    mean = truth * exposure
    if kind == "overdispersed":
        mean = mean * random.gamma(1.0 / DISPERSION, DISPERSION, n_rows)
    y = random.poisson(mean).astype(float)
    X_train, X_new = standardised(X[:n_train], X[n_train:])
    given = exposure[:n_train] if kind == "exposed" else None
    return Counts(X_train, y[:n_train], given, X_new, y[n_train:]), truth[n_train:]


def real(name: str, fold: int, n_folds: int) -> Counts:
    """One fold of a real set."""
    X, y = REAL[name]()
    folds = KFold(n_folds, shuffle=True, random_state=0)
    train, new = list(folds.split(X))[fold]
    X_train, X_new = standardised(X[train], X[new])
    return Counts(X_train, y[train], None, X_new, y[new])


def plugged(mean: np.ndarray, y: np.ndarray, dispersion: float = 0.0) -> Said:
    """Poisson or negative binomial counts of these means."""
    mean = np.maximum(mean, LEAST_MEAN)
    law, more = poisson(mean), {}
    if dispersion > 0.0:
        law = nbinom(1.0 / dispersion, 1.0 / (1.0 + dispersion * mean))
        more = {"dispersion": dispersion}
    return Said(mean, law.logpmf(y), law.ppf(LEVELS[0]), law.ppf(LEVELS[1]), more)


def ours(likelihood: str, one: Counts) -> Said:
    """What our model says, the latent function integrated out."""
    model = RVR(likelihood=likelihood).fit(one.X, one.y, exposure=one.exposure)
    more: dict[str, float] = {"vectors": len(model.relevance_)}
    if likelihood == "negative_binomial":
        more["dispersion"] = float(model.likelihood_.dispersion)
    low, high = model.predict_quantiles(one.X_new, LEVELS).T
    return Said(model.predict(one.X_new), model.log_density(one.X_new, one.y_new), low, high, more)


def rates(one: Counts) -> tuple[np.ndarray, np.ndarray]:
    """Counts over exposures, and these as weights: the same for Poisson means."""
    exposure = np.ones(len(one.y)) if one.exposure is None else one.exposure
    return one.y / exposure, exposure


def splines(one: Counts) -> Said:
    """Cubic splines of each input."""
    model = make_pipeline(SplineTransformer(n_knots=5), PoissonRegressor(max_iter=1000))
    grid = {"poissonregressor__alpha": PENALTIES}
    search = GridSearchCV(model, grid, scoring="neg_mean_poisson_deviance", cv=FOLDS)
    rate, exposure = rates(one)
    search.fit(one.X, rate, poissonregressor__sample_weight=exposure)
    return plugged(search.predict(one.X_new), one.y_new)


def trees(one: Counts) -> Said:
    """Boosted trees with their defaults."""
    rate, exposure = rates(one)
    model = HistGradientBoostingRegressor(loss="poisson", random_state=0)
    return plugged(model.fit(one.X, rate, sample_weight=exposure).predict(one.X_new), one.y_new)


def glm_poisson(one: Counts) -> Said:
    """A linear logarithmic mean."""
    api = statsmodels("api")
    design, new = api.add_constant(one.X), api.add_constant(one.X_new, has_constant="add")
    model = api.GLM(one.y, design, family=api.families.Poisson(), exposure=one.exposure).fit()
    return plugged(model.predict(new, exposure=np.ones(len(new))), one.y_new)


def glm_negative_binomial(one: Counts) -> Said:
    """A linear logarithmic mean, with a dispersion by maximum likelihood."""
    api = statsmodels("api")
    design, new = api.add_constant(one.X), api.add_constant(one.X_new, has_constant="add")
    model = api.NegativeBinomial(one.y, design, exposure=one.exposure).fit(disp=0, maxiter=500)
    return plugged(np.exp(new @ model.params[:-1]), one.y_new, float(model.params[-1]))


METHODS: dict[str, Callable[[Counts], Said]] = {
    POISSON: partial(ours, "poisson"),
    NEGATIVE: partial(ours, "negative_binomial"),
    SPLINES: splines,
    TREES: trees,
    GLM_POISSON: glm_poisson,
    GLM_NEGATIVE: glm_negative_binomial,
}
ROWS = (*METHODS, TRUTH)


def measured(one: Counts, said: Said) -> dict:
    """Deviance, log probability, share of counts in the intervals, and their width."""
    inside = (said.low <= one.y_new) & (one.y_new <= said.high)
    return {
        "deviance": mean_poisson_deviance(one.y_new, np.maximum(said.mean, LEAST_MEAN)),
        "log_probability": float(np.mean(said.log_probability)),
        "coverage": 100.0 * float(np.mean(inside)),
        "width": float(np.mean(said.high - said.low)),
        **said.more,
    }


def all_methods(one: Counts) -> dict:
    """What each says of new rows."""
    found = {}
    for name, method in METHODS.items():
        said, seconds = timed(partial(method, one))
        found[name] = {"seconds": seconds, **measured(one, said)}
    return found


def simulated_draw(kind: str, seed: int, n_train: int = N_TRAIN) -> dict:
    """All methods on one draw, and the truth."""
    one, means = simulated(kind, seed, n_train)
    truth = plugged(means, one.y_new, DISPERSION if kind == "overdispersed" else 0.0)
    return by_measure({**all_methods(one), TRUTH: measured(one, truth)}, ROWS)


def real_fold(name: str, fold: int, n_folds: int = REAL_FOLDS) -> dict:
    """All methods on one fold."""
    return by_measure(all_methods(real(name, fold, n_folds)), ROWS)


def tasks(quick: bool) -> list[Task]:
    """Draws of what is simulated, folds of what is real."""
    draw = partial(simulated_draw, n_train=60) if quick else simulated_draw
    found = [
        Task(f"{kind}-{seed:02}", draw, (kind, seed))
        for kind in SIMULATED
        for seed in range(1 if quick else N_DRAWS)
    ]
    names = list(REAL)[:1] if quick else REAL
    folds = range(1 if quick else REAL_FOLDS)
    return found + [
        Task(f"{name}-{fold:02}", real_fold, (name, fold)) for name in names for fold in folds
    ]


def report(results: Mapping[str, dict]) -> list[Block]:
    """Tables of the simulated and of the real sets."""
    text = (
        "Deviance: mean Poisson deviance of held-out rows. Log probability: mean per held-out row. "
        "Coverage: share of held-out counts in the central 90 % interval, which holds whole "
        "numbers and so often more than 90 %. Splines, trees and statsmodels have those of the "
        "Poisson or negative binomial distribution with their means plugged in."
    )
    found = by_method(results, ROWS)
    return [Text(text), _table(found, SIMULATED, True), _table(found, REAL_TITLES, False)]


def _table(results: Mapping[str, dict], titles: Mapping[str, str], of_draws: bool) -> Table:
    columns = {
        "deviance": ("deviance", "{:.3f}"),
        "log probability": ("log_probability", "{:.3f}"),
        "90 % coverage": ("coverage", "{:.1f}"),
        "width": ("width", "{:.2f}"),
        "dispersion": ("dispersion", "{:.2f}"),
        "vectors": ("vectors", "{:.1f}"),
        "seconds": ("seconds", "{:.2g}"),
    }
    simulated_note = f"{N_TRAIN} rows, {N_NEW} new rows; means over draws."
    note = simulated_note if of_draws else f"Means over {REAL_FOLDS} folds."
    return table(results, titles, ROWS, columns, note)


EXPERIMENTS = [
    Experiment(
        name="targets-counts",
        source="other targets",
        title="Counts: Poisson and negative binomial beside splines, trees and linear models",
        tasks=tasks,
        report=report,
    )
]
