"""The generated data sets of the papers."""

from __future__ import annotations

from typing import Any

import numpy as np

# Centres of the two Gaussians of each class, and their variance, in Ripley's synthetic set (1996).
RIPLEY_CENTRES = np.array([[[-0.7, 0.3], [0.3, 0.3]], [[-0.3, 0.7], [0.4, 0.7]]])
RIPLEY_VARIANCE = 0.03


def sinc(x: np.ndarray) -> np.ndarray:
    """sin(x) / x."""
    return np.sinc(np.asarray(x) / np.pi)


def noisy_sinc(
    n_samples: int = 100, noise_std: float = 0.1, random_state: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """sin(x) / x at equally spaced points in [-10, 10], with Gaussian noise. [T01] E.1

    Parameters
    ----------
    n_samples : int, default=100
    noise_std : float, default=0.1
    random_state : int, Generator or None, default=None

    Returns
    -------
    X : array of shape (n_samples, 1)
    y : array of shape (n_samples,)

    Examples
    --------
    >>> from sparsebayes.datasets import noisy_sinc
    >>> X, y = noisy_sinc(50, random_state=0)
    >>> X.shape, y.shape
    ((50, 1), (50,))
    """
    random = np.random.default_rng(random_state)
    x = np.linspace(-10.0, 10.0, n_samples)
    return x[:, None], sinc(x) + random.normal(0.0, noise_std, n_samples)


def ripley_mixture(n_samples: int = 250, random_state: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """Two overlapping classes in the plane, each a mixture of two Gaussians; Bayes error 8 %.

    The distribution that Ripley (1996) drew his synthetic set from; classes in equal shares.

    Parameters
    ----------
    n_samples : int, default=250
    random_state : int, Generator or None, default=None

    Returns
    -------
    X : array of shape (n_samples, 2)
    y : array of shape (n_samples,), of 0 and 1
    """
    random = np.random.default_rng(random_state)
    y = np.arange(n_samples) % 2
    component = random.integers(2, size=n_samples)
    spread = random.normal(0.0, np.sqrt(RIPLEY_VARIANCE), (n_samples, 2))
    return RIPLEY_CENTRES[y, component] + spread, y
