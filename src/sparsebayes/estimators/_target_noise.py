"""What is known of the noise of targets: of all of them, or of each row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from sparsebayes._parameters import LARGEST, SMALLEST, is_word
from sparsebayes.estimators._checks import numbers_of_rows, training_weight
from sparsebayes.estimators._counting import scaled_counts
from sparsebayes.estimators._many_rows import is_lazy
from sparsebayes.inference.state import Fit
from sparsebayes.rows import known_noise

# The word for a known noise of rows up to a factor.
FACTOR = "factor"


class TargetNoise(NamedTuple):
    """What the fit is told of the noise, and how it reads what the fit says.

    Attributes
    ----------
    std : the noise s of the likelihood; None to estimate it
    of_new : noise of a new target in units of s
    log_factor : what the log evidence of an output is short of
    of_rows : whether the noise of each row is known, as weights of the rows
    """

    std: float | None = None
    of_new: float = 1.0
    log_factor: float = 0.0
    of_rows: bool = False

    def read(self, fit: Fit, shifts_history: bool) -> Fit:
        """The fit with the noise of a new target, and the evidence of the targets themselves.

        The fit itself, where rows have no noise of their own.

        Parameters
        ----------
        shifts_history : whether the history is one of the same evidence
        """
        if (self.of_new, self.log_factor) == (1.0, 0.0):
            return fit
        more = self.log_factor * fit.problem.layout.n_outputs
        of_history = more if shifts_history else 0.0
        history = [
            step._replace(
                log_evidence=step.log_evidence + of_history,
                lower_bound=step.lower_bound + of_history,
                noise_std=step.noise_std * self.of_new,
            )
            for step in fit.history
        ]
        noise = fit.precisions.noise / self.of_new**2
        return replace(
            fit,
            precisions=fit.precisions._replace(noise=noise),
            log_evidence=fit.log_evidence + more,
            history=history,
        )


def noise_and_weight(
    estimator: Any, X: Any, noise_std: Any, sample_weight: Any
) -> tuple[TargetNoise, Any]:
    """What is known of the noise, and the weights of the rows that go with it.

    Parameters
    ----------
    noise_std : of each row, as given to `fit`; or None
    """
    check_both(estimator.noise_std, noise_std)
    if noise_std is None:
        return TargetNoise(estimator.noise_std), sample_weight
    if is_lazy(X):
        raise ValueError(
            "noise_std of fit needs rows in memory, got X as a collection of Dask of many rows. "
            "Pass sample_weight=q with q = noise_std ** -2, and (q.sum() / (q ** 2).sum()) ** 0.5 "
            f"as noise_std of {type(estimator).__name__}."
        )
    counts = scaled_counts(training_weight(sample_weight, X))
    found = known_noise(checked_noise(noise_std, len(counts)), counts)
    std = None if is_word(estimator.noise_std, FACTOR) else found.std
    return TargetNoise(std, found.of_new, found.log_factor, True), found.weight


def check_both(of_all: Any, of_rows: Any) -> None:
    """An error where the constructor and `fit` disagree on what is known."""
    factor = is_word(of_all, FACTOR)
    if factor and of_rows is None:
        raise ValueError(
            'noise_std="factor" estimates a factor of the known noise of rows, and there is none: '
            "pass fit(X, y, noise_std=sigma), or leave noise_std at None."
        )
    if of_rows is not None and of_all is not None and not factor:
        raise ValueError(
            f"noise_std was given twice: as {of_all!r} for all rows, and for each row to fit. "
            "Leave it at None if that of rows is known exactly, or set it to 'factor' if it is "
            "known up to a factor."
        )


def refuse_factor(of_all: Any) -> None:
    """An error where `partial_fit` is to estimate a factor of the noise of rows."""
    if is_word(of_all, FACTOR):
        raise ValueError(
            'noise_std="factor" needs the noise of each row, which partial_fit does not take: '
            "leave noise_std at None, and pass sample_weight."
        )


def checked_noise(noise_std: Any, n_rows: int) -> np.ndarray:
    """Positive numbers (n_rows,)."""
    otherwise = " One number for all rows belongs in the constructor."
    sigma = numbers_of_rows("noise_std", noise_std, n_rows, otherwise)
    wrong = np.flatnonzero(~((sigma > SMALLEST) & (sigma < LARGEST)))
    if len(wrong):
        raise ValueError(
            f"noise_std of fit must hold positive numbers between {SMALLEST} and {LARGEST}, got "
            f"{sigma[wrong[0]]} in row {wrong[0]}. An exact target has the noise of the accuracy "
            "that you need; leave out a row of unknown noise."
        )
    return sigma


def refuse_noise_std(of_all: Any, noise: TargetNoise) -> None:
    """An error where outputs that share precisions are given a noise."""
    if noise.std is not None:
        given = "noise_std of each row" if of_all is None else f"noise_std={of_all!r}"
        leave = 'noise_std="factor" in the constructor' if of_all is None else "leave it out"
        raise ValueError(
            f"{given} cannot be used with several outputs that share precisions, "
            f'whose noise is found with them: use multi_output="separate", or {leave}.'
        )
