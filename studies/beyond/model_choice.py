"""How well a kernel width is chosen by the evidence, sparse or dense, by the bound, and by CV.

Errors are those of the model of the chosen width, relative to that of the one width that is best on
average, and to the best width in each draw.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from sklearn.model_selection import cross_val_score

from studies import models
from studies.data.samples import Sample, sample
from studies.framework import sets
from studies.framework.experiment import Block, Experiment, Table, Task
from studies.tuning import SQUARED, folds

# Relative to the squared median distance.
GAMMAS = tuple(float(gamma) for gamma in np.logspace(-1.5, 1.5, 10))
SETS = {
    "sinc-gaussian": "sinc, 100 rows (10 RMS)",
    "friedman2": "Friedman 2, 240 rows (MSE)",
    "ripley": "Ripley, 100 rows (%)",
}
N_DRAWS = 20
CRITERIA = {
    "evidence": "`log_evidence`",
    "marginal": "`marginal`",
    "bound": "`lower_bound`",
    "dense": '`log_evidence` with `inference="projection"`',
    "folds": "5-fold CV",
}


def choice_draw(name: str, seed: int, relative: tuple[float, ...] = GAMMAS) -> dict:
    """By criterion: score and error of each width, and the seconds for all widths."""
    one = sample(name, seed)
    gammas = [one.gamma(each) for each in relative]
    fast = fits(one, "fast", gammas, lambda model: model.log_evidence_)
    bound = fits(one, "variational", gammas, lambda model: model.lower_bound_)
    dense = fits(one, "projection", gammas, lambda model: model.log_evidence_)
    search = models.evidence_search(models.machine(one.is_regression), gammas, "marginal")
    marginal = search.fit(one.X, one.y).cv_results_["mean_test_score"]
    start = time.perf_counter()
    held_out = [cross_validated(one, gamma) for gamma in gammas]
    seconds = time.perf_counter() - start + fast["seconds"]
    return {
        "evidence": fast,
        "marginal": {**fast, "score": [float(each) for each in marginal]},
        "bound": bound,
        "dense": dense,
        "folds": {**fast, "score": held_out, "seconds": seconds},
    }


def fits(one: Sample, inference: str, gammas: list[float], score: Callable) -> dict:
    """A model for each width: its score, its test error, and the seconds for all of them."""
    start = time.perf_counter()
    machines = [
        models.machine(one.is_regression, inference, gamma=gamma).fit(one.X, one.y)
        for gamma in gammas
    ]
    return {
        "seconds": time.perf_counter() - start,
        "score": [float(score(model)) for model in machines],
        "error": [one.error(model.predict(one.X_test)) for model in machines],
    }


def cross_validated(one: Sample, gamma: float) -> float:
    """Minus the squared error, or minus the log loss, over five folds."""
    model = models.machine(one.is_regression, gamma=gamma)
    scoring = SQUARED if one.is_regression else "neg_log_loss"
    return float(cross_val_score(model, one.X, one.y, cv=folds(model), scoring=scoring).mean())


def tasks(quick: bool) -> list[Task]:
    """A task for each draw of each set; two widths of one set if quick."""
    if quick:
        return sets.set_draws(choice_draw, {"sinc-gaussian": 1}, (0.1, 1.0))
    return sets.set_draws(choice_draw, dict.fromkeys(SETS, N_DRAWS))


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each set and criterion."""
    rows = [
        [title, CRITERIA[criterion], *_chosen(criterion, list(own.values()))]
        for name, title in SETS.items()
        if (own := sets.of_set(results, name))
        for criterion in CRITERIA
    ]
    header = [
        "set",
        "criterion",
        "error",
        "to the best width",
        "to the best of each draw",
        "seconds",
    ]
    note = "Seconds are for all widths, as medians over draws."
    return [Table(header, rows, note)]


def _chosen(criterion: str, runs: list[dict]) -> list[str]:
    """Error of the chosen widths, relative to the best ones, and seconds."""
    error = np.array([run[criterion]["error"] for run in runs])
    best = [int(np.argmax(run[criterion]["score"])) for run in runs]
    mean = error[np.arange(len(runs)), best].mean()
    seconds = np.median([run[criterion]["seconds"] for run in runs])
    relative = mean / error.mean(axis=0).min(), mean / error.min(axis=1).mean()
    return [f"{mean:.4g}", *(f"{each:.2f}" for each in relative), f"{seconds:.2f}"]


EXPERIMENTS = [
    Experiment(
        name="model-choice",
        source="beyond the papers",
        title="Kernel widths by evidence, by bound, and by cross-validation",
        tasks=tasks,
        report=report,
    )
]
