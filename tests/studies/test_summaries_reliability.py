"""Short tables on reliability, each from made-up results."""

from packed_results import fake

from studies import tables
from studies.reliability import fuzz

NOTHING = {"gaps": {}, "errors": {}, "words": "", "default": False}


def lines(name, results):
    return tables.block(name, results).splitlines()


def cases(seconds, findings=()):
    slow = {
        "seconds": seconds,
        "seed": 1,
        "words": "RVR(kernel=<function bump at 0x7fb55>) on 9 x 1",
    }
    return {"cases": 100, "refused": 4, "findings": list(findings), "slowest": [slow]}


def test_cases_of_a_kind_are_added_up():
    finding = {"seed": 2, "words": "RVR()", "findings": ["nothing is finite"]}
    first = {"tame-00000": cases(1.0), "tame-00100": cases(3.6), "hostile-00000": cases(2.0)}
    second = {"tame-targets-00000": cases(1.0), "hostile-targets-00000": cases(0.1, [finding])}
    results = fake("reliability-fuzz", first) | fake("reliability-targets", second)
    text = lines("reliability-random", results)
    assert text[2] == "| tame | 200 | 8 | 0 | 3.6 |"
    assert text[5] == "| hostile targets | 100 | 4 | 1 | 0.1 |"


def test_slow_fits_are_shown_without_addresses_of_functions():
    slowest = fuzz.report({"tame-00000": cases(1.0)})[-1]
    assert slowest.rows[0][-1] == "RVR(kernel=<function bump>) on 9 x 1"


def test_laws_are_joined_and_defaults_have_a_column():
    one = {**NOTHING, "gaps": {"order of rows": 2e-6, "order of inputs": 0.0}}
    other = {**NOTHING, "default": True, "gaps": {"order of rows": 3e-8}}
    found = {"problem-000": other, "problem-001": one}
    text = lines("reliability-what-does-not-matter", fake("reliability-laws", found))
    assert text[2].endswith("| 3 | 1 | 0 | 2e-06 | 3e-08 |")
    assert text[3] == "| units of y | 0 | 0 | 0 | - | - |"


def faults():
    harm = {"inside": 50, "whole": 0, "wrong": [], "next": []}
    return fake(
        "reliability-faults",
        {
            "interrupts/RVR-fast": {**harm, "harmed": 0},
            "interrupts/RVR-em": {**harm, "harmed": 1},
            "memory/RVR-fast": {**harm, "inside": 6, "harmed": 0},
            "growth": {"megabytes": [190.0, 190.5, 191.0], "fits": 300, "refits": 200},
            "threads": {"jobs": 400, "equal": 400, "gap": 0.0},
            "threads/limit-of-one": {"jobs": 400, "equal": 398, "gap": 3.4e-14},
            "moving": {"predictions": 1000, "wrong": 0, "first": []},
            "forks": {"forks": 30, "hung": 1, "failed": 0, "limited": 0},
        },
    )


def test_faults_have_a_line_each():
    text = lines("reliability-after-faults", faults())
    assert len(text) == 6
    assert "100 fits were hit, and 1 of them left" in text[0]
    assert "6 fits were hit, and 0 of them left" in text[1]
    assert "798 of 800 gave" in text[2]
    assert text[2].endswith("of the others is 3e-14.")
    assert "Of the new processes 1 hung" in text[4]


def test_memory_is_told_along_the_fits():
    (text,) = lines("reliability-memory", faults())
    assert "190.0 MB at first, 190.5 MB after 300 fits, and 191.0 MB after 200" in text
