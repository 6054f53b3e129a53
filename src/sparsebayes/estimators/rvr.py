"""The relevance vector machine for regression."""

from __future__ import annotations

from typing import Any

from sparsebayes.estimators._kernel_machine import KernelMachine
from sparsebayes.estimators._regression import Regression
from sparsebayes.inference.inference import Inference


class RVR(KernelMachine, Regression):
    """Relevance vector regression: the form of SVR, a handful of vectors, and error bars.

    f(x) = sum_i w_i k(x, x_i) + mean of y. By default a Gaussian process is fitted first, and a few
    vectors that say the same take its place; its error bars, which grow away from the data, are
    given through a few *covering* rows. With inference="fast" it is the relevance vector machine of
    the papers: a precision of its own for every weight, all of them and the noise found by
    maximising the evidence. [T01]

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly", "sigmoid", "laplacian", "cauchy", "linear_spline", \
"precomputed"} or callable, default="rbf"
        The first four and "precomputed" as in SVR; "laplacian" is exp(-gamma ||x - x'||_1),
        "cauchy" is 1 / (1 + gamma ||x - x'||^2), "linear_spline" is [T01] (29). A function of two
        arrays of rows returns the matrix of kernel values; it need not be positive definite.
    gamma : {"ard", "learn", "scale", "auto"}, float or array of shape (n_features,), default="ard"
        "ard" learns one for each input from the evidence, so that inputs need not be scaled, and
        those that do not matter hardly count; "learn" learns one for all. Both are found first with
        all vectors in the model, on at most 1000 rows. "scale" is
        1 / (n_features * variance of X), rows counted by their weight; for "laplacian"
        1 / (n_features * standard deviation). "auto" is 1 / n_features.
    degree : int, default=3
        Of "poly".
    coef0 : float, default=0.0
        Of "poly" and "sigmoid".
    fit_intercept : bool or "column", default=True
        True takes the mean of y out first, so that an offset of y does not matter, and has a bias
        among the candidate columns; with inference="projection" and a kernel that falls off to
        zero, such as "rbf", it has none, so that the prediction far away is the mean of y. "column"
        has the bias only, which must then explain the offset, as in [T01]. False has neither.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where the kernels stand. None: on all distinct training rows. A number: on that many of
        them, evenly spaced. An array: on its points. "auto": on all of up to 4000 rows, and on 1000
        to 2000 of more. All rows count in the likelihood in any case. Not for a precomputed kernel.
        Of more than 10 000 rows they are among a sample of 10 000, unless it is None.
    multi_output : {"shared", "separate"}, default="shared"
        With several outputs: "shared" gives the weights of a vector one precision for all outputs,
        relative to the noise of each, so that one set of vectors serves them all; "separate" fits
        each output for itself.
    inference : {"projection", "fast", "mackay", "em", "variational"} or an object, \
default="projection"
        How vectors and precisions are found. A name stands for an object with its defaults:
        `Projection`, `Fast`, `Mackay`, `EM`, `Variational`. An object takes the parameters that
        tune it: `inference=Projection(fidelity=3)`, `Fast(min_gain=2)`. "projection" fits a
        Gaussian process and keeps a few vectors that predict nearly the same. "fast" is the
        relevance vector machine of the papers: fewer vectors, mostly a higher error, and error bars
        that shrink away from the data. "variational" has distributions over precisions and noise
        instead of best values, and keeps all columns.
    likelihood : {"gaussian", "student_t", "poisson", "negative_binomial", "heteroscedastic"} or \
an object, default="gaussian"
        What a target is, given f(x). A name stands for an object with its defaults, and an object
        takes parameters that are given instead of learned. "student_t", `StudentT(df=4)`: noise
        with heavy tails, so that outliers hardly count. "poisson", `Poisson()`, and
        "negative_binomial", `NegativeBinomial(dispersion=0.5)`: counts, of which f is the
        logarithmic mean. "heteroscedastic", `Heteroscedastic()`: Gaussian noise whose log variance
        is a second model. All but "gaussian" are for one target.
    noise_std : float or "factor", default=None
        Standard deviation of Gaussian noise; estimated by default. If it is known for each row,
        pass it to `fit`: known exactly by default, up to a factor that is estimated with "factor".
    max_iter : int, default=5000
    tol : float, default=1e-3
        Stop when the derivative of the log evidence for every log precision is below this, and no
        column outside the model would add more than this to it.
    cache_size : float, default=1000
        Megabytes for the matrix of all candidate columns; beyond it, they are evaluated again in
        chunks of rows at every pass, which is slow but bounded. With inference="projection" more
        than 10 000 rows are passed over a few times only, and it does not matter.
    verbose : int, default=0
        1 prints some iterations and the outcome, 2 every iteration.

    Attributes
    ----------
    relevance_ : array of shape (n_relevance,)
        Training rows of the relevance vectors; indices into `centres` where points were given.
        With a proper prior over weight precisions, those columns that a flat one would keep; the
        prediction uses all. `prune()` drops the others.
    relevance_vectors_ : array of shape (n_relevance, n_features)
    covering_ : array of shape (n_covering,)
        With inference="projection" and a kernel that is a covariance: training rows through which
        the error bars are given. `drop_covering()` drops them.
    covering_vectors_ : array of shape (n_covering, n_features)
    dual_coef_ : array of shape (1, n_relevance)
        Their mean weights; a row for each output, where there are several. The prediction is the
        sum of kernels with these weights and `intercept_`; with a proper prior over weight
        precisions, only after `prune()`.
    intercept_ : array of shape (1,) or (n_outputs,)
        What is added to the kernels: the mean of y that was taken out, and the mean weight of the
        bias if it is in the model.
    offset_ : float, or array of shape (n_outputs,)
        The mean of y that was taken out; 0 with fit_intercept="column" or False. The median with
        Student-t noise; of counts the logarithm of the mean where nothing is known.
    weights_ : array of shape (n_kept,) or (n_kept, n_outputs)
        Mean weights of all kept columns: of the relevance vectors, then of the bias if it is kept.
    covariance_ : array of shape (n_kept, n_kept)
        Posterior covariance of `weights_`; only for one output.
    weight_precision_ : array of shape (n_kept,)
        Prior precision of each; `alpha` in the papers, `lambda_` in ARDRegression. With
        inference="projection" that of the fit to the dense model, and not one of `covariance_`.
    column_names_ : list of str
        Names of the kept columns.
    noise_std_ : float, or array of shape (n_outputs,)
        Standard deviation of the noise of a new target. With inference="projection" that of the
        dense model and of what the vectors miss of its mean, unless it is given. Where `fit` was
        given the noise of each row, the root mean square of these, times the factor. Counts and
        noise that varies have none.
    likelihood_ : object
        With another likelihood than "gaussian": the likelihood, with what was learned as numbers,
        such as `StudentT(df=3.2, scale=0.1)`.
    outlier_weight_ : array of shape (n_samples,)
        With likelihood="student_t": how much each training row counts, from 1 for a row on the
        curve to 0 for an outlier.
    noise_posterior_ : Gamma
        With inference="variational" and estimated noise: the distribution of its precision.
    gamma_ : float, or array of shape (n_features,)
        The kernel's gamma as a number, or one for each input.
    input_relevance_ : array of shape (n_features,)
        With gamma="ard": the share of the prediction's variance that each input has a part in, 0
        for one that is not used; for up to 1000 inputs. Inputs that act together have a part in the
        same variance, so the sum can be more than 1. With kernel="linear" it is there in any case.
    coef_ : array of shape (1, n_features) or (n_outputs, n_features)
        With kernel="linear": mean coefficients of the inputs; `predict(X)` is
        `X @ coef_.T + intercept_`.
    coef_std_ : array of the shape of `coef_`
        With kernel="linear": their standard deviations; those of the process where there are
        covering rows.
    selected_ : array of bool of shape (n_features,)
        With kernel="linear": the inputs that the model uses.
    log_evidence_ : float
        Log marginal likelihood of the targets, less their mean where that was taken out; with
        inference="projection" that of the dense model.
    lower_bound_ : float
        With inference="variational": lower bound of the log marginal likelihood, with precisions
        and noise integrated out.
    history_ : list of (log_evidence, n_active, noise_std, gradient, largest_gain, lower_bound)
        One named tuple for the start and for each iteration: the largest derivative of the
        evidence for a log precision, and what the best column outside the model would add. With
        inference="projection" the evidence is that of the mean of the dense model.
    outcome_ : Outcome
        How the fit ended; its `value` says what helps in general, and the warning of the fit what
        helps with these data.
    n_iter_ : int
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features_in_,)
        Defined when X has feature names that are all strings.

    See Also
    --------
    RVC : The classifier.
    SparseBayesRegressor : The same model over any basis.

    References
    ----------
    [T01] M. E. Tipping (2001), Sparse Bayesian Learning and the Relevance Vector Machine,
    Journal of Machine Learning Research 1, 211-244.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import RVR
    >>> X = np.linspace(-10, 10, 100)[:, None]
    >>> y = np.sinc(X[:, 0] / np.pi) + np.random.default_rng(0).normal(0, 0.1, 100)
    >>> model = RVR(gamma=0.1).fit(X, y)
    >>> len(model.relevance_) < 10
    True
    >>> mean, std = model.predict([[0.0]], return_std=True)
    """

    def __init__(
        self,
        kernel: Any = "rbf",
        *,
        gamma: Any = "ard",
        degree: int = 3,
        coef0: float = 0.0,
        fit_intercept: bool | str = True,
        centres: Any = "auto",
        multi_output: str = "shared",
        inference: str | Inference = "projection",
        likelihood: Any = "gaussian",
        noise_std: float | str | None = None,
        max_iter: int = 5000,
        tol: float = 1e-3,
        cache_size: float = 1000,
        verbose: int = 0,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.centres = centres
        self.multi_output = multi_output
        self.inference = inference
        self.likelihood = likelihood
        self.noise_std = noise_std
        self.max_iter = max_iter
        self.tol = tol
        self.cache_size = cache_size
        self.verbose = verbose
