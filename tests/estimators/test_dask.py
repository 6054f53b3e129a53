"""Rows of Dask collections: the same model by any scheduler, lazily predicted."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from many_rows_data import CLASSES, LABELS, NEW, N, X, Y
from numpy.testing import assert_allclose, assert_array_equal

from sparsebayes import RVC, RVR

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")

pytestmark = pytest.mark.slow


def arrays(rows=2500, columns=1):
    """X and y as arrays of Dask, cut in an awkward way."""
    return da.from_array(X, chunks=(rows, columns)), da.from_array(Y, chunks=1700)


def frame(npartitions=5):
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": Y, "label": LABELS})
    return dd.from_pandas(table, npartitions=npartitions)


@pytest.fixture(scope="module")
def expected():
    return RVR(centres=100).fit(X, Y)


@pytest.mark.parametrize("scheduler", ["threads", "synchronous"])
@pytest.mark.parametrize("rows", [900, 2500, N])
def test_any_scheduler_and_any_chunks_give_the_same_model(expected, scheduler, rows):
    with dask.config.set(scheduler=scheduler):
        model = RVR(centres=100).fit(*arrays(rows))
    assert_array_equal(model.predict(NEW), expected.predict(NEW))
    assert_array_equal(model.relevance_, expected.relevance_)
    assert model.noise_std_ == expected.noise_std_


def test_targets_and_weights_may_be_in_memory():
    weight = np.linspace(0.9, 1.1, N)
    model = RVR(centres=100).fit(arrays()[0], Y, sample_weight=weight)
    same = RVR(centres=100).fit(arrays()[0], arrays()[1], da.from_array(weight, chunks=999))
    whole = RVR(centres=100).fit(X, Y, weight)
    assert_array_equal(model.predict(NEW), whole.predict(NEW))
    assert_array_equal(same.predict(NEW), whole.predict(NEW))


@pytest.mark.parametrize(("kind", "y"), [(RVR, Y), (RVC, LABELS)])
@pytest.mark.parametrize("lazy", [False, True])
def test_odd_weights_are_told_once(kind, y, lazy):
    weight = np.full(N, 10.5)
    weight = da.from_array(weight, chunks=999) if lazy else weight
    with pytest.warns(UserWarning, match=f"They now sum to {N},") as seen:
        kind(gamma=0.5, centres=50).fit(arrays()[0], y, sample_weight=weight)
    told = [each for each in seen if "sample_weight was multiplied" in str(each.message)]
    assert [each.filename for each in told] == [__file__]


def test_known_noise_of_rows_needs_rows_in_memory():
    with pytest.raises(ValueError, match="noise_std of fit needs rows in memory"):
        RVR().fit(*arrays(), noise_std=np.ones(N))


def test_few_rows_may_have_known_noise():
    sigma = np.linspace(0.1, 0.3, 500)
    X_few, y_few = (each[:500] for each in arrays())
    model = RVR(gamma=0.5).fit(X_few, y_few, noise_std=da.from_array(sigma))
    expected = RVR(gamma=0.5).fit(X[:500], Y[:500], noise_std=sigma)
    assert_array_equal(model.predict(NEW), expected.predict(NEW))


def test_frames_have_names_and_partitions_may_be_empty(expected):
    table = frame()
    model = RVR(centres=100).fit(table[["a", "b"]], table["y"])
    assert list(model.feature_names_in_) == ["a", "b"]
    new = pd.DataFrame(NEW, columns=["a", "b"])
    assert_array_equal(model.predict(new), expected.predict(NEW))
    empty = dd.concat([table.partitions[0][lambda part: part.a > 100.0], table])
    same = RVR(centres=100).fit(empty[["a", "b"]], empty["y"])
    assert_array_equal(same.predict(new), expected.predict(NEW))


@pytest.mark.long
def test_classes_and_outputs():
    inputs, _ = arrays()
    for estimator, y in (
        (RVC(centres=60), LABELS),
        (RVC(centres=60), np.array(["low", "mid", "top"])[CLASSES]),
        (RVR(centres=60), np.column_stack([Y, X[:, 0] + Y[::-1]])),
    ):
        lazy = estimator.fit(inputs, da.from_array(y, chunks=1700)).predict(NEW)
        assert_array_equal(lazy, estimator.fit(X, y).predict(NEW))


def test_few_rows_are_loaded():
    inputs, y = arrays()
    model = RVR().fit(inputs[:200], y[:200])
    assert_array_equal(model.predict(NEW), RVR().fit(X[:200], Y[:200]).predict(NEW))
    RVR(inference="fast", gamma=0.5).fit(inputs[:200], y[:200])


def test_more_rows_of_dask(expected):
    inputs, y = arrays()
    model = (
        RVR(centres=100).partial_fit(inputs[:3000], y[:3000]).partial_fit(inputs[3000:], y[3000:])
    )
    same = RVR(centres=100).partial_fit(X[:3000], Y[:3000]).partial_fit(X[3000:], Y[3000:])
    assert_array_equal(model.predict(NEW), same.predict(NEW))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inference": "fast"}, "needs all rows in memory"),
        ({"centres": None}, "centres are too many"),
        ({"kernel": "precomputed"}, "precomputed kernel"),
    ],
)
def test_what_needs_all_rows_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        RVR(**change).fit(*arrays())


def test_other_refusals():
    inputs, y = arrays()
    with pytest.raises(ValueError, match="ovr"):
        RVC(multi_class="ovr").fit(inputs, y > 0.0)
    with pytest.raises(ValueError, match="separate"):
        RVR(multi_output="separate").fit(inputs, da.stack([y, y], axis=1))
    with pytest.raises(ValueError, match="X has 12000 rows, and y has 11999"):
        RVR().fit(inputs, y[:-1])
    with pytest.raises(TypeError, match="X is not"):
        RVR().fit(X, y)
    with pytest.raises(ValueError, match="requires y"):
        RVR().fit(inputs, None)


def chunk(k, n_columns):
    return np.full((4096, n_columns), float(k))


def test_a_chunk_that_is_not_what_it_says_is_named():
    pieces = [
        da.from_delayed(dask.delayed(chunk)(k, 3 if k == 2 else 2), (4096, 2), dtype=float)
        for k in range(3)
    ]
    with pytest.raises(ValueError, match=r"rows 8192 to 12287 has the shape \(4096, 3\)"):
        RVR(centres=50).fit(da.concatenate(pieces), np.arange(3.0 * 4096))


def test_nan_in_a_chunk_is_named():
    bad = X.copy()
    bad[9000, 1] = np.nan
    with pytest.raises(ValueError, match="row 9000, in block 2"):
        RVR(centres=50).fit(da.from_array(bad, chunks=(2500, 2)), arrays()[1])


# predictions


def test_predictions_of_arrays_are_lazy(expected):
    inputs, _ = arrays()
    mean, std = expected.predict(inputs, return_std=True)
    assert isinstance(mean, da.Array)
    assert mean.shape == std.shape == (N,)
    exact = expected.predict(X, return_std=True)
    rounding = 1e-12 * np.ptp(exact[0])  # effects may cancel, and a mean and a spread
    for lazy, own in zip(dask.compute(mean, std), exact, strict=True):
        assert_allclose(lazy, own, rtol=1e-12, atol=rounding)
    assert_allclose(expected.predict(inputs).compute(), exact[0], rtol=1e-12, atol=rounding)
    quantiles = expected.predict_quantiles(inputs, [0.1, 0.9]).compute()
    own = expected.predict_quantiles(X, [0.1, 0.9])
    assert_allclose(quantiles, own, rtol=1e-12, atol=rounding)


def test_predictions_of_several_outputs():
    both = np.column_stack([Y, X[:, 0]])
    model = RVR(centres=60, gamma=0.5, noise_std=None).fit(
        X[:500], both[:500] + 0.1 * Y[:500, None]
    )
    mean, std = model.predict(arrays()[0], return_std=True)
    assert_allclose(mean.compute(), model.predict(X), rtol=1e-9)
    assert std.shape == (N, 2)


def test_probabilities_are_lazy():
    inputs, _ = arrays()
    words = np.array(["no", "yes"])[LABELS]
    model = RVC(centres=60, gamma=0.5).fit(X[:500], words[:500])
    for method in ("predict_proba", "predict_log_proba", "decision_function", "predict"):
        lazy = getattr(model, method)(inputs)
        assert isinstance(lazy, da.Array)
        found, own = lazy.compute(), getattr(model, method)(X)
        if method == "predict":
            assert_array_equal(found, own)
        else:
            assert_allclose(found, own, rtol=1e-9)


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # Dask writes Parquet with it
def test_a_prediction_of_a_frame_is_written_block_by_block(tmp_path):
    table = frame()
    model = RVR(centres=60, gamma=0.5).fit(table[["a", "b"]], table["y"])
    mean, std = model.predict(table[["a", "b"]], return_std=True)
    table.assign(mean=mean, std=std).to_parquet(tmp_path / "out")
    assert len(list((tmp_path / "out").glob("*.parquet"))) == 5
    found = dd.read_parquet(tmp_path / "out").compute()
    own = model.predict(pd.DataFrame(X, columns=["a", "b"]), return_std=True)
    assert_allclose(found["mean"], own[0], rtol=1e-9)
    assert_allclose(found["std"], own[1], rtol=1e-9)


def test_probabilities_of_a_frame_have_a_column_for_each_class():
    table = frame()
    model = RVC(centres=60, gamma=0.5).fit(table[["a", "b"]], table["label"])
    lazy = model.predict_proba(table[["a", "b"]])
    assert list(lazy.columns) == ["0", "1"]
    own = model.predict_proba(pd.DataFrame(X, columns=["a", "b"]))
    assert_allclose(lazy.compute().to_numpy(), own, rtol=1e-9)
    assert model.predict(table[["a", "b"]]).compute().isin([0, 1]).all()


def test_other_inputs_are_refused_at_once(expected):
    with pytest.raises(ValueError, match="X has 1 features, but RVR is expecting 2"):
        expected.predict(arrays()[0][:, :1])
    with pytest.raises(ValueError, match="return_cov"):
        expected.predict(arrays()[0], return_cov=True)


# a cluster


@pytest.mark.long
def test_workers_give_the_same_model_even_if_one_is_killed_in_a_pass(tmp_path):
    pytest.importorskip("distributed")
    for name, values in (("X", X), ("y", Y), ("new", NEW)):
        np.save(tmp_path / f"{name}.npy", values)
    script = Path(__file__).parents[1] / "cluster.py"
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
        cwd=tmp_path,
    )
    assert json.loads(done.stdout.splitlines()[-1]) == {"workers": 0.0, "killed": 0.0, "lost": 1}


# without Dask


WITHOUT = """
import sys
sys.modules["dask"] = None
import numpy as np
from sparsebayes import RVR
RVR(gamma=0.5, centres=20).fit(np.zeros((12000, 1)) + np.linspace(0, 1, 12000)[:, None],
                               np.sin(np.arange(12000.0)))
try:
    import sparsebayes.rows.dask
except ImportError as error:
    print(error)
"""


def test_dask_is_not_needed_and_its_extra_is_named():
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WITHOUT], capture_output=True, text=True, check=True
    )
    assert "pip install 'sparsebayes[dask]'" in found.stdout
