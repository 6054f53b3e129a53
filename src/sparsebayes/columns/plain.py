"""Columns as plain arrays, which files and exports hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import issparse

from sparsebayes.columns.columns import Columns
from sparsebayes.columns.effects import EffectScales
from sparsebayes.columns.formulas import Formula
from sparsebayes.columns.geometry import Inputs
from sparsebayes.model import NotPortableError
from sparsebayes.model.columns import PlainColumns
from sparsebayes.model.latent import Plain


class PlainParts(NamedTuple):
    """Columns by formula and width.

    Attributes
    ----------
    columns : of one formula and width each
    order : where each column stood before (m,)
    kind : the number of the kind that each of `columns` is from
    """

    columns: tuple[PlainColumns, ...]
    order: np.ndarray
    kind: np.ndarray


def plain_columns(kinds: Sequence[Columns], n_features: int) -> PlainParts:
    """Columns of several kinds as plain arrays."""
    found, order, numbers, start = [], [np.empty(0, dtype=np.intp)], [], 0
    for number, kind in enumerate(kinds):
        for formula, items, here in kind.formula.by_width(kind.items):
            if len(here):
                found.append(_plain(formula, items, n_features))
                order.append(start + here)
                numbers.append(number)
        start += kind.n_columns
    return PlainParts(tuple(found), np.concatenate(order), np.array(numbers, dtype=np.intp))


def as_plain(latent: Plain, n_features: int) -> Plain:
    """What gives latent values of so many inputs, with plain columns and without draws."""
    columns, order, _ = plain_columns(latent.columns, n_features)
    spread = replace(latent.spread, between=None, together=False)
    if spread.columns is None or spread.amplitude is None:
        spread = spread.of_columns(order)
    else:
        own, place, kind = plain_columns(spread.columns, n_features)
        white = tuple(spread.whiteners[k] for k in kind)
        amplitude = spread.amplitude[kind]
        spread = replace(
            spread.of_columns(place), columns=own, whiteners=white, amplitude=amplitude
        )
    return Plain(columns, np.ascontiguousarray(latent.weights[order]), spread)


def _plain(formula: Formula, items: Inputs, n_features: int) -> PlainColumns:
    formula = formula.named
    if formula.definition.by_object:
        raise NotPortableError(
            f"the kernel {formula.function} has no formula that a file or an export can hold. One "
            "kernel alone has: RBF, Matern with nu=0.5, 1.5 or 2.5, RationalQuadratic with "
            "alpha=1 fixed, ExpSineSquared, DotProduct or a whole power of it. Use one of these, "
            "or joblib.dump."
        )
    if callable(formula.function):
        name = getattr(formula.function, "__name__", type(formula.function).__name__)
        raise NotPortableError(
            f"the columns are made by {name!r}, a function of yours, which cannot be "
            "written as numbers. Use a kernel of sparsebayes, or joblib.dump, which stores a "
            "function by its name."
        )
    name, parameters = formula.definition.plain_name or formula.name, dict(formula.options)
    for option, kind in (("coef0", float), ("variance", float), ("depth", float), ("degree", int)):
        if option in parameters:
            parameters[option] = kind(parameters[option])
    if name == "effects":
        found = EffectScales.of(formula.gamma)
        parameters |= found._asdict()
    elif formula.gamma is not None:
        parameters["gamma"] = np.broadcast_to(formula.gamma, n_features).astype(np.float64)
    if name == "linear":
        parameters.setdefault("gamma", np.ones(n_features))
        parameters.setdefault("middle", np.zeros(n_features))
    if name == "precomputed":
        parameters.setdefault("variance", 1.0)
    items = items.toarray() if issparse(items) else np.asarray(items)
    number = np.int64 if items.dtype.kind in "iub" else np.float64
    return PlainColumns(name, items.astype(number), parameters)
