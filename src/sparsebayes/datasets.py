"""The generated data sets of the papers."""

from __future__ import annotations

from typing import Any

import numpy as np

# Centres of the two Gaussians of each class, and their variance, in Ripley's synthetic set (1996).
RIPLEY_CENTRES = np.array([[[-0.7, 0.3], [0.3, 0.3]], [[-0.3, 0.7], [0.4, 0.7]]])
RIPLEY_VARIANCE = 0.03


def sinc(x: np.ndarray) -> np.ndarray:
    """The function sin(x) / x, and 1 at x = 0.

    Parameters
    ----------
    x : array-like
        Where to evaluate it.

    Returns
    -------
    y : array
        The values, in the shape of x.

    Examples
    --------
    >>> from sparsebayes.datasets import sinc
    >>> print(sinc([0.0, 1.0]).round(2))
    [1.   0.84]
    """
    return np.sinc(np.asarray(x) / np.pi)


def noisy_sinc(
    n_samples: int = 100, noise_std: float = 0.1, random_state: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """Draw sin(x) / x with Gaussian noise, at equally spaced points from -10 to 10.

    This is the toy set of Tipping (2001), appendix E.1.

    Parameters
    ----------
    n_samples : int, default=100
        Number of rows.
    noise_std : float, default=0.1
        Standard deviation of the noise.
    random_state : int, Generator or None, default=None
        Seed of the noise.

    Returns
    -------
    X : array of shape (n_samples, 1)
        Inputs.
    y : array of shape (n_samples,)
        Targets.

    References
    ----------
    M. E. Tipping (2001), Sparse Bayesian Learning and the Relevance Vector Machine, Journal of
    Machine Learning Research 1, 211-244.

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
    """Draw two overlapping classes in the plane, each a mixture of two Gaussians.

    It is the distribution of Ripley's synthetic set (1996), with equally many rows of both classes.
    The best possible classifier has an error of 8 %.

    Parameters
    ----------
    n_samples : int, default=250
        Number of rows.
    random_state : int, Generator or None, default=None
        Seed of the draws.

    Returns
    -------
    X : array of shape (n_samples, 2)
        Inputs.
    y : array of shape (n_samples,)
        Labels, 0 and 1 in turn.

    References
    ----------
    B. D. Ripley (1996), Pattern Recognition and Neural Networks, Cambridge University Press.

    Examples
    --------
    >>> from sparsebayes.datasets import ripley_mixture
    >>> X, y = ripley_mixture(50, random_state=0)
    >>> X.shape, y.shape
    ((50, 2), (50,))
    """
    random = np.random.default_rng(random_state)
    y = np.arange(n_samples) % 2
    component = random.integers(2, size=n_samples)
    spread = random.normal(0.0, np.sqrt(RIPLEY_VARIANCE), (n_samples, 2))
    return RIPLEY_CENTRES[y, component] + spread, y
