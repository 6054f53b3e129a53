"""Our estimators, as the studies build them. Every constructor call of the library is here.

`fast`, `variational` and so on are names of inferences; `tuning` holds the parameters of an
inference, such as `{"min_gain": 2.0}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sparsebayes import (
    EM,
    RVC,
    RVR,
    Bias,
    EvidenceSearch,
    Fast,
    GaussianKernel,
    Linear,
    Mackay,
    Polynomial,
    Projection,
    SparseBayesClassifier,
    SparseBayesRegressor,
    Variational,
)

Tuning = Mapping[str, Any] | None
# How the papers have a bias: a column with a precision of its own.
PAPER_BIAS: dict[str, Any] = {"fit_intercept": "column"}
NO_BIAS: dict[str, Any] = {"fit_intercept": False}
INFERENCES: dict[str, Any] = {
    "fast": Fast,
    "mackay": Mackay,
    "em": EM,
    "variational": Variational,
    "projection": Projection,
}


def _inferred(inference: str, tuning: Tuning) -> dict[str, Any]:
    """The inference of this name, tuned."""
    return {"inference": INFERENCES[inference](**(tuning or {}))}


def default(is_regression: bool, **settings):
    """`RVR()` or `RVC()`, with nothing chosen but perhaps these settings."""
    return RVR(**settings) if is_regression else RVC(**settings)


def rvr(inference: str = "fast", tuning: Tuning = None, **settings) -> RVR:
    """An RVR with this inference."""
    return RVR(**_inferred(inference, tuning), **settings)


def rvc(inference: str = "fast", tuning: Tuning = None, **settings) -> RVC:
    """An RVC with this inference."""
    return RVC(**_inferred(inference, tuning), **settings)


def machine(is_regression: bool, inference: str = "fast", tuning: Tuning = None, **settings):
    """An RVR or an RVC."""
    return (rvr if is_regression else rvc)(inference, tuning, **settings)


def paper_rvr(inference: str = "fast", tuning: Tuning = None, **settings) -> RVR:
    """The RVM of the papers for regression, with their bias."""
    return rvr(inference, tuning, **{**PAPER_BIAS, **settings})


def paper_rvc(inference: str = "fast", tuning: Tuning = None, **settings) -> RVC:
    """The RVM of the papers for two classes, with their bias."""
    return rvc(inference, tuning, **{**PAPER_BIAS, **settings})


def paper_machine(is_regression: bool, inference: str = "fast", **settings):
    """The RVM of the papers, as the targets need it."""
    return (paper_rvr if is_regression else paper_rvc)(inference, **settings)


def several_outputs(kind: str, **settings) -> RVR:
    """An RVR for several outputs: "shared" or "separate"."""
    return rvr(multi_output=kind, **settings)


def linear(is_regression: bool, inference: str = "fast", tuning: Tuning = None, **settings):
    """The inputs themselves as columns, without a bias."""
    kind = SparseBayesRegressor if is_regression else SparseBayesClassifier
    return kind(Linear(), **{**_inferred(inference, tuning), **NO_BIAS, **settings})


def kernels_and_inputs(is_regression: bool, inference: str = "fast", tuning: Tuning = None):
    """Gaussian kernels with a scale for each input, the inputs, and a bias."""
    basis = GaussianKernel(input_scale="learn") + Linear() + Bias()
    kind = SparseBayesRegressor if is_regression else SparseBayesClassifier
    return kind(basis, **_inferred(inference, tuning))


def kernels_and_products() -> SparseBayesRegressor:
    """Gaussian kernels with a scale for each input, products of inputs, and a bias. [T01] 4.3"""
    basis = GaussianKernel(input_scale="learn") + Polynomial(2) + Bias(centre_target=False)
    return SparseBayesRegressor(basis, **_inferred("fast", None))


def two_widths(with_inputs: bool = False, tuning: Tuning = None) -> SparseBayesRegressor:
    """Kernels of the learned width and of twice that, a bias, and perhaps the inputs."""
    kernels = GaussianKernel(width=[1.0, 2.0], input_scale="learn")
    basis = kernels + Linear() + Bias() if with_inputs else kernels + Bias()
    return SparseBayesRegressor(basis, **_inferred("fast", tuning))


def evidence_search(model, gammas, criterion: str) -> EvidenceSearch:
    """A search over widths by evidence, without a last fit."""
    return EvidenceSearch(model, {"gamma": list(gammas)}, criterion=criterion, refit=False)


def learned_scales(model) -> tuple[Any, Any]:
    """Scale of each input and width of the Gaussian kernel in a fitted sum of bases."""
    kernel = dict(model.basis_.parts)["gaussiankernel"]
    return kernel.input_scale, kernel.width
