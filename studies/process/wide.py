"""Sets with more inputs than rows: spectra, genes, molecules, and words that count."""

from __future__ import annotations

import numpy as np

from studies.beyond.trust.spectra import near_infrared
from studies.process.frames import Draw, Rows, labels, numbers

N_TEST = 400
# Genes go together in groups of this many, by a hidden variable each.
GROUP = 20


def permeability() -> Rows:
    """How fast a molecule passes a membrane: 165 rows, 1107 columns of 0 and 1, many of them equal.

    Some molecules have all columns in common, and other targets.
    """
    return numbers("modeldata", "permeability_qsar", "permeability")


def speech() -> Rows:
    """Parkinson's disease by the voice: 252 rows, 751 inputs."""
    return labels("modeldata", "pd_speech", "class")


def tissues() -> Rows:
    """Tissues by the expression of 500 genes: 189 rows, seven classes."""
    return labels("dslabs", "tissue_gene_expression", "y")


def grants() -> Rows:
    """Which grants succeed: 1838 inputs, nearly all of them counts that are mostly 0."""
    return labels("modeldata", "grants_other", "class")


def livers() -> Rows:
    """Injuries of the liver by assays and parts of a molecule: 281 rows, 376 inputs, 3 classes."""
    return labels("modeldata", "hepatic_injury_qsar", "class")


def spectra(n_train: int, seed: int) -> Draw:
    """Simulated near-infrared spectra with 400 wavelengths, hardly any noise."""
    one = near_infrared(seed, n_train, 400)
    return Draw(one.X, one.y, one.X_test, one.y_test)


def _genes(n: int, n_inputs: int, random: np.random.Generator) -> np.ndarray:
    """Logarithms of expression, in groups with a common hidden variable, in unequal units."""
    hidden = np.repeat(random.normal(size=(n, n_inputs // GROUP)), GROUP, axis=1)
    own = random.normal(size=hidden.shape)
    return 6.0 + random.uniform(0.2, 2.0, hidden.shape[1]) * (0.8 * hidden + 0.6 * own)


def genes(n_train: int, n_inputs: int, seed: int) -> Draw:
    """A target that follows five groups of genes, one of them along a curve, with noise."""
    random = np.random.default_rng(seed)
    X = _genes(n_train + N_TEST, n_inputs, random)
    groups = X[:, : 5 * GROUP].reshape(len(X), 5, GROUP).mean(axis=2)
    z = (groups - groups.mean(axis=0)) / groups.std(axis=0)
    y = z[:, :4] @ np.array([1.0, -1.0, 0.7, 0.5]) + np.sin(2.0 * z[:, 4])
    y += 0.5 * random.normal(size=len(X))
    return _parts(X, y, n_train)


def tumours(n_train: int, n_inputs: int, seed: int) -> Draw:
    """Two classes whose genes differ in ten groups, by a standard deviation of each."""
    random = np.random.default_rng(seed)
    X = _genes(n_train + N_TEST, n_inputs, random)
    y = random.integers(0, 2, len(X))
    X[:, : 10 * GROUP] += y[:, None] * X[:, : 10 * GROUP].std(axis=0)
    return _parts(X, y, n_train)


def molecules(n_train: int, n_inputs: int, seed: int) -> Draw:
    """Columns of 0 and 1 in groups; a tenth of the test rows equal training rows.

    Twins have the target of no other row, as two measurements of one molecule have.
    """
    random = np.random.default_rng(seed)
    n = n_train + N_TEST
    hidden = np.repeat(random.normal(size=(n, n_inputs // GROUP)), GROUP, axis=1)
    level = random.normal(0.7, 0.7, n_inputs)
    X = (0.9 * hidden + 0.4 * random.normal(size=hidden.shape) > level).astype(float)
    X[n_train : n_train + N_TEST // 10] = X[random.integers(0, n_train, N_TEST // 10)]
    y = X[:, ::7] @ random.normal(size=X[:, ::7].shape[1])
    y = y / y.std() + 0.6 * random.normal(size=n)
    return _parts(X, np.round(y, 2), n_train)


def rounded(n_train: int, n_inputs: int, seed: int) -> Draw:
    """Answers from 1 to 5 to many questions, which three traits explain; every row has a twin."""
    random = np.random.default_rng(seed)
    n = n_train + N_TEST
    trait = random.normal(size=(n // 2, 3)).repeat(2, axis=0)
    answer = 3.0 + 0.8 * trait @ random.normal(size=(3, n_inputs))
    X = np.clip(np.round(answer), 1.0, 5.0)
    order = random.permutation(n)
    y = trait[:, 0] + np.tanh(2.0 * trait[:, 1]) + 0.3 * random.normal(size=n)
    return _parts(X[order], np.round(y[order], 1), n_train)


def _parts(X: np.ndarray, y: np.ndarray, n_train: int) -> Draw:
    return Draw(X[:n_train], y[:n_train], X[n_train:], y[n_train:])
