"""What a fit leaves behind: plain data, of which the public attributes are views."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sparsebayes._threads import in_one_thread
from sparsebayes.assembly import assemble, assemble_each, restricted
from sparsebayes.basis import Basis
from sparsebayes.columns import (
    NO_INPUT,
    NO_ROW,
    AnyColumns,
    JoinedColumns,
    input_effects,
    inputs_of,
    is_linear,
    linear_effects,
)
from sparsebayes.estimators._asked import Asked
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.state import Fit
from sparsebayes.model.latent import LinearFace, Plain
from sparsebayes.model.predictor import Predictor
from sparsebayes.procedures.advice import worst_outcome
from sparsebayes.targets import Coded, Target, target_of
from sparsebayes.targets.complex import as_complex, halves


@dataclass(frozen=True)
class Fitted:
    """A fitted model.

    Attributes
    ----------
    predictor : columns, weights and response
    basis : the recipe, with widths and scales as numbers
    weight_precision : of each column (m,), or of each column and class or output (m, k)
    relevant : which columns pay (m,)
    log_evidence, lower_bound : summed over fits
    n_precisions : how many precisions the evidence was maximised over, one by one
    histories : of each fit
    outcome : the name of an `Outcome`, which files can hold
    input_relevance : the effect of each input, or None
    squeezed : whether there is one latent value, and y had no axis for it
    missed : variance of what the columns miss of a process, of each output; noise once there is no
        covering (k,)
    inclusion : the probability that each input has a part in the target, or None
    of_complex : whether it stands for one of complex numbers, by their real and imaginary parts
    likelihood : with the parameters that were found
    row_weight : how much each training row counts, where outliers count less (n,)
    """

    predictor: Predictor
    basis: Basis
    weight_precision: np.ndarray
    relevant: np.ndarray
    log_evidence: float
    lower_bound: float
    n_precisions: int
    histories: list
    outcome: str
    input_relevance: np.ndarray | None
    squeezed: bool
    missed: np.ndarray
    inclusion: np.ndarray | None = None
    of_complex: bool = False
    likelihood: Any = None
    row_weight: np.ndarray | None = None

    @property
    def target(self) -> Target:
        """What y is."""
        return target_of(self.likelihood)

    def joined(self, values: Any, how: Callable = as_complex) -> Any:
        """Values of the real parts and of the imaginary parts as one; others as they are."""
        return how(*halves(values)) if self.of_complex else values

    def shaped(self, values: Any) -> Any:
        """Values without their last axis, that of outputs, where y had none."""
        return values[..., 0] if self.squeezed else values

    @property
    def columns(self) -> JoinedColumns:
        """The columns that were kept."""
        return JoinedColumns(self.predictor.plain.columns)

    @property
    def relevant_rows(self) -> np.ndarray:
        """The training rows that relevant columns are centred on."""
        rows = self.columns.centre_rows
        return rows[self.relevant & (rows != NO_ROW)]

    def pruned(self) -> Fitted:
        """Only the columns that pay."""
        kept = np.flatnonzero(self.relevant)
        if len(kept) == len(self.relevant):
            return self
        return replace(
            self,
            predictor=replace(self.predictor, plain=restricted(self.predictor.plain, kept)),
            weight_precision=self.weight_precision[kept],
            relevant=self.relevant[kept],
        )

    def without_covering(self) -> Fitted:
        """The error bars of the weights, and what they miss as noise."""
        if not self.predictor.plain.spread.covers:
            return self
        predictor = self.predictor.without_covering(self.missed)
        return replace(self, predictor=predictor, missed=np.zeros_like(self.missed))


def fitted(fits: list[Fit], asked: Asked, coded: Coded, basis: Basis) -> Fitted:
    """The record of one fit, or of one for each class or output."""
    target, inference = asked.target, asked.inference
    fits = [target.noise.read(fit, inference.fidelity is None) for fit in fits]
    response = target.response(fits, coded, inference)
    fits = fits[:1] if target.varies else fits
    likelihood = fits[0].problem.likelihood if target.finds else coded.likelihood
    assembly = assemble(fits[0]) if len(fits) == 1 else assemble_each(fits)
    predictor = Predictor(assembly.plain, response)
    return Fitted(
        predictor,
        basis.resolved(assembly.columns),
        assembly.weight_precision,
        assembly.relevant,
        sum(fit.log_evidence for fit in fits),
        sum(fit.lower_bound for fit in fits),
        sum(fit.n_precisions for fit in fits),
        [fit.history for fit in fits],
        worst_outcome(fits).name,
        _input_relevance(assembly.plain, assembly.columns, fits[0].problem.data.inputs),
        coded.squeezed,
        np.array([fit.missed for fit in fits]),
        inclusion_of(fits, inference),
        asked.of_complex,
        likelihood,
        _row_weight(predictor, coded, likelihood) if target.weighs_rows else None,
    )


def _row_weight(predictor: Predictor, coded: Coded, likelihood: Any) -> np.ndarray:
    """How much each row counts, by how far off it is (n,)."""
    mean, variance = in_one_thread(predictor.latent_moments, coded.rows.inputs)
    square = (coded.rows.target - coded.offset - mean[:, 0]) ** 2 + variance[:, 0]
    return likelihood.row_weight(square)


def _input_relevance(plain: Plain, columns: AnyColumns, inputs: Any) -> np.ndarray | None:
    """Which inputs matter, where each has a scale that was learned, or the model is linear."""
    if is_linear(columns):
        face = LinearFace(plain, inputs.shape[1])
        return in_one_thread(lambda: linear_effects(face.coefficients, inputs))
    free = [kind.free for kind in columns.kinds if kind.free is not None]
    if not any(each.of_inputs for each in free):
        return None
    return input_effects(columns, plain.weights, inputs)


def inclusion_of(fits: list[Fit], inference: Inference) -> np.ndarray | None:
    """The probability that each input has a part in any of the targets, where columns are inputs.

    A constant may be beside them.
    """
    problem = fits[0].problem
    inputs = inputs_of(problem.columns)
    found = [] if inputs is None else [in_one_thread(inference.inclusion, fit) for fit in fits]
    if inputs is None or any(each is None for each in found):
        return None
    absent = np.ones(problem.data.inputs.shape[1])
    for each in found:
        np.multiply.at(absent, inputs[inputs != NO_INPUT], 1.0 - each[inputs != NO_INPUT])
    return 1.0 - absent
