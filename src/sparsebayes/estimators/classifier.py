"""Sparse Bayesian classification over any basis."""

from __future__ import annotations

from typing import Any

from sparsebayes.basis import Basis
from sparsebayes.estimators._any_basis import AnyBasis
from sparsebayes.estimators._classification import Classification
from sparsebayes.inference.inference import Inference


class SparseBayesClassifier(AnyBasis, Classification):
    """Sparse Bayesian classification over any basis: kernels, linear terms, columns of your own.

    Each column of the basis has a weight with a prior precision of its own. The fit maximises the
    *evidence*, the probability of the labels with all weights averaged out, and most columns drop
    out of the model. `RVC` is the same model with a kernel on the rows and other defaults.

    Parameters
    ----------
    basis : Basis, default=None
        The columns that the model may use, such as ``Linear() + Bias()``; see
        `SparseBayesRegressor`.
    fit_intercept : bool, default=True
        Whether a basis without a ``Bias()`` is given one; see `SparseBayesRegressor`.
    multi_class : {"auto", "ovr", "softmax", "shared_softmax"}, default="auto"
        For three or more classes: a model for each against the rest, or a joint model; see `RVC`.
    class_weight : dict, "balanced" or None, default=None
        Weights of classes, which multiply `sample_weight`; see `RVC`.
    inference : {"auto", "fast", "mackay", "em", "variational", "projection"} or an object, \
default="auto"
        How columns and precisions are found; see `RVR`. "auto" is "projection" if the basis has a
        kernel that is a covariance, such as `GaussianKernel`, and "fast" otherwise, or if columns
        are in groups. Error bars of "fast" are too small where a kernel has no data.
    likelihood : {"categorical", "ordinal"} or `Ordinal`, default="categorical"
        "ordinal" is for classes that have an order; see `RVC`.
    max_iter : int, default=5000
        The most iterations that the search for columns may take.
    tol : float, default=1e-3
        The fit stops when no derivative and no gain of the log evidence exceeds this; see `RVC`.
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
    basis_ : Basis
        The basis with the widths and scales of this fit as numbers.
    column_names_ : list of str
        Names of the kept columns; see `SparseBayesRegressor`.
    weights_ : array of shape (n_kept,) or (n_kept, n_classes)
        Mean weight of each kept column.
    covariance_ : array of shape (n_kept, n_kept)
        Posterior covariance of `weights_`, for two classes.
    weight_precision_ : array of shape (n_kept,) or (n_kept, n_classes)
        Prior precision of each weight.
    relevance_ : array of int of shape (n_relevance,)
        Indices of the training rows that the kept kernel columns are centred on.
    covering_ : array of int of shape (n_covering,)
        With ``inference="projection"`` and a kernel that is a covariance: indices of the training
        rows from which the uncertainty is computed.
    coef_ : array of shape (1, n_features) or (n_classes, n_features)
        Mean coefficients of the latent values, for a model that is linear in its inputs.
    coef_std_ : array of shape (1, n_features) or (n_classes, n_features)
        Standard deviations of the coefficients.
    intercept_ : array of shape (1,) or (n_classes,)
        The latent value where all inputs are zero, for a model that is linear in its inputs.
    selected_ : array of bool of shape (n_features,)
        Which inputs a linear model uses.
    inclusion_ : array of shape (n_features,)
        The probability that each input has a part in the labels; see `SparseBayesRegressor`.
    input_relevance_ : array of shape (n_features,)
        The share of the variance of the latent values that each input has a part in.
    likelihood_ : CumulativeLogit
        With ``likelihood="ordinal"``: it has the ``cut_points`` between classes, the lowest first.
    log_evidence_ : float
        Approximate log evidence of the labels; see `RVC`.
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
    RVC : A kernel on the training rows, with the parameters of SVC.
    SparseBayesRegressor : The regressor.

    Notes
    -----
    The user guide has more: https://sparsebayes.example/guide/columns.html

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sparsebayes import Bias, Linear, SparseBayesClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = SparseBayesClassifier(Linear() + Bias()).fit(X, y)
    >>> int(model.selected_.sum()) < X.shape[1]  # it uses some of the 30 inputs
    True
    """

    def __init__(
        self,
        basis: Basis | None = None,
        *,
        fit_intercept: bool = True,
        multi_class: str = "auto",
        class_weight: Any = None,
        inference: str | Inference = "auto",
        likelihood: Any = "categorical",
        max_iter: int = 5000,
        tol: float = 1e-3,
        cache_size: float = 1000,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.basis = basis
        self.fit_intercept = fit_intercept
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.inference = inference
        self.likelihood = likelihood
        self.max_iter = max_iter
        self.tol = tol
        self.cache_size = cache_size
        self.n_jobs = n_jobs
        self.verbose = verbose
