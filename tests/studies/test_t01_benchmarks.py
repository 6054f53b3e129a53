"""The benchmark tables of [T01] 4.4: draws, the report, and its claims."""

import json

import numpy as np
import pytest

from studies.framework.experiment import Status, Table, Text, Verdict
from studies.papers.t01_benchmarks import DRAWS, EXPERIMENTS, ROWS, tasks

(TABLES,) = EXPERIMENTS


def fake_results(n_draws=2):
    """Of all sets: half the paper's errors and vectors."""
    results = {}
    for row in ROWS:
        for seed in range(n_draws):
            one = {}
            for kind, factor in (("svm", 0.75), ("rvm", 0.5), ("default", 0.4), ("best", 0.25)):
                one[f"{kind}_error"] = factor * row.rvm_error * (1 + 0.01 * seed)
                one[f"{kind}_vectors"] = factor * row.rvm_vectors
            results[f"{row.key}-{seed:03d}"] = one
    return results


def verdicts(blocks):
    return [block for block in blocks if isinstance(block, Verdict)]


def test_every_row_has_draws_and_every_task_its_own_key():
    assert set(DRAWS) == {row.key for row in ROWS}
    keys = [task.key for task in tasks(quick=False)]
    assert len(keys) == len(set(keys)) == sum(DRAWS.values())


def test_one_draw_of_the_tables_and_its_report():
    task = next(task for task in tasks(quick=True) if task.key == "sinc-gaussian-000")
    result = json.loads(json.dumps(task.function(*task.arguments)))
    assert result["rvm_error"] < 0.6
    assert result["rvm_vectors"] < result["svm_vectors"]
    blocks = TABLES.report({task.key: result})
    errors = next(block for block in blocks if isinstance(block, Table))
    assert errors.rows[0][3:5] == ["0.378", "0.326"]
    assert errors.rows[0][6] == f"{result['rvm_error']:.3g}"
    assert errors.rows[1][6] == "-"
    assert {verdict.status for verdict in verdicts(blocks)} >= {Status.SKIPPED}


def test_report_without_results():
    assert {verdict.status for verdict in verdicts(TABLES.report({}))} == {Status.SKIPPED}


def test_normalised_means_have_the_form_of_the_paper():
    tables = [block for block in TABLES.report(fake_results()) if isinstance(block, Table)]
    regression = tables[0].rows[-1]
    assert regression[3:] == ["1.00", "0.86", "1.00", "0.67", "0.53", "0.33", ""]
    assert [tables[k].rows[-1][4] for k in (1, 3, 4)] == ["0.15", "1.08", "0.17"]


def test_normalised_means_of_the_paper_leave_out_friedman_1():
    for is_regression, mean in ((True, 0.86), (False, 1.08)):
        rows = [row for row in ROWS if row.is_regression == is_regression]
        ratios = [row.rvm_error / row.svm_error for row in rows if row.key != "friedman1"]
        assert np.mean(ratios) == pytest.approx(mean, abs=0.005)


def test_rows_are_counted_by_the_rule_of_the_page():
    report = TABLES.report(fake_results(n_draws=3))
    (counts,) = (block.text for block in report if isinstance(block, Text) and "14" in block.text)
    assert "better on 14 of 14 rows, and its numbers of vectors on 14" in counts


def test_claims_hold_if_all_is_half_the_papers():
    found = verdicts(TABLES.report(fake_results()))
    assert [verdict.status for verdict in found[-4:]] == 4 * [Status.REPRODUCED]
    assert "14 of the 14" in found[-4].why


def test_claims_fail_and_rows_are_named_if_errors_are_above():
    results = fake_results()
    for key, one in results.items():
        if key.startswith(("sinc", "boston")):
            one["rvm_error"] *= 10
    found = verdicts(TABLES.report(results))
    assert found[-4].status is Status.NOT
    assert "Boston" in found[-4].why


def test_rows_are_judged_by_the_draws_of_the_paper_or_by_its_one_split():
    found = {one.claim.split(":")[0]: one for one in verdicts(TABLES.report(fake_results(1)))}
    assert found["Banana"].status is Status.SKIPPED
    assert found["U.S.P.S."].status is Status.BETTER
    rows = {row.key: row for row in ROWS}
    assert rows["usps"].standard_error("error") == pytest.approx(0.49, abs=0.005)
    assert rows["usps"].standard_error("vectors") == pytest.approx(15.8)
    assert rows["pima"].standard_error("error") == pytest.approx(2.18, abs=0.005)
    assert rows["pima"].standard_error("vectors") == 0.5
    assert rows["banana"].standard_error("error") is None


def test_verdicts_on_rows_tell_of_the_svm():
    found = verdicts(TABLES.report(fake_results(3)))
    rows = [one for one in found if ": RVM error " in one.claim or ": RVM vectors " in one.claim]
    assert len(rows) == 2 * len(ROWS)
    for one in rows:
        assert one.status is Status.BETTER
        assert "; SVM " in one.why
