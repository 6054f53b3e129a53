"""Sparse Bayesian regression over any basis."""

from __future__ import annotations

from typing import Any

import numpy as np

from sparsebayes.basis import Basis
from sparsebayes.estimators._complex import ComplexTargets
from sparsebayes.inference.inference import Inference


class SparseBayesRegressor(ComplexTargets):
    """Sparse Bayesian regression over any basis: kernels, linear terms, columns of your own.

    Parameters
    ----------
    basis : Basis, default=None
        For instance `GaussianKernel(width=3.0) + Linear() + Bias()`; `Linear()` alone is ARD. With
        a `Bias()` in it, the mean of y is taken out first, so that an offset does not matter.
        None is `GaussianKernel(input_scale="learn") + Bias()`. With `Linear()`, alone or with
        `Bias()`, and more inputs than a quarter of the rows, a dense model of all inputs takes the
        place of a sparse one where the evidence prefers it: see `basis_` and docs/columns.md. With
        `Linear()` alone, X and y may be complex.
    multi_output : {"shared", "separate"}, default="shared"
        With several outputs: whether one set of columns serves them all; see `RVR`.
    inference : {"fast", "mackay", "em", "variational", "projection"} or an object, default="fast"
        How the precisions are found; see `RVR`.
    likelihood : {"gaussian", "student_t", "poisson", "negative_binomial", "heteroscedastic"} or \
an object, default="gaussian"
        What a target is; see `RVR`.
    noise_std : float or "factor", default=None
        Standard deviation of the noise; estimated by default. `fit` takes that of each row; see
        `RVR`.
    max_iter : int, default=5000
    tol : float, default=1e-3
    cache_size : float, default=1000
    verbose : int, default=0
        The last four as in `RVR`.

    Attributes
    ----------
    basis_ : Basis
        The basis with the widths and scales of this fit as numbers; that of a linear kernel where
        a dense model was preferred.
    input_relevance_ : array of shape (n_features,)
        Where a kernel has input_scale="learn", or all columns are linear in the inputs; see RVR.
    coef_ : array of shape (n_features,) or (n_outputs, n_features)
        Mean coefficients of the inputs, in their order, 0 for those that the model leaves out. This
        and the next four are there for a model that is linear in its inputs, such as `Linear()`,
        alone or with `Bias()`. `predict(X)` is `X @ coef_.T + intercept_`.
    intercept_ : float, or array of shape (n_outputs,)
        The prediction where all inputs are zero.
    coef_std_ : array of the shape of `coef_`
        Standard deviations of the coefficients, 0 for inputs that the model leaves out.
    selected_ : array of bool of shape (n_features,)
        The inputs that the model uses.
    inclusion_ : array of shape (n_features,)
        With `Linear()`, alone or with `Bias()`, and inference="fast": the probability that each
        input has a part in the target. Inputs that are nearly the same share it. It is cautious
        where many effects are too small to be found; docs/columns.md has figures.
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
    covering_ : array of int
        With inference="projection" and a kernel that is a covariance; see `RVR`.
    offset_, noise_std_, noise_posterior_, likelihood_, outlier_weight_, log_evidence_, \
lower_bound_, history_, outcome_, n_iter_, n_features_in_, feature_names_in_ : see RVR

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
        basis: Basis | None = None,
        *,
        multi_output: str = "shared",
        inference: str | Inference = "fast",
        likelihood: Any = "gaussian",
        noise_std: float | str | None = None,
        max_iter: int = 5000,
        tol: float = 1e-3,
        cache_size: float = 1000,
        verbose: int = 0,
    ) -> None:
        self.basis = basis
        self.multi_output = multi_output
        self.inference = inference
        self.likelihood = likelihood
        self.noise_std = noise_std
        self.max_iter = max_iter
        self.tol = tol
        self.cache_size = cache_size
        self.verbose = verbose

    def _of_outputs(self, values: np.ndarray) -> Any:
        """Without the first axis where y had none, as in scikit-learn's linear regressors."""
        return values[0] if self._model.squeezed else values
