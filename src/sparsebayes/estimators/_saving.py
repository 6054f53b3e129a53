"""Fitted estimators as plain models, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from sparsebayes import basis as recipes
from sparsebayes.basis import RECIPES, Sum
from sparsebayes.columns import (
    CentresAndWidths,
    Columns,
    Formula,
    FreeEffects,
    FreeScale,
    JoinedColumns,
    SeveralWidths,
    as_plain,
)
from sparsebayes.estimators._asked import asked_of
from sparsebayes.estimators._fitted import Fitted
from sparsebayes.estimators._former import FORMER
from sparsebayes.estimators._vetting import vet
from sparsebayes.hyperpriors import Gamma
from sparsebayes.inference import INFERENCES
from sparsebayes.inference.state import Step
from sparsebayes.model import (
    ModelFileError,
    NotPortableError,
    PortableClassifier,
    PortableModel,
    PortableRegressor,
)
from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.model.coding import Reader, Writer, parts_of
from sparsebayes.model.face import Face
from sparsebayes.model.files import NOT_A_MODEL
from sparsebayes.model.latent import Plain
from sparsebayes.model.predictor import Predictor
from sparsebayes.model.responses import RESPONSES, Quadrature
from sparsebayes.model.spread import Spread
from sparsebayes.targets import OF_CLASSES, OF_NUMBERS

TARGETS: tuple[Any, ...] = (*OF_NUMBERS, *OF_CLASSES)
# What a file of an estimator may hold, besides `FORMER`. The names are part of files, so they stay.
RECORDS: dict[str, Any] = {
    each.__name__: each
    for each in (
        *(Columns, JoinedColumns, Formula, SeveralWidths, CentresAndWidths, FreeScale),
        FreeEffects,
        *(Predictor, Plain, Spread, *RESPONSES, Quadrature),
        *(likelihood for kind in TARGETS for likelihood in kind.likelihoods),
        *(Gamma, Sum, *INFERENCES.values()),
        *(getattr(recipes, name) for name in RECIPES if name != "Basis"),
    )
}
KINDS = ("RVR", "RVC", "SparseBayesRegressor", "SparseBayesClassifier")
FOUND = ("n_features_in_", "feature_names_in_", "classes_", "_given_sparse")


@without_numpy_errors
def portable_model(estimator: Any, whole: bool = False) -> PortableModel:
    """A fitted estimator as plain arrays.

    Parameters
    ----------
    whole : whether it is an error if the estimator itself cannot be held by a file, or be fitted
    """
    model = estimator._model
    if model.of_complex:
        raise NotPortableError(
            "a model of complex numbers cannot be saved or exported yet: its `coef_` is all of "
            "it. Use joblib.dump for the estimator."
        )
    if whole:
        asked_of(estimator)  # a parameter that was set after the fit comes up now
    plain, response = plain_parts(model.predictor, estimator.n_features_in_)
    face, source = _face(estimator, model), _source(estimator, model, whole)
    if hasattr(estimator, "classes_"):
        classes = estimator.classes_
        return PortableClassifier(plain, response, face, classes, source=source)
    return PortableRegressor(plain, response, face, source=source)


def plain_parts(predictor: Predictor, n_features: int) -> tuple[Plain, Any]:
    """What gives latent values of so many inputs, and the response, as plain arrays."""
    response = predictor.response.of_plain(lambda plain: as_plain(plain, n_features))
    return as_plain(predictor.plain, n_features), response


def _face(estimator: Any, model: Fitted) -> Face:
    from sparsebayes import __version__

    names = getattr(estimator, "feature_names_in_", None)
    about = {
        "sparsebayes": __version__,
        "outcome": model.outcome,
        "log_evidence": float(model.log_evidence),
        "n_relevance": len(estimator.relevance_),
    }
    return Face(
        type(estimator).__name__,
        int(estimator.n_features_in_),
        None if names is None else tuple(map(str, names)),
        bool(model.squeezed),
        about,
    )


def _source(estimator: Any, model: Fitted, whole: bool) -> tuple[Any, list[np.ndarray]] | None:
    """The estimator as JSON and arrays."""
    name = type(estimator).__name__
    if name not in KINDS or not type(estimator).__module__.startswith("sparsebayes."):
        if whole:
            raise NotPortableError(
                f"{name} is a class of yours, which no file without pickle can hold: save an "
                f"{', '.join(KINDS)}, or use joblib.dump."
            )
        return None
    if any(kind.formula.definition.by_object for kind in model.columns.kinds):
        return None  # what predicts is a kernel of ours; the object itself no file can hold
    parts = parts_of(model)
    parts["likelihood"] = model.target.learned
    parts["histories"] = [np.array(each, dtype=np.float64) for each in model.histories]
    found = {key: getattr(estimator, key) for key in FOUND if hasattr(estimator, key)}
    writer = Writer(RECORDS)
    try:
        tree = {
            "class": name,
            "parameters": _trees(writer, estimator.get_params(deep=False), name),
            "found": _trees(writer, found, name),
            "fitted": _trees(writer, parts, name),
        }
    except NotPortableError:
        if whole:
            raise
        return None
    return tree, writer.arrays


def _trees(writer: Writer, parts: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: writer.tree(value, f"{key} of {name}") for key, value in parts.items()}


@without_numpy_errors
def estimator_of(model: PortableModel) -> Any:
    """The fitted estimator that a plain model is of."""
    from sparsebayes import estimators

    if model.source is None:
        raise NotPortableError(
            "this model was written without its estimator, which has parts that no file can hold; "
            "it predicts as it is."
        )
    tree, arrays = model.source
    known: dict[str, Any] = {**RECORDS, **FORMER}
    reader = Reader(known, arrays, _sparse)
    try:
        kind = getattr(estimators, KINDS[KINDS.index(tree["class"])])
        estimator = kind(**_values(reader, tree["parameters"]))
        parts = _values(reader, tree["fitted"])
        parts["likelihood"] = parts.get("likelihood") or kind._targets[0].likelihoods[0]()
        parts["histories"] = [[_step(row) for row in each] for each in parts["histories"]]
        fitted = Fitted(**parts)
        estimator._record(_values(reader, tree["found"]), fitted)
        vet(estimator, fitted, model, plain_parts)
    except NOT_A_MODEL as error:
        raise ModelFileError(f"the file does not hold an estimator: {error}.") from error
    return estimator


def _values(reader: Reader, trees: dict[str, Any]) -> dict[str, Any]:
    return {str(name): reader.value(tree) for name, tree in trees.items()}


def _step(row: np.ndarray) -> Step:
    evidence, n_active, *others = map(float, row)
    return Step(evidence, int(n_active), *others)


def _sparse(data: np.ndarray, indices: np.ndarray, indptr: np.ndarray, shape: tuple) -> csr_matrix:
    matrix = csr_matrix((data, indices, indptr), shape=shape)
    matrix.check_format()
    return matrix
