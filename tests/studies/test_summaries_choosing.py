"""Short tables for somebody who chooses, each from made-up results."""

import pytest
from packed_results import fake

from studies import tables
from studies.columns import recovery, spectra
from studies.summaries.choosing import TARGETS
from studies.summaries.losses import CONTESTS


def lines(name, results):
    return tables.block(name, results).splitlines()


def flat(**kinds):
    """The same value of all quantities, by kind."""
    quantities = ("error", "loss", "coverage", "covering", "share", "vectors", "seconds")
    return {f"{kind}_{key}": value for kind, value in kinds.items() for key in quantities}


def test_errors_of_regressions_are_relative_to_the_process():
    results = {
        "a-000": flat(default=2.0, fast=3.0, gp=1.0),
        "b-000": flat(default=2.0, fast=3.0, gp=2.0),
    }
    text = lines("choosing-regression", fake("trust-regression", results))
    assert text[2] == "| `RVR()` | 1.50 | 1.00 to 2.00 | 2.0 | 2.0 | 2.0 | 2 |"
    assert text[4].startswith("| Gaussian process, best of three starts | 1.00 | 1.00 to 1.00 |")


def test_two_classes_have_medians_over_sets():
    kinds = dict.fromkeys(("default", "gp", "gp1", "svc"), 1.0)
    results = {
        f"{name}-000": flat(**kinds | {"svc": value})
        for name, value in zip("ab", (2, 4), strict=True)
    }
    text = lines("choosing-two-classes", fake("trust-classes", results))
    assert text[2] == "| `RVC()` | 1.0 | 1.000 | 1 | 1 |"
    assert text[3].endswith("| 1.0 | 1.000 | all rows | 1 |")
    assert text[5].endswith("| 3.0 | 3.000 | 3 | 3 |")


def test_lowest_means_are_counted_by_method():
    kinds = {"default": 1.0, "svc": 2.0, "logistic": 3.0, "forest": 4.0, "boosting": 5.0}
    results = {"iris-000": flat(**kinds), "wine-000": flat(**kinds | {"logistic": 0.5})}
    text = lines("choosing-classes", fake("classes", results))
    assert text[2].startswith("| `RVC()` | 1 of 2 | 1 of 2 | 1.0 | 1.000 |")
    assert text[4].startswith("| logistic regression | 1 of 2 | 1 of 2 | 1.8 | 1.750 |")


def contests(differences):
    """Two draws of one set for each study, on which a peer differs from ours by so much."""
    results = {}
    for number, contest in enumerate(CONTESTS):
        draws = {}
        for seed, difference in enumerate(differences):
            errors = {f"{kind}_error": 10.0 - difference for kind in contest.peers}
            draws[f"set{number}-{seed:03}"] = {f"{contest.ours}_error": 10.0, **errors}
        results |= fake(contest.study, draws)
    return results


def test_a_clear_loss_is_shown():
    text = lines("choosing-losses", contests((2.0, 2.2)))
    assert len(text) == 2 + len(CONTESTS) + 2
    assert text[2] == "| set0 | regression | Gaussian process | 7.9 | 10 | 1.27 |"
    assert text[3].startswith("| set1 | classes, % |")
    assert text[-1].startswith("On the other 0 of 4 sets")


@pytest.mark.parametrize("differences", [(0.1, 0.1), (-2.0, 6.0), (-1.0, -1.0)])
def test_small_or_doubtful_losses_are_not(differences):
    text = lines("choosing-losses", contests(differences))
    assert text[-1].startswith("On the other 4 of 4 sets")


def test_the_most_rows_are_shown_with_both_functions():
    def one(name, kind, n):
        numbers = {"seconds": 12.34, "error": 0.5, "numbers": 1500}
        return {"name": name, "kind": kind, "n": n, **numbers}

    rows = [one("RVR()", kind, n) for kind in ("friedman", "waves") for n in (20_000, 100_000)]
    results = {str(key): row for key, row in enumerate([*rows, one("SVR", "waves", 20_000)])}
    text = lines("choosing-many-rows", fake("large-peers", results))
    assert text[0].startswith("| 100 000 rows | friedman: error |")
    assert text[2:] == ["| `RVR()` | 0.500 | 12.3 | 1 500 | 0.500 | 12.3 | 1 500 |"]


def test_spectra_have_both_kinds_side_by_side():
    draw = {name: {"error": 0.25, "coverage": 91.0, "seconds": 0.5} for name in spectra.MODELS}
    results = {f"{kind}-00": draw for kind in spectra.TITLES}
    text = lines("choosing-spectra", fake("columns-spectra", results))
    assert len(text) == 2 + len(spectra.MODELS) - 1
    assert text[2].endswith("| 0.25 | 91 | 0.5 | 0.25 | 91 | 0.5 |")


def test_dictionaries_show_who_was_run_on_both():
    draw = {"ours": {"exact": 1, "false": 0, "seconds": 0.5}}
    results = {"600-noise-05-00": draw, "600-noise-05-01": {"ours": {**draw["ours"], "exact": 0}}}
    results["600-neighbours-05-00"] = {**draw, recovery.NAMES[1]: draw["ours"]}
    text = lines("choosing-columns", fake("columns-recovery", results))
    assert text[2:] == ["| `SparseBayesRegressor(Linear())` | 50 | 0 | 0.5 | 100 | 0 | 0.5 |"]


def test_targets_have_the_default_its_likelihood_and_a_peer():
    results = {}
    for one in TARGETS:
        measures = {each.measure for each in TARGETS if each.study == one.study}
        values = list(range(1, len(one.methods) + 1))
        parts = [each.part for each in TARGETS if each.study == one.study]
        draw = dict.fromkeys(measures, values)
        results |= fake(one.study, {f"{part}-00": draw for part in parts})
    text = lines("choosing-targets", results)
    assert len(text) == 2 + len(TARGETS)
    assert '| 1 | `RVR(likelihood="student_t")`: 2 | Huber' in text[2]
    assert '| - | `RVR(likelihood="negative_binomial")`: -2 |' in text[4]
    assert '| 2 | `RVC(likelihood="ordinal")`: 1 |' in text[6]


def test_widths_are_judged_by_the_best_of_all():
    # By the score the second width is chosen in the first draw, and the first in the second.
    draws = [{"score": score, "error": [1.0, 3.0], "seconds": 0.5} for score in ([0, 1], [1, 0])]
    results = {
        f"{name}-{seed:03}": dict.fromkeys(("dense", "marginal", "folds"), draw)
        for name in ("sinc-gaussian", "friedman2", "ripley")
        for seed, draw in enumerate(draws)
    }
    text = lines("choosing-widths", fake("model-choice", results))
    assert text[2] == "| `EvidenceSearch(RVR(), ...)`" + 3 * " | 2.00 | 0.5" + " |"
