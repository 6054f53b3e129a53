"""What every kernel centred on rows can do."""

from __future__ import annotations

import numbers
from abc import abstractmethod
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import issparse

from sparsebayes.basis._scale import is_word
from sparsebayes.basis.columns import Columns
from sparsebayes.basis.distinct import automatic_number, distinct_rows, spread
from sparsebayes.basis.scaled import FreeScale
from sparsebayes.basis.sums import Basis


class Kernel(Basis):
    """A function of an input and a centre. No Mercer condition is asked for.

    The centres are the distinct training rows of positive weight, in an order that does not depend
    on the order of the rows; or as many of them as `centres` says, spread evenly in that order; or
    the points given as `centres`.
    """

    centres: Any

    @abstractmethod
    def formula(self, inputs, weight):
        """The kernel as a function of (inputs, centres), its parameters settled from the data."""

    @property
    def positive_definite(self) -> bool:
        """Whether it is known to be a covariance of function values."""
        return False

    def free_scale(self, inputs, weight) -> FreeScale | None:
        """Which of its scales are to be learned, if any."""
        return None

    def bind(self, inputs, weight) -> Columns:
        """One column per centre."""
        centres, rows = self._find_centres(inputs, weight)
        return Columns(
            self.formula(inputs, weight),
            centres,
            rows,
            partial(kernel_label, type(self).__name__),
            self.free_scale(inputs, weight),
            self.positive_definite,
        )

    def _find_centres(self, inputs, weight):
        """The centres, and the rows that they are, or their positions where they were given."""
        if not self._on_rows():
            centres = self._given_centres(inputs)
            return centres, np.arange(centres.shape[0])
        distinct = distinct_rows(inputs, weight)
        rows = spread(distinct, self._number_of_centres(len(distinct)))
        return inputs[rows], rows

    def _on_rows(self) -> bool:
        """Whether the centres are training rows, and not points that were given."""
        number = isinstance(self.centres, numbers.Integral) and not isinstance(self.centres, bool)
        return self.centres is None or is_word(self.centres, "auto") or number

    def _number_of_centres(self, n_rows: int) -> int:
        """How many of the distinct rows are centres at most."""
        if self.centres is None:
            return n_rows
        if is_word(self.centres, "auto"):
            return automatic_number(n_rows)
        if self.centres < 1:
            raise ValueError(f"centres, if a number, must be 1 or more, got {self.centres!r}.")
        return int(self.centres)

    def _given_centres(self, inputs):
        centres = self.centres
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


def kernel_label(kind, centre, row, feature_names):
    """The name of a column centred on a row."""
    return f"{kind.lower()}({row})"
