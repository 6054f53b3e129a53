"""Plain models: a fitted model as arrays, which predicts with NumPy alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from sparsebayes.model.face import Face, new_inputs
from sparsebayes.model.latent import Latent, Plain, finite
from sparsebayes.model.numpy_errors import without_numpy_errors

# About how many values of columns are computed at a time; these stay in the processor's cache.
BLOCK_NUMBERS = 2**17
# About how many numbers of all kinds are computed at a time: 32 MB.
MOST_NUMBERS = 2**22


@dataclass(frozen=True, eq=False)
class PortableModel:
    """What `PortableRegressor` and `PortableClassifier` share.

    Parameters
    ----------
    plain : Plain
        Columns, their weights and their uncertainty, which give latent values.
    response : object
        How latent values become targets.
    face : Face
        The name of the estimator, and the inputs that it takes.
    source : tuple, default=None
        The estimator that was fitted, as JSON and arrays; None if it is not known.

    See Also
    --------
    load : Makes models of this kind from files.

    Examples
    --------
    >>> from sparsebayes import RVC
    >>> from sparsebayes.datasets import ripley_mixture
    >>> from sparsebayes.model import PortableModel
    >>> model = RVC(gamma=4.0).fit(*ripley_mixture(60, random_state=0)).to_portable()
    >>> isinstance(model, PortableModel)
    True
    """

    plain: Plain
    response: Any
    face: Face
    source: tuple[Any, list[np.ndarray]] | None = field(
        default=None, repr=False, compare=False, kw_only=True
    )

    def to_portable(self) -> Self:
        """The model itself, so that it can be used where an estimator can.

        Returns
        -------
        model : PortableRegressor or PortableClassifier
            This model.
        """
        return self

    @property
    def n_features_in_(self) -> int:
        """Number of inputs."""
        return self.face.n_features

    @without_numpy_errors
    def novelty(self, X: Any) -> np.ndarray:
        """How unlike the training rows new rows are, from 0 (well known) to 1 (entirely new).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        novelty : array of shape (n_samples,)
            A number between 0 and 1 for each row.
        """
        if not self.plain.spread.covers:
            raise AttributeError(
                'novelty needs covering rows: inference="projection", a kernel that is a '
                "covariance, and a model whose covering was not dropped."
            )
        return self._map(X, lambda latent: (latent.novelty,))[0]

    def to_estimator(self) -> Any:
        """The scikit-learn estimator that was saved, with all its attributes.

        Returns
        -------
        estimator : RVR, RVC, SparseBayesRegressor or SparseBayesClassifier
            The fitted estimator.

        Raises
        ------
        ModelFileError
            If what the file says of the estimator does not go with the model, or cannot predict.
        NotPortableError
            If the model was written without its estimator.
        """
        from sparsebayes.estimators._saving import estimator_of

        return estimator_of(self)

    def save(self, path: Any) -> None:
        """Write the model to a file, which `sparsebayes.load` reads.

        Parameters
        ----------
        path : str, path or binary file
            Where to write, such as "model.sbm".
        """
        from sparsebayes.model.files import save

        save(self, path)

    @property
    def numbers_per_row(self) -> int:
        """About how many numbers a prediction computes for a row."""
        return 1 + self.plain.width + self.response.width(self.plain.weights.shape[1])

    def _map(
        self, X: Any, function: Callable[[Latent], tuple[np.ndarray, ...]]
    ) -> tuple[np.ndarray, ...]:
        """The arrays of function(latent values of some rows), strung together over all rows."""
        inputs = new_inputs(X, self.face)
        width = max(1, self.plain.n_columns)
        step = max(1, min(BLOCK_NUMBERS // width, MOST_NUMBERS // self.numbers_per_row))
        blocks = [
            function(self.plain.at(inputs[start : start + step]))
            for start in range(0, len(inputs), step)
        ]
        return tuple(finite(np.concatenate(parts)) for parts in zip(*blocks, strict=True))

    def _squeeze(self, values: np.ndarray) -> np.ndarray:
        return values[..., 0] if self.face.squeezed else values
