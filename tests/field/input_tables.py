"""Random tables of inputs as they are found: constants, codes, offsets, units, empty rows."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_matrix, csc_array, csc_matrix, csr_array, csr_matrix


def amounts(random, n_rows):
    """Mostly zero, else of heavy tails."""
    return (random.random(n_rows) < 0.4) * random.lognormal(0.0, 1.0, n_rows)


COLUMNS = {
    "numbers": lambda random, n_rows: random.normal(size=n_rows),
    "uniform": lambda random, n_rows: random.uniform(-1.0, 1.0, n_rows),
    "counts": lambda random, n_rows: random.poisson(0.7, n_rows),
    "mostly zero": lambda random, n_rows: (
        random.normal(size=n_rows) * (random.random(n_rows) < 0.3)
    ),
    "amounts": amounts,
    "dummy": lambda random, n_rows: random.random(n_rows) < 0.5,
    "rare dummy": lambda random, n_rows: random.random(n_rows) < 0.05,
    "constant": lambda random, n_rows: np.full(n_rows, random.choice([1.0, 0.1, 1 / 3, -7e5])),
    "empty": lambda random, n_rows: np.zeros(n_rows),
}
CODES = np.array([-999.0, 1000.0, 1e9, -1.0])
FORMS = (csr_array, csr_matrix, csc_array, csc_matrix, coo_matrix)


class Table(NamedTuple):
    """Rows to fit, their weights, and new rows.

    Attributes
    ----------
    inputs, target, weight : of the rows to fit
    new : inputs of other rows
    form : of a sparse matrix
    """

    inputs: np.ndarray
    target: np.ndarray
    weight: np.ndarray | None
    new: np.ndarray
    form: type

    def labels(self, n_classes):
        """Classes by the size of the targets."""
        ends = np.quantile(self.target, np.arange(1, n_classes) / n_classes)
        return np.searchsorted(ends, self.target)


def random_columns(random, n_rows, n_columns, kinds=tuple(COLUMNS)):
    """Columns of these kinds side by side."""
    kinds = random.choice(kinds, n_columns)
    return np.column_stack([COLUMNS[kind](random, n_rows) for kind in kinds]).astype(float)


def standard(columns):
    """In units of their spread; 0 for a constant."""
    spread = columns.std(axis=0)
    return (columns - columns.mean(axis=0)) / np.where(spread > 1e-9, spread, np.inf)


def targets(random, columns):
    """A smooth function of the first columns, and noise."""
    first = standard(columns)[:, :3]
    signal = np.sin(1.5 * first).sum(axis=1) + 0.5 * first[:, 0]
    return signal + 0.1 * random.normal(size=len(columns))


def random_table(seed, n_new=20):
    """A table of 12 to 150 rows; one in 25 is wide, with columns that are nearly empty."""
    random = np.random.default_rng(seed)
    n_rows = int(random.integers(12, 151))
    inputs = random_columns(random, n_rows + n_new, int(random.integers(1, 7)))
    target = targets(random, inputs)
    spread = np.maximum(inputs.std(axis=0), 1e-3)
    if random.random() < 0.5:
        inputs += spread * random.choice([0.0, 1.0, 1e3, 1e6, 1e8], inputs.shape[1])
    if random.random() < 0.5:
        inputs *= 10.0 ** random.integers(-6, 7, inputs.shape[1])
    if random.random() < 0.5:
        inputs[random.integers(0, n_rows, 3), 0] = random.choice(CODES)
    if random.random() < 0.5:
        inputs[random.integers(0, len(inputs), 3)] = 0.0
    if random.random() < 0.25:
        inputs[1 : n_rows // 3] = inputs[0]
    if seed % 25 == 0:
        inputs = widened(random, inputs)
    weight = random.integers(0, 3, n_rows) + 1.0 * (np.arange(n_rows) < 6)
    weight = weight if random.random() < 0.3 else None
    form = FORMS[seed % len(FORMS)]
    return Table(inputs[:n_rows], target[:n_rows], weight, inputs[n_rows:], form)


def widened(random, inputs, numbers=1.1e5):
    """With columns that are nearly empty, too many to be computed with as an array."""
    n_rows = len(inputs) - 20
    wide = np.zeros((len(inputs), int(numbers / n_rows)))
    some = random.integers(0, wide.size, 30)
    wide.flat[some] = 1.0
    wide[:, random.choice(wide.shape[1], inputs.shape[1], replace=False)] = inputs
    return wide
