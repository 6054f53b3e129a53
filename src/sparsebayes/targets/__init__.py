"""WHAT y is: real numbers, counts, numbers of varying noise, classes, classes in an order.

A `Target` says how y is checked and coded, its likelihood, its response, its words and its score:

    told(given)               what `fit` was given besides X and y
    obstacle(y)               why rows cannot come in blocks
    check(y)                  an error unless these can be its values
    read(rows, centres)       rows in memory, or a look at blocks of them, as a fit takes them
    response(fits, ...)       what makes targets of latent values
    words(number)             what was learned, as a person reads it
    score(y, mean, weight)    how good predictions are

Estimators, reports and the command line ask it; nobody else knows what y is.
"""

from sparsebayes.targets.classes import Classes
from sparsebayes.targets.counts import NegativeBinomialCounts, PoissonCounts
from sparsebayes.targets.numbers import HeavyTails, Numbers, Real, VaryingNoise
from sparsebayes.targets.ordered import Ordered
from sparsebayes.targets.target import Coded, Given, Target

# The first of each is the usual one.
OF_NUMBERS: tuple[type[Numbers], ...] = (
    Real,
    HeavyTails,
    PoissonCounts,
    NegativeBinomialCounts,
    VaryingNoise,
)
OF_CLASSES: tuple[type[Classes], ...] = (Classes, Ordered)

__all__ = ["OF_CLASSES", "OF_NUMBERS", "Coded", "Given", "Target", "asked_target", "target_of"]


def asked_target(value: object, kinds: tuple[type[Target], ...]) -> Target:
    """The target whose likelihood has this name, or is this object, its parameters checked."""
    for kind in kinds:
        if isinstance(value, str) and value == kind.name:
            return kind(kind.likelihoods[0]())
    for kind in kinds[1:]:
        if isinstance(value, kind.likelihoods[0]):
            value.check()
            return kind(value)
    names = ", ".join(repr(kind.name) for kind in kinds)
    objects = ", ".join(f"{kind.likelihoods[0].__name__}()" for kind in kinds[1:])
    raise ValueError(f"likelihood must be one of {names}, or of {objects}; got {value!r}.")


def target_of(likelihood: object) -> Target:
    """The target that a fitted likelihood is of."""
    for kind in (*OF_NUMBERS, *OF_CLASSES):
        if isinstance(likelihood, kind.likelihoods):
            return kind(likelihood)
    raise TypeError(f"no target has the likelihood {likelihood!r}.")
