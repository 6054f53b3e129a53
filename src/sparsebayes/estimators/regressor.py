"""Sparse Bayesian regression over any basis."""

from __future__ import annotations

from sparsebayes.estimators._any_basis import AnyBasis
from sparsebayes.estimators._regression import Regression


class SparseBayesRegressor(AnyBasis, Regression):
    """Sparse Bayesian regression over any basis: kernels, linear terms, columns of your own.

    Parameters
    ----------
    basis : Basis, default=None
        For instance `GaussianKernel(width=3.0) + Linear() + Bias()`; `Linear()` alone is ARD.
        None is `GaussianKernel(input_scale="learn") + Bias()`.
    shared_precision : bool, default=True
        With several outputs: whether one set of columns serves them all; see `RVR`.
    inference : {"fast", "mackay", "em", "variational", "projection"}, default="fast"
    noise_std : float, default=None
        Standard deviation of the noise; estimated by default.
    weight_hyperprior, noise_hyperprior : Gamma, default=None
        Priors over weight precisions and noise precision; as in `RVR`.
    max_iter : int, default=5000
    tol : float, default=1e-3
    min_gain : float, default=0.0
    fidelity : float, default=3.0
    warm_start : bool, default=False
    cache_size : float, default=1000
    verbose : int, default=0
        The last seven as in `RVR`.

    Attributes
    ----------
    basis_ : Basis
        The basis with the widths and scales of this fit as numbers.
    input_relevance_ : array of shape (n_features,)
        Where a kernel has input_scale="learn"; see RVR.
    column_names_ : list of str
        Names of the kept columns: of inputs, products of inputs, "bias", "gaussiankernel(7)" for
        the kernel centred on training row 7.
    weights_ : array of shape (n_kept,)
        Mean weight of each kept column.
    covariance_ : array of shape (n_kept, n_kept)
        Their posterior covariance.
    weight_precision_ : array of shape (n_kept,)
    relevance_ : array of int
        Training rows that the kept kernel columns are centred on, or indices into the kernel's
        `centres` where those were given.
    noise_std_, noise_posterior_, log_evidence_, lower_bound_, history_, outcome_, n_iter_, \
n_features_in_, feature_names_in_ : see RVR

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import Bias, GaussianKernel, Linear, SparseBayesRegressor
    >>> random = np.random.default_rng(0)
    >>> X = random.uniform(-10, 10, (100, 2))
    >>> y = np.sinc(X[:, 0] / np.pi) + 0.1 * X[:, 1] + random.normal(0, 0.1, 100)
    >>> model = SparseBayesRegressor(GaussianKernel(width=3.0) + Linear() + Bias()).fit(X, y)
    >>> "x1" in model.column_names_
    True
    """

    def __init__(
        self,
        basis=None,
        *,
        shared_precision=True,
        inference="fast",
        noise_std=None,
        weight_hyperprior=None,
        noise_hyperprior=None,
        max_iter=5000,
        tol=1e-3,
        min_gain=0.0,
        fidelity=3.0,
        warm_start=False,
        cache_size=1000,
        verbose=0,
    ):
        self.basis = basis
        self.shared_precision = shared_precision
        self.inference = inference
        self.noise_std = noise_std
        self.weight_hyperprior = weight_hyperprior
        self.noise_hyperprior = noise_hyperprior
        self.max_iter = max_iter
        self.tol = tol
        self.min_gain = min_gain
        self.fidelity = fidelity
        self.warm_start = warm_start
        self.cache_size = cache_size
        self.verbose = verbose
