"""The relevance vector machine for two classes."""

from __future__ import annotations

from sparsebayes.estimators._classification import Classification
from sparsebayes.estimators._kernel_machine import KernelMachine


class RVC(KernelMachine, Classification):
    """Relevance vector classification of two classes: the form of SVC, few vectors, probabilities.

    p(class 1 | x) = sigmoid(sum_i w_i k(x, x_i) + bias), the weights' posterior by Laplace's
    method, and their precisions by maximising the evidence. [T01] section 3

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly", "sigmoid", "laplacian", "cauchy", "linear_spline", \
"precomputed"} or callable, default="rbf"
        The first four and "precomputed" as in SVC; the others as in `RVR`.
    gamma : {"scale", "auto"} or float, default="scale"
        "scale" is 1 / (n_features * variance of X), rows counted by their weight; for "laplacian"
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
    inference : {"fast", "mackay", "em"}, default="fast"
        How the precisions are found.
    weight_hyperprior : Gamma, default=None
        Prior over weight precisions; flat by default. With one, no precision diverges, so all
        columns stay, at O(N^3), and units matter.
    max_iter : int, default=5000
    tol : float, default=1e-3
        Stop when the derivative of the log evidence for every log precision is below this, the
        curvature of the likelihood held, and no column outside would add more than this.
    min_gain : float, default=0.0
        What a column must add to the log evidence to be kept; see `RVR`.
    warm_start : bool, default=False
        Whether a new fit starts from the precisions of the last one; see `RVR`.
    cache_size : float, default=1000
        Megabytes for the matrix of all candidate columns; see `RVR`.
    verbose : int, default=0
        1 prints some iterations and the outcome, 2 every iteration.

    Attributes
    ----------
    classes_ : array of shape (2,)
    relevance_, relevance_vectors_, dual_coef_, intercept_ : see RVR
    weights_, covariance_, weight_precision_, column_names_ : see RVR
    gamma_, history_, outcome_, n_iter_, n_features_in_, feature_names_in_ : see RVR
    log_evidence_ : float
        Laplace's approximation to the log marginal likelihood of the labels.

    See Also
    --------
    RVR : The regressor.
    SparseBayesClassifier : The same model over any basis.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sparsebayes import RVC
    >>> X, y = make_moons(100, noise=0.3, random_state=0)
    >>> model = RVC().fit(X, y)
    >>> model.predict_proba(X[:2]).shape
    (2, 2)
    """

    def __init__(
        self,
        kernel="rbf",
        *,
        gamma="scale",
        degree=3,
        coef0=0.0,
        fit_intercept=True,
        centres="auto",
        inference="fast",
        weight_hyperprior=None,
        max_iter=5000,
        tol=1e-3,
        min_gain=0.0,
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
        self.inference = inference
        self.weight_hyperprior = weight_hyperprior
        self.max_iter = max_iter
        self.tol = tol
        self.min_gain = min_gain
        self.warm_start = warm_start
        self.cache_size = cache_size
        self.verbose = verbose
