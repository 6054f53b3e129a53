"""Times of the full algorithm and of prediction, on one core, as medians.

Run as `OPENBLAS_NUM_THREADS=1 python -m benchmarks.speed.foundation [--quick]`.
"""

from __future__ import annotations

import argparse
import statistics
import time
import tracemalloc

import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.svm import SVR

from sparsebayes import RVR


def median_seconds(function, repeats):
    """Median time of a call."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def standardised_friedman(n_samples, seed=0):
    X, y = make_friedman1(n_samples, noise=1.0, random_state=seed)
    return (X - X.mean(axis=0)) / X.std(axis=0), (y - y.mean()) / y.std()


def fits(sizes, repeats):
    print('### Fit, Friedman 1, d = 10, inference="mackay"\n')
    print("| N | gamma | seconds | iterations | columns | log evidence | one SVR fit, seconds |")
    print("|---|---|---|---|---|---|---|")
    for n_samples in sizes:
        X, y = standardised_friedman(n_samples)
        for gamma in (0.03, 0.1):
            model = RVR(gamma=gamma, inference="mackay")
            seconds = median_seconds(lambda model=model, X=X, y=y: model.fit(X, y), repeats)
            svr = SVR(gamma=gamma)
            peer = median_seconds(lambda svr=svr, X=X, y=y: svr.fit(X, y), repeats)
            print(
                f"| {n_samples} | {gamma} | {seconds:.2f} | {model.n_iter_} | "
                f"{len(model.weights_)} | {model.log_evidence_:.2f} | {peer:.3f} |"
            )


def predictions(n_rows, repeats):
    X, y = standardised_friedman(300)
    model = RVR(gamma=0.03).fit(X, y)
    row = X[:1].copy()
    latency = median_seconds(lambda: model.predict(row), repeats) * 1e6
    with_std = median_seconds(lambda: model.predict(row, return_std=True), repeats) * 1e6
    print(f"\n### Predict, {len(model.weights_)} columns\n")
    print(f"One row: {latency:.0f} us; with standard deviation {with_std:.0f} us.")
    many = np.tile(X, (n_rows // len(X) + 1, 1))[:n_rows]
    tracemalloc.start()
    start = time.perf_counter()
    model.predict(many, return_std=True)
    seconds = time.perf_counter() - start
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    print(
        f"{n_rows} rows with standard deviation: {seconds:.1f} s, {peak:.0f} MB beyond the inputs."
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, one repeat")
    quick = parser.parse_args(arguments).quick
    fits((100,) if quick else (500, 1000), 1 if quick else 5)
    predictions(2_000 if quick else 1_000_000, 20 if quick else 2000)


if __name__ == "__main__":
    main()
