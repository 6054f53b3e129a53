"""What must not change a prediction: order, units, offsets, weights, names.

Each law takes a problem and gives it twice, in two forms that must predict the same. The numbers of
`law_problems` can be shifted without rounding. What is left of rounding is that of a mean and of a
sum: 1.5e-8 in sd(y) for an offset of 1e8.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from studies.framework.experiment import Block, Experiment, Table, Task
from studies.reliability.data import pick
from studies.reliability.law_problems import (
    N_PROBLEMS,
    OF_DISTANCE,
    POWERS,
    Fitted,
    draw_problem,
    gap,
)

Pair = tuple[Fitted, Fitted]
Law = Callable[[Fitted, np.random.Generator], Pair | None]


def order_of_rows(one: Fitted, random: np.random.Generator) -> Pair:
    """The rows in another order."""
    order = random.permutation(len(one.X))
    weight = None if one.weight is None else one.weight[order]
    return one, one._replace(X=one.X[order], y=one.y[order], weight=weight)


def units_of_y(one: Fitted, random: np.random.Generator) -> Pair | None:
    """The target, and its noise where that is given, in units of 1e-6 to 1e6."""
    if not one.regression:
        return None
    unit = 10.0 ** random.uniform(-6.0, 6.0)
    noise = one.estimator.noise_std
    other = one if noise is None else one.having(noise_std=unit * noise)
    return one, other._replace(y=unit * one.y, unit=unit)


def offset_of_y(here: float, there: float) -> Law:
    """The target with an offset, and with another."""

    def law(one: Fitted, random: np.random.Generator) -> Pair | None:
        if not one.regression or getattr(one.estimator, "fit_intercept", True) is not True:
            return None
        one = one._replace(y=one.y + here, offset=here)
        return one, one._replace(y=one.y + (there - here), offset=there)

    return law


def offset_of_inputs(one: Fitted, random: np.random.Generator) -> Pair | None:
    """All inputs with an offset, for kernels of a distance."""
    return (one, one.inputs(lambda X: X + 1024.0)) if one.kernel in OF_DISTANCE else None


def units_of_inputs(one: Fitted, random: np.random.Generator) -> Pair | None:
    """All inputs in another unit, and gamma where it is given."""
    proper = one.said("inference", "variational")  # its priors over weights have units
    if not one.kernel or (one.kernel == "linear" and proper):
        return None
    gamma, other = one.estimator.gamma, one.inputs(lambda X: 1024.0 * X)
    if not isinstance(gamma, str) and one.kernel in POWERS:
        other = other.having(gamma=gamma * 1024.0 ** -POWERS[one.kernel])
    return one, other


def units_of_one_input(one: Fitted, random: np.random.Generator) -> Pair | None:
    """One of several inputs in another unit, where each has a scale that is learned."""
    d = one.X.shape[1]
    if not one.said("gamma", "ard") or one.kernel not in POWERS or d < 2:
        return None
    unit = np.ones(d)
    unit[random.integers(d)] = 2.0 ** pick(random, [-10, -5, 5, 10])
    return one, one.inputs(lambda X: X * unit)


def constant_input(one: Fitted, random: np.random.Generator) -> Pair | None:
    """An input more that is constant."""
    if not one.said("gamma", "ard") or one.kernel not in OF_DISTANCE:
        return None
    return one, one.inputs(lambda X: np.insert(X, 0, 3.0, axis=1))


def order_of_inputs(one: Fitted, random: np.random.Generator) -> Pair | None:
    """The inputs in another order, and gamma where it is an array."""
    order = random.permutation(one.X.shape[1])
    if len(order) < 2:
        return None
    other, gamma = one.inputs(lambda X: X[:, order]), getattr(one.estimator, "gamma", None)
    return one, other.having(gamma=gamma[order]) if isinstance(gamma, np.ndarray) else other


def repeated_rows(one: Fitted, random: np.random.Generator) -> Pair:
    """Weights of one to three, and rows so many times."""
    times = random.integers(1, 4, size=len(one.X))
    rows = np.repeat(np.arange(len(one.X)), times)
    return one._replace(weight=times.astype(float)), one._replace(
        X=one.X[rows], y=one.y[rows], weight=None
    )


def absent_rows(one: Fitted, random: np.random.Generator) -> Pair:
    """Some rows more, of weight zero, anywhere among the others."""
    n_more = int(random.integers(1, 6))
    X, y = np.vstack([one.X, one.at[-n_more:] + 0.5]), np.append(one.y, one.y[:n_more])
    given = np.ones(len(one.X)) if one.weight is None else one.weight
    weight = np.append(given, np.zeros(n_more))
    order = np.argsort(np.append(np.arange(len(given)), random.integers(len(given), size=n_more)))
    return one, one._replace(X=X[order], y=y[order], weight=weight[order])


def no_cache(one: Fitted, random: np.random.Generator) -> Pair:
    """Columns that are evaluated anew at every pass."""
    return one, one.having(cache_size=0)


def class_names(one: Fitted, random: np.random.Generator) -> Pair | None:
    """Other names of the classes, in the same order."""
    return None if one.regression else (one, one._replace(y=np.array(list("abc"))[one.y]))


def classes_swapped(one: Fitted, random: np.random.Generator) -> Pair | None:
    """The classes in the opposite order."""
    if one.regression:
        return None
    last = int(one.y.max())
    return one, one._replace(y=last - one.y, order=tuple(range(last, -1, -1)))


def processes(one: Fitted, random: np.random.Generator) -> Pair | None:
    """Classes one against the rest, in two processes."""
    if one.regression or one.y.max() < 2 or one.said("inference", "projection"):
        return None
    one = one.having(multi_class="ovr")
    return one, one.having(n_jobs=2)


def order_of_bases(one: Fitted, random: np.random.Generator) -> Pair | None:
    """The parts of a sum of bases in another order."""
    if one.kernel:
        return None
    first, second, third = (part for _, part in one.estimator.basis.parts)
    return one, one.having(basis=third + second + first)


LAWS: dict[str, Law] = {
    "order of rows": order_of_rows,
    "units of y, 1e-6 to 1e6": units_of_y,
    "offset of y, 0 to 1000": offset_of_y(0.0, 1e3),
    "offset of y, 1e3 to 1e6": offset_of_y(1e3, 1e6),
    "offset of y, 0 to 1e8": offset_of_y(0.0, 1e8),
    "offset of X by 1024": offset_of_inputs,
    "units of X by 1024": units_of_inputs,
    "units of one input, gamma ard": units_of_one_input,
    "a constant input more, gamma ard": constant_input,
    "order of inputs": order_of_inputs,
    "weight 1 to 3 for repeated rows": repeated_rows,
    "weight 0 for absent rows": absent_rows,
    "cache_size=0": no_cache,
    "other class names": class_names,
    "classes swapped": classes_swapped,
    "n_jobs=2": processes,
    "order of bases": order_of_bases,
}


def law_draw(seed: int) -> dict:
    """The gap of each law that is claimed for problem number `seed`; errors by law."""
    one = draw_problem(seed)
    gaps: dict[str, float] = {}
    errors: dict[str, str] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        known = one.predictions()
        for number, (name, law) in enumerate(LAWS.items()):
            pair = law(one, np.random.default_rng([seed, number]))
            if pair is None:
                continue
            try:
                gaps[name] = gap(*pair, known if pair[0] is one else None)
            except Exception as error:  # a study goes on, and its table says so
                errors[name] = f"{type(error).__name__}: {error}"
    words = f"{' '.join(repr(one.estimator).split())} on {one.X.shape[0]} x {one.X.shape[1]}"
    return {"words": words, "default": seed % 3 == 0, "gaps": gaps, "errors": errors}


LIMITS = (1e-6, 1e-2, 0.1)
HEADER = ("law", "tried", *(f"gap > {limit:g}" for limit in LIMITS), "worst", "problem", "errors")


def law_row(name: str, results: dict[str, dict]) -> list[str]:
    """How often a law was broken, and where most."""
    found = {key: one["gaps"][name] for key, one in results.items() if name in one["gaps"]}
    errors = sum(name in one["errors"] for one in results.values())
    above = [str(sum(value > limit for value in found.values())) for limit in LIMITS]
    worst = max(found, key=lambda key: found[key], default=None)
    end = ["-", "-"] if worst is None else [f"{found[worst]:.2g}", worst]
    return [name, str(len(found)), *above, *end, str(errors)]


def law_table(results: dict[str, dict], note: str) -> Table:
    """A row for each law."""
    return Table(HEADER, [law_row(name, results) for name in LAWS], note)


def report(results: dict[str, dict]) -> list[Block]:
    """All problems, those of default estimators, and which problems break a law."""
    default = {key: one for key, one in results.items() if one["default"]}
    broken = [
        [name, key, f"{value:.2g}", one["words"]]
        for name in LAWS
        for key, one in results.items()
        if (value := one["gaps"].get(name, 0.0)) > LIMITS[1]
    ]
    return [
        law_table(
            results,
            "All problems; the gap is of predictions in sd(y), of their standard "
            "deviations as a ratio, of probabilities as they are.",
        ),
        law_table(default, "Those of RVR() and RVC() with all defaults."),
        Table(("law", "problem", "gap", "what"), broken, f"Gaps above {LIMITS[1]:g}."),
    ]


def tasks(quick: bool) -> list[Task]:
    """A task for each problem."""
    seeds = (1, 3, 12) if quick else range(N_PROBLEMS)
    return [Task(f"problem-{seed:03}", law_draw, (seed,)) for seed in seeds]


EXPERIMENTS = [
    Experiment(
        name="reliability-laws",
        source="beyond the papers",
        title="What must not change a prediction: order, units, offsets, weights, names",
        tasks=tasks,
        report=report,
    )
]
