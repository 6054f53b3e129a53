"""The dense model of several classes: regression on their labels, made sharp enough.

It is a Gaussian process for each contrast of classes, all with the same covariance and noise. The
softmax of b times its mean are the probabilities. The sharpness b is found by leaving rows out, and
all else is in its units from then on.

Regression on labels is at its best where classes are apart: every row says something. Where they
overlap, or lie behind each other, the softmax whose log density is highest is better. The latent
values of both are added. The shares are those at which the classes of rows that are left out are
most probable. The softmax has but the first columns of the dense model, which say most; with all of
them it would take minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from sparsebayes.columns import first_of_each, spread
from sparsebayes.dense.fit import DenseFit, dense_posterior
from sparsebayes.dense.labels.labels import label_contrasts
from sparsebayes.dense.labels.leaving_out import LeftOut, leave_out
from sparsebayes.dense.matching import latents_of, moments
from sparsebayes.dense.parts import groups
from sparsebayes.dense.rows import BUDGET, Budget
from sparsebayes.dense.settings import find_settings
from sparsebayes.likelihoods import Gaussians, Multinomial, secant_curvature
from sparsebayes.posterior import Posterior, find_posterior
from sparsebayes.problem import Precisions, Problem
from sparsebayes.rows import Data

# One factorisation serves all classes, and is all there is, so that more centres are affordable.
CLASSES_BUDGET = replace(BUDGET, most_centres=3000, work=8e10)


def fit_dense_classes(
    problem: Problem,
    settings: np.ndarray | None = None,
    budget: Budget = CLASSES_BUDGET,
    find: Callable[..., Posterior] = dense_posterior,
) -> DenseFit:
    """The dense model of classes whose latent values are contrasts.

    Parameters
    ----------
    settings : of regression on the labels (n_settings,), the last that of the noise, if known
    find : (regression, settings, budget=budget) -> the posterior of the regression
    """
    if settings is None:
        settings = find_settings(problem, budget).settings
    data, n_contrasts = problem.data, problem.layout.n_outputs
    labels = label_contrasts(data.target, n_contrasts + 1)
    noise = float(np.exp(settings[-1]))
    regression = problem.changed(
        data=data._replace(target=labels), likelihood=Gaussians(n_contrasts, noise**-0.5)
    )
    found = find(regression, settings, budget=budget)
    left_out = leave_out(data.target, data.weight, labels, *moments(found), noise)
    sharp = in_other_units(found, left_out.sharpness)
    blend = blended(sharp, data, left_out)
    posterior = replace(sharp, mean=blend.mean)
    latents = latents_of(posterior)
    curvature = secant_curvature(problem.likelihood.latent_weights(latents))
    return DenseFit.of(
        posterior.problem,
        posterior,
        latents=latents,
        row_precision=data.weight * curvature,
        log_evidence=blend.log_density,
        noise_variance=1.0,
        between=problem.likelihood.between(1.0),
        left_out=left_out._replace(log_density=blend.log_density),
    )


def in_other_units(posterior: Posterior, unit: float) -> Posterior:
    """A posterior of Gaussian rows as it is with all targets `unit` times as large."""
    problem, square = posterior.problem, unit**2
    likelihood = Gaussians(posterior.n_outputs, unit * posterior.noise_precision**-0.5)
    data = problem.data._replace(target=unit * problem.data.target)
    return replace(
        posterior,
        problem=problem.changed(data=data, likelihood=likelihood),
        precisions=Precisions(
            posterior.weight_precision / square, posterior.noise_precision / square
        ),
        mean=unit * posterior.mean,
        value=square * posterior.value,
        factor=replace(posterior.factor, scale=unit * posterior.factor.scale),
    )


@dataclass(frozen=True)
class BlendRule:
    """How two answers are blended.

    Attributes
    ----------
    most_columns : of each kernel, that the softmax has
    most_rows : that it is fitted to; of more, these many
    n_folds : in which rows are left out of it
    variance : of its latent values, a priori
    usual : what the shares are usually
    width : standard deviation of their logarithms about that, a priori; few rows cannot tell
    close : the search for the shares ends where the slope for their logarithms is less
    """

    most_columns: int = 200
    most_rows: int = 20_000
    n_folds: int = 5
    variance: float = 32.0
    usual: float = 0.5
    width: float = 0.5
    close: float = 1e-7


BLEND_RULE = BlendRule()


class Blend(NamedTuple):
    """The blend of two answers.

    Attributes
    ----------
    mean : weights of the columns (m, K - 1)
    log_density : of the classes of rows left out
    """

    mean: np.ndarray
    log_density: float


def blended(
    posterior: Posterior, data: Data, left_out: LeftOut, rule: BlendRule = BLEND_RULE
) -> Blend:
    """Regression on labels, blended with a softmax.

    Parameters
    ----------
    posterior : of the regression, in the units of the softmax
    data : with the classes as targets
    left_out : what the regression says of rows left out
    """
    likelihood = Multinomial(posterior.n_outputs + 1)
    rows = spread(np.arange(len(data.target)), rule.most_rows)
    whole, data = float(data.weight.sum()), data.take(rows)
    softmax = _Softmax(posterior, rows, data, likelihood, rule)
    own = softmax.weights(np.arange(len(rows)))
    regression = left_out.latents[rows]
    score = likelihood.expand(data.target, regression).value
    fold = folds(data.target, score, rule.n_folds)
    answers = np.stack([regression, softmax.left_out(own, fold)])

    def minus_log_density(log_shares: np.ndarray) -> tuple[float, np.ndarray]:
        shared = np.exp(log_shares)[:, None, None] * answers
        found = likelihood.expand(data.target, shared.sum(axis=0))
        apart = (log_shares - np.log(rule.usual)) / rule.width
        slope = np.einsum("knl,nl,n->k", shared, found.slope, data.weight)
        value = 0.5 * float(apart @ apart) - float(data.weight @ found.value)
        return value, apart / rule.width - slope

    start = np.full(2, np.log(rule.usual))
    found = minimize(
        minus_log_density, start, jac=True, method="BFGS", options={"gtol": rule.close}
    )
    shares = np.exp(found.x)
    mean = shares[0] * posterior.mean
    mean[softmax.columns] += shares[1] * own
    latents = np.einsum("k,knl->nl", shares, answers)
    log_density = float(data.weight @ likelihood.expand(data.target, latents).value)
    return Blend(mean, log_density * whole / float(data.weight.sum()))


class _Softmax:
    """The softmax of the first columns of a dense model, with their prior.

    Attributes
    ----------
    columns : which of them it has (m,)
    design : these at the rows (n, m)
    """

    def __init__(
        self,
        posterior: Posterior,
        rows: np.ndarray,
        data: Data,
        likelihood: Multinomial,
        rule: BlendRule,
    ) -> None:
        self.data, self.likelihood = data, likelihood
        self.columns = first_of_each(posterior.problem.columns, rule.most_columns)
        self.design = posterior.problem.design(rows, self.columns)
        share = data.weight / data.weight.sum()
        mean_square = share @ self.design**2
        precision = group_precision(posterior.problem, self.columns, mean_square)
        self.precisions = Precisions(precision / rule.variance, 1.0)

    def weights(self, rows: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
        """Weights at the mode of these rows (m, K - 1)."""
        if not len(rows):
            return np.zeros((len(self.columns), self.likelihood.layout.n_outputs))
        problem = Problem.of_design(self.design[rows], self.data.take(rows), self.likelihood)
        every = np.arange(problem.n_columns)
        return find_posterior(problem, every, self.precisions, start).mean

    def left_out(self, start: np.ndarray, fold: np.ndarray) -> np.ndarray:
        """Latent values of rows, a fold of them left out at a time (n, K - 1)."""
        latents = np.empty((len(fold), start.shape[1]))
        for k in np.unique(fold):
            weights = self.weights(np.flatnonzero(fold != k), start)
            latents[fold == k] = self.design[fold == k] @ weights
        return latents


def group_precision(problem: Problem, columns: np.ndarray, mean_square: np.ndarray) -> np.ndarray:
    """Precisions at which every kernel, and every plain column, has a mean variance of 1 (m,).

    A bias, for instance, is of no use to labels of equal frequency, but it is to a softmax.
    """
    kinds = tuple(part.kind for part in problem.columns.parts)  # type: ignore[union-attr]
    group = groups(kinds)[columns]
    variance = np.bincount(group, mean_square)[group]
    return np.where(variance > 0.0, variance, 1.0)


def folds(codes: np.ndarray, score: np.ndarray, n_folds: int, close: float = 1e-9) -> np.ndarray:
    """The fold of each row (n,): all classes, and all scores in a class, are in every fold.

    It depends neither on the order of the rows or classes nor on the units of inputs. Rows of equal
    class and score are in the same fold, as rows that occur twice should be.

    Parameters
    ----------
    score : of each row (n,)
    close : scores that differ by less, relative to the largest, are equal but for rounding
    """
    classes, place = np.unique(codes, return_inverse=True)
    lowest = np.full(len(classes), np.inf)
    np.minimum.at(lowest, place, score)
    rank = np.argsort(np.argsort(lowest))[place]
    order = np.lexsort([score, rank])
    apart = np.diff(score[order]) > close * np.abs(score).max(initial=0.0)
    new = apart | (np.diff(rank[order]) > 0)
    fold = np.empty(len(order), dtype=np.intp)
    fold[order] = np.cumsum(np.append(0, new)) % n_folds
    return fold
