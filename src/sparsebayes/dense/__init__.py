"""The dense model: all columns, with one precision for those of a kernel. A Gaussian process.

`DenseModel` is its evidence and the gradient of that, for precisions and scales; `fit_dense` the
model at given scales, with its posterior. Scales are learned by it, and a projection follows it.
"""

from sparsebayes.dense.ascent import NO_PAIRS, Ascent, climb, of_more_rows
from sparsebayes.dense.covering import (
    Covering,
    covering_of,
    covering_sizes,
    first_columns,
    joined,
    unexplained,
)
from sparsebayes.dense.fit import DenseFit, DenseStart, find_settings, fit_dense, settings_at
from sparsebayes.dense.following import following_columns
from sparsebayes.dense.model import BUDGET, LEAST_NOISE, Budget, DenseModel, DenseRows
from sparsebayes.dense.softmax import fit_dense_softmax
from sparsebayes.dense.whitened import WhitenedColumns, groups, whitened

__all__ = [
    "BUDGET",
    "LEAST_NOISE",
    "NO_PAIRS",
    "Ascent",
    "Budget",
    "Covering",
    "DenseFit",
    "DenseModel",
    "DenseRows",
    "DenseStart",
    "WhitenedColumns",
    "climb",
    "covering_of",
    "covering_sizes",
    "find_settings",
    "first_columns",
    "fit_dense",
    "fit_dense_softmax",
    "following_columns",
    "groups",
    "joined",
    "of_more_rows",
    "settings_at",
    "unexplained",
    "whitened",
]
