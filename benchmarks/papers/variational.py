"""[BT00] Tables 1-4: the paper's numbers beside ours, as Markdown.

Run as `python -m benchmarks.papers.variational [--quick]`.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

from benchmarks.cases import standardised
from sparsebayes import RVC, RVR
from sparsebayes.datasets import noisy_sinc, sinc
from sparsebayes.reproduce.data import MissingDataError, boston, draw, pima, ripley

NAMES = {"fast": "RVM", "variational": "VRVM"}
DENSE = np.linspace(-10.0, 10.0, 1000)[:, None]
SINC_WIDTHS = [1.0, 1.5, 2.0, 3.0, 4.0, 6.0]
RIPLEY_WIDTHS = [0.2, 0.3, 0.5, 0.8, 1.2]
# Relative to the median distance of the standardised inputs.
PIMA_WIDTHS = [0.5, 1.0, 2.0, 4.0]


def gammas(widths):
    """gamma = width^-2 for each."""
    return {"gamma": [width**-2 for width in widths]}


def tuned(model, grid, X, y, scoring):
    """The model with its width chosen by 5-fold cross-validation."""
    return GridSearchCV(model, grid, scoring=scoring).fit(X, y).best_estimator_


def table(title, columns, paper, fit_one, n_draws):
    """Print the paper's rows, and ours as means and standard errors over draws."""
    print(f"\n### {title}, {n_draws} draws\n")
    print(f"| | {' | '.join(columns)} |")
    print("|---" * (len(columns) + 1) + "|")
    for inference, name in NAMES.items():
        print(f"| {name}, paper | {' | '.join(paper[name])} |")
        rows = np.array([fit_one(inference, seed) for seed in range(n_draws)])
        cells = [
            f"{mean:.4g} +- {error:.2g}"
            for mean, error in zip(rows.mean(axis=0), rows.std(axis=0) / n_draws**0.5, strict=True)
        ]
        print(f"| {name}, ours | {' | '.join(cells)} |")


def table_1(n_draws):
    def fit_one(inference, seed):
        X, y = noisy_sinc(50, random_state=seed)
        model = tuned(RVR(inference=inference), gammas(SINC_WIDTHS), X, y, "neg_mean_squared_error")
        rms = np.sqrt(np.mean((model.predict(DENSE) - sinc(DENSE[:, 0])) ** 2))
        return rms, len(model.relevance_), model.noise_std_

    table(
        "[BT00] Table 1: noisy sinc, 50 points, noise 0.1, width by 5-fold CV",
        ["RMS error", "kernels", "noise"],
        {"RVM": ["0.0494", "6.9", "0.0943"], "VRVM": ["0.0494", "7.4", "0.0950"]},
        fit_one,
        n_draws,
    )


def table_2(n_draws):
    def fit_one(inference, seed):
        X, y, X_test, y_test = draw(*boston(), 481, seed)
        scale = standardised("boston", "classification", X, y, X_test, y_test)  # inputs only
        model = RVR("poly", degree=3, gamma="auto", coef0=1.0, inference=inference)
        model.fit(scale.X, y)
        error = np.mean((model.predict(scale.X_test) - y_test) ** 2)
        return error, len(model.relevance_), model.noise_std_

    table(
        "[BT00] Table 2: Boston housing, third-order polynomial kernel, 481 + 25 rows",
        ["squared error", "kernels", "noise"],
        {"RVM": ["10.17", "41.1", "2.49"], "VRVM": ["10.36", "40.9", "2.49"]},
        fit_one,
        n_draws,
    )


def table_3(n_draws):
    def fit_one(inference, seed):
        X, y, X_test, y_test = ripley()
        X, y = draw(X, y, 100, seed)[:2]
        model = tuned(RVC(inference=inference), gammas(RIPLEY_WIDTHS), X, y, "neg_log_loss")
        return 100 * np.mean(model.predict(X_test) != y_test), len(model.relevance_)

    table(
        "[BT00] Table 3: Ripley's set, 100 of 250 training rows, width by 5-fold CV",
        ["error, %", "kernels"],
        {"RVM": ["9.3", "4"], "VRVM": ["9.2", "4"]},
        fit_one,
        n_draws,
    )


def table_4(n_draws):
    def fit_one(inference, _):
        case = standardised("pima", "classification", *pima())
        distance = case.gamma(1.0) ** -0.5
        grid = gammas([distance * width for width in PIMA_WIDTHS])
        model = tuned(RVC(inference=inference), grid, case.X, case.y, "neg_log_loss")
        errors = np.sum(model.predict(case.X_test) != case.y_test)
        return errors, len(model.relevance_)

    table(
        "[BT00] Table 4: Pima, Ripley's split, 200 + 332 rows, width by 5-fold CV",
        ["errors", "kernels"],
        {"RVM": ["65", "4"], "VRVM": ["65", "4"]},
        fit_one,
        n_draws,
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one draw of the small sets")
    quick = parser.parse_args(arguments).quick
    warnings.simplefilter("ignore", ConvergenceWarning)
    studies = [(table_1, 1)] if quick else [(table_1, 25), (table_2, 10), (table_3, 25)]
    for study, n_draws in [*studies, *([] if quick else [(table_4, 1)])]:
        try:
            study(n_draws)
        except MissingDataError as missing:
            print(f"\nleft out: {study.__name__} {missing}")


if __name__ == "__main__":
    main()
