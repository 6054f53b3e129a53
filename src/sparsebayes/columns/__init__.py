"""Bound columns: the functions of the inputs that a model is a weighted sum of.

`Columns` are plain, frozen data: the name of a formula with its parameters, and for each column
an item that tells it from the others, such as a centre. They can be evaluated on any inputs, cut
down to the few that a model keeps, and moved to other scales. `JoinedColumns` stand side by side.

Formulas are looked up by name in `definitions.DEFINITIONS`. So columns hold no function, except one
that the user gave, and can be written to a file and read again without running code from it.
A recipe in `sparsebayes.basis` makes columns from training inputs. Nothing here knows of recipes.
"""

from sparsebayes.columns.columns import NO_ROW, Columns, identity_columns, spread
from sparsebayes.columns.effects import EffectScales
from sparsebayes.columns.formulas import Formula
from sparsebayes.columns.free_effects import FreeEffects
from sparsebayes.columns.geometry import Inputs, scaled_inputs
from sparsebayes.columns.input_effects import Effort, input_effects, linear_effects
from sparsebayes.columns.joined import (
    NO_INPUT,
    AnyColumns,
    JoinedColumns,
    constant_columns,
    group_labels,
    inputs_of,
    is_linear,
    without_bias,
)
from sparsebayes.columns.plain import as_plain
from sparsebayes.columns.scaled import CentresAndWidths, FreeParameters, FreeScale, SeveralWidths
from sparsebayes.columns.sparse_inputs import as_array, as_stored, dense_if_small, each_once
from sparsebayes.columns.user_functions import KernelTable
from sparsebayes.columns.whitened import (
    WhitenedColumns,
    colouring,
    first_columns,
    first_of_each,
    unwhitened,
    whitened,
    whitened_score,
)

__all__ = [
    "NO_INPUT",
    "NO_ROW",
    "AnyColumns",
    "CentresAndWidths",
    "Columns",
    "EffectScales",
    "Effort",
    "Formula",
    "FreeEffects",
    "FreeParameters",
    "FreeScale",
    "Inputs",
    "JoinedColumns",
    "KernelTable",
    "SeveralWidths",
    "WhitenedColumns",
    "as_array",
    "as_plain",
    "as_stored",
    "colouring",
    "constant_columns",
    "dense_if_small",
    "each_once",
    "first_columns",
    "first_of_each",
    "group_labels",
    "identity_columns",
    "input_effects",
    "inputs_of",
    "is_linear",
    "linear_effects",
    "scaled_inputs",
    "spread",
    "unwhitened",
    "whitened",
    "whitened_score",
    "without_bias",
]
