"""Summaries of speed, and the table that compares methods, from made-up results."""

from packed_results import fake

from studies import tables


def test_seconds_are_geometric_means_beside_those_of_others():
    def draw(seconds):
        return {
            "RVR()": {"seconds": seconds, "score": 0.9},
            "process": {"seconds": 1.0, "score": 0.8},
            "SVR": {"seconds": 0.01, "score": 0.5},
        }

    rows = [draw(0.1), draw(0.4)]
    large = [{name: one for name, one in row.items() if name != "process"} for row in rows]
    results = {"regression-100": {"n": 100, "rows": rows}}
    results["regression-4000"] = {"n": 4000, "rows": large}
    text = tables.block("speed-summary", fake("speed-default", results)).splitlines()
    assert text[2:] == [
        "| 100 | 0.20 | 0.20 | 20.00 | 0.900 | 0.800 | 0.500 |",
        "| 4000 | 0.20 | - | 20.00 | 0.900 | - | 0.500 |",
    ]


def flat(**kinds):
    """The same value of all quantities, by kind."""
    quantities = ("error", "loss", "vectors", "seconds")
    return {f"{kind}_{key}": value for kind, value in kinds.items() for key in quantities}


def test_methods_are_compared_where_they_were_run():
    regression = {"a-000": {"default_error": 3.0, "fast_error": 4.0, "gp_error": 2.0}}
    two = {
        f"{name}-000": flat(default=value, fast=value, gp1=3.0, svc=5.0)
        for name, value in (("a", 1.0), ("b", 2.0))
    }
    more = {"c-000": flat(default=2.0, ovr=3.0, svc=4.0, logistic=1.0, forest=6.0, boosting=7.0)}
    results = fake("trust-regression", regression) | fake("trust-classes", two)
    text = tables.block("comparison", results | fake("classes", more)).splitlines()
    assert text[2].endswith(
        "| 1.50 | 1.5 / 1.500 | 2.0 / 2.000 | 0 of 1 sets | 2 / 2 | 1.50 / 2.00 |"
    )
    assert text[4] == "| Gaussian process | 1.00 | 3.0 / 3.000 | - | - | all rows | 3.00 / - |"
    assert text[6].endswith("| - | - | 1.0 / 1.000 | 1 of 1 sets | - / 1 | - / 1.00 |")
    assert text[-1].startswith("Medians over 1 sets of regression, 2 of two classes and 1 of more.")


def test_sentences_of_a_report_are_those_of_its_study():
    def row(method, evidence, error):
        numbers = {"seconds": 1.0, "vectors": 2, "loss": 0.5, "evidence": evidence, "error": error}
        return {"set": "moons", "n": 100, "width": 1.0, "method": method, **numbers}

    rows = [row("ours, fast", -10.0, 1.0), row("fastrvm", -20.0, 2.0)]
    text = tables.block("speed-fastrvm", fake("speed-peers", {"moons-100-1": {"rows": rows}}))
    assert text.startswith("Our evidence is not below fastrvm's in 100.0% of 1 cases")
    assert text.endswith("our test error is 0.500 of its, as a geometric mean.")


def test_growth_is_that_from_few_to_many_rows():
    def one(n, seconds):
        row = {"set": "moons", "n": n, "width": 1.0, "seconds": seconds, "steps": 3}
        row |= {"relevant": 1, "columns": n, "outcome": "CONVERGED"}
        return {"rows": [{**row, "fast_seconds": 0.1, "fast_relevant": 1}]}

    results = {"moons-100": one(100, 1.0), "moons-200": one(200, 8.0)}
    text = tables.block("speed-growth", fake("speed-variational", results))
    assert text == "From the least to the most rows, seconds grow as: moons, width 1: N^3.0."
