"""What responses make of latent values, as SQL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.export.sql.columns import LEAST_EXPONENT, Writer
from sparsebayes.export.sql.dialects import ZERO, most, total
from sparsebayes.export.sql.integrals import put_less_probable, put_mean_softmax, put_softmax
from sparsebayes.export.sql.latent import SqlLatent, put_latent
from sparsebayes.model import NotPortableError
from sparsebayes.model.counts import MOST_LOG_MEAN, CountTargets
from sparsebayes.model.ordered import OrderedClasses
from sparsebayes.model.responses import (
    MODERATION,
    CalibratedSoftmax,
    IntegratedSoftmax,
    OneVsRest,
    Quadrature,
    RealTargets,
    TwoClasses,
)
from sparsebayes.model.special import TINY
from sparsebayes.model.varying import VaryingTargets

# The mean of these depends on the variance of latent values.
OF_UNCERTAIN_MEAN = (CountTargets,)
# The exponential of a smaller one is next to nothing.
LEAST_LOG_MEAN = -700.0
# exp(v) - 1 of a smaller v counts as 0, as a product with it may be an error.
LEAST_VARIANCE = 1e-100


@dataclass(frozen=True)
class Classes:
    """Expressions: scores, of which the largest is that of the label, and probabilities."""

    scores: list[str]
    probabilities: list[str]


def put_targets(response: Any, latent: SqlLatent) -> tuple[list[str], list[str]]:
    """Expressions of the means, and of the standard deviations where there are variances."""
    return TARGETS[type(response)](response, latent)


def _real_targets(response: RealTargets, latent: SqlLatent) -> tuple[list[str], list[str]]:
    number = latent.writer.number
    means = [f"{f} + {number(b)}" for f, b in zip(latent.means, response.offset, strict=True)]
    if not latent.process_variances:
        return means, []
    noise = response.noise_std**2
    return means, [f"sqrt({latent.variance(k)} + {number(v)})" for k, v in enumerate(noise)]


def _counts(response: CountTargets, latent: SqlLatent) -> tuple[list[str], list[str]]:
    """M = exp(log_mean + f + v / 2), and sqrt(M) sqrt(1 + M (dispersion exp(v) + exp(v) - 1))."""
    writer, chain, number = latent.writer, latent.writer.chain, latent.writer.number
    (f,), v = latent.means, latent.variance(0)
    chain.stage("logarithms")
    log_mean = chain.put("log", f"{f} + {number(response.log_mean)} + 0.5e0 * {v}")
    variance = chain.put("log", v)
    log_mean, v = _put_within(writer, [log_mean, variance], LEAST_LOG_MEAN, MOST_LOG_MEAN)
    chain.stage("counts")
    mean = chain.put("count", writer.dialect.exp(log_mean, LEAST_EXPONENT))
    tangent = chain.put("t", f"CASE WHEN {v} < 1e0 THEN tanh(0.5e0 * {v}) ELSE 0e0 END")
    power = chain.put("e", f"exp({v})")
    chain.stage("relative")
    small = f"WHEN {v} < {number(LEAST_VARIANCE)} THEN 0e0"
    more = f"CASE {small} WHEN {v} < 1e0 THEN 2e0 * {tangent} / (1e0 - {tangent})"
    more = f"{more} ELSE {power} - 1e0 END"
    relative = chain.put("relative", f"{number(response.dispersion)} * {power} + {more}")
    return [mean], [f"sqrt({mean}) * sqrt(1e0 + {mean} * {relative})"]


def _varying(response: VaryingTargets, latent: SqlLatent) -> tuple[list[str], list[str]]:
    """The variance of the noise is exp(log_mean + g + v / 2), g being a model of its own."""
    writer, chain, number = latent.writer, latent.writer.chain, latent.writer.number
    means = [f"{latent.means[0]} + {number(response.offset[0])}"]
    if not latent.process_variances:
        return means, []
    noise = put_latent(writer, response.noise, True)
    chain.stage("logarithms")
    half = f"0.5e0 * {noise.variance(0)}"
    exponent = chain.put("log", f"{noise.means[0]} + {number(response.log_mean)} + {half}")
    (exponent,) = _put_within(writer, [exponent], *map(float, response.limits))
    return means, [f"sqrt({latent.variance(0)} + exp({exponent}) + {number(response.more)})"]


def _put_within(writer: Writer, names: list[str], least: float, most_of_all: float) -> list[str]:
    """The same exponents, none of which is below or above these."""
    low, high = writer.number(least), writer.number(most_of_all)
    writer.chain.stage("within")
    return [
        writer.chain.put(
            "log", f"CASE WHEN {x} < {low} THEN {low} WHEN {x} > {high} THEN {high} ELSE {x} END"
        )
        for x in names
    ]


def put_classes(response: Any, latent: SqlLatent) -> Classes:
    """SELECTs for the probabilities of classes."""
    return CLASSES[type(response)](response, latent)


def put_label(latent: SqlLatent, scores: list[str], labels: list[str]) -> str:
    """The first label whose score is the largest."""
    chain = latent.writer.chain
    chain.stage("scores")
    names = [chain.put("score", each) for each in scores]
    chain.stage("best")
    best = chain.put("best", most(latent.writer.dialect, names))
    pairs = zip(names, labels, strict=True)
    return f"CASE {' '.join(f'WHEN {name} = {best} THEN {label}' for name, label in pairs)} END"


def _two_classes(response: TwoClasses, latent: SqlLatent) -> Classes:
    (least,) = _less_probable(response.quadrature, latent)
    (mean,) = latent.means
    more = f"1e0 - {least}"
    probabilities = [_by_sign(mean, least, more, "0.5e0"), _by_sign(mean, more, least, "0.5e0")]
    return Classes([ZERO, mean], probabilities)


def _one_vs_rest(response: OneVsRest, latent: SqlLatent) -> Classes:
    chain = latent.writer.chain
    pairs = list(zip(latent.means, _less_probable(response.quadrature, latent), strict=True))
    chain.stage("odds")
    # Odds tell apart what is 1 as a probability.
    odds = [_by_sign(f, f"(1e0 - {p}) / {p}", f"{p} / (1e0 - {p})", "1e0") for f, p in pairs]
    shares = [chain.put("share", _by_sign(f, f"1e0 - {p}", p, "0.5e0")) for f, p in pairs]
    scores = [chain.put("odds", each) for each in odds]
    chain.stage("total")
    of_all = chain.put("sum", total(shares))
    return Classes(scores, [f"{each} / {of_all}" for each in shares])


def _ordered(response: OrderedClasses, latent: SqlLatent) -> Classes:
    """Differences of the probabilities of all lower classes; of all higher ones above the mean."""
    writer, chain, number = latent.writer, latent.writer.chain, latent.writer.number
    (f,), variance = latent.means, latent.variance(0)
    chain.stage("distances")
    apart = [chain.put("distance", f"{number(cut)} - {f}") for cut in response.cut_points]
    least = [put_less_probable(writer, response.quadrature, d, variance) for d in apart]
    pairs = list(zip(apart, least, strict=True))
    chain.stage("sides")
    lower = [chain.put("lower", _by_sign(d, f"1e0 - {p}", p, "0.5e0")) for d, p in pairs]
    upper = [chain.put("upper", _by_sign(d, p, f"1e0 - {p}", "0.5e0")) for d, p in pairs]
    below, above = ["0e0", *lower], ["1e0", *upper]
    chain.stage("shares")
    rows = zip(apart, lower, upper, below, above, strict=False)
    found = [_by_sign(d, f"{a} - {u}", f"{lo} - {b}", f"{lo} - {b}") for d, lo, u, b, a in rows]
    largest, tiny = writer.dialect.largest, number(TINY)
    shares = [chain.put("share", f"{largest}({each}, {tiny})") for each in (*found, above[-1])]
    chain.stage("total")
    of_all = chain.put("sum", total(shares))
    probabilities = [f"{shares[place]} / {of_all}" for place in response.place]
    return Classes(probabilities, probabilities)


def _less_probable(quadrature: Quadrature, latent: SqlLatent) -> list[str]:
    return [
        put_less_probable(latent.writer, quadrature, mean, latent.variance(k))
        for k, mean in enumerate(latent.means)
    ]


def _by_sign(mean: str, above: str, below: str, at_zero: str) -> str:
    return f"CASE WHEN {mean} > 0e0 THEN {above} WHEN {mean} < 0e0 THEN {below} ELSE {at_zero} END"


def _calibrated(response: CalibratedSoftmax, latent: SqlLatent) -> Classes:
    usual, means = response.usual_variance, latent.means
    if np.isinf(usual):
        return Classes(means, put_softmax(latent.writer, means))
    chain, number, largest = (
        latent.writer.chain,
        latent.writer.number,
        latent.writer.dialect.largest,
    )
    variances = [latent.variance(k) for k in range(len(means))]
    of_contrast = f"{total(variances)} / {number(len(means) - 1)}"
    chain.stage("certainty")
    unusual = f"1e0 + {number(MODERATION)} * {largest}({of_contrast}, {number(usual)})"
    ratio = chain.put("c", f"sqrt({number(1.0 + MODERATION * usual)} / ({unusual}))")
    return Classes(means, put_softmax(latent.writer, [f"{ratio} * {f}" for f in means]))


def _integrated(response: IntegratedSoftmax, latent: SqlLatent) -> Classes:
    if response.own_weights:
        raise NotPortableError(
            "the model is a softmax whose classes have weights of their own: its probabilities "
            "take a matrix root for each row, which SQL cannot do. Fit RVC with the default "
            'inference="projection", or with multi_class="ovr" or "shared_softmax"; ONNX and C '
            "can hold this model."
        )
    latent.writer.chain.stage("deviation")
    deviation = latent.writer.chain.put("deviation", f"sqrt({latent.process_variances[0]})")
    shares = put_mean_softmax(latent.writer, latent.means, deviation, response.nodes)
    return Classes(shares, shares)


TARGETS: dict[type, Callable[[Any, SqlLatent], tuple[list[str], list[str]]]] = {
    RealTargets: _real_targets,
    CountTargets: _counts,
    VaryingTargets: _varying,
}
CLASSES: dict[type, Callable[[Any, SqlLatent], Classes]] = {
    TwoClasses: _two_classes,
    OneVsRest: _one_vs_rest,
    OrderedClasses: _ordered,
    CalibratedSoftmax: _calibrated,
    IntegratedSoftmax: _integrated,
}
