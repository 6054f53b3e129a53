"""Classes that have an order, told apart by cut points on one latent value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, log_expit, logit

from sparsebayes._parameters import Tunable
from sparsebayes.likelihoods.likelihood import (
    NONE_FREE,
    Likelihood,
    LikelihoodParameters,
    Quadratic,
)

# Cut points of the shares of classes are farther apart where a latent value tells classes apart.
FIRST_STRETCH = 1.5
# How far the first cut point may go from where it starts, and the least and largest gap. In the
# middle of the largest another class has a probability of half a percent. Where classes can be told
# apart without error, latent values and gaps would grow without end.
REACH, LEAST_GAP, MOST_GAP = 30.0, 1e-6, 12.0


@dataclass(repr=False, eq=False)
class Ordinal(Tunable):
    """Classes that have an order, such as low, medium, high.

    One latent function f(x) and cut points between the classes, which are learned:
    ``p(class <= k) = sigmoid(cut_k - f)``. This is the cumulative logit, or proportional odds.

    Parameters
    ----------
    order : sequence of labels, default=None
        All classes, the lowest first. None takes the order of numbers, or that of an ordered
        categorical of pandas. Other labels need it.

    See Also
    --------
    RVC : Takes it as `likelihood`.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/other_targets.html

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import RVC, Ordinal
    >>> X = np.linspace(0, 6, 60)[:, None]
    >>> y = np.array(["low", "medium", "high"])[np.arange(60) // 20]
    >>> y[[18, 22, 38, 42]] = "medium", "low", "high", "medium"
    >>> model = RVC(likelihood=Ordinal(order=("low", "medium", "high"))).fit(X, y)
    >>> print(model.predict([[0.0], [3.0], [6.0]]))
    ['low' 'medium' 'high']
    >>> len(model.likelihood_.cut_points)
    2
    """

    order: Any = None

    @property
    def labels(self) -> list[Any]:
        """The order as a list of plain labels."""
        return np.asarray(self.order, dtype=object).tolist()

    def check(self) -> None:
        """An error unless the order has two labels or more, each of them once."""
        if self.order is None:
            return
        sequence = isinstance(self.order, list | tuple) or hasattr(self.order, "tolist")
        labels = self.labels if sequence else []
        if len(labels) < 2 or len(set(labels)) < len(labels):
            raise ValueError(
                "order of Ordinal must be None or a list of two labels or more, the lowest first, "
                f"each of them once; got {self.order!r}."
            )


@dataclass(frozen=True)
class CumulativeLogit(Likelihood):
    """p(t <= k | f) = sigmoid(cut_k - f), for classes coded 0 to K - 1 in their order.

    With a = cut_t - f and b = cut_{t-1} - f the probability of class t is a product,

        sigmoid(a) - sigmoid(b) = sigmoid(a) sigmoid(-b) (1 - exp(b - a)),

    so that its logarithm is a sum of those of two classes each, and concave.

    Parameters
    ----------
    n_classes : int
    cut_points : ascending (K - 1,); None to find them
    """

    n_classes: int
    cut_points: np.ndarray | None = None

    called = "classes in an order"
    may_be_narrow = True

    @property
    def cuts(self) -> np.ndarray:
        """The cut points, with infinity at both ends (K + 1,)."""
        assert self.cut_points is not None, "cut points are to be found"
        return np.concatenate([[-np.inf], self.cut_points, [np.inf]])

    @property
    def n_free(self) -> int:
        """All cut points, or none."""
        return 0 if self.cut_points is not None else self.n_classes - 1

    def free(self, target: np.ndarray, weight: np.ndarray) -> LikelihoodParameters:
        """The first cut point, and the logarithms of the gaps to the next ones; unless given."""
        if not self.n_free:
            return NONE_FREE
        rows = np.bincount(target.astype(np.intp), weight, self.n_classes)
        share = np.cumsum(rows + 0.5)[:-1] / np.sum(rows + 0.5)
        cuts = FIRST_STRETCH * logit(share)
        gaps = np.log(np.clip(np.diff(cuts), 2.0 * LEAST_GAP, 0.5 * MOST_GAP))
        own = [[cuts[0] - REACH, cuts[0] + REACH]]
        limits = own + [[np.log(LEAST_GAP), np.log(MOST_GAP)]] * len(gaps)
        return LikelihoodParameters(np.append(cuts[:1], gaps), np.array(limits))

    def at(self, parameters: np.ndarray) -> CumulativeLogit:
        """With cut points."""
        if self.cut_points is not None:
            return self
        steps = np.append(parameters[:1], np.exp(parameters[1:]))
        return CumulativeLogit(self.n_classes, np.cumsum(steps))

    def _sides(
        self, target: np.ndarray, latent: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The distances to the cut point above, a, and below, b, and their gap."""
        code, cuts = target.astype(np.intp), self.cuts
        above, below = cuts[code + 1], cuts[code]
        return above - latent, below - latent, above - below

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """Slope sigmoid(b) - sigmoid(-a), curvature the sum of both slopes of the sigmoid."""
        above, below, gap = self._sides(target, latent)
        value = log_expit(above) + log_expit(-below) + np.log(-np.expm1(-gap))
        slope = expit(below) - expit(-above)
        return Quadratic(value, slope, _bell(above) + _bell(below))

    def curvature_slope(self, target: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """The sum of y (1 - y) (1 - 2y) of both sides, with their signs."""
        above, below, _ = self._sides(target, latent)
        return _bell(above) * np.tanh(0.5 * above) + _bell(below) * np.tanh(0.5 * below)


def _bell(distance: np.ndarray) -> np.ndarray:
    """The slope of the sigmoid, y (1 - y)."""
    return expit(distance) * expit(-distance)
