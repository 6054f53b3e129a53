"""How latent values become a target, as nodes: the responses of `portable.responses`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sparsebayes.export.onnx_graph.graph import Tensor
from sparsebayes.export.onnx_graph.latent import LatentNodes
from sparsebayes.export.onnx_graph.roots import symmetric_root
from sparsebayes.export.onnx_graph.special import expit, ndtr
from sparsebayes.portable.responses import (
    MODERATION,
    PROBIT,
    CalibratedSoftmax,
    IntegratedSoftmax,
    OneVsRest,
    Quadrature,
    RealTargets,
    TwoClasses,
)


class Classes(NamedTuple):
    """Probabilities of the classes (n, K), and the number of the most probable one (n,)."""

    probability: Tensor
    most_probable: Tensor


def target_mean(response: RealTargets, latent: LatentNodes) -> Tensor:
    """Mean of new targets (n, k)."""
    return latent.mean.plus(response.offset)


def target_std(response: RealTargets, latent: LatentNodes) -> Tensor:
    """Their standard deviation, noise included (n, k)."""
    return latent.variance.plus(response.noise_std**2).apply("Sqrt")


def _least(quadrature: Quadrature, latent: LatentNodes) -> Tensor:
    """The probability of what is less probable, of a class and the others (n, k)."""
    size = latent.mean.apply("Abs")
    std = latent.variance.apply("Sqrt")
    at_nodes = std.with_axis(2) * quadrature.nodes - size.with_axis(2)
    remainder = (expit(at_nodes) - ndtr(PROBIT * at_nodes)) @ quadrature.shares[:, None]
    moderated = size / (1.0 + PROBIT**2 * latent.variance).apply("Sqrt")
    tiny = float(np.finfo(size.graph.dtype).tiny)
    return (ndtr(-PROBIT * moderated) + remainder.without_axis(2)).at_least(tiny).at_most(0.5)


def two_classes(response: TwoClasses, latent: LatentNodes) -> Classes:
    """Class 1 has the probability E sigmoid(f), class 0 the rest."""
    least = _least(response.quadrature, latent)
    second = latent.mean > 0.0
    first_share = second.choose(least, 1.0 - least)
    second_share = second.choose(1.0 - least, least)
    return Classes(first_share.beside(second_share), second.cast(np.int64).without_axis(1))


def one_vs_rest(response: OneVsRest, latent: LatentNodes) -> Classes:
    """Each class against the others, normalised. The largest log odds are the most probable."""
    least = _least(response.quadrature, latent)
    positive = latent.mean > 0.0
    share = positive.choose(1.0 - least, least)
    odds = (1.0 - least).apply("Log") - least.apply("Log")
    scores = positive.choose(odds, -odds)
    return Classes(share / share.total(1, keep=True), scores.largest())


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


OF_CLASSES: dict[type, Callable[[Any, LatentNodes], Classes]] = {
    TwoClasses: two_classes,
    OneVsRest: one_vs_rest,
    CalibratedSoftmax: calibrated_softmax,
    IntegratedSoftmax: integrated_softmax,
}
