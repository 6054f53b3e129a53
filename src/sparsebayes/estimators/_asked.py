"""What the parameters of an estimator ask for. Each of them is checked here, once for a fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sparsebayes.basis import Basis, Bias
from sparsebayes.estimators._checks import check_limits
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.loop import Limits
from sparsebayes.targets import Target


@dataclass(frozen=True)
class Asked:
    """What was asked for.

    Attributes
    ----------
    basis : as the parameters say
    inference : how columns and precisions are found
    inference_given : as the parameter says it, for errors
    limits : when a fit ends
    target : what y is to be
    completes : whether a basis without a constant is given a bias
    of_complex : whether rows are the real and the imaginary parts of complex ones
    """

    basis: Basis
    inference: Inference
    inference_given: Any
    limits: Limits
    target: Target
    completes: bool = False
    of_complex: bool = False

    def basis_over(self, inputs: Any) -> Basis:
        """The basis, with a bias if it is to have one.

        Parameters
        ----------
        inputs : of the training rows; None where they are not in memory
        """
        if self.completes and self.basis.lacks_constant(inputs):
            return self.basis + Bias()
        return self.basis


def asked_of(estimator: Any) -> Asked:
    """What an estimator is asked for; an error for a parameter that is wrong."""
    limits = check_limits(estimator)
    basis, completes = estimator._make_basis(), estimator._completes()
    inference = estimator._make_inference(basis)
    target = estimator._make_target(inference)
    return Asked(basis, inference, estimator.inference, limits, target, completes)
