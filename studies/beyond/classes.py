"""Three and more classes: accuracy, log loss, calibration, vectors and seconds against peers.

Run as `python -m benchmarks.classes [--quick] [--sets iris wine ...] [--out results]`. Widths of
kernels (and C) are chosen by 3-fold cross-validation on the log loss, for every method that has
one. U.S.P.S. is read from usps.h5 in the folder that the environment variable SPARSEBAYES_DATA
names, and fitted at one width.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from benchmarks.cases import Case, standardised
from benchmarks.speed.measure import markdown, write
from sparsebayes import RVC
from sparsebayes.reproduce import data

try:
    import fastrvm
except ImportError:  # `make bench` installs it
    fastrvm = None

WIDTHS = (0.1, 0.3, 1.0, 3.0)
# Training rows of each set; the rest is for testing.
SETS = {
    "iris": (lambda: load_iris(return_X_y=True), 90),
    "wine": (lambda: load_wine(return_X_y=True), 107),
    "digits": (lambda: load_digits(return_X_y=True), 1000),
    "vowel": (data.vowel, 594),
    "satimage": (data.satimage, 1000),
}
USPS_WIDTH = 3.0


def load(name: str, seed: int) -> Case:
    read, n_train = SETS[name]
    X, y = read()
    parts = train_test_split(X, y, train_size=n_train, random_state=seed, stratify=y)
    X, X_test, y, y_test = parts
    return standardised(name, "classification", X, y, X_test, y_test)


def methods(case: Case) -> dict:
    """What is compared, each with a grid to choose from."""
    width = {"gamma": [case.gamma(relative) for relative in WIDTHS]}
    strength = {"C": [0.1, 1.0, 10.0, 100.0]}
    shared = RVC(multi_class="multinomial", shared_precision=True)
    makers = {
        "RVC, multinomial": (RVC(multi_class="multinomial"), width),
        "RVC, shared precision": (shared, width),
        "RVC, one against rest": (RVC(), width),
        "SVC, Platt": (SVC(probability=True, random_state=0), width | strength),
        "logistic regression": (LogisticRegression(max_iter=5000), strength),
    }
    if fastrvm is not None:
        grid = {f"estimator__{name}": values for name, values in width.items()}
        makers["fastrvm, one against rest"] = OneVsRestClassifier(fastrvm.RVC()), grid
    if len(case.y) <= 150:
        variational = RVC(inference="variational")
        makers["RVC, one against rest, variational"] = variational, width
        makers["GPC"] = GaussianProcessClassifier(random_state=0), {}
    return makers


def calibration_error(probability, label, n_bins=10) -> float:
    """Mean gap of confidence and accuracy over bins of the confidence."""
    confidence, hit = probability.max(axis=1), probability.argmax(axis=1) == label
    bins = np.minimum((confidence * n_bins).astype(int), n_bins - 1)
    gaps = [
        np.mean(bins == k) * abs(hit[bins == k].mean() - confidence[bins == k].mean())
        for k in np.unique(bins)
    ]
    return float(np.sum(gaps))


def n_vectors(model) -> int | None:
    """Distinct rows that the model is made of."""
    for name in ("relevance_", "support_"):
        if hasattr(model, name):
            return len(getattr(model, name))
    if hasattr(model, "estimators_") and hasattr(model.estimators_[0], "relevance_"):
        return len(np.unique(np.concatenate([each.relevance_ for each in model.estimators_])))
    return None


def measure(case: Case, name: str, model, grid: dict) -> dict:
    """Choose, refit, time and test one method."""
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    if grid:
        search = GridSearchCV(model, grid, scoring="neg_log_loss", cv=folds, refit=False)
        model = model.set_params(**search.fit(case.X, case.y).best_params_)
    start = time.perf_counter()
    model.fit(case.X, case.y)
    fitted = time.perf_counter()
    probability = model.predict_proba(case.X_test)
    predicted = time.perf_counter()
    label = np.searchsorted(model.classes_, case.y_test)
    return {
        "set": case.name,
        "method": name,
        "error": 100 * float(np.mean(probability.argmax(axis=1) != label)),
        "log_loss": float(log_loss(label, probability, labels=np.arange(len(model.classes_)))),
        "calibration": calibration_error(probability, label),
        "vectors": n_vectors(model),
        "fit_seconds": fitted - start,
        "predict_seconds": predicted - fitted,
    }


def usps_rows() -> list[dict]:
    """[T01] 4.4: Gaussian kernel, 7291 training and 2007 test rows, one width."""
    *train, X_test, y_test = data.usps()
    case = Case("usps", "classification", *train, X_test, y_test, y_test)
    gamma = USPS_WIDTH / (case.X.shape[1] * case.X.var())
    kinds = {
        "RVC, one against rest": RVC(gamma=gamma, n_jobs=2),
        "RVC, multinomial": RVC(gamma=gamma, multi_class="multinomial"),
        "RVC, shared precision": RVC(gamma=gamma, multi_class="multinomial", shared_precision=True),
        "SVC, C = 10, Platt": SVC(gamma=gamma, C=10.0, probability=True, random_state=0),
    }
    return [measure(case, name, model, {}) for name, model in kinds.items()]


def average(rows: list[dict]) -> list[dict]:
    """Means over draws."""
    groups: dict[tuple, list[dict]] = {}
    for row in rows:
        groups.setdefault((row["set"], row["method"]), []).append(row)
    result = []
    for (name, method), group in groups.items():
        keys = [key for key in group[0] if key not in ("set", "method")]
        means = {k: None if group[0][k] is None else np.mean([r[k] for r in group]) for k in keys}
        result.append({"set": name, "method": method, **means})
    return result


def table(rows: list[dict]) -> str:
    header = ["set", "method", "error, %", "log loss", "calibration error", "vectors", "fit, s"]
    cells = [
        [
            row["set"],
            row["method"],
            f"{row['error']:.2f}",
            f"{row['log_loss']:.4f}",
            f"{row['calibration']:.3f}",
            "-" if row["vectors"] is None else f"{row['vectors']:.0f}",
            f"{row['fit_seconds']:.2f}",
            f"{row['predict_seconds']:.3f}",
        ]
        for row in average(rows)
    ]
    return markdown([*header, "predict, s"], cells)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="iris, one draw")
    parser.add_argument("--sets", nargs="+", default=[*SETS, "usps"])
    parser.add_argument("--out", type=Path, default=Path("results"))
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    rows = []
    for name in ["iris"] if options.quick else options.sets:
        n_draws = 1 if options.quick or name not in ("iris", "wine") else 10
        try:
            if name == "usps":
                rows += usps_rows()
            for seed in range(n_draws if name in SETS else 0):
                case = load(name, seed)
                rows += [measure(case, kind, *each) for kind, each in methods(case).items()]
        except data.MissingDataError as missing:
            print(f"left out: {name} {missing}")
        print(name, "done", flush=True)
    write(options.out, "classes", rows, table(rows))


if __name__ == "__main__":
    main()
