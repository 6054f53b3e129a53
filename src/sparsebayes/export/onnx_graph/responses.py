"""How latent values become a target, as nodes: the responses of `model`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.export.onnx_graph.graph import Tensor
from sparsebayes.export.onnx_graph.latent import LatentNodes
from sparsebayes.export.onnx_graph.roots import symmetric_root
from sparsebayes.export.onnx_graph.special import expit, expm1, ndtr
from sparsebayes.model.counts import MOST_LOG_MEAN, CountTargets
from sparsebayes.model.ordered import OrderedClasses
from sparsebayes.model.responses import (
    MODERATION,
    PROBIT,
    CalibratedSoftmax,
    IntegratedSoftmax,
    OneVsRest,
    Quadrature,
    RealTargets,
    TwoClasses,
)
from sparsebayes.model.varying import VaryingTargets

# In floats squares of means, and sums of variances, are finite.
MOST_LOG_MEAN_OF_FLOATS, MOST_LOG_VARIANCE_OF_FLOATS = 40.0, 80.0


class Targets(NamedTuple):
    """How a response makes mean and standard deviation of new targets (n, k), as nodes.

    Parameters
    ----------
    mean, std : (response, latent) -> (n, k)
    """

    mean: Callable[[Any, LatentNodes], Tensor]
    std: Callable[[Any, LatentNodes], Tensor]


class Classes(NamedTuple):
    """Probabilities of the classes (n, K), and the number of the most probable one (n,)."""

    probability: Tensor
    most_probable: Tensor


def shifted(response: RealTargets | VaryingTargets, latent: LatentNodes) -> Tensor:
    """The mean of targets that are offset + f + noise."""
    return latent.mean.plus(response.offset)


def with_noise(response: RealTargets, latent: LatentNodes) -> Tensor:
    """The standard deviation where the noise is the same everywhere."""
    return latent.variance.plus(response.noise_std**2).apply("Sqrt")


def with_varying_noise(response: VaryingTargets, latent: LatentNodes) -> Tensor:
    """The standard deviation where the log variance of the noise is a model of its own."""
    noise = LatentNodes(response.noise, latent.inputs)
    log_variance = (noise.mean + 0.5 * noise.variance).plus(response.log_mean)
    least, most = map(float, response.limits)
    within = _capped(log_variance, most, min(most, MOST_LOG_VARIANCE_OF_FLOATS)).at_least(least)
    return (latent.variance + within.apply("Exp")).plus(response.more).apply("Sqrt")


def _capped(exponent: Tensor, most: float, most_of_floats: float) -> Tensor:
    """An exponent whose exponential is finite."""
    return exponent.at_most(most if exponent.graph.dtype == np.float64 else most_of_floats)


def mean_count(response: CountTargets, latent: LatentNodes) -> Tensor:
    """M = exp(log_mean + mean + variance / 2)."""
    log_mean = (latent.mean + 0.5 * latent.variance).plus(response.log_mean)
    return _capped(log_mean, MOST_LOG_MEAN, MOST_LOG_MEAN_OF_FLOATS).apply("Exp")


def std_of_count(response: CountTargets, latent: LatentNodes) -> Tensor:
    """sqrt(M + M^2 (dispersion exp(variance) + exp(variance) - 1))."""
    mean = mean_count(response, latent)
    variance = _capped(latent.variance, MOST_LOG_MEAN, MOST_LOG_MEAN_OF_FLOATS)
    relative = response.dispersion * variance.apply("Exp") + expm1(variance)
    return mean.apply("Sqrt") * (1.0 + mean * relative).apply("Sqrt")


def _least(quadrature: Quadrature, mean: Tensor, variance: Tensor) -> Tensor:
    """The probability of what is less probable, of a class and the others (n, k)."""
    size = mean.apply("Abs")
    std = variance.apply("Sqrt")
    at_nodes = std.with_axis(2) * quadrature.nodes - size.with_axis(2)
    remainder = (expit(at_nodes) - ndtr(PROBIT * at_nodes)) @ quadrature.shares[:, None]
    moderated = size / (1.0 + PROBIT**2 * variance).apply("Sqrt")
    tiny = float(np.finfo(size.graph.dtype).tiny)
    return (ndtr(-PROBIT * moderated) + remainder.without_axis(2)).at_least(tiny).at_most(0.5)


def two_classes(response: TwoClasses, latent: LatentNodes) -> Classes:
    """Class 1 has the probability E sigmoid(f), class 0 the rest."""
    least = _least(response.quadrature, latent.mean, latent.variance)
    second = latent.mean > 0.0
    first_share = second.choose(least, 1.0 - least)
    second_share = second.choose(1.0 - least, least)
    return Classes(first_share.beside(second_share), second.cast(np.int64).without_axis(1))


def one_vs_rest(response: OneVsRest, latent: LatentNodes) -> Classes:
    """Each class against the others, normalised. The largest log odds are the most probable."""
    least = _least(response.quadrature, latent.mean, latent.variance)
    positive = latent.mean > 0.0
    share = positive.choose(1.0 - least, least)
    odds = (1.0 - least).apply("Log") - least.apply("Log")
    scores = positive.choose(odds, -odds)
    return Classes(share / share.total(1, keep=True), scores.largest())


def ordered_classes(response: OrderedClasses, latent: LatentNodes) -> Classes:
    """Differences of the probabilities of all lower classes; of all higher ones above the mean."""
    distance = response.cut_points[None] - latent.mean
    least = _least(response.quadrature, distance, latent.variance)
    above = distance > 0.0
    none, all_of_it = (latent.inputs.repeat(np.full(1, each)) for each in (0.0, 1.0))
    lower = none.beside(above.choose(1.0 - least, least), all_of_it)
    upper = all_of_it.beside(above.choose(least, 1.0 - least), none)
    here, next_one = np.arange(len(response.place)), np.arange(1, len(response.place) + 1)
    from_below = lower.take(next_one) - lower.take(here)
    from_above = upper.take(here) - upper.take(next_one)
    share = (distance.beside(all_of_it) > 0.0).choose(from_above, from_below)
    share = share.at_least(float(np.finfo(share.graph.dtype).tiny))
    probability = (share / share.total(1, keep=True)).take(response.place)
    return Classes(probability, probability.largest())


def calibrated_softmax(response: CalibratedSoftmax, latent: LatentNodes) -> Classes:
    """softmax(c f), less certain where f is unusually uncertain."""
    mean, usual = latent.mean, response.usual_variance
    if np.isinf(usual):
        return Classes(mean.softmax(axis=1), mean.largest())
    n_classes = len(latent.spread.process)
    of_contrast = latent.variance.total(1, keep=True) / float(n_classes - 1)
    unusual = of_contrast.at_least(float(usual))
    ratio = (1.0 + MODERATION * usual) / (1.0 + MODERATION * unusual)
    return Classes((ratio.apply("Sqrt") * mean).softmax(axis=1), mean.largest())


def integrated_softmax(response: IntegratedSoftmax, latent: LatentNodes) -> Classes:
    """E softmax(f), by nodes: f at node j is mean + S(x) node_j."""
    nodes = response.nodes.T
    if response.own_weights:
        deviation = symmetric_root(latent.covariance, len(nodes)) @ nodes
    else:
        deviation = latent.process_variance.apply("Sqrt").with_axis(2) * nodes
    at_nodes = latent.mean.with_axis(2) + deviation
    probability = at_nodes.softmax(axis=1).total(2) / float(nodes.shape[1])
    return Classes(probability, probability.largest())


OF_TARGETS: dict[type, Targets] = {
    RealTargets: Targets(shifted, with_noise),
    CountTargets: Targets(mean_count, std_of_count),
    VaryingTargets: Targets(shifted, with_varying_noise),
}
OF_CLASSES: dict[type, Callable[[Any, LatentNodes], Classes]] = {
    TwoClasses: two_classes,
    OneVsRest: one_vs_rest,
    OrderedClasses: ordered_classes,
    CalibratedSoftmax: calibrated_softmax,
    IntegratedSoftmax: integrated_softmax,
}
