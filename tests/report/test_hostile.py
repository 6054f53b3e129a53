"""Rows and models that a page could break at."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from carried import X, Y, fitted
from scipy.sparse import random as random_matrix
from sklearn.exceptions import ConvergenceWarning

from sparsebayes import RVC, RVR, Bias, Linear, SparseBayesRegressor
from sparsebayes.model.face import TableColumn, TableInputs
from sparsebayes.report import report

pytestmark = pytest.mark.slow


def numbers(n_rows, n_inputs, seed=0):
    random = np.random.default_rng(seed)
    rows = random.normal(size=(n_rows, n_inputs))
    return rows, rows[:, 0] + 0.1 * random.normal(size=n_rows)


def page_text(model, rows, target, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(rows, target)
    return report(model, rows, target, **options)


def test_texts_of_a_table_are_categories(page_of):
    random = np.random.default_rng(0)
    town, size = random.integers(0, 3, 90), random.normal(size=90)
    table = TableInputs(
        (TableColumn("town", ("Lille", "<b>", "O'Fallon")), TableColumn("size")), "price"
    )
    inputs = np.column_stack([np.eye(3)[town], size])
    target = np.array([1.0, 2.0, 4.0])[town] + size + 0.1 * random.normal(size=90)
    model = RVR().fit(inputs, target).to_portable()
    object.__setattr__(model.face, "table", table)
    page = page_of(report(model, inputs, target))
    assert "A model of price" in page.text
    assert "4, of 2 columns of a table" in page.text
    assert "x[0] is town=Lille" in page.text
    found = re.search(
        r"town: the average price is lowest at (\S+), .*? highest at (\S+), ", page.text
    )
    assert (found[1], found[2]) == ("Lille", "O'Fallon")


def test_a_function_in_place_of_a_kernel_is_no_obstacle(page_of):
    def bell(a, b):
        return np.exp(-np.sum((a[:, None] - b) ** 2, axis=2))

    page = page_of(page_text(RVR(kernel=bell), X, Y))
    assert "In Python only" in page.text
    assert "the function bell" in page.text
    assert " at 0x" not in page.source


@pytest.mark.long
def test_several_outputs_have_their_own_figures(page_of):
    rows, _ = numbers(60, 2)
    target = pd.DataFrame(rows @ np.ones((2, 5)) + 0.1 * rows[:, [0]] ** 2, columns=list("pqrst"))
    target["q"] = rows[:, 1] + 0.1 * np.cos(9 * rows[:, 0])
    page = page_of(page_text(RVR(), rows, target))
    assert page.text.count("On rows that it had not seen") == 5
    assert "Only the first 4 outputs are shown" in page.text


@pytest.mark.parametrize("n_inputs", [1, 300])
def test_one_input_and_many_inputs(n_inputs, page_of):
    page = page_of(page_text(RVR(), *numbers(100, n_inputs)))
    assert "x0 matters most" in page.text
    assert ("more inputs (300) than rows (100)" in page.text) == (n_inputs == 300)


def test_a_wide_linear_model_shows_its_coefficients(page_of):
    rows, target = numbers(80, 300)
    model = SparseBayesRegressor(Linear() + Bias())
    page = page_of(page_text(model, rows, target))
    used = np.count_nonzero(model.coef_)
    assert f"uses {used} of 300 inputs" in page.text
    stated = re.search(r"<th scope=\"row\">x0</th><td class=\"number\">([\d.]+)\xa0±", page.source)
    assert float(stated[1]) == pytest.approx(model.coef_[0], abs=6e-4)


@pytest.mark.parametrize("model", [RVR(), SparseBayesRegressor(Linear() + Bias())])
def test_sparse_inputs(model, page_of):
    rows = random_matrix(80, 30, density=0.3, format="csr", random_state=0)
    target = rows.toarray()[:, 0] * 5 + 0.1 * np.cos(np.arange(80.0))
    page_of(page_text(model, rows, target))


def test_twenty_rows_have_rough_figures(page_of):
    page = page_of(page_text(RVR(), *numbers(20, 3)))
    assert "There are only 20 rows" in page.text


def test_five_rows_have_no_figures(page_of):
    page = page_of(page_text(RVR(), *numbers(5, 3)))
    assert "could not be found out" in page.text
    assert "5 rows are too few" in page.text


def test_a_class_of_one_row_is_named(page_of):
    rows, _ = numbers(40, 2)
    page = page_of(page_text(RVC(), rows, np.array(["a"] * 20 + ["b"] * 19 + ["lonely"])))
    assert "The class lonely has one row" in page.text


def test_constant_inputs_are_named(page_of):
    rows, target = numbers(60, 3)
    rows[:, 1] = 7.0
    page = page_of(page_text(RVR(), rows, target))
    assert "x1 has the same value in all rows" in page.text


def test_a_constant_target(page_of):
    rows, _ = numbers(60, 3)
    page = page_of(page_text(RVR(), rows, np.full(60, 3.0)))
    assert "there is nothing to predict" in page.text


def test_a_target_of_noise_is_no_better_than_its_mean(page_of):
    rows, _ = numbers(60, 3)
    page = page_of(page_text(RVR(), rows, np.random.default_rng(5).normal(size=60)))
    assert "not clearly better than predicting the mean" in page.text


def test_a_model_of_nothing(page_of):
    page = page_of(report(fitted("sigmoid kernel"), X, Y))
    assert "the model uses no input" in page.text
    assert "There is nothing in the model" in page.text


def test_extreme_units(page_of):
    rows, target = numbers(50, 2)
    page_of(page_text(RVR(), rows * 1e12, target * 1e-12))


def test_fifteen_classes(page_of):
    rows, _ = numbers(150, 2)
    page = page_of(page_text(RVC(), rows, np.arange(150) % 15))
    assert "Only the 12 most common classes are shown" in page.text


@pytest.mark.long
def test_many_rows_are_split_once(page_of):
    page = page_of(page_text(RVR(), *numbers(5100, 3)))
    assert "fitted once more, to 4080 of them, and predicted the other 1020" in page.text


def test_a_noise_of_rows_that_is_not_known_here_is_said_to_be_missing(page_of):
    rows, target = numbers(60, 2)
    model = RVR(noise_std="factor").fit(rows, target, noise_std=np.full(60, 0.1))
    page = page_of(report(model, rows, target))
    assert "could not be fitted again to a part of the rows" in page.text


def test_rows_of_another_model_are_remarked_on():
    text = report(fitted("default"), X[::-1], Y[::-1])
    assert "these are not the rows that it was fitted to" in text
