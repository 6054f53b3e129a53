"""Random estimators over the product of all parts, and what they are fitted to."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sparsebayes import (
    EM,
    RVC,
    RVR,
    Bias,
    CauchyKernel,
    EvidenceSearch,
    Fast,
    Gamma,
    GaussianKernel,
    GivenColumns,
    LaplacianKernel,
    Linear,
    LinearKernel,
    LinearSplineKernel,
    Mackay,
    Ordinal,
    Polynomial,
    PolynomialKernel,
    Projection,
    SigmoidKernel,
    SparseBayesClassifier,
    SparseBayesRegressor,
    Variational,
)
from studies.reliability.data import HOSTILE, TAME, Reach, Table, draw_table, pick, power_of_ten


class Case(NamedTuple):
    """An estimator and what it is fitted to."""

    estimator: Any
    table: Table

    @property
    def words(self) -> str:
        """What the case is, in a line."""
        shown = " ".join(repr(self.estimator).split())
        return f"{shown} on {', '.join(self.table.words)}"


def bump(inputs: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """A covariance by a function of the user."""
    return np.exp(-0.5 * ((inputs[:, None] - centres) ** 2).sum(axis=2))


def wave(inputs: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """A kernel that is no covariance."""
    return np.cos(np.abs(inputs[:, None] - centres).sum(axis=2)) - 0.5


def vandal(inputs: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """A kernel that writes to its arguments, and is negative."""
    values = -np.tanh(inputs @ centres.T)
    inputs[:], centres[:] = 0.0, 1.0
    return values


def tiny(inputs: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """A covariance in a small unit."""
    return 1e-200 * bump(inputs, centres)


def huge(inputs: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """A covariance in a large unit."""
    return 1e200 * bump(inputs, centres)


def waves(inputs: np.ndarray) -> np.ndarray:
    """Columns of the user."""
    return np.column_stack([np.sin(inputs), np.cos(inputs), np.zeros(len(inputs))])


KERNELS = {
    "rbf": 8,
    "linear": 2,
    "poly": 2,
    "sigmoid": 1.5,
    "laplacian": 1.5,
    "cauchy": 1.5,
    "linear_spline": 1.5,
    "precomputed": 1,
    bump: 0.5,
    wave: 0.5,
    vandal: 0.5,
}
UNITS_OF_KERNELS = {tiny: 0.3, huge: 0.3}
GAMMAS = {"ard": 6, "learn": 2, "scale": 3, "auto": 1, "number": 3, "array": 1}
COUNTS = ("poisson", "negative_binomial")
OTHER_LIKELIHOODS = {"student_t": 3, "poisson": 3, "negative_binomial": 3, "heteroscedastic": 3}
INFERENCES = {Projection: 6, Fast: 4, Mackay: 2, EM: 2, Variational: 2}


def draw_inference(random: np.random.Generator, hostile: bool) -> Any:
    """A name or an object with parameters."""
    kind = pick(random, INFERENCES)
    if random.uniform() < 0.7:
        return kind.__name__.lower()
    if kind is Projection:
        return Projection(pick(random, [0.1, 1.0, 3.0, 30.0, 1e4]), pick(random, [0.0, 0.0, 2.0]))
    if kind is Fast and random.uniform() < 0.6:
        return Fast(min_gain=pick(random, [0.5, 2.0, 5.0, 1e3]))
    reach = 6.0 if hostile else 2.0
    priors = [Gamma(*power_of_ten(random, reach, 2)) if random.uniform() < 0.5 else None]
    return kind(weight_hyperprior=priors[0])


def draw_limits(random: np.random.Generator, hostile: bool) -> dict:
    """Some of max_iter, tol, cache_size."""
    said: dict[str, Any] = {}
    if random.uniform() < 0.15:
        said["max_iter"] = pick(random, [1, 3, 50, 100_000])
    if random.uniform() < 0.15:
        said["tol"] = pick(random, [0.5, 1e-6, 1e-9, 0.0] if hostile else [0.5, 1e-2, 1e-6])
    if random.uniform() < 0.1:
        said["cache_size"] = 0
    return said


def draw_kernel_settings(random: np.random.Generator, X: Any, hostile: bool) -> dict:
    """Parameters of a kernel machine, some of them."""
    gamma = pick(random, GAMMAS)
    if gamma == "number":
        gamma = float(power_of_ten(random, 8.0 if hostile else 3.0))
    elif gamma == "array":
        gamma = power_of_ten(random, 3.0, X.shape[1])
    kernel = pick(random, KERNELS | UNITS_OF_KERNELS if hostile else KERNELS)
    said = {"kernel": kernel, "gamma": gamma}
    if random.uniform() < 0.3:
        said["fit_intercept"] = pick(random, [False, "column"])
    if random.uniform() < 0.2 and kernel != "precomputed":
        said["centres"] = pick(random, [None, 1, 5, np.zeros((2, X.shape[1]))])
    if kernel in ("poly", "sigmoid"):
        said["coef0"] = pick(random, [0.0, 1.0, -1.0])
        said["degree"] = pick(random, [1, 2, 3, 5])
    return said


def draw_basis(random: np.random.Generator, sparse: bool) -> Any:
    """One to three recipes."""
    recipes = [
        lambda: GaussianKernel(width=pick(random, ["scale", "learn", 0.5, 3.0])),
        lambda: GaussianKernel(width=1.0, input_scale="learn"),
        lambda: GaussianKernel(width=[1.0, 4.0]),
        Linear,
        Bias,
        lambda: Bias(centre_target=False),
        LinearKernel,
        lambda: PolynomialKernel(degree=2),
        SigmoidKernel,
        lambda: CauchyKernel(width="learn"),
    ]
    if not sparse:
        recipes += [LaplacianKernel, LinearSplineKernel, Polynomial, lambda: GivenColumns(waves)]
    basis = pick(random, recipes)()
    for _ in range(random.integers(0, 3)):
        basis = basis + pick(random, recipes)()
    return basis


def draw_settings(random: np.random.Generator, table: Table, classes: bool, hostile: bool) -> dict:
    """What regressors or classifiers take, whatever their basis."""
    said = draw_limits(random, hostile) | {"inference": draw_inference(random, hostile)}
    if classes:
        said["multi_class"] = pick(random, {"auto": 4, "ovr": 2, "softmax": 2, "shared_softmax": 2})
        said["class_weight"] = pick(random, {None: 4, "balanced": 1})
        return said
    if random.uniform() < 0.15:
        size = float(np.abs(table.y).max()) or 1.0
        said["noise_std"] = size * float(power_of_ten(random, 6.0 if hostile else 3.0))
    if table.y.ndim == 2:
        said["multi_output"] = pick(random, ["shared", "separate"])
    return said


def draw_case(kind: str, seed: int) -> Case:
    """Case number `seed` of a kind, "tame" or "hostile"."""
    hostile = kind == "hostile"
    random = np.random.default_rng([int(hostile), seed])
    reach: Reach = pick(random, HOSTILE) if hostile else TAME
    classes = bool(random.integers(2))
    return case_of(random, draw_table(random, classes, reach), classes, hostile)


def case_of(random: np.random.Generator, table: Table, classes: bool, hostile: bool) -> Case:
    """A random estimator for a table."""
    settings = draw_settings(random, table, classes, hostile)
    sparse = hasattr(table.X, "toarray")
    if random.uniform() < 0.3:
        kinds = (SparseBayesRegressor, SparseBayesClassifier)
        return Case(kinds[classes](draw_basis(random, sparse), **settings), table)
    own = draw_kernel_settings(random, table.X, hostile)
    table = suited(table, own["kernel"])
    estimator = (RVR, RVC)[classes](**settings, **own)
    if random.uniform() < 0.03 and own["kernel"] != "precomputed":
        estimator = EvidenceSearch(estimator, {"gamma": ["scale", 1.0]})
    return Case(estimator, table)


def draw_other_case(kind: str, seed: int) -> Case:
    """Case number `seed` with another likelihood; "tame targets" or "hostile targets"."""
    case = draw_case(kind.removesuffix(" targets"), seed)
    return with_other_likelihood(np.random.default_rng([7, seed]), case)


def with_other_likelihood(random: np.random.Generator, case: Case) -> Case:
    """The case with ordered classes, outliers, counts, or noise that varies."""
    estimator, table = case
    estimator = getattr(estimator, "estimator", estimator)
    if hasattr(estimator, "class_weight"):
        order = random.permutation(np.unique(table.y)).tolist()
        likelihood = pick(random, ["ordinal", Ordinal(order=order)])
        return Case(estimator.set_params(likelihood=likelihood), table)
    likelihood = pick(random, OTHER_LIKELIHOODS)
    y = table.y if table.y.ndim == 1 else table.y[:, 0]
    if likelihood in COUNTS:
        y = as_counts(y, float(power_of_ten(random, 3.0)))
    estimator.set_params(likelihood=likelihood, noise_std=None)
    return Case(estimator, table._replace(y=y))


def as_counts(y: np.ndarray, most: float) -> np.ndarray:
    """Whole numbers of about this size with the shape of a target."""
    size = float(np.abs(y).max()) or 1.0
    return np.floor(most * np.abs(y / size))


def suited(table: Table, kernel: Any) -> Table:
    """The table with inputs that the kernel can take."""
    X = table.X
    if hasattr(X, "toarray") and (callable(kernel) or kernel in ("laplacian", "linear_spline")):
        X = X.toarray()
    if isinstance(kernel, str) and kernel == "precomputed":
        dense = X.toarray() if hasattr(X, "toarray") else np.asarray(X, float)
        X = bump(dense / (np.abs(dense).max() or 1.0), dense / (np.abs(dense).max() or 1.0))
    return table._replace(X=X)
