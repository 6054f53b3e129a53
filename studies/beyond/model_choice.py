"""How well a kernel width is chosen by the evidence, sparse or dense, by the bound, and by CV.

Run as `python -m benchmarks.model_choice [--quick] [--out results]`. Ten widths, 20 draws of each
set; errors are those of the model of the chosen width, relative to that of the one width of the ten
that is best on average, and to the best of the ten in each draw.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score

from benchmarks.cases import friedman_case, ripley_case, sinc_case
from benchmarks.speed.measure import markdown, write
from sparsebayes import RVC, RVR
from sparsebayes.estimators.evidence_search import CRITERIA
from sparsebayes.reproduce.experiment import MissingDataError

WIDTHS = np.logspace(-1.5, 1.5, 10)
SETS = {
    "sinc, 100 rows (RMS)": lambda seed: sinc_case(100, seed),
    "Friedman 2, 240 rows (MSE)": lambda seed: friedman_case(2, 240, seed),
    "Ripley, 100 rows (%)": lambda seed: ripley_case(100, seed),
}


def make(case, gamma, inference="fast"):
    kind = RVR if case.task == "regression" else RVC
    return kind(gamma=gamma, inference=inference)


def test_error(case, model):
    prediction = model.predict(case.X_test)
    if case.task == "classification":
        return 100 * float(np.mean(prediction != case.y_test))
    square = float(np.mean((prediction - case.y_test) ** 2))
    return square**0.5 if case.name == "sinc" else square


def cross_validated(case, gamma):
    splits = (KFold if case.task == "regression" else StratifiedKFold)(
        5, shuffle=True, random_state=0
    )
    scoring = "neg_mean_squared_error" if case.task == "regression" else "neg_log_loss"
    return cross_val_score(make(case, gamma), case.X, case.y, cv=splits, scoring=scoring).mean()


def timed(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return result, time.perf_counter() - start


def one_width(case, width) -> dict:
    """Criteria of one width, the error of the model that each would give, and the seconds."""
    gamma = case.gamma(width)
    fast, fast_seconds = timed(lambda: make(case, gamma).fit(case.X, case.y))
    bounded, bound_seconds = timed(lambda: make(case, gamma, "variational").fit(case.X, case.y))
    small, small_seconds = timed(lambda: make(case, gamma, "projection").fit(case.X, case.y))
    folds, fold_seconds = timed(cross_validated, case, gamma)
    error, bound_error = test_error(case, fast), test_error(case, bounded)
    return {
        "log_evidence": (CRITERIA["log_evidence"](fast), error, fast_seconds),
        "marginal": (CRITERIA["marginal"](fast), error, fast_seconds),
        "lower_bound": (CRITERIA["lower_bound"](bounded), bound_error, bound_seconds),
        "dense evidence": (small.log_evidence_, test_error(case, small), small_seconds),
        "5-fold CV": (folds, error, fast_seconds + fold_seconds),
    }


def study(name, make_case, n_draws, widths) -> list[dict]:
    """One row per criterion."""
    draws = [
        [one_width(case, width) for width in widths] for case in map(make_case, range(n_draws))
    ]
    rows = []
    for criterion in draws[0][0]:
        figures = np.array([[width[criterion] for width in draw] for draw in draws])
        score, error, seconds = np.moveaxis(figures, -1, 0)
        chosen = error[np.arange(n_draws), score.argmax(axis=1)].mean()
        rows.append({
            "set": name,
            "criterion": criterion,
            "error": chosen,
            "of_best_width": chosen / error.mean(axis=0).min(),
            "of_best_per_draw": chosen / error.min(axis=1).mean(),
            "seconds": float(np.median(seconds.sum(axis=1))),
        })  # fmt: skip
    return rows


def table(rows) -> str:
    header = ["set", "criterion", "error", "relative to the best width", "to the best per draw"]
    forms = {"error": ".4g", "of_best_width": ".3f", "of_best_per_draw": ".3f", "seconds": ".2f"}
    cells = [
        [row["set"], row["criterion"], *(format(row[key], form) for key, form in forms.items())]
        for row in rows
    ]
    return markdown([*header, "seconds"], cells)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one set, two draws, three widths")
    parser.add_argument("--out", type=Path, default=Path("results"))
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore", ConvergenceWarning)
    sets = dict(list(SETS.items())[:1]) if options.quick else SETS
    rows = []
    for name, make_case in sets.items():
        try:
            rows += study(
                name, make_case, 2 if options.quick else 20, WIDTHS[:: 4 if options.quick else 1]
            )
        except MissingDataError as missing:
            print(f"left out: {name} {missing}")
        print(name, "done", flush=True)
    write(options.out, "model_choice", rows, table(rows))


if __name__ == "__main__":
    main()
