"""The relevance vector machine for regression."""

from __future__ import annotations

from sparsebayes.estimators._kernel_machine import KernelMachine
from sparsebayes.estimators._regression import Regression


class RVR(KernelMachine, Regression):
    """Relevance vector regression: the form of SVR, a handful of vectors, and error bars.

    f(x) = sum_i w_i k(x, x_i) + bias, with a precision of its own for every weight, all of them
    and the noise found by maximising the evidence. [T01]

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
        all vectors in the model, on at most 2000 rows; see docs/learned_scales.md. "scale" is
        1 / (n_features * variance of X), rows counted by their weight; for "laplacian"
        1 / (n_features * standard deviation). "auto" is 1 / n_features.
    degree : int, default=3
        Of "poly".
    coef0 : float, default=0.0
        Of "poly" and "sigmoid".
    fit_intercept : bool, default=True
        Whether a bias is among the candidate columns.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where the kernels stand. None is all distinct training rows, a number so many of them,
        spread evenly, an array its points. "auto" is all of up to 4000 rows, of more 1000 to 2000
        centres. All rows count in the likelihood in any case. Not for a precomputed kernel.
    shared_precision : bool, default=True
        With several outputs: whether the weights of a vector have one precision for all outputs,
        relative to the noise of each, so that one set of vectors serves them all. Otherwise each
        output is fitted for itself.
    inference : {"fast", "mackay", "em", "variational", "projection"}, default="fast"
        How the precisions are found; see docs/inference.md and docs/variational.md. "variational"
        has distributions over precisions and noise instead of best values, and keeps all columns.
        "projection" fits a dense model, which is a Gaussian process where the kernel is a
        covariance, and finds a few vectors that say the same: mostly a lower error and better error
        bars near the data; see docs/projection.md.
    noise_std : float, default=None
        Standard deviation of the noise; estimated by default.
    weight_hyperprior, noise_hyperprior : Gamma, default=None
        Priors over weight precisions and noise precision; flat by default, and with
        inference="variational" Gamma(1e-6, 1e-6 * variance of y). With a prior over weight
        precisions no precision diverges, so all columns stay, at O(N^3), and units matter.
    max_iter : int, default=5000
    tol : float, default=1e-3
        Stop when the derivative of the log evidence for every log precision is below this, and no
        column outside the model would add more than this to it.
    min_gain : float, default=0.0
        What a column must add to the log evidence to be kept; only with inference="fast", and
        with "projection", where it is the evidence of the dense model's expectations. The
        evidence alone keeps a third of pure-noise columns where the kernel is narrow; 2 is about
        the price of one more precision. See docs/inference.md for what it costs.
    fidelity : float, default=3.0
        With inference="projection": how closely the vectors are to follow the dense model, as the
        number of times that its expectation at each training row counts as observed. 1 makes the
        smallest models, 10 to 30 hardly differ from the dense one.
    warm_start : bool, default=False
        Whether a new fit starts from the precisions of the last one, if it has as many candidate
        columns: cheap sweeps over kernel widths on the same rows. It can end in a worse optimum
        than a fit from scratch, the more so the larger the step in width.
    cache_size : float, default=1000
        Megabytes for the matrix of all candidate columns; beyond it, they are evaluated again in
        chunks of rows at every pass, which is slow but bounded.
    verbose : int, default=0
        1 prints some iterations and the outcome, 2 every iteration.

    Attributes
    ----------
    relevance_ : array of shape (n_relevance,)
        Training rows of the relevance vectors; indices into `centres` where points were given.
        With a proper prior over weight precisions, those columns that a flat one would keep; the
        prediction uses all. `prune()` drops the others.
    relevance_vectors_ : array of shape (n_relevance, n_features)
    dual_coef_ : array of shape (1, n_relevance)
        Their mean weights; a row for each output, where there are several.
    intercept_ : array of shape (1,) or (n_outputs,)
        Mean weight of the bias, 0 if the bias was not relevant.
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
        Standard deviation of the noise. With inference="projection" that of the dense model and of
        what the vectors miss of it, unless it is given.
    noise_posterior_ : Gamma
        With inference="variational" and estimated noise: the distribution of its precision.
    gamma_ : float, or array of shape (n_features,)
        The kernel's gamma as a number, or one for each input.
    input_relevance_ : array of shape (n_features,)
        With gamma="ard": the share of the prediction's variance that each input has a part in, 0
        for one that is not used; for up to 1000 inputs. Inputs that act together have a part in the
        same variance, so the sum can be more than 1.
    log_evidence_ : float
        Log marginal likelihood of the targets; with inference="projection" that of the dense model.
    lower_bound_ : float
        With inference="variational": lower bound of the log marginal likelihood, with precisions
        and noise integrated out.
    history_ : list of (log_evidence, n_active, noise_std, gradient, largest_gain, lower_bound)
        One named tuple for the start and for each iteration: the largest derivative of the
        evidence for a log precision, and what the best column outside the model would add. With
        inference="projection" the evidence is that of the expectations of the dense model.
    outcome_ : Outcome
        How the fit ended; its `value` is a sentence of advice.
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
        kernel="rbf",
        *,
        gamma="ard",
        degree=3,
        coef0=0.0,
        fit_intercept=True,
        centres="auto",
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
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.centres = centres
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
