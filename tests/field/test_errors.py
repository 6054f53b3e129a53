"""What is given to fits and predictions and cannot be used: a ValueError that says what and where.

Masked values, labels of several types, dates, texts and missing values in tables of pandas, polars
and pyarrow, in weights and in noise, matrices, types that are not taken, and one row of positive
weight.
"""

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone

from sparsebayes import RVC, RVR, EvidenceSearch, Linear, SparseBayesRegressor, diagnostics
from sparsebayes.report import report

polars = pytest.importorskip("polars")
# How well these fits do does not matter here.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
N = 40
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(N, 2))
Y = np.sin(2.0 * X[:, 0]) + X[:, 1] + 0.1 * RANDOM.normal(size=N)
LABELS = np.where(Y > 0.0, "high", "low")
TABLE = pd.DataFrame({"size": X[:, 0], "weight": X[:, 1]})
MASK = np.arange(N) % 7 == 0
FIT = {"gamma": 0.5, "inference": "fast"}


@pytest.fixture(scope="module")
def model():
    return RVR(**FIT).fit(X, Y)


@pytest.fixture(scope="module")
def classes():
    return RVC(**FIT).fit(X, LABELS)


def masked(values, mask=MASK):
    return np.ma.masked_array(values, np.broadcast_to(mask, values.T.shape).T)


# Masked values.

ONES = np.ones(N)
GIVEN = {
    "X": lambda of: RVR(**FIT).fit(of(X), Y),
    "X of rows": lambda of: RVR(**FIT).fit(list(of(X)), Y),
    "X of classes": lambda of: RVC(**FIT).fit(of(X), LABELS),
    "X of partial_fit": lambda of: RVR(gamma=0.5).partial_fit(of(X), Y),
    "X of complex numbers": lambda of: SparseBayesRegressor(Linear()).fit(of(X * 1j), Y * 1j),
    "y": lambda of: RVR(**FIT).fit(X, of(Y)),
    "y of classes": lambda of: RVC(**FIT).fit(X, of(LABELS)),
    "y of partial_fit": lambda of: RVR(gamma=0.5).partial_fit(X, of(Y)),
    "sample_weight": lambda of: RVR(**FIT).fit(X, Y, sample_weight=of(ONES)),
    "sample_weight of classes": lambda of: RVC(**FIT).fit(X, LABELS, sample_weight=of(ONES)),
    "noise_std": lambda of: RVR(**FIT).fit(X, Y, noise_std=of(ONES)),
    "exposure": lambda of: RVR(**FIT, likelihood="poisson").fit(X, 0 * ONES, exposure=of(ONES)),
}
ASKED = {
    "X of predict": lambda model, of: model.predict(of(X)),
    "X of novelty": lambda model, of: RVR(gamma=0.5).fit(X, Y).novelty(of(X)),
    "X of a loaded model": lambda model, of: model.to_portable().predict(of(X)),
    "y of log_density": lambda model, of: model.log_density(X, of(Y)),
    "y of score": lambda model, of: model.score(X, of(Y)),
    "y of a calibration": lambda model, of: diagnostics.calibration_report(model, X, of(Y)),
    "y of a page": lambda model, of: report(model, X, of(Y), new=True),
}


@pytest.mark.parametrize("what", GIVEN)
def test_masked_values_are_refused_by_fits_and_a_mask_of_nothing_is_not(what):
    name = what.split()[0]
    with pytest.raises(ValueError, match=rf"{name} has \d+ masked values.*{name}\.filled\(value\)"):
        GIVEN[what](masked)
    GIVEN[what](lambda values: masked(values, mask=np.zeros(N, dtype=bool)))


@pytest.mark.parametrize("what", ASKED)
def test_masked_values_are_refused_by_predictions(model, what):
    name = what.split()[0]
    with pytest.raises(ValueError, match=rf"{name} has \d+ masked values"):
        ASKED[what](model, masked)


def test_a_masked_number_in_a_list_is_refused():
    with pytest.raises(ValueError, match="y has 1 masked values"):
        RVR(**FIT).fit(X, [np.ma.masked, *Y[1:]])


# What is said of rows.

SAID = {
    "sample_weight": lambda said: RVR(**FIT).fit(X, Y, sample_weight=said),
    "sample_weight of classes": lambda said: RVC(**FIT).fit(X, LABELS, sample_weight=said),
    "sample_weight of partial_fit": lambda said: RVR(gamma=0.5).partial_fit(X, Y, said),
    "sample_weight of score": lambda said: RVR(**FIT).fit(X, Y).score(X, Y, sample_weight=said),
    "noise_std": lambda said: RVR(**FIT).fit(X, Y, noise_std=said),
    "exposure": lambda said: RVR(**FIT, likelihood="poisson").fit(X, ONES, exposure=said),
    "y of score": lambda said: RVR(**FIT).fit(X, Y).score(X, said),
    "y of log_density": lambda said: RVR(**FIT).fit(X, Y).log_density(X, said),
}
NUMBERED = np.arange(1, N + 1)
NO_REAL_NUMBERS = {
    "dates": (NUMBERED.astype("datetime64[s]"), "holds values of type datetime64"),
    "a column of dates": (
        pd.Series(pd.date_range("2024", periods=N)),
        "holds values of type datetime64",
    ),
    "durations": (NUMBERED.astype("timedelta64[s]"), "holds values of type timedelta64"),
    "durations of Python": ([datetime.timedelta(1)] * N, "must hold numbers, got .*timedelta"),
    "complex numbers": (1.0 + 2.0j * ONES, "holds values of type complex128"),
    "texts": (["a"] * N, "must hold numbers, got 'a' in row 0, of type str"),
    "nothing": ([1.0, *[None] * (N - 1)], "must hold numbers, got None in row 1"),
}


@pytest.mark.parametrize("what", SAID)
@pytest.mark.parametrize(("said", "words"), NO_REAL_NUMBERS.values(), ids=NO_REAL_NUMBERS)
def test_what_is_said_of_rows_has_to_be_real_numbers(what, said, words):
    """NumPy took dates for seconds since 1970, and left imaginary parts out."""
    with pytest.raises(ValueError, match=f"^{what.split()[0]} {words}"):
        SAID[what](said)


def test_dates_as_weights_of_many_rows_are_refused():
    dask = pytest.importorskip("dask.array")
    days = dask.from_array(NUMBERED.astype("datetime64[s]"), chunks=10)
    rows, y = dask.from_array(X, chunks=10), dask.from_array(Y, chunks=10)
    with pytest.raises(ValueError, match="datetime64"):
        RVR(gamma=0.5).partial_fit(rows, y, days)


# Types that are not taken.

NOT_TAKEN = {
    "sparse": (lambda: csr_array(X), "dense data is required"),
    "a lazy table": (lambda: polars.LazyFrame({"a": X[:, 0]}), "X is a lazy frame"),
    "names of several types": (lambda: pd.DataFrame(X, columns=[0, "a"]), "string names"),
    "dictionaries": (lambda: np.array([[{}, {}]] * N), "float"),
}


@pytest.mark.parametrize("what", NOT_TAKEN)
def test_types_that_are_not_taken_are_value_errors_too(what):
    """scikit-learn has a TypeError for these, which its checks ask for."""
    make, words = NOT_TAKEN[what]
    plain = RVR(kernel="laplacian", gamma=0.5).fit(X, Y)
    for ask in (lambda: clone(plain).fit(make(), Y), lambda: plain.predict(make())):
        for kind in (ValueError, TypeError):
            with pytest.raises(kind, match=words):
                ask()


# Labels.

TWICE = N // 2
BAD_LABELS = {
    "texts and numbers": (["a", 1] * TWICE, "texts such as 'a' and numbers such as 1"),
    "objects": (np.array([1.5, "a"] * TWICE, object), "numbers such as 1.5 and texts such as 'a'"),
    "texts and truth": (["a", True] * TWICE, "texts such as 'a' and numbers such as True"),
    "texts and None": (["a", None] * TWICE, "holds None in row 1, which is no label"),
    "numbers and None": ([1, None] * TWICE, "holds None in row 1, which is no label"),
    "pandas NA": (pd.Series(["a", pd.NA] * TWICE, dtype="string"), "holds <NA> in row 1"),
    "categories": (pd.Series(pd.Categorical(["a", None] * TWICE)), "holds nan in row 1"),
    "bytes": ([b"a", b"b"] * TWICE, r"bytes such as b'a'.*label\.decode\(\)"),
    "arrays of bytes": (np.array([b"a", b"b"] * TWICE), "bytes such as b'a'"),
    "sets": ([{1}, {2}] * TWICE, "set such as {1}"),
    "dates": ([datetime.date(2024, 1, 1 + k) for k in (0, 1)] * TWICE, "date such as"),
}


@pytest.mark.parametrize("likelihood", ["categorical", "ordinal"])
@pytest.mark.parametrize("what", BAD_LABELS)
def test_labels_that_cannot_be_told_apart_are_refused(what, likelihood):
    y, message = BAD_LABELS[what]
    with pytest.raises(ValueError, match=message):
        RVC(**FIT, likelihood=likelihood).fit(X, y)


@pytest.mark.parametrize(
    "y",
    [
        list(LABELS),
        LABELS.astype(object),
        pd.Series(LABELS, dtype="category"),
        pd.Series(LABELS, dtype="string"),
        (LABELS == "low").tolist(),
        [int(each) for each in LABELS == "low"],
    ],
)
def test_other_labels_are_taken_as_they_are(y):
    assert set(RVC(**FIT).fit(X, y).classes_) == set(y)


@pytest.mark.parametrize(
    ("y", "word"),
    [
        ([1.5, "a"] * TWICE, "'a'"),
        (np.array([1.5, "a"] * TWICE, object), "'a'"),
        (pd.Series([1, pd.NA, "b"] * N, dtype=object)[:N], "'<NA>'"),
        (pd.date_range("2024-05-01", periods=N), "'2024-05-01"),
    ],
)
def test_targets_that_are_no_numbers_are_named(y, word):
    with pytest.raises(ValueError, match=f"y of RVR must hold numbers, got {word}"):
        RVR(**FIT).fit(X, y)


# Columns of tables.

DAYS = pd.date_range("2024-01-01", periods=N)
NO_NUMBERS = {
    "dates": (DAYS, "dates, datetime64.*days since a date"),
    "dates of a place": (DAYS.tz_localize("Europe/Paris"), "dates, datetime64.*days since a date"),
    "durations": (DAYS - DAYS[0], "durations, timedelta64.*such as seconds"),
    "periods": (DAYS.to_period("D"), r"Period\('2024-01-01', 'D'\) in row 0.*days since"),
    "days": ([datetime.date(2024, 1, 1)] * N, r"datetime.date\(2024.*days since a date"),
    "texts": (["a", "b"] * TWICE, "'a' in row 0, of type str.*OneHotEncoder"),
    "a text": ([*range(N - 1), "x"], f"'x' in row {N - 1}, of type str.*OneHotEncoder"),
    "categories": (pd.Categorical(["a", "b"] * TWICE), "'a' in row 0.*OneHotEncoder"),
    "categories of dates": (pd.Categorical(DAYS), "dates, datetime64.*days since a date"),
    "intervals": (pd.cut(X[:, 0], 4), r"Interval\("),
    "None": (np.array([1.0, None] * TWICE, object), "None in row 1, .*SimpleImputer"),
    "NA of pandas": (pd.array([1, None] * TWICE, dtype="Int64"), "<NA> in row 1, .*SimpleImputer"),
    "lists": ([[1, 2]] * N, r"\[1, 2\] in row 0, of type list"),
    "bytes": ([b"a"] * N, "b'a' in row 0, of type bytes"),
}
# What pandas alone has, or makes numbers of on the way to the others.
OF_PANDAS = {"periods", "intervals", "a text", "None", "NA of pandas", "categories of dates"}
FRAMES = {"polars": polars.from_pandas, "pyarrow": pa.Table.from_pandas}


@pytest.mark.parametrize("what", NO_NUMBERS)
def test_the_column_of_pandas_that_is_no_number_is_named(what):
    values, message = NO_NUMBERS[what]
    table = TABLE.assign(day=values)
    fitted = RVR(**FIT).fit(TABLE.assign(day=1.0 * np.arange(N)), Y)
    for ask in (
        lambda: RVR(**FIT).fit(table, Y),
        lambda: RVR(**FIT).fit(table[["day"]], Y),
        lambda: RVC(**FIT).fit(table, LABELS),
        lambda: RVR(gamma=0.5).partial_fit(table, Y),
        lambda: fitted.predict(table),
        lambda: EvidenceSearch(RVR(**FIT), {"gamma": [1.0]}).fit(table, Y),
    ):
        with pytest.raises(ValueError, match=f"column 'day' of X holds {message}"):
            ask()
    with pytest.raises(ValueError, match=r"column 'day'"):
        fitted.to_portable().predict(table)


@pytest.mark.parametrize("library", FRAMES)
@pytest.mark.parametrize("what", [name for name in NO_NUMBERS if name not in OF_PANDAS])
def test_so_it_is_in_other_tables(what, library):
    make = FRAMES[library]
    table = make(TABLE.assign(day=NO_NUMBERS[what][0]))
    fitted = RVR(**FIT).fit(make(TABLE.assign(day=1.0 * np.arange(N))), Y)
    for ask in (
        lambda: RVR(**FIT).fit(table, Y),
        lambda: fitted.predict(table),
        lambda: fitted.to_portable().predict(table),
    ):
        with pytest.raises(ValueError, match=r"column 'day' of X holds .*; expected numbers: "):
            ask()


@pytest.mark.parametrize("library", FRAMES)
def test_a_loaded_model_takes_tables_of_other_libraries(library):
    model = RVR(**FIT).fit(TABLE, Y)
    table = FRAMES[library](TABLE)
    assert model.to_portable().predict(table) == pytest.approx(model.predict(TABLE), rel=1e-9)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.array([[1.0, "a"]] * N, object), "column 1 of X holds 'a' in row 0"),
        ([[1.0, datetime.date(2024, 1, 1)]] * N, "column 1 of X holds datetime.date"),
        (np.array([["2024-01-01"] * 2] * N, "datetime64[D]"), "column 0 of X holds dates"),
        (np.array([["1", "b"]] * N), "column 1 of X holds 'b' in row 0"),
    ],
)
def test_so_it_is_in_arrays_and_lists(model, values, message):
    for ask in (
        lambda: RVR(**FIT).fit(values, Y),
        lambda: model.predict(values),
        lambda: model.to_portable().predict(values),
    ):
        with pytest.raises(ValueError, match=message):
            ask()


def test_a_long_text_is_told_in_few_letters(model):
    for ask in (
        lambda: model.predict(np.array([[1.0, 10_000 * "a"]], object)),
        lambda: RVC(**FIT).fit(X, [*(N - 1) * [1], 10_000 * "a"]),
    ):
        with pytest.raises(ValueError, match="aaa") as caught:
            ask()
        assert len(str(caught.value)) < 300


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_matrices_are_refused(model):
    for ask in (
        lambda: RVR(**FIT).fit(np.matrix(X), Y),
        lambda: model.predict(np.matrix(X)),
        lambda: model.to_portable().predict(np.matrix(X)),
    ):
        with pytest.raises(ValueError, match=r"X is an np.matrix, .*: pass np.asarray\(X\)"):
            ask()
    for estimator in (RVR(**FIT), RVC(**FIT)):
        with pytest.raises(ValueError, match=r"y is an np\.matrix"):
            estimator.fit(X, np.matrix(LABELS == "low").T)


def test_numbers_in_other_clothes_are_taken_as_they_are(model):
    expected = model.predict(X)
    for table in (
        TABLE.astype(object),
        TABLE.astype("Float64"),
        TABLE.astype(str),
        TABLE.astype("category"),
        X.tolist(),
    ):
        assert clone(model).fit(table, Y).predict(table) == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
def test_dates_in_a_dask_table_are_refused():
    dask = pytest.importorskip("dask.array")
    days = np.broadcast_to(DAYS.to_numpy()[:, None], (N, 2))
    with pytest.raises(ValueError, match=r"dates, datetime64"):
        RVR(**FIT).fit(dask.from_array(days, chunks=10), dask.from_array(Y, chunks=10))


# One row.


@pytest.mark.parametrize(
    "estimator", [RVR(**FIT), RVR(), SparseBayesRegressor(), RVR(**FIT, likelihood="poisson")]
)
def test_one_row_of_positive_weight_is_refused_as_one_row_is(estimator):
    y = np.arange(float(N))
    with pytest.raises(ValueError, match="1 sample"):
        clone(estimator).fit(X[:1], y[:1])
    for weight in (np.eye(N)[0], np.where(np.arange(N) == 3, 1.0, 1e-13)):
        with pytest.raises(ValueError, match="sample_weight is positive for one row"):
            clone(estimator).fit(X, y, sample_weight=weight)


def test_so_it_is_where_rows_come_bit_by_bit():
    with pytest.raises(ValueError, match="sample_weight is positive for one row"):
        RVR(gamma=0.5).partial_fit(X, Y, np.eye(N)[0])
    model = RVR(gamma=0.5, centres=10).partial_fit(X, Y)
    model.partial_fit(X[:3], Y[:3], np.eye(3)[0])  # one more row is well


def test_one_class_of_positive_weight_names_sample_weight():
    with pytest.raises(ValueError, match=r"class.* sample_weight"):
        RVC(**FIT).fit(X, LABELS, sample_weight=LABELS == "low")
    search = EvidenceSearch(RVC(**FIT), {"gamma": [1.0]})
    with pytest.raises(ValueError, match=r"class.* sample_weight"):
        search.fit(X, LABELS, sample_weight=LABELS == "low")
