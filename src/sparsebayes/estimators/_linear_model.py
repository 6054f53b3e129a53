"""What a model that is linear in its inputs says of them, as scikit-learn's linear models do."""

from __future__ import annotations

from typing import Any

import numpy as np

from sparsebayes.columns import is_linear
from sparsebayes.estimators._model import SparseBayesModel
from sparsebayes.model.linear import LinearFace


class LinearModel(SparseBayesModel):
    """A model that may be linear in its inputs; attributes are missing where it is not."""

    def _linear(self, name: str) -> LinearFace:
        """The model as a sum of inputs, or an error that says why it has no such attribute."""
        model = self._model
        if not is_linear(model.columns):
            raise AttributeError(
                f"{name} needs a model that is linear in its inputs: basis=Linear(), alone or with "
                'Bias(), or kernel="linear".'
            )
        return LinearFace(model.predictor.plain, self.n_features_in_)

    def _of_outputs(self, values: np.ndarray) -> Any:
        """Values with an axis for outputs or classes first, in the shape of an attribute."""
        return values

    @property
    def coef_(self) -> np.ndarray:
        """For linear models: mean coefficients of the inputs, 0 for those that are left out."""
        return self._of_outputs(self._linear("coef_").coefficients.T)

    @property
    def coef_std_(self) -> np.ndarray:
        """For linear models: standard deviations of `coef_`, 0 for inputs that are left out."""
        return self._of_outputs(np.sqrt(self._linear("coef_std_").variance.T))

    @property
    def selected_(self) -> np.ndarray:
        """For linear models: which inputs the model uses, a mask (n_features,)."""
        return self._linear("selected_").used(self._model.relevant)

    @property
    def inclusion_(self) -> np.ndarray:
        """With the basis ``Linear()``: the probability that each input has a part in the target.

        It needs ``Linear()``, alone or with ``Bias()``, and ``inference="fast"``.
        """
        inclusion = self._model.inclusion
        if inclusion is None:
            raise AttributeError(
                'inclusion_ needs inference="fast" without a weight_hyperprior, columns that are '
                "the inputs, basis=Linear() without groups, alone or with Bias(), a model that "
                "does not pass through the targets, and at most 1e8 inputs times inputs in the "
                "model."
            )
        return inclusion
