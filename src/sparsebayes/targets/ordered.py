"""Targets that are classes which have an order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from sparsebayes.inference.inference import Inference
from sparsebayes.inference.state import Fit
from sparsebayes.likelihoods import CumulativeLogit, Ordinal
from sparsebayes.model.responses import OrderedClasses
from sparsebayes.targets.classes import Classes
from sparsebayes.targets.rows import RowsInBlocks, RowsInMemory
from sparsebayes.targets.target import Coded, Given, Number

MOST_SHOWN = 6


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


@dataclass(frozen=True)
class Ordered(Classes):
    """Classes that have an order, told apart by cut points.

    Parameters
    ----------
    order : of the classes, once y is known
    """

    order: Order | None = None

    name = "ordinal"
    likelihoods = (Ordinal, CumulativeLogit)
    usual = False
    finds = cuts = True

    def told(self, given: Given) -> tuple[Self, Given]:
        """The target with the order of its classes."""
        target, given = super().told(given)
        return replace(target, order=order_of(self.likelihood, given.y)), given

    def obstacle(self, y: Any) -> str | None:
        """Why rows cannot come in blocks."""
        return 'likelihood="ordinal" needs all rows in memory'

    def read(self, rows: RowsInMemory | RowsInBlocks, centres: bool) -> Coded:
        """Rows as a fit takes them: places of classes in their order."""
        coded = self._coded(rows, centres)
        assert coded.classes is not None, "labels have classes"
        assert self.order is not None, "it was told of y"
        place = self.order.places(self.given.name, coded.classes)
        target = place[coded.data.target.astype(np.intp)].astype(np.float64)
        return coded._replace(
            data=coded.data._replace(target=target),
            likelihood=CumulativeLogit(len(place)),
            learning=None,
            place=place,
        )

    def response(self, fits: list[Fit], coded: Coded, inference: Inference) -> OrderedClasses:
        """Probabilities between cut points."""
        found: Any = fits[0].problem.likelihood
        assert coded.place is not None, "classes have a place each"
        return OrderedClasses(found.cut_points, coded.place)

    def words(self, number: Number) -> str:
        """The cut points."""
        cuts = ", ".join(number(float(each)) for each in self.likelihood.cut_points[:MOST_SHOWN])
        return f"classes in an order, cut at {cuts}"
