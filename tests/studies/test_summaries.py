"""What short tables make of made-up results: relative numbers, decisions, and what is missing.

`test_documents` has each table in a document, with the numbers of the packed results.
"""

import pytest
from packed_results import fake

from studies import tables
from studies.reliability import fuzz
from studies.summaries.losses import CONTESTS


def lines(name, study, results):
    """The lines of a short table, from results of one study."""
    return tables.block(name, fake(study, results)).splitlines()


# Numbers that are relative, and means of them.


def draw(**kinds):
    """One draw: by kind its error, vectors and seconds; the loss is the error."""
    names = ("error", "vectors", "seconds")
    flat = {
        f"{kind}_{name}": value
        for kind, values in kinds.items()
        for name, value in zip(names, values, strict=True)
    }
    return flat | {f"{kind}_loss": values[0] for kind, values in kinds.items()}


# Two sets, on the second of which a scale for each input is worse than cross-validation.
SCALES = {
    "boston-000": draw(
        ard=(1.0, 2, 1.0), learn=(2.0, 8, 0.5), scale=(8.0, 8, 0.1), cv=(4.0, 4, 20)
    ),
    "pima-000": draw(ard=(4.4, 8, 1.0), learn=(4.0, 4, 1.0), scale=(4.0, 4, 0.1), cv=(4.0, 4, 40)),
}


def test_ratios_have_geometric_means_over_sets_and_times_a_median():
    text = lines("scales-summary", "beyond-scales", SCALES)
    # Errors 1 / 4 and 1.1: the root of 0.275 is 0.52; vectors 1 / 2 and 2; 20 and 40 times faster.
    assert text[2] == '| `gamma="ard"` | 0.52 | 1.00 | 1 of 2 | 30 |'
    assert text[3] == '| `gamma="learn"` | 0.71 | 1.41 | 2 of 2 | 40 |'
    assert text[5] == "| width by 5-fold CV | 1 | 1 |  | 1 |"


def test_findings_name_the_sets_that_are_worse():
    text = lines("scales-findings", "beyond-scales", SCALES)
    assert text[0].endswith("on 1 of 2 sets. The exceptions: pima (+10.0 %).")
    assert text[1].endswith("30.0 times as long in the median over sets (20.0 to 40.0).")
    assert text[4] == '- `gamma="scale"` has the highest loss of the four on 1 of 2 sets.'


def test_seconds_are_geometric_means_and_what_was_not_run_is_a_dash():
    def row(seconds, **more):
        own = {"RVR()": {"seconds": seconds, "score": 0.9}, "SVR": {"seconds": 0.01, "score": 0.5}}
        return own | more

    process = {"process": {"seconds": 1.0, "score": 0.8}}
    results = {
        "regression-100": {"n": 100, "rows": [row(0.1, **process), row(0.4, **process)]},
        "regression-4000": {"n": 4000, "rows": [row(0.1), row(0.4)]},
    }
    assert lines("speed-summary", "speed-default", results)[2:] == [
        "| 100 | 0.20 | 0.20 | 20.00 | 0.900 | 0.800 | 0.500 |",
        "| 4000 | 0.20 | - | 20.00 | 0.900 | - | 0.500 |",
    ]


def test_the_line_through_two_sizes_is_followed_to_the_third():
    measured = {"kind": "waves", "centres": "auto", "megabytes": 1.0, "error": 0.1, "vectors": 90}
    seconds = {20_000: 1.0, 100_000: 2.0, 1_000_000: 20.0, 10_000_000: 250.0}
    results = {f"waves-{n}": {"n": n, "seconds": each, **measured} for n, each in seconds.items()}
    # 18 seconds for 900 000 rows are 20 for a million: 20 + 9 * 20 = 200.
    text = lines("many-rows-straight-line", "large-rows", results)
    assert text[2:] == ["| waves | auto | 10 000 000 | 20.0 | 200 | 250 |"]


def test_growth_is_that_from_few_to_many_rows():
    def one(n, seconds):
        row = {"set": "moons", "n": n, "width": 1.0, "seconds": seconds, "steps": 3}
        row |= {"relevant": 1, "columns": n, "outcome": "CONVERGED"}
        return {"rows": [{**row, "fast_seconds": 0.1, "fast_relevant": 1}]}

    results = {"moons-100": one(100, 1.0), "moons-200": one(200, 8.0)}
    (text,) = lines("speed-growth", "speed-variational", results)
    assert text == "From the least to the most rows, seconds grow as: moons, width 1: N^3.0."


def test_gaps_are_the_median_and_the_largest_of_what_is_not_refused():
    gaps = ({"file": 1e-14, "C, float": 2e-4}, {"file": 3e-14, "C, float": 1e-4})
    results = {f"{k:02}": one for k, one in enumerate((*gaps, {"file": None, "C, float": 3e-4}))}
    text = lines("carry-exactly", "carry-agreement", results)
    assert text[2] == "| file | relative | 2e-14 | 3e-14 | 1 of 3 |"
    assert text[3].endswith("| 2e-04 | 3e-04 | 0 of 3 |")


def test_cases_of_a_kind_are_added_up_and_addresses_of_functions_left_out():
    slow = {"seconds": 3.6, "seed": 1, "words": "RVR(kernel=<function bump at 0x7fb55>) on 9 x 1"}
    case = {"cases": 100, "refused": 4, "findings": [], "slowest": [slow]}
    results = fake("reliability-fuzz", {"tame-00000": case, "tame-00100": case})
    results |= fake("reliability-targets", {"tame-targets-00000": case})
    assert (
        tables.block("reliability-random", results).splitlines()[2]
        == "| tame | 200 | 8 | 0 | 3.6 |"
    )
    slowest = fuzz.report({"tame-00000": case})[-1]
    assert slowest.rows[0][-1] == "RVR(kernel=<function bump>) on 9 x 1"


def bundle(columns, probability, active):
    counts = {"draws": 15, "dense": 5, "kept": 30, "found": 24}
    return {"columns": columns, "probability": probability, "active": active, **counts}


def test_what_is_said_stands_beside_what_is_true():
    one = bundle([90, 0, 4, 0, 1, 3, 8], [0.1, 0, 0.4, 0, 0.6, 2.6, 8.0], [0, 0, 1, 0, 1, 2, 8])
    text = lines("columns-sure", "columns-inclusion", {"near-000": one, "near-001": one})
    # Of the eight columns from 0.5 to 0.95, whose probabilities are 6.4 together, six are active.
    expected = "| neighbours correlated 0.9 | 75 | 80 | 1.00 | 1.00 | 0.80 | 0.75 | 0.10 | 0.25 |"
    assert text[2] == expected


def test_a_bin_without_columns_has_dashes():
    one = bundle([90, 0, 0, 0, 0, 0, 8], [0.1, 0, 0, 0, 0, 0, 8.0], [0, 0, 0, 0, 0, 0, 8])
    text = lines("columns-sure", "columns-inclusion", {"one-000": one})
    assert text[2].endswith("| 1.00 | 1.00 | - | - | - | - |")


# Decisions.


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
    text = tables.block("choosing-losses", contests((2.0, 2.2))).splitlines()
    assert len(text) == 2 + len(CONTESTS) + 2
    assert text[2] == "| set0 | regression | Gaussian process | 7.9 | 10 | 1.27 |"
    assert text[3].startswith("| set1 | classes, % |")
    assert text[-1].startswith("On the other 0 of 4 sets")


@pytest.mark.parametrize("differences", [(0.1, 0.1), (-2.0, 6.0), (-1.0, -1.0)])
def test_small_or_doubtful_losses_are_not(differences):
    text = tables.block("choosing-losses", contests(differences)).splitlines()
    assert text[-1].startswith("On the other 4 of 4 sets")


def test_widths_are_judged_by_the_best_of_all():
    # By the score the second width is chosen in the first draw, and the first in the second.
    draws = [{"score": score, "error": [1.0, 3.0], "seconds": 0.5} for score in ([0, 1], [1, 0])]
    results = {
        f"{name}-{seed:03}": dict.fromkeys(("dense", "marginal", "folds"), each)
        for name in ("sinc-gaussian", "friedman2", "ripley")
        for seed, each in enumerate(draws)
    }
    text = lines("choosing-widths", "model-choice", results)
    assert text[2] == "| `EvidenceSearch(RVR(), ...)`" + 3 * " | 2.00 | 0.5" + " |"


def test_sets_that_the_default_wins_are_counted_on_common_draws():
    ours = {"default/auto-000": {"loss": 1.0}, "default/ozone-000": {"loss": 2.0}}
    peers = {"gp/auto-000": {"loss": 1.5}, "gp/ozone-000": {"loss": 1.5}, "gp/auto-001": {}}
    results = fake("process-regression", ours) | fake("process-regression-peers", peers)
    results |= fake("process-classes", {"default/pima-000": {"loss": 0.4}})
    results |= fake("process-classes-peers", {"svc/pima-000": {"loss": 0.5}})
    found = tables.block("process-wins", results).splitlines()
    assert found[2].split("|")[2:5] == [" 1 of 2 ", " - ", " - "]
    assert found[3].split("|")[2:5] == [" - ", " 1 of 1 ", " - "]
