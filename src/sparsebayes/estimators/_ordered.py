"""Classes that have an order."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sparsebayes.columns import AnyColumns, constant_columns
from sparsebayes.estimators._fitting import fit_problem
from sparsebayes.estimators._progress import FitReport
from sparsebayes.inference.state import Fit
from sparsebayes.likelihoods import CumulativeLogit, Ordinal
from sparsebayes.model.responses import OrderedClasses
from sparsebayes.problem import Problem
from sparsebayes.rows import Data


class Order(NamedTuple):
    """The order of classes, the lowest first; None for that of numbers."""

    labels: list[Any] | None

    def places(self, name: str, classes: np.ndarray) -> np.ndarray:
        """The place of each of the classes in the order (n_classes,).

        An error for texts whose order is not known: by their letters, "high" is below "low".
        """
        if self.labels is None and classes.dtype.kind in "biuf":
            return np.arange(len(classes))
        if self.labels is None:
            raise ValueError(
                f"the order of classes such as {classes.tolist()[0]!r} is not known: give it, the "
                'lowest first, as in likelihood=Ordinal(order=("low", "medium", "high")), or pass '
                "y as an ordered categorical of pandas."
            )
        rank = {label: place for place, label in enumerate(self.labels)}
        unknown = [label for label in classes.tolist() if label not in rank]
        if unknown:
            raise ValueError(
                f"y of {name} has the class {unknown[0]!r}, which is not in the order of the "
                f"classes: {self.labels!r}. Add it there."
            )
        return np.argsort(np.argsort([rank[label] for label in classes.tolist()]))


def order_of(likelihood: Ordinal, y: Any) -> Order:
    """The order that was given, that of an ordered categorical of pandas, or that of numbers."""
    if likelihood.order is not None:
        return Order(likelihood.labels)
    if getattr(y, "ndim", 1) == 2 and hasattr(y, "iloc") and y.shape[1] == 1:
        y = y.iloc[:, 0]
    kind: Any = getattr(y, "dtype", None)
    return Order(list(kind.categories) if getattr(kind, "ordered", False) else None)


def fit_ordered(
    estimator: Any, data: Data, columns: AnyColumns, place: np.ndarray, report: FitReport
) -> tuple[list[Fit], OrderedClasses]:
    """Fit and response of classes in an order.

    A constant among the columns is left out, since cut points are as good.

    Parameters
    ----------
    data : with the numbers of classes as targets
    place : of each class in the order (n_classes,)
    """
    placed = data._replace(target=place[data.target.astype(np.intp)].astype(np.float64))
    moving = np.flatnonzero(~constant_columns(columns))
    columns = columns.keep(moving) if len(moving) else columns
    likelihood = CumulativeLogit(len(place))
    problem = Problem(placed, columns, likelihood, cache_size=estimator.cache_size)
    fits = fit_problem(estimator, problem, report)
    found: Any = fits[0].problem.likelihood
    return fits, OrderedClasses(found.cut_points, place)
