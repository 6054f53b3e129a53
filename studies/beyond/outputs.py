"""Several outputs that mix the same two functions: one set of vectors, or one for each output."""

from __future__ import annotations

import time

import numpy as np
from scipy.stats import norm

from studies import models
from studies.beyond.draws import flat
from studies.beyond.report import table
from studies.framework.experiment import Block, Experiment, Task
from studies.framework.sets import set_draws
from studies.measures import rms

MIX = np.array([[1.0, 0.0], [0.5, 0.5], [-0.3, 1.0]])
NOISE = np.array([0.1, 0.05, 0.2])
KINDS = {"shared": "shared", "separate": "separate"}
COLUMNS = {
    "error": "RMS error / noise",
    "nlpd": "NLPD",
    "vectors": "distinct vectors",
    "seconds": "seconds",
}


def functions(X):
    """Outputs without noise (n, 3)."""
    return np.column_stack([np.sinc(X[:, 0] / np.pi), np.cos(X[:, 0] / 2)]) @ MIX.T


def noisy(random, n_samples: int):
    """Inputs and noisy outputs."""
    X = random.uniform(-10, 10, (n_samples, 1))
    return X, functions(X) + NOISE * random.normal(size=(n_samples, 3))


def outputs_draw(n_samples: str, seed: int) -> dict:
    """Both kinds on one draw; errors are relative to the noise of each output."""
    random = np.random.default_rng(seed)
    X, Y = noisy(random, int(n_samples))
    test, new = noisy(random, 1000)
    found = {}
    for kind in KINDS:
        start = time.perf_counter()
        model = models.several_outputs(kind, gamma=0.1).fit(X, Y)
        seconds = time.perf_counter() - start
        mean, std = model.predict(test, return_std=True)
        found[kind] = {
            "error": rms(mean / NOISE, functions(test) / NOISE),
            "nlpd": float(-norm.logpdf(new, mean, std).mean()),
            "vectors": len(model.relevance_),
            "seconds": seconds,
        }
    return flat(found)


def tasks(quick: bool) -> list[Task]:
    """A task for each draw of each size."""
    sizes = {"100": 1} if quick else dict.fromkeys(("100", "200", "500"), 20)
    return set_draws(outputs_draw, sizes)


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each size and kind."""
    found = table(results, KINDS, COLUMNS)
    return [found._replace(header=["rows", "precisions", *found.header[2:]])]


EXPERIMENTS = [
    Experiment(
        name="outputs",
        source="beyond the papers",
        title="Three outputs: shared precisions against one model for each",
        tasks=tasks,
        report=report,
    )
]
