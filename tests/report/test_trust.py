"""A sentence on error bars agrees with the numbers that it gives."""

import re
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import norm

from sparsebayes.diagnostics.regression import coverage_error
from sparsebayes.report.scores import beside_errors

LEVELS = np.array([0.5, 0.8, 0.9, 0.95])
RATIOS = (0.0, 0.3, 0.9, 0.98, 1.0, 1.02, 1.09, 1.5, 30.0, np.inf)
# How far the coverage of each level may be off, in standard errors.
OFF = (-12.0, -2.5, 0.0, 2.5, 12.0)
KINDS = ["Gaussian", "one is large"]
ROWS = (6, 100, 2000)


def coverage_off(off, n_rows):
    """The coverage of each level, off by so many standard errors."""
    error = coverage_error(LEVELS, n_rows)
    coverage = np.clip(LEVELS + np.array(off) * error, 0.0, 1.0)
    return SimpleNamespace(levels=LEVELS, coverage=coverage, coverage_error=error)


def errors(ratio, n_rows, kind):
    """Errors of this root mean square, in standard deviations: Gaussian ones, or one is large."""
    score = norm.ppf((np.arange(n_rows) + 0.5) / n_rows)
    if kind == "one is large":
        score[0] = 30.0
    if np.isinf(ratio):
        return np.append(score[1:], np.inf)
    return ratio * score / np.sqrt(np.mean(score**2))


def numbers(text):
    """The relative size of errors and its standard error, and what each level holds."""
    number = r"([\d.]+|inf|\d+\.\d*e[-+]\d+)"
    size = re.search(rf"errors are {number}(?: ± {number})? times as large as they say", text)
    held = re.findall(rf"{number} % intervals hold {number} ± {number} %", text)
    ratio, error = (float(each or 0.0) for each in size.groups())
    return ratio, error, [tuple(map(float, each)) for each in held]


def check(text):
    """What is said is what the numbers say."""
    ratio, error, held = numbers(text)
    off = [share - level for level, share, _ in held]
    if "too small:" in text and "Nothing" not in text:
        assert ratio > 1.0
        assert max(off) < 0.0
    elif "too large:" in text and "Nothing" not in text:
        assert ratio < 1.0
        assert min(off) > 0.0
    elif "wrong shape" in text:
        check_shape(text, ratio, error, off)
    else:
        assert text.startswith("Nothing says")
        assert all(abs(each) < 3.1 * held[k][2] + 0.1 for k, each in enumerate(off))
        assert ratio < 1.0 + 2.2 * error
        assert "or too large" not in text or ratio > 1.0 - 2.2 * error or not error


def check_shape(text, ratio, error, off):
    if "some intervals" in text:
        assert min(off) < 0.0 < max(off)
    elif "too few" in text:
        assert max(off) < 0.0
        assert ratio <= 1.0 + error
    elif "too many" in text:
        assert min(off) > 0.0
        assert ratio >= 1.0 - error
    else:
        assert ratio > 1.0 + 1.8 * error
    if "larger than the others" in text:
        rest = float(re.search(r"they are ([\d.e+-]+) times as large", text).group(1))
        assert rest < ratio


def check_all(patterns, n_rows, kind):
    scores = [errors(ratio, n_rows, kind) for ratio in RATIOS]
    for off in patterns:
        calibration = coverage_off(off, n_rows)
        for score in scores:
            check(beside_errors(calibration, score).finding)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sentence_does_not_contradict_its_numbers(kind):
    check_all([(a, b, b, a) for a, b in product(OFF, repeat=2)], 100, kind)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_rows", ROWS)
def test_no_sentence_contradicts_its_numbers(n_rows, kind):
    check_all(product(OFF, repeat=4), n_rows, kind)


def test_many_targets_in_intervals_and_large_errors_are_a_wrong_shape():
    """Not "too large: errors are 1.09 times as large as they say"."""
    score = errors(1.09, 5000, "one is large")
    trust = beside_errors(coverage_off((8.0, 6.0, 5.0, 3.0), 5000), score)
    assert not trust.fine
    assert "wrong shape: intervals hold too many targets, while errors are 1.09" in trust.finding
    assert "A few errors are far larger than the others" in trust.finding
    assert "The 50 % intervals hold 55.7" in trust.finding


def test_few_targets_in_intervals_and_small_errors_are_a_wrong_shape():
    trust = beside_errors(coverage_off((-8.0, -6.0, 0.0, 0.0), 500), errors(0.9, 500, "Gaussian"))
    assert "wrong shape: intervals hold too few targets, while errors are 0.9" in trust.finding


def test_one_large_error_alone_is_no_finding_of_a_size():
    trust = beside_errors(coverage_off((0, 0, 0, 0), 400), errors(1.5, 400, "Gaussian"))
    assert not trust.fine
    assert "wrong shape: intervals hold as many targets as they say" in trust.finding


@pytest.mark.parametrize(("ratio", "word"), [(2.0, "small"), (0.5, "large")])
def test_where_both_agree_error_bars_have_a_wrong_size(ratio, word):
    off = -8.0 if ratio > 1.0 else 8.0
    trust = beside_errors(coverage_off((off,) * 4, 500), errors(ratio, 500, "Gaussian"))
    assert trust.finding.startswith(f"Error bars are too {word}: errors are {ratio:.2g}")


def test_of_four_levels_one_may_be_off_by_chance_and_it_is_said():
    trust = beside_errors(coverage_off((0, 0, -2.5, 0), 500), errors(1.0, 500, "Gaussian"))
    assert trust.fine
    assert trust.finding.endswith("One of the levels is off, which may be chance.")
    assert not beside_errors(coverage_off((0, 0, -4.0, 0), 500), errors(1.0, 500, "Gaussian")).fine
