"""What every kernel centred on rows can do, and what it takes from the data: centres and widths."""

from __future__ import annotations

import numbers
from abc import abstractmethod
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone

from sparsebayes._parameters import is_word
from sparsebayes.basis.basis import Basis
from sparsebayes.columns import (
    Columns,
    Formula,
    FreeEffects,
    FreeParameters,
    FreeScale,
    Inputs,
    dense_if_small,
    spread,
)
from sparsebayes.columns.geometry import input_moments, input_slices
from sparsebayes.model.given import refuse_masked
from sparsebayes.rows import Data, equal_rows, merged, one_for_equal


@dataclass(frozen=True)
class CentreBudget:
    """How many distinct training rows are centres where the user leaves it open.

    Parameters
    ----------
    all_rows : up to this many rows, all are centres: their kernel matrix takes 128 MB
    kernel_values : with more rows, the kernel matrix holds this many values, 160 MB, as long as the
        number of centres stays between the next two
    fewest : the number of centres stays above this, since too few cannot follow the data
    most : the number of centres stays below this, since the work grows with its square
    """

    all_rows: int = 4000
    kernel_values: int = 2 * 10**7
    fewest: int = 1000
    most: int = 2000


DEFAULT_BUDGET = CentreBudget()


def distinct_rows(inputs: Inputs, weight: np.ndarray) -> np.ndarray:
    """Indices of the distinct rows of positive weight, ordered by the rows' values.

    A row that occurs twice would give two equal columns, each with a prior of its own, so that
    weighting a row would differ from repeating it.
    """
    candidates = np.flatnonzero(weight > 0)
    chosen = dense_if_small(inputs[candidates])
    if issparse(chosen):
        first = _first_of_sparse(chosen)
    else:
        first = equal_rows(chosen, np.empty((0, len(chosen)))).first
    return candidates[first]


def distinct_inputs(inputs: Inputs, weight: np.ndarray) -> tuple[Inputs, np.ndarray]:
    """The distinct rows of positive weight, and the sum of the weights of each.

    Their order is their own. So what is found from them is the same for rows in any order,
    repeated or weighted, and with one weight for all, to the last digit.
    """
    used = np.flatnonzero(weight > 0)
    rows = merged(Data(inputs[used], np.zeros(len(used)), one_for_equal(weight[used])))
    return rows.inputs, rows.weight


def automatic_number(n_rows: int, budget: CentreBudget = DEFAULT_BUDGET) -> int:
    """The number of rows that serve as centres by default, of `n_rows` distinct ones."""
    if n_rows <= budget.all_rows:
        return n_rows
    return int(np.clip(budget.kernel_values // n_rows, budget.fewest, budget.most))


def _first_of_sparse(rows: Any) -> np.ndarray:
    """Indices of the first row of each value (n,), ordered by their stored bytes."""
    rows = rows.tocsr().copy()
    rows.sum_duplicates()
    rows.eliminate_zeros()
    first: dict[tuple[bytes, bytes], int] = {}
    for i, (start, stop) in enumerate(pairwise(rows.indptr)):
        key = rows.indices[start:stop].tobytes(), rows.data[start:stop].tobytes()
        first.setdefault(key, i)
    return np.array([first[key] for key in sorted(first)], dtype=np.intp)


# A variance below this has no reciprocal.
SMALLEST_VARIANCE = 1e-290


def squared_width(inputs: Inputs, weight: np.ndarray) -> float:
    """n_features times the variance of all inputs, as in gamma="scale" of SVC; 1 if that is 0.

    Rows count by their weight, so that a weight of two equals the row twice.
    """
    mean, variance = input_moments(inputs, weight / weight.sum())
    apart = mean - mean[0]
    whole = float(np.sum(variance + (apart - apart.mean()) ** 2))
    return whole if whole > len(mean) * rounding_variance(mean).max() else 1.0


def input_variances(inputs: Inputs, weight: np.ndarray) -> np.ndarray:
    """Variance of each input (n_features,), each row counted by its weight.

    A constant input has 0; if all inputs are constant, each has 1.
    """
    mean, variance = input_moments(inputs, weight / weight.sum())
    least = np.maximum(rounding_variance(mean), SMALLEST_VARIANCE)
    variance = np.where(variance > least, variance, 0.0)
    return variance if variance.any() else np.ones_like(variance)


def rounding_variance(mean: np.ndarray) -> np.ndarray:
    """The variance of values that differ by no more than their rounding (n_features,)."""
    return (np.finfo(float).eps * mean) ** 2


def mean_squares(inputs: Inputs, weight: np.ndarray) -> np.ndarray:
    """Mean square of each input (n_features,), each row counted by its weight."""
    share = weight / weight.sum()
    if issparse(inputs):
        return np.asarray(share @ inputs.multiply(inputs)).ravel()
    parts = input_slices(inputs.shape[1])
    return np.concatenate([share @ inputs[:, part] ** 2 for part in parts])


class Kernel(Basis):
    """A function of an input and a centre. No Mercer condition is asked for.

    The centres are the distinct training rows of positive weight, in an order that does not depend
    on the order of the rows. If `centres` is a number, at most this many are centres, evenly spaced
    in that order. If `centres` is an array, its points are the centres.
    """

    centres: Any

    @classmethod
    def from_svm_parameters(cls, gamma: Any, degree: Any, coef0: Any, centres: Any) -> Kernel:
        """The kernel from those parameters of SVR and SVC that its constructor has."""
        known = {"gamma": gamma, "degree": degree, "coef0": coef0, "centres": centres}
        return cls(**{name: known[name] for name in cls._get_param_names() if name in known})

    @abstractmethod
    def formula(self, inputs: Inputs, weight: np.ndarray) -> Formula:
        """The kernel's formula, its parameters resolved from the data."""

    def lacks_constant(self, inputs: Any) -> bool:
        """Whether no column is a constant: yes, as each is a function of a centre."""
        return True

    def free_scale(
        self, inputs: Inputs, weight: np.ndarray
    ) -> FreeScale | FreeParameters | FreeEffects | None:
        """Which scales of the kernel are to be learned, if any."""
        return None

    def bind(self, inputs: Inputs, weight: np.ndarray) -> Columns:
        """One column per centre."""
        centres, centre_rows = self._find_centres(inputs, weight)
        inputs, weight = distinct_inputs(inputs, weight)
        return Columns(
            self.formula(inputs, weight),
            centres,
            centre_rows,
            type(self).__name__.lower(),
            self.free_scale(inputs, weight),
            self.positive_definite,
        )

    def _find_centres(self, inputs: Inputs, weight: np.ndarray) -> tuple[Inputs, np.ndarray]:
        """The centres and their training rows, or their positions if they were given."""
        if not self._on_rows():
            centres = self._given_centres(inputs)
            return centres, np.arange(centres.shape[0])
        distinct = distinct_rows(inputs, weight)
        rows = spread(distinct, self._number_of_centres(len(distinct)))
        return inputs[rows], rows

    def n_centres(self, n_rows: int) -> int:
        """How many centres there are in n_rows different rows."""
        if self._on_rows():
            return self._number_of_centres(n_rows)
        return (np.shape(self.centres) or (0,))[0]

    def bind_sample(
        self, inputs: Inputs, weight: np.ndarray, numbers: np.ndarray, n_rows: int
    ) -> Columns:
        """One column per centre, as many as all rows would have."""
        if not self._on_rows():
            return self.bind(inputs, weight)
        whole = clone(self).set_params(centres=self.n_centres(n_rows))
        columns = whole.bind(inputs, weight)
        return replace(columns, centre_rows=numbers[columns.centre_rows])

    def _on_rows(self) -> bool:
        """Whether the centres are training rows, and not points that were given."""
        number = isinstance(self.centres, numbers.Integral) and not isinstance(self.centres, bool)
        return self.centres is None or is_word(self.centres, "auto") or number

    def _number_of_centres(self, n_rows: int) -> int:
        """The largest number of distinct rows that are centres."""
        if self.centres is None:
            return n_rows
        if is_word(self.centres, "auto"):
            return automatic_number(n_rows)
        if self.centres < 1:
            raise ValueError(f"centres, if a number, must be 1 or more, got {self.centres!r}.")
        return int(self.centres)

    def _given_centres(self, inputs: Inputs) -> Inputs:
        centres = self.centres
        refuse_masked(centres=centres)
        if not issparse(centres):
            try:
                centres = np.asarray(centres, dtype=np.float64)
            except (TypeError, ValueError) as error:
                raise ValueError(
                    'centres must be "auto", None, a number or an array of points, '
                    f"got {centres!r}."
                ) from error
        elif not self.accepts_sparse:
            centres = centres.toarray()
        if not np.isfinite(centres.data if issparse(centres) else centres).all():
            raise ValueError(
                f"centres of {type(self).__name__} must be finite, got NaN or infinity."
            )
        if centres.ndim != 2 or centres.shape[1] != inputs.shape[1] or not centres.shape[0]:
            raise ValueError(
                f"centres of {type(self).__name__} must be an array of shape (n_centres, "
                f"{inputs.shape[1]}), as X has {inputs.shape[1]} features; got {centres.shape}."
            )
        return centres
