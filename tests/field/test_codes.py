"""Constants, offsets and codes such as -999 decide nothing, in arrays and in sparse matrices."""

import warnings

import numpy as np
import pytest
from field.input_tables import CODES, FORMS, random_columns, targets
from numpy.testing import assert_allclose
from sklearn.base import clone, is_classifier

from sparsebayes import RVC, RVR, SparseBayesRegressor

MODELS = (RVR(), RVR(inference="fast"), RVR(gamma="learn"), SparseBayesRegressor(), RVC())
KINDS = ("numbers", "uniform", "counts", "mostly zero", "amounts", "dummy")
N_NEW = 200


def clean_table(seed, least=60):
    """Inputs, targets and the number of rows to fit; the others are new.

    Inputs are multiples of 2^-20, so that an offset of 2^20 is exact.
    """
    random = np.random.default_rng(seed)
    n_rows = int(random.integers(least, 151))
    n_inputs = int(random.integers(1, 5))
    inputs = random_columns(random, n_rows + N_NEW, n_inputs, KINDS)
    inputs = np.round(inputs * 2.0**20) / 2.0**20
    return random, n_rows, inputs, targets(random, inputs)


def fit(model, inputs, target):
    """A fitted copy. Whether it converged does not matter here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(model).fit(inputs, target)


def drawn(seed):
    """A model, and a table with targets for it."""
    random, n_rows, inputs, target = clean_table(seed)
    model = MODELS[seed % len(MODELS)]
    return model, random, n_rows, inputs, labels(target) if is_classifier(model) else target


def labels(target):
    """Two classes."""
    return (target > np.median(target)).astype(int)


def said(model, inputs):
    """Probabilities or means."""
    return model.predict_proba(inputs) if is_classifier(model) else model.predict(inputs)


def assert_constants_and_offsets_decide_nothing(seed):
    """Up to 1e-6, as climbs end where rounding lets them. The offset itself is exact."""
    model, random, n_rows, inputs, target = drawn(seed)
    form = FORMS[seed % len(FORMS)] if seed % 2 else np.asarray
    new = slice(n_rows, None)
    expected = said(fit(model, inputs[:n_rows], target[:n_rows]), inputs[new])
    constant = np.full(len(inputs), random.choice([1.0, 0.1, 1 / 3, -7e5, 1e9]))
    offset = 2.0**20 * random.choice([-1.0, 0.0, 1.0], inputs.shape[1])
    for changed in np.column_stack([inputs, constant]), inputs + offset:
        found = said(fit(model, form(changed[:n_rows]), target[:n_rows]), form(changed[new]))
        assert_allclose(found, expected, atol=1e-6)


def assert_codes_decide_nothing(seed):
    """A fit with codes in three rows is as good as the worst of three others that have no code.

    One has not these rows, one has not three other rows, and in one they have the values of other
    rows, which is as wrong. Leaving out three rows of a hundred changes the score by .015 (one
    standard deviation over tables), of which three are allowed.
    """
    model, random, n_rows, inputs, target = drawn(seed)
    form = FORMS[seed % len(FORMS)] if seed % 2 else np.asarray
    rows, others = random.choice(n_rows, (2, 3), replace=False)
    k, code = random.integers(inputs.shape[1]), random.choice(CODES[:3])
    wrong, coded = inputs.copy(), inputs.copy()
    wrong[rows, k], coded[rows, k] = inputs[others, k], code
    every = np.arange(n_rows)
    tables = [
        (inputs, np.delete(every, rows)),
        (inputs, np.delete(every, others)),
        (wrong, every),
    ]
    new, labels = inputs[n_rows:], target[n_rows:]
    scores = [fit(model, x[some], target[some]).score(new, labels) for x, some in tables]
    assert fit(model, form(coded[every]), target[every]).score(form(new), labels) > (
        min(scores) - 0.045
    )


MORE_TABLES = [pytest.param(seed, marks=pytest.mark.long) for seed in range(8, 20)]
SOME_TABLES = [*range(8), *MORE_TABLES]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SOME_TABLES)
def test_constants_and_offsets_decide_nothing(seed):
    assert_constants_and_offsets_decide_nothing(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SOME_TABLES)
def test_codes_decide_nothing(seed):
    assert_codes_decide_nothing(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 600))
def test_codes_constants_and_offsets_decide_nothing_in_500_tables(seed):
    assert_constants_and_offsets_decide_nothing(seed)
    assert_codes_decide_nothing(seed)
