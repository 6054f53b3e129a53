"""Short tables on other targets, from made-up results."""

from packed_results import fake

from studies import tables
from studies.targets import counts


def three():
    """Results of the three studies: of each measure a list over methods."""
    outliers = {
        "sinc-10-00": {"error": [0.1, 0.02, 0.1, 0.02, 0.04, 0.1]},
        "sinc-10-01": {"error": [0.3, 0.04, 0.1, 0.02, 0.08, 0.1]},
    }
    noise = {"motorcycle-00": {"nlpd": [4.5, 4.25, 4.2, 4.625]}, "picture-00": {"times": [1.0]}}
    ordinal = {"run-times-00": {"rps": [0.0625, 0.0675, 0.075]}}
    return {
        **fake("targets-outliers", outliers),
        **fake("targets-noise", noise),
        **fake("targets-ordinal", ordinal),
    }


def test_the_usual_model_stands_beside_that_of_the_target():
    text = tables.block("targets-by-likelihood", three())
    lines = {line.split(" | ")[0]: line for line in text.splitlines()}
    assert lines["| sinc, 100 rows, 10 % outliers"].endswith(
        '| `RVR()`: 0.200 | `"student_t"`: 0.030 | Huber loss: 0.060 |'
    )
    assert lines["| motorcycle"].endswith(
        '| NLPD | `RVR()`: 4.500 | `"heteroscedastic"`: 4.250 | Gaussian process: 4.625 |'
    )
    assert '| `RVC()`: 0.0675 | `"ordinal"`: 0.0625 |' in lines["| run times, 4 classes"]
    assert len(text.splitlines()) == 12


def test_a_set_without_results_has_dashes():
    text = tables.block("targets-by-likelihood", three())
    assert '`RVR()`: - | `"student_t"`: - | Huber loss: - |' in text


def test_the_log_probability_of_counts():
    own = {counts.POISSON: -1.5, counts.NEGATIVE: -1.25, counts.TRUTH: -1.0}
    found = {"log_probability": [own.get(name) for name in counts.ROWS]}
    again = {"log_probability": [value and 2.0 * value for value in found["log_probability"]]}
    results = fake("targets-counts", {"poisson-00": found, "poisson-01": again})
    lines = tables.block("targets-counted", results).splitlines()
    # The mean of -1.5 and -3 is -2.25.
    assert lines[2] == "| Poisson | -2.25 | -1.88 | - | - | - | - | -1.50 |"
    assert len(lines) == 7


def test_without_one_of_the_studies_it_stays_as_it_is():
    results = three()
    del results["targets-noise"]
    assert tables.block("targets-by-likelihood", results) is None
