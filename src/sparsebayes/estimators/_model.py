"""What all estimators share: fitted attributes as views of what a fit left behind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from functools import wraps
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_matrix, issparse
from sklearn.utils.validation import check_is_fitted

from sparsebayes._parameters import Tunable
from sparsebayes.basis import Basis
from sparsebayes.columns import as_plain, is_linear
from sparsebayes.estimators._asked import as_rows, asked_of, check_inference, new_inputs
from sparsebayes.estimators._carrying import Carried
from sparsebayes.estimators._effects import InputEffects
from sparsebayes.estimators._fitted import Fitted
from sparsebayes.estimators._progress import CallbackSupportMixin
from sparsebayes.inference import Outcome
from sparsebayes.inference.inference import Inference
from sparsebayes.model.arrays import without_numpy_errors
from sparsebayes.model.effect_view import effect_view
from sparsebayes.model.latent import LinearFace
from sparsebayes.procedures.advice import GAMMA, WidthWords
from sparsebayes.targets import Target
from sparsebayes.targets.complex import joined_covariance, real_inputs

# Parameters that are names, or objects with parameters of their own.
PARTS = {
    "inference": ("an inference", "Projection()"),
    "likelihood": ("a likelihood", "StudentT()"),
}


def of_one_model(method: Callable) -> Callable:
    """A method that sees one model from beginning to end, even if another thread refits it.

    `_record` replaces the dictionary of attributes, so one that is at hand stays as it is. NumPy
    raises nothing meanwhile.
    """

    @without_numpy_errors
    @wraps(method)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        shell = object.__new__(type(self))
        shell.__dict__ = vars(self)
        return method(shell, *args, **kwargs)

    return called


class SparseBayesModel(CallbackSupportMixin, Carried, ABC):
    """An estimator with a basis. How the basis and the likelihood come about is left open."""

    _fitted: Fitted
    _width_words: WidthWords = GAMMA

    @abstractmethod
    def _make_basis(self) -> Basis:
        """The basis, from the constructor's parameters."""

    @abstractmethod
    def _make_target(self, inference: Inference) -> Target:
        """What y is to be, from the constructor's parameters."""

    def _make_inference(self, basis: Basis) -> Inference:
        """How columns and precisions are found, from the constructor's parameters."""
        return check_inference(self.inference)

    def _completes(self) -> bool:
        """Whether a basis without a constant is given a bias."""
        return False

    def _check_inputs(self, n_features: int) -> None:
        """An error where a parameter does not fit the number of inputs."""

    def set_params(self, **params: Any) -> Self:
        """Set parameters of the estimator and of its parts.

        Parameters
        ----------
        **params : dict
            Names and values. A parameter of a part has the name ``<part>__<parameter>``, such as
            ``inference__fidelity`` or ``basis__gaussiankernel__width``.

        Returns
        -------
        self : estimator
            The estimator.
        """
        for part, (an_object, such_as) in PARTS.items():
            value = params.get(part, getattr(self, part, None))
            nested = [name for name in params if name.startswith(f"{part}__")]
            if nested and not isinstance(value, Tunable):
                raise ValueError(
                    f"{nested[0]} needs {an_object} that is an object, such as "
                    f"{part}={such_as}, to be set; got {part}={value!r}."
                )
        return super().set_params(**params)

    def _record(self, found: dict[str, Any], fitted: Fitted) -> None:
        """Set everything that a fit leaves behind, at once."""
        old = ("n_features_in_", "feature_names_in_", "classes_", "_given_sparse", "_updating")
        kept = {name: value for name, value in vars(self).items() if name not in old}
        self.__dict__ = {**kept, **found, "_fitted": fitted}

    @property
    def _model(self) -> Fitted:
        """What the fit left behind, or scikit-learn's error if there was none."""
        if "_fitted" not in vars(self):
            check_is_fitted(self)
        return self._fitted

    def _as_given(self, vectors: Any) -> Any:
        """Training rows, as a sparse matrix where X was one."""
        sparse = "_given_sparse" in vars(self) and not issparse(vectors)
        return csr_matrix(vectors) if sparse else vectors

    @property
    def _n_inputs(self) -> int:
        """How many inputs the columns have: each part of complex ones is one."""
        return self.n_features_in_ * (2 if self._model.of_complex else 1)

    def _new_inputs(self, X: Any) -> Any:
        """Inputs of new rows, checked; those of complex ones by their parts."""
        shell = self
        if self._model.of_complex:
            X, shell = real_inputs(as_rows(self, X)), copy(self)
            shell.n_features_in_ = self._n_inputs
        return new_inputs(shell, X, self._model.basis.accepts_sparse)

    def __sklearn_is_fitted__(self) -> bool:
        return "_fitted" in vars(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        try:
            asked = vars(self).get("_asked") or asked_of(self)
        except ValueError:  # a bad parameter is reported by fit, not when the estimator is shown
            return tags
        tags.input_tags.sparse = asked.basis.accepts_sparse
        tags.input_tags.pairwise = asked.basis.precomputed
        tags.target_tags.multi_output = asked.target.several
        tags.target_tags.positive_only = asked.target.counts
        return tags

    # Fitted attributes.

    @property
    def relevance_(self) -> np.ndarray:
        """Indices of the training rows, or of the given centres, that are relevance vectors.

        With a proper prior over weight precisions, which keeps all columns: of those that a flat
        prior would keep.
        """
        return self._model.relevant_rows

    @property
    def weights_(self) -> np.ndarray:
        """Mean weights of the columns that the model keeps."""
        mean = self._model.joined(self._model.predictor.plain.weights)
        return mean[:, 0] if self._model.target.cuts else self._model.shaped(mean)

    @property
    def covariance_(self) -> np.ndarray:
        """Posterior covariance of `weights_`, for one output or two classes."""
        if self._model.predictor.plain.weights.shape[1] > 1:
            raise AttributeError("covariance_ is there for one output or two classes only.")
        found = self._model.predictor.plain.posterior.of_weights(0)
        return joined_covariance(found) if self._model.of_complex else found

    @property
    def weight_precision_(self) -> np.ndarray:
        """Prior precisions of `weights_`."""
        return self._model.joined(self._model.weight_precision, lambda real, _: 0.5 * real)

    @property
    def log_evidence_(self) -> float:
        """Logarithm of the evidence: the marginal likelihood of the training targets.

        With ``inference="projection"`` it is that of the Gaussian process.
        """
        return self._model.log_evidence

    @property
    def lower_bound_(self) -> float:
        """With ``inference="variational"``: lower bound of the log evidence."""
        if np.isnan(self._model.lower_bound):
            raise AttributeError('lower_bound_ needs inference="variational".')
        return self._model.lower_bound

    @property
    def history_(self) -> list:
        """A named tuple for each iteration; if there were several fits, a list for each.

        Fields are log_evidence, n_active, noise_std, gradient, largest_gain and lower_bound.
        """
        histories = self._model.histories
        return histories[0] if len(histories) == 1 else histories

    @property
    def n_iter_(self) -> int:
        """Number of iterations, the largest if there were several fits."""
        return max(map(len, self._model.histories)) - 1

    @property
    def outcome_(self) -> Outcome:
        """How the fit ended, as an `Outcome`, whose ``value`` says what helps in general."""
        return Outcome[self._model.outcome]

    @property
    def likelihood_(self) -> Any:
        """The likelihood with the parameters that were learned, unless it is the default."""
        likelihood = self._model.target.learned
        if likelihood is None:
            raise AttributeError(
                "likelihood_ has what was learned of a likelihood besides its noise; this model "
                f"has none, as likelihood={self.likelihood!r}."
            )
        return likelihood

    @property
    def input_relevance_(self) -> np.ndarray:
        """The share of the prediction's variance that each input has a part in.

        It is 0 for an input that is not used. Inputs that act together have a part in the same
        variance, so the sum can be more than 1. It exists if each of up to 1000 inputs has a
        learned scale, and for models that are linear in their inputs.
        """
        relevance = self._model.input_relevance
        if relevance is None:
            raise AttributeError(
                "input_relevance_ needs a scale for each input that was learned, and at most 1000 "
                "inputs; or a model that is linear in its inputs."
            )
        return self._model.joined(relevance, np.add)

    def _linear(self, name: str) -> LinearFace:
        """The model as a sum of inputs, or an error that says why it has no such attribute."""
        model = self._model
        if not is_linear(model.columns):
            raise AttributeError(
                f"{name} needs a model that is linear in its inputs: basis=Linear(), alone or with "
                'Bias(), or kernel="linear".'
            )
        return LinearFace(model.predictor.plain, self._n_inputs)

    def _of_outputs(self, values: np.ndarray) -> Any:
        """Values with an axis for outputs or classes first, in the shape of an attribute."""
        return values

    @property
    def coef_(self) -> np.ndarray:
        """For linear models: mean coefficients of the inputs, 0 for those that are left out."""
        return self._of_outputs(self._model.joined(self._linear("coef_").coefficients).T)

    @property
    def coef_std_(self) -> np.ndarray:
        """For linear models: standard deviations of `coef_`, 0 for inputs that are left out."""
        std = np.sqrt(self._linear("coef_std_").variance)
        return self._of_outputs(self._model.joined(std, np.hypot).T)

    @property
    def selected_(self) -> np.ndarray:
        """For linear models: which inputs the model uses, a mask (n_features,)."""
        used = self._linear("selected_").used(self._model.relevant)
        return self._model.joined(used, np.logical_or)

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

    @property
    def column_names_(self) -> list[str]:
        """Names of the kept columns, in the order of `weights_` and `covariance_`."""
        columns = self._model.columns
        names = getattr(self, "feature_names_in_", None)
        given = [f"x{k}" for k in range(self._n_inputs)] if names is None else names
        return self._model.joined(columns.names(given), lambda real, _: real.tolist())

    @property
    def covering_(self) -> np.ndarray:
        """With ``inference="projection"``: indices of the rows that give the error bars."""
        return self._covering.rows

    @property
    def _covering(self) -> Any:
        """The `Spread` of the rows that cover the process."""
        spread = self._model.predictor.plain.spread
        if not spread.covers:
            raise AttributeError(
                'there are no covering rows: they need inference="projection", a kernel that is a '
                "covariance, and a model whose covering was not dropped. Its error bars are those "
                "of the weights, and shrink away from the data."
            )
        return spread

    @of_one_model
    def effects(self, output: int = 0) -> InputEffects:
        """What each input does, and each pair of inputs, with error bars and shares.

        It needs the kernel of effects: ``kernel="effects"``, or the default where the evidence
        chose it.

        Parameters
        ----------
        output : int, default=0
            Which of several outputs or classes.

        Returns
        -------
        effects : InputEffects
            Its `shares`, `curve` and `surface` are the effects as numbers;
            `sparsebayes.plots.EffectsDisplay` draws them.
        """
        plain = self._model.predictor.plain
        n_outputs = plain.weights.shape[1]
        if not 0 <= output < n_outputs:
            raise ValueError(f"output must be 0 to {n_outputs - 1}, got {output!r}.")
        view = None
        if any(kind.formula.name == "effects" for kind in self._model.columns.kinds):
            view = effect_view(as_plain(plain, self._n_inputs), output)
        if view is None:
            raise AttributeError(
                "effects needs a model with the kernel of effects, with covering rows and a vector "
                "or more: kernel='effects'. The default chooses it if the evidence prefers it."
            )
        names = getattr(self, "feature_names_in_", None)
        given = [f"x{k}" for k in range(self._n_inputs)] if names is None else names
        return InputEffects(tuple(map(str, given)), view)

    @of_one_model
    def novelty(self, X: Any) -> np.ndarray:
        """How unlike the training rows new rows are, from 0 (well known) to 1 (entirely new).

        It is the variance of the Gaussian process at a row, divided by its variance before it saw
        any data. It needs the covering rows of ``inference="projection"``.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            New inputs.

        Returns
        -------
        novelty : array of shape (n_samples,)
            A number between 0 and 1 for each row.
        """
        X, _ = self._new_inputs(X), self._covering
        return self._model.predictor.novelty(X)

    def drop_covering(self) -> Self:
        """Drop the covering rows, which makes the model small.

        The means of predictions stay as they are. The error bars are then computed from the
        weights: about the same near the data, too small away from them. What the vectors miss of
        the Gaussian process counts as noise.

        Returns
        -------
        self : estimator
            The estimator without covering rows.
        """
        self._fitted = self._model.without_covering()
        return self

    def prune(self) -> Self:
        """Drop the columns that a flat prior would not keep, which makes the model small.

        Only a model with a proper prior over weight precisions has such columns, as one fitted with
        ``inference="variational"`` always does. The other weights get their posterior under the
        condition that the dropped weights are zero. `relevance_` stays as it is.

        Returns
        -------
        self : estimator
            The pruned estimator.
        """
        self._fitted = self._model.pruned()
        return self
