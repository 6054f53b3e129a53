"""Several outputs: shared precisions against one model for each, as Markdown.

Run as `python -m benchmarks.outputs [--quick] [--out results]`. Three outputs that mix the same two
functions, 100 to 500 rows, 20 draws; errors are relative to the noise of each output.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from scipy.stats import norm

from benchmarks.speed.measure import markdown, write
from sparsebayes import RVR

MIX = np.array([[1.0, 0.0], [0.5, 0.5], [-0.3, 1.0]])
NOISE = np.array([0.1, 0.05, 0.2])
FORMS = {"error": ".3f", "nlpd": ".3f", "vectors": ".1f", "seconds": ".3f"}


def functions(X):
    """Outputs without noise (n, 3)."""
    return np.column_stack([np.sinc(X[:, 0] / np.pi), np.cos(X[:, 0] / 2)]) @ MIX.T


def one_draw(n_samples, seed, shared) -> dict:
    random = np.random.default_rng(seed)
    X = random.uniform(-10, 10, (n_samples, 1))
    Y = functions(X) + NOISE * random.normal(size=(n_samples, 3))
    start = time.perf_counter()
    model = RVR(gamma=0.1, shared_precision=shared).fit(X, Y)
    seconds = time.perf_counter() - start
    test = random.uniform(-10, 10, (1000, 1))
    mean, std = model.predict(test, return_std=True)
    new = functions(test) + NOISE * random.normal(size=(1000, 3))
    return {
        "n": n_samples,
        "shared": shared,
        "seed": seed,
        "error": float(np.sqrt(np.mean(((mean - functions(test)) / NOISE) ** 2))),
        "nlpd": float(-norm.logpdf(new, mean, std).mean()),
        "vectors": len(model.relevance_),
        "seconds": seconds,
    }


def table(rows) -> str:
    header = ["rows", "precisions", "RMS error / noise", "NLPD", "distinct vectors", "seconds"]
    cells = []
    for n_samples, shared in dict.fromkeys((row["n"], row["shared"]) for row in rows):
        mine = [row for row in rows if (row["n"], row["shared"]) == (n_samples, shared)]
        means = [format(np.mean([row[key] for row in mine]), form) for key, form in FORMS.items()]
        cells.append([str(n_samples), "shared" if shared else "separate", *means])
    return markdown(header, cells)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="100 rows, two draws")
    parser.add_argument("--out", type=Path, default=Path("results"))
    options = parser.parse_args(arguments)
    sizes, n_draws = ([100], 2) if options.quick else ([100, 200, 500], 20)
    rows = [
        one_draw(n_samples, seed, shared)
        for n_samples in sizes
        for shared in (True, False)
        for seed in range(n_draws)
    ]
    write(options.out, "outputs", rows, table(rows))


if __name__ == "__main__":
    main()
