"""What a model says of a row, by name: each response of `model` as an expression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sparsebayes.model.counts import MOST_LOG_MEAN, CountTargets
from sparsebayes.model.graph.expression import (
    Node,
    exp,
    expit,
    expm1,
    first_largest,
    given,
    larger,
    named,
    ndtr,
    size,
    smaller,
    softmax,
    sqrt,
    symmetric_root,
    table,
    take,
    total,
    where,
)
from sparsebayes.model.graph.formulas import Row
from sparsebayes.model.graph.latent import LatentNodes
from sparsebayes.model.models import PortableModel
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
from sparsebayes.model.special import TINY
from sparsebayes.model.varying import VaryingTargets

# In floats squares of means, and sums of variances, are finite.
MOST_LOG_MEAN_OF_FLOATS, MOST_LOG_VARIANCE_OF_FLOATS = 40.0, 80.0
TINY_OF_FLOATS = float(np.finfo(np.float32).tiny)
Outputs = dict[str, Node]


def real(response: RealTargets, latent: LatentNodes) -> Outputs:
    """Targets that are offset + f + noise."""
    variance = latent.variance + _of_outputs(response.noise_std**2, "noise variance")
    return {"mean": latent.mean + _of_outputs(response.offset, "offset"), "std": sqrt(variance)}


def _of_outputs(values: np.ndarray, label: str) -> Node:
    """A table with a number for each output; a single one has no axis."""
    return named(label, table(values, "output")) if len(values) > 1 else table(values[0])


def varying(response: VaryingTargets, latent: LatentNodes) -> Outputs:
    """Targets that are offset + f + noise, whose log variance is a model of its own."""
    noise = LatentNodes(response.noise, latent.row, "output", "noise_", latent.shared)
    least, most = map(float, response.limits)
    limit = table(most, in_floats=min(most, MOST_LOG_VARIANCE_OF_FLOATS))
    log_variance = noise.mean + 0.5 * noise.variance + response.log_mean
    of_noise = exp(larger(smaller(log_variance, limit), least))
    std = sqrt(latent.variance + of_noise + response.more)
    return {"mean": latent.mean + _of_outputs(response.offset, "offset"), "std": std}


def counts(response: CountTargets, latent: LatentNodes) -> Outputs:
    """M = exp(log_mean + f + v / 2), and sqrt(M + M^2 (dispersion exp(v) + exp(v) - 1))."""
    limit = table(MOST_LOG_MEAN, in_floats=MOST_LOG_MEAN_OF_FLOATS)
    log_mean = latent.mean + 0.5 * latent.variance + response.log_mean
    mean = exp(smaller(log_mean, limit))
    variance = smaller(latent.variance, limit)
    relative = response.dispersion * exp(variance) + expm1(variance)
    return {"mean": mean, "std": sqrt(mean) * sqrt(1.0 + mean * relative)}


def less_probable(quadrature: Quadrature, mean: Node, variance: Node) -> Node:
    """The probability of the less probable side of a latent value N(mean, variance)."""
    far = named("far", size(mean))
    nodes = named("nodes", table(quadrature.nodes, "node"))
    at_nodes = named("at node", named("std of latent", sqrt(variance)) * nodes - far)
    rest = expit(at_nodes) - ndtr(PROBIT * at_nodes)
    leading = ndtr(-PROBIT * (far / sqrt(1.0 + PROBIT**2 * variance)))
    shares = named("shares", table(quadrature.shares, "node"))
    least = leading + named("rest", total("node", shares * rest))
    least = smaller(larger(least, table(TINY, in_floats=TINY_OF_FLOATS)), 0.5)
    return named("probability of the less probable", least)


def two_classes(response: TwoClasses, latent: LatentNodes) -> Outputs:
    """Class 1 has the probability E sigmoid(f), class 0 the rest."""
    least = less_probable(response.quadrature, latent.mean, latent.variance)
    score = table([-1.0, 1.0], "class") * latent.mean
    probability = where(score > 0.0, 1.0 - least, least)
    number = where(latent.mean > 0.0, 1.0, 0.0)
    return {"probability": probability, "score": score, "class": number}


def one_vs_rest(response: OneVsRest, latent: LatentNodes) -> Outputs:
    """Each class against the others, normalised; odds tell apart what is 1 as a probability."""
    least = less_probable(response.quadrature, latent.mean, latent.variance)
    probable = latent.mean > 0.0
    share = named("share", where(probable, 1.0 - least, least))
    odds = named("odds", (1.0 - least) / least)
    return {
        "probability": share / total("class", share),
        "score": where(probable, odds, 1.0 / odds),
    }


def ordered(response: OrderedClasses, latent: LatentNodes) -> Outputs:
    """Differences of the probabilities of all lower classes; of all higher ones above the mean."""
    apart = named("cut points", table(response.cut_points, "cut")) - latent.mean
    least = less_probable(response.quadrature, apart, latent.variance)
    lower = named("lower", where(apart > 0.0, 1.0 - least, least))
    upper = named("upper", where(apart > 0.0, least, 1.0 - least))
    last = len(response.cut_points)
    here, before = np.minimum(np.arange(last + 1), last - 1), np.maximum(np.arange(-1, last), 0)

    def at(value: Node, cuts: np.ndarray, end: int, at_end: float) -> Node:
        """A value at the cut of each step; one of its ends has no cut."""
        inner = np.arange(last + 1) != end
        outer = table(np.where(inner, 0.0, at_end), "step")
        return take(value, "cut", cuts, "step") * table(inner, "step") + outer

    from_above = at(upper, before, 0, 1.0) - at(upper, here, last, 0.0)
    from_below = at(lower, here, last, 1.0) - at(lower, before, 0, 0.0)
    share = where(at(apart, here, last, 1.0) > 0.0, from_above, from_below)
    share = named("share", larger(share, table(TINY, in_floats=TINY_OF_FLOATS)))
    share = named("probability by step", share / total("step", share))
    return {"probability": take(share, "step", response.place, "class")}


def calibrated(response: CalibratedSoftmax, latent: LatentNodes) -> Outputs:
    """softmax(c f), less certain where f is unusually uncertain."""
    mean, usual = latent.mean, response.usual_variance
    if np.isinf(usual):
        return {"probability": softmax("class", mean), "score": mean}
    n_classes = mean.length("class")
    if "class" in latent.variance.names:
        of_contrast = total("class", latent.variance) / float(n_classes - 1)
    else:
        of_contrast = latent.variance * (n_classes / (n_classes - 1.0))
    unusual = larger(of_contrast, usual)
    ratio = (1.0 + MODERATION * usual) / (1.0 + MODERATION * unusual)
    return {"probability": softmax("class", sqrt(ratio) * mean), "score": mean}


def integrated(response: IntegratedSoftmax, latent: LatentNodes) -> Outputs:
    """E softmax(f), by nodes: f at node j is mean + S(x) node_j."""
    if response.own_weights:
        root = symmetric_root(latent.covariance, "class", "other")
        nodes = named("nodes", table(response.nodes, "node", "other"))
        deviation = named("deviation", total("other", root * nodes))
    else:
        std = sqrt(latent.process_variance)
        if std.names:
            ((process, n), n_classes) = std.axes[0], response.nodes.shape[1]
            std = take(std, process, np.arange(n_classes) % n, "class")
        deviation = std * named("nodes", table(response.nodes, "node", "class"))
    at_nodes = softmax("class", latent.mean + deviation)
    mean = total("node", at_nodes) / float(len(response.nodes))
    return {"probability": named("mean of probabilities", mean)}


RESPONSES: dict[str, Callable[[Any, LatentNodes], Outputs]] = {
    "real": real,
    "varying": varying,
    "counts": counts,
    "two classes": two_classes,
    "one vs rest": one_vs_rest,
    "ordered": ordered,
    "calibrated softmax": calibrated,
    "integrated softmax": integrated,
}


def graph(model: PortableModel, shared: bool = False) -> Outputs:
    """What a model says of a row, by name.

    - of targets "mean" and "std", along the axis "output" where there are several;
    - of classes "probability" and "score" along the axis "class", and "class", the number of the
      most probable class, which is the first whose score is the largest;
    - of a model with covering rows "novelty", from 0 (well known) to 1 (entirely new).

    The inputs are a leaf "x" along the axis "input". Columns that the mean and the error bars have
    in common are one node if they are `shared`; the mean then takes the first of them.
    """
    row = Row(given("x", "input", model.face.n_features))
    axis = "class" if hasattr(model, "classes_") else "output"
    latent = LatentNodes(model.plain, row, axis, shared=shared)
    found = RESPONSES[model.response.kind](model.response, latent)
    if "probability" in found:
        score = found.setdefault("score", found["probability"])
        found.setdefault("class", first_largest("class", score))
    if model.plain.spread.covers:
        found["novelty"] = latent.novelty
    return found
