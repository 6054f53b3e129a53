"""The dense model: all columns, with one precision for those of a kernel. A Gaussian process.

`DenseModel` is its evidence and the gradient of that, for precisions and scales; `fit_dense` the
model at given scales, with its posterior. Scales are learned by it, and a projection follows it.
"""

from sparsebayes.dense.ascent import NO_PAIRS, Ascent, climb, of_more_rows
from sparsebayes.dense.fit import DenseFit, find_settings, fit_dense
from sparsebayes.dense.following import following_columns
from sparsebayes.dense.model import BUDGET, Budget, DenseModel, DenseRows
from sparsebayes.dense.whitened import WhitenedColumns, groups, whitened

__all__ = [
    "BUDGET",
    "NO_PAIRS",
    "Ascent",
    "Budget",
    "DenseFit",
    "DenseModel",
    "DenseRows",
    "WhitenedColumns",
    "climb",
    "find_settings",
    "fit_dense",
    "following_columns",
    "groups",
    "of_more_rows",
    "whitened",
]
