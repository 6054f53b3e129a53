"""The fitted model without scikit-learn: what it says of new rows.

A `Predictor` has three parts:

- columns: those that were kept, functions of the inputs;
- weights: the posterior of their weights, which gives the latent values f = phi'w of a row;
- a response: how the latent values of a row become a target.

Weights are `SharedWeights`, `IndependentWeights` or `FullWeights`; responses are
`GaussianResponse`, `VaryingResponse`, `CountResponse`, `TwoClasses`, `OneVsRest`,
`OrderedResponse`, `SoftmaxResponse` or `CalibratedSoftmax`. Any weights go with any response that
has as many latent values. Predictions are made in blocks of rows, and the columns are evaluated
once for each row. Results have a last axis for the outputs or the classes, even if there is one.
"""

from sparsebayes.predictors.assembly import Assembly, assemble, assemble_each
from sparsebayes.predictors.binary import OneVsRest, TwoClasses
from sparsebayes.predictors.counts import CountResponse
from sparsebayes.predictors.gaussian import GaussianResponse
from sparsebayes.predictors.input_effects import Effort, input_effects, linear_effects
from sparsebayes.predictors.linear import NO_INPUT, LinearFace, inputs_of, is_linear
from sparsebayes.predictors.ordered import OrderedResponse
from sparsebayes.predictors.predictor import Predictor
from sparsebayes.predictors.softmax import CalibratedSoftmax, SoftmaxResponse
from sparsebayes.predictors.varying import VaryingResponse
from sparsebayes.predictors.weights import (
    FullWeights,
    IndependentWeights,
    Moments,
    SharedWeights,
    Weights,
)

__all__ = [
    "NO_INPUT",
    "Assembly",
    "CalibratedSoftmax",
    "CountResponse",
    "Effort",
    "FullWeights",
    "GaussianResponse",
    "IndependentWeights",
    "LinearFace",
    "Moments",
    "OneVsRest",
    "OrderedResponse",
    "Predictor",
    "SharedWeights",
    "SoftmaxResponse",
    "TwoClasses",
    "VaryingResponse",
    "Weights",
    "assemble",
    "assemble_each",
    "input_effects",
    "inputs_of",
    "is_linear",
    "linear_effects",
]
