"""[T01] Figures 1, 2 and 3: the paper's numbers beside ours, as Markdown.

Run as `python -m benchmarks.papers.foundation [--quick]`.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.data import MissingDataError, draw, ripley
from sparsebayes import RVC, RVR
from sparsebayes.datasets import ripley_mixture, sinc

X = np.linspace(-10.0, 10.0, 100)[:, None]
DENSE = np.linspace(-10.0, 10.0, 1000)[:, None]


def figure_1():
    """Noise-free sinc, linear spline, noise fixed at 0.01."""
    print("### [T01] Figure 1: noise-free sinc, linear spline, sigma = 0.01\n")
    print("| | relevance vectors | bias | largest error | log evidence |")
    print("|---|---|---|---|---|")
    print("| paper | 9 | | 0.0070 | |")
    for inference, max_iter in (("mackay", 5000), ("em", 200_000)):
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


def figure_2(n_draws):
    """Sinc with uniform noise in [-0.2, 0.2], linear spline."""
    rows = []
    for seed in range(n_draws):
        y = sinc(X[:, 0]) + np.random.default_rng(seed).uniform(-0.2, 0.2, 100)
        model = RVR("linear_spline").fit(X, y)
        rms = np.sqrt(np.mean((model.predict(DENSE) - sinc(DENSE[:, 0])) ** 2))
        rows.append((rms, len(model.relevance_), model.noise_std_, best_fit_rms(model, y)))
    mean, error = np.mean(rows, axis=0), np.std(rows, axis=0) / np.sqrt(n_draws)
    print(f"\n### [T01] Figure 2: sinc, uniform noise +-0.2, linear spline, {n_draws} draws\n")
    print("| | RMS error | relevance vectors | noise std (true 0.1155) |")
    print("|---|---|---|---|")
    print("| paper, one draw | 0.0245 | 6 | |")
    cells = " | ".join(f"{m:.4f} +- {e:.4f}" for m, e in zip(mean[:3], error[:3], strict=True))
    print(f"| mackay, mean +- standard error | {cells} |")
    print(f"\nDraws with RMS at most 0.0245: {np.mean([r[0] <= 0.0245 for r in rows]):.0%}.")
    print(f"Least squares on the same columns, no prior: RMS {mean[3]:.4f}.")
    print(
        "Least squares on k fixed functions: 0.1155 sqrt(k / 100), "
        f"which is {0.1155 * 0.07**0.5:.4f} for k = 7."
    )


def figure_3(n_draws):
    """Ripley's synthetic set, Gaussian kernel of width 0.5."""
    try:
        train_X, train_y, test_X, test_y = ripley()
        source = "Ripley's own 250 + 1000 points"
    except MissingDataError as missing:
        train_X, train_y = ripley_mixture(250, random_state=0)
        test_X, test_y = ripley_mixture(1000, random_state=1)
        source = f"generated anew from his distribution ({missing})"
    rows = []
    for seed in range(n_draws):
        model = RVC(gamma=4.0).fit(*draw(train_X, train_y, 100, seed)[:2])
        rows.append((100 * np.mean(model.predict(test_X) != test_y), len(model.relevance_)))
    mean, error = np.mean(rows, axis=0), np.std(rows, axis=0) / np.sqrt(n_draws)
    print(f"\n### [T01] Figure 3: {source}, 100 training rows, r = 0.5, {n_draws} draws\n")
    print("| | test error, % | relevance vectors |")
    print("|---|---|---|")
    print("| paper, one draw | 9.3 | 4 |")
    cells = " | ".join(f"{m:.2f} +- {e:.2f}" for m, e in zip(mean, error, strict=True))
    print(f"| mackay, mean +- standard error | {cells} |")
    errors, vectors = np.array(rows).T
    print(f"\nDraws with error at most 9.3 %: {np.mean(errors <= 9.3):.0%}; ", end="")
    print(f"with at most 5 vectors: {np.mean(vectors <= 5):.0%}; ", end="")
    print(
        f"both: {np.mean((errors <= 9.3) & (vectors <= 5)):.0%}. Median {np.median(errors):.2f} %."
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few draws")
    quick = parser.parse_args(arguments).quick
    figure_1()
    figure_2(3 if quick else 100)
    figure_3(3 if quick else 50)


if __name__ == "__main__":
    main()
