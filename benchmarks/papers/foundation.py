"""[T01] Figures 1, 2 and 3: the paper's numbers beside ours, as Markdown.

Run as `python -m benchmarks.papers.foundation [--quick]`.
"""

from __future__ import annotations

import argparse

import numpy as np

from sparsebayes import RVC, RVR
from sparsebayes.datasets import ripley_mixture, sinc
from sparsebayes.reproduce.data import MissingDataError, draw, ripley

X = np.linspace(-10.0, 10.0, 100)[:, None]
DENSE = np.linspace(-10.0, 10.0, 1000)[:, None]


def figure_1():
    """Noise-free sinc, linear spline, noise fixed at 0.01."""
    print("### [T01] Figure 1: noise-free sinc, linear spline, sigma = 0.01\n")
    print("| | relevance vectors | bias | largest error | log evidence |")
    print("|---|---|---|---|---|")
    print("| paper | 9 | | 0.0070 | |")
    for inference, max_iter in (("fast", 5000), ("mackay", 5000), ("em", 200_000)):
        model = RVR("linear_spline", noise_std=0.01, inference=inference, max_iter=max_iter).fit(
            X, sinc(X[:, 0])
        )
        error = np.abs(model.predict(DENSE) - sinc(DENSE[:, 0])).max()
        vectors, bias = len(model.relevance_), model.intercept_[0] != 0
        print(f"| {inference} | {vectors} | {bias} | {error:.4f} | {model.log_evidence_:.3f} |")


def best_fit_rms(model, y):
    """RMS error of least squares on the model's own columns: the floor for its size."""
    design = model._latent.columns.evaluate(X)
    weights = np.linalg.lstsq(design, y, rcond=None)[0]
    fitted = model._latent.columns.evaluate(DENSE) @ weights
    return np.sqrt(np.mean((fitted - sinc(DENSE[:, 0])) ** 2))


def mean_and_error(rows):
    """Means over draws and their standard errors, as cells of a table."""
    mean, error = np.mean(rows, axis=0), np.std(rows, axis=0) / np.sqrt(len(rows))
    return " | ".join(f"{m:.4f} +- {e:.4f}" for m, e in zip(mean, error, strict=True))


def figure_2(n_draws):
    """Sinc with uniform noise in [-0.2, 0.2], linear spline."""
    print(f"\n### [T01] Figure 2: sinc, uniform noise +-0.2, linear spline, {n_draws} draws\n")
    print("| | RMS error | relevance vectors | noise std (true 0.1155) | RMS of least squares |")
    print("|---|---|---|---|---|")
    print("| paper, one draw | 0.0245 | 6 | | |")
    for inference in ("fast", "mackay"):
        rows = []
        for seed in range(n_draws):
            y = sinc(X[:, 0]) + np.random.default_rng(seed).uniform(-0.2, 0.2, 100)
            model = RVR("linear_spline", inference=inference).fit(X, y)
            rms = np.sqrt(np.mean((model.predict(DENSE) - sinc(DENSE[:, 0])) ** 2))
            rows.append((rms, len(model.relevance_), model.noise_std_, best_fit_rms(model, y)))
        print(f"| {inference}, mean +- standard error | {mean_and_error(rows)} |")
        print(
            f"| draws at or below the paper | {np.mean([r[0] <= 0.0245 for r in rows]):.0%} | ",
            end="",
        )
        print(f"{np.mean([r[1] <= 6 for r in rows]):.0%} | | |")
    print("\nLeast squares is on the columns that were kept, without a prior. On k fixed functions")
    print(f"it has 0.1155 sqrt(k / 100): {0.1155 * 0.07**0.5:.4f} for k = 7.")


def figure_3(n_draws):
    """Ripley's synthetic set, Gaussian kernel of width 0.5."""
    try:
        train_X, train_y, test_X, test_y = ripley()
        source = "Ripley's own 250 + 1000 points"
    except MissingDataError as missing:
        train_X, train_y = ripley_mixture(250, random_state=0)
        test_X, test_y = ripley_mixture(1000, random_state=1)
        source = f"generated anew from his distribution ({missing})"
    print(f"\n### [T01] Figure 3: {source}, 100 training rows, r = 0.5, {n_draws} draws\n")
    print("| | test error, % | relevance vectors |")
    print("|---|---|---|")
    print("| paper, one draw | 9.3 | 4 |")
    for inference in ("fast", "mackay"):
        rows = []
        for seed in range(n_draws):
            train = draw(train_X, train_y, 100, seed)[:2]
            model = RVC(gamma=4.0, inference=inference).fit(*train)
            rows.append((100 * np.mean(model.predict(test_X) != test_y), len(model.relevance_)))
        print(f"| {inference}, mean +- standard error | {mean_and_error(rows)} |")
        errors, vectors = np.array(rows).T
        print(f"| draws at or below 9.3 and 5 | {np.mean(errors <= 9.3):.0%} | ", end="")
        print(f"{np.mean(vectors <= 5):.0%} |")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few draws")
    quick = parser.parse_args(arguments).quick
    figure_1()
    figure_2(3 if quick else 100)
    figure_3(3 if quick else 50)


if __name__ == "__main__":
    main()
