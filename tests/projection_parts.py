"""A noisy sinc as a target and as two classes, and a kernel of a given width."""

from __future__ import annotations

import numpy as np

from sparsebayes import Bias, GaussianKernel
from sparsebayes.datasets import noisy_sinc
from sparsebayes.likelihoods import Bernoulli, Gaussian
from sparsebayes.problem import Problem
from sparsebayes.rows import Data

N = 40
GAMMA = 0.15
X, Y = noisy_sinc(N, random_state=0)
LABELS = (np.median(Y) < Y).astype(float)
LABELS[::7] = 1.0 - LABELS[::7]
NEW = np.linspace(-11.0, 11.0, 23)[:, None]
WEIGHT = np.random.default_rng(1).uniform(0.5, 2.0, N)
BASIS = GaussianKernel(width=GAMMA**-0.5) + Bias()
KINDS = {"regression": (Y, Gaussian()), "classification": (LABELS, Bernoulli())}


def kernel(left, right):
    return np.exp(-GAMMA * (left - right.T) ** 2)


def problem(target, likelihood, weight=WEIGHT, inputs=X, **options):
    columns = BASIS.bind(inputs, weight)
    return Problem(Data(inputs, target, weight), columns, likelihood, **options)
