"""Weights of every kind with the covariance of all of them written out, and columns to go with."""

from dataclasses import dataclass, field

import numpy as np

from sparsebayes.predictors import FullWeights, IndependentWeights, SharedWeights
from sparsebayes.predictors.predictor import Latent


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
