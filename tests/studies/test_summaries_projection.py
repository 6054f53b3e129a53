"""Summaries of the projection, from made-up results."""

import pytest
from packed_results import fake

from studies import tables


def draw(error, vectors, loss, seconds):
    """One draw, in which all fidelities are the same, and "fast" has 1 of everything."""
    values = {"error": error, "vectors": vectors, "loss": loss, "seconds": seconds}
    kinds = {f"p{fidelity}": values for fidelity in (1, 3, 10, 30)}
    kinds["fast"] = dict.fromkeys(values, 1.0)
    return {f"{kind}_{key}": value for kind, own in kinds.items() for key, value in own.items()}


@pytest.fixture
def projections():
    """Better than "fast" on one set, and worse on the other."""
    sets = {"boston-000": draw(0.5, 4.0, 0.5, 2.0), "pima-000": draw(1.1, 1.0, 1.25, 0.5)}
    return fake("beyond-projection", sets)


def test_the_summary_has_geometric_means(projections):
    lines = tables.block("projection-summary", projections).splitlines()
    # The root of 0.5 * 1.1, and that of 4 * 1.
    assert lines[4] == "| 10 (default) | 0.74 | 2.00 |"
    assert lines[6] == '| `inference="fast"` | 1 | 1 |'


def test_against_fast_has_the_time_and_counts_sets(projections):
    lines = tables.block("projection-against-fast", projections).splitlines()
    assert lines[2] == "| 1 | 0.74 | 2.00 | 1.00 | 1 of 2 sets | 1 of 2 sets |"


def test_at_the_default_the_worse_sets_are_named(projections):
    error, loss, time = tables.block("projection-at-default", projections).splitlines()
    assert error.endswith("on 1 of 2 sets: pima (+10.0 %).")
    assert loss.endswith("on 1 of 2 sets: pima (+0.250).")
    assert time == "- A fit takes 0.50 to 2.00 times as long."


def test_peers_are_a_process_and_an_svc():
    regression = {"projection_loss": 0.5, "fast_loss": 0.4, "gp_loss": 0.4}
    regression |= {"projection_coverage": 91.0, "fast_coverage": 85.0}
    classes = {"projection_loss": 0.2, "fast_loss": 0.3, "gp_loss": 0.2, "svc_loss": 0.25}
    results = fake("beyond-calibration", {"boston-000": regression, "pima-000": classes})
    lines = tables.block("projection-against-peers", results).splitlines()
    assert lines[2].endswith("| 1 of 2 | 1 of 2 |")
    assert lines[3] == "| the other sets | boston (+0.100) | pima (+0.100) |"
    assert lines[4].endswith("| 1 of 1 | 0 of 1 |")
    assert lines[5].endswith("| 91.0 to 91.0 % | 85.0 to 85.0 % |")


def test_benchmarks_count_the_sets_on_which_it_is_the_best_of_ours():
    best = {"svm_error": 0.1, "rvm_error": 3.0, "default_error": 2.0, "best_error": 1.0}
    other = {"rvm_error": 1.0, "best_error": 2.0}
    results = fake("t01-benchmarks", {"boston-000": best, "usps-000": other})
    text = tables.block("projection-benchmarks", results)
    assert text.endswith("on 1 of 2 sets.")


def test_widths_are_those_of_the_highest_score():
    dense = {"score": [1.0, 2.0], "error": [0.1, 0.3]}
    folds = {"score": [1.0, 2.0], "error": [0.1, 0.4]}
    results = fake("model-choice", {"ripley-000": {"dense": dense, "folds": folds}})
    assert tables.block("projection-widths", results).endswith("on 1 of 1 sets.")
