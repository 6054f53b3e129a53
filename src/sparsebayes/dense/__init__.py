"""The dense model: all columns, with one precision for those of a kernel. A Gaussian process.

`DenseModel` is its evidence and the gradient of that, for precisions and scales; `fit_dense` the
model at given scales, with its posterior. Scales are learned by it, and a projection follows it.

    labels/    classes by regression on their labels: `fit_dense_classes`
    blocks/    many rows, from sums over them: `Chosen`
"""

from sparsebayes.dense.blocks.chosen import Chosen
from sparsebayes.dense.blocks.condensed import Condensed
from sparsebayes.dense.blocks.sums import Sums
from sparsebayes.dense.covering import covering_of, joined, unexplained
from sparsebayes.dense.doubt import with_doubt
from sparsebayes.dense.fit import DenseFit, fit_dense
from sparsebayes.dense.labels.classes import fit_dense_classes
from sparsebayes.dense.labels.labels import learning_model
from sparsebayes.dense.model import DenseModel
from sparsebayes.dense.rows import DenseRows
from sparsebayes.dense.settings import find_settings, settings_at

__all__ = [
    "Chosen",
    "Condensed",
    "DenseFit",
    "DenseModel",
    "DenseRows",
    "Sums",
    "covering_of",
    "find_settings",
    "fit_dense",
    "fit_dense_classes",
    "joined",
    "learning_model",
    "settings_at",
    "unexplained",
    "with_doubt",
]
