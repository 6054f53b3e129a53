"""What every likelihood says of itself: its quadratic, its parameters, what may be asked of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.hyperpriors import Gamma
from sparsebayes.likelihoods.layout import ONE_LATENT, Layout
from sparsebayes.likelihoods.tilting import Tilted, tilted_about_mean, tilted_about_mode


@dataclass(frozen=True)
class Noise:
    """What is known of the noise precision.

    Attributes
    ----------
    given : the precision, 1 for a target without noise, such as a class; None to infer it
    profiled : whether each output has noise of its own, always at its best, which has a closed
        form. The precisions of the weights are relative to it, so that of the fit itself is 1
    """

    given: float | None = 1.0
    profiled: bool = False

    @property
    def inferred(self) -> bool:
        """Whether the data determine it at all."""
        return self.given is None

    @property
    def estimated(self) -> bool:
        """Whether it is one of the parameters that a fit climbs in."""
        return self.inferred and not self.profiled

    def settle(self, proposal: float) -> float:
        """The noise precision to use where the data propose this one."""
        if self.given is not None:
            return self.given
        return 1.0 if self.profiled else proposal

    def log_density(self, hyperprior: Gamma, precision: float) -> float:
        """What the hyperprior adds to the objective."""
        return hyperprior.log_density(precision) if self.estimated else 0.0

    def bound_constant(self, hyperprior: Gamma, n_rows: float) -> float:
        """What the noise precision adds to a variational bound, whatever its mean. [BT00] (45)

        A Gamma posterior has a shape that is larger by half of the rows.
        """
        return hyperprior.bound_constant(0.5 * n_rows) if self.estimated else 0.0

    def vanished(self, precision: float, of_outputs: Any, ceiling: Any, target: np.ndarray) -> bool:
        """Whether the noise was inferred and is as small as it may be, for any output.

        Outputs that are zero throughout have none.

        Parameters
        ----------
        precision : of the fit
        of_outputs : the precision of each output, relative to that
        ceiling : the largest precision that each output may have
        target : of all rows (n,) or (n, n_outputs)
        """
        if self.profiled:
            return bool(np.any((of_outputs >= ceiling) & target.any(axis=0)))
        return self.inferred and bool(precision >= ceiling)


ESTIMATED, PROFILED = Noise(None), Noise(None, profiled=True)


class Quadratic(NamedTuple):
    """value + slope (f - f0) - 1/2 curvature (f - f0)^2, one entry per row.

    Attributes
    ----------
    value : (n,), or (n, n_outputs) where each output has noise of its own
    slope : (n,), or (n, n_latents) for a row with several latent values
    curvature : (n,); where the latent values of a row are coupled, the probabilities p (n, K) that
        its curvature diag(p) - p p' is made of
    """

    value: np.ndarray
    slope: np.ndarray
    curvature: np.ndarray


class LikelihoodParameters(NamedTuple):
    """Parameters of a likelihood that the data are to determine, as numbers of any size.

    Attributes
    ----------
    start : where a search starts (p,)
    limits : least and largest value of each (p, 2)
    others : where else it had better start, too; the best end counts
    """

    start: np.ndarray
    limits: np.ndarray
    others: tuple[np.ndarray, ...] = ()

    @property
    def starts(self) -> list[np.ndarray]:
        """All of them."""
        return [self.start, *self.others]


NONE_FREE = LikelihoodParameters(np.empty(0), np.empty((0, 2)))
# A derivative for a parameter is a difference over so much to both sides.
PARAMETER_STEP = 1e-4


class Likelihood(ABC):
    """The density of a target given the latent values of its row.

    Attributes
    ----------
    called : what it is called in a message
    instead : what a user can ask for instead, where an inference cannot use it
    layout : how weights make its latent values
    noise : what is known of its noise
    constant_curvature : whether the curvature does not depend on the latent value; inner products
        are then computed once
    exact_curvature : whether `expand` gives the curvature itself; if not, `curvature_at`
        gives products with the one that steps to a mode take
    log_concave : whether the log density is concave, so that moments can be matched
    may_be_narrow : whether a target can tell far more of its latent value than was known before
    has_bound : whether `bound` gives a lower bound, or the quadratic is exact
    has_units : whether latent values are in the units of the target
    noise_scale : what one row leaves open of its latent value, at a noise precision of one: a
        standard deviation that others are compared with
    most_variance : the largest variance of the latent value that is thought possible, a priori
    n_free : how many parameters of its own are to be found from the data
    needs_tuning : whether these matter to a sparse fit; a mean does not, as columns make up for it
    """

    called: str = "this likelihood"
    instead: str = 'inference="fast"'
    layout: Layout = ONE_LATENT
    noise: Noise = Noise()
    constant_curvature: bool = False
    exact_curvature: bool = True
    log_concave: bool = True
    may_be_narrow: bool = False
    has_bound: bool = False
    has_units: bool = False
    noise_scale: float = 1.0
    most_variance: float = np.inf
    n_free: int = 0
    needs_tuning: bool = True

    @abstractmethod
    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The quadratic at the latent values."""

    def bound(self, target: np.ndarray, latent: np.ndarray, tangent: np.ndarray) -> Quadratic:
        """A quadratic about `latent` that is nowhere above the log density, if `has_bound`."""
        raise NotImplementedError(f"{type(self).__name__} has no bound.")

    def curvature_at(
        self, target: np.ndarray, latent: np.ndarray
    ) -> Callable[[np.ndarray], np.ndarray]:
        """A curvature of each row, that of steps to a mode, times a direction.

        Only where `expand` has another one: unless `exact_curvature`.
        """
        raise NotImplementedError(f"{type(self).__name__} has its curvature in `expand`.")

    def curvature_slope(self, target: np.ndarray, latent: np.ndarray) -> np.ndarray:
        """Derivative of the curvature for the latent value (n_samples,)."""
        return np.zeros_like(latent)

    def log_normaliser(self, noise_precision: float) -> float:
        """What the quadratic leaves out, per row."""
        return 0.0

    def tilted(
        self, target: np.ndarray, mean: np.ndarray, variance: np.ndarray, power: np.ndarray
    ) -> Tilted:
        """Moments of f under N(f | mean, variance) p(t | f)^power, at unit noise precision."""
        found = tilted_about_mode if self.may_be_narrow else tilted_about_mean
        return found(self, target, mean, variance, power)

    def free(self, target: np.ndarray, weight: np.ndarray) -> LikelihoodParameters:
        """The parameters that are to be found (n_free,), and where they may be."""
        return NONE_FREE

    def at(self, parameters: np.ndarray) -> Likelihood:
        """The likelihood with its free parameters (n_free,) at these values."""
        return self

    @property
    def leader(self) -> Likelihood | None:
        """A likelihood with estimated noise, at whose maximum a search for this one should start.

        None where the evidence has no maxima that mislead.
        """
        return None

    def led(self, log_noise_precision: float) -> np.ndarray:
        """Free parameters to start with where the leader ended (n_free,)."""
        raise NotImplementedError(f"{type(self).__name__} has no leader.")

    def by_parameter(
        self, parameters: np.ndarray, target: np.ndarray, latent: np.ndarray
    ) -> list[Quadratic]:
        """Derivatives of value, slope and curvature for each free parameter, at these values."""
        found = []
        for step in PARAMETER_STEP * np.eye(len(parameters)):
            ahead, behind = (
                self.at(parameters + way).expand(target, latent) for way in (step, -step)
            )
            pairs = zip(ahead, behind, strict=True)
            found.append(Quadratic(*((a - b) / (2.0 * PARAMETER_STEP) for a, b in pairs)))
        return found

    def together(self) -> Likelihood:
        """A likelihood of the same targets whose latent values share precisions."""
        return self

    def latent_weights(self, mean: np.ndarray) -> np.ndarray:
        """Weights for the latent values that predictions are made of, from those of the fit."""
        return mean

    def between(self, output_precision: Any) -> np.ndarray:
        """Covariance between these latent values, for columns with a unit of variance (k, k)."""
        return np.diag(1.0 / np.atleast_1d(output_precision))

    def one_by_one(self, target: np.ndarray) -> tuple[np.ndarray, Likelihood]:
        """Targets with one latent value each (k, n), and their likelihood.

        Scales are learned from these.
        """
        return np.atleast_2d(target.T), self


@dataclass(frozen=True)
class Surrogate(Likelihood):
    """A quadratic in place of `likelihood`, with the same layout, noise and normaliser."""

    likelihood: Likelihood

    constant_curvature = True

    @property
    def layout(self) -> Layout:
        """What the likelihood that it stands for has."""
        return self.likelihood.layout

    @property
    def noise(self) -> Noise:
        """What the likelihood that it stands for has."""
        return self.likelihood.noise

    def log_normaliser(self, noise_precision: float) -> float:
        """What the likelihood that it stands for has."""
        return self.likelihood.log_normaliser(noise_precision)


@dataclass(frozen=True)
class Frozen(Surrogate):
    """log p(t | f) ~ value + slope f - 1/2 curvature f^2, taken at f = 0 and kept.

    With the curvature constant, inner products are computed once, so the first steps of an
    inference are cheap. For the Bernoulli it is least squares on the labels.
    """

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The quadratic at zero, about `latent`."""
        value, slope, curvature = self.likelihood.expand(target, np.zeros_like(latent))
        bent = self.layout.bend(curvature, latent)
        change = self.layout.inner(latent, slope - 0.5 * bent)
        return Quadratic(value + change, slope - bent, curvature)


@dataclass(frozen=True)
class Bounded(Surrogate):
    """log p(t | f) >= value + slope (f - f0) - 1/2 curvature (f - f0)^2, equal at f = +-tangent.

    The target of a row is the pair (t, tangent). While tangents stay, so does the curvature.
    """

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The bound about `latent`."""
        return self.likelihood.bound(target[:, 0], latent, target[:, 1])
