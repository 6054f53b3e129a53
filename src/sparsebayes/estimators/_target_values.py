"""Values of real targets and counts: their checks, and what is taken out of them first."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import column_or_1d

from sparsebayes.estimators._advice import MeanLeft
from sparsebayes.estimators._checks import check_noise_beside, check_target_size
from sparsebayes.estimators._likelihoods import checked_exposure, one_target
from sparsebayes.estimators._target_noise import TargetNoise
from sparsebayes.problem import LEAST_SPREAD
from sparsebayes.rows import Data, Look


def checked_target(
    estimator: Any, likelihood: Any, y: np.ndarray, noise: TargetNoise, exposure: Any
) -> np.ndarray:
    """Targets, or counts and the logarithms of their exposures (n, 2).

    Parameters
    ----------
    likelihood : that was asked for; None for Gaussian noise
    """
    check_target_size(y)
    check_noise_beside(noise.std, y)
    if likelihood is None:
        return y
    likelihood.check_target(one_target(estimator, y, likelihood))
    if exposure is None:
        return y
    if (y != np.floor(y)).any():
        raise ValueError(
            f"y must hold counts where exposure is given, got {y[y != np.floor(y)][0]}. Pass "
            "counts, or rates as y with their exposure as sample_weight."
        )
    return np.column_stack([y, checked_exposure(exposure, len(y))])


def taken_out(likelihood: Any, data: Data, centres: bool) -> tuple[Any, bool]:
    """What is taken out of the targets; and whether a bias is then not needed beside kernels.

    Parameters
    ----------
    likelihood : that was asked for; None for Gaussian noise
    centres : whether anything is to be taken out
    """
    if not centres:
        return 0.0, False
    if likelihood is not None and not likelihood.has_units:
        return 0.0, True
    constant = is_constant(data.target)
    if likelihood is None:
        return target_offset(data.target, data.weight), not constant.any()
    return (0.0, False) if constant else (likelihood.centre(data.target, data.weight), True)


def mean_left(likelihood: Any, data: Data, taken: bool) -> MeanLeft | None:
    """The mean and spread of a target that is far from 0 and whose mean was not taken out.

    Parameters
    ----------
    likelihood : that was asked for; None for Gaussian noise
    taken : whether it was
    """
    if taken or data.target.ndim > 1 or (likelihood is not None and not likelihood.has_units):
        return None
    mean = float(np.average(data.target, weights=data.weight))
    variance = float(np.average((data.target - mean) ** 2, weights=data.weight))
    far = abs(mean) > np.ptp(data.target)
    return MeanLeft(mean, variance**0.5) if far else None


def taken_out_of_many(likelihood: Any, look: Look, n_axes: int, centres: bool) -> tuple[Any, bool]:
    """The same of many rows, after a look at them.

    Parameters
    ----------
    n_axes : of the targets
    """
    if likelihood is not None:
        likelihood.check_target(np.append(look.sample.data.target, look.lowest))
        return 0.0, centres
    if not centres:
        return 0.0, False
    constant = is_constant(np.array([look.lowest, look.highest]))
    offset = np.where(constant, 0.0, look.target_sum / look.weight)
    return offset if n_axes > 1 else offset[0], not constant.any()


def target_offset(y: np.ndarray, weight: np.ndarray) -> Any:
    """The mean of each output, rows counted by their weight; 0 for an output that is constant.

    A constant has no spread that its residuals could be measured by.
    """
    return np.where(is_constant(y), 0.0, weight @ y / weight.sum())[()]


def is_constant(y: np.ndarray) -> np.ndarray:
    """Whether each output is a constant that is not zero, up to rounding."""
    size = np.abs(y).max(axis=0)
    return np.ptp(y, axis=0) <= LEAST_SPREAD * size


def warn_of_column() -> None:
    """Warn as scikit-learn does of a target that is a column."""
    column_or_1d(np.zeros((2, 1)), warn=True)
