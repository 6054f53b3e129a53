"""Values of y, and numbers of rows beside them, such as weights: their checks."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
from sklearn.utils import column_or_1d
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import _check_sample_weight

from sparsebayes._parameters import LARGEST, SMALLEST
from sparsebayes.model.given import first_wrong
from sparsebayes.problem import LEAST_SPREAD
from sparsebayes.rows import Data, Weighed, are_counts, effective_factor, one_for_equal, weighed


def numbers_of_rows(name: str, values: Any, n_rows: int, otherwise: str = "") -> np.ndarray:
    """Numbers that `fit` was given for each row (n_rows,).

    Parameters
    ----------
    name : of the argument
    otherwise : what to do instead, for the error
    """
    found = np.asarray(values, dtype=np.float64)
    if found.shape != (n_rows,):
        raise ValueError(
            f"{name} of fit must be an array of shape ({n_rows},), one number for each row of X, "
            f"got the shape {found.shape}.{otherwise}"
        )
    return found


def numeric_target(name: str, y: Any) -> Any:
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
            f"y of {name} must hold numbers, got '{found[1]}' among others; a "
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


def checked_exposure(exposure: Any, n_rows: int) -> np.ndarray:
    """Logarithms of positive numbers (n_rows,)."""
    values = numbers_of_rows("exposure", exposure, n_rows)
    wrong = np.flatnonzero(~((values > 1e-100) & (values < 1e100)))
    if len(wrong):
        raise ValueError(
            f"exposure of fit must hold positive finite numbers, got {values[wrong[0]]} in row "
            f"{wrong[0]}. Leave out rows without exposure."
        )
    return np.log(values)


def is_constant(y: np.ndarray) -> np.ndarray:
    """Whether each output is a constant that is not zero, up to rounding."""
    size = np.abs(y).max(axis=0)
    return np.ptp(y, axis=0) <= LEAST_SPREAD * size


def warn_of_column() -> None:
    """Warn as scikit-learn does of a target that is a column."""
    column_or_1d(np.zeros((2, 1)), warn=True)


def is_lazy(collection: Any) -> bool:
    """Whether this is an array or a frame of Dask. Dask is not imported to find out."""
    return type(collection).__module__.split(".")[0] in ("dask", "dask_expr")


# A weight is a number of rows. One below the least is no row, and beyond the most a single row more
# is lost in rounding.
LEAST_WEIGHT, MOST_WEIGHT = 1e-12, 1e12
# A factor of weights that is as near to one as this is not worth a word.
NEAR = 0.05


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


def with_class_weight(weight: np.ndarray, factor: np.ndarray) -> np.ndarray:
    """Weights of rows times those of their classes; one weight for all rows is none, exactly."""
    plain, used = np.zeros_like(weight), weight > 0.0
    plain[used] = one_for_equal(weight[used])
    return _check_weight("class_weight", plain * factor)


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


def class_weights(class_weight: Any, labels: np.ndarray, n_rows: np.ndarray) -> np.ndarray | None:
    """How often a row of each label counts (n_labels,), as `class_weight` says; None for once.

    Parameters
    ----------
    n_rows : how many rows have each label (n_labels,)
    """
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        return n_rows.sum() / (len(labels) * n_rows)
    return np.asarray(compute_sample_weight(class_weight, labels), dtype=np.float64)


def weighed_classes(own: Data, weight: np.ndarray) -> Weighed:
    """The different rows of classes, their weights numbers of observations.

    Weights of classes do not count while scales are learned, as a few rows would decide on these.

    Parameters
    ----------
    own : of positive weight, without the weights of classes
    weight : of the rows, with those of their classes (n,)
    """
    found = weighed(own._replace(weight=weight), density=False)
    if np.array_equal(one_for_equal(weight), one_for_equal(own.weight)):
        return found
    plain = weighed(own, density=False)
    return found._replace(learning=plain.data.weight if plain.learning is None else plain.learning)


def scaled_counts(weight: np.ndarray) -> np.ndarray:
    """Weights as numbers of observations (n,): integers as they are, others scaled, and told."""
    used = weight[weight > 0.0]
    if are_counts(used):
        return weight
    factor = effective_factor(used)
    tell_factor(factor, factor * float(used.sum()), numeric=True)
    return weight * factor


def tell_factor(factor: float, total: float, numeric: bool) -> None:
    """Warn of weights that are no numbers of rows, and were scaled.

    Parameters
    ----------
    factor : of the weights
    total : the sum of the weights that are used
    numeric : whether targets are numbers, whose noise may be known
    """
    if abs(np.log(factor)) <= NEAR:
        return
    known = " If they are 1 / sigma^2, pass fit(X, y, noise_std=sigma) instead."
    warnings.warn(
        f"sample_weight was multiplied by {factor:.4g}. Weights that are not all integers say how "
        "much rows count beside each other, and not how many there are. They now sum to "
        f"{total:.6g}, (sum w)^2 / sum w^2: so many rows of equal weight say as much."
        f"{known if numeric else ''}",
        stacklevel=_frames_to_the_caller(),
    )


def _frames_to_the_caller() -> int:
    """How many frames are between `tell_factor` and the line that called the estimator."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and _is_inside(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    return level


def _is_inside(module: str) -> bool:
    """Whether a module is ours, or scikit-learn's that calls callbacks around a fit."""
    return module.startswith(("sparsebayes.", "sklearn.callback"))
