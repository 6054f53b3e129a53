"""IN WHAT ORDER models are fitted. One verb: `fit(problem, report)`, which gives a list of fits.

    Direct(inference)       run an inference
    Projected(choose)       fit a dense model, choose few columns that follow it, carry it over
    Blockwise(blocks)       a dense model of many rows, from sums over blocks of them, followed
    WithScales(inner)       learn the scales that are free, then `inner`
    Guarded(inner)          `inner`, or a model without columns if numbers leave their range
    Each(inner)             a list of fits, one for each of several targets, at shared scales
    OrDense(sparse, dense)  fits of few plain columns out of many, or of a process of all of them
    Tuned(inner)            `inner` and the parameters of the likelihood, in turn
    Reweighted(inner)       `inner` with rows that count less where they are outliers, in turn
    Varying(inner)          `inner` for the mean and for the log variance of noise, in turn

`procedure_at_scales` and `procedure_with_scales` compose them for an inference.
"""

from __future__ import annotations

import numpy as np

from sparsebayes.inference.inference import Inference
from sparsebayes.inference.loop import Limits
from sparsebayes.likelihoods import Likelihood
from sparsebayes.problem import Problem
from sparsebayes.procedures.blockwise import Blockwise, FromSums, Start
from sparsebayes.procedures.or_dense import OrDense
from sparsebayes.procedures.procedure import Direct, Guarded, Known, Procedure
from sparsebayes.procedures.projected import Projected, Searched, followed, pursued
from sparsebayes.procedures.reweighted import Reweighted
from sparsebayes.procedures.tuned import Tuned
from sparsebayes.procedures.varying import Varying
from sparsebayes.procedures.with_scales import Each, WithScales, scaled
from sparsebayes.rows import Blocks

__all__ = [
    "Blockwise",
    "Direct",
    "Each",
    "FromSums",
    "Guarded",
    "Known",
    "OrDense",
    "Procedure",
    "Projected",
    "Reweighted",
    "Start",
    "Tuned",
    "Varying",
    "WithScales",
    "blockwise_at_scales",
    "check_groups",
    "check_pairing",
    "procedure_at_scales",
    "procedure_with_scales",
    "scaled",
]


def check_pairing(inference: Inference, likelihood: Likelihood) -> None:
    """An error where an inference cannot be used with a likelihood."""
    objection = inference.objection(likelihood)
    if objection is not None:
        ways = dict.fromkeys([likelihood.instead, 'inference="fast"'])
        raise ValueError(
            f"{inference!r} cannot be used with {likelihood.called}: {objection}. "
            f"Use {', or '.join(ways)}."
        )


def check_groups(inference: Inference, problem: Problem) -> None:
    """An error where columns of a group cannot have one precision."""
    if problem.labels is None:
        return
    if not inference.takes_groups:
        raise ValueError(
            f"{inference!r} cannot be used with groups of columns, which have one precision each. "
            'Use inference="fast" without a weight_hyperprior.'
        )
    if problem.layout.n_classes > 1:
        raise ValueError(
            "groups of columns cannot be used with a softmax that has precisions for each class. "
            'Use multi_class="ovr".'
        )


def procedure_at_scales(inference: Inference, limits: Limits) -> Procedure:
    """The fit of an inference at given scales."""
    direct = Direct(inference, limits)
    if inference.fidelity is None:
        return Guarded(Reweighted(Tuned(direct)))
    search = Searched(direct, inference.charges)
    return Guarded(Projected(search, search if search.trusted else pursued, inference.fidelity))


def blockwise_at_scales(inference: Inference, limits: Limits, blocks: Blocks) -> Blockwise:
    """The fit of an inference with a dense model to rows that come in blocks."""
    assert inference.fidelity is not None, "an inference without a dense model needs all rows"
    if not inference.charges:
        return Blockwise(blocks, followed, pursued, inference.fidelity)
    search = Searched(Direct(inference, limits), trusted=True)
    return Blockwise(blocks, search, search, inference.fidelity)


def procedure_with_scales(
    inference: Inference,
    limits: Limits,
    blocks: Blocks | None = None,
    weight: np.ndarray | None = None,
) -> Procedure:
    """The fit of an inference, scales learned first if any are free.

    Parameters
    ----------
    blocks : all rows, where they are many; the problem then has a sample of them
    weight : of the rows while scales are learned; see `scaled`
    """
    if blocks is None:
        return WithScales(procedure_at_scales(inference, limits), weight)
    return WithScales(Guarded(blockwise_at_scales(inference, limits, blocks)), weight)
