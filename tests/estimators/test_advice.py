"""Warnings name the cause that is likeliest for the data at hand, and no setting that is on."""

import itertools
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from sparsebayes import (
    RVR,
    Bias,
    Fast,
    Gamma,
    GaussianKernel,
    Linear,
    Outcome,
    Projection,
    SparseBayesRegressor,
)
from sparsebayes.inference import INFERENCES
from sparsebayes.procedures.advice import ADVICE, WIDTH, Facts, advice, facts_of

RANDOM = np.random.default_rng(0)
X = np.linspace(-10.0, 10.0, 100)[:, None]
SIGMA = np.where(X[:, 0] < 0.0, 0.05, 0.3)
Y = np.sinc(X[:, 0] / np.pi) + SIGMA * RANDOM.normal(size=100)
TABLE, NOISE = RANDOM.normal(size=(50, 100)), RANDOM.normal(size=50)
LEARNED = {"n_scales": 1}
COLUMNS = {"has_kernel": False, "has_width": False}
VANISHED, NOTHING = Outcome.NOISE_VANISHED, Outcome.NOTHING_RELEVANT
WORK, COLLINEAR, LOST = Outcome.WORK_LIMIT, Outcome.ILL_CONDITIONED, Outcome.OUT_OF_RANGE

CAUSES = [
    (VANISHED, Facts(100, 60, **COLUMNS), "60 columns are many for 100 rows, and have no price"),
    (VANISHED, Facts(100, 60, **COLUMNS), 'min_gain="auto"'),
    (VANISHED, Facts(100, 60, price=0.0), 'min_gain="auto"'),
    (VANISHED, Facts(100, 60, price="auto"), "Leave some of them out, or get more rows."),
    (VANISHED, Facts(100, 40), 'too narrow. Try gamma="ard", or lower gamma.'),
    (VANISHED, Facts(100, words=WIDTH), 'Try input_scale="learn", or use a wider kernel.'),
    (VANISHED, Facts(10, **LEARNED), "10 rows are too few for this kernel"),
    (VANISHED, Facts(100, has_width=False), "100 rows are too few for this kernel"),
    (VANISHED, Facts(100, **LEARNED), "the targets have no noise"),
    (VANISHED, Facts(100, 3, **COLUMNS), "the targets have no noise"),
    (VANISHED, Facts(100), "If the targets are exact, set noise_std"),
    (VANISHED, Facts(100, noise_std="factor", of_rows=True), "leave noise_std of the constructor"),
    (NOTHING, Facts(100, observed=4.0), "uneven that 100 rows say no more than 4 of equal"),
    (NOTHING, Facts(100, noise_std=10.0), "the given noise is as large as the spread of y"),
    (NOTHING, Facts(100, of_rows=True), "the given noise is as large as the spread of y"),
    (NOTHING, Facts(100), 'the width of the kernel. Try gamma="ard", or another gamma.'),
    (NOTHING, Facts(100, price=4.0, **LEARNED), "min_gain=4.0. Fast(min_gain=0) has none."),
    (NOTHING, Facts(100, **LEARNED), "Check whether the inputs bear on the target."),
    (COLLINEAR, Facts(100), 'Raise gamma, as the kernel is wide; or try gamma="ard"'),
    (COLLINEAR, Facts(100, **LEARNED), "Set centres to a smaller number."),
    (COLLINEAR, Facts(100, 10, **COLUMNS), "Leave out columns that repeat others."),
    (COLLINEAR, Facts(100, noise_std=1e-9), "the given noise is not far below the accuracy"),
    (WORK, Facts(100, inference="em"), 'Use inference="fast", or "projection"; or increase tol.'),
    (WORK, Facts(100), "Increase tol; or set centres to a smaller number."),
    (
        WORK,
        Facts(100, 10, **COLUMNS),
        'Increase tol; or take kernel="linear" of RVR or RVC if all inputs matter a little, as in '
        "spectra; or leave out columns that cannot matter.",
    ),
    (LOST, Facts(100), "Rescale X or y; or raise gamma"),
    (LOST, Facts(100, has_hyperprior=True, **LEARNED), "leave hyperpriors out"),
]


@pytest.mark.parametrize(("outcome", "facts", "words"), CAUSES)
def test_each_cause_has_its_sentence(outcome, facts, words):
    text = advice(outcome, facts)
    assert text.startswith(outcome.finding)
    assert words in text
    assert "What helps" not in text


def test_no_advice_asks_for_what_is_on():
    for price, scales, noise, rows, inference, plain in itertools.product(
        (None, 0.0, 2.0, "auto"),
        (0, 1),
        (None, 0.1, "factor"),
        (False, True),
        ("fast", "em", "projection"),
        (0, 90),
    ):
        facts = Facts(
            100,
            plain,
            n_scales=scales,
            noise_std=noise,
            of_rows=rows,
            inference=inference,
            price=price,
        )
        for outcome in ADVICE:
            text = advice(outcome, facts)
            assert price != "auto" or 'min_gain="auto"' not in text
            assert price != 2.0 or 'min_gain="auto"' not in text
            assert price or "min_gain=0" not in text
            assert not scales or "gamma" not in text
            assert noise != 0.1 or outcome is VANISHED or "set noise_std" not in text
            assert f'inference="{inference}"' not in text.removeprefix(outcome.finding)
            assert "hyperprior" not in text


@pytest.mark.parametrize("outcome", Outcome)
def test_a_value_is_a_finding_and_what_helps(outcome):
    assert outcome.value.startswith(outcome.finding)
    assert outcome.finding.endswith(".")
    assert "min_gain=2" not in outcome.value
    assert (outcome.finding != outcome.value) == (outcome in ADVICE)


def test_outcomes_without_a_choice_have_their_value():
    for outcome in (Outcome.ITERATION_LIMIT, Outcome.STALLED, Outcome.STOPPED):
        assert advice(outcome, Facts(100)) == outcome.value


# Facts of fits.


def test_facts_of_a_fit():
    basis = GaussianKernel(2.0) + Linear() + Bias()
    inference = Fast(min_gain=2.0, weight_hyperprior=Gamma(1, 1))
    facts = facts_of(basis.bind(TABLE, np.ones(50)), inference, 50, 50.0)
    assert facts == Facts(50, 100, price=2.0, has_hyperprior=True)
    learned = GaussianKernel(input_scale="learn").bind(TABLE[:, :3], np.ones(50))
    facts = facts_of(learned, INFERENCES["em"](), 50, 5.0)
    assert facts == Facts(50, observed=5.0, n_scales=3, inference="em")
    assert facts_of(Linear().bind(TABLE, np.ones(50)), Projection(), 50, 50.0) == Facts(
        50, 100, None, False, False, inference="projection", price=0.0
    )


ENDS = {
    "columns": (
        SparseBayesRegressor(Linear(), inference=Fast(min_gain=0.0)),
        TABLE,
        NOISE,
        "100 columns are many for 50 rows",
    ),
    "narrow": (RVR(gamma=1e4, inference="fast"), X, Y, "too narrow"),
    "noise": (RVR(noise_std=100.0), X, Y, "the given noise is as large"),
    "price": (
        SparseBayesRegressor(Linear(), inference=Projection(min_gain=50.0)),
        TABLE[:, :3],
        NOISE,
        r"Projection\(min_gain=0\) has none",
    ),
    "exact": (RVR(), X, np.sinc(X[:, 0]), "the targets have no noise"),
}


@pytest.mark.parametrize(("model", "inputs", "y", "words"), ENDS.values(), ids=ENDS)
def test_fits_warn_of_the_likeliest_cause(model, inputs, y, words):
    with pytest.warns(ConvergenceWarning, match=words):
        model.fit(inputs, y)


def test_the_warning_stands_where_the_user_calls():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        RVR().fit(X, Y, sample_weight=SIGMA**-2.0)
        RVR().partial_fit(X, Y, sample_weight=SIGMA**-2.0)
    assert {each.filename for each in seen} == {__file__}
