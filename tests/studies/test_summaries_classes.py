"""Summaries of classes and outputs, from made-up results."""

import pytest
from packed_results import fake

from studies import tables


def draw(**kinds):
    """One draw: by kind its loss, error, vectors and seconds."""
    names = ("loss", "error", "vectors", "seconds")
    return {
        f"{kind}_{name}": value
        for kind, values in kinds.items()
        for name, value in zip(names, values, strict=False)
    }


@pytest.fixture
def classes():
    """Two sets: the default has the lowest log loss on the first, boosting on the second."""
    iris = draw(
        default=(0.1, 2.0, 10, 4.0), ovr=(0.3, 2.0, 5, 2.0), svc=(0.2, 2.0, 20, 2.0),
        boosting=(0.4, 3.0),
    )  # fmt: skip
    wine = draw(
        default=(0.3, 3.0, 20, 1.0), ovr=(0.5, 2.0, 5, 2.0), svc=(0.4, 2.0, 80, 2.0),
        boosting=(0.2, 2.0),
    )  # fmt: skip
    return fake("classes", {"iris-000": iris, "wine-000": wine})


def test_the_summary_counts_the_lowest_log_losses_and_has_medians(classes):
    lines = tables.block("classes-summary", classes).splitlines()
    assert "of 2 sets" in lines[0]
    assert lines[2] == "| `RVC()` | 1 | 0.2 | 2.5 | 15 | 2.5 |"
    assert lines[4] == "| SVC, Platt | 0 | 0.3 | 2 | 50 | 2 |"
    assert lines[7] == "| boosting | 1 | 0.3 | 2.5 | - | - |"


def test_findings_say_where_another_method_is_better(classes):
    loss, error, size, time = tables.block("classes-findings", classes).splitlines()
    assert "lowest log loss on 1 of 2 sets: iris." in loss
    assert loss.endswith("Another method is better on wine (boosting, `RVC()` is 50 % above).")
    assert error.endswith("on 1 of 2 sets. The exceptions: wine (1.50 times).")
    assert "has 2.0 to 4.0 times as many vectors" in size
    assert "0.5 to 2.0 times as long as the search" in time


def test_digits_are_beside_the_paper():
    results = fake("t01-benchmarks", {"usps-000": {"rvm_error": 10.0, "rvm_vectors": 400}})
    text = tables.block("classes-usps-paper", results)
    assert text.startswith("[T01] reports 5.1 % and 316 vectors")
    assert "has 10.0 % and 400 vectors here" in text
    # The root of 10 * 90 / 2007.
    assert text.endswith("is 0.7 %.")


def test_shared_outputs_are_relative_to_separate_ones():
    small = draw_of_outputs(shared=(1.0, 5, 1.0), separate=(2.0, 10, 3.0))
    large = draw_of_outputs(shared=(3.0, 5, 1.0), separate=(4.0, 20, 2.0))
    text = tables.block("outputs-summary", fake("outputs", {"100-000": small, "500-000": large}))
    assert "100 to 500 rows: shared vectors have 0.50 to 0.75 times the error" in text
    assert "keep 2.0 to 4.0 times as many distinct vectors, and take 2.0 to 3.0 times" in text


def draw_of_outputs(**kinds):
    """One draw: by kind its error, vectors and seconds."""
    names = ("error", "vectors", "seconds")
    return {
        f"{kind}_{name}": value
        for kind, values in kinds.items()
        for name, value in zip(names, values, strict=True)
    }
