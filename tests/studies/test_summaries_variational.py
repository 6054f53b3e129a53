"""Short tables on inferences, each from made-up results."""

from packed_results import fake

from studies import tables
from studies.beyond import gibbs, offset
from studies.speed.optimum import PRICED


def lines(name, results):
    return tables.block(name, results).splitlines()


def test_prices_are_compared_with_full_reestimation():
    full = {"evidence": 10.0, "error": 1.0, "columns": 10, "seconds": 2.0}
    ours = {"evidence": 9.6, "error": 4.0, "columns": 5, "seconds": 1.0}
    worse = {**ours, "evidence": 9.0, "error": 1.0}
    first = {"mackay": full, **dict.fromkeys(("fast", *PRICED), ours)}
    second = {"mackay": full, **dict.fromkeys(("fast", *PRICED), worse)}
    results = fake("speed-optimum", {"sinc-000": {"rows": [first, second]}})
    text = lines("inference-optimum", results)
    assert "2 cases" in text[0]
    assert text[2] == "| `min_gain=0` | 50% | -0.70 | 2.00 | 0.50 | 2.0 |"


def test_errors_of_each_way_are_means_over_draws():
    draws = [{f"{kind}_error": value for kind in offset.KINDS} for value in (0.1, 0.3)]
    results = {f"sinc-{k:03}": one for k, one in enumerate(draws)}
    text = lines("inference-mean-of-targets", fake("offset", results))
    assert text[0] == "| squared error / variance of y | sinc |"
    assert text[3] == "| centred targets, and the column (the default) | 0.2 |"


def test_a_chosen_width_is_compared_with_the_best_on_average():
    one = {"error": [1.0, 2.0], "score": [0.0, 1.0], "seconds": 0.25}
    other = {**one, "score": [1.0, 0.0]}
    kinds = {"evidence": one, "marginal": other, "bound": one, "dense": one, "folds": one}
    text = lines("variational-widths", fake("model-choice", {"ripley-000": kinds}))
    assert text[0] == "| width by | Ripley, 100 rows |"
    assert text[2] == "| `log_evidence` | 2.00 (0.2 s) |"
    assert text[3] == "| `marginal` | 1.00 (0.2 s) |"


def test_a_sampled_posterior_is_compared_weight_by_weight():
    row = {"mean": 1.0, "std": 0.5, "sampled_mean": 1.2, "sampled_std": 1.0, "sampled_error": 0.0}
    rows = [row, {**row, "std": 0.8}, *[row] * 4]
    results = {
        f"{kind}-{hyperprior:g}": {"rows": rows[: 6 if kind == "regression" else 5]}
        for kind in gibbs.KINDS
        for hyperprior in gibbs.HYPERPRIORS
    }
    text = lines("variational-sampled", fake("gibbs", results))
    assert len(text) == 12
    assert text[2].endswith("| weights that are not 0 | 0.20 std | 0.50 to 0.80 |")
    assert text[4].endswith("| the noise | 0.20 std | 0.50 |")


def test_seconds_of_variational_fits_stand_by_size():
    row = {"set": "moons", "n": 125, "width": 0.1, "seconds": 0.5, "steps": 13, "fast_seconds": 0.1}
    found = {
        "moons-125": {"rows": [row]},
        "moons-250": {"rows": [{**row, "n": 250, "seconds": 4.0}]},
    }
    text = lines("variational-times", fake("speed-variational", found))
    assert text[2] == "| moons, width 0.1 | 0.5 (13); 0.1 | 4 (13); 0.1 |"
