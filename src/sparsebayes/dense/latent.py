"""The latent values of a Gaussian process at its rows: their mode, the evidence, its derivatives.

With a prior covariance K (n, n), and the quadratic of the likelihood at f with slope g and
curvature W, everything is read off one well-conditioned matrix, whatever the likelihood:

    B = I + W^1/2 K W^1/2,        R = W^1/2 B^-1 W^1/2 = (K + W^-1)^-1

For Gaussian noise the quadratic is exact, and one step finds f. Others take Newton's steps to the
mode, and Laplace's evidence there. (Rasmussen and Williams 2006, sections 2.7, 3.4 and 5.5.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import blas

from sparsebayes._linear_algebra import inverse_of, lower_factor, solve_lower
from sparsebayes.likelihoods import Likelihood


@dataclass(frozen=True)
class LatentSearch:
    """How far the search for the mode goes.

    Attributes
    ----------
    last_step : a step that promises to raise the log density by less than this is the last
    shrinks : steps go on with the same factor of B, which costs most, as long as each promises at
        most this part of what the one before did; so they come to an end
    max_factors : separable classes with a wide prior need some tens
    max_halvings : of a step that would lower the log density
    unseen : a fall by this part of the log density is put down to rounding
    """

    last_step: float = 1e-10
    shrinks: float = 0.2
    max_factors: int = 100
    max_halvings: int = 20
    unseen: float = 1e-13


LATENT_SEARCH = LatentSearch()
NO_PARAMETERS = np.empty(0)


class RowExpansion(NamedTuple):
    """Log density of all rows at some latent values, and its derivatives there (n,)."""

    value: float
    slope: np.ndarray
    curvature: np.ndarray


@dataclass(frozen=True)
class Observed:
    """What is observed at the rows.

    Attributes
    ----------
    likelihood : of one latent value per row
    target, weight : of the rows (n,)
    noise_precision : 1 for a target without noise
    family : the likelihood with its parameters left open
    parameters : those of `likelihood` that are (p,)
    """

    likelihood: Likelihood
    target: np.ndarray
    weight: np.ndarray
    noise_precision: float
    family: Likelihood | None = None
    parameters: np.ndarray | None = None

    def expand(self, latent: np.ndarray) -> RowExpansion:
        """The expansion at these latent values."""
        found = self.likelihood.expand(self.target, latent)
        share = self.noise_precision * self.weight
        return RowExpansion(
            float(share @ found.value), share * found.slope, share * found.curvature
        )

    def for_steps(self, latent: np.ndarray, rows: RowExpansion) -> RowExpansion:
        """The expansion with the curvature that steps to the mode take."""
        if self.likelihood.exact_curvature:
            return rows
        curvature = self.likelihood.curvature_at(self.target, latent)(np.ones_like(latent))
        return rows._replace(curvature=self.noise_precision * self.weight * curvature)

    def by_parameter(self, latent: np.ndarray) -> list[RowExpansion]:
        """Derivatives of the expansion for the parameters that are open, one for each."""
        if self.family is None or self.parameters is None:
            return []
        each = self.family.by_parameter(self.parameters, self.target, latent)
        share = self.noise_precision * self.weight
        return [RowExpansion(float(share @ v), share * g, share * w) for v, g, w in each]

    @property
    def log_normaliser(self) -> float:
        """What the expansion leaves out."""
        return float(self.weight.sum()) * self.likelihood.log_normaliser(self.noise_precision)

    def relative_rise(self, latent: np.ndarray) -> np.ndarray:
        """Derivative of the curvature, relative to the curvature; 0 where that vanishes (n,)."""
        rise = self.likelihood.curvature_slope(self.target, latent)
        curvature = self.likelihood.expand(self.target, latent).curvature
        return np.divide(rise, curvature, out=np.zeros_like(rise), where=curvature > 0.0)


class Point(NamedTuple):
    """Latent values f = K pull, and the expansion of the rows there."""

    pull: np.ndarray
    latent: np.ndarray
    rows: RowExpansion

    @property
    def value(self) -> float:
        """Log density of rows and latent values, without their normalisers."""
        return self.rows.value - 0.5 * float(self.latent @ self.pull)


def factor_of_rows(covariance: np.ndarray, root: np.ndarray) -> np.ndarray:
    """The Cholesky factor of B = I + W^1/2 K W^1/2, from K (n, n) and W^1/2 (n,)."""
    matrix = covariance * root
    matrix *= root[:, None]
    matrix.flat[:: len(matrix) + 1] += 1.0
    return lower_factor(matrix)


@dataclass(frozen=True)
class Factored:
    """B at some latent values.

    Attributes
    ----------
    latent : f (n,)
    rows : the expansion there
    root : W^1/2 (n,)
    lower : the Cholesky factor of B
    """

    latent: np.ndarray
    rows: RowExpansion
    root: np.ndarray
    lower: np.ndarray

    @classmethod
    def at(cls, covariance: np.ndarray, latent: np.ndarray, rows: RowExpansion) -> Factored:
        """B = I + W^1/2 K W^1/2, factored."""
        root = np.sqrt(rows.curvature)
        return cls(latent, rows, root, factor_of_rows(covariance, root))

    def solve(self, covariance: np.ndarray, right: np.ndarray) -> np.ndarray:
        """(I + W K)^-1 right = right - W^1/2 B^-1 W^1/2 K right."""
        inner = self.root * (covariance @ right)
        return right - self.root * solve_lower(self.lower, inner)


class Mode(NamedTuple):
    """The mode of the latent values under the prior covariance K, and B next to it."""

    covariance: np.ndarray
    point: Point
    near: Factored


def find_mode(
    covariance: np.ndarray,
    observed: Observed,
    latent: np.ndarray,
    search: LatentSearch = LATENT_SEARCH,
) -> Mode:
    """The mode of the latent values, by Newton's steps from any latent values on.

    The first step leads to pull = (I + W K)^-1 (W f + g). For Gaussian noise that is the mode. That
    of counts can lead far beyond it, and the search then begins at latent values of zero. It ends
    when the first step with a factor is a last one, so that B belongs to the mode.
    """
    rows = observed.expand(latent)
    factored = Factored.at(covariance, latent, observed.for_steps(latent, rows))
    if observed.likelihood.constant_curvature:
        return Mode(covariance, _exact_point(covariance, observed, factored), factored)
    rows = factored.rows
    pull = factored.solve(covariance, rows.curvature * latent + rows.slope)
    here, nothing = _point(covariance, observed, pull), _nothing(observed, latent)
    if here.value >= nothing.value:
        _, here = _steps(covariance, observed, here, factored, search)
    else:
        here = nothing
    for _ in range(search.max_factors):
        steps = observed.for_steps(here.latent, here.rows)
        factored = Factored.at(covariance, here.latent, steps)
        promise, here = _steps(covariance, observed, here, factored, search)
        if promise <= search.last_step:
            break
    if not observed.likelihood.exact_curvature:
        factored = Factored.at(covariance, here.latent, here.rows)
    return Mode(covariance, here, factored)


def _exact_point(covariance: np.ndarray, observed: Observed, factored: Factored) -> Point:
    """The mode where the curvature is constant, without a difference of large numbers.

    With the working response z = f + g / W at any f, pull = W^1/2 B^-1 W^1/2 z, and the mode is
    z - pull / W; or K pull for a row that has no weight.
    """
    root, rows, seen = factored.root, factored.rows, factored.root > 0.0
    working = root * factored.latent
    np.divide(rows.slope, root, out=(shift := np.zeros_like(root)), where=seen)
    pull = root * solve_lower(factored.lower, working + shift)
    step = np.divide(rows.slope - pull, rows.curvature, out=np.zeros_like(root), where=seen)
    latent = factored.latent + step
    if not seen.all():
        latent = np.where(seen, latent, covariance @ pull)
    return Point(pull, latent, observed.expand(latent))


def _nothing(observed: Observed, latent: np.ndarray) -> Point:
    """Latent values of zero."""
    zero = np.zeros_like(latent)
    return Point(zero, zero, observed.expand(zero))


def _point(covariance: np.ndarray, observed: Observed, pull: np.ndarray) -> Point:
    latent = covariance @ pull
    return Point(pull, latent, observed.expand(latent))


def _steps(
    covariance: np.ndarray,
    observed: Observed,
    here: Point,
    factored: Factored,
    search: LatentSearch,
) -> tuple[float, Point]:
    """Steps with one factor: what the first of them promised, and where they lead.

    A step changes the pull by (I + W K)^-1 (g - pull).
    """
    promises: list[float] = []
    while not promises or promises[-1] > search.last_step:
        slope = here.rows.slope - here.pull
        step = factored.solve(covariance, slope)
        moved = covariance @ step
        promises.append(0.5 * float(moved @ slope))
        if len(promises) > 1 and promises[-1] > search.shrinks * promises[-2]:
            break
        here = _line_search(observed, here, step, moved, search)
    return promises[0], here


def _line_search(
    observed: Observed, here: Point, step: np.ndarray, moved: np.ndarray, search: LatentSearch
) -> Point:
    """The first of a whole step, half a step, ... at which the log density is not lower."""
    for halving in range(search.max_halvings):
        length = 0.5**halving
        latent = here.latent + length * moved
        there = Point(here.pull + length * step, latent, observed.expand(latent))
        if there.value >= here.value - search.unseen * max(1.0, abs(here.value)):
            return there
    return here


class Evidence(NamedTuple):
    """Log evidence at a mode, and its derivatives.

    Attributes
    ----------
    value : the log evidence, Laplace's unless the likelihood is Gaussian
    by_covariance : for the entries of K (n, n); only the symmetric part has a meaning
    by_noise : for the log noise precision, if that is estimated
    by_parameter : for the parameters of the likelihood that are open (p,)
    """

    value: float
    by_covariance: np.ndarray
    by_noise: float
    by_parameter: np.ndarray = NO_PARAMETERS


def evidence_at(mode: Mode, observed: Observed) -> Evidence:
    """Log density at the mode less 1/2 log |B|, and derivatives, for K 1/2 (a a' - R) + a u'.

    Here a is the pull. For Gaussian noise u = 0. For others the mode moves with K, and the
    curvature with the mode: with d = 1 - diag(B^-1) and W' = dW / df,

        u = (I - R K) s,        s = -1/2 d W' / W,

    and s' (f - f_near) corrects log |B| for the step from where B was taken to the mode.
    The derivative for log beta of Gaussian noise is 1/2 (n - sum d - beta ||t - f||^2). That for a
    parameter p of the likelihood is, with the derivatives v, g and W of value, slope and curvature,

        sum v_p - 1/2 sum (d / W) W_p + g_p' K u.

    The factor of B is overwritten.
    """
    pull, near, root = mode.point.pull, mode.near, mode.near.root
    value = observed.log_normaliser + mode.point.value - np.log(np.diag(near.lower)).sum()
    inverse = inverse_of(near.lower, overwrite=True)
    determined = 1.0 - np.diag(inverse)
    left, along = 0.5 * pull, np.zeros_like(pull)
    if not observed.likelihood.constant_curvature:
        shift = -0.5 * determined * observed.relative_rise(near.latent)
        along = shift - root * (inverse @ (root * (mode.covariance @ shift)))
        left = left + along
        value += shift @ (mode.point.latent - near.latent)
    by_parameter = _by_parameter(mode, observed, determined, along)
    inverse *= -0.5 * root
    inverse *= root[:, None]
    by_covariance = blas.dger(1.0, pull, left, a=inverse, overwrite_a=1)
    by_noise = 0.5 * float(observed.weight.sum() - determined.sum()) + mode.point.rows.value
    return Evidence(float(value), by_covariance, by_noise, by_parameter)


def _by_parameter(
    mode: Mode, observed: Observed, determined: np.ndarray, along: np.ndarray
) -> np.ndarray:
    """Derivatives of the log evidence for the open parameters (p,); see `evidence_at`.

    Parameters
    ----------
    determined : d (n,)
    along : u (n,)
    """
    each = observed.by_parameter(mode.point.latent)
    if not each:
        return NO_PARAMETERS
    curvature = mode.near.rows.curvature
    variance = np.divide(determined, curvature, out=np.zeros_like(along), where=curvature > 0.0)
    moved = mode.covariance @ along
    return np.array([v - 0.5 * float(variance @ w) + float(g @ moved) for v, g, w in each])
