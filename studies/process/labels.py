"""Tables of two and of many classes: categories as dummies, rare classes, logical rules."""

from __future__ import annotations

import numpy as np

from studies.process.frames import Rows, keel, labels, numbered, table


def attrition() -> Rows:
    """Who leaves a firm: 1470 rows, 68 inputs, most of them dummies; 16 % leave."""
    return labels("modeldata", "attrition", "Attrition")


def default() -> Rows:
    """Who does not pay: 3 inputs; 3 % do not."""
    return labels("ISLR", "Default", "default")


def caravan() -> Rows:
    """Who buys an insurance for a caravan: 85 inputs of few levels; 6 % buy."""
    return labels("ISLR", "Caravan", "Purchase")


def juice() -> Rows:
    """Which juice is bought: 1070 rows, 17 inputs, of which several follow from others."""
    return labels("ISLR", "OJ", "Purchase")


def churn() -> Rows:
    """Who leaves a telephone company: 20 inputs, four of them copies of others; 14 % leave."""
    return labels("modeldata", "mlc_churn", "churn", ["state"])


def market() -> Rows:
    """Whether shares rise, by the days before: 1250 rows, 7 inputs, nothing but noise."""
    return labels("ISLR", "Smarket", "Direction", ["Today"])


def cells() -> Rows:
    """Whether a computer found the outline of a cell: 2019 rows, 56 inputs."""
    return labels("modeldata", "cells", "class", ["case"])


def abalone() -> Rows:
    """Nine rings of a shell or eighteen: 731 rows, 10 inputs; 6 % have eighteen."""
    return keel("abalone9-18", "imbalanced")


def crabs() -> Rows:
    """Two species of crabs by sex: 200 rows, 5 inputs that hardly differ, four classes."""
    X, species = table("MASS", "crabs", "sp", ["index"])
    return X[:, 1:], numbered(np.char.add(species.astype(str), X[:, 0].astype(int).astype(str)))


def glass() -> Rows:
    """Kinds of glass: 214 rows, 9 inputs, six classes of unequal size."""
    return labels("MASS", "fgl", "type")


def olives() -> Rows:
    """Where olive oil is from: 572 rows, 8 acids, nine places."""
    return labels("dslabs", "olive", "area", ["region"])


def jobs() -> Rows:
    """How long a job of a computer takes: 4331 rows, 26 inputs with dummies, four classes."""
    return labels("modeldata", "hpc_data", "class")


def segments() -> Rows:
    """Segments of images: 2310 rows, 19 inputs, one of them constant, seven classes."""
    return keel("segment")


def vowels() -> Rows:
    """Vowels: 990 rows, 10 inputs, eleven classes."""
    X, y = keel("vowel")
    return X[:, 3:], y
