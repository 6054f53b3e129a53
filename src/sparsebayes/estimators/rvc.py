"""The relevance vector machine for classification."""

from __future__ import annotations

from typing import Any

from sparsebayes.estimators._classification import Classification
from sparsebayes.estimators._kernel_machine import KernelMachine
from sparsebayes.inference.inference import Inference


class RVC(KernelMachine, Classification):
    """Relevance vector classification: used like SVC, with few vectors and with probabilities.

    The probability of the second class is ``sigmoid(f(x))`` with ``f(x) = sum_i w_i k(x, x_i)``,
    averaged over what is uncertain about f. The rows x_i are a few of the training rows, the
    *vectors*. By default a Gaussian process is fitted first, and a few vectors that predict nearly
    the same take its place; see `RVR`. Far from the data the probability is 1/2. Three or more
    classes share one model, or have a model each against the rest; see `multi_class`.

    With ``inference="fast"`` the model is the relevance vector machine of Tipping (2001), section
    3: Laplace's method gives the posterior of the weights, and their precisions maximise the
    evidence.

    Parameters
    ----------
    kernel : {"auto", "effects", "rbf", "linear", "poly", "sigmoid", "laplacian", "cauchy", \
"linear_spline", "matern12", "matern32", "matern52", "precomputed"}, callable or kernel object, \
default="auto"
        "auto" has several kernels fitted, and the evidence chooses one. For 2 to 64 inputs these
        are "effects", a sum of effects of single inputs, of pairs, and of all inputs together, and
        "rbf" with a scale for each input; `RVR` has the others. "rbf", "linear", "poly", "sigmoid"
        and "precomputed" are those of SVC, all others those of `RVR`. A kernel object of
        scikit-learn has its parameters learned, as in `RVR`. "linear" is ridge
        regression of the log odds: it keeps all inputs. `SparseBayesClassifier` with
        ``Linear() + Bias()`` selects inputs.
    gamma : {"ard", "learn", "scale", "auto"}, float or array of shape (n_features,), default="ard"
        The scale of the kernel. "ard" learns one number for each input, "learn" one for all inputs,
        both from the evidence of a Gaussian process. "scale" is
        ``1 / (n_features * variance of X)``, "auto" is ``1 / n_features``. `RVR` has the details.
    degree : int, default=3
        Degree of the kernel "poly".
    coef0 : float, default=0.0
        Constant term of the kernels "poly" and "sigmoid".
    fit_intercept : bool or "column", default=True
        Whether a constant column, the bias, is among the candidates. With
        ``inference="projection"`` and a kernel that falls off, such as "rbf" and "effects", True
        has no bias, and "column" has one.
    centres : "auto", None, int or array of shape (n_centres, n_features), default="auto"
        Where kernels may be centred; see `RVR`.
    multi_class : {"auto", "ovr", "softmax", "shared_softmax"}, default="auto"
        For three or more classes. "ovr": a model for each class against the rest, their
        probabilities normalised. "softmax": one joint model, in which each class has weights and
        precisions of its own. "shared_softmax": one joint model, in which a vector serves all
        classes or none. With ``inference="projection"`` the last two are the same, and "auto" is
        one of them. With any other inference "auto" is "ovr".
    class_weight : dict, "balanced" or None, default=None
        Weights of classes as in SVC; they multiply `sample_weight`, and only their ratios matter.
        They count neither while scales are learned nor in ``gamma="scale"``.
    inference : {"projection", "fast", "mackay", "em", "variational"} or an object, \
default="projection"
        How vectors and precisions are found; see `RVR`. "variational" takes two classes, or
        ``multi_class="ovr"``.
    likelihood : {"categorical", "ordinal"} or `Ordinal`, default="categorical"
        "ordinal" is for classes that have an order: cut points on one latent function tell them
        apart (the cumulative logit), and `multi_class` is not used. The order is that of numbers or
        of an ordered categorical of pandas; ``Ordinal(order=("low", "medium", "high"))`` gives it.
    max_iter : int, default=5000
        The most iterations that the search for vectors may take.
    tol : float, default=1e-3
        The fit stops when every derivative of the log evidence with respect to a log precision is
        below this, and no column outside the model would raise the log evidence by more than this.
        The curvature of the likelihood is held fixed in both.
    cache_size : float, default=1000
        Megabytes for the matrix of all candidate columns; see `RVR`.
    n_jobs : int, default=None
        Number of processes for ``multi_class="ovr"``, as in scikit-learn.
    verbose : int, default=0
        1 prints some iterations and the outcome, 2 prints every iteration.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        Labels of the classes.
    relevance_ : array of shape (n_relevance,)
        Indices of the training rows that are relevance vectors; see `RVR`.
    relevance_vectors_ : array of shape (n_relevance, n_features)
        The relevance vectors themselves.
    covering_ : array of shape (n_covering,)
        Indices of the training rows from which the uncertainty is computed; see `RVR`.
    covering_vectors_ : array of shape (n_covering, n_features)
        The covering rows themselves.
    dual_coef_ : array of shape (1, n_relevance) or (n_classes, n_relevance)
        Mean weights of the relevance vectors.
    intercept_ : array of shape (1,) or (n_classes,)
        Mean weight of the bias, 0 if the model has none.
    weights_ : array of shape (n_kept,) or (n_kept, n_classes)
        Mean weights of all kept columns. With three or more classes, 0 where a class does not use a
        column.
    covariance_ : array of shape (n_kept, n_kept)
        Posterior covariance of `weights_`, for two classes.
    weight_precision_ : array of shape (n_kept,) or (n_kept, n_classes)
        Prior precisions of the weights, infinite where a class does not use a column.
    column_names_ : list of str
        Names of the kept columns.
    coef_ : array of shape (1, n_features) or (n_classes, n_features)
        With a linear kernel: mean coefficients of the latent values.
    coef_std_ : array of shape (1, n_features) or (n_classes, n_features)
        With a linear kernel: standard deviations of the coefficients.
    selected_ : array of bool of shape (n_features,)
        With a linear kernel: which inputs the model uses.
    likelihood_ : CumulativeLogit
        With ``likelihood="ordinal"``: it has the ``cut_points`` between classes, the lowest first.
    gamma_ : float, or array of shape (n_features,)
        The gamma of the kernel as a number, or one for each input; see `RVR`.
    kernel_ : kernel object
        With a kernel object of scikit-learn: the object with the parameters that were learned.
    kernel_variance_ : array of shape (1,) or (n_classes,)
        With covering rows: the variance of the process, for all classes or for each; see `RVR`.
    input_relevance_ : array of shape (n_features,)
        The share of the variance of the latent values that each input has a part in; see `RVR`.
    log_evidence_ : float
        Laplace's approximation to the log evidence of the labels, with ``multi_class="ovr"`` summed
        over the classes. With ``inference="projection"`` it is that of the Gaussian process, and
        for three or more classes in one softmax the log density of rows that are left out.
    lower_bound_ : float
        With ``inference="variational"``: lower bound of the log evidence of the labels.
    history_ : list of named tuples
        One entry for each iteration, see `RVR`; with ``multi_class="ovr"`` a list for each class.
    outcome_ : Outcome
        How the fit ended.
    n_iter_ : int
        Number of iterations, the largest of several fits.
    n_features_in_ : int
        Number of inputs.
    feature_names_in_ : array of shape (n_features,)
        Names of the inputs, if X had names that are all strings.

    See Also
    --------
    RVR : The regressor.
    SparseBayesClassifier : The same model over any basis.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/classes_and_outputs.html

    References
    ----------
    M. E. Tipping (2001), Sparse Bayesian Learning and the Relevance Vector Machine, Journal of
    Machine Learning Research 1, 211-244.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sparsebayes import RVC
    >>> X, y = make_moons(100, noise=0.3, random_state=0)
    >>> model = RVC().fit(X, y)
    >>> len(model.relevance_) < 20  # of 100 rows
    True
    >>> model.predict_proba([[100.0, 100.0]]).round(2)  # far from the data it does not know
    array([[0.5, 0.5]])
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
