"""What is known of the noise of targets: of all of them, or of each row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from sparsebayes._parameters import LARGEST, SMALLEST, is_number, is_word
from sparsebayes.inference.state import Fit
from sparsebayes.rows import known_noise
from sparsebayes.targets.values import is_lazy, numbers_of_rows, scaled_counts, training_weight

# A given noise below this part of the targets is below their rounding.
LEAST_NOISE = 1e-15
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


# Nothing is known: the noise is estimated, and the same in all rows.
UNKNOWN = TargetNoise()


def noise_and_weight(
    of_all: Any, of_rows: Any, name: str, X: Any, sample_weight: Any
) -> tuple[TargetNoise, Any]:
    """What is known of the noise, and the weights of the rows that go with it.

    Parameters
    ----------
    of_all, of_rows : the noise of the constructor, and that of each row as given to `fit`; or None
    name : of the class of the estimator, for errors
    """
    check_both(of_all, of_rows)
    if of_rows is None:
        return TargetNoise(of_all), sample_weight
    if is_lazy(X):
        raise ValueError(
            "noise_std of fit needs rows in memory, got X as a collection of Dask of many rows. "
            "Pass sample_weight=q with q = noise_std ** -2, and (q.sum() / (q ** 2).sum()) ** 0.5 "
            f"as noise_std of {name}."
        )
    counts = scaled_counts(training_weight(sample_weight, X))
    found = known_noise(checked_noise(of_rows, len(counts)), counts)
    std = None if is_word(of_all, FACTOR) else found.std
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


def check_noise_std(noise_std: Any) -> None:
    """An error unless it is None, "factor" or a number that can be squared."""
    if noise_std is None or is_word(noise_std, "factor"):
        return
    if not is_number(noise_std) or not SMALLEST < float(noise_std) < LARGEST:
        raise ValueError(
            "noise_std must be None, 'factor' or a positive number between "
            f"{SMALLEST} and {LARGEST}, got {noise_std!r}. None estimates it, unless fit is given "
            "that of each row; 'factor' estimates a factor of that of rows."
        )


def check_noise_beside(noise_std: float | None, y: np.ndarray) -> None:
    """An error where a given noise is below the rounding of the targets."""
    size = float(np.abs(y).max())
    if noise_std is not None and noise_std < LEAST_NOISE * size:
        raise ValueError(
            f"noise_std must be at least {LEAST_NOISE} of the size of y, below which doubles have "
            f"no digits; got noise_std={noise_std} with values of y up to {size}."
        )
