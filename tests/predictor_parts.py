"""Weights of every kind with the covariance of all of them written out, and columns to go with."""

from dataclasses import dataclass, field, replace

import numpy as np

from sparsebayes import Bias, GaussianKernel
from sparsebayes.dense.covering import CoveringRule, covering_of, joined
from sparsebayes.dense.fit import fit_dense
from sparsebayes.dense.parts import groups
from sparsebayes.likelihoods import Gaussian
from sparsebayes.predictors import FullWeights, IndependentWeights, SharedWeights
from sparsebayes.predictors.predictor import Latent
from sparsebayes.problem import Problem
from sparsebayes.rows import Data


@dataclass(frozen=True)
class Chosen:
    """Columns that are the inputs with these numbers; `seen` gathers the rows of each call."""

    numbers: np.ndarray
    seen: list = field(default_factory=list, compare=False)

    @property
    def n_columns(self):
        return len(self.numbers)

    def evaluate(self, inputs, active=None):
        self.seen.append(inputs.shape[0])
        return inputs[:, self.numbers]

    def keep(self, kept):
        return Chosen(self.numbers[kept])


N_COLUMNS, N_ROWS = 4, 11
COLUMNS = Chosen(np.arange(N_COLUMNS))
DESIGN = np.random.default_rng(7).normal(size=(N_ROWS, N_COLUMNS))


def latent_at(weights, design):
    """Latent values of rows whose columns are their inputs."""
    return Latent(weights, design, design)


def shared(n_latent, seed=0):
    """Its weights, and their covariance (m k, m k), the latent values outermost."""
    random = np.random.default_rng(seed)
    root = random.normal(size=(N_COLUMNS, N_COLUMNS))
    half = random.normal(size=(n_latent, n_latent))
    between = half @ half.T if n_latent > 1 else np.eye(1)
    weights = SharedWeights(random.normal(size=(N_COLUMNS, n_latent)), root, between)
    return weights, np.kron(between, root @ root.T)


def independent(n_latent, seed=0):
    """Its weights, and their covariance (m k, m k), the latent values outermost."""
    random = np.random.default_rng(seed)
    mean = np.zeros((N_COLUMNS, n_latent))
    covariance = np.zeros((N_COLUMNS * n_latent,) * 2)
    positions, roots = [], []
    for k in range(n_latent):
        position = random.permutation(N_COLUMNS)[: 2 + k % 3]
        root = random.normal(size=(len(position), len(position)))
        mean[position, k] = random.normal(size=len(position))
        places = k * N_COLUMNS + position
        covariance[np.ix_(places, places)] = root @ root.T
        positions.append(position)
        roots.append(root)
    return IndependentWeights(mean, tuple(positions), tuple(roots)), covariance


def full(n_latent, seed=0):
    """Its weights, and their covariance (m k, m k), the latent values outermost."""
    random = np.random.default_rng(seed)
    there = random.permutation(N_COLUMNS * n_latent)[: N_COLUMNS * n_latent - n_latent]
    label, position = np.divmod(there, N_COLUMNS)
    root = random.normal(size=(len(there), len(there)))
    mean = np.zeros((N_COLUMNS, n_latent))
    mean[position, label] = random.normal(size=len(there))
    covariance = np.zeros((N_COLUMNS * n_latent,) * 2)
    covariance[np.ix_(there, there)] = root @ root.T
    return FullWeights(mean, position, label, root), covariance


KINDS = {"shared": shared, "independent": independent, "full": full}


def latent_covariance(covariance, design):
    """Covariance of all latent values of all rows (n, k, n, k), from that of all weights."""
    n_latent = len(covariance) // N_COLUMNS
    blocks = covariance.reshape(n_latent, N_COLUMNS, n_latent, N_COLUMNS)
    return np.einsum("ni,kilj,mj->nkml", design, blocks, design)


# Predictors with a covering: the process of a kernel and a bias, given data, and its formulas.

INPUTS = np.random.default_rng(3).uniform(-2.0, 2.0, (25, 2))
NEW_INPUTS = np.random.default_rng(4).uniform(-3.0, 3.0, (N_ROWS, 2))
KERNEL = GaussianKernel(1.5)
# What covering rows leave of the process is rounding, if they may leave no more of the noise.
ALL_OF_IT = CoveringRule(enough=1e-9)
CONTRASTS = np.eye(3) - 1.0 / 3.0


def process_fit(log_amplitude, basis=None, seed=0):
    """A dense model whose precisions are given, with noise of a tenth."""
    basis = KERNEL + Bias() if basis is None else basis
    target = np.random.default_rng(seed).normal(size=len(INPUTS))
    data = Data(INPUTS, target, np.ones(len(INPUTS)))
    given = Problem(data, basis.bind(INPUTS, data.weight), Gaussian(0.1))
    n_settings = groups(given.columns.kinds).max() + 1
    settings = np.append([-log_amplitude], np.ones(n_settings - 1))
    return fit_dense(given, settings)


def process_covariance(log_amplitude, inputs, bias=True):
    """The posterior covariance of that process between rows (n, n), by N x N matrices."""

    def prior(left, right):
        square = np.sum((left[:, None] - right) ** 2, axis=2)
        return np.exp(log_amplitude - square / 1.5**2) + bias * np.exp(-1.0)

    across = prior(inputs, INPUTS)
    noisy = prior(INPUTS, INPUTS) + 0.01 * np.eye(len(INPUTS))
    return prior(inputs, inputs) - across @ np.linalg.solve(noisy, across.T)


def one_process(rule=ALL_OF_IT):
    return covering_of(process_fit(1.0), rule)


def two_processes(rule=ALL_OF_IT):
    """One for each of two outputs."""
    return joined([covering_of(process_fit(amplitude), rule) for amplitude in (1.0, -1.0)])


def shared_process(rule=ALL_OF_IT):
    """One for the contrasts of three classes."""
    return replace(one_process(rule), between=CONTRASTS)


COVERINGS = {
    "one process": (one_process, (1.0,), np.eye(1)),
    "two processes": (two_processes, (1.0, -1.0), np.eye(2)),
    "one for all classes": (shared_process, (1.0, 1.0, 1.0), CONTRASTS),
}
