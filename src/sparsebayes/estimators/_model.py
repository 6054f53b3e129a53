"""What all estimators share: from validated data to fitted attributes."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import replace

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from sparsebayes.columns import NO_ROW
from sparsebayes.estimators._checks import PROJECTION, hyperprior, new_inputs
from sparsebayes.estimators._progress import CallbackSupportMixin, reporter
from sparsebayes.estimators._several import worst_outcome
from sparsebayes.estimators._threads import one_thread
from sparsebayes.inference import INFERENCES, Fit, Start, run
from sparsebayes.predictive import LatentModel
from sparsebayes.problem import Problem
from sparsebayes.projection import find_goal, projected
from sparsebayes.rows import make_rows
from sparsebayes.scales import MOST_ROWS, dense_scales, held, input_relevance, joint_scales

# Joint climbs of precisions and scales at most.
REFINEMENTS = 3


class SparseBayesModel(CallbackSupportMixin, BaseEstimator, ABC):
    """An estimator with a basis. How the basis and the likelihood come about is left open."""

    @abstractmethod
    def _make_basis(self):
        """The basis, from the constructor's parameters."""

    def _bind(self, basis, X, weight):
        """The columns of the basis on these rows, and which rows count."""
        self._accepts_sparse = basis.accepts_sparse
        return basis.bind(X, weight), np.flatnonzero(weight > 0)

    def _learn(self, columns, X, targets, weight, likelihood):
        """The columns at scales learned from the targets (k, n), if any are to be learned."""
        if not len(columns.log_scales):
            return columns
        with one_thread():
            columns = columns.rescaled(dense_scales(columns, X, targets, weight, likelihood))
        if self.verbose:
            print(f"{type(self).__name__} learned {len(columns.log_scales)} scales")
        return columns

    def _infer(self, columns, X, target, weight, likelihood) -> Fit:
        """Run the inference on these rows."""
        return self._run(columns, (X, target, weight), likelihood, self._fit_once)[1]

    def _infer_with_scales(self, columns, X, target, weight, likelihood):
        """Learn scales if any are free, fit, refine both; the columns at the end, and the fit."""
        columns = self._learn(columns, X, target[None], weight, likelihood)
        refine = len(columns.log_scales) and self.inference != PROJECTION
        fit = self._fit_refined if refine else self._fit_once
        return self._run(columns, (X, target, weight), likelihood, fit)

    def _run(self, columns, rows, likelihood, fit_at):
        """A fit, or several, within one context of callbacks: columns at the end, and the fit."""
        X, target, _ = rows
        context = self._init_callback_context(max_subtasks=self.max_iter)
        if context is not None:
            context.call_on_fit_task_begin(estimator=self, X=X, y=target)
        report = reporter(self, context, X, target)
        with one_thread():
            columns, fit = fit_at(columns, rows, likelihood, report)
        if context is not None:
            context.call_on_fit_task_end(estimator=self, X=X, y=target)
        return columns, fit

    def _fit_once(self, columns, rows, likelihood, report):
        """The columns as they are, and a fit of these to the targets or to their dense model."""
        if self.inference != PROJECTION:
            return self._fit_at(columns, rows, likelihood, report)
        goal = find_goal(columns, rows, likelihood, self.fidelity, self.cache_size)
        if self.verbose:
            size, evidence = goal.dense.columns.n_columns, goal.dense.log_evidence
            print(f"{type(self).__name__} dense model: {size} columns, log evidence {evidence:.6g}")
        _, fit = self._fit_at(columns, goal.rows, goal.likelihood, report)
        return columns, projected(goal, columns, fit, self.cache_size)

    def _fit_at(self, columns, rows, likelihood, report, start: Start | None = None, done=0):
        """The columns as they are, and a fit of these, so many iterations being done already."""
        problem = self._make_problem(columns, rows, likelihood)
        kind = type(likelihood), likelihood.n_outputs, problem.n_candidates
        fit = run(self._make_inference(kind, start), problem, self.max_iter - done, report)
        self._last_fit = kind, precisions(fit.posterior)
        return columns, fit

    def _fit_refined(self, columns, rows, likelihood, report):
        """A fit, then joint climbs of precisions and scales, each with a fit from its end.

        As long as they help; only where columns are pruned, and all rows served to learn scales.
        """
        _, fit = self._fit_at(columns, rows, likelihood, report)
        middle = columns.log_scales
        flat = hyperprior(self, "weight_hyperprior", 1.0).is_flat
        for _ in range(REFINEMENTS if flat and len(rows[1]) <= MOST_ROWS else 0):
            done = len(fit.history) - 1
            if not fit.outcome.converged or done >= self.max_iter:
                break
            problem = self._make_problem(columns, rows, likelihood)
            end = joint_scales(columns, rows[0], problem, fit.posterior, middle)
            start = Start(fit.posterior.active, end.weight_precision, end.noise_precision)
            moved = columns.rescaled(end.log_scales)
            _, new_fit = self._fit_at(moved, rows, likelihood, report, start, done)
            gain = new_fit.log_evidence + held(end.log_scales, middle)
            gain -= fit.log_evidence + held(columns.log_scales, middle)
            if gain <= self.tol:
                break
            fit = replace(new_fit, history=fit.history + new_fit.history[1:])
            columns = moved
        self._last_fit = self._last_fit[0], precisions(fit.posterior)
        return columns, fit

    def _make_problem(self, columns, rows, likelihood) -> Problem:
        found = make_rows(columns, rows, self.cache_size)
        problem = Problem(found, columns.n_columns, likelihood)
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

    def _make_inference(self, kind: tuple, start: Start | None = None):
        """The inference, from the start given, or from the last fit's if that was of this kind."""
        options = {"tol": self.tol}
        if self.min_gain > 0:
            options["min_gain"] = self.min_gain
        last_kind, last = getattr(self, "_last_fit", (None, None))
        if start is not None:
            options["start"] = start
        elif self.warm_start and last_kind == kind:
            options["start"] = last
        name = "fast" if self.inference == PROJECTION else self.inference
        return INFERENCES[name](**options)

    def _record(self, columns, fit: Fit):
        """Set the fitted attributes of a model with one latent value."""
        posterior = fit.posterior
        kept = columns.keep(posterior.active)
        order = kept.order_by_row()
        self._set_weights(LatentModel(kept.keep(order), posterior.mean[order], fit.root[order]))
        self.weight_precision_ = posterior.weight_precision[order]
        self._relevant = fit.relevant[order]
        self._record_fit(fit.log_evidence, fit.history, fit.outcome, len(fit.history) - 1)
        if self.inference == "variational":
            self.lower_bound_ = fit.history[-1].lower_bound

    def _record_several(self, model, weight_precision, relevant, fits: list[Fit]):
        """Set the fitted attributes of a model with weights for several classes or outputs.

        From one joint fit, or from one for each.
        """
        self._latent = model
        self.weights_ = model.weights
        self.weight_precision_ = weight_precision
        self._relevant = relevant
        histories = [fit.history for fit in fits]
        self._record_fit(
            sum(fit.log_evidence for fit in fits),
            histories[0] if len(fits) == 1 else histories,
            worst_outcome(fits),
            max(map(len, histories)) - 1,
        )
        self.__dict__.pop("covariance_", None)
        if self.inference == "variational":
            self.lower_bound_ = sum(history[-1].lower_bound for history in histories)

    def _record_fit(self, log_evidence, history, outcome, n_iter):
        """Set what every fit leaves behind, and drop what only others do."""
        rows = self._latent.columns.centre_rows
        self.relevance_ = rows[self._relevant & (rows != NO_ROW)]
        self.log_evidence_ = log_evidence
        self.history_ = history
        self.outcome_ = outcome
        self.n_iter_ = n_iter
        for name in ("lower_bound_", "noise_posterior_", "input_relevance_"):
            self.__dict__.pop(name, None)

    def _record_relevance(self, X):
        """Which inputs matter, where each of them has a scale that was learned."""
        free = [kind.free for kind in self._latent.columns.kinds if kind.free is not None]
        if any(each.inputs is not None for each in free):
            relevance = input_relevance(self._latent.columns, self.weights_, X)
            if relevance is not None:
                self.input_relevance_ = relevance

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
            if self.weights_.ndim > 1:
                raise ValueError("prune is for a model of two classes, or of one output.")
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


def precisions(posterior) -> Start:
    """What a later fit can start from."""
    return Start(posterior.active, posterior.weight_precision, posterior.noise_precision)
