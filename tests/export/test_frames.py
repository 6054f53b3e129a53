"""The columns of models as tables."""

import sys

import numpy as np
import pytest
from carried import KINDS, fitted

from sparsebayes import load
from sparsebayes.export import to_frame

pd = pytest.importorskip("pandas")


@pytest.mark.parametrize("name", KINDS)
def test_a_frame_has_the_weights_of_every_column(name):
    model = fitted(name)
    frame = model.to_frame()
    assert list(frame.index) == model.column_names_
    weights = frame.filter(regex=r"^weight(_\d+)?$").to_numpy()
    np.testing.assert_array_equal(weights.reshape(model.weights_.shape), model.weights_)
    std = frame.filter(regex=r"^weight(_\d+)?_std$").to_numpy()
    assert std.shape == weights.shape
    assert (std >= 0.0).all()
    if weights.shape[1] == 1 and hasattr(model, "covariance_"):
        np.testing.assert_allclose(std[:, 0], np.sqrt(np.diag(model.covariance_)))


def test_a_frame_has_the_vectors_and_their_rows():
    model = fitted("default")
    frame = to_frame(model)
    np.testing.assert_array_equal(frame["training_row"], model.relevance_)
    np.testing.assert_array_equal(frame[["x0", "x1"]], model.relevance_vectors_)


def test_plain_columns_have_no_row_and_no_vector():
    frame = to_frame(fitted("linear and kernel"))
    assert frame.loc["x0"].isna().sum() == 3
    assert frame["training_row"].dtype == "Int64"


@pytest.mark.parametrize("name", ["ordered", "poisson", "varying noise"])
def test_one_latent_value_has_one_weight_for_each_column(name):
    frame = to_frame(fitted(name))
    assert list(frame.columns) == ["training_row", "x0", "x1", "weight", "weight_std"]


def test_a_loaded_model_has_the_same_frame(tmp_path):
    fitted("default").save(tmp_path / "model.sbm")
    loaded = load(tmp_path / "model.sbm")
    pd.testing.assert_frame_equal(to_frame(loaded), to_frame(fitted("default")))


def test_without_pandas_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"sparsebayes\[cli\]"):
        to_frame(fitted("default"))
