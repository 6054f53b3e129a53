"""What is wrong with a fit, if anything: a list of words, empty for a good one."""

from __future__ import annotations

import pickle
import re
import time
import traceback
import warnings
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning

from sparsebayes import Outcome
from studies.reliability.cases import Case
from studies.reliability.twins import differences

# Rows this far away, in units of the largest input.
FAR = 1e6
# What a subset of the rows may differ by from all of them, relative to the largest value, and of
# the noise.
SUBSET, OF_NOISE = 1e-7, 1e-5
# CPU seconds that a fit of up to 200 rows and 30 inputs may take; a search makes three fits.
MOST_SECONDS = 5.0
# What an error of a refused case must name.
ARGUMENTS = re.compile(
    r"\b(X|y|sample_weight|class_weight|kernel|basis|gamma|centres|noise_std|width|inference|"
    r"coef0|degree|multi_output|multi_class|inputs|Variational|Gamma|EM|Mackay|Fast|Projection|"
    r"likelihood)\b"
)
# Words of an argument that was wrong, and not of this package's doing; and of odd weights.
ALLOWED = (ConvergenceWarning, DataConversionWarning)
ODD_WEIGHTS = "sample_weight was multiplied"


class Checked(NamedTuple):
    """What was found out about a case."""

    findings: list[str]
    seconds: float
    refused: str


def check(case: Case) -> Checked:
    """Fit a case and look at everything that it says."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = _fit_and_look(case)
    leaked = {
        f"{each.category.__name__}: {each.message} ({_place(each)})"
        for each in caught
        if not issubclass(each.category, ALLOWED) and not str(each.message).startswith(ODD_WEIGHTS)
    }
    return found._replace(findings=[*found.findings, *sorted(leaked)])


def _place(warning: Any) -> str:
    return "/".join(warning.filename.split("/")[-2:]) + f":{warning.lineno}"


def _fit_and_look(case: Case) -> Checked:
    estimator, table = case
    before = _bytes_of(table)
    start = time.process_time()
    try:
        estimator.fit(table.X, table.y, sample_weight=table.weight)
    except ValueError as error:
        seconds, said = time.process_time() - start, str(error)
        findings = [] if ARGUMENTS.search(said) else [f"refused without a name: {said}"]
        return Checked(findings + _state_left(estimator), seconds, said)
    except Exception as error:
        return Checked([_traced("fit", error)], time.process_time() - start, "")
    seconds = time.process_time() - start
    most = MOST_SECONDS * (3 if hasattr(estimator, "best_estimator_") else 1)
    findings = [f"fit took {seconds:.1f} s"] if seconds > most else []
    if _bytes_of(table) != before:
        findings.append("the data were changed by fit")
    findings += _looked_at(estimator, table)
    findings += _in_other_forms(estimator, table)
    if _bytes_of(table) != before:
        findings.append("the data were changed by predict")
    return Checked(findings, seconds, "")


def _traced(what: str, error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{f.filename.split('/')[-1]}:{f.lineno}" for f in frames[::-1][:4])
    return f"{what}: {type(error).__name__}: {str(error)[:120]} at {where}"


def _bytes_of(table: Any) -> bytes:
    X = table.X
    stored = X.tocoo() if issparse(X) else None
    parts = (X,) if stored is None else (stored.row, stored.col, stored.data)
    return pickle.dumps((*parts, table.y, table.weight))


def _some(X: Any, n_rows: int) -> Any:
    """The first rows, of any storage."""
    return X.tocsr()[:n_rows] if issparse(X) else X[:n_rows]


def _in_other_forms(estimator: Any, table: Any) -> list[str]:
    try:
        return differences(estimator, table)
    except Exception as error:
        return [_traced("other forms", error)]


def _state_left(estimator: Any) -> list[str]:
    left = [name for name in vars(estimator) if name.endswith("_") or name == "_fitted"]
    return [f"a refused fit left {left}"] if left else []


def _looked_at(estimator: Any, table: Any) -> list[str]:
    findings = []
    for name, X in _places(estimator, table.X).items():
        try:
            findings += [f"{name}: {each}" for each in predictions(estimator, X)]
        except ValueError as error:
            if name == "training rows" or not ARGUMENTS.search(str(error)):
                findings.append(_traced(name, error))
        except Exception as error:
            findings.append(_traced(name, error))
    findings += _numbers_of(estimator) + _again(estimator, table)
    return findings


def _places(estimator: Any, X: Any) -> dict[str, Any]:
    """Training rows, zero, and rows far away."""
    if getattr(estimator, "kernel", None) == "precomputed":
        return {"training rows": X}
    largest = float(abs(X).max())
    ones = np.ones((1, X.shape[1]))
    return {
        "training rows": X,
        "zero": 0.0 * ones,
        "far away": np.vstack([ones, -ones]) * min(FAR * max(largest, 1.0), 1e300),
    }


def predictions(estimator: Any, X: Any) -> list[str]:
    """What is wrong with what a fitted estimator says at X."""
    if hasattr(estimator, "predict_proba"):
        return _of_classes(estimator, X)
    return _of_targets(estimator, X)


def _of_classes(estimator: Any, X: Any) -> list[str]:
    probability, score = estimator.predict_proba(X), estimator.decision_function(X)
    findings = _infinite(
        probability=probability, log=estimator.predict_log_proba(X), decision=score
    )
    if not np.allclose(probability.sum(axis=1), 1.0, rtol=0.0, atol=1e-9):
        findings.append("probabilities do not sum to one")
    labels = estimator.classes_[np.argmax(probability, axis=1)]
    top = probability.max(axis=1, keepdims=True)
    clear = np.sum(probability > top - 1e-9, axis=1) == 1
    if not np.array_equal(labels[clear], estimator.predict(X)[clear]):
        findings.append("predict is not the most probable class")
    return findings


def _of_targets(estimator: Any, X: Any) -> list[str]:
    mean, std = estimator.predict(X, return_std=True)
    quantiles = estimator.predict_quantiles(X)
    covariance = estimator.predict(_some(X, 3), return_cov=True)[1]
    findings = _infinite(
        mean=mean,
        std=std,
        quantiles=quantiles,
        sample=estimator.sample_y(X, 2),
        covariance=covariance,
    )
    noise = getattr(getattr(estimator, "best_estimator_", estimator), "noise_std_", 0.0)
    if np.any(std < np.asarray(noise) * (1.0 - 1e-9)):
        findings.append("std is below the noise")
    if np.any(np.diff(quantiles, axis=1) < 0.0):
        findings.append("quantiles are out of order")
    plain = estimator.predict(X)
    if np.abs(plain - mean).max() > SUBSET * max(np.abs(mean).max(), 1e-300):
        findings.append("predict differs with return_std")
    return findings


def _infinite(**values: np.ndarray) -> list[str]:
    return [f"{name} is not finite" for name, each in values.items() if not np.isfinite(each).all()]


# Precisions are infinite where a column is not in the model of a class, so they are not here.
NUMBERS = ("weights_", "log_evidence_", "noise_std_", "gamma_", "dual_coef_")


def _numbers_of(estimator: Any) -> list[str]:
    """Fitted attributes that are not finite."""
    best = getattr(estimator, "best_estimator_", estimator)
    found = {name: getattr(best, name) for name in NUMBERS if hasattr(best, name)}
    limit = [] if best.n_iter_ <= best.max_iter else ["n_iter_ is above max_iter"]
    return _infinite(**found) + limit + _read(best)


def _read(model: Any) -> list[str]:
    """Fitted attributes that raise something else than an AttributeError."""
    names = [name for name in dir(type(model)) if name.endswith("_") and name[0] != "_"]
    for name in names:
        try:
            getattr(model, name)
        except AttributeError:
            continue
        except Exception as error:
            return [_traced(name, error)]
    return []


def _small_forms(estimator: Any, X: Any) -> list[str]:
    """What is wrong with a model, which is changed, once its columns and its covering are few."""
    model = getattr(estimator, "best_estimator_", estimator)
    findings = []
    if hasattr(model, "covering_"):
        novelty = model.novelty(X)
        if not np.all((novelty >= 0.0) & (novelty <= 1.0)):
            findings.append("novelty is not between 0 and 1")
    for form in ("prune", "drop_covering"):
        found = predictions(getattr(model, form)(), X)
        findings += [f"after {form}: {each}" for each in found]
    return findings


def _again(estimator: Any, table: Any) -> list[str]:
    """A second fit, a pickle and a subset of the rows, each beside the fit."""
    say = "predict_proba" if hasattr(estimator, "predict_proba") else "predict"
    here = getattr(estimator, say)(table.X)
    twin = clone(estimator).fit(table.X, table.y, sample_weight=table.weight)
    loaded = pickle.loads(pickle.dumps(estimator))
    findings = []
    if not np.array_equal(getattr(twin, say)(table.X), here):
        findings.append("a second fit differs")
    if not np.array_equal(getattr(loaded, say)(table.X), here):
        findings.append("a pickle differs")
    findings += _small_forms(loaded, table.X)
    few = getattr(estimator, say)(_some(table.X, 2))
    model = getattr(estimator, "best_estimator_", estimator)
    allowed = SUBSET * np.abs(here).max() + OF_NOISE * np.max(getattr(model, "noise_std_", 0.0))
    told = model.outcome_ is Outcome.OUT_OF_RANGE
    if not told and np.abs(few - here[:2]).max() > max(allowed, 1e-300):
        findings.append("a subset of the rows differs")
    return findings
