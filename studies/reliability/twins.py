"""A model in another form: from a file, of dense rows for sparse ones, without weights."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.base import clone

from sparsebayes import NotPortableError, Outcome, load
from studies.reliability.cases import COUNTS

# What forms of a model may differ by: means and error bars in spreads of y, and relative to
# themselves; probabilities. Two fits are compared at the same bounds.
GAP = 1e-6
# Digits that an offset of y leaves, and a variance that is a difference of larger ones.
OF_MEAN, OF_STD, TINY = 1e-12, 1e-7, 1e-300
# How many times its last digit a value of a kernel may be off: it can be a power of a sum.
OF_KERNEL = 4.0
# Outcomes that say that digits are lost.
TOLD = (Outcome.OUT_OF_RANGE, Outcome.ILL_CONDITIONED)
# Outcomes of fits that rounding alone could lead to another end.
UNDECIDED = (*TOLD, Outcome.NOISE_VANISHED, Outcome.STALLED)


def best_of(estimator: Any) -> Any:
    """The fitted model of a search, or the estimator itself."""
    return getattr(estimator, "best_estimator_", estimator)


def differences(estimator: Any, table: Any) -> list[str]:
    """What another form of a fitted estimator says otherwise."""
    findings = _of_files(estimator, table)
    if getattr(estimator, "kernel", None) != "precomputed":
        findings += _of_storage(estimator, table)
    if _weights_are_equal(best_of(estimator), table.weight):
        twin = clone(estimator).fit(table.X, table.y)
        findings += _of_fits("without the equal weights", estimator, twin, table.X, table.X, table)
    return findings


def _weights_are_equal(model: Any, weight: Any) -> bool:
    """Whether there is one weight for all rows, which is no precision and no exposure."""
    own = getattr(model, "noise_std", None) is not None or model.likelihood in COUNTS
    return weight is not None and np.ptp(weight) == 0.0 and not own


def _of_files(estimator: Any, table: Any) -> list[str]:
    """The file, and the estimator that it gives back."""
    model = best_of(estimator)
    try:
        written = _written(model)
    except NotPortableError:
        return []
    plain = load(BytesIO(written))
    again = plain.to_estimator()
    findings = []
    if _written(model) != written:
        findings.append("a file is not the same bytes twice")
    X = table.X
    if not _same(says(again, X), says(model, X)):
        findings.append("the estimator of a file differs")
    if model.outcome_ in TOLD:
        return findings
    return findings + _gaps("a file", model, says(plain, X), says(model, X), table)


def _written(model: Any) -> bytes:
    file = BytesIO()
    model.save(file)
    return file.getvalue()


def _of_storage(estimator: Any, table: Any) -> list[str]:
    """Rows asked in the other storage, and a fit of sparse rows beside that of dense ones."""
    model = best_of(estimator)
    try:
        other = table.X.toarray() if issparse(table.X) else csr_array(np.asarray(table.X, float))
        asked = says(model, other)
    except (TypeError, ValueError):  # columns that take dense rows only
        return []
    findings = []
    if model.outcome_ not in TOLD:
        name = "asked with dense rows" if issparse(table.X) else "asked with sparse rows"
        findings = _gaps(name, model, asked, says(model, table.X), table)
    if issparse(table.X):
        twin = clone(estimator).fit(other, table.y, sample_weight=table.weight)
        findings += _of_fits("fitted to dense rows", estimator, twin, table.X, other, table)
    return findings


def _of_fits(name: str, one: Any, other: Any, X: Any, other_X: Any, table: Any) -> list[str]:
    """What two fits say of the same rows, unless rounding decides how they end."""
    if {best_of(one).outcome_, best_of(other).outcome_} & set(UNDECIDED):
        return []
    return _gaps(name, best_of(one), says(best_of(other), other_X), says(best_of(one), X), table)


def says(model: Any, X: Any) -> dict[str, np.ndarray]:
    """What a model says of rows."""
    if hasattr(model, "predict_proba"):
        return {"probability": model.predict_proba(X)}
    mean, std = model.predict(X, return_std=True)
    return {"mean": mean, "std": std}


def _same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one)


def _gaps(
    name: str, model: Any, one: dict[str, np.ndarray], other: dict[str, np.ndarray], table: Any
) -> list[str]:
    """Which numbers are farther apart than their digits allow."""
    vanished = model.outcome_ is Outcome.NOISE_VANISHED
    findings = []
    for what, value in other.items():
        allowed = _allowed(what, value, table.y, vanished)
        if what == "std":
            allowed = allowed + rounding_of_std(model, table.X, value)
        excess = np.max(np.abs(one[what] - value) / allowed, initial=0.0)
        if not excess <= 1.0:
            findings.append(f"{name}: {what} differs by {GAP * excess:.1g}")
    return findings


def rounding_of_std(model: Any, X: Any, std: np.ndarray) -> np.ndarray:
    """What rounding alone may change of error bars (n,) or (n, k), to first order.

    The variance of a process given its data is a (k(x, x) - |v|^2) + |root'v|^2 with v = R phi.
    The terms of v are known to some eps |R| |phi|, and k(x, x) to some eps.
    """
    try:
        spread = model.to_portable().plain.spread
    except NotPortableError:
        return np.zeros_like(std)
    if spread.amplitude is None:
        return np.zeros_like(std)
    rows = X.toarray() if issparse(X) else np.asarray(X, float)
    error = np.zeros((len(rows), spread.amplitude.shape[1]))
    v, of_v = [], []
    for columns, white, own in zip(spread.columns, spread.whiteners, spread.amplitude, strict=True):
        phi = columns.evaluate(rows)
        v.append(phi if white is None else phi @ white.T)
        of_v.append(np.abs(phi) if white is None else np.abs(phi) @ np.abs(white).T)
        if white is not None:
            squares = 2.0 * np.sum(np.abs(v[-1]) * of_v[-1], axis=1)
            error += (columns.variance(rows) + squares)[:, None] * own
    known = [np.hstack(v) @ root for root in spread.roots]
    of_known = [np.hstack(of_v) @ np.abs(root) for root in spread.roots]
    pairs = zip(known, of_known, strict=True)
    error += np.stack([2.0 * np.sum(np.abs(a) * b, axis=1) for a, b in pairs], axis=1)
    variance = (error[:, spread.process] * spread.factor).reshape(std.shape)
    return OF_KERNEL * np.finfo(float).eps * variance / (2.0 * std)


def _allowed(what: str, value: np.ndarray, y: np.ndarray, vanished: bool) -> Any:
    """The gap that these numbers may have.

    A process that passes through the targets is as large as they are, and its variance at a row is
    a difference of such numbers.
    """
    if what == "probability":
        return GAP
    spread, largest = np.std(y, axis=0), np.abs(y).max()
    if what == "mean":
        apart = np.abs(value - np.mean(y, axis=0))
        return GAP * (spread + apart) + OF_MEAN * largest + TINY
    return GAP * value + OF_STD * (largest if vanished else spread) + TINY
