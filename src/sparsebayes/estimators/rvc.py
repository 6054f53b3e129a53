"""The relevance vector machine for classification."""

from __future__ import annotations

from sparsebayes.estimators._classification import Classification
from sparsebayes.estimators._kernel_machine import KernelMachine


class RVC(KernelMachine, Classification):
    """Relevance vector classification: the form of SVC, few vectors, and probabilities.

    p(class 1 | x) = sigmoid(sum_i w_i k(x, x_i) + bias), the weights' posterior by Laplace's
    method, and their precisions by maximising the evidence. [T01] section 3 Three or more classes
    are told apart each from the rest, or jointly by a softmax.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly", "sigmoid", "laplacian", "cauchy", "linear_spline", \
"precomputed"} or callable, default="rbf"
        The first four and "precomputed" as in SVC; the others as in `RVR`.
    gamma : {"ard", "learn", "scale", "auto"}, float or array of shape (n_features,), default="ard"
        "ard" and "learn" learn one for each input, or one for all, from the evidence; "scale" is
        1 / (n_features * variance of X); "auto" is 1 / n_features. More in `RVR`.
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
    multi_class : {"ovr", "multinomial"}, default="ovr"
        For three or more classes: a model for each class against the rest, their probabilities
        normalised, or one joint model with a softmax. The latter needs half the vectors, and on
        the sets of docs/classes_and_outputs.md its error is somewhat higher.
    shared_precision : bool, default=False
        With multi_class="multinomial": whether the weights of a vector share one precision, so that
        a vector serves all classes or none. Much fewer vectors; the curvature of the likelihood is
        then approximated. Otherwise each class has its own.
    class_weight : dict, "balanced" or None, default=None
        Weights of classes, times `sample_weight`, as in SVC.
    inference : {"fast", "mackay", "em", "variational", "projection"}, default="fast"
        How the precisions are found. "projection" fits a dense model, which is a Gaussian process
        where the kernel is a covariance, and finds a few vectors that say the same: mostly lower
        errors and better probabilities; see docs/projection.md. It and "variational" are for two
        classes, or multi_class="ovr".
    weight_hyperprior : Gamma, default=None
        Prior over weight precisions; flat by default. With one, no precision diverges, so all
        columns stay, at O(N^3), and units matter.
    max_iter : int, default=5000
    tol : float, default=1e-3
        Stop when the derivative of the log evidence for every log precision is below this, the
        curvature of the likelihood held, and no column outside would add more than this.
    min_gain : float, default=0.0
        What a column must add to the log evidence to be kept; see `RVR`.
    fidelity : float, default=3.0
        With inference="projection": how closely the vectors are to follow the dense model; see
        `RVR`.
    warm_start : bool, default=False
        Whether a new fit starts from the precisions of the last one; see `RVR`.
    cache_size : float, default=1000
        Megabytes for the matrix of all candidate columns; see `RVR`.
    n_jobs : int, default=None
        Processes for multi_class="ovr", as in scikit-learn.
    verbose : int, default=0
        1 prints some iterations and the outcome, 2 every iteration.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    relevance_, relevance_vectors_, dual_coef_, intercept_ : see RVR
        With three or more classes `dual_coef_` and `intercept_` have a row for each.
    weights_, covariance_, weight_precision_, column_names_ : see RVR
        With three or more classes `weights_` is (n_kept, n_classes), 0 where a class does not use a
        column, `weight_precision_` too (infinite there) unless shared; no `covariance_`.
    gamma_, input_relevance_, history_, outcome_, n_iter_, n_features_in_, \
feature_names_in_ : see RVR
    log_evidence_ : float
        Laplace's approximation to the log marginal likelihood of the labels; with
        multi_class="ovr" the sum over classes, and `history_` a list for each. With
        inference="projection" that of the dense model.
    lower_bound_ : float
        With inference="variational": see docs/variational.md.

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
        gamma="ard",
        degree=3,
        coef0=0.0,
        fit_intercept=True,
        centres="auto",
        multi_class="ovr",
        shared_precision=False,
        class_weight=None,
        inference="fast",
        weight_hyperprior=None,
        max_iter=5000,
        tol=1e-3,
        min_gain=0.0,
        fidelity=3.0,
        warm_start=False,
        cache_size=1000,
        n_jobs=None,
        verbose=0,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.centres = centres
        self.multi_class = multi_class
        self.shared_precision = shared_precision
        self.class_weight = class_weight
        self.inference = inference
        self.weight_hyperprior = weight_hyperprior
        self.max_iter = max_iter
        self.tol = tol
        self.min_gain = min_gain
        self.fidelity = fidelity
        self.warm_start = warm_start
        self.cache_size = cache_size
        self.n_jobs = n_jobs
        self.verbose = verbose
