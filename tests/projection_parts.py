"""A noisy sinc as a target and as classes, and a kernel of a given width."""

from __future__ import annotations

import fits
import numpy as np

from sparsebayes import Bias, Fast, GaussianKernel
from sparsebayes.datasets import noisy_sinc
from sparsebayes.dense.fit import fit_dense
from sparsebayes.dense.labels.classes import fit_dense_classes
from sparsebayes.likelihoods import Bernoulli, Gaussian, Multinomial
from sparsebayes.problem import Problem
from sparsebayes.projection import goal_problem
from sparsebayes.rows import Data

N = 40
GAMMA = 0.15
X, Y = noisy_sinc(N, random_state=0)
LABELS = (np.median(Y) < Y).astype(float)
LABELS[::7] = 1.0 - LABELS[::7]
CLASSES = np.digitize(Y, [0.0, 0.4]).astype(float)
CLASSES[::9] = 1.0
NEW = np.linspace(-11.0, 11.0, 23)[:, None]
WEIGHT = np.random.default_rng(1).uniform(0.5, 2.0, N)
BASIS = GaussianKernel(width=GAMMA**-0.5) + Bias()
KINDS = {"regression": (Y, Gaussian()), "classification": (LABELS, Bernoulli())}
SHARED = {"shared softmax": (CLASSES, Multinomial(3))}


def kernel(left, right):
    return np.exp(-GAMMA * (left - right.T) ** 2)


def problem(target, likelihood, weight=WEIGHT, inputs=X, basis=BASIS, **options):
    columns = basis.bind(inputs, weight)
    return Problem(Data(inputs, target, weight), columns, likelihood, **options)


def dense_of(given):
    """The dense model of one latent value, or of several classes."""
    return fit_dense(given) if given.layout.single else fit_dense_classes(given)


def dense_and_sparse(given, fidelity, min_gain=0.0):
    """The dense model of a problem, and a fit to what it says."""
    dense = dense_of(given)
    return dense, fits.fit(Fast(min_gain), goal_problem(given, dense, fidelity))


def spread_at(dense, inputs):
    """Covariance of the latent values of the dense model (n, n)."""
    wide = dense.columns.evaluate(inputs)
    return wide @ dense.posterior.covariance @ wide.T
