"""The one rule for verdicts: two standard errors of the difference."""

import math

import numpy as np
import pytest

from studies.framework.experiment import Status
from studies.framework.verdict import SKIPPED, below, judge, share_error

VALUES = [1.0, 2.0, 3.0]  # mean 2, standard error 0.577
ERROR = 3**-0.5


@pytest.mark.parametrize("paper_draws", [1, 3, 100, math.inf])
def test_status_changes_at_two_standard_errors_of_the_difference(paper_draws):
    both = ERROR * (1 + 3 / paper_draws) ** 0.5
    for distance, status in (
        (2.1, Status.BETTER),
        (1.9, Status.REPRODUCED),
        (0.0, Status.REPRODUCED),
        (-1.9, Status.REPRODUCED),
        (-2.1, Status.NOT),
    ):
        verdict = judge("a claim", 2.0 + distance * both, VALUES, paper_draws=paper_draws)
        assert verdict.claim == "a claim"
        assert verdict.status is status


def test_an_estimate_is_not_better_below():
    for paper, status in ((9.0, Status.NOT), (2.5, Status.REPRODUCED), (-9.0, Status.NOT)):
        assert judge("", paper, VALUES, both_sides=True).status is status


def test_a_single_draw_of_the_paper_has_the_spread_of_ours():
    values = list(np.random.default_rng(0).normal(0.0, 1.0, 100))
    assert judge("", -1.0, values, paper_draws=100).status is Status.NOT
    verdict = judge("", -1.0, values)
    assert verdict.status is Status.REPRODUCED
    n_below = sum(value <= -1.0 for value in values)
    assert f"of one draw, which {n_below} here are at or below" in verdict.why


def test_the_truth_has_no_error():
    exact = judge("", 3.1, VALUES, paper_draws=math.inf, both_sides=True)
    assert exact.status is Status.REPRODUCED
    assert "in truth 3.1" in exact.why
    assert "at or below" not in exact.why
    far = judge("", 3.2, VALUES, paper_draws=math.inf, both_sides=True)
    assert far.status is Status.NOT


def test_nothing_is_said_of_no_or_few_draws():
    assert judge("", 1.0, []) == ("", Status.SKIPPED, SKIPPED)
    few = judge("", 1.0, [0.0, 0.5], reason="never told")
    assert few.status is Status.SKIPPED
    assert "0.25" in few.why
    assert "never told" not in few.why


@pytest.mark.parametrize("values", [[8.0], [7.0, 9.0], [8.0, 8.0, 8.0]])
def test_a_given_error_does_not_need_draws(values):
    for paper, status in ((9, Status.REPRODUCED), (6, Status.NOT), (10, Status.BETTER)):
        assert judge("", paper, values, error=0.5).status is status


@pytest.mark.parametrize("number", [0.1, 0.3, 4.0, 1 / 3])
def test_draws_without_spread(number):
    values = 7 * [number]
    for paper, status in (
        (number, Status.REPRODUCED),
        (number + 0.1, Status.BETTER),
        (number - 0.1, Status.NOT),
    ):
        assert judge("", paper, values, paper_draws=10, form="{:.2f}").status is status


def test_what_prints_as_the_papers_number_is_the_same():
    values = [0.0698, 0.0699, 0.0698]
    assert judge("", 0.07, values, paper_draws=9, form="{:.2f}").status is Status.REPRODUCED
    assert judge("", 0.07, values, paper_draws=9, form="{:.4f}").status is Status.BETTER


def test_a_mean_at_or_below_the_papers_is_never_called_not_reproduced():
    random = np.random.default_rng(1)
    for spread in (0.0, 1e-12, 1.0):
        values = list(5.0 + spread * random.normal(size=6))
        paper = max(5.0, float(np.mean(values)))
        for draws in (1, 10, math.inf):
            assert judge("", paper, values, paper_draws=draws).status is not Status.NOT


def test_the_reason_is_told_only_if_not_reproduced():
    for paper, told in ((-9.0, True), (2.0, False), (9.0, False)):
        assert ("of the width" in judge("", paper, VALUES, reason="of the width").why) is told
    assert "of luck" in below("", VALUES, VALUES, reason="of luck").why
    assert "of luck" not in below("", VALUES, [2.0, 3.0, 3.0], reason="of luck").why


def test_below_compares_draw_by_draw():
    surely = below("", VALUES, [2.0, 3.0, 4.5])
    assert surely.status is Status.REPRODUCED
    assert "within" not in surely.why
    hardly = below("", VALUES, [2.0, 3.0, 2.5])
    assert hardly.status is Status.REPRODUCED
    assert "within two standard errors" in hardly.why
    assert below("", VALUES, VALUES).status is Status.NOT
    assert below("", [3.0], [4.0]) == ("", Status.REPRODUCED, "3 against 4")


def test_standard_error_of_a_percentage_is_binomial():
    shares = np.random.default_rng(0).binomial(332, 0.196, 20_000) / 3.32
    assert share_error(19.6, 332) == pytest.approx(shares.std(), rel=0.02)
