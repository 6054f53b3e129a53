"""Three and more classes, or several outputs: what is fitted, and what predicts afterwards."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import block_diag
from sklearn.base import clone
from sklearn.utils.parallel import Parallel, delayed

from sparsebayes.inference import Fit, Outcome
from sparsebayes.latents import ClassModel, SharedClassModel, SharedOutputModel
from sparsebayes.likelihoods import Multinomial, Softmax


def joint_likelihood(n_classes: int, shared_precision: bool) -> Multinomial | Softmax:
    """The multinomial likelihood, with a precision for each column or each column and class."""
    return Multinomial(n_classes) if shared_precision else Softmax(n_classes)


class Several(NamedTuple):
    """What predicts, the precisions of its weights (m,) or (m, K), and which columns pay (m,)."""

    model: Any
    weight_precision: np.ndarray
    relevant: np.ndarray


def joint_model(likelihood, columns, fit: Fit) -> Several:
    """The result of a joint fit of all classes."""
    posterior, root = fit.posterior, fit.root
    if likelihood.coupled:
        label, column = np.divmod(posterior.active, columns.n_columns)
        found = posterior.mean, posterior.weight_precision, fit.relevant
        return separate_model(columns, likelihood.n_classes, label, column, *found, root)
    kept = columns.keep(posterior.active)
    order = kept.order_by_row()
    weights = (posterior.mean @ likelihood.contrasts.T)[order]
    model = SharedClassModel(kept.keep(order), weights, root[order])
    return Several(model, posterior.weight_precision[order], fit.relevant[order])


def separate_model(
    columns, n_classes, label, column, mean, weight_precision, relevant, root
) -> Several:
    """A model in which each weight has a class, a column, a mean and a precision (w,).

    Precisions are infinite where a class has no weight for a column, and a column is relevant if it
    is to any class.
    """
    distinct, position = np.unique(column, return_inverse=True)
    kept = columns.keep(distinct)
    order = kept.order_by_row()
    position = np.argsort(order)[position]
    weights = np.zeros((len(distinct), n_classes))
    precision = np.full_like(weights, np.inf)
    weights[position, label] = mean
    precision[position, label] = weight_precision
    pays = np.bincount(position, relevant, len(distinct)) > 0.0
    return Several(ClassModel(kept.keep(order), weights, position, label, root), precision, pays)


def fit_each(estimator, columns, X, targets, weight, likelihood, n_jobs=None) -> list[Fit]:
    """A fit for each of several targets (k, n), independent of the others.

    Warm starts are from the fits of the same targets before.
    """
    last = getattr(estimator, "_last_fits", [])
    copies = [clone(estimator) for _ in targets]
    for copy, (kind, start) in zip(copies, last, strict=False):
        copy._last_fit = kind, start
    done = Parallel(n_jobs=n_jobs)(
        delayed(_fit_one)(copy, columns, X, target, weight, likelihood)
        for copy, target in zip(copies, targets, strict=True)
    )
    estimator._last_fits = [last_fit for _, last_fit in done]
    return [fit for fit, _ in done]


def _fit_one(estimator, columns, X, target, weight, likelihood):
    fit = estimator._infer(columns, X, target, weight, likelihood)
    return fit, estimator._last_fit


def side_by_side(columns, fits: list[Fit]) -> Several:
    """One model of the results of independent fits."""
    posteriors = [fit.posterior for fit in fits]
    return separate_model(
        columns,
        len(fits),
        np.repeat(np.arange(len(fits)), [len(each.active) for each in posteriors]),
        np.concatenate([each.active for each in posteriors]),
        np.concatenate([each.mean for each in posteriors]),
        np.concatenate([each.weight_precision for each in posteriors]),
        np.concatenate([fit.relevant for fit in fits]),
        block_diag(*[fit.root for fit in fits]),
    )


def shared_output_model(columns, fit: Fit) -> Several:
    """The result of a fit of outputs with shared precisions."""
    posterior = fit.posterior
    kept = columns.keep(posterior.active)
    order = kept.order_by_row()
    root = fit.root[order]
    noise_std = posterior.output_precision**-0.5
    model = SharedOutputModel(kept.keep(order), posterior.mean[order], root, noise_std)
    return Several(model, posterior.weight_precision[order], fit.relevant[order])


def worst_outcome(fits: list[Fit]) -> Outcome:
    """The first outcome that is worth a warning, or that all have converged.

    A class or an output that nothing explains is no reason to warn as long as there is another.
    """
    outcomes = [fit.outcome for fit in fits if fit.outcome is not Outcome.NOTHING_RELEVANT]
    if not outcomes:
        return Outcome.NOTHING_RELEVANT
    return next((each for each in outcomes if not each.converged), Outcome.CONVERGED)
