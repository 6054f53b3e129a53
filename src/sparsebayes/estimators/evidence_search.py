"""Choice among models by their evidence, without a validation set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Self

import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.utils.validation import check_is_fitted

from sparsebayes.estimators._conditional import Missing, there_if

# What integrating a log precision out costs, a priori uniform over 12 decades: its posterior is
# about Gaussian with the curvature 1/2 that a well-determined log precision has.
OCCAM_FACTOR = np.log(np.sqrt(4.0 * np.pi) / (12.0 * np.log(10.0)))


class AllRows:
    """A splitter with one split, in which all rows are for training and none is left out."""

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple]:
        """The one split."""
        rows = np.arange(len(y))
        yield rows, rows

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """1."""
        return 1


def marginal(model: Any) -> float:
    """Log evidence with the precisions it was maximised over integrated out, roughly.

    A dense model has one for all columns of a kernel, so that it can be compared with few columns.
    """
    return model.log_evidence_ + OCCAM_FACTOR * model._model.n_precisions


CRITERIA: dict[str, Callable] = {
    "marginal": marginal,
    "log_evidence": attrgetter("log_evidence_"),
    "lower_bound": attrgetter("lower_bound_"),
}


@dataclass(frozen=True)
class Criterion:
    """What GridSearchCV calls to score a fitted candidate; files can hold it.

    Parameters
    ----------
    name : one of CRITERIA
    """

    name: str

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The criterion of a fitted estimator, or of a pipeline's last step.

        It was fitted to these rows with these weights, so neither is needed again.
        """
        last = estimator[-1] if hasattr(estimator, "steps") else estimator
        try:
            return float(CRITERIA[self.name](last))
        except AttributeError:
            raise ValueError(
                f'criterion={self.name!r} needs an estimator of this package, and "lower_bound" '
                f'one with inference="variational"; got {last!r}.'
            ) from None


def _best_can(name: str) -> Callable[[Any], None]:
    """A check that the best estimator, or before a fit the one to be fitted, has a method."""

    def check(search: Any) -> None:
        if not search.refit:
            raise AttributeError(f"{name} needs refit=True, got refit={search.refit!r}.")
        getattr(getattr(search, "best_estimator_", search.estimator), name)

    return check


class EvidenceSearch(GridSearchCV):
    """Grid search by the evidence: each candidate is fitted once, to all rows.

    It is used as `GridSearchCV` is and has the same attributes. The *evidence* is the probability
    of the training targets with all weights averaged out. It takes the place of a score on held-out
    rows, so a candidate takes one fit instead of one for each fold, and no row is held out.

    You can compare kernel widths, kernels and whole bases, as long as the target is the same. With
    a ``Bias()`` the mean of real targets is taken out first, so either all bases have one or none
    has. The evidence of a sparse model prefers narrow kernels. That of ``inference="projection"``
    is about as good a judge of widths as cross-validation.

    Parameters
    ----------
    estimator : estimator object
        An estimator of this package, or a Pipeline that ends in one.
    param_grid : dict or list of dict
        Names of parameters and the values to try, as in GridSearchCV.
    criterion : {"marginal", "log_evidence", "lower_bound"}, default="marginal"
        "log_evidence" is `log_evidence_`, the evidence at the best precisions, which favours models
        of many columns. "marginal" takes 2.05 off it for each relevant column, which is about what
        it costs to average over the precision of the column. With ``inference="projection"`` it
        does so for each kernel and other kind of columns, as the evidence is that of a Gaussian
        process, in which all columns of a kind have one precision. "lower_bound" is
        `lower_bound_`, which needs ``inference="variational"``. It can compare only models with
        equally many candidate columns, since each of these costs about 12, used or not.
    n_jobs : int, default=None
        Number of candidates that are fitted in parallel, as in GridSearchCV.
    refit : bool, default=True
        Whether to fit the best candidate once more, so that the search can predict.
    verbose : int, default=0
        How much is printed, as in GridSearchCV.
    error_score : "raise" or number, default="raise"
        The score of a candidate whose fit fails; "raise" raises the error.

    Attributes
    ----------
    best_estimator_ : estimator
        The best candidate, fitted to all rows. This and the next five are those of GridSearchCV.
    best_params_ : dict
        Its parameters.
    best_score_ : float
        Its criterion.
    best_index_ : int
        Its position in `cv_results_`.
    cv_results_ : dict of arrays
        The criterion and the time of every candidate.
    refit_time_ : float
        Seconds of the last fit.

    See Also
    --------
    RVR : Learns kernel scales by itself, with ``gamma="ard"`` or ``gamma="learn"``.

    Notes
    -----
    The user guide says what to compare: https://sparsebayes.example/guide/choosing.html

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebayes import RVR, EvidenceSearch
    >>> X = np.linspace(-10, 10, 100)[:, None]
    >>> y = np.sinc(X[:, 0] / np.pi) + np.random.default_rng(0).normal(0, 0.1, 100)
    >>> search = EvidenceSearch(RVR(), {"gamma": [0.001, 0.1, 10.0]}).fit(X, y)
    >>> search.best_params_
    {'gamma': 0.1}
    """

    partial_fit = Missing(
        "a search has no partial_fit, as all rows decide which candidate is best: give all rows at "
        "once to fit, or call partial_fit of a new estimator with best_params_."
    )
    # What GridSearchCV would be told, and is settled here.
    cv = AllRows()
    pre_dispatch = "2*n_jobs"
    return_train_score = False

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        criterion: str = "marginal",
        n_jobs: int | None = None,
        refit: bool = True,
        verbose: int = 0,
        error_score: Any = "raise",
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.criterion = criterion
        self.n_jobs = n_jobs
        self.refit = refit
        self.verbose = verbose
        self.error_score = error_score

    @property
    def scoring(self) -> Callable:
        """What GridSearchCV calls to score a fitted candidate."""
        if not isinstance(self.criterion, str) or self.criterion not in CRITERIA:
            names = ", ".join(map(repr, CRITERIA))
            raise ValueError(f"criterion must be one of {names}, got {self.criterion!r}.")
        return Criterion(self.criterion)

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Fit all candidates, and the best of them once more.

        A search that fails or is interrupted is left as it was.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training inputs.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets or labels.
        **params : dict
            Passed on to the `fit` of the estimator, such as `sample_weight`.

        Returns
        -------
        self : EvidenceSearch
            The fitted search.
        """
        shell = copy(self)  # a search that fails leaves this one as it was
        super(EvidenceSearch, shell).fit(X, y, **params)
        self.__dict__ = shell.__dict__
        return self

    def score(self, X: Any, y: Any = None) -> float:
        """Score of the best estimator: R^2 of a regressor, accuracy of a classifier.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Inputs.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Their targets or labels.

        Returns
        -------
        score : float
            What the `score` of the best estimator gives.
        """
        return self._best.score(X, y)

    @there_if(_best_can("predict"))
    def predict(self, X: Any, **options: Any) -> Any:
        """Predict with the best estimator.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            New inputs.
        **options : dict
            Of a regressor `return_std` and `return_cov`.

        Returns
        -------
        prediction : array, or tuple of arrays
            What the `predict` of the best estimator gives.
        """
        return self._best.predict(X, **options)

    @there_if(_best_can("predict_quantiles"))
    def predict_quantiles(self, X: Any, quantiles: Any = (0.05, 0.5, 0.95)) -> np.ndarray:
        """Quantiles of new targets, by the best estimator.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            New inputs.
        quantiles : array-like of shape (n_quantiles,), default=(0.05, 0.5, 0.95)
            Numbers between 0 and 1.

        Returns
        -------
        y : array of shape (n_samples, n_quantiles)
            The quantiles of each row.
        """
        return self._best.predict_quantiles(X, quantiles)

    @there_if(_best_can("log_density"))
    def log_density(self, X: Any, y: Any) -> np.ndarray:
        """Log density of new targets under the best model.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            New inputs.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Their targets.

        Returns
        -------
        log_density : array of the shape of y
            The log density of each target.
        """
        return self._best.log_density(X, y)

    @there_if(_best_can("sample_y"))
    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = 0) -> np.ndarray:
        """Draw new targets from the best model.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_inputs, n_features)
            New inputs.
        n_samples : int, default=1
            Number of draws.
        random_state : int, RandomState instance or None, default=0
            Seed of the draws.

        Returns
        -------
        y : array of shape (n_inputs, n_samples)
            The draws.
        """
        return self._best.sample_y(X, n_samples, random_state)

    @property
    def _best(self) -> Any:
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_
