"""Sparse Bayesian regression over any basis."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import issparse

from sparsebayes.basis import Basis
from sparsebayes.estimators._any_basis import AnyBasis
from sparsebayes.estimators._asked import Asked
from sparsebayes.estimators._regression import Regression
from sparsebayes.inference.inference import Inference
from sparsebayes.targets import Given
from sparsebayes.targets.complex import is_complex, of_part, parts_of


class SparseBayesRegressor(AnyBasis, Regression):
    """Sparse Bayesian regression over any basis: kernels, linear terms, columns of your own.

    Each column of the basis has a weight with a prior precision of its own. The fit maximises the
    *evidence*, the probability of the targets with all weights averaged out, and most columns drop
    out of the model. `RVR` is the same model with a kernel on the rows and other defaults.

    Parameters
    ----------
    basis : Basis, default=None
        The columns that the model may use, such as
        ``GaussianKernel(width=3.0) + Linear() + Bias()``. ``Linear()`` is automatic relevance
        determination (ARD). With a ``Bias()`` the mean of y is taken out first, so that an offset
        does not matter. None is ``GaussianKernel(input_scale="learn") + Bias()``. With
        ``Linear()``, alone or with ``Bias()``, and more inputs than a quarter of the rows, a dense
        model of all inputs replaces the sparse one where the evidence prefers it; `basis_` then has
        a linear kernel. With ``Linear()`` alone, X and y may be complex.
    fit_intercept : bool, default=True
        Whether a basis without a ``Bias()`` is given one. ``Linear()`` and ``Polynomial()`` are not
        if an input is constant, nor if the data are complex, and no basis with ``GivenColumns`` is,
        as these may have a constant of their own.
    multi_output : {"shared", "separate"}, default="shared"
        For several outputs: whether one set of columns serves them all; see `RVR`.
    inference : {"auto", "fast", "mackay", "em", "variational", "projection"} or an object, \
default="auto"
        How columns and precisions are found; see `RVR`. "auto" is "projection" if the basis has a
        kernel that is a covariance, such as `GaussianKernel`, and "fast" otherwise, or if columns
        are in groups. Error bars of "fast" are too small where a kernel has no data.
    likelihood : {"gaussian", "student_t", "poisson", "negative_binomial", "heteroscedastic"} or \
an object, default="gaussian"
        The distribution of a target, given the sum of columns; see `RVR`.
    noise_std : float or "factor", default=None
        Standard deviation of Gaussian noise. None estimates it. `fit` takes that of each row; see
        `RVR`.
    max_iter : int, default=5000
        The most iterations that the search for columns may take.
    tol : float, default=1e-3
        The fit stops when no derivative and no gain of the log evidence exceeds this; see `RVR`.
    cache_size : float, default=1000
        Megabytes for the matrix of all candidate columns; see `RVR`.
    verbose : int, default=0
        1 prints some iterations and the outcome, 2 prints every iteration.

    Attributes
    ----------
    basis_ : Basis
        The basis with the widths and scales of this fit as numbers.
    column_names_ : list of str
        Names of the kept columns: of inputs, of products of inputs, "bias", "gaussiankernel(7)" for
        the kernel centred on training row 7.
    weights_ : array of shape (n_kept,) or (n_kept, n_outputs)
        Mean weight of each kept column.
    covariance_ : array of shape (n_kept, n_kept)
        Posterior covariance of `weights_`, for one output.
    weight_precision_ : array of shape (n_kept,)
        Prior precision of each weight.
    relevance_ : array of int of shape (n_relevance,)
        Indices of the training rows that the kept kernel columns are centred on, or indices into
        the `centres` of the kernel if you gave points.
    covering_ : array of int of shape (n_covering,)
        With ``inference="projection"`` and a kernel that is a covariance: indices of the training
        rows from which the error bars are computed.
    coef_ : array of shape (n_features,) or (n_outputs, n_features)
        Mean coefficients of the inputs, in their order, 0 for those that the model leaves out. This
        and the next four exist for a model that is linear in its inputs, such as ``Linear()``,
        alone or with ``Bias()``. ``predict(X)`` is ``X @ coef_.T + intercept_``.
    intercept_ : float, or array of shape (n_outputs,)
        The prediction where all inputs are zero.
    coef_std_ : array of shape (n_features,) or (n_outputs, n_features)
        Standard deviations of the coefficients, 0 for inputs that the model leaves out.
    selected_ : array of bool of shape (n_features,)
        Which inputs the model uses.
    inclusion_ : array of shape (n_features,)
        With ``Linear()``, alone or with ``Bias()``, and ``inference="fast"``: the probability that
        each input has a part in the target. Inputs that are nearly the same share it. It is too low
        where many effects are too small to be found.
    input_relevance_ : array of shape (n_features,)
        The share of the prediction's variance that each input has a part in. It exists if a kernel
        has ``input_scale="learn"``, or if all columns are linear in the inputs; see `RVR`.
    offset_ : float, or array of shape (n_outputs,)
        The mean of y that was taken out; see `RVR`.
    noise_std_ : float, or array of shape (n_outputs,)
        Standard deviation of the noise of a new target; see `RVR`.
    noise_posterior_ : Gamma
        With ``inference="variational"`` and estimated noise: the distribution of its precision.
    likelihood_ : object
        With a likelihood other than "gaussian": the likelihood with what was learned as numbers.
    outlier_weight_ : array of shape (n_samples,)
        With ``likelihood="student_t"``: how much each training row counts, 0 for an outlier.
    log_evidence_ : float
        Log evidence of the targets, less their mean if that was taken out.
    lower_bound_ : float
        With ``inference="variational"``: lower bound of the log evidence.
    history_ : list of named tuples
        One entry for the start and one for each iteration; see `RVR`.
    outcome_ : Outcome
        How the fit ended.
    n_iter_ : int
        Number of iterations.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : array of shape (n_features,)
        Names of the inputs, if X had names that are all strings.

    See Also
    --------
    RVR : A kernel on the training rows, with the parameters of SVR.
    SparseBayesClassifier : The classifier.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/columns.html

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

    Which of 50 inputs matter?

    >>> X = random.normal(size=(100, 50))
    >>> y = 2.0 * X[:, 3] - X[:, 7] + random.normal(0, 0.1, 100)
    >>> model = SparseBayesRegressor(Linear() + Bias()).fit(X, y)
    >>> np.flatnonzero(model.selected_)
    array([3, 7])
    """

    def __init__(
        self,
        basis: Basis | None = None,
        *,
        fit_intercept: bool = True,
        multi_output: str = "shared",
        inference: str | Inference = "auto",
        likelihood: Any = "gaussian",
        noise_std: float | str | None = None,
        max_iter: int = 5000,
        tol: float = 1e-3,
        cache_size: float = 1000,
        verbose: int = 0,
    ) -> None:
        self.basis = basis
        self.fit_intercept = fit_intercept
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
        return self._model.shaped(values.T).T

    def _as_real(self, asked: Asked, given: Given) -> tuple[Asked, Given]:
        """What was asked for and given, of real numbers; complex ones by their parts."""
        if not asked.target.usual or not (is_complex(given.X) or is_complex(given.y)):
            return asked, given
        basis = self._basis_of_parts(asked, given)
        inference = self._make_inference(basis)
        noise = self.noise_std if isinstance(self.noise_std, str) else of_part(self.noise_std)
        target: Any = asked.target
        asked = replace(
            asked,
            basis=basis,
            inference=inference,
            target=target.asked(noise, self.multi_output, inference),
            completes=False,
            of_complex=True,
        )
        return asked, parts_of(given)

    def _basis_of_parts(self, asked: Asked, given: Given) -> Basis:
        """The basis of real and imaginary parts."""
        shape = given.X.shape if issparse(given.X) else np.asarray(given.X).shape
        basis = asked.basis.of_complex(shape[1]) if len(shape) == 2 else None
        if basis is None:
            raise ValueError(
                "Complex data not supported with this basis: a complex X of shape (n_samples, "
                f"n_features) needs basis=Linear() alone; got X of shape {shape} and "
                f"basis={self.basis!r}. For a constant, append a column of ones to X."
            )
        if not is_complex(given.y):
            raise ValueError(
                "y must be complex where X is; got a complex X and a real y. If only the real part "
                "was observed, pass [X.real, -X.imag] as X, in groups of two."
            )
        return basis
