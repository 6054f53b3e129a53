"""The relevance vector machine for regression."""

from __future__ import annotations

from typing import Any

from sparsebayes.estimators._kernel_machine import KernelMachine
from sparsebayes.estimators._regression import Regression
from sparsebayes.inference.inference import Inference


class RVR(KernelMachine, Regression):
    """Relevance vector regression: used like SVR, with few vectors and with error bars.

    The prediction is a sum of kernels, ``f(x) = sum_i w_i k(x, x_i) + mean of y``. The rows x_i are
    a few of the training rows, the *vectors*. By default the fit has two steps. It first fits a
    Gaussian process, which learns the scales of the inputs and the noise. It then looks for a few
    vectors whose sum predicts nearly what the process predicts. The error bars are those of the
    process, so they grow away from the data. They are computed from a second set of training rows,
    the *covering rows*.

    With ``inference="fast"`` the model is the relevance vector machine of Tipping (2001). Each
    weight has a prior precision of its own, and the fit maximises the *evidence*: the probability
    of the targets with all weights averaged out.

    Parameters
    ----------
    kernel : {"auto", "effects", "rbf", "linear", "poly", "sigmoid", "laplacian", "cauchy", \
"linear_spline", "matern12", "matern32", "matern52", "precomputed"}, callable or kernel object, \
default="auto"
        "auto" has several kernels fitted, and the evidence chooses one. One varying input: "rbf".
        2 to 64: "effects", or "rbf" with a scale for each input. More: "rbf" with a scale for each
        input (beyond 256: one for all inputs, standardised), "rbf" with one scale for the inputs as
        they are, or a linear kernel of standardised inputs. With a given `gamma`, or
        another `inference` than "projection", "auto" is "rbf". "effects" is a sum of effects of
        single inputs, of pairs, and of all inputs together, see `EffectsKernel`; `effects` of the
        model then says what each input does. "rbf", "linear", "poly", "sigmoid" and "precomputed"
        are those of SVR. "laplacian" is
        ``exp(-gamma ||x - x'||_1)``, "cauchy" is ``1 / (1 + gamma ||x - x'||^2)``,
        "linear_spline" is `LinearSplineKernel`, and the next three are Matérn kernels with nu of
        1/2, 3/2 and 5/2; see `Matern32Kernel`. A function of two arrays of rows returns the matrix
        of kernel values; it need not be positive definite. "linear" is ridge regression: it keeps
        all inputs, and its sparsity is in rows. `SparseBayesRegressor` with ``Linear() + Bias()``
        selects inputs. An object of
        ``sklearn.gaussian_process.kernels``, such as ``RBF(10.0) + ExpSineSquared()``, has its
        parameters learned within their bounds by the evidence of a Gaussian process; see
        `ProcessKernel`. The variance of the process and the noise are learned besides, so a
        `WhiteKernel` in a sum and a constant factor of the whole are left out. The other parameters
        of a kernel here, such as `gamma`, do not count for functions, objects and "effects".
    gamma : {"ard", "learn", "scale", "auto"}, float or array of shape (n_features,), default="ard"
        The scale of the kernel. "ard" learns one number for each input, so that you need not scale
        the inputs, and inputs that do not matter hardly count. "learn" learns one number for all
        inputs. Both are learned before any vector is chosen, from the evidence of a Gaussian
        process on at most 1000 rows (512 where kernels are compared). With fewer than 20 rows for
        each input, the evidence decides whether one number for all inputs is enough. "scale" is
        ``1 / (n_features * variance of X)``, with rows counted by their weight, and for "laplacian"
        ``1 / (n_features * standard deviation of X)``. "auto" is ``1 / n_features``.
    degree : int, default=3
        Degree of the kernel "poly".
    coef0 : float, default=0.0
        Constant term of the kernels "poly" and "sigmoid".
    fit_intercept : bool or "column", default=True
        With True the mean of y is taken out first, so that an offset of y does not matter, and a
        constant column, the bias, is among the candidates. There is no bias with
        ``inference="projection"`` and a kernel that falls off, such as "rbf" and "effects": the
        prediction far away is then near the mean of y. With "column" the mean stays in y, and the
        bias has to explain it, as in Tipping (2001). False does neither.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred. None: on all distinct training rows. A number: on that many of
        them, evenly spaced. An array: on its points. "auto": on all distinct rows up to 4000, and
        on 1000 to 2000 of them beyond. All rows count in the likelihood in any case. With
        ``inference="projection"`` and more than 10 000 rows, "auto" and a number choose from a
        sample of 10 000 rows. It must be "auto" or None for a precomputed kernel.
    multi_output : {"shared", "separate"}, default="shared"
        For several outputs. "shared": one set of vectors serves all outputs, as the weights of a
        vector have one prior precision, relative to the noise of each output. "separate": each
        output has a fit of its own.
    inference : {"projection", "fast", "mackay", "em", "variational"} or an object, \
default="projection"
        How vectors and precisions are found. A name stands for an object with its defaults:
        `Projection`, `Fast`, `Mackay`, `EM`, `Variational`. Pass an object to change its
        parameters: ``Projection(fidelity=3)``, ``Fast(min_gain=2)``. "projection" fits a Gaussian
        process and keeps a few vectors that predict nearly the same. "fast" fits the relevance
        vector machine of the papers: fewer vectors, mostly a higher error, and error bars that
        shrink away from the data. "mackay" and "em" fit the same model in other ways. "variational"
        finds distributions over precisions and noise instead of best values, and keeps all columns.
    likelihood : {"gaussian", "student_t", "poisson", "negative_binomial", "heteroscedastic"} or \
an object, default="gaussian"
        The distribution of a target, given f(x). A name stands for an object that learns its
        parameters. Pass an object to give some of them: ``StudentT(df=4)``. "student_t"
        (`StudentT`): noise with heavy tails, so that outliers hardly count. "poisson" (`Poisson`)
        and "negative_binomial" (`NegativeBinomial`): counts whose mean is exp(f). "heteroscedastic"
        (`Heteroscedastic`): Gaussian noise whose log variance is a second model. All but "gaussian"
        take one output.
    noise_std : float or "factor", default=None
        Standard deviation of Gaussian noise. None estimates it. If you know it for each row, pass
        it to `fit`. It is then taken as exact; with "factor" it is exact up to a common factor,
        which is estimated.
    max_iter : int, default=5000
        The most iterations that the search for vectors may take.
    tol : float, default=1e-3
        The fit stops when every derivative of the log evidence with respect to a log precision is
        below this, and no column outside the model would raise the log evidence by more than this.
    cache_size : float, default=1000
        Megabytes for the matrix of all candidate columns. A larger matrix is computed again, in
        chunks of rows, at every pass: that is slow, but its memory is bounded. It does not matter
        with ``inference="projection"`` and more than 10 000 rows, which take a few passes only.
    verbose : int, default=0
        1 prints some iterations and the outcome, 2 prints every iteration.

    Attributes
    ----------
    relevance_ : array of shape (n_relevance,)
        Indices of the training rows that are relevance vectors, or indices into `centres` if you
        gave points. With a proper prior over weight precisions all columns stay in the model; then
        these are the ones that a flat prior would keep, and `prune` drops the others.
    relevance_vectors_ : array of shape (n_relevance, n_features)
        The relevance vectors themselves.
    covering_ : array of shape (n_covering,)
        Indices of the training rows from which the error bars are computed. They exist with
        ``inference="projection"`` and a kernel that is a covariance. `drop_covering` drops them.
    covering_vectors_ : array of shape (n_covering, n_features)
        The covering rows themselves.
    dual_coef_ : array of shape (1, n_relevance) or (n_outputs, n_relevance)
        Mean weights of the relevance vectors. The prediction is the sum of kernels with these
        weights and `intercept_`; with a proper prior over weight precisions, only after `prune`.
    intercept_ : array of shape (1,) or (n_outputs,)
        What is added to the sum of kernels: the mean of y if it was taken out, and the mean weight
        of the bias if the model keeps it.
    offset_ : float, or array of shape (n_outputs,)
        The mean of y that was taken out, and 0 with ``fit_intercept="column"`` or False. It is the
        median with Student-t noise. For counts it is the log mean where nothing is known.
    weights_ : array of shape (n_kept,) or (n_kept, n_outputs)
        Mean weights of all kept columns: the relevance vectors, then the bias if it is kept.
    covariance_ : array of shape (n_kept, n_kept)
        Posterior covariance of `weights_`, for one output.
    weight_precision_ : array of shape (n_kept,)
        Prior precision of each weight; ``alpha`` in the papers, ``lambda_`` in ARDRegression. With
        ``inference="projection"`` it is that of the fit to the process, not that of `covariance_`.
    column_names_ : list of str
        Names of the kept columns.
    noise_std_ : float, or array of shape (n_outputs,)
        Standard deviation of the noise of a new target. With ``inference="projection"`` it is that
        of the process and of what the vectors miss of its mean, unless you gave it. If `fit` was
        given the noise of each row, it is their root mean square, times the factor. Counts and
        heteroscedastic noise have none.
    likelihood_ : object
        With a likelihood other than "gaussian": the likelihood with the parameters that were
        learned, such as a `StudentT` with its ``df`` and ``scale`` as numbers.
    outlier_weight_ : array of shape (n_samples,)
        With ``likelihood="student_t"``: how much each training row counts, from 1 for a row on the
        curve to 0 for an outlier.
    noise_posterior_ : Gamma
        With ``inference="variational"`` and estimated noise: the distribution of its precision.
    gamma_ : float, or array of shape (n_features,)
        The gamma of the kernel as a number, or one for each input; with the kernel of effects that
        of the effect of each input. A linear kernel has none.
    kernel_ : kernel object
        With a kernel object: the object with the parameters that were learned, all fixed. It has
        neither a `WhiteKernel` nor a constant factor of the whole.
    kernel_variance_ : array of shape (1,) or (n_outputs,)
        With covering rows: the variance of the process, for each output. The covariance of the
        process is this times the kernel.
    input_relevance_ : array of shape (n_features,)
        Where each of up to 1000 inputs has a learned scale, as with 2 to 64 inputs and with
        ``gamma="ard"``, and where the kernel is linear: the share of the prediction's variance that
        each input has a part in, 0 for one that is not used. Inputs that act together have a part
        in the same variance, so the sum can be more than 1.
    coef_ : array of shape (1, n_features) or (n_outputs, n_features)
        With a linear kernel: mean coefficients of the inputs. ``predict(X)`` is
        ``X @ coef_.T + intercept_``.
    coef_std_ : array of shape (1, n_features) or (n_outputs, n_features)
        With a linear kernel: standard deviations of the coefficients. They are those of the
        Gaussian process where there are covering rows.
    selected_ : array of bool of shape (n_features,)
        With a linear kernel: which inputs the model uses.
    log_evidence_ : float
        Log evidence of the targets, less their mean if that was taken out. With
        ``inference="projection"`` it is the evidence of the Gaussian process.
    lower_bound_ : float
        With ``inference="variational"``: lower bound of the log evidence, with precisions and noise
        averaged out too.
    history_ : list of named tuples
        One entry for the start and one for each iteration, with the fields ``log_evidence``,
        ``n_active``, ``noise_std``, ``gradient`` (the largest derivative for a log precision),
        ``largest_gain`` (what the best column outside the model would add) and ``lower_bound``.
        With ``inference="projection"`` the evidence is that of the mean of the process.
    outcome_ : Outcome
        How the fit ended. Its ``value`` says what helps in general; the warning of the fit says
        what helps with these data.
    n_iter_ : int
        Number of iterations.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : array of shape (n_features,)
        Names of the inputs, if X had names that are all strings.

    See Also
    --------
    RVC : The classifier.
    SparseBayesRegressor : The same model over any basis.
    InputEffects : What each input does: `effects` of a model gives it.

    Notes
    -----
    The user guide says when to use it, and how: https://sparsebayes.example/guide/choosing.html

    References
    ----------
    M. E. Tipping (2001), Sparse Bayesian Learning and the Relevance Vector Machine, Journal of
    Machine Learning Research 1, 211-244.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import RVR
    >>> X = np.linspace(-10, 10, 100)[:, None]
    >>> y = np.sinc(X[:, 0] / np.pi) + np.random.default_rng(0).normal(0, 0.1, 100)
    >>> model = RVR().fit(X, y)
    >>> len(model.relevance_) < 15  # of 100 rows
    True
    >>> mean, std = model.predict([[0.0], [100.0]], return_std=True)
    >>> bool(std[1] > 2 * std[0])  # error bars grow away from the data
    True
    >>> print(model.novelty([[0.0], [100.0]]).round(1))
    [0. 1.]
    """

    def __init__(
        self,
        kernel: Any = "auto",
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
