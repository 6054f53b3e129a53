"""How latent values become targets, in C."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.export.c.layout import Layout
from sparsebayes.export.c.source import responses as c
from sparsebayes.export.c.source.matrices import SYMMETRIC_ROOT
from sparsebayes.export.c.writing import Table
from sparsebayes.model import NotPortableError, PortableModel
from sparsebayes.model.counts import CountTargets
from sparsebayes.model.latent import Plain
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
from sparsebayes.model.varying import VaryingTargets

# What only error bars need is left out; these have no class without them.
NO_CLASS = (
    "the most probable class of this model, {what}, depends on the error bars of its latent "
    "values, so std=False leaves nothing to write. Use std=True, or a model of two classes, or "
    'multi_class="softmax" with inference="projection".'
)
NO_ORDERED_CLASS = (
    "the most probable of classes in an order depends on the error bars of the latent value, so "
    'std=False leaves nothing to write. Use std=True, or likelihood="categorical".'
)


@dataclass(frozen=True)
class ResponseCode:
    """A response in C.

    Parameters
    ----------
    wants : what it needs of the spread, see `SpreadCode`
    code : functions
    tables : that they read
    sizes : macros
    answers : which of `selftest.ANSWERS` the functions give
    noise : what gives the latent value of the noise, where that is a model of its own
    """

    wants: str
    code: tuple[str, ...]
    tables: tuple[Table, ...]
    sizes: dict[str, int]
    answers: tuple[str, ...]
    noise: Plain | None = None


def response_code(model: PortableModel, layout: Layout, std: bool) -> ResponseCode:
    """The response of a model."""
    return RESPONSES[type(model.response)](model.response, layout, std)


def _real_targets(response: RealTargets, layout: Layout, std: bool) -> ResponseCode:
    sizes = {"N_OUTPUTS": len(response.offset)}
    offset = Table("model_offset", response.offset)
    if not std:
        return ResponseCode("", (c.MEAN,), (offset,), sizes, ("mean",))
    spread = layout.plain.spread
    tables = (offset, Table("model_noise_variance", response.noise_std**2))
    if np.array_equal(spread.process, np.arange(len(spread.roots))) and np.all(spread.factor == 1):
        return ResponseCode("variance", (c.MEAN, c.STD), tables, sizes, ("mean", "std"))
    code = (c.MEAN, c.STD_OF_PROCESSES)
    return ResponseCode("variance", code, (*tables, *of_latents(layout)), sizes, ("mean", "std"))


def _counts(response: CountTargets, layout: Layout, std: bool) -> ResponseCode:
    """The mean needs the variance as well."""
    numbers = Table("model_count", np.array([response.log_mean, response.dispersion]))
    tables, sizes = (numbers, *of_latents(layout)), {"N_OUTPUTS": 1}
    if not std:
        return ResponseCode("variance", (c.COUNTS,), tables, sizes, ("mean",))
    code = (c.COUNTS, c.STD_OF_COUNTS)
    return ResponseCode("variance", code, tables, sizes, ("mean", "std"))


def _varying(response: VaryingTargets, layout: Layout, std: bool) -> ResponseCode:
    sizes = {"N_OUTPUTS": 1}
    offset = Table("model_offset", response.offset)
    if not std:
        return ResponseCode("", (c.MEAN,), (offset,), sizes, ("mean",))
    numbers = np.array([response.log_mean, response.more, *response.limits])
    tables = (offset, Table("model_varying", numbers), *of_latents(layout))
    code = (c.MEAN, c.STD_OF_VARYING)
    return ResponseCode("variance", code, tables, sizes, ("mean", "std"), response.noise)


def of_latents(layout: Layout) -> tuple[Table, ...]:
    """Which process a latent value is of, and the factor of its variance."""
    spread = layout.plain.spread
    return Table("model_process", spread.process), Table("model_factor", spread.factor)


def _quadrature(rule: Quadrature, layout: Layout) -> tuple[tuple[Table, ...], dict[str, int]]:
    tables = (Table("model_nodes", rule.nodes), Table("model_shares", rule.shares))
    return (*tables, *of_latents(layout)), {"N_NODES": len(rule.nodes)}


def _two_classes(response: TwoClasses, layout: Layout, std: bool) -> ResponseCode:
    sizes = {"N_CLASSES": 2}
    if not std:
        return ResponseCode("", (c.CLASS_OF_TWO,), (), sizes, ("class",))
    tables, more = _quadrature(response.quadrature, layout)
    code = (c.LEAST, c.TWO_CLASSES, c.CLASS_OF_TWO)
    return ResponseCode("variance", code, tables, sizes | more, ("probability", "class"))


def _one_vs_rest(response: OneVsRest, layout: Layout, std: bool) -> ResponseCode:
    if not std:
        raise NotPortableError(NO_CLASS.format(what="one against the rest"))
    tables, more = _quadrature(response.quadrature, layout)
    sizes = {"N_CLASSES": layout.plain.weights.shape[1], **more}
    code = (c.LEAST, c.LARGEST, c.ONE_VS_REST)
    return ResponseCode("variance", code, tables, sizes, ("probability", "class"))


def _ordered(response: OrderedClasses, layout: Layout, std: bool) -> ResponseCode:
    if not std:
        raise NotPortableError(NO_ORDERED_CLASS)
    tables, more = _quadrature(response.quadrature, layout)
    tables += (Table("model_cut_points", response.cut_points), Table("model_place", response.place))
    sizes = {"N_CLASSES": len(response.place), **more}
    code = (c.LEAST, c.ORDERED, c.LARGEST, c.CLASS_OF_PROBABILITIES)
    return ResponseCode("variance", code, tables, sizes, ("probability", "class"))


def _calibrated(response: CalibratedSoftmax, layout: Layout, std: bool) -> ResponseCode:
    sizes = {"N_CLASSES": layout.plain.weights.shape[1]}
    of_mean = (c.LARGEST, c.CLASS_OF_MEANS)
    if np.isinf(response.usual_variance):
        code = (c.SOFTMAX, c.SOFTMAX_OF_MEANS, *of_mean)
        return ResponseCode("", code, (), sizes, ("probability", "class"))
    if not std:
        return ResponseCode("", of_mean, (), sizes, ("class",))
    spread, usual = layout.plain.spread, response.usual_variance
    share = np.bincount(spread.process, spread.factor, minlength=len(spread.roots))
    tables = (
        Table("model_contrast", share / (sizes["N_CLASSES"] - 1)),
        Table("model_usual", np.array([usual, 1.0 + MODERATION * usual, MODERATION])),
    )
    code = (c.SOFTMAX, c.CALIBRATED_SOFTMAX, *of_mean)
    return ResponseCode("variance", code, tables, sizes, ("probability", "class"))


def _integrated(response: IntegratedSoftmax, layout: Layout, std: bool) -> ResponseCode:
    if not std:
        raise NotPortableError(NO_CLASS.format(what="an average over uncertain latent values"))
    sizes = {"N_CLASSES": response.nodes.shape[1], "N_NODES": len(response.nodes)}
    tables = (Table("model_nodes", response.nodes),)
    wants, average = "variance", c.INTEGRATED_BY_VARIANCE
    if response.own_weights:
        wants, average = "covariance", SYMMETRIC_ROOT + c.INTEGRATED_BY_COVARIANCE
    code = (c.SOFTMAX, average, c.LARGEST, c.CLASS_OF_PROBABILITIES)
    return ResponseCode(wants, code, tables, sizes, ("probability", "class"))


RESPONSES: dict[type, Callable[[Any, Layout, bool], ResponseCode]] = {
    RealTargets: _real_targets,
    CountTargets: _counts,
    VaryingTargets: _varying,
    TwoClasses: _two_classes,
    OneVsRest: _one_vs_rest,
    OrderedClasses: _ordered,
    CalibratedSoftmax: _calibrated,
    IntegratedSoftmax: _integrated,
}
