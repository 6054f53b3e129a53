"""What the parameters of an estimator ask for, each checked once for a fit, and checks of data.

Errors say what was given and what was expected.
"""

from __future__ import annotations

import numbers
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import validate_data

from sparsebayes.basis import Basis, Bias
from sparsebayes.columns import as_stored
from sparsebayes.inference import INFERENCES
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.loop import Limits
from sparsebayes.model.given import NotTakenError, as_numbers, refuse_masked
from sparsebayes.targets import Target

# Squares of inputs of these sizes can be represented; their own units may be anything.
SMALLEST_INPUT, LARGEST_INPUT = 1e-150, 1e150


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
        raise NotTakenError("X is a lazy frame, expected data in memory: call X.collect() first.")


def training_data(estimator: Any, asked: Any, X: Any, y: Any, **kwargs: Any) -> tuple:
    """X and y as scikit-learn validates them, X as it is computed with, and what was found.

    What is found, such as the number of features, is set on a copy: a fit that fails must leave
    the estimator as it was. The copy knows what was `asked`, so that it is not asked again.

    Returns
    -------
    X, y : validated
    found : attributes for the estimator, once it is fitted
    """
    _refuse_lazy_frame(X)
    checks = {"ensure_min_samples": 2, **_as_doubles(asked.basis.accepts_sparse), **kwargs}
    shell = copy(estimator)
    shell._asked = asked
    X, y = as_numbers("X", X, lambda: validate_data(shell, X, y, **checks))
    form, X = given_form(X), as_stored(X)
    names = ("n_features_in_", "feature_names_in_")
    found = {name: vars(shell)[name] for name in names if name in vars(shell)}
    return X, y, found | form


def given_form(X: Any) -> dict[str, bool]:
    """What the estimator is to know of the form of X: whether vectors are to be sparse."""
    return {"_given_sparse": True} if issparse(X) else {}


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


def as_rows(estimator: Any, X: Any) -> Any:
    """Complex inputs of new rows as an array or a sparse matrix; an error for another shape."""
    refuse_masked(X=X)
    X = X if issparse(X) else np.asarray(X)
    if X.ndim != 2 or X.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"X must have shape (n_samples, {estimator.n_features_in_}), as "
            f"{type(estimator).__name__} was fitted; got {X.shape}."
        )
    return X


def _as_doubles(accept_sparse: bool) -> dict[str, Any]:
    """How scikit-learn is to check inputs."""
    return {"dtype": np.float64, "accept_sparse": "csr" if accept_sparse else False}


@dataclass(frozen=True)
class Asked:
    """What was asked for.

    Attributes
    ----------
    basis : as the parameters say
    inference : how columns and precisions are found
    inference_given : as the parameter says it, for errors
    limits : when a fit ends
    target : what y is to be
    completes : whether a basis without a constant is given a bias
    of_complex : whether rows are the real and the imaginary parts of complex ones
    """

    basis: Basis
    inference: Inference
    inference_given: Any
    limits: Limits
    target: Target
    completes: bool = False
    of_complex: bool = False

    def basis_over(self, inputs: Any) -> Basis:
        """The basis, with a bias if it is to have one.

        Parameters
        ----------
        inputs : of the training rows; None where they are not in memory
        """
        if self.completes and self.basis.lacks_constant(inputs):
            return self.basis + Bias()
        return self.basis


def asked_of(estimator: Any) -> Asked:
    """What an estimator is asked for; an error for a parameter that is wrong."""
    limits = check_limits(estimator)
    basis, completes = estimator._make_basis(), estimator._completes()
    inference = estimator._make_inference(basis)
    target = estimator._make_target(inference)
    return Asked(basis, inference, estimator.inference, limits, target, completes)
