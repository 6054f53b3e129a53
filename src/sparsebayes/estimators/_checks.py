"""Checks of what users pass, with errors that say what was given and what was expected."""

from __future__ import annotations

import numbers

import numpy as np
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import _check_sample_weight, validate_data

from sparsebayes._parameters import is_number
from sparsebayes.hyperpriors import BROAD, FLAT, Gamma, broad
from sparsebayes.inference import INFERENCES

# A fit to what a dense model says, by "fast".
PROJECTION = "projection"
NAMES = (*INFERENCES, PROJECTION)
MOST_FIDELITY = 1e12
# Squares of numbers within these bounds neither underflow nor overflow.
SMALLEST, LARGEST = 1e-75, 1e75


def check_settings(estimator) -> None:
    """The parameters that all estimators share."""
    if not isinstance(estimator.inference, str) or estimator.inference not in NAMES:
        names = ", ".join(map(repr, NAMES))
        raise ValueError(f"inference must be one of {names}, got {estimator.inference!r}.")
    _check_number(estimator, "max_iter", numbers.Integral, 1)
    _check_number(estimator, "tol", numbers.Real, 0)
    _check_number(estimator, "min_gain", numbers.Real, 0)
    if estimator.min_gain > 0 and estimator.inference not in ("fast", PROJECTION):
        raise ValueError(
            f'min_gain needs inference="fast" or "projection", got '
            f"min_gain={estimator.min_gain!r} with inference={estimator.inference!r}."
        )
    _check_projection(estimator)
    _check_number(estimator, "cache_size", numbers.Real, 0)
    check_flag(estimator, "warm_start")
    if not isinstance(estimator.verbose, numbers.Integral) or estimator.verbose < 0:
        raise ValueError(f"verbose must be an integer of 0 or more, got {estimator.verbose!r}.")


def _check_projection(estimator) -> None:
    """`fidelity`, and that the dense model is given nothing it has no place for."""
    fidelity = estimator.fidelity
    if not is_number(fidelity) or not 0.0 < float(fidelity) <= MOST_FIDELITY:
        raise ValueError(
            f"fidelity must be a positive number up to {MOST_FIDELITY:g}, got {fidelity!r}."
        )
    if estimator.inference != PROJECTION:
        return
    for name in ("weight_hyperprior", "noise_hyperprior"):
        value = getattr(estimator, name, None)
        if value is not None:
            raise ValueError(
                f'{name}={value!r} cannot be had with inference="projection", whose precisions are '
                'those of a dense model: leave it out, or use inference="fast".'
            )


def check_flag(estimator, name: str) -> None:
    """An error unless the parameter is True or False."""
    value = getattr(estimator, name)
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {value!r}.")


def _check_number(estimator, name, kind, least) -> None:
    value = getattr(estimator, name)
    if isinstance(value, bool) or not isinstance(value, kind) or not value >= least:
        what = "an integer" if kind is numbers.Integral else "a number"
        raise ValueError(f"{name} must be {what} of {least} or more, got {value!r}.")


def check_noise_std(noise_std) -> None:
    """`noise_std` of a regressor."""
    if noise_std is None:
        return
    if not is_number(noise_std) or not SMALLEST < float(noise_std) < LARGEST:
        raise ValueError(
            f"noise_std must be None, to estimate it, or a positive number between {SMALLEST} and "
            f"{LARGEST}, got {noise_std!r}."
        )


def hyperprior(estimator, name: str, unit: float) -> Gamma:
    """The hyperprior of this name; for None flat, or broad where it must be proper.

    Parameters
    ----------
    unit : the size of targets, in which a broad one is given
    """
    value, proper = getattr(estimator, name, None), estimator.inference == "variational"
    if value is None:
        return broad(unit) if proper else FLAT
    if not isinstance(value, Gamma):
        default = f"Gamma({BROAD}, {BROAD} * variance of y)" if proper else "flat"
        raise ValueError(f"{name} must be None ({default}) or a Gamma(shape, rate), got {value!r}.")
    if proper and not value.is_proper:
        raise ValueError(
            f'{name} must have a positive shape and a positive rate with inference="variational", '
            f"as its bound is infinite otherwise; got {value!r}."
        )
    return value


def numeric_target(estimator, y):
    """y as floats where it holds numbers or booleans; an error where it holds text."""
    values = np.asarray(y)
    if values.dtype.kind not in "USOmM" or y is None:
        return y if values.dtype.kind != "b" else values.astype(np.float64)
    try:
        if values.dtype.kind in "mM":
            raise TypeError(values.dtype)
        return values.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"y of {type(estimator).__name__} must hold numbers, got '{values.ravel()[0]}' among "
            "others; a classifier takes class labels."
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


def _refuse_lazy_frame(X) -> None:
    if hasattr(X, "collect") and hasattr(X, "lazy"):
        raise TypeError("X is a lazy frame, expected data in memory: call X.collect() first.")


def training_inputs(estimator, X, y, accept_sparse: bool, **kwargs):
    """X and y as scikit-learn validates them, X in double precision."""
    _refuse_lazy_frame(X)
    return validate_data(
        estimator,
        X,
        y,
        dtype=np.float64,
        accept_sparse="csr" if accept_sparse else False,
        ensure_min_samples=2,
        **kwargs,
    )


def training_weight(sample_weight, X) -> np.ndarray:
    """One weight per row, none negative, not all zero."""
    return _check_weight("sample_weight", _check_sample_weight(sample_weight, X, dtype=np.float64))


def with_class_weight(weight: np.ndarray, class_weight, y) -> np.ndarray:
    """Weights of rows times those of their classes."""
    if class_weight is None:
        return weight
    return _check_weight("class_weight", weight * compute_sample_weight(class_weight, y))


def _check_weight(name: str, weight: np.ndarray) -> np.ndarray:
    if not np.isfinite(weight).all():
        raise ValueError(f"{name} must be finite.")
    if (weight < 0).any():
        raise ValueError(f"{name} must not be negative, the smallest is {weight.min()}.")
    if not weight.any():
        raise ValueError(f"{name} is zero for all rows; expected a positive weight for some.")
    return weight


def new_inputs(estimator, X):
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
    _refuse_lazy_frame(X)
    return validate_data(
        estimator,
        X,
        dtype=np.float64,
        accept_sparse="csr" if estimator._accepts_sparse else False,
        reset=False,
    )
