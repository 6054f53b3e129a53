"""Formulas with a scale that can be learned, and several widths of one kernel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np


@dataclass(frozen=True)
class ScaledFormula:
    """A kernel formula at some gamma: (inputs, centres) -> array (n_samples, n_centres).

    Parameters
    ----------
    function : (inputs, centres, gamma, **options) -> values
    derivative : (inputs, centres, gamma, sensitivity, **options) -> see `slope`
    gamma : a number, or one for each input (n_features,)
    power : gamma = width^-power
    options : other parameters of the formula
    """

    function: Callable
    derivative: Callable
    gamma: Any
    power: float = 2.0
    options: dict = field(default_factory=dict)

    def __call__(self, inputs, centres) -> np.ndarray:
        """The values of the kernel."""
        return self.function(inputs, centres, self.gamma, **self.options)

    def slope(self, inputs, centres, sensitivity: np.ndarray) -> np.ndarray:
        """sum_nm sensitivity_nm d values_nm / d log gamma_k (n_features,). [T01] (53)

        With one gamma for all inputs, the sum of these is its derivative.
        """
        return self.derivative(inputs, centres, self.gamma, sensitivity, **self.options)

    def at(self, gamma) -> ScaledFormula:
        """The same formula at another gamma."""
        return replace(self, gamma=gamma)

    def narrowest(self, columns):
        """The columns of the smallest width: all of them."""
        return columns


@dataclass(frozen=True)
class Places:
    """Centres, each with the width of its kernel relative to the formula's (n_columns,)."""

    centres: Any
    multiple: np.ndarray

    def __getitem__(self, chosen) -> Places:
        return Places(self.centres[chosen], self.multiple[chosen])


@dataclass(frozen=True)
class SeveralWidths:
    """A kernel formula whose columns have widths of their own: (inputs, places) -> values."""

    formula: ScaledFormula

    @property
    def gamma(self):
        """That of a column of multiple one."""
        return self.formula.gamma

    def __call__(self, inputs, places: Places) -> np.ndarray:
        """The values of the kernels."""
        values = np.empty((inputs.shape[0], len(places.multiple)))
        for formula, here in self._of_one_width(places):
            values[:, here] = formula(inputs, places.centres[here])
        return values

    def slope(self, inputs, places: Places, sensitivity: np.ndarray) -> np.ndarray:
        """See `ScaledFormula.slope`: the widths keep their ratios."""
        return sum(
            formula.slope(inputs, places.centres[here], sensitivity[:, here])
            for formula, here in self._of_one_width(places)
        )

    def at(self, gamma) -> SeveralWidths:
        """The same formula at another gamma."""
        return SeveralWidths(self.formula.at(gamma))

    def narrowest(self, columns):
        """The columns of the smallest width, as those of a kernel that has no other."""
        here = np.flatnonzero(columns.items.multiple == 1.0)
        chosen = columns.keep(here)
        centres = chosen.items.centres
        return replace(chosen, formula=self.formula, items=centres, positive_definite=True)

    def _of_one_width(self, places: Places):
        for multiple in np.unique(places.multiple):
            gamma = self.formula.gamma * multiple**-self.formula.power
            yield self.formula.at(gamma), np.flatnonzero(places.multiple == multiple)


@dataclass(frozen=True)
class FreeScale:
    """Which scales of a kernel are to be learned.

    Parameters
    ----------
    inputs : the inputs that have one of their own (n_scales,), or None for one factor of all
    log_spread : logarithm of what the spread of the inputs suggests for gamma (n_scales,)
    """

    inputs: np.ndarray | None
    log_spread: np.ndarray

    @classmethod
    def of_all(cls, gamma) -> FreeScale:
        """One factor, beginning at this gamma."""
        return cls(None, np.log([np.max(gamma)]))

    @classmethod
    def of_each(cls, gamma: np.ndarray) -> FreeScale:
        """One for each input that has a gamma to begin at; 0 is for an input that is constant."""
        varying = np.flatnonzero(gamma)
        return cls(varying, np.log(gamma[varying]))

    def logarithm(self, gamma) -> np.ndarray:
        """The learned part of gamma; of one factor for all inputs, the largest stands for it."""
        values = np.max(gamma, keepdims=True) if self.inputs is None else gamma[self.inputs]
        return np.log(np.ravel(values))

    def moved(self, gamma, logarithm: np.ndarray):
        """Gamma with its learned part replaced."""
        if self.inputs is None:
            return gamma * float(np.exp(logarithm[0] - self.logarithm(gamma)[0]))
        gamma = gamma.copy()
        gamma[self.inputs] = np.exp(logarithm)
        return gamma

    def gather(self, slope: np.ndarray) -> np.ndarray:
        """Derivatives for the learned logarithms, from those for each input."""
        return slope.sum(keepdims=True) if self.inputs is None else slope[self.inputs]
