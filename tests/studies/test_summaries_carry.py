"""Short tables on models elsewhere, each from made-up results."""

from packed_results import fake

from studies import tables

LOADERS = ("sparsebayes.load", "joblib.load")


def lines(name, results):
    return tables.block(name, results).splitlines()


def board(precision, function="predict_std", covering=True, **more):
    """One function of one model."""
    return {
        "target": "Cortex-M4",
        "function": function,
        "precision": precision,
        "covering": covering,
        "estimator": "RVR",
        "vectors": 6,
        "covering_rows": 12 if covering else 0,
        "error": 1e-14,
        "versions": {"gcc": "12.2"},
        "flash": 6377,
        "stack": 416,
        "instructions": 59794.4,
        **more,
    }


def embedded():
    singles = board("float", flash=2101, stack=192, instructions=2760.0, error=3e-6)
    mean = board("float", "predict", error=1e-6)
    return fake("carry-embedded", {"a": board("double"), "b": singles, "c": mean})


def test_both_precisions_stand_side_by_side():
    text = lines("carry-firmware", embedded())
    assert text[2].startswith("| RVR, 6 vectors, 12 covering rows | `model_predict_std` | 2 101 |")
    assert text[2].endswith("| 192 | 2 760 | 6 377 | 416 | 59 794 |")


def test_a_mean_has_no_covering_rows_and_a_dash_what_was_not_measured():
    text = lines("carry-firmware", embedded())
    assert text[3].startswith("| RVR, 6 vectors | `model_predict` |")
    assert text[3].endswith("| - | - | - |")


def test_the_board_and_the_largest_errors_are_told():
    first, second = lines("carry-firmware-where", embedded())
    assert first.startswith("- Measured on a Cortex-M4 with gcc 12.2")
    assert "is 1e-14 in double precision and 3e-06 in single" in second


def test_a_module_has_its_bytes_and_the_time_of_a_prediction():
    one = {"estimator": "RVC", "vectors": 10, "covering_rows": 27, "bytes": 30_812}
    one |= {"compressed": 12_640, "microseconds": 5.81, "error": 4.4e-16}
    text = lines("carry-web", fake("carry-web", {"rvc": one}))
    assert text[2] == "| RVC, 10 vectors, 27 covering rows | 30.8 | 12.6 | 5.8 | 4e-16 |"


def test_a_cold_start_is_told_without_the_import_of_numpy():
    times = dict(zip(LOADERS, ([50.0, 33.4], [50.0, 1220.4]), strict=True))
    sizes = dict(zip(LOADERS, (42_327, 65_184), strict=True))
    (text,) = lines(
        "carry-starts", fake("carry-start", {"0": {"milliseconds": times, "bytes": sizes}})
    )
    assert text.startswith("- `RVR()`: 33 ms with `sparsebayes.load`, 1220 ms with")
    assert text.endswith("files of 42 and 65 kB.")


def test_files_that_were_not_changed_are_not_damaged():
    one = {"files": 10, "same": 1, "refused": 9, "others": []}
    (text,) = lines("carry-damaged", fake("carry-damage", {"0": one, "1": one}))
    assert text.startswith("Of 18 damaged files, 18 were refused")


def test_gaps_are_the_median_and_the_largest_of_what_is_not_refused():
    gaps = ({"file": 1e-14, "C, float": 2e-4}, {"file": 3e-14, "C, float": 1e-4})
    results = {f"{k:02}": one for k, one in enumerate((*gaps, {"file": None, "C, float": 3e-4}))}
    text = lines("carry-exactly", fake("carry-agreement", results))
    assert text[2] == "| file | relative | 2e-14 | 3e-14 | 1 of 3 |"
    assert text[3].endswith("| 2e-04 | 3e-04 | 0 of 3 |")


def test_rows_for_each_second_have_two_digits():
    one = {"name": "RVR, mean", "vectors": 28, "covering": 48, "predict": 5_047_166.0}
    one |= {"duckdb 1": 2_163_101.0, "duckdb all": 4_129_046.0, "sqlite": None}
    text = lines("carry-rates", fake("carry-database", {"form-0": one}))
    assert text[2] == "| RVR, mean | 28 and 48 | 5 000 000 | 2 200 000 | 4 100 000 | - |"
