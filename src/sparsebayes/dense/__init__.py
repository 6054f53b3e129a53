"""The dense model: all columns, with one precision for those of a kernel. A Gaussian process.

`DenseModel` is its evidence and the gradient of that, for precisions and scales; `fit_dense` the
model at given scales, with its posterior. Scales are learned by it, and a projection follows it.
Of many rows the model comes from sums over them: `dense_outputs`, and `dense_mode` for classes.
"""

from sparsebayes.dense.adjusting import Adjusted, adjusted
from sparsebayes.dense.ascent import NO_PAIRS, Ascent, Summit, climb, of_more_rows
from sparsebayes.dense.chosen import Chosen, choose_columns, colouring
from sparsebayes.dense.classes import fit_dense_classes
from sparsebayes.dense.condensed import Standing, dense_outputs, gaussian_posterior
from sparsebayes.dense.covering import (
    CoveringRule,
    covering_of,
    covering_sizes,
    first_columns,
    joined,
    unexplained,
)
from sparsebayes.dense.fit import (
    DenseFit,
    DenseStart,
    find_settings,
    fit_dense,
    led_settings,
    settings_at,
)
from sparsebayes.dense.following import following_columns, orthogonal_part, pick_in_turn
from sparsebayes.dense.labels import LabelModel, learning_model
from sparsebayes.dense.leaving_out import LeftOut
from sparsebayes.dense.mode import dense_mode
from sparsebayes.dense.model import BUDGET, LEAST_NOISE, Budget, DenseModel
from sparsebayes.dense.ridge import ridge_log_evidence
from sparsebayes.dense.rows import DenseRows
from sparsebayes.dense.sums import Sums, SumsPass, Targets
from sparsebayes.dense.whitened import WhitenedColumns, groups, whitened

__all__ = [
    "BUDGET",
    "LEAST_NOISE",
    "NO_PAIRS",
    "Adjusted",
    "Ascent",
    "Budget",
    "Chosen",
    "CoveringRule",
    "DenseFit",
    "DenseModel",
    "DenseRows",
    "DenseStart",
    "LabelModel",
    "LeftOut",
    "Standing",
    "Summit",
    "Sums",
    "SumsPass",
    "Targets",
    "WhitenedColumns",
    "adjusted",
    "choose_columns",
    "climb",
    "colouring",
    "covering_of",
    "covering_sizes",
    "dense_mode",
    "dense_outputs",
    "find_settings",
    "first_columns",
    "fit_dense",
    "fit_dense_classes",
    "following_columns",
    "gaussian_posterior",
    "groups",
    "joined",
    "learning_model",
    "led_settings",
    "of_more_rows",
    "orthogonal_part",
    "pick_in_turn",
    "ridge_log_evidence",
    "settings_at",
    "unexplained",
    "whitened",
]
