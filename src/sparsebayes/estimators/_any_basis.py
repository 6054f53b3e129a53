"""What SparseBayesRegressor and SparseBayesClassifier share: a basis of the user's own."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from sparsebayes._parameters import is_word
from sparsebayes.basis import Basis, Bias, GaussianKernel
from sparsebayes.estimators._model import SparseBayesModel
from sparsebayes.inference import Fast, Projection
from sparsebayes.inference.inference import Inference
from sparsebayes.procedures.advice import WIDTH


class AnyBasis(SparseBayesModel):
    """A model over `basis`."""

    _width_words = WIDTH

    def _make_basis(self) -> Basis:
        if self.basis is None:
            return GaussianKernel(input_scale="learn") + Bias()
        if not isinstance(self.basis, Basis):
            raise ValueError(
                "basis must be a basis such as GaussianKernel(width=3.0) + Bias(), or None for "
                f'GaussianKernel(input_scale="learn") + Bias(); got {self.basis!r}.'
            )
        return self.basis

    def _completes(self) -> bool:
        """Whether a basis without a constant is given a bias."""
        if not isinstance(self.fit_intercept, bool | np.bool_):
            raise ValueError(f"fit_intercept must be True or False, got {self.fit_intercept!r}.")
        return bool(self.fit_intercept)

    def _make_inference(self, basis: Basis) -> Inference:
        """How columns and precisions are found; "auto" depends on the basis."""
        if not is_word(self.inference, "auto"):
            return super()._make_inference(basis)
        return Projection() if basis.positive_definite and not basis.in_groups else Fast()

    @property
    def basis_(self) -> Basis:
        """The basis with the widths and scales of the fit as numbers."""
        return clone(self._make_basis()) if self._model.of_complex else self._model.basis

    @property
    def intercept_(self) -> Any:
        """For linear models: the prediction, or the latent value, where all inputs are zero."""
        intercept = self._linear("intercept_").intercept + getattr(self, "offset_", 0.0)
        return self._of_outputs(intercept)
