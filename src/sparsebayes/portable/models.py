"""Plain models: a fitted model as arrays, which predicts with NumPy alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from sparsebayes.portable.counts import CountTargets
from sparsebayes.portable.latent import Latent, Plain
from sparsebayes.portable.ordered import OrderedClasses
from sparsebayes.portable.responses import ClassResponse, RealTargets
from sparsebayes.portable.tables import TableInputs
from sparsebayes.portable.varying import VaryingTargets

# About how many values of columns are computed at a time; these stay in the processor's cache.
BLOCK_NUMBERS = 2**17


@dataclass(frozen=True)
class Face:
    """What a model is called, and what it takes.

    Parameters
    ----------
    estimator : the class that was fitted, such as "RVR"
    n_features : how many inputs there are
    feature_names : of the inputs, where they had names
    squeezed : whether predictions have no axis for outputs: there is one, or there are two classes
    about : facts for people, such as the log evidence; texts and numbers
    table : how columns of a table become inputs, where the model was fitted to one
    """

    estimator: str
    n_features: int
    feature_names: tuple[str, ...] | None = None
    squeezed: bool = True
    about: dict[str, Any] = field(default_factory=dict)
    table: TableInputs | None = None

    @property
    def input_names(self) -> tuple[str, ...]:
        """A name for each input: x0, x1, ... where there are no others."""
        if self.feature_names is not None:
            return self.feature_names
        return tuple(f"x{k}" for k in range(self.n_features))

    def check(self) -> None:
        """An error unless all shapes go together."""
        if type(self.n_features) is not int or self.n_features < 1:
            raise ValueError("n_features is no number of inputs.")
        if not isinstance(self.estimator, str) or not isinstance(self.squeezed, bool):
            raise ValueError("estimator must be a text, and squeezed True or False.")
        if self.feature_names is not None:
            texts = all(isinstance(name, str) for name in self.feature_names)
            if not texts or len(self.feature_names) != self.n_features:
                raise ValueError("feature_names must be a text for each input.")
        _check_facts(self.about)
        if self.table is not None and len(self.table.input_names) != self.n_features:
            raise ValueError("the table does not go with the inputs.")


# Facts that are numbers, where they are known.
NUMBERS = ("log_evidence", "n_relevance", "n_rows")


def _check_facts(about: Any) -> None:
    """An error unless facts have names, and those that are numbers are."""
    if not isinstance(about, dict) or not all(isinstance(name, str) for name in about):
        raise ValueError("about must have names.")
    numbers = {name: about[name] for name in NUMBERS if name in about}
    for name in ("held_out", "relevance"):
        numbers |= about.get(name, {})
    if not all(isinstance(value, int | float) for value in numbers.values()):
        raise ValueError("a fact that is a number is none.")


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
    >>> from sparsebayes.portable import PortableModel
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
        from sparsebayes.portable.files import save

        save(self, path)

    def _map(
        self, X: Any, function: Callable[[Latent], tuple[np.ndarray, ...]]
    ) -> tuple[np.ndarray, ...]:
        """The arrays of function(latent values of some rows), strung together over all rows."""
        inputs = new_inputs(X, self.face)
        spread = self.plain.spread
        width = sum(each.n_columns for each in self.plain.columns)
        width += sum(each.n_columns for each in spread.columns or ())
        step = max(1, BLOCK_NUMBERS // max(1, width))
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            blocks = [
                function(self.plain.at(inputs[start : start + step]))
                for start in range(0, len(inputs), step)
            ]
        return tuple(np.concatenate(parts) for parts in zip(*blocks, strict=True))

    def _squeeze(self, values: np.ndarray) -> np.ndarray:
        return values[..., 0] if self.face.squeezed else values


@dataclass(frozen=True, eq=False)
class PortableRegressor(PortableModel):
    """A fitted regressor as plain arrays, which predicts with NumPy alone.

    You get one from `sparsebayes.load`, or from the method `to_portable` of a fitted estimator.

    Parameters
    ----------
    plain : Plain
        Columns, their weights and their uncertainty, which give latent values.
    response : object
        Offset and noise of the outputs.
    face : Face
        The name of the estimator, and the inputs that it takes.
    source : tuple, default=None
        The estimator that was fitted, as JSON and arrays; None if it is not known.

    See Also
    --------
    load : Reads one from a file.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> from sparsebayes import RVR
    >>> from sparsebayes.datasets import noisy_sinc
    >>> model = RVR().fit(*noisy_sinc(50, random_state=0)).to_portable()
    >>> mean, std = model.predict([[0.0]], return_std=True)
    >>> mean.shape, std.shape
    ((1,), (1,))
    """

    response: RealTargets | CountTargets | VaryingTargets

    def __post_init__(self) -> None:
        self.face.check()
        self.plain.check(self.face.n_features)
        self.response.check(self.plain.weights.shape[1], self.face.n_features)
        if self.face.squeezed and self.plain.weights.shape[1] != 1:
            raise ValueError("a squeezed model has one output.")

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Predict the mean of new targets, and their standard deviation.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New inputs.
        return_std : bool, default=False
            Whether to return the standard deviation of a new target, noise included.

        Returns
        -------
        mean : array of shape (n_samples,) or (n_samples, n_outputs)
            The mean of a new target at each row.
        std : array of shape (n_samples,) or (n_samples, n_outputs)
            Its standard deviation, if `return_std` is true.
        """
        response = self.response
        if not return_std:
            return self._squeeze(self._map(X, lambda latent: (response.mean(latent),))[0])
        mean, std = self._map(X, lambda latent: (response.mean(latent), response.std(latent)))
        return self._squeeze(mean), self._squeeze(std)

    def predict_quantiles(self, X: Any, quantiles: Any = (0.05, 0.5, 0.95)) -> np.ndarray:
        """Quantiles of new targets, noise included.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New inputs.
        quantiles : array-like of shape (n_quantiles,), default=(0.05, 0.5, 0.95)
            Numbers between 0 and 1, at least 1e-9 from both.

        Returns
        -------
        y : array of shape (n_samples, n_quantiles) or (n_samples, n_quantiles, n_outputs)
            The quantiles of each row.
        """
        levels = np.asarray(quantiles, dtype=np.float64)
        if levels.ndim != 1 or not np.all((levels >= 1e-9) & (levels <= 1.0 - 1e-9)):
            raise ValueError(
                f"quantiles must be a list of numbers from 1e-9 to 1 - 1e-9, got {quantiles!r}."
            )
        found = self._map(X, lambda latent: (self.response.quantiles(latent, levels),))[0]
        return self._squeeze(found)


@dataclass(frozen=True, eq=False)
class PortableClassifier(PortableModel):
    """A fitted classifier as plain arrays, which predicts with NumPy alone.

    You get one from `sparsebayes.load`, or from the method `to_portable` of a fitted estimator.

    Parameters
    ----------
    plain : Plain
        Columns, their weights and their uncertainty, which give latent values.
    response : object
        How latent values become probabilities.
    face : Face
        The name of the estimator, and the inputs that it takes.
    classes_ : array of shape (n_classes,)
        Labels of the classes.
    source : tuple, default=None
        The estimator that was fitted, as JSON and arrays; None if it is not known.

    See Also
    --------
    load : Reads one from a file.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/carry.html

    Examples
    --------
    >>> from sparsebayes import RVC
    >>> from sparsebayes.datasets import ripley_mixture
    >>> model = RVC(gamma=4.0).fit(*ripley_mixture(60, random_state=0)).to_portable()
    >>> model.predict_proba([[0.0, 0.5]]).shape
    (1, 2)
    """

    response: ClassResponse | OrderedClasses
    classes_: np.ndarray

    def __post_init__(self) -> None:
        self.face.check()
        self.plain.check(self.face.n_features)
        if self.classes_.ndim != 1:
            raise ValueError("classes_ must have one axis.")
        self.response.check(self.plain.weights.shape[1], len(self.classes_))

    def predict(self, X: Any) -> np.ndarray:
        """Predict the most probable class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        label : array of shape (n_samples,)
            The label of the class.
        """
        return self.classes_[self._map(X, lambda latent: (self.response.most_probable(latent),))[0]]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        probability : array of shape (n_samples, n_classes)
            The probabilities, with columns in the order of `classes_`.
        """
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        log_probability : array of shape (n_samples, n_classes)
            The log probabilities, with columns in the order of `classes_`.
        """
        return self._map(X, lambda latent: (self.response.log_probability(latent),))[0]

    def decision_function(self, X: Any) -> np.ndarray:
        """Log odds of ``classes_[1]``; for three or more classes what the estimator gives.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        scores : array of shape (n_samples,) or (n_samples, n_classes)
            The log odds, or the scores of three or more classes.
        """
        return self._squeeze(self._map(X, lambda latent: (self.response.scores(latent),))[0])


def new_inputs(X: Any, face: Face) -> np.ndarray:
    """X as an array of doubles (n_samples, n_features), or an error that says what is wrong."""
    names = getattr(X, "columns", None)
    if names is not None and face.feature_names is not None and tuple(names) != face.feature_names:
        raise ValueError(
            f"the columns of X are {list(names)}; expected {list(face.feature_names)}, in this "
            "order."
        )
    try:
        values = np.asarray(X.toarray() if hasattr(X, "toarray") else X)
        if values.dtype.kind == "c":
            raise TypeError("these are complex numbers")
        inputs = values.astype(np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"X must hold numbers only; {error}.") from error
    if inputs.ndim != 2 or inputs.shape[1] != face.n_features or not len(inputs):
        raise ValueError(
            f"X must have shape (n_samples, {face.n_features}) with a row or more, got "
            f"{inputs.shape}."
        )
    if not np.isfinite(inputs).all():
        row, column = np.argwhere(~np.isfinite(inputs))[0]
        raise ValueError(f"X holds {inputs[row, column]} in row {row}, column {column}.")
    return inputs
