"""Summaries of trust, from made-up results."""

from packed_results import fake

from studies import tables


def lines(name, study, results):
    """The text of a summary of one study."""
    return tables.block(name, fake(study, results)).splitlines()


def test_regressions_have_medians_where_they_were_measured():
    known = {"default_coverage": 90.0, "default_beyond_coverage": 80.0, "default_over": -0.001}
    other = {"default_coverage": 94.0, "default_over": -0.002, "gp_over": 0.0}
    results = {"a-000": known, "b-000": other}
    text = lines("trust-regression-summary", "trust-regression", results)
    assert text[2] == "| `RVR()` | 92.0 | 80.0 | 0.00 | - | - |"
    assert text[4] == "| Gaussian process, all rows | - | - | 0.00 | - | - |"


def test_classes_have_error_loss_and_what_is_said_far_away():
    draw = {"default_error": 10.0, "default_loss": 0.25, "default_far_half": 0.0}
    results = {"a-000": draw, "a-001": {**draw, "default_error": 12.0}}
    text = lines("trust-classes-summary", "trust-classes", results)
    assert text[2] == "| `RVC()` | 11.0 | 0.250 | 0.00 |"
    assert text[6] == "| SVC, Platt | - | - | - |"


def test_novelty_is_beside_other_scores():
    results = {
        f"{name}-000": {"novelty_beyond": beyond, "novelty_permuted": 0.5, "nearest_beyond": 0.9}
        for name, beyond in zip("abc", (0.7, 0.8, 1.0), strict=True)
    }
    text = lines("trust-novelty-summary", "trust-novelty", results)
    assert text[2] == "| `novelty` of `RVR()` | 0.80 | 0.50 |"
    assert text[5] == "| distance to the nearest training row | 0.90 | - |"


def test_spectra_have_the_models_that_were_run():
    draws = {f"{name}-000": {"default_error": 1.0, "pls_error": 2.04} for name in ("nir", "meats")}
    text = lines("trust-spectra-summary", "trust-spectra", draws)
    assert text[2:] == ["| `RVR()` | 1.0 | 1.0 |", "| PLS, components by CV | 2.0 | 2.0 |"]
