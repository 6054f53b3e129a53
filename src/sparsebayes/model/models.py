"""Plain models: a fitted model as arrays, which predicts with NumPy alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from sparsebayes.model.arrays import finite, without_numpy_errors
from sparsebayes.model.face import Face, new_inputs
from sparsebayes.model.latent import Plain
from sparsebayes.model.predictor import Predictor


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
    def labels(self) -> np.ndarray:
        """The labels of the classes (n_classes,), none where numbers are predicted."""
        return np.empty(0)

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
        return self._ask(Predictor.novelty, X)

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
    def predictor(self) -> Predictor:
        """What predicts."""
        return Predictor(self.plain, self.response)

    def _ask(self, question: Callable[..., np.ndarray], X: Any, *others: Any) -> np.ndarray:
        """What the predictor answers to a question about new inputs."""
        return finite(question(self.predictor, new_inputs(X, self.face), *others))

    def _squeeze(self, values: np.ndarray) -> np.ndarray:
        return values[..., 0] if self.face.squeezed else values
