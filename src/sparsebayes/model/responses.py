"""All responses: how the latent values of a model become a target, one class for each target."""

from sparsebayes.model.classes import (
    MODERATION,
    CalibratedSoftmax,
    IntegratedSoftmax,
    OneVsRest,
    TwoClasses,
)
from sparsebayes.model.counts import CountTargets
from sparsebayes.model.ordered import OrderedClasses
from sparsebayes.model.real import RealTargets
from sparsebayes.model.response import PROBIT, Quadrature
from sparsebayes.model.varying import VaryingTargets

RESPONSES = (
    *(RealTargets, CountTargets, VaryingTargets),
    *(TwoClasses, OneVsRest, OrderedClasses, CalibratedSoftmax, IntegratedSoftmax),
)

__all__ = [
    "MODERATION",
    "PROBIT",
    "RESPONSES",
    "CalibratedSoftmax",
    "CountTargets",
    "IntegratedSoftmax",
    "OneVsRest",
    "OrderedClasses",
    "Quadrature",
    "RealTargets",
    "TwoClasses",
    "VaryingTargets",
]
