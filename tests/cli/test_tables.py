"""Tables as people have them: what is understood, and what is refused with its place."""

import datetime

import numpy as np
import pandas as pd
import pytest

from sparsebayes.cli.columns import column_of, number_of
from sparsebayes.cli.inputs import chosen_inputs, encoded
from sparsebayes.cli.messages import MisuseError, RefusedError
from sparsebayes.cli.tables import read_table
from sparsebayes.cli.targets import target_of


def table_of(rows, header="a,b,y"):
    return "\n".join([header, *rows]) + "\n"


def understood(path, target="y", drop=(), separator=None):
    """Names and values of the inputs."""
    table = read_table(path, separator)
    inputs = chosen_inputs(table, target, drop)
    return inputs.input_names, encoded(table, inputs)


def refusal(path, target="y", drop=(), separator=None):
    with pytest.raises(RefusedError) as caught:
        understood(path, target, drop, separator)
    return str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        b"a,b,y\n1,2.5,3\n4,5,6\n",
        b"\xef\xbb\xbfa,b,y\n1,2.5,3\n4,5,6\n",
        b"a,b,y\r\n1,2.5,3\r\n4,5,6\r\n",
        b"a,b,y\r1,2.5,3\r4,5,6",
        b" a , b , y\n 1 , 2.5 , 3\n 4 , 5 , 6\n",
        b'"a","b","y"\n"1","2.5","3"\n"4","5","6"\n',
        b"\n\na,b,y\n1,2.5,3\n\n4,5,6\n\n\n",
        b"a;b;y\n1;2.5;3\n4;5;6\n",
        b"a;b;y\n1;2,5;3\n4;5;6\n",
        b"a\tb\ty\n1\t2.5\t3\n4\t5\t6\n",
        b"a|b|y\n1|2.5|3\n4|5|6\n",
        "a,b,y\n1,2.5,3\n4,5,6\n".encode("utf-16"),
        b"a,b,y\n1e0,+2.5,3\n4.0,5.,6\n",
        b",a,b,y\n0,1,2.5,3\n1,4,5,6\n",
        b"a,b,y,\n1,2.5,3,\n4,5,6,\n",
    ],
)
def test_one_table_is_written_in_many_ways(csv, content):
    names, X = understood(csv(content))
    assert names == ("a", "b")
    assert X.tolist() == [[1.0, 2.5], [4.0, 5.0]]


@pytest.mark.parametrize("separator", [" ", "space"])
def test_a_separator_can_be_given(csv, separator):
    assert understood(csv("a b y\n1 2 3\n4 5 6\n"), separator=separator)[0] == ("a", "b")


def test_a_tab_can_be_given_by_name(csv):
    for separator in ("tab", "\\t", "\t"):
        assert understood(csv("a\tb,c\ty\n1\t2\t3\n4\t5\t6\n"), separator=separator)[0] == (
            "a",
            "b,c",
        )


def test_a_separator_of_two_characters_is_refused(csv):
    with pytest.raises(MisuseError, match="one character"):
        read_table(csv("a::y\n1::2\n"), "::")


def test_numbers_are_read_to_the_last_digit(csv):
    values = np.random.default_rng(0).normal(size=50) * 10.0 ** np.arange(-25, 25)
    rows = [f"{value!r},{k}" for k, value in enumerate(values.tolist())]
    _, X = understood(csv(table_of(rows, "a,y")))
    assert X[:, 0].tolist() == values.tolist()


def test_a_huge_integer_is_a_number(csv):
    _, X = understood(csv("a,y\n123456789012345678901234567890,1\n5,2\n"))
    assert X[:, 0].tolist() == [123456789012345678901234567890.0, 5.0]


def test_what_is_a_number():
    assert number_of("True") == 1.0
    assert number_of("1_000") is None
    assert number_of("0x10") is None
    assert number_of("") is None
    assert number_of(10**400) == np.inf
    assert number_of(1j) is None
    assert number_of([1]) is None


def test_true_and_false_are_one_and_zero(csv):
    _, X = understood(csv("a,y\nTrue,1\nfalse,2\nTRUE,3\n"))
    assert X[:, 0].tolist() == [1.0, 0.0, 1.0]


def test_texts_become_an_input_each(csv, capsys):
    names, X = understood(csv(table_of(["1,red,1", "2,blue,2", "3,red,3"])))
    assert names == ("a", "b=blue", "b=red")
    assert X.tolist() == [[1.0, 0.0, 1.0], [2.0, 1.0, 0.0], [3.0, 0.0, 1.0]]
    assert "b (2)" in capsys.readouterr().err


def test_latin_1_is_read_with_a_note(csv, capsys):
    rows = ["1,Zürich,1", "2,Köln,2", "3,Köln,3"]
    names, _ = understood(csv(table_of(rows).encode("latin-1")))
    assert names == ("a", "b=Köln", "b=Zürich")
    assert "Windows-1252" in capsys.readouterr().err


def test_bytes_that_windows_does_not_know_are_latin_1(csv, capsys):
    names, _ = understood(csv(b"a\x81,y\n1,1\n2,2\n"))
    assert names == ("a\x81",)
    assert "Latin-1" in capsys.readouterr().err


def test_any_name_will_do_for_a_column(csv):
    odd = ['Robert"); DROP TABLE x;--', "größe (m²)", "<script>", "名前", "a,b"]
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in [*odd, "y"])
    names, _ = understood(csv(table_of(["1,2,3,4,5,6", "6,5,4,3,2,1"], quoted)))
    assert names == tuple(odd)


# Lines, as an editor counts them.


def test_a_missing_value_is_refused_with_its_line_and_column(csv):
    text = refusal(csv(table_of(["1,2,3", "4,,6", "7,8,9", "1,,3"])))
    assert "line 3, column 'b' is empty, and 1 cell below it." in text
    assert "--drop b" in text


@pytest.mark.parametrize("word", ["NA", "nan", "NaN", "null", "None", "#N/A", "n/a"])
def test_a_word_for_a_missing_value_is_refused(csv, word):
    text = refusal(csv(table_of(["1,2,3", "4,5,6", f"{word},8,9"])))
    assert f"line 4, column 'a' holds '{word}', a missing value." in text


def test_lines_are_counted_through_quotes_and_empty_lines(csv):
    content = '\r\na,b,y\r\n1,"x\r\ny\r\nz",3\r\n\r\n2,x,\r\n4,x,5\r\n'
    with pytest.raises(RefusedError, match="line 7, column 'y' is empty"):
        target_of(read_table(csv(content)), "y", False, False)


def test_a_short_line_has_missing_values(csv):
    assert "line 3, column 'b' is empty" in refusal(csv("a,y,b\n1,2,3\n4,5\n"))


def test_a_long_line_is_refused_with_its_number(csv):
    text = refusal(csv('a,b,y\n1,"2\n2",3\n4,5,6\n7,8,9,10\n'))
    assert "line 5: 4 cells, where there are 3 names" in text
    assert "--sep" in text


def test_a_quote_that_is_not_closed_is_refused(csv):
    assert "line 4: a quote begins" in refusal(csv('\na,b,y\n1,2,3\n4,"5,6\n7,8,9\n'))


def test_lines_are_counted_past_cells_of_any_length(csv):
    long = "x" * 200_000
    with pytest.raises(RefusedError, match="line 4, column 'y' is empty"):
        target_of(read_table(csv(table_of([f"1,{long},1", "2,z,2", "3,z,"]))), "y", False, False)


def test_a_stray_word_among_numbers_is_refused_with_its_line(csv):
    text = refusal(csv(table_of(["1,2,3", "4,5,6", "many,8,9", "7,8,9"])))
    assert "line 4, column 'a': 'many' is no number." in text


@pytest.mark.parametrize("number", ["inf", "-inf", "1e999", "1e200"])
def test_a_number_that_is_too_large_is_refused(csv, number):
    assert f"line 3, column 'a': {number} is too large" in refusal(csv(f"a,y\n1,1\n{number},2\n"))


@pytest.mark.parametrize("dates", [("2024-01-05", "2024-02-06"), ("5.1.2024", "6.2.2024 12:00")])
def test_dates_are_refused(csv, dates):
    text = refusal(csv(table_of([f"{dates[0]},1,1", f"{dates[1]},2,2"])))
    assert f"column 'a' holds dates, such as '{dates[0]}'" in text
    assert "--drop a" in text


def test_a_column_of_names_is_refused(csv):
    rows = [f"{k},person {k},{k}" for k in range(20)]
    text = refusal(csv(table_of(rows)))
    assert "column 'b' holds 20 different texts in 20 rows" in text
    assert "--drop b" in text


def test_many_texts_with_few_rows_each_are_refused(csv):
    rows = [f"{k},city {k % 11},{k}" for k in range(30)]
    assert "11 different texts in 30 rows" in refusal(csv(table_of(rows)))
    assert len(understood(csv(table_of(rows + rows)))[0]) == 12


def test_all_that_is_wrong_is_said_at_once_with_the_way_out(csv, capsys):
    rows = [f"{k},2024-01-0{k},n{k},,{k}" for k in range(1, 5)]
    rows[1] = rows[1].replace(",,", ",7,")
    path = csv(table_of(rows, "a,the day,b,c,y"))
    text = refusal(path)
    assert len(text.splitlines()) == 4
    assert text.endswith("--drop 'the day' b c")
    assert understood(path, drop=["the day", "b", "c"])[0] == ("a",)


def test_no_more_than_eight_columns_are_complained_of(csv):
    header = ",".join([f"x{k}" for k in range(30)] + ["y"])
    text = refusal(csv(table_of([",".join(["1"] * 31), ",".join(["NA"] * 30 + ["2"])], header)))
    assert len(text.splitlines()) == 10
    assert "and 22 columns more." in text


def test_constant_and_empty_columns_are_left_out_with_a_note(csv, capsys):
    rows = ["1,7,,x,1.0,1", "2,7,,x,1,2", "3,7,,x,1.00,3"]
    names, _ = understood(csv(table_of(rows, "a,b,c,d,e,y")))
    assert names == ("a",)
    told = capsys.readouterr().err
    assert "empty: 'c'." in told
    assert "the same in all rows: 'b', 'd', 'e'." in told


def test_a_column_without_a_name_is_left_out_with_a_note(csv, capsys):
    assert understood(csv(",a,y\n0,5,1\n1,7,2\n"))[0] == ("a",)
    assert "no name: columns 1." in capsys.readouterr().err


def test_a_column_that_counts_rows_is_told_of(csv, capsys):
    understood(csv("the id,a,y\n1,5,1\n2,7,2\n3,6,3\n"))
    assert "'the id' counts the rows" in (told := capsys.readouterr().err)
    assert "--drop 'the id'" in told


def test_decimal_commas_are_told_of(csv, capsys):
    _, X = understood(csv("a;b;y\n1,5;x;1\n-2,25;z;2\n0,5;x;3\n"))
    assert X[:, 0].tolist() == [1.5, -2.25, 0.5]
    assert "decimal commas: 'a'." in capsys.readouterr().err


def test_thousands_are_no_numbers(csv):
    assert "'1.234,50' is no number" in refusal(csv("a;y\n1.234,50;1\n2;2\n3;3\n"))
    assert "'1,234' is no number" in refusal(csv('a,y\n"1,234",1\n2,2\n3,3\n'))


def test_two_columns_of_one_name_are_refused_unless_left_out(csv):
    path = csv("a,a,b,y\n1,2,3,4\n5,6,7,8\n")
    assert "more than one column 'a'" in refusal(path)
    assert understood(path, drop=["a"])[0] == ("b",)


def test_a_target_that_is_there_twice_is_refused(csv):
    with pytest.raises(RefusedError, match="more than one column 'y', numbers 2 and 3"):
        target_of(read_table(csv("a,y,y\n1,2,3\n")), "y", False, False)


def test_inputs_of_one_name_are_refused(csv):
    text = refusal(csv("a,a=x,y\nx,1,1\nz,2,2\nx,3,3\n"))
    assert "two inputs would be called 'a=x'" in text


def test_a_table_of_the_target_alone_is_refused(csv):
    assert "no column left" in refusal(csv("y\n1\n2\n"))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "is empty"),
        (" \n\n", "is empty"),
        ("a,b,y\n", "no rows"),
        (b"PK\x03\x04rest", "workbook"),
        (b"\x00\x01\x02,\x00", "no text"),
        (b"PAR1 and nothing of Parquet", "Parquet"),
    ],
)
def test_what_is_no_table_is_refused(csv, content, expected):
    assert expected in refusal(csv(content))


def test_a_name_that_is_not_there_is_refused_with_those_that_are(csv):
    with pytest.raises(RefusedError, match=r"no column 'Y'; its columns are 'a', 'b', 'y'\."):
        target_of(read_table(csv(table_of(["1,2,3"]))), "Y", False, False)
    assert "no column 'c'" in refusal(csv(table_of(["1,2,3"])), drop=["c"])


def test_a_wrong_separator_is_suspected(csv):
    with pytest.raises(RefusedError, match="--sep"):
        target_of(read_table(csv("a b y\n1 2 3\n")), "y", False, False)


# Parquet.


@pytest.fixture
def parquet(tmp_path):
    def written(**columns):
        pd.DataFrame(columns).to_parquet(tmp_path / "data.parquet")
        return tmp_path / "data.parquet"

    return written


def test_types_of_parquet_are_kept(parquet):
    path = parquet(
        zip=["01", "02", "01"],
        kind=pd.Categorical(["b", "a", "b"]),
        on=[True, False, True],
        count=pd.array([1, 2, 4], dtype="Int64"),
        y=[1.5, 2.5, 3.5],
    )
    names, X = understood(path)
    assert names == ("zip=01", "zip=02", "kind=a", "kind=b", "on", "count")
    assert X[1].tolist() == [0.0, 1.0, 1.0, 0.0, 0.0, 2.0]


@pytest.mark.parametrize(
    "cells",
    [[1.0, None, 2.0], pd.array([1, None, 2], dtype="Int64"), ["a", None, "b"], [1.0, np.nan, 2.0]],
)
def test_missing_values_of_parquet_are_refused_with_their_row(parquet, cells):
    assert "row 2, column 'a'" in refusal(parquet(a=cells, y=[1.0, 2.0, 3.0]))


def test_dates_and_lists_of_parquet_are_refused(parquet):
    days = pd.to_datetime(["2024-01-05", "2024-02-06", "2024-02-07"])
    plain = [datetime.date(2024, 1, k) for k in (1, 2, 3)]
    text = refusal(parquet(a=days, b=plain, c=[[1], [2], [3]], y=[1.0, 2.0, 3.0]))
    assert "'a' holds dates" in text
    assert "'b' holds dates" in text
    assert "'c' holds neither numbers nor texts" in text


# Targets.


def decided(csv, values, classify=False, regress=False):
    table = read_table(csv(table_of([f"1,{value}" for value in values], "a,y")))
    return target_of(table, "y", classify, regress)


@pytest.mark.parametrize(
    ("values", "is_class"),
    [
        (["0", "1"] * 3, True),
        (["1.0", "2.0", "3.0"] * 10, True),
        (["no", "yes", "no"], True),
        (["true", "false", "true"], True),
        (["3", "4", "5", "6"], False),
        ([str(k) for k in range(11)] * 10, False),
        (["0.5", "1.5"] * 10, False),
    ],
)
def test_a_target_is_a_class_or_a_number_by_its_values(csv, values, is_class):
    assert decided(csv, values).is_class is is_class


def test_what_was_decided_can_be_overruled(csv):
    whole = ["0", "1"] * 5
    assert "--regress" in decided(csv, whole).why
    assert decided(csv, whole, regress=True).values.dtype == np.float64
    assert "--classify" in decided(csv, ["3", "4", "5"]).why
    assert decided(csv, ["0.5", "1.5"] * 5, classify=True).values.tolist()[:2] == ["0.5", "1.5"]


def test_labels_are_what_stands_in_the_table(csv):
    assert decided(csv, ["1.0", "2"] * 5).values.tolist()[:2] == [1, 2]
    assert decided(csv, ["true", "false"] * 5).values.tolist()[:2] == ["true", "false"]
    large = ["9007199254740993", "9007199254740995"] * 5
    assert decided(csv, large, classify=True).values.tolist()[:2] == large[:2]


def test_true_and_false_of_parquet_stay_what_they_are(parquet):
    table = read_table(parquet(a=[1.0, 2.0], y=[True, False]))
    assert target_of(table, "y", False, False).values.tolist() == [True, False]


@pytest.mark.parametrize(
    ("values", "options", "expected"),
    [
        (["5"] * 4, {}, "'5' in all rows|5.0 in all rows"),
        (["a"] * 4, {}, "'a' in all rows"),
        (["1"], {}, "one row"),
        (["1", "2", ""], {}, "line 4, column 'y' is empty"),
        (["1", "2", "x"], {"regress": True}, "line 4, column 'y': 'x' is no number"),
        ([*map(str, range(20)), "x"], {}, "line 22, column 'y': 'x' is no number"),
        ([f"t{k}" for k in range(9)], {}, "9 different values in 9 rows"),
    ],
)
def test_a_target_that_cannot_be_learned_is_refused(csv, values, options, expected):
    with pytest.raises(RefusedError, match=expected):
        decided(csv, values, **options)


def test_a_column_knows_its_place(csv):
    column = column_of(read_table(csv("a,y\n1,2\n3,4\n")), 1)
    assert (column.name, column.place(1), column.cells) == ("y", "line 3", ["2", "4"])


BIG = 2**53 + 1


def digits(run, csv, cells, target=range(1, 9), name="digits.csv"):
    rows = [f"{cell},{each % 3},{each}" for cell, each in zip(cells, target, strict=True)]
    data = csv("\n".join(["key,other,y", *rows]), name)
    return data, run("fit", data, "--target", "y", "--regress", "--folds", "0")


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ([BIG + 2 * k for k in range(8)], True),
        ([-BIG, *range(7)], True),
        ([2**53 + 2 * k for k in range(8)], False),
        (["1e17", *range(7)], False),
    ],
)
def test_whole_numbers_with_more_digits_than_doubles_are_told(
    run, csv, monkeypatch, tmp_path, cells, told
):
    monkeypatch.chdir(tmp_path)
    _, ended = digits(run, csv, cells)
    assert ended.code == 0, ended.err
    line = "sparsebayes: note: whole numbers above 2**53 lose their last digits: 'key'."
    assert (line in ended.err.splitlines()) == told


def test_so_they_are_in_a_target_and_in_new_rows(run, csv, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    data, ended = digits(run, csv, range(8), [BIG + 2 * k for k in range(8)])
    assert ended.code == 0, ended.err
    assert "lose their last digits: 'y'." in ended.err
    assert "lose their last digits: 'y'." in run("report", "model.sbm", data).err
    new = csv(f"key,other\n{BIG},1\n", "new.csv")
    ended = run("predict", "model.sbm", new)
    assert "lose their last digits: 'key'." in ended.err
    assert ended.out.splitlines()[1].startswith(f"{BIG},1,")
