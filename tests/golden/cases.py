"""Small fits over all estimators, inferences, likelihoods and kinds of learned scales."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from sklearn.datasets import make_friedman1, make_moons

from sparsebayes import (
    RVC,
    RVR,
    Bias,
    Fast,
    Gamma,
    GaussianKernel,
    LaplacianKernel,
    Linear,
    Mackay,
    Polynomial,
    Projection,
    SparseBayesClassifier,
    SparseBayesRegressor,
)
from sparsebayes.datasets import noisy_sinc, ripley_mixture


class Case(NamedTuple):
    """An estimator, its training data, and inputs to predict at."""

    estimator: object
    data: tuple
    new: np.ndarray


@cache
def sinc():
    return (*noisy_sinc(60, random_state=0),), np.linspace(-12.0, 12.0, 9)[:, None]


@cache
def friedman():
    X, y = make_friedman1(70, n_features=6, noise=1.0, random_state=0)
    return (X[:60], y[:60]), X[60:]


@cache
def weighted():
    (X, y), new = sinc()
    return (X, y, np.random.default_rng(0).integers(0, 3, len(y)).astype(float)), new


@cache
def outputs():
    (X, y), new = sinc()
    noise = np.random.default_rng(1).normal(0.0, 0.2, len(y))
    return (X, np.column_stack([y, np.cos(X[:, 0]) + noise])), new


@cache
def moons():
    X, y = make_moons(70, noise=0.3, random_state=0)
    return (X[:60], y[:60]), X[60:]


@cache
def ripley():
    return ripley_mixture(60, random_state=0), np.random.default_rng(0).uniform(-1, 1, (9, 2))


@cache
def classes():
    random = np.random.default_rng(0)
    y = np.arange(69) % 3
    X = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 2.0]])[y] + random.normal(0.0, 0.8, (69, 2))
    return (X[:60], y[:60]), X[60:]


@cache
def spoiled():
    (X, y), new = sinc()
    return (X, y + 1.0 * (np.arange(len(y)) % 9 == 4)), new


@cache
def counted():
    (X, y), new = sinc()
    return (X, np.random.default_rng(2).poisson(np.exp(1.0 + 2.0 * y))), new


@cache
def ranked():
    (X, y), new = friedman()
    return (X, np.digitize(y, [10.0, 14.0, 18.0])), new


@cache
def uneven():
    (X, y), new = sinc()
    return (X, y + (X[:, 0] > 0.0) * np.random.default_rng(3).normal(0.0, 0.5, len(y))), new


def numbers(case: Case) -> dict:
    """What a fit says, as plain lists."""
    model = case.estimator.fit(*case.data)
    found = {
        "log_evidence": model.log_evidence_,
        "outcome": model.outcome_.name,
        "columns": model.column_names_,
        "weight_precision": np.sort(np.ravel(model.weight_precision_)).tolist(),
        "vectors": np.sort(model.relevance_).tolist(),
    }
    if hasattr(model, "predict_proba"):
        found["probability"] = model.predict_proba(case.new).tolist()
        found["latent"] = [
            np.asarray(each).tolist() for each in model.latent_mean_and_variance(case.new)
        ]
    else:
        mean, std = model.predict(case.new, return_std=True)
        found |= {
            "mean": mean.tolist(),
            "std": std.tolist(),
        }
        if hasattr(model, "noise_std_"):
            found["noise"] = np.ravel(model.noise_std_).tolist()
        found["quantiles"] = model.predict_quantiles(case.new).tolist()
    return found


PRIOR = Gamma(1.0, 0.1)


def papers(inference="fast", **parameters) -> RVR:
    """A regressor with the bias of the papers: a column that explains all of an offset."""
    return RVR(fit_intercept="column", inference=inference, **parameters)


def classifier(inference="fast", **parameters) -> RVC:
    """A classifier of the papers."""
    return RVC(inference=inference, **parameters)


CASES = {
    "outliers": (RVR(likelihood="student_t"), spoiled),
    "outliers, fast": (RVR(gamma=0.1, likelihood="student_t", inference="fast"), spoiled),
    "counts": (RVR(likelihood="poisson"), counted),
    "counts, fast": (RVR(gamma=0.1, likelihood="poisson", inference="fast"), counted),
    "wild counts": (RVR(gamma=0.1, likelihood="negative_binomial"), counted),
    "ordered classes": (RVC(likelihood="ordinal"), ranked),
    "ordered classes, mackay": (
        RVC(gamma="scale", likelihood="ordinal", inference="mackay"),
        ranked,
    ),
    "noise that varies": (RVR(likelihood="heteroscedastic"), uneven),
    "fast": (papers(gamma=0.1), sinc),
    "mackay": (papers(gamma=0.1, inference="mackay"), sinc),
    "em": (papers(gamma=0.1, inference="em"), sinc),
    "variational": (papers(gamma=0.1, inference="variational"), sinc),
    "projection": (papers(gamma=0.1, inference="projection"), sinc),
    "projection, fidelity 10": (papers(gamma=0.1, inference=Projection(fidelity=10.0)), friedman),
    "price": (papers(gamma="scale", inference=Fast(min_gain=2.0)), friedman),
    "hyperpriors": (papers(gamma=0.1, inference=Fast(0.0, PRIOR, PRIOR)), sinc),
    "given noise": (papers(gamma=0.1, noise_std=0.1), sinc),
    "weights": (papers(gamma=0.1), weighted),
    "a scale each": (papers(), friedman),
    "one scale": (papers(gamma="learn"), friedman),
    "a scale each, projection": (papers(inference="projection"), friedman),
    "a scale each, variational": (papers(inference="variational"), sinc),
    "one scale, mackay": (papers(gamma="learn", inference="mackay"), sinc),
    "laplacian": (papers(kernel="laplacian", gamma="learn"), sinc),
    "polynomial": (papers(kernel="poly", degree=2, coef0=1.0, gamma="ard"), friedman),
    "linear spline": (papers(kernel="linear_spline", inference="projection"), friedman),
    "chunks": (papers(gamma=0.1, cache_size=0), sinc),
    "shared outputs": (papers(gamma=0.1), outputs),
    "shared outputs, a scale each": (papers(), outputs),
    "separate outputs": (papers(gamma=0.1, multi_output="separate"), outputs),
    "separate outputs, variational": (
        papers(gamma=0.1, multi_output="separate", inference="variational"),
        outputs,
    ),
    "any basis": (
        SparseBayesRegressor(
            GaussianKernel(width=[1.0, 4.0]) + Polynomial(2) + Bias(centre_target=False),
            inference="fast",
        ),
        sinc,
    ),
    "sum of kernels": (
        SparseBayesRegressor(
            GaussianKernel(input_scale="learn") + LaplacianKernel("learn") + Linear(),
            inference="fast",
        ),
        friedman,
    ),
    "two classes": (classifier(gamma="scale"), moons),
    "two classes, a scale each": (classifier(), ripley),
    "two classes, variational": (classifier(gamma=4.0, inference="variational"), ripley),
    "two classes, projection": (classifier(inference="projection"), ripley),
    "two classes, mackay, prior": (
        classifier(gamma="scale", inference=Mackay(PRIOR)),
        moons,
    ),
    "class weights": (
        SparseBayesClassifier(
            GaussianKernel(1.0) + Linear() + Bias(),
            class_weight={0: 2.0, 1: 1.0},
            inference="fast",
        ),
        moons,
    ),
    "one against the rest": (classifier(gamma="scale"), classes),
    "one against the rest, a scale each": (classifier(), classes),
    "softmax": (classifier(gamma="scale", multi_class="softmax"), classes),
    "softmax, em": (
        classifier(gamma="scale", multi_class="softmax", inference="em", tol=0.05),
        classes,
    ),
    "shared softmax": (
        classifier(gamma="scale", multi_class="shared_softmax"),
        classes,
    ),
    "shared softmax, a scale each": (
        classifier(multi_class="shared_softmax"),
        classes,
    ),
    "default": (RVR(), friedman),
    "default, gaussian kernel": (RVR("rbf"), friedman),
    "default, gaussian kernel, two classes": (RVC("rbf"), moons),
    "effects": (RVR("effects"), friedman),
    "effects, two classes": (RVC("effects"), ripley),
    "effects, softmax": (RVC("effects", multi_class="softmax"), classes),
    "default, given scale": (RVR(gamma=0.1), sinc),
    "default, given noise": (RVR(gamma=0.1, noise_std=0.1), sinc),
    "default, weights": (RVR(), weighted),
    "default, shared outputs": (RVR(), outputs),
    "default, separate outputs": (RVR(multi_output="separate"), outputs),
    "default, no covariance": (RVR("sigmoid", gamma=0.3), friedman),
    "default, laplacian": (RVR("laplacian"), friedman),
    "default, two classes": (RVC(), moons),
    "default, one against the rest": (RVC(multi_class="ovr"), classes),
    "default, softmax": (RVC(multi_class="softmax"), classes),
    "default, shared softmax": (RVC(multi_class="shared_softmax"), classes),
    "any basis, projection": (
        SparseBayesRegressor(GaussianKernel() + Linear() + Bias(), inference="projection"),
        friedman,
    ),
}


def case(name: str) -> Case:
    """The case of this name."""
    estimator, data = CASES[name]
    return Case(estimator, *data())
