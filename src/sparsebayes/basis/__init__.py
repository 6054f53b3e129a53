"""WHAT a model is made of: kernels centred on rows, plain columns, and sums of these.

A basis is a recipe that users tune. `bind(inputs, weight)` meets it with the training inputs and
gives `Columns`: the candidates, which can be evaluated on any inputs and cut down to the few that
are kept. `+` joins bases: `GaussianKernel(width=3.0) + Linear() + Bias()`.

Each module lists its recipes in `__all__`, which are the public names here and in `sparsebayes`.
"""

from typing import TYPE_CHECKING, Any

from sparsebayes.basis.basis import *
from sparsebayes.basis.basis import Basis, Sum
from sparsebayes.basis.effects_kernel import *
from sparsebayes.basis.features import *
from sparsebayes.basis.matern_kernels import *
from sparsebayes.basis.other_kernels import *
from sparsebayes.basis.process_kernels import *
from sparsebayes.basis.product_kernels import *
from sparsebayes.basis.radial import *

# All that was imported, but the sum of others.
RECIPES = sorted(
    name
    for name, each in globals().items()
    if isinstance(each, type) and issubclass(each, Basis) and each is not Sum
)
if not TYPE_CHECKING:  # mypy follows the imports, but not a list that is computed
    __all__ = RECIPES

# The kernels that RVR and RVC know, by keyword.
KERNELS: dict[str, Any] = {
    recipe.keyword: recipe for recipe in (globals()[name] for name in RECIPES) if recipe.keyword
}
