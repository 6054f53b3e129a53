"""Whether weights of rows look like numbers of rows, as which a fit takes them."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import _num_samples

from sparsebayes.estimators._checks import LEAST_WEIGHT, MOST_WEIGHT
from sparsebayes.estimators._many_rows import is_lazy
from sparsebayes.rows import Look

# Weights that sum to more than this many times the number of rows, or to less than that part of it,
# are hardly meant to count them. Importances of mean one, such as those of a survey or of a change
# of density, stay far within it. At the limit, error bars are wrong by a factor of 1.7, which is
# more than a fit of a hundred rows leaves open; 1 / sigma^2 and weights that sum to one are mostly
# beyond it by far.
MOST_PER_ROW = 3.0


class Miscount(NamedTuple):
    """Weights that do not look like numbers of rows.

    Attributes
    ----------
    n_rows : that have a positive weight
    total : the sum of their weights
    numeric : whether targets are numbers, whose noise may be known
    """

    n_rows: int
    total: float
    numeric: bool

    def __str__(self) -> str:
        sums = f"sums to {self.total:.6g} over {self.n_rows} rows of positive weight"
        return f"sample_weight {sums}"

    @property
    def advice(self) -> str:
        """What is odd, and what to do."""
        known = "If they are 1 / sigma^2, pass fit(X, y, noise_std=sigma) instead. "
        return (
            f"{self}, and weights count rows: a weight of two is the row twice. "
            f"{known if self.numeric else ''}If they are relative importances, normalise them to "
            "sum to the number of rows: divide them by their mean."
        )


def miscount(sample_weight: Any, X: Any, numeric: bool) -> Miscount | None:
    """What is odd about weights in memory; those that are refused are left to other checks."""
    if sample_weight is None or is_lazy(sample_weight):
        return None
    weight = np.asarray(sample_weight)
    if weight.dtype.kind != "f" or (is_lazy(X) and not weight.ndim):
        return None
    weight = weight if weight.ndim else np.full(_num_samples(X), weight)
    if not (weight <= MOST_WEIGHT).all():
        return None
    used = weight[weight >= LEAST_WEIGHT].astype(np.float64)
    return _judged(len(used), float(used.sum()), used, numeric)


def miscount_of_look(look: Look, numeric: bool) -> Miscount | None:
    """The same of rows that come in blocks, a sample of which says whether weights are integers."""
    return _judged(look.n_rows, look.weight, look.sample.data.weight, numeric)


def _judged(n_rows: int, total: float, some: np.ndarray, numeric: bool) -> Miscount | None:
    if n_rows / MOST_PER_ROW <= total <= n_rows * MOST_PER_ROW or (some == np.floor(some)).all():
        return None
    return Miscount(n_rows, total, numeric)


def warn_of(found: Miscount | None, stacklevel: int) -> None:
    """Warn of weights that do not look like numbers of rows.

    Parameters
    ----------
    stacklevel : of the caller, as `warnings.warn` counts it there
    """
    if found is not None:
        warnings.warn(found.advice, stacklevel=stacklevel + 1)
