"""What every basis can do, and the sum of several."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils.metaestimators import _BaseComposition

from sparsebayes.columns import AnyColumns, Inputs, JoinedColumns

__all__ = ["Basis"]


class Basis(BaseEstimator, ABC):
    """What every basis is: a recipe for the columns that a model may use.

    A column is a function of the inputs, such as a kernel on a training row, one input, or a
    constant. ``+`` joins bases. Their parameters are read and set as those of any scikit-learn
    estimator.

    See Also
    --------
    GaussianKernel : A kernel on each training row.
    Linear : The inputs themselves.
    GivenColumns : Columns that a function of yours makes.

    Notes
    -----
    How to write a basis of your own: https://sparsebayes.example/extend/add_a_basis.html

    Examples
    --------
    >>> from sparsebayes import Basis, Bias, GaussianKernel, Linear
    >>> basis = GaussianKernel(width=3.0) + Linear() + Bias()
    >>> isinstance(basis, Basis)
    True
    >>> basis.get_params()["gaussiankernel__width"]
    3.0
    """

    keyword: ClassVar[str | None] = None

    @property
    def accepts_sparse(self) -> bool:
        """Whether the inputs may be a sparse matrix."""
        return True

    @property
    def precomputed(self) -> bool:
        """Whether the inputs are kernel values, one column per training row."""
        return False

    @property
    def calls_user(self) -> bool:
        """Whether a function of yours makes the columns; only one thread calls it."""
        return callable(getattr(self, "function", None))

    @property
    def centres_target(self) -> bool:
        """Whether the mean of real targets is taken out before anything else."""
        return False

    @property
    def is_bias(self) -> bool:
        """Whether the basis is a constant and nothing else."""
        return False

    @property
    def positive_definite(self) -> bool:
        """Whether the basis is known to be a covariance of function values."""
        return False

    @property
    def in_groups(self) -> bool:
        """Whether columns are kept or left out together."""
        return False

    def lacks_constant(self, inputs: Any) -> bool:
        """Whether no column of the basis is a constant, so that a model of real targets needs one.

        Parameters
        ----------
        inputs : of the training rows; None where they are not in memory
        """
        return False

    @abstractmethod
    def bind(self, inputs: Inputs, weight: np.ndarray) -> AnyColumns:
        """The candidate columns for training inputs (n_samples, n_features) and their weights."""

    def resolved(self, columns: Any) -> Basis:
        """A copy of the basis with the widths and scales of columns that it made, as numbers."""
        return clone(self)

    def of_complex(self, n_features: int) -> Basis | None:
        """The basis for real and imaginary parts of complex inputs; None where there is none."""
        return None

    def dense_kernel(self, about_mean: bool) -> Basis | None:
        """A kernel whose process has all columns at once, with one prior; None if there is none.

        Parameters
        ----------
        about_mean : whether columns are taken about their mean, as a constant is beside them
        """
        return None

    def dense_form(self, target_centred: bool) -> Sum | None:
        """A sum of `dense_kernel` alone; None where there is no such kernel."""
        kernel = self.dense_kernel(about_mean=False)
        return None if kernel is None else Sum(_named([kernel]))

    def n_centres(self, n_rows: int) -> int:
        """How many centres there are in n_rows different rows; 0 for columns that have none."""
        return 0

    def bind_sample(
        self, inputs: Inputs, weight: np.ndarray, numbers: np.ndarray, n_rows: int
    ) -> AnyColumns:
        """The candidate columns from a sample of the training rows.

        Parameters
        ----------
        numbers : of the rows of the sample among all (n_samples,)
        n_rows : how many rows there are in all
        """
        return self.bind(inputs, weight)

    def __add__(self, other: Basis) -> Sum:
        """Both bases side by side."""
        if not isinstance(other, Basis):
            return NotImplemented
        return Sum(_named([*self._summands(), *other._summands()]))

    def _summands(self) -> list[Basis]:
        return [self]


def _of_any(name: str) -> Any:
    """A property of a sum: whether any of its parts has it."""
    return property(lambda total: any(getattr(part, name) for part in total._summands()))


class Sum(_BaseComposition, Basis):
    """Several bases side by side; made by `+`.

    Parameters
    ----------
    parts : list of (name, basis)
        The names are the class names in lower case, numbered where one occurs twice.

    Examples
    --------
    >>> from sparsebayes.basis import Bias, GaussianKernel
    >>> basis = GaussianKernel(width=3.0) + Bias()
    >>> basis.set_params(gaussiankernel__width=2.0).get_params()["gaussiankernel__width"]
    2.0
    """

    def __init__(self, parts: list[tuple[str, Basis]]) -> None:
        self.parts = parts

    @property
    def accepts_sparse(self) -> bool:
        """Whether every part takes sparse inputs."""
        return all(part.accepts_sparse for part in self._summands())

    precomputed = _of_any("precomputed")
    calls_user = _of_any("calls_user")
    centres_target = _of_any("centres_target")
    positive_definite = _of_any("positive_definite")
    in_groups = _of_any("in_groups")

    def lacks_constant(self, inputs: Any) -> bool:
        """Whether no part has a constant of its own, and inputs are no part or hold no constant."""
        parts = list(self._summands())
        own = not all(part.lacks_constant(None) for part in parts)
        return not own and any(part.lacks_constant(inputs) for part in parts)

    def bind(self, inputs: Inputs, weight: np.ndarray) -> JoinedColumns:
        """The columns of all parts, in their order."""
        return JoinedColumns.of([part.bind(inputs, weight) for part in self._summands()])

    def n_centres(self, n_rows: int) -> int:
        """The largest number of centres that any part has."""
        return max(part.n_centres(n_rows) for part in self._summands())

    def bind_sample(
        self, inputs: Inputs, weight: np.ndarray, numbers: np.ndarray, n_rows: int
    ) -> JoinedColumns:
        """The columns of all parts, in their order."""
        parts = [part.bind_sample(inputs, weight, numbers, n_rows) for part in self._summands()]
        return JoinedColumns.of(parts)

    def resolved(self, columns: Any) -> Sum:
        """A copy of the sum with the widths and scales of columns that it made, as numbers."""
        parts = zip(self.parts, columns.parts, strict=True)
        return Sum([(name, part.resolved(own)) for (name, part), own in parts])

    def dense_form(self, target_centred: bool) -> Sum | None:
        """The `dense_kernel` of the only part beside biases, and these if they are needed."""
        biases = [part for part in self._summands() if part.is_bias]
        others = [part for part in self._summands() if not part.is_bias]
        kernel = others[0].dense_kernel(bool(biases)) if len(others) == 1 else None
        if kernel is None:
            return None
        return Sum(_named([kernel] if target_centred else [kernel, *biases]))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters, those of the parts as `<name>__<parameter>`."""
        return self._get_params("parts", deep=deep)

    def set_params(self, **params: Any) -> Sum:
        """Set parameters, those of the parts as `<name>__<parameter>`."""
        return self._set_params("parts", **params)

    def _summands(self) -> list[Basis]:
        if not self.parts or not all(isinstance(part, Basis) for _, part in self.parts):
            raise ValueError(
                "parts of a Sum must be a list of one or more (name, basis), as `+` makes it; "
                f"got {self.parts!r}."
            )
        return [part for _, part in self.parts]


def _named(parts: list[Basis]) -> list[tuple[str, Basis]]:
    names = [type(part).__name__.lower() for part in parts]
    total, seen = Counter(names), Counter[str]()
    named: list[tuple[str, Basis]] = []
    for name, part in zip(names, parts, strict=True):
        seen[name] += 1
        if any(part is other for _, other in named):
            part = clone(part)
        named.append((f"{name}-{seen[name]}" if total[name] > 1 else name, part))
    return named
