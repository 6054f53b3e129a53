"""What responses make of latent values, as SQL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.export.sql.dialects import ZERO, most, total
from sparsebayes.export.sql.integrals import put_less_probable, put_mean_softmax, put_softmax
from sparsebayes.export.sql.latent import SqlLatent
from sparsebayes.portable import NotPortableError
from sparsebayes.portable.responses import (
    MODERATION,
    CalibratedSoftmax,
    ClassResponse,
    IntegratedSoftmax,
    OneVsRest,
    Quadrature,
    RealTargets,
    TwoClasses,
)


@dataclass(frozen=True)
class Classes:
    """Expressions: scores, of which the largest is that of the label, and probabilities."""

    scores: list[str]
    probabilities: list[str]


def put_targets(response: RealTargets, latent: SqlLatent) -> tuple[list[str], list[str]]:
    """Expressions of the means, and of the standard deviations where there are variances."""
    number = latent.writer.number
    means = [f"{f} + {number(b)}" for f, b in zip(latent.means, response.offset, strict=True)]
    if not latent.process_variances:
        return means, []
    noise = response.noise_std**2
    return means, [f"sqrt({latent.variance(k)} + {number(v)})" for k, v in enumerate(noise)]


def put_classes(response: ClassResponse, latent: SqlLatent) -> Classes:
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


CLASSES: dict[type, Callable[[Any, SqlLatent], Classes]] = {
    TwoClasses: _two_classes,
    OneVsRest: _one_vs_rest,
    CalibratedSoftmax: _calibrated,
    IntegratedSoftmax: _integrated,
}
