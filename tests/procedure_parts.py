"""Problems with free scales for the procedures, one of each likelihood."""

from __future__ import annotations

import numpy as np

from sparsebayes import EM, Bias, Fast, GaussianKernel, Mackay, Projection, Variational
from sparsebayes.inference.loop import Limits
from sparsebayes.likelihoods import Bernoulli, Gaussian, Gaussians, Multinomial, Softmax
from sparsebayes.problem import Problem
from sparsebayes.rows import Data

N = 40
LIMITS = Limits(tol=1e-2)
RANDOM = np.random.default_rng(0)
X = RANDOM.uniform(-1.0, 1.0, (N, 2))
SIGNAL = np.sin(3.0 * X[:, 0]) + 0.5 * X[:, 1]
Y = SIGNAL + RANDOM.normal(0.0, 0.1, N)
OUTPUTS = np.column_stack([Y, X[:, 0] * X[:, 1] + RANDOM.normal(0.0, 0.1, N)])
LABELS = (SIGNAL + RANDOM.normal(0.0, 0.3, N) > 0.0).astype(float)
SEVERAL = np.digitize(Y, [-0.5, 0.5]).astype(float)
TARGETS = {
    "gaussian": (Y, Gaussian()),
    "fixed noise": (Y, Gaussian(0.1)),
    "outputs": (OUTPUTS, Gaussians(2)),
    "bernoulli": (LABELS, Bernoulli()),
    "softmax": (SEVERAL, Softmax(3)),
    "shared softmax": (SEVERAL, Multinomial(3)),
}
INFERENCES = [Fast(), Mackay(), EM(), Variational(), Projection()]
LEARNED = GaussianKernel(input_scale="learn") + Bias()
GIVEN = GaussianKernel(1.0) + Bias()
PAIRS = [
    (inference, name)
    for inference in INFERENCES
    for name, (_, likelihood) in TARGETS.items()
    if inference.objection(likelihood) is None
]


def problem(name, basis=LEARNED):
    target, likelihood = TARGETS[name]
    return Problem(Data(X, target, np.ones(N)), basis.bind(X, np.ones(N)), likelihood)
