"""Every study: its quick form runs, its report is drawn, its keys and name are unique."""

import matplotlib as mpl
import numpy as np
import pytest

from studies.beyond import draws, trust
from studies.catalogue import EXPERIMENTS
from studies.framework.comparison import Comparison
from studies.framework.experiment import Figure, MissingDataError, Status, Table, Text, Verdict
from studies.framework.store import Store
from studies.papers import b06, bt00, d14, kth, kth_figures

mpl.use("Agg")
PAPERS = ("t01", "bt00", "kth", "b06", "d14", "beyond")
JUDGED = [one for module in (bt00, kth, b06, d14, draws, trust) for one in module.EXPERIMENTS]
BLOCKS = (Figure, Table, Text, Verdict)
# Quick forms of many rows, of processes that are ended and of databases take some ten seconds.
LONG = ("large-", "reliability-faults", "carry-database")
MARKED = [
    pytest.param(one, id=one.name, marks=[pytest.mark.long] * one.name.startswith(LONG))
    for one in EXPERIMENTS
]


def quick_results(experiment, store):
    """Results of the quick form as they come back from a file; the test is skipped without data."""
    results = {}
    for task in experiment.tasks(True):
        try:
            result = task.function(*task.arguments)
        except MissingDataError as missing:
            pytest.skip(str(missing))
        results[task.key] = store.save(experiment.name, task.key, result, 0.0)["result"]
    return results


def check_blocks(blocks):
    """Tables are rectangular and of strings, verdicts have a reason."""
    assert blocks
    for block in blocks:
        assert isinstance(block, BLOCKS)
        if isinstance(block, Table):
            assert all(len(row) == len(block.header) for row in block.rows)
            assert all(isinstance(cell, str) for row in block.rows for cell in row)
        if isinstance(block, Verdict):
            assert block.why
            assert isinstance(block.status, Status)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("experiment", MARKED)
def test_quick_form_runs_and_is_drawn(experiment, tmp_path):
    from matplotlib.figure import Figure as Canvas

    blocks = experiment.report(quick_results(experiment, Store(tmp_path, quick=True)))
    check_blocks(blocks)
    if experiment.name.startswith(PAPERS):
        assert any(isinstance(block, Verdict) for block in blocks)
    else:
        assert next(block for block in blocks if isinstance(block, Table)).rows
    for block in blocks:
        if isinstance(block, Figure):
            canvas = Canvas(figsize=block.size)
            block.draw(canvas)
            canvas.draw_without_rendering()
            assert canvas.axes


@pytest.mark.parametrize("experiment", JUDGED, ids=lambda one: one.name)
def test_report_copes_without_results(experiment):
    blocks = experiment.report({})
    check_blocks(blocks)
    verdicts = [block for block in blocks if isinstance(block, Verdict)]
    assert verdicts
    assert all(verdict.status is Status.SKIPPED for verdict in verdicts)
    assert not any(isinstance(block, Figure) for block in blocks)


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda one: one.name)
def test_keys_of_tasks_are_unique(experiment):
    for quick in (True, False):
        keys = [task.key for task in experiment.tasks(quick)]
        assert len(set(keys)) == len(keys) > 0
    assert len(experiment.tasks(True)) <= len(experiment.tasks(False))


def test_names_are_unique():
    names = [one.name for one in EXPERIMENTS]
    assert len(set(names)) == len(names)


def test_comparison_has_paper_beside_ours_and_says_why_not():
    comparison = Comparison(
        {"RVM": {"error": 1.0}}, {"error": "{:.1f}"}, draws=10, reasons={"error": "of the width"}
    )
    results = {str(k): {"RVM": {"error": 5.0 + k}} for k in range(3)}
    table = comparison.table(results)
    assert table.rows == [["RVM", "1.0", "6.0 ± 0.6"]]
    (verdict,) = comparison.verdicts(results, ["RVM"])
    assert verdict.status is Status.NOT
    assert "of the width" in verdict.why


def test_number_of_functions_that_varies_wildly_is_not_reproduced():
    results = {str(k): {kth_figures.COLUMNS: {"vectors": n}} for k, n in enumerate((7, 79, 29))}
    verdicts = [one for one in kth_figures.report_plane(results) if isinstance(one, Verdict)]
    assert verdicts[-1].status is Status.NOT
    assert "from 7 to 79" in verdicts[-1].why


def test_updates_of_d14_climb_to_where_the_library_ends():
    fits = d14.nu_draw(0, (1e-2, 1.0))["fits"]
    for fit in fits[1:]:
        assert fit["residual"] < 1e-3
        assert abs(fit["objective"] - fit["paper_objective"]) < 0.1
        assert max(fit["hidden"]) <= 1.0 + 1.0 / fit["nu"]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_column_is_kept_where_it_is_aligned_with_the_targets():
    aligned, across = b06.alignment(0.0), b06.alignment(90.0)
    assert aligned["fitted"] == pytest.approx(aligned["optimum"], rel=1e-3)
    assert aligned["fitted"] == pytest.approx(
        np.exp(b06.LOG_ALPHA[np.argmax(aligned["gain"])]), rel=0.06
    )
    assert across["fitted"] is None


def test_verdict_on_the_book_names_the_widths_that_agree():
    sizes = {width: {"rvm": 3, "svm": 7} for width in b06.BY_WIDTH}
    sizes["0.1"] = {"rvm": 6, "svm": 9}
    first, second = b06._book_verdicts(sizes)
    assert first.status is second.status is Status.REPRODUCED
    assert first.why.endswith("3 with width 0.15, 0.2, 0.25, 0.3, learned")


def test_three_relevance_and_seven_support_vectors_on_the_points_of_the_book():
    sizes = b06.book_fit()[b06.THIS_WIDTH]
    assert (sizes["rvm"], sizes["svm"]) == (3, 7)
