"""Real targets with Gaussian noise whose variance depends on the inputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsebayes._parameters import Tunable
from sparsebayes.likelihoods.gaussian import Gaussian
from sparsebayes.likelihoods.likelihood import ESTIMATED, Likelihood, Quadratic


@dataclass(repr=False)
class Heteroscedastic(Tunable, Likelihood):
    """Gaussian noise that depends on the inputs.

    The logarithm of the noise variance is a second sparse model, with the basis of the mean and
    scales of its own. If the evidence says that the noise is the same everywhere, it is constant.

    See Also
    --------
    StudentT : Noise with outliers.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/other_targets.html

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import RVR, Heteroscedastic
    >>> X = np.linspace(0, 6, 80)[:, None]
    >>> y = np.sin(X[:, 0]) + np.random.default_rng(0).normal(0, 0.02 + 0.1 * X[:, 0])
    >>> model = RVR(gamma=0.2, likelihood=Heteroscedastic()).fit(X, y)
    >>> _, std = model.predict([[0.5], [5.5]], return_std=True)
    >>> bool(std[1] > 3 * std[0])
    True
    """

    called = "noise that varies"
    constant_curvature = True
    has_units = True
    noise = ESTIMATED

    def check(self) -> None:
        """Nothing: there are no parameters."""

    def expand(self, target: np.ndarray, latent: np.ndarray) -> Quadratic:
        """The quadratic of Gaussian noise, which a fit begins with."""
        return Gaussian().expand(target, latent)

    def log_normaliser(self, noise_precision: float) -> float:
        """What the quadratic of Gaussian noise leaves out."""
        return Gaussian().log_normaliser(noise_precision)
