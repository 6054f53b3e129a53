"""Scales that can be learned, and several widths of one kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from sparsebayes.columns.definitions import Definition
from sparsebayes.columns.formulas import Formula
from sparsebayes.columns.geometry import Inputs, Scale

# A logarithm that moved by less stayed where it was.
STILL = 1e-3


@dataclass(frozen=True)
class CentresAndWidths:
    """Centres, each with the width of its kernel as a multiple of the formula's (n_columns,)."""

    centres: Inputs
    multiple: np.ndarray

    def __getitem__(self, chosen: Any) -> CentresAndWidths:
        return CentresAndWidths(self.centres[chosen], self.multiple[chosen])


@dataclass(frozen=True)
class SeveralWidths:
    """A kernel formula whose columns each have their own width: (inputs, items) -> values."""

    formula: Formula

    @property
    def gamma(self) -> Scale:
        """The gamma of a column whose width is the formula's own."""
        return self.formula.gamma

    @property
    def name(self) -> str:
        """The name of the formula."""
        return self.formula.name

    @property
    def definition(self) -> Definition:
        """A kernel of which nothing is known but whether it falls off to zero."""
        return Definition(self.formula.definition.values, local=self.formula.definition.local)

    def __call__(self, inputs: Inputs, items: CentresAndWidths) -> np.ndarray:
        """The values of the kernels."""
        values = np.empty((inputs.shape[0], len(items.multiple)))
        for formula, centres, here in self.by_width(items):
            values[:, here] = formula(inputs, centres)
        return values

    def slope(
        self,
        inputs: Inputs,
        items: CentresAndWidths,
        sensitivity: np.ndarray,
        values: np.ndarray | None = None,
    ) -> np.ndarray:
        """The slope of columns whose widths keep their ratios; see `Formula.slope`."""
        values = self(inputs, items) if values is None else values
        slopes = (
            formula.slope(inputs, centres, sensitivity[:, here], values[:, here])
            for formula, centres, here in self.by_width(items)
        )
        return np.asarray(sum(slopes))

    def for_new_inputs(self) -> SeveralWidths:
        """The formula itself: it has no table."""
        return self

    def at(self, gamma: Scale) -> SeveralWidths:
        """The formula, at another gamma."""
        return SeveralWidths(self.formula.at(gamma))

    def centres(self, items: CentresAndWidths) -> Inputs:
        """The points that columns with these items are centred on."""
        return items.centres

    def check(self, items: CentresAndWidths) -> None:
        """An error unless each centre has a width."""
        if items.multiple.shape != (items.centres.shape[0],) or not (items.multiple > 0.0).all():
            raise ValueError("centres have no widths.")

    def own_inputs(self, items: CentresAndWidths) -> np.ndarray | None:
        """The inputs that the columns are: none, as they are kernels."""
        return None

    def label(
        self, kind: str, item: CentresAndWidths, row: int, feature_names: Sequence[str]
    ) -> str:
        """The name of the column with this item."""
        return f"{kind}({row}, width x {item.multiple:.3g})"

    def narrowest(self, columns: Any) -> Any:
        """The columns of the smallest width, as those of a kernel that has no other."""
        here = np.flatnonzero(columns.items.multiple == 1.0)
        chosen = columns.keep(here)
        centres = chosen.items.centres
        return replace(chosen, formula=self.formula, items=centres, positive_definite=True)

    def by_width(self, items: CentresAndWidths) -> Iterator[tuple[Formula, Inputs, np.ndarray]]:
        """Formula, centres and positions of the columns of each width."""
        for multiple in np.unique(items.multiple):
            gamma = self.formula.gamma * multiple**-self.formula.definition.power
            here = np.flatnonzero(items.multiple == multiple)
            yield self.formula.at(gamma), items.centres[here], here


@dataclass(frozen=True)
class FreeScale:
    """Which scales of a kernel are to be learned.

    Parameters
    ----------
    inputs : the inputs that have one of their own (n_scales,), or None for one factor of all
    log_spread : logarithm of what the spread of the inputs suggests for gamma (n_scales,)
    log_whole : logarithm of what it suggests with extreme values of the inputs (n_scales,)
    """

    inputs: np.ndarray | None
    log_spread: np.ndarray
    log_whole: np.ndarray

    @property
    def of_inputs(self) -> bool:
        """Whether there is one for each input."""
        return self.inputs is not None

    # The evidence has few maxima, and how far scales may go is a matter of belief.
    limits: ClassVar[None] = None
    starts: ClassVar[tuple] = ()
    grids: ClassVar[tuple] = ()

    @property
    def sorts(self) -> tuple[str, ...]:
        """What each scale is, which tells what is thought of it before there are targets."""
        return ("width",) * len(self.log_spread)

    def held_back(self, gamma: Scale) -> list[str]:
        """Names of scales that would have to be larger than they may be: none."""
        return []

    @classmethod
    def of_all(cls, gamma: Scale) -> FreeScale:
        """One factor, beginning at this gamma."""
        log_gamma = np.log([np.max(gamma)])
        return cls(None, log_gamma, log_gamma)

    @classmethod
    def of_each(cls, gamma: np.ndarray, whole: np.ndarray) -> FreeScale:
        """One for each input that has a gamma to begin at; a constant input has gamma 0.

        Parameters
        ----------
        whole : gamma with the extreme values of the inputs included
        """
        varying = np.flatnonzero(gamma)
        return cls(varying, np.log(gamma[varying]), np.log(whole[varying]))

    def logarithm(self, gamma: Scale) -> np.ndarray:
        """The learned part of gamma; the largest gamma stands for one factor of all inputs."""
        values = np.max(gamma, keepdims=True) if self.inputs is None else gamma[self.inputs]
        return np.log(np.ravel(values))

    def moved(self, gamma: Scale, logarithm: np.ndarray) -> Scale:
        """Gamma with its learned part replaced."""
        if self.inputs is None:
            return gamma * float(np.exp(logarithm[0] - self.logarithm(gamma)[0]))
        gamma = gamma.copy()
        gamma[self.inputs] = np.exp(logarithm)
        return gamma

    def gather(self, slope: np.ndarray) -> np.ndarray:
        """Derivatives for the learned logarithms, from those for each input."""
        return slope.sum(keepdims=True) if self.inputs is None else slope[self.inputs]


@dataclass(frozen=True)
class FreeParameters:
    """Which parameters of an object are to be learned, each for itself.

    Logarithms here are counted in units: a small change of a period changes much.

    Parameters
    ----------
    places : of the parameters among all of them (n_scales,)
    units : of their logarithms (n_scales,)
    log_start : where the object has them (n_scales,)
    limits : least and largest logarithm of each (n_scales, 2)
    starts : other logarithms that a search should start from, each (n_scales,)
    grids : logarithms of some parameters to be tried, as the evidence has many maxima in these:
        the place among the parameters that are learned, and the values
    cramped : names of parameters whose upper limit is below what the inputs suggest, by their place
        among those that are learned
    """

    places: np.ndarray
    units: np.ndarray
    log_start: np.ndarray
    limits: np.ndarray
    starts: tuple[np.ndarray, ...] = ()
    grids: tuple[tuple[int, np.ndarray], ...] = ()
    cramped: tuple[tuple[int, str], ...] = ()

    @property
    def of_inputs(self) -> bool:
        """Whether each input has a scale: no, parameters are those of the object."""
        return False

    @property
    def sorts(self) -> tuple[str, ...]:
        """What each parameter is: a matter of the object."""
        return ("object",) * len(self.log_start)

    @property
    def log_spread(self) -> np.ndarray:
        """Where a search starts (n_scales,)."""
        return self.log_start

    @property
    def log_whole(self) -> np.ndarray:
        """Where a search starts (n_scales,)."""
        return self.log_start

    def held_back(self, gamma: np.ndarray) -> list[str]:
        """Names of parameters that would have to be larger than they may be.

        They are at their limit, or where they were: if no row is near another, nothing moves them.
        """
        log = self.logarithm(gamma)
        still = np.minimum(np.abs(log - self.limits[:, 1]), np.abs(log - self.log_start)) < STILL
        return [name for place, name in self.cramped if still[place]]

    def logarithm(self, gamma: np.ndarray) -> np.ndarray:
        """The logarithms of the parameters that are learned."""
        return np.log(gamma[self.places]) / self.units

    def moved(self, gamma: np.ndarray, logarithm: np.ndarray) -> np.ndarray:
        """The parameters with those that are learned replaced."""
        gamma = gamma.copy()
        gamma[self.places] = np.exp(logarithm * self.units)
        return gamma

    def gather(self, slope: np.ndarray) -> np.ndarray:
        """The slopes for those that are learned."""
        return slope[self.places] * self.units
