"""The relevance vector machine for classification."""

from __future__ import annotations

from typing import Any

from sparsebayes.estimators._classification import Classification
from sparsebayes.estimators._kernel_machine import KernelMachine
from sparsebayes.inference.inference import Inference


class RVC(KernelMachine, Classification):
    """Relevance vector classification: the form of SVC, few vectors, and probabilities.

    p(class 1 | x) = sigmoid(f(x)), with f(x) = sum_i w_i k(x, x_i) and its uncertainty integrated
    out. By default a Gaussian process is fitted first, and a few vectors that say the same take its
    place; far from the data the probability is 1/2. With inference="fast" it is the relevance
    vector machine of the papers, the weights' posterior by Laplace's method and their precisions by
    maximising the evidence. [T01] section 3 Three or more classes make one softmax whose vectors
    all of them share, or are told apart each from the rest.

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
    fit_intercept : bool or "column", default=True
        Whether a bias is among the candidate columns. With inference="projection" and a kernel that
        falls off to zero, such as "rbf", True has none; "column" has one.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where the kernels stand; see `RVR`.
    multi_class : {"auto", "ovr", "softmax", "shared_softmax"}, default="auto"
        For three or more classes. "ovr": a model for each class against the rest, their
        probabilities normalised. "softmax": one joint model, in which each class has weights and
        precisions of its own. "shared_softmax": one joint model, in which a vector serves all
        classes or none. With inference="projection" the last two are the same, vectors are shared,
        and "auto" is that; with the others "auto" is "ovr".
    class_weight : dict, "balanced" or None, default=None
        Weights of classes, times `sample_weight`, as in SVC. They do not count while scales are
        learned, as few rows would stand for many; nor does gamma="scale" count by them.
    inference : {"projection", "fast", "mackay", "em", "variational"} or an object, \
default="projection"
        How vectors and precisions are found; see `RVR`. "variational" is for two classes, or
        multi_class="ovr".
    likelihood : {"categorical", "ordinal"} or `Ordinal`, default="categorical"
        "ordinal": classes have an order, and cut points on one latent function tell them apart
        (the cumulative logit); `multi_class` is then of no use. The order is that of numbers, or of
        an ordered categorical of pandas; `Ordinal(order=("low", "medium", "high"))` gives it.
    max_iter : int, default=5000
    tol : float, default=1e-3
        Stop when the derivative of the log evidence for every log precision is below this, the
        curvature of the likelihood held, and no column outside would add more than this.
    cache_size : float, default=1000
        Megabytes for the matrix of all candidate columns; see `RVR`.
    n_jobs : int, default=None
        Processes for multi_class="ovr", as in scikit-learn.
    verbose : int, default=0
        1 prints some iterations and the outcome, 2 every iteration.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    relevance_, relevance_vectors_, covering_, covering_vectors_, dual_coef_, intercept_ : see RVR
        With three or more classes `dual_coef_` and `intercept_` have a row for each.
    weights_, covariance_, weight_precision_, column_names_ : see RVR
        With three or more classes `weights_` is (n_kept, n_classes), 0 where a class does not use a
        column, `weight_precision_` too (infinite there) unless shared; no `covariance_`.
    coef_, coef_std_ : arrays of shape (1, n_features) or (n_classes, n_features)
        With kernel="linear": coefficients of the latent values, and their standard deviations.
    selected_ : see RVR
    likelihood_ : CumulativeLogit
        With likelihood="ordinal": its `cut_points` between classes, the lowest first.
    gamma_, input_relevance_, history_, outcome_, n_iter_, n_features_in_, \
feature_names_in_ : see RVR
    log_evidence_ : float
        Laplace's approximation to the log marginal likelihood of the labels; with
        multi_class="ovr" the sum over classes, and `history_` a list for each. With
        inference="projection" that of the dense model; for three or more classes in one softmax
        the log density of rows that are left out.
    lower_bound_ : float
        With inference="variational": lower bound of the log marginal likelihood of the labels.

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
        kernel: Any = "rbf",
        *,
        gamma: Any = "ard",
        degree: int = 3,
        coef0: float = 0.0,
        fit_intercept: bool | str = True,
        centres: Any = "auto",
        multi_class: str = "auto",
        class_weight: Any = None,
        inference: str | Inference = "projection",
        likelihood: Any = "categorical",
        max_iter: int = 5000,
        tol: float = 1e-3,
        cache_size: float = 1000,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.centres = centres
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.inference = inference
        self.likelihood = likelihood
        self.max_iter = max_iter
        self.tol = tol
        self.cache_size = cache_size
        self.n_jobs = n_jobs
        self.verbose = verbose
