"""Where the time of a default fit goes, and what its linear algebra takes at the least.

    python -m studies.speed.profile

For each size: milliseconds of the whole fit, of its parts by a profiler (which slows small fits by
about half, so the parts are given as shares), the evaluations of the dense model at each stage, and
beside them the least that these evaluations take: one Cholesky factorisation, one inverse and one
kernel matrix each, timed alone.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
from collections import Counter
from collections.abc import Callable

import numpy as np
from scipy.linalg import lapack
from sklearn.datasets import make_friedman1
from sklearn.metrics.pairwise import rbf_kernel

from sparsebayes import RVR
from sparsebayes.dense import model as dense_model
from studies.speed.measure import median_seconds

SIZES = (100, 1000, 4000)
# What is measured -> the function whose cumulative time it is, by file and name.
PARTS = {
    "learning scales": ("with_scales.py", "scaled"),
    "- factors of B": ("_linear_algebra.py", "lower_factor"),
    "- its inverse": ("_linear_algebra.py", "inverse_of"),
    "- kernels and their slopes": ("formulas.py", "__call__", "slope"),
    "- columns that follow": ("following.py", "following_columns"),
    "first steps of the sparse fit": ("fast.py", "top_down"),
    "its rounds": ("fast.py", "step"),
    "columns of all rows": ("in_memory.py", "evaluated"),
}


def median_ms(work: Callable, repeats: int) -> float:
    """Median milliseconds of a call."""
    return 1e3 * median_seconds(work, repeats)


def least_ms(n_rows: int) -> float:
    """One Cholesky factorisation, one inverse and one kernel matrix of so many rows."""
    inputs = np.random.default_rng(0).uniform(size=(n_rows, 10))
    kernel = np.asfortranarray(rbf_kernel(inputs) + np.eye(n_rows))
    lower, _ = lapack.dpotrf(kernel, lower=1)
    repeats = 20 if n_rows <= 256 else 5
    return (
        median_ms(lambda: lapack.dpotrf(kernel, lower=1), repeats)
        + median_ms(lambda: lapack.dpotri(lower, lower=1), repeats)
        + median_ms(lambda: rbf_kernel(inputs), repeats)
    )


def evaluations(X: np.ndarray, y: np.ndarray) -> Counter:
    """How often the dense model is evaluated with each number of rows."""
    counts: Counter = Counter()
    plain = dense_model.DenseModel.evaluate

    def counted(self, settings, log_scales):
        counts[self.rows.n_rows] += 1
        return plain(self, settings, log_scales)

    dense_model.DenseModel.evaluate = counted  # type: ignore[method-assign]
    try:
        RVR().fit(X, y)
    finally:
        dense_model.DenseModel.evaluate = plain  # type: ignore[method-assign]
    return counts


def shares(X: np.ndarray, y: np.ndarray, repeats: int) -> dict[str, float]:
    """The share of each part in the time of a fit, by the profiler."""
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(repeats):
        RVR().fit(X, y)
    profiler.disable()
    stats = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    whole = max(entry[3] for entry in stats.values())
    return {
        part: sum(
            entry[3]
            for (path, _, function), entry in stats.items()
            if path.endswith("/" + file) and function in names and "sparsebayes" in path
        )
        / whole
        for part, (file, *names) in PARTS.items()
    }


def main(arguments: list[str] | None = None) -> None:
    """Print a table for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    for n_rows in parser.parse_args(arguments).sizes:
        X, y = make_friedman1(n_rows, n_features=10, noise=1.0, random_state=0)
        repeats = max(1, 1000 // n_rows)
        RVR().fit(X, y)
        whole = median_ms(lambda X=X, y=y: RVR().fit(X, y), max(3, repeats))
        print(f"\nN = {n_rows}: {whole:.0f} ms\n\n| part | share |\n|---|---|")
        for part, share in shares(X, y, repeats).items():
            print(f"| {part} | {share:.2f} |")
        counts = evaluations(X, y)
        least = {size: least_ms(size) for size in counts}
        print("\n| rows | evaluations | least ms each | least ms in all |\n|---|---|---|---|")
        for size, number in sorted(counts.items()):
            print(f"| {size} | {number} | {least[size]:.2f} | {number * least[size]:.0f} |")


if __name__ == "__main__":
    main()
