"""What others make of the sets: a Gaussian process, boosting, additive trees, SVM, logistic.

Each peer has its own defaults but for those of speed and silence; those that choose by rows held
out do so on the training rows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import KFold, cross_val_predict

from studies.beyond.draws import platt
from studies.beyond.trust.peers import process
from studies.data.samples import Sample
from studies.framework.experiment import MissingDataError
from studies.measures import rms, timed
from studies.process.measuring import Belief, class_measures, regression_measures

ONE_THREAD = {"thread_count": 1, "verbose": 0, "allow_writing_files": False, "random_seed": 0}


def _imported(package: str, name: str) -> Any:
    """A class of a package that is not always there."""
    try:
        module = __import__(package, fromlist=[name])
    except ImportError as error:
        raise MissingDataError(f"needs: pip install {package.partition('.')[0]}") from error
    return getattr(module, name)


def catboost(is_regression: bool) -> Any:
    """CatBoost with its defaults."""
    kind = "Regressor" if is_regression else "Classifier"
    return _imported("catboost", f"CatBoost{kind}")(**ONE_THREAD)


def lightgbm(is_regression: bool) -> Any:
    """LightGBM with its defaults."""
    kind = "Regressor" if is_regression else "Classifier"
    return _imported("lightgbm", f"LGBM{kind}")(n_jobs=1, verbose=-1, random_state=0)


def histogram(is_regression: bool) -> Any:
    """The boosting of scikit-learn with its defaults."""
    kind = HistGradientBoostingRegressor if is_regression else HistGradientBoostingClassifier
    return kind(random_state=0)


def additive(is_regression: bool) -> Any:
    """The explainable boosting machine of InterpretML with its defaults: effects and pairs."""
    kind = "Regressor" if is_regression else "Classifier"
    machine = _imported("interpret.glassbox", f"ExplainableBoosting{kind}")
    return machine(n_jobs=1, random_state=0)


def logistic() -> LogisticRegressionCV:
    """Logistic regression, its penalty by log loss in 5 folds."""
    scoring = {"scoring": "neg_log_loss", "use_legacy_attributes": False}
    return LogisticRegressionCV(cv=5, l1_ratios=(0.0,), max_iter=2000, **scoring)


def _of_process(one: Sample) -> dict[str, float]:
    """A Gaussian process with a scale for each input, the best evidence of three starts."""
    model, seconds = timed(partial(process, one))
    found = regression_measures(one, Belief(*model.predict(one.X_test, return_std=True)))
    evidence = float(model.log_marginal_likelihood_value_)
    return {**found, "seconds": seconds, "evidence": evidence}


def _of_means(make: Callable[[bool], Any], one: Sample, held_out: bool = True) -> dict[str, float]:
    """A model of means; its spread is that of residuals on rows held out in 5 folds.

    Without `held_out` the error alone.
    """
    model, seconds = timed(lambda: make(True).fit(one.X, one.y))
    mean = model.predict(one.X_test)
    spread = np.ones(len(mean))
    if held_out:
        folds = KFold(5, shuffle=True, random_state=0)
        held, _ = timed(lambda: cross_val_predict(make(True), one.X, one.y, cv=folds))
        spread *= rms(held, one.y)
    found = {**regression_measures(one, Belief(mean, spread)), "seconds": seconds, **_size(model)}
    return found if held_out else {k: v for k, v in found.items() if k not in UNKNOWN}


# What is not measured of a model of means alone.
UNKNOWN = ("loss", "coverage")


def _of_classes(fit: Callable[[Sample], Any], one: Sample) -> dict[str, float]:
    model, seconds = timed(partial(fit, one))
    probability = timed(partial(model.predict_proba, one.X_test))[0]
    return {**class_measures(one, probability), "seconds": seconds, **_size(model)}


def _size(model: Any) -> dict[str, float]:
    """Of a sum of effects and pairs, how many there are, and how many numbers they hold."""
    scores = getattr(model, "term_scores_", None)
    if scores is None:
        return {}
    return {"terms": len(scores), "numbers": sum(np.size(each) for each in scores)}


def _classifier(make: Callable[[bool], Any]) -> Callable[[Sample], dict[str, float]]:
    return partial(_of_classes, partial(_fitted, make))


def _fitted(make: Callable[[bool], Any], one: Sample) -> Any:
    return make(False).fit(one.X, one.y)


def _logistic(one: Sample) -> Any:
    return logistic().fit(one.X, one.y)


# What each peer is worth on a sample; the slow ones come last.
REGRESSION: dict[str, Callable[[Sample], dict[str, float]]] = {
    "gp": _of_process,
    "cat": partial(_of_means, catboost),
    "hgb": partial(_of_means, histogram),
    "lgb": partial(_of_means, lightgbm),
    "ebm": partial(_of_means, additive, held_out=False),
}
CLASSES: dict[str, Callable[[Sample], dict[str, float]]] = {
    "svc": partial(_of_classes, platt),
    "hgb": _classifier(histogram),
    "cat": _classifier(catboost),
    "lgb": _classifier(lightgbm),
    "logistic": partial(_of_classes, _logistic),
    "ebm": _classifier(additive),
}
