"""Targets of which some are far off: Student-t noise beside Gaussian noise, Huber's, and a GP."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from sparsebayes import RVR
from sparsebayes.datasets import sinc
from studies.data.sources import friedman_formula, standardised
from studies.framework.experiment import Block, Experiment, Table, Task, Text
from studies.framework.sets import of_set
from studies.measures import rms, timed
from studies.targets.peers import HuberOnKernels, gaussian_process
from studies.targets.shown import by_measure, by_method, mean, table

N_DRAWS, N_NEW = 20, 1000
SHARES = (0, 5, 10, 20)
# How far an outlier is off, in standard deviations of the noise.
SHIFT = 10.0
LEVELS = (0.025, 0.975)
# What was asked of Student-t noise: lost at most without outliers, and with a tenth of them.
MOST_LOST, MOST_LOST_OF_TENTH = 0.02, 0.20
GAUSSIAN, STUDENT = "`RVR()`", '`RVR(likelihood="student_t")`'
FAST_GAUSSIAN = '`RVR(inference="fast")`'
FAST = '`RVR(likelihood="student_t", inference="fast")`'
HUBER, GP = "Huber on the same kernels, penalty by CV", "Gaussian process of scikit-learn"
METHODS = (GAUSSIAN, STUDENT, FAST_GAUSSIAN, FAST, HUBER, GP)
ROWS, NOISE = {"sinc": 100, "friedman": 240}, {"sinc": 0.1, "friedman": 1.0}
TITLES = {"sinc": "sinc, 100 rows", "friedman": "Friedman 1, 240 rows"}


class Spoiled(NamedTuple):
    """Training rows with outliers, and new rows: the function, and targets with outliers too."""

    X: np.ndarray
    y: np.ndarray
    X_new: np.ndarray
    clean: np.ndarray
    y_new: np.ndarray


def spoiled(name: str, share: int, seed: int, n_train: int) -> Spoiled:
    """Draws of one seed differ only by their outliers, whatever their share."""
    random = np.random.default_rng(seed)
    n_rows = n_train + N_NEW
    if name == "sinc":
        X = random.uniform(-10.0, 10.0, (n_rows, 1))
        clean = sinc(X[:, 0])
    else:
        X = random.uniform(size=(n_rows, 10))
        clean = friedman_formula(1, X)
    y = clean + NOISE[name] * random.normal(size=n_rows)
    sign = random.choice([-1.0, 1.0], n_rows)
    for part in (slice(n_train), slice(n_train, None)):
        chosen = np.arange(n_rows)[part]
        chosen = random.permutation(chosen)[: round(0.01 * share * len(chosen))]
        y[chosen] += SHIFT * NOISE[name] * sign[chosen]
    X_train, X_new = standardised(X[:n_train], X[n_train:])
    return Spoiled(X_train, y[:n_train], X_new, clean[n_train:], y[n_train:])


def measured(one: Spoiled, model, seconds: float) -> dict:
    """Error of the function, share of new targets in the 95 % interval, vectors."""
    found = {"error": rms(model.predict(one.X_new), one.clean), "seconds": seconds}
    found["vectors"] = len(getattr(model, "relevance_", one.y))
    ends = interval(model, one.X_new)
    if ends is not None:
        low, high = ends
        found["coverage"] = 100.0 * float(np.mean((low <= one.y_new) & (one.y_new <= high)))
        found["width"] = float(np.median(high - low))
    return found


def interval(model, X) -> tuple[np.ndarray, np.ndarray] | None:
    """The central 95 % of new targets, where the model has a distribution."""
    if hasattr(model, "predict_quantiles"):
        low, high = model.predict_quantiles(X, LEVELS).T
        return low, high
    if not hasattr(model, "log_marginal_likelihood"):
        return None
    centre, std = model.predict(X, return_std=True)
    reach = norm.ppf(LEVELS[1]) * std
    return centre - reach, centre + reach


def outliers_draw(name: str, share: int, seed: int, n_train: int = 0) -> dict:
    """All methods on one draw; Huber's has the widths of the model with Student-t noise."""
    one = spoiled(name, share, seed, n_train or ROWS[name])
    rows = one.X, one.y
    fitted = {
        GAUSSIAN: timed(partial(RVR().fit, *rows)),
        STUDENT: timed(partial(RVR(likelihood="student_t").fit, *rows)),
        FAST_GAUSSIAN: timed(partial(RVR(inference="fast").fit, *rows)),
        FAST: timed(partial(RVR(likelihood="student_t", inference="fast").fit, *rows)),
        GP: timed(partial(gaussian_process, *rows)),
    }
    kernels = HuberOnKernels(fitted[STUDENT][0].gamma_)
    fitted[HUBER] = timed(partial(kernels.fit, *rows))
    found = {method: measured(one, *fitted[method]) for method in METHODS}
    found[STUDENT]["df"] = float(fitted[STUDENT][0].likelihood_.df)
    found[FAST]["df"] = float(fitted[FAST][0].likelihood_.df)
    return by_measure(found, METHODS)


def tasks(quick: bool) -> list[Task]:
    """Each draw of each function with each share of outliers."""
    draw = partial(outliers_draw, n_train=15) if quick else outliers_draw
    return [
        Task(f"{name}-{share:02}-{seed:02}", draw, (name, share, seed))
        for name in TITLES
        for share in ((0, 10) if quick else SHARES)
        for seed in range(1 if quick else N_DRAWS)
    ]


def report(results: Mapping[str, dict]) -> list[Block]:
    """A table for each function, and one of what was asked."""
    text = (
        "A share of the targets is off by 10 standard deviations of the noise, in new rows as in "
        "training rows. Error: root mean squared distance from the true function on 1000 new rows; "
        "beside it, relative to `RVR()` without outliers. Coverage: share of new targets, outliers "
        "among them, in the central 95 % interval; width: that of this interval, by the median. "
        "Means over draws."
    )
    found = by_method(results, METHODS)
    return [Text(text), *(_table(found, name) for name in TITLES), asked(found)]


def _table(results: Mapping[str, dict], name: str) -> Table:
    """Errors are relative to that of Gaussian noise without outliers."""
    least = mean(of_set(results, f"{name}-00"), GAUSSIAN, "error") or np.nan
    relative = {
        key: {method: one | {"relative": one["error"] / least} for method, one in result.items()}
        for key, result in results.items()
    }
    columns = {
        "error": ("error", "{:.4f}" if name == "sinc" else "{:.3f}"),
        "relative": ("relative", "{:.2f}"),
        "95 % coverage": ("coverage", "{:.1f}"),
        "width": ("width", "{:.3g}"),
        "vectors": ("vectors", "{:.1f}"),
        "df": ("df", "{:.1f}"),
        "seconds": ("seconds", "{:.2g}"),
    }
    sets = {f"{name}-{share:02}": f"{share} %" for share in SHARES}
    made = table(relative, sets, METHODS, columns, f"{TITLES[name]}.")
    return made._replace(header=["outliers", *made.header[1:]])


def asked(results: Mapping[str, dict]) -> Table:
    """What Student-t noise may lose, and what it does."""
    rows = []
    for name, title in TITLES.items():
        none, tenth = (of_set(results, f"{name}-{share:02}") for share in (0, 10))
        for method, usual in ((STUDENT, GAUSSIAN), (FAST, FAST_GAUSSIAN)):
            least = mean(none, method, "error") or np.nan
            others = mean(none, usual, "error") or np.nan
            spoiled_error = mean(tenth, method, "error") or np.nan
            rows.append([title, method, *_judged(least / others - 1.0, MOST_LOST)])
            rows[-1] += _judged(spoiled_error / least - 1.0, MOST_LOST_OF_TENTH)
    header = ["data", "method", "0 %: lost to Gaussian noise", "at most 2 %"]
    header += ["10 %: lost to itself at 0 %", "at most 20 %"]
    return Table(header, rows, "What was asked of Student-t noise.")


def _judged(lost: float, most: float) -> list[str]:
    return [f"{100.0 * lost:.1f} %", "yes" if lost <= most else "no"]


EXPERIMENTS = [
    Experiment(
        name="targets-outliers",
        source="other targets",
        title="Outliers: Student-t noise beside Gaussian noise, Huber, and a Gaussian process",
        tasks=tasks,
        report=report,
    )
]
