"""What every kernel centred on rows can do."""

from __future__ import annotations

import numbers
from abc import abstractmethod
from typing import Any

import numpy as np
from scipy.sparse import issparse

from sparsebayes._parameters import is_word
from sparsebayes.basis.basis import Basis
from sparsebayes.basis.centres import automatic_number, distinct_rows
from sparsebayes.columns import Columns, Formula, FreeScale, Inputs, spread


class Kernel(Basis):
    """A function of an input and a centre. No Mercer condition is asked for.

    The centres are the distinct training rows of positive weight, in an order that does not depend
    on the order of the rows. If `centres` is a number, at most this many are centres, evenly spaced
    in that order. If `centres` is an array, its points are the centres.
    """

    centres: Any

    @classmethod
    def from_svm_parameters(cls, gamma: Any, degree: Any, coef0: Any, centres: Any) -> Kernel:
        """The kernel from parameters named as in SVR and SVC, each used where it applies."""
        return cls(centres=centres)

    @abstractmethod
    def formula(self, inputs: Inputs, weight: np.ndarray) -> Formula:
        """The kernel's formula, its parameters resolved from the data."""

    @property
    def positive_definite(self) -> bool:
        """Whether it is known to be a covariance of function values."""
        return False

    def free_scale(self, inputs: Inputs, weight: np.ndarray) -> FreeScale | None:
        """Which of its scales are to be learned, if any."""
        return None

    def bind(self, inputs: Inputs, weight: np.ndarray) -> Columns:
        """One column per centre."""
        centres, centre_rows = self._find_centres(inputs, weight)
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
