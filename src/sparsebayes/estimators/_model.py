"""What all estimators share: from validated data to fitted attributes."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import replace

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from sparsebayes.basis.columns import NO_ROW
from sparsebayes.estimators._checks import hyperprior, new_inputs
from sparsebayes.estimators._progress import CallbackSupportMixin, reporter
from sparsebayes.estimators._threads import one_thread
from sparsebayes.evidence import active_relevance
from sparsebayes.hyperpriors import Gamma
from sparsebayes.inference import INFERENCES, Start, run
from sparsebayes.predictive import LatentModel
from sparsebayes.problem import Problem
from sparsebayes.rows import BLOCK_NUMBERS, ChunkedRows, InMemoryRows


class SparseBayesModel(CallbackSupportMixin, BaseEstimator, ABC):
    """An estimator with a basis. How the basis and the likelihood come about is left open."""

    @abstractmethod
    def _make_basis(self):
        """The basis, from the constructor's parameters."""

    @abstractmethod
    def _make_likelihood(self):
        """The likelihood, from the constructor's parameters."""

    def _infer(self, basis, X, target, weight):
        """Bind the basis, run the inference, and set the fitted attributes."""
        columns = basis.bind(X, weight)
        used = np.flatnonzero(weight > 0)
        rows = make_rows(columns, X[used], target[used], weight[used], self.cache_size)
        problem = self._make_problem(rows, columns.n_columns)
        context = self._init_callback_context(max_subtasks=self.max_iter)
        if context is not None:
            context.call_on_fit_task_begin(estimator=self, X=X, y=target)
        inference = self._make_inference(columns.n_columns)
        with one_thread():
            fit = run(inference, problem, self.max_iter, reporter(self, context, X, target))
        self._last_precisions = columns.n_columns, precisions(fit.posterior)
        self._accepts_sparse = basis.accepts_sparse
        self._record(columns.keep(fit.posterior.active), fit, problem)
        if context is not None:
            context.call_on_fit_task_end(estimator=self, X=X, y=target)
        return fit

    def _make_problem(self, rows, n_columns: int) -> Problem:
        problem = Problem(rows, n_columns, self._make_likelihood())
        unit = problem.target_scale if hasattr(self, "noise_std") else 1.0
        return replace(
            problem,
            weight_hyperprior=hyperprior(self, "weight_hyperprior", unit),
            noise_hyperprior=hyperprior(self, "noise_hyperprior", unit),
        )

    def _announce(self):
        """Say how the fit ended. It is the last thing a fit does."""
        if self.verbose:
            print(f"{type(self).__name__} {self.outcome_.name} after {self.n_iter_} iterations")
        if not self.outcome_.converged:
            warnings.warn(self.outcome_.value, ConvergenceWarning, stacklevel=4)

    def _make_inference(self, n_columns: int):
        """The inference, from the last fit's precisions if these are for as many candidates."""
        options = {"tol": self.tol}
        if self.min_gain > 0:
            options["min_gain"] = self.min_gain
        last_n_columns, last = getattr(self, "_last_precisions", (None, None))
        if self.warm_start and last_n_columns == n_columns:
            options["start"] = last
        return INFERENCES[self.inference](**options)

    def _record(self, columns, fit, problem):
        posterior, order = fit.posterior, columns.order_by_row()
        columns = columns.keep(order)
        root = posterior.factor.whitener.T[order]
        self._set_weights(LatentModel(columns, posterior.mean[order], root))
        self.weight_precision_ = posterior.weight_precision[order]
        self._relevant = relevant(problem, posterior)[order]
        self.relevance_ = columns.rows[self._relevant & (columns.rows != NO_ROW)]
        if hasattr(self, "noise_std"):
            self.noise_std_ = posterior.noise_precision**-0.5
        self.log_evidence_ = fit.log_evidence
        self.history_ = fit.history
        self.outcome_ = fit.outcome
        self.n_iter_ = len(fit.history) - 1
        for name in ("lower_bound_", "noise_posterior_"):
            vars(self).pop(name, None)
        if self.inference == "variational":
            self.lower_bound_ = fit.history[-1].lower_bound
            self._record_noise_posterior(problem, posterior)

    def _record_noise_posterior(self, problem, posterior):
        """Q(tau) where the noise was estimated: Gamma(c + n / 2, ...) of this mean. [BT00] (21)"""
        if problem.likelihood.fixed_noise_precision is None:
            shape = problem.noise_hyperprior.shape + 0.5 * problem.total_weight
            self.noise_posterior_ = Gamma(shape, shape / posterior.noise_precision)

    def _set_weights(self, latent: LatentModel):
        self._latent = latent
        self.weights_ = latent.mean
        self.covariance_ = latent.root @ latent.root.T

    def prune(self):
        """Drop the columns that do not pay, for a small model; the others take over their part.

        Only a model with a proper hyperprior over weight precisions has such columns, as one fitted
        by inference="variational" always does. The weights that stay are given their posterior
        under the condition that the dropped ones are zero. `relevance_` stays as it is.

        Returns
        -------
        self : the pruned estimator
        """
        check_is_fitted(self)
        kept = np.flatnonzero(self._relevant)
        if len(kept) < len(self._relevant):
            self._set_weights(self._latent.restricted_to(kept))
            self.weight_precision_ = self.weight_precision_[kept]
            self._relevant = self._relevant[kept]
        return self

    @property
    def column_names_(self) -> list[str]:
        """Names of the kept columns, in the order of `weights_` and `covariance_`."""
        columns = self._kept_columns
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            names = [f"x{k}" for k in range(self.n_features_in_)]
        return columns.names(names)

    @property
    def _kept_columns(self):
        check_is_fitted(self)
        return self._latent.columns

    def _new_inputs(self, X):
        if not hasattr(self, "_latent"):
            check_is_fitted(self)
        return new_inputs(self, X)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_latent")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        try:
            basis = self._make_basis()
        except ValueError:  # a bad parameter is reported by fit, not when the estimator is shown
            return tags
        tags.input_tags.sparse = basis.accepts_sparse
        tags.input_tags.pairwise = basis.precomputed
        return tags


def relevant(problem: Problem, posterior) -> np.ndarray:
    """Which active columns a flat hyperprior would keep: those with q^2 > s (m,).

    With a flat hyperprior the others have been deleted already. Both sides have the same units, so
    neither units nor a threshold matter.
    """
    if problem.weight_hyperprior.is_flat:
        return np.ones(len(posterior.active), dtype=bool)
    return active_relevance(posterior).factor > 0.0


def precisions(posterior) -> Start:
    """What a later fit can start from."""
    return Start(posterior.active, posterior.weight_precision, posterior.noise_precision)


def make_rows(columns, inputs, target, weight, cache_size):
    """Rows in memory if all columns fit into `cache_size` megabytes, else in chunks."""
    numbers = cache_size * 1e6 / 8.0
    if len(target) * columns.n_columns <= numbers:
        return InMemoryRows(columns, inputs, target, weight)
    return ChunkedRows(columns, inputs, target, weight, np.clip(numbers, 2**14, BLOCK_NUMBERS))
