"""Estimators that somebody else made: they answer whatever is asked, or they are refused.

A checksum tells a damaged file and not a forged one. What a file says of an estimator is checked
as `fit` checks parameters, held beside the plain model of the same file, and tried.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from sparsebayes.basis import Basis
from sparsebayes.columns import Columns
from sparsebayes.estimators._asked import asked_of
from sparsebayes.estimators._fitted import Fitted
from sparsebayes.inference import Outcome
from sparsebayes.likelihoods import Likelihood
from sparsebayes.model import PortableModel
from sparsebayes.model.arrays import NOT_FINITE
from sparsebayes.model.columns import n_columns
from sparsebayes.model.latent import Plain
from sparsebayes.model.predictor import Predictor
from sparsebayes.model.response import Response
from sparsebayes.model.spread import Spread

# Fields of a record of a fit that are numbers or words.
PLAIN_FIELDS = {
    "log_evidence": float,
    "lower_bound": float,
    "n_precisions": int,
    "squeezed": bool,
    "of_complex": bool,
}
# What estimators are asked to try them.
OF_CLASSES: dict[str, dict[str, bool]] = {
    "predict": {},
    "predict_log_proba": {},
    "decision_function": {},
}
OF_NUMBERS: dict[str, dict[str, bool]] = {"predict": {"return_std": True}, "predict_quantiles": {}}


def vet(
    estimator: Any,
    fitted: Fitted,
    model: PortableModel,
    convert: Callable[[Predictor, int], tuple[Plain, Any]],
) -> None:
    """An error unless an estimator that was read is one that a fit can leave behind.

    Parameters
    ----------
    fitted : what the fit left, which the estimator has
    model : the plain model that was read beside it
    convert : (predictor, number of inputs) -> its latent values and response as plain arrays
    """
    n_features = model.n_features_in_
    _check_parts(fitted)
    fitted.predictor.check(n_features)
    _check_record(fitted, n_features)
    _check_found(estimator, model)
    asked_of(estimator)
    estimator._check_inputs(n_features)
    if fitted.columns.n_columns != n_columns(model.plain.columns):
        raise ValueError("the estimator has other columns than its model")
    plain, response = convert(fitted.predictor, n_features)
    replace(model, plain=plain, response=response)  # which is checked as it is made
    if _form(plain) != _form(model.plain) or type(response) is not type(model.response):
        raise ValueError("the estimator is not that of its model")
    _try(estimator, n_features)


def _check_parts(fitted: Fitted) -> None:
    """An error unless parts are of the kinds that they have to be."""
    plain = fitted.predictor.plain
    parts = (
        *((fitted.predictor, Predictor), (fitted.basis, Basis), (fitted.likelihood, Likelihood)),
        *((plain, Plain), (plain.spread, Spread), (plain.posterior, Spread)),
        (fitted.predictor.response, Response),
        *((each, Columns) for each in _kinds(plain)),
    )
    if not all(isinstance(part, kind) for part, kind in parts):
        raise TypeError("a part of the estimator is another thing")


def _kinds(plain: Plain) -> tuple[Any, ...]:
    """All columns of latent values."""
    return (*plain.columns, *(plain.spread.columns or ()))


def _check_record(fitted: Fitted, n_features: int) -> None:
    """An error unless the numbers of a fit go with its columns."""
    (m, k), outcome = fitted.predictor.plain.weights.shape, fitted.outcome
    for name, kind in PLAIN_FIELDS.items():
        if type(getattr(fitted, name)) is not kind:
            raise TypeError(f"{name} must be of type {kind.__name__}")
    if fitted.of_complex or not isinstance(outcome, str) or outcome not in Outcome.__members__:
        raise ValueError("the fit has no outcome")
    if fitted.relevant.shape != (m,) or fitted.relevant.dtype.kind != "b":
        raise ValueError("it is not said which columns pay")
    if fitted.weight_precision.shape not in ((m,), (m, k)) or fitted.missed.ndim != 1:
        raise ValueError("precisions do not go with the columns")
    for each in (fitted.input_relevance, fitted.inclusion):
        if each is not None and each.shape != (n_features,):
            raise ValueError("a number of each input is missing")
    if not isinstance(fitted.basis.accepts_sparse, bool) or not all(map(len, fitted.histories)):
        raise ValueError("the fit has no history")


def _check_found(estimator: Any, model: PortableModel) -> None:
    """An error unless inputs and classes are those of the model."""
    names = getattr(estimator, "feature_names_in_", None)
    classes, told = (getattr(each, "classes_", np.empty(0)) for each in (estimator, model))
    if (
        type(estimator.n_features_in_) is not int
        or estimator.n_features_in_ != model.n_features_in_
    ):
        raise ValueError("the estimator has other inputs than its model")
    if names is not None and (names.dtype != object or not all(isinstance(n, str) for n in names)):
        raise ValueError("names of inputs must be texts")
    if names is not None and names.shape != (model.n_features_in_,):
        raise ValueError("there is not a name for each input")
    if not np.array_equal(classes, told):
        raise ValueError("the estimator has other classes than its model")


def _form(value: Any) -> Any:
    """What two values of one form have in common: kinds, shapes and words, but no numbers."""
    if isinstance(value, np.ndarray):
        return value.shape
    if is_dataclass(value):
        return type(value), [_form(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, dict):
        return {name: _form(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [_form(each) for each in value]
    return value if isinstance(value, str) else type(value)


def _try(estimator: Any, n_features: int) -> None:
    """An error where a prediction or an attribute raises one that a fitted estimator never does."""
    shell, rows = copy(estimator), np.zeros((2, n_features))
    vars(shell).pop("feature_names_in_", None)
    questions = dict(OF_CLASSES if is_classifier(shell) else OF_NUMBERS)
    if shell._model.predictor.plain.spread.covers:
        questions["novelty"] = {}
    for name, options in questions.items():
        if hasattr(shell, name):
            _ask(getattr(shell, name), rows, options)
    for name in dir(type(shell)):
        if name.endswith("_") and isinstance(getattr(type(shell), name), property):
            hasattr(shell, name)


def _ask(method: Any, rows: np.ndarray, options: dict[str, bool]) -> None:
    """Ask for predictions of rows, at which the columns of a model may be infinite."""
    try:
        found = method(rows, **options)
    except ValueError as error:
        if str(error) != NOT_FINITE:
            raise
        return
    for each in found if isinstance(found, tuple) else (found,):
        if each.dtype.kind == "f" and not np.isfinite(each).all():
            raise ValueError("a prediction of the estimator is not finite")
