"""Short tables on many rows, from made-up results."""

from packed_results import fake

from studies import tables


def fit(n, seconds, kind="waves", centres="auto"):
    measured = {"megabytes": 120.4, "error": 0.125, "vectors": 90}
    return {"n": n, "kind": kind, "centres": centres, "seconds": seconds, **measured}


def rows():
    return fake(
        "large-rows",
        {
            "waves-20000": fit(20_000, 1.0),
            "waves-10000000": fit(10_000_000, 250.0),
            "waves-1000000": fit(1_000_000, 20.0),
            "waves-100000": fit(100_000, 2.0),
        },
    )


def test_the_cost_of_a_million_rows_and_more():
    lines = tables.block("many-rows-cost", rows()).splitlines()
    assert lines[2:] == [
        "| waves, auto | 1 000 000 | 20 | 120 | 0.125 | 90 |",
        "| waves, auto | 10 000 000 | 250 | 120 | 0.125 | 90 |",
    ]


def test_the_line_through_two_sizes_is_followed_to_the_third():
    lines = tables.block("many-rows-straight-line", rows()).splitlines()
    # 18 seconds for 900 000 rows are 20 for a million: 20 + 9 * 20 = 200.
    assert lines[2:] == ["| waves | auto | 10 000 000 | 20.0 | 200 | 250 |"]


def peer(name, n, kind, seconds):
    return {"name": name, "n": n, "kind": kind, "seconds": seconds, "error": 0.5, "numbers": 1234}


def test_methods_that_were_given_a_million_rows():
    found = {
        "friedman-20000-0": peer("SVR", 20_000, "friedman", 4.0),
        "friedman-1000000-0": peer("RVR()", 1_000_000, "friedman", 7.4),
        "waves-1000000-0": peer("RVR()", 1_000_000, "waves", 35.0),
        "waves-1000000-1": peer("Ridge", 1_000_000, "waves", 3.0),
    }
    lines = tables.block("many-rows-peers", fake("large-peers", found)).splitlines()
    assert lines[2:] == [
        "| `RVR()` | 7 | 0.500 | 1 234 | 35 | 0.500 | 1 234 |",
        "| Ridge | - | - | - | 3 | 0.500 | 1 234 |",
    ]
