"""What to do with the mean of the targets: a column of ones, centred targets, or neither."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm
from sklearn.datasets import make_friedman1, make_friedman2, make_friedman3
from sklearn.metrics.pairwise import rbf_kernel

from studies import models
from studies.beyond.draws import flat
from studies.beyond.report import table
from studies.framework.experiment import Block, Experiment, Task
from studies.framework.sets import set_draws

KINDS = {
    "column": "a column with its own precision, as in [T01]",
    "centred": "centred targets, and the column (the default)",
    "flat": "a flat prior over the bias: targets and columns centred",
    "projected_column": "projection, a column",
    "projected_centred": "projection, centred targets and the column",
    "projected_flat": "projection, a flat prior",
}
COLUMNS = {"error": "MSE / variance", "nlpd": "NLPD", "vectors": "vectors"}
N_TRAIN = 120


def data(name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Standardised inputs, and targets with a mean that is not zero (1120 rows)."""
    random = np.random.default_rng(seed)
    n_rows = N_TRAIN + 1000
    if name == "friedman1":
        X, y = make_friedman1(n_rows, noise=1.0, random_state=seed)
    elif name == "friedman2":
        X, y = make_friedman2(n_rows, noise=125.0, random_state=seed)
    elif name == "friedman3":
        X, y = make_friedman3(n_rows, noise=0.1, random_state=seed)
    elif name == "sinc":
        X = random.uniform(-10.0, 10.0, (n_rows, 1))
        y = np.sinc(X[:, 0] / np.pi) + random.normal(0.0, 0.1, n_rows)
    else:
        X = random.uniform(size=(n_rows, 2))
        y = 10.0 + 5.0 * X[:, 0] ** 2 + 3.0 * X[:, 1] + random.normal(0.0, 0.3, n_rows)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def fitted(kind: str, X: np.ndarray, y: np.ndarray):
    """A model, and what must be added to its mean."""
    inference = "projection" if kind.startswith("projected") else "fast"
    gamma, kind = 1.0 / X.shape[1], kind.removeprefix("projected_")
    if kind != "flat":
        bias = True if kind == "centred" else "column"
        return models.rvr(inference, gamma=gamma, fit_intercept=bias).fit(X, y), 0.0

    def centred(inputs, centres):
        return rbf_kernel(inputs, centres, gamma) - rbf_kernel(X, centres, gamma).mean(axis=0)

    model = models.rvr(inference, kernel=centred, fit_intercept=False)
    return model.fit(X, y - y.mean()), y.mean()


def offset_draw(name: str, seed: int) -> dict:
    """All kinds on one draw, at one width."""
    X, y = data(name, seed)
    test, new = X[N_TRAIN:], y[N_TRAIN:]
    found = {}
    for kind in KINDS:
        model, offset = fitted(kind, X[:N_TRAIN], y[:N_TRAIN])
        mean, std = model.predict(test, return_std=True)
        mean = mean + offset
        found[kind] = {
            "error": float(np.mean((mean - new) ** 2) / new.var()),
            "nlpd": float(-norm.logpdf(new, mean, std).mean() - np.log(new.std())),
            "vectors": len(model.relevance_),
        }
    return flat(found)


def tasks(quick: bool) -> list[Task]:
    """A task for each draw of each set."""
    sets = ("sinc",) if quick else ("sinc", "friedman1", "friedman2", "friedman3", "plane")
    return set_draws(offset_draw, dict.fromkeys(sets, 1 if quick else 10))


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each set and kind."""
    return [table(results, KINDS, COLUMNS)]


EXPERIMENTS = [
    Experiment(
        name="offset",
        source="beyond the papers",
        title="The mean of the targets: a column, centred targets, or a flat prior over the bias",
        tasks=tasks,
        report=report,
    )
]
