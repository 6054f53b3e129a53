"""Checks of what users pass, with errors that say what was given and what was expected."""

from __future__ import annotations

import numbers
from copy import copy
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import _check_sample_weight, validate_data

from sparsebayes._parameters import LARGEST, SMALLEST, is_number, is_word
from sparsebayes.columns import as_stored
from sparsebayes.inference import INFERENCES
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.loop import Limits
from sparsebayes.model.given import as_numbers, first_wrong, refuse_masked
from sparsebayes.rows import largest_values

# The same of inputs, whose own units may be anything else.
SMALLEST_INPUT, LARGEST_INPUT = 1e-150, 1e150
# A weight is a number of rows. One below the least is no row, and beyond the most a single row more
# is lost in rounding.
LEAST_WEIGHT, MOST_WEIGHT = 1e-12, 1e12
# A given noise below this part of the targets is below their rounding.
LEAST_NOISE = 1e-15


def check_inference(value: Any) -> Inference:
    """The inference of this name, or the one that was given, its parameters checked."""
    if isinstance(value, str) and value in INFERENCES:
        return INFERENCES[value]()
    if not isinstance(value, Inference):
        names = ", ".join(map(repr, INFERENCES))
        kinds = ", ".join(f"{kind.__name__}()" for kind in INFERENCES.values())
        raise ValueError(f"inference must be one of {names}, or of {kinds}; got {value!r}.")
    value.check()
    return value


def check_limits(estimator: Any) -> Limits:
    """When a fit ends, from the parameters that all estimators share."""
    _check_number(estimator, "max_iter", numbers.Integral, 1)
    _check_number(estimator, "tol", numbers.Real, 0)
    _check_number(estimator, "cache_size", numbers.Real, 0)
    if not isinstance(estimator.verbose, numbers.Integral) or estimator.verbose < 0:
        raise ValueError(f"verbose must be an integer of 0 or more, got {estimator.verbose!r}.")
    return Limits(int(estimator.max_iter), float(estimator.tol))


def check_word(estimator: Any, name: str, words: tuple[str, ...]) -> None:
    """An error unless the parameter is one of these words."""
    value = getattr(estimator, name)
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, words))}, got {value!r}.")


def _check_number(estimator: Any, name: str, kind: type, least: float) -> None:
    value = getattr(estimator, name)
    if isinstance(value, bool) or not isinstance(value, kind) or not value >= least:  # type: ignore[operator]
        what = "an integer" if kind is numbers.Integral else "a number"
        raise ValueError(f"{name} must be {what} of {least} or more, got {value!r}.")


def check_noise_std(noise_std: Any) -> None:
    """An error unless it is None, "factor" or a number that can be squared."""
    if noise_std is None or is_word(noise_std, "factor"):
        return
    if not is_number(noise_std) or not SMALLEST < float(noise_std) < LARGEST:
        raise ValueError(
            "noise_std must be None, 'factor' or a positive number between "
            f"{SMALLEST} and {LARGEST}, got {noise_std!r}. None estimates it, unless fit is given "
            "that of each row; 'factor' estimates a factor of that of rows."
        )


def check_noise_beside(noise_std: float | None, y: np.ndarray) -> None:
    """An error where a given noise is below the rounding of the targets."""
    size = float(np.abs(y).max())
    if noise_std is not None and noise_std < LEAST_NOISE * size:
        raise ValueError(
            f"noise_std must be at least {LEAST_NOISE} of the size of y, below which doubles have "
            f"no digits; got noise_std={noise_std} with values of y up to {size}."
        )


def numbers_of_rows(name: str, values: Any, n_rows: int, otherwise: str = "") -> np.ndarray:
    """Numbers that `fit` was given for each row (n_rows,).

    Parameters
    ----------
    name : of the argument
    otherwise : what to do instead, for the error
    """
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} of fit must hold numbers, got {values!r}.") from error
    if found.shape != (n_rows,):
        raise ValueError(
            f"{name} of fit must be an array of shape ({n_rows},), one number for each row of X, "
            f"got the shape {found.shape}.{otherwise}"
        )
    return found


def numeric_target(estimator: Any, y: Any) -> Any:
    """y as floats where it holds numbers or booleans; an error where it holds other words."""
    values = np.asarray(y)
    if values.dtype.kind not in "USOmM" or y is None:
        return y if values.dtype.kind != "b" else values.astype(np.float64)
    try:
        if values.dtype.kind in "mM":
            raise TypeError(values.dtype)
        return values.astype(np.float64)
    except (TypeError, ValueError) as error:
        found = first_wrong(values.ravel()) or (0, values.ravel()[0])
        raise ValueError(
            f"y of {type(estimator).__name__} must hold numbers, got '{found[1]}' among others; a "
            "classifier takes class labels."
        ) from error


def check_target_size(y: np.ndarray) -> None:
    """An error where the squares of the targets would not be representable."""
    sizes = np.atleast_1d(np.abs(y).max(axis=0))
    for size in sizes[sizes > 0.0]:
        if not SMALLEST < size < LARGEST:
            raise ValueError(
                f"y must be zero or of a size between {SMALLEST} and {LARGEST}, got values up to "
                f"{size}. Please rescale y."
            )


def check_input_size(sizes: np.ndarray) -> None:
    """An error where the squares of an input, of this size at most, would not be representable."""
    wrong = np.flatnonzero((sizes > 0.0) & ~((sizes > SMALLEST_INPUT) & (sizes < LARGEST_INPUT)))
    if len(wrong):
        raise ValueError(
            f"a column of X must be zero or of a size between {SMALLEST_INPUT} and "
            f"{LARGEST_INPUT}, got values up to {sizes[wrong[0]]} in column {wrong[0]}. Please "
            "rescale X."
        )


def _refuse_lazy_frame(X: Any) -> None:
    if hasattr(X, "collect") and hasattr(X, "lazy"):
        raise TypeError("X is a lazy frame, expected data in memory: call X.collect() first.")


def training_data(estimator: Any, X: Any, y: Any, accept_sparse: bool, **kwargs: Any) -> tuple:
    """X and y as scikit-learn validates them, X as it is computed with, and what was found.

    What is found, such as the number of features, is set on a copy: a fit that fails must leave
    the estimator as it was.

    Returns
    -------
    X, y : validated
    found : attributes for the estimator, once it is fitted
    """
    _refuse_lazy_frame(X)
    checks = {"ensure_min_samples": 2, **_as_doubles(accept_sparse), **kwargs}
    shell = copy(estimator)
    X, y = as_numbers("X", X, lambda: validate_data(shell, X, y, **checks))
    form, X = given_form(X), as_stored(X)
    check_input_size(largest_values(X))
    names = ("n_features_in_", "feature_names_in_")
    found = {name: vars(shell)[name] for name in names if name in vars(shell)}
    return X, y, found | form


def given_form(X: Any) -> dict[str, bool]:
    """What the estimator is to know of the form of X: whether vectors are to be sparse."""
    return {"_given_sparse": True} if issparse(X) else {}


def training_weight(sample_weight: Any, X: Any, least: int = 1) -> np.ndarray:
    """One weight per row, none negative, not all zero; one that is next to nothing becomes zero.

    Parameters
    ----------
    least : how many rows must have a positive weight
    """
    given = np.ones(1) if sample_weight is None else np.asarray(sample_weight)
    if given.dtype.kind in "biuf" and given.size and not given.any():
        _refuse_no_weight("sample_weight")
    weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
    weight = _check_weight("sample_weight", weight)
    refuse_one_row(weight, least)
    return weight


def refuse_one_row(weight: np.ndarray, least: int = 2) -> None:
    """An error where only one row has a positive weight, and more are needed."""
    if 0 < np.count_nonzero(weight) < least:
        raise ValueError(
            "sample_weight is positive for one row, and nothing can be learned from one row: "
            "expected two or more."
        )


def class_factor(class_weight: Any, y: np.ndarray) -> np.ndarray:
    """How often a row counts by its class (n_samples,)."""
    return np.asarray(compute_sample_weight(class_weight, y), dtype=np.float64)


def with_class_weight(weight: np.ndarray, factor: np.ndarray) -> np.ndarray:
    """Weights of rows times those of their classes."""
    return _check_weight("class_weight", weight * factor)


def _refuse_no_weight(name: str) -> None:
    raise ValueError(f"{name} is zero for all rows; expected a positive weight for some.")


def _check_weight(name: str, weight: np.ndarray) -> np.ndarray:
    if not np.isfinite(weight).all():
        raise ValueError(f"{name} must be finite.")
    if (weight < 0).any():
        raise ValueError(f"{name} must not be negative, the smallest is {weight.min()}.")
    if not weight.any():
        _refuse_no_weight(name)
    check_weight_size(name, float(weight.max()))
    return np.where(weight < LEAST_WEIGHT, 0.0, weight)


def check_weight_size(name: str, largest: float) -> None:
    """An error where the largest weight is zero, or no number of rows."""
    if not largest > 0.0:
        _refuse_no_weight(name)
    if not LEAST_WEIGHT <= largest <= MOST_WEIGHT:
        raise ValueError(
            f"{name} counts rows: a weight of two is the row twice. Expected a largest weight "
            f"between {LEAST_WEIGHT} and {MOST_WEIGHT}, got {largest}. Please rescale {name}, so "
            "that it sums to about the number of rows."
        )


def new_inputs(estimator: Any, X: Any, accept_sparse: bool) -> Any:
    """X for a prediction. Plain finite arrays take a short way: validation costs 0.1 ms a call."""
    if (
        type(X) is np.ndarray
        and X.dtype == np.float64
        and X.ndim == 2
        and X.shape[0]
        and X.shape[1] == estimator.n_features_in_
        and not hasattr(estimator, "feature_names_in_")
        and np.isfinite(X).all()
    ):
        return X
    refuse_masked(X=X)
    _refuse_lazy_frame(X)
    checks = {"reset": False, **_as_doubles(accept_sparse)}
    return as_stored(as_numbers("X", X, lambda: validate_data(estimator, X, **checks)))


def _as_doubles(accept_sparse: bool) -> dict[str, Any]:
    """How scikit-learn is to check inputs."""
    return {"dtype": np.float64, "accept_sparse": "csr" if accept_sparse else False}
