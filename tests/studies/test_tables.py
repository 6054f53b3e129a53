"""The tables of README and docs, from packed results."""

import pytest
from packed_results import fake

from studies import catalogue, tables
from studies.framework import packed
from studies.framework.runner import Results
from studies.framework.section import section

EXPERIMENTS = {one.name: one for one in catalogue.EXPERIMENTS}
STORED = packed.load(catalogue.EXPERIMENTS)


def benchmarks_results():
    kinds = {"svm": 2.0, "rvm": 1.0, "default": 0.5, "best": 0.25}
    flat = {
        f"{kind}_{name}": value for kind, value in kinds.items() for name in ("error", "vectors")
    }
    return {"friedman2-000": flat, "banana-000": flat}


def benchmarks():
    return fake("t01-benchmarks", benchmarks_results())


def test_summary_is_relative_to_the_svm():
    lines = tables.block("benchmark-summary", benchmarks()).splitlines()
    assert len(lines) == 6
    assert lines[2].endswith("| 0.86 | 0.15 | 1.08 | 0.17 |")
    assert lines[3].endswith("| 0.50 | 0.50 | 0.50 | 0.50 |")
    assert lines[5].endswith("| 0.12 | 0.12 | 0.12 | 0.12 |")


def test_a_table_of_a_report_by_its_number():
    text = tables.block("t01-benchmarks 4", benchmarks())
    assert "| Banana | 400 | 2 |" in text
    assert text.count("\n\n") == 0


def test_claims_are_counted_by_paper():
    header, _, row = tables.block("claims", benchmarks()).splitlines()
    assert header == "| paper | better | reproduced | not reproduced | skipped |"
    assert row.startswith("| [T01] | ")
    found = section(EXPERIMENTS["t01-benchmarks"], Results(benchmarks_results()), "").verdicts
    assert sum(map(int, row.split("|")[2:6])) == len(found)


def test_what_is_not_reproduced_is_listed_without_reasons():
    draws = {f"boston-{k:03}": {"rvm_error": 20.0 + k} for k in range(3)}
    text = tables.block("not-reproduced", fake("t01-benchmarks", draws))
    assert "| [T01] 4.4 | Boston housing: RVM error 7.46 | ours 21 ± 0.58 over 3 draws" in text
    assert "published splits" not in text


def test_claims_on_all_benchmarks_say_where_they_fail():
    text = tables.block("benchmark-claims", benchmarks()).splitlines()
    assert text[2].startswith("| RVM error as the paper's or better, by two standard errors | 0 of")
    assert text[-1].split(" | ")[1].startswith("2 of the 2 rows that were run; too few")


@pytest.mark.parametrize("name", [*tables.TABLES, "t01-figure-1 1"])
def test_without_results_a_table_stays_as_it_is(name):
    assert tables.block(name, {}) is None


@pytest.mark.parametrize("name", STORED)
def test_stored_results_have_a_report(name):
    one = STORED[name]
    assert not section(one.experiment, one.results, "").failed
