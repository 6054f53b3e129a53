"""Names that could be code, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from carried import X, Y, fitted
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sparsebayes import RVC, RVR
from sparsebayes.report import report

HOSTILE = [
    "<script>alert(1)</script>",
    "a'\"><img src=x onerror=alert(1)>",
    "$x_1$ \\frac",
    "日本 😀",
    "a\nb\x00\x1b",
    "]]> --> &amp; </svg></style>",
    "n" * 300,
]


@pytest.mark.slow
def test_names_of_inputs_and_targets_are_escaped(page_of):
    rows = np.random.default_rng(0).normal(size=(80, 7))
    target = pd.Series(rows @ np.arange(1, 8) + 0.1 * rows[:, 0] ** 2, name="<b>y</b>")
    frame = pd.DataFrame(rows, columns=HOSTILE)
    page = page_of(report(RVR().fit(frame, target), frame, target, title="<i>title</i> & more"))
    assert "<script>alert(1)</script>" in page.text
    assert "<b>y</b>" in page.text
    assert "<i>title</i> & more" in page.text
    assert "日本 😀" in page.text
    assert not {"i", "b"} & set(page.tags)


@pytest.mark.slow
def test_names_of_classes_are_escaped(page_of):
    rows = np.random.default_rng(0).normal(size=(90, 2))
    labels = np.array(["<script>x</script>", "$a$ & b", "\x01c\ud800"])
    target = labels[np.digitize(rows[:, 0], [-0.5, 0.5])]
    page = page_of(report(RVC().fit(rows, target), rows, target))
    assert "<script>x</script>" in page.text
    assert "$a$ & b" in page.text
    page.source.encode("utf-8")


def test_a_pipeline_is_refused_with_what_to_do():
    model = make_pipeline(StandardScaler(), RVR()).fit(X, Y)
    with pytest.raises(TypeError, match=r"report\(pipeline\[-1\]"):
        report(model, X, Y)


def test_inputs_of_another_number_or_name_are_refused():
    with pytest.raises(ValueError, match="X has 1 columns; expected 2"):
        report(fitted("default"), X[:, :1], Y)
    frame = pd.DataFrame(X, columns=["a", "b"])
    with pytest.raises(ValueError, match=r"columns of X are \['b', 'a'\]"):
        report(RVR().fit(frame, Y), frame[["b", "a"]], Y)


def test_targets_that_do_not_go_with_the_model_are_refused():
    with pytest.raises(ValueError, match="y holds 'maybe'"):
        report(fitted("two classes"), X, np.full(len(X), "maybe"))
    with pytest.raises(ValueError, match="y has 2 outputs; expected 1"):
        report(fitted("default"), X, np.column_stack([Y, Y]))
