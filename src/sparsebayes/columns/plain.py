"""Columns as plain arrays, which files and exports hold."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse

from sparsebayes.columns.formulas import Formula
from sparsebayes.columns.geometry import Inputs
from sparsebayes.columns.joined import AnyColumns
from sparsebayes.model import NotPortableError
from sparsebayes.model.columns import PlainColumns


def plain_columns(
    columns: AnyColumns, n_features: int
) -> tuple[tuple[PlainColumns, ...], np.ndarray]:
    """The columns by formula and width, and where each of them stood before (m,)."""
    found, order, start = [], [np.empty(0, dtype=np.intp)], 0
    for kind in columns.kinds:
        for formula, items, here in kind.formula.by_width(kind.items):
            if len(here):
                found.append(_plain(formula, items, n_features))
                order.append(start + here)
        start += kind.n_columns
    return tuple(found), np.concatenate(order)


def _plain(formula: Formula, items: Inputs, n_features: int) -> PlainColumns:
    formula = formula.named
    if formula.definition.by_object:
        raise NotPortableError(
            f"the kernel {formula.function} has no formula that a file or an export can hold. One "
            "kernel alone has: RBF, Matern with nu=0.5, 1.5 or 2.5, RationalQuadratic with "
            "alpha=1 fixed, DotProduct or a whole power of it. Use one of these, or joblib.dump."
        )
    if callable(formula.function):
        name = getattr(formula.function, "__name__", type(formula.function).__name__)
        raise NotPortableError(
            f"the columns are made by {name!r}, a function of yours, which cannot be "
            "written as numbers. Use a kernel of sparsebayes, or joblib.dump, which stores a "
            "function by its name."
        )
    name, parameters = formula.definition.plain_name or formula.name, dict(formula.options)
    for option, kind in (("coef0", float), ("variance", float), ("degree", int)):
        if option in parameters:
            parameters[option] = kind(parameters[option])
    if formula.gamma is not None:
        parameters["gamma"] = np.broadcast_to(formula.gamma, n_features).astype(np.float64)
    if name == "linear":
        parameters.setdefault("gamma", np.ones(n_features))
        parameters.setdefault("middle", np.zeros(n_features))
    if name == "precomputed":
        parameters.setdefault("variance", 1.0)
    items = items.toarray() if issparse(items) else np.asarray(items)
    number = np.int64 if items.dtype.kind in "iub" else np.float64
    return PlainColumns(name, items.astype(number), parameters)
