"""Numbers, HTML and pictures as they are written."""

from xml.etree import ElementTree

import pytest

from sparsebayes.report.drawing import picture
from sparsebayes.report.markup import Html, clean, clipped, code, escaped, paragraph, table
from sparsebayes.report.numbers import Measured, counted, listed, percent, short


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (2.0, "2"),
        (1234.0, "1234"),
        (0.123456, "0.123"),
        (9.996, "10.0"),
        (-1234.5, "-1230"),
        (1.5e-7, "1.50e-07"),
        (2.34e9, "2.34e+09"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_numbers_have_three_digits(value, text):
    assert short(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.5, "50 %"), (0.8766, "87.7 %"), (1.0, "100 %"), (0.00123, "0.1 %")]
)
def test_shares_are_in_percent(value, text):
    assert percent(value) == text


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.10234, 0.00512, "0.1023 ± 0.0051"),
        (53.91, 1.72, "53.9 ± 1.7"),
        (1234.5, 99.7, "1230 ± 100"),
        (3.0, 0.0, "3"),
        (3.25, float("nan"), "3.25"),
        (1.5e9, 2e8, "1.50e+09 ± 2.0e+08"),
        (1.5e-9, 2e-10, "1.50e-09 ± 2.0e-10"),
    ],
)
def test_an_error_has_two_digits_and_the_value_goes_as_far(value, error, text):
    assert str(Measured(value, error)) == text


def test_a_share_with_its_error_is_in_percent():
    assert Measured(0.9, 0.0143).in_percent == "90.0 ± 1.4 %"


def test_counts_and_lists_are_english():
    assert counted(1, "row") == "1 row"
    assert counted(2, "row") == "2 rows"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(list("abcdefgh"), 4) == "a, b, c and 5 more"


def test_text_is_escaped_once():
    assert escaped("<a> & 'b'") == "&lt;a&gt; &amp; &#x27;b&#x27;"
    assert escaped(escaped("<a>")) == "&lt;a&gt;"
    assert paragraph("<a>", Html("<b>c</b>")) == "<p>&lt;a&gt; <b>c</b></p>"
    assert "&lt;i&gt;" in table(["<i>"], [["x"]], "caption")
    assert "&lt;i&gt;" in code("<i>", "C")


def test_numbers_and_their_signs_are_not_parted():
    assert escaped("3.2 ± 0.1 % of it, a ± b") == "3.2\u00a0±\u00a00.1\u00a0% of it, a ± b"


def test_text_is_one_line_without_control_characters():
    assert clean(" a\n\tb\x00c ") == "a b\ufffdc"
    assert clean("\ud800") == "?"
    assert clipped("abcdef", 4) == "abc…"


def test_a_picture_has_names_of_its_own_and_no_style():
    def draw(ax):
        ax.plot([1, 2, 3], [1, 4, 9], "o-", label="<b>")
        ax.legend()

    first, second = picture("first", "A <curve>", draw), picture("second", "A curve", draw)
    names = [
        {each.get("id") for each in ElementTree.fromstring(svg).iter() if each.get("id")}
        for svg in (first, second)
    ]
    assert names[0]
    assert not names[0] & names[1]
    assert 'aria-label="A &lt;curve&gt;"' in first
    assert "<style" not in first
    assert "&lt;b&gt;" in first


def test_drawing_leaves_settings_as_they_are():
    from matplotlib import rcParams

    before = dict(rcParams)
    picture("one", "One", lambda ax: ax.plot([0, 1]))
    assert dict(rcParams) == before
