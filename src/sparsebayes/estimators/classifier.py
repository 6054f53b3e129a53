"""Sparse Bayesian classification over any basis."""

from __future__ import annotations

from sparsebayes.estimators._any_basis import AnyBasis
from sparsebayes.estimators._classification import Classification


class SparseBayesClassifier(AnyBasis, Classification):
    """Sparse Bayesian classification over any basis.

    Parameters
    ----------
    basis : Basis, default=None
        As in `SparseBayesRegressor`.
    multi_class : {"ovr", "multinomial"}, default="ovr"
    shared_precision : bool, default=False
    class_weight : dict, "balanced" or None, default=None
        These three as in `RVC`.
    inference : {"fast", "mackay", "em", "variational", "projection"}, default="fast"
    weight_hyperprior : Gamma, default=None
        Prior over weight precisions; flat by default. With one, no precision diverges, so all
        columns stay, at O(N^3), and units matter.
    max_iter : int, default=5000
    tol : float, default=1e-3
    min_gain : float, default=0.0
    fidelity : float, default=3.0
    warm_start : bool, default=False
    cache_size : float, default=1000
    n_jobs : int, default=None
    verbose : int, default=0
        The last eight as in `RVC`.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    basis_, input_relevance_, column_names_, weights_, covariance_, weight_precision_, \
relevance_ : see SparseBayesRegressor
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
        basis=None,
        *,
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
        self.basis = basis
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
