"""What a target is, by the parameter `likelihood` of estimators: its checks, and its response."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sparsebayes.assembly import assemble
from sparsebayes.estimators._checks import numbers_of_rows
from sparsebayes.inference.inference import Inference
from sparsebayes.inference.state import Fit
from sparsebayes.likelihoods import (
    Heteroscedastic,
    Likelihood,
    NegativeBinomial,
    Ordinal,
    Poisson,
    StudentT,
)
from sparsebayes.model.real import uncertain_noise
from sparsebayes.model.responses import CountTargets, RealTargets, VaryingTargets

GAUSSIAN, CATEGORICAL = "gaussian", "categorical"
# More vectors than this part of the rows, unless they are few, follow single counts; large counts
# may need them, as they tell their mean so well.
MANY_VECTORS, FEW_VECTORS, LARGE_COUNT = 0.2, 20, 100.0
# What users can ask for besides these, by name or as an object.
OF_REGRESSORS: dict[str, type[Any]] = {
    each.name: each for each in (StudentT, Poisson, NegativeBinomial, Heteroscedastic)
}
OF_CLASSIFIERS: dict[str, type[Any]] = {Ordinal.name: Ordinal}


def check_likelihood(value: Any, usual: str, others: dict[str, type[Any]]) -> Any:
    """The likelihood of this name, or the one that was given, checked; None for the usual one."""
    if isinstance(value, str) and value == usual:
        return None
    if isinstance(value, str) and value in others:
        return others[value]()
    if not isinstance(value, tuple(others.values())):
        names = ", ".join(map(repr, [usual, *others]))
        kinds = ", ".join(f"{kind.__name__}()" for kind in others.values())
        raise ValueError(f"likelihood must be one of {names}, or of {kinds}; got {value!r}.")
    given: Any = value
    given.check()
    return given


def refuse_noise_beside(likelihood: Likelihood, of_all: Any, of_rows: Any) -> None:
    """An error where a noise is given that goes with Gaussian noise only."""
    if of_all is None and of_rows is None:
        return
    given = "noise_std of fit" if of_all is None else f"noise_std={of_all!r}"
    instead = {
        StudentT.name: "use likelihood=StudentT(scale=...)",
        Heteroscedastic.name: "leave it out, as the noise is learned; or known noise of rows needs "
        'likelihood="gaussian"',
    }
    raise ValueError(
        f'{given} is that of Gaussian noise, and likelihood="{likelihood.name}" has another: '
        f"{instead.get(likelihood.name, 'leave it out')}."
    )


def refuse_exposure(name: str) -> None:
    """An error where exposures are given for what are no counts."""
    raise ValueError(
        'exposure is for counts, likelihood="poisson" or "negative_binomial"; got '
        f'likelihood="{name}".'
    )


def checked_exposure(exposure: Any, n_rows: int) -> np.ndarray:
    """Logarithms of positive numbers (n_rows,)."""
    values = numbers_of_rows("exposure", exposure, n_rows)
    wrong = np.flatnonzero(~((values > 1e-100) & (values < 1e100)))
    if len(wrong):
        raise ValueError(
            f"exposure of fit must hold positive finite numbers, got {values[wrong[0]]} in row "
            f"{wrong[0]}. Leave out rows without exposure."
        )
    return np.log(values)


def checked_new_target(likelihood: Any, y: np.ndarray, exposure: Any) -> np.ndarray:
    """Targets to be judged, or counts and the logarithms of their exposures (n, 2)."""
    if exposure is not None and (likelihood is None or not likelihood.counts):
        refuse_exposure(GAUSSIAN if likelihood is None else likelihood.name)
    if likelihood is not None:
        likelihood.check_target(y)
    return y if exposure is None else np.column_stack([y, checked_exposure(exposure, len(y))])


def one_target(estimator: Any, y: np.ndarray, likelihood: Likelihood) -> np.ndarray:
    """y (n,), or an error where it has several columns."""
    if y.ndim == 2 and y.shape[1] > 1:
        raise ValueError(
            f'likelihood="{likelihood.name}" takes one target, got {y.shape[1]} columns of y. Use '
            f"sklearn.multioutput.MultiOutputRegressor({type(estimator).__name__}(...))."
        )
    return y


def obstacle_of(likelihood: Likelihood, exposure: Any) -> str | None:
    """Why rows cannot come in blocks with this likelihood."""
    if likelihood.varies or not likelihood.log_concave:
        return f'likelihood="{likelihood.name}" needs all rows in memory'
    return None if exposure is None else "exposure needs all rows in memory; pass rates and weights"


def response_of(fits: list[Fit], offset: Any, inference: Inference) -> Any:
    """What makes targets of latent values, from fits of one target or of several."""
    likelihood: Any = fits[0].problem.likelihood
    if likelihood.name in RESPONSES:
        return RESPONSES[likelihood.name](fits, offset)
    if len(fits) == 2 and fits[1].problem.likelihood.models_noise:
        return _varying(fits, offset)
    posteriors = [inference.noise_posterior(fit) for fit in fits]
    known = [(each.shape, each.rate) for each in posteriors if each is not None]
    noise_std = np.concatenate([fit.noise_std for fit in fits])
    if known:
        return uncertain_noise(_each(offset, len(noise_std)), noise_std, np.array(known))
    return RealTargets(_each(offset, len(noise_std)), noise_std)


def _each(offset: Any, n_outputs: int) -> np.ndarray:
    """What is added to each output (n_outputs,)."""
    return np.broadcast_to(np.asarray(offset, dtype=np.float64), n_outputs).copy()


def _student_t(fits: list[Fit], offset: Any) -> RealTargets:
    """A Gaussian whose noise precision has a Gamma distribution."""
    likelihood: Any = fits[0].problem.likelihood
    df, scale = likelihood.values
    noise = np.array([[0.5 * df, 0.5 * df * scale**2]])
    return uncertain_noise(_each(offset, 1), np.array([likelihood.noise_std]), noise)


def _counts(fits: list[Fit], offset: Any) -> CountTargets:
    likelihood: Any = fits[0].problem.likelihood
    return CountTargets(float(likelihood.log_mean), float(getattr(likelihood, "dispersion", 0.0)))


def _varying(fits: list[Fit], offset: Any) -> VaryingTargets:
    likelihood: Any = fits[1].problem.likelihood
    noise, limits = assemble(fits[1]).plain, np.array(likelihood.limits)
    return VaryingTargets(_each(offset, 1), noise, float(likelihood.log_mean), limits, 0.0)


def warn_of_wild_counts(estimator: Any, n_rows: int) -> None:
    """Warn where Poisson counts are followed one by one, which those that vary more ask for."""
    likelihood, n_vectors = estimator._model.likelihood, len(estimator.relevance_)
    small = likelihood.takes_rates and likelihood.log_mean < np.log(LARGE_COUNT)
    if small and n_vectors > max(MANY_VECTORS * n_rows, FEW_VECTORS):
        warnings.warn(
            f"The model has {n_vectors} vectors for {n_rows} rows: it follows single counts. The "
            "likeliest cause: they vary more than Poisson counts do. Compare log_evidence_ with "
            'that of likelihood="negative_binomial".',
            ConvergenceWarning,
            stacklevel=5,
        )


def explained_deviance(
    likelihood: Any, y: np.ndarray, predicted: np.ndarray, weight: np.ndarray
) -> float:
    """D^2 = 1 - deviance / deviance of the mean; 0 where the latter is 0 and the former is not."""
    if (y < 0.0).any():
        raise ValueError(f"y must hold counts or rates of 0 or more, got {y.min()}.")
    of_mean = weight @ likelihood.deviance(y, np.full_like(y, weight @ y / weight.sum()))
    of_model = weight @ likelihood.deviance(y, np.maximum(predicted, np.finfo(float).tiny))
    if of_mean <= 0.0:
        return float(of_model <= 0.0)
    return float(1.0 - of_model / of_mean)


RESPONSES = {
    StudentT.name: _student_t,
    Poisson.name: _counts,
    NegativeBinomial.name: _counts,
}
