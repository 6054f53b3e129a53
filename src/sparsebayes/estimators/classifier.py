"""Sparse Bayesian classification over any basis."""

from __future__ import annotations

from typing import Any

from sparsebayes.basis import Basis
from sparsebayes.estimators._any_basis import AnyBasis
from sparsebayes.estimators._classification import Classification
from sparsebayes.inference.inference import Inference


class SparseBayesClassifier(AnyBasis, Classification):
    """Sparse Bayesian classification over any basis.

    Parameters
    ----------
    basis : Basis, default=None
        As in `SparseBayesRegressor`.
    multi_class : {"auto", "ovr", "softmax", "shared_softmax"}, default="auto"
    class_weight : dict, "balanced" or None, default=None
    inference : {"fast", "mackay", "em", "variational", "projection"} or an object, default="fast"
    likelihood : {"categorical", "ordinal"} or `Ordinal`, default="categorical"
    max_iter : int, default=5000
    tol : float, default=1e-3
    cache_size : float, default=1000
    n_jobs : int, default=None
    verbose : int, default=0
        All of these as in `RVC`.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    coef_, coef_std_ : arrays of shape (1, n_features) or (n_classes, n_features)
        Coefficients of the latent values and their standard deviations, for a model that is linear
        in its inputs; see SparseBayesRegressor.
    intercept_ : array of shape (1,) or (n_classes,)
    selected_, inclusion_ : see SparseBayesRegressor
    likelihood_ : see RVC
    basis_, input_relevance_, column_names_, weights_, covariance_, weight_precision_, \
relevance_, covering_ : see SparseBayesRegressor
    log_evidence_, history_, outcome_, n_iter_, n_features_in_, feature_names_in_ : see RVC

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sparsebayes import Bias, Linear, SparseBayesClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = SparseBayesClassifier(Linear() + Bias()).fit(X, y)
    >>> len(model.weights_) < X.shape[1]
    True
    """

    def __init__(
        self,
        basis: Basis | None = None,
        *,
        multi_class: str = "auto",
        class_weight: Any = None,
        inference: str | Inference = "fast",
        likelihood: Any = "categorical",
        max_iter: int = 5000,
        tol: float = 1e-3,
        cache_size: float = 1000,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.basis = basis
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.inference = inference
        self.likelihood = likelihood
        self.max_iter = max_iter
        self.tol = tol
        self.cache_size = cache_size
        self.n_jobs = n_jobs
        self.verbose = verbose
