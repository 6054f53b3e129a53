"""Summaries of learned scales, from made-up results."""

import pytest
from packed_results import fake

from studies import tables


def draw(ard, learn, scale, cv):
    """One draw: by kind its error, vectors and seconds; the loss is the error."""
    kinds = {"ard": ard, "learn": learn, "scale": scale, "cv": cv}
    names = ("error", "vectors", "seconds")
    flat = {
        f"{kind}_{name}": value
        for kind, values in kinds.items()
        for name, value in zip(names, values, strict=True)
    }
    return flat | {f"{kind}_loss": values[0] for kind, values in kinds.items()}


@pytest.fixture
def scales():
    """Two sets, on the second of which a scale for each input is worse than cross-validation."""
    first = draw((1.0, 2, 1.0), (2.0, 8, 0.5), (8.0, 8, 0.1), (4.0, 4, 20.0))
    second = draw((4.4, 8, 1.0), (4.0, 4, 1.0), (4.0, 4, 0.1), (4.0, 4, 40.0))
    return fake("beyond-scales", {"boston-000": first, "pima-000": second})


def test_the_summary_is_relative_to_cross_validation(scales):
    lines = tables.block("scales-summary", scales).splitlines()
    # Errors 1 / 4 and 1.1: the root of 0.275 is 0.52; vectors 1 / 2 and 2; 20 and 40 times faster.
    assert lines[2] == '| `gamma="ard"` | 0.52 | 1.00 | 1 of 2 | 30 |'
    assert lines[3] == '| `gamma="learn"` | 0.71 | 1.41 | 2 of 2 | 40 |'
    assert lines[5] == "| width by 5-fold CV | 1 | 1 |  | 1 |"


def test_findings_name_the_sets_that_are_worse(scales):
    lines = tables.block("scales-findings", scales).splitlines()
    assert lines[0].endswith("on 1 of 2 sets. The exceptions: pima (+10.0 %).")
    assert lines[1].endswith("30.0 times as long in the median over sets (20.0 to 40.0).")
    assert lines[2].endswith("on 2 of 2 sets.")
    assert lines[4] == '- `gamma="scale"` has the highest loss of the four on 1 of 2 sets.'


def test_friedman_is_relative_to_one_width_and_to_a_process():
    errors = {"scale": 6.0, "ard": 1.5, "linear": 1.0, "gp": 0.8}
    flat = {f"{kind}_error": value for kind, value in errors.items()}
    flat |= {"scale_vectors": 30, "ard_vectors": 10}
    results = fake("scales-friedman", {"friedman1-000": flat})
    lines = tables.block("scales-friedman-findings", results).splitlines()
    assert "is 4.0 times lower" in lines[0]
    assert "3.0 times fewer" in lines[0]
    assert "is 6.0 times lower" in lines[1]
    assert "then 1.25 times" in lines[1]


def test_noise_inputs_have_their_mean_errors_and_largest_relevance():
    runs = {
        "friedman1-000": {"error": 1.0, "noisy_error": 2.0, "relevance": 0.001},
        "friedman1-001": {"error": 2.0, "noisy_error": 4.0, "relevance": 0.003},
    }
    text = tables.block("scales-noise-inputs-summary", fake("scales-noise-inputs", runs))
    assert "from 1.500 to 3.000 (means over 2 draws)" in text
    assert "was 0.3 % of" in text
