"""A report says what it sees of samples that were measured several times before it vouches."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.datasets import make_friedman1 as friedman

from sparsebayes import RVC, RVR
from sparsebayes.diagnostics.twins import twins_in
from sparsebayes.report import report

SEEDS = range(3)


def spectra(random, n_samples=40, n_rows=4, noise=0.0, places=None):
    """Spectra of mixtures, each sample measured several times, and its content."""
    waves = np.linspace(0.0, 1.0, 200)
    parts = random.uniform(0.0, 4.0, (n_samples, 4))
    bands = np.exp(-(((waves - np.array([[0.15], [0.3], [0.45], [0.6]])) / 0.06) ** 2))
    drift = np.cumsum(random.normal(0.0, 0.0075, (n_samples, 200)), axis=1)
    rows = np.repeat(parts @ bands + drift, n_rows, axis=0)
    rows = rows * random.normal(1.0, 0.03, (len(rows), 1)) + random.normal(0, 0.1, (len(rows), 1))
    content = np.repeat(parts[:, 0], n_rows) + noise * random.normal(size=len(rows))
    content = content if places is None else content.round(places)
    return rows + random.normal(0.0, 0.003, rows.shape), content


def shuffled(rows, random):
    order = random.permutation(len(rows[1]))
    return rows[0][order], rows[1][order]


def plain(random, n_rows=200, n_inputs=10, noise=1.0):
    return friedman(n_rows, n_inputs, noise=noise, random_state=int(random.integers(10**6)))


def again(rows, part=1.0, random=None):
    """Rows, and a part of them once more."""
    n_again = int(part * len(rows[1]))
    return tuple(np.concatenate([each, each[:n_again]]) for each in rows)


def drawn(rows, random):
    """As many rows with replacement."""
    chosen = random.integers(0, len(rows[1]), len(rows[1]))
    return rows[0][chosen], rows[1][chosen]


def near(random, n_samples, n_rows, n_inputs, apart, noise=0.05):
    """Samples whose inputs and targets were both measured several times."""
    centre = np.repeat(random.normal(size=(n_samples, n_inputs)), n_rows, axis=0)
    target = np.sin(centre[:, 0]) + noise * random.normal(size=len(centre))
    return centre + apart * random.normal(size=centre.shape), target


def units(random, n_units, n_rows):
    """Rows over the life of a unit, whose target they share."""
    time = np.sort(random.uniform(size=(n_units, n_rows)), axis=1)
    own = random.normal(size=(n_units, 1, 3)) + 0.05 * random.normal(size=(n_units, n_rows, 3))
    rows = np.concatenate([time[:, :, None], own], axis=2).reshape(-1, 4)
    return rows, np.repeat(random.uniform(400.0, 1200.0, n_units), n_rows)


TWINS = {
    "spectra": spectra,
    "spectra in another order": lambda random: shuffled(spectra(random), random),
    "rounded contents": lambda random: spectra(random, places=1),
    "pairs of spectra": lambda random: spectra(random, 200, 2),
    "contents measured each time": lambda random: spectra(random, noise=0.05),
    "doubled rows": lambda random: again(plain(random)),
    "doubled rows of counts": lambda random: again((plain(random)[0], plain(random)[1].round())),
    "half of the rows doubled": lambda random: again(plain(random, 300), 0.5),
    "a sample with replacement": lambda random: drawn(plain(random, 300), random),
    "near rows": lambda random: near(random, 40, 4, 5, 0.01),
    "near rows, far off": lambda random: near(random, 40, 4, 5, 0.2),
    "near rows of one input": lambda random: near(random, 40, 4, 1, 0.001),
    "near pairs in another order": lambda random: shuffled(near(random, 100, 2, 3, 0.01), random),
    "ten units": lambda random: units(random, 10, 80),
    "thirty units": lambda random: units(random, 30, 20),
}


def levels(random, n_rows=400):
    """Ratings by ratings."""
    X = random.integers(1, 6, (n_rows, 4)).astype(float)
    return X, np.clip(np.round(X.mean(axis=1) + 0.7 * random.normal(size=n_rows)), 1, 5)


def grid(random, n_times=1):
    """All of three inputs, as often as this."""
    axes = np.meshgrid(np.arange(8.0), np.arange(5.0), np.arange(3.0))
    X = np.repeat(np.array(axes).reshape(3, -1).T, n_times, axis=0)
    return X, np.sin(X[:, 0]) + X[:, 1] + 0.3 * random.normal(size=len(X))


def categories(random, n_categories, numbers):
    code = random.integers(0, n_categories, 300)
    X = np.hstack([np.eye(n_categories)[code], random.normal(size=(300, numbers))])
    return X, random.normal(size=n_categories)[code] + 0.3 * random.normal(size=300)


def doses(random):
    X = np.repeat(np.exp(np.linspace(-3.0, 3.0, 10)), 5)[:, None]
    return X, 1.0 / (1.0 + X[:, 0]) + 0.05 * random.normal(size=50)


def counts(random):
    X = random.normal(size=(300, 4))
    return X, random.poisson(np.exp(1.0 + X[:, 0])).astype(float)


def clusters(random):
    X = 5.0 * random.normal(size=(6, 3))[random.integers(0, 6, 200)]
    return X + 0.3 * random.normal(size=X.shape), random.normal(size=200)


def changed(change):
    """Friedman's rows with another target."""

    def rows(random):
        X, y = plain(random, 300)
        return X, change(y, random)

    return rows


def messy(random):
    """Units, an offset, a constant and a code."""
    X, y = plain(random)
    code = np.where(random.uniform(size=200) < 0.03, -999.0, X[:, 0])
    return np.column_stack([1e6 + X * 10.0 ** np.arange(-5, 5), np.ones(200), code]), y


def series(random):
    X = np.cumsum(random.normal(size=(300, 3)), axis=0)
    return X, X[:, 0] + random.normal(size=300)


PLAIN = {
    "Friedman": plain,
    "30 rows": lambda random: plain(random, 30),
    "no noise": lambda random: plain(random, 100, noise=0.0),
    "one input": lambda random: near(random, 60, 1, 1, 0.0, 0.1),
    "more inputs than rows": lambda random: plain(random, 40, 60),
    "spectra, each once": lambda random: spectra(random, 60, 1),
    "ratings": levels,
    "a grid": grid,
    "a grid, four times": lambda random: grid(random, 4),
    "doses": doses,
    "categories": lambda random: categories(random, 12, 0),
    "many categories and a number": lambda random: categories(random, 60, 1),
    "counts": counts,
    "rounded": changed(lambda y, random: y.round(1)),
    "whole numbers": changed(lambda y, random: y.round()),
    "tens": changed(lambda y, random: y.round(-1)),
    "many zeros": changed(lambda y, random: np.where(random.uniform(size=300) < 0.6, 0.0, y)),
    "capped": changed(lambda y, random: np.minimum(y, 13.0)),
    "clusters": clusters,
    "a series": series,
    "messy": messy,
    "a constant target": changed(lambda y, random: np.zeros(300)),
}


@pytest.mark.parametrize("name", TWINS)
def test_twins_are_seen(name):
    for seed in SEEDS:
        assert twins_in(*TWINS[name](np.random.default_rng(seed)), of_classes=False)


@pytest.mark.parametrize("name", PLAIN)
def test_no_twins_are_seen_where_there_are_none(name):
    for seed in SEEDS:
        assert twins_in(*PLAIN[name](np.random.default_rng(seed)), of_classes=False) == ""


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
def test_classes_of_known_tables_have_no_twins(load):
    assert twins_in(*load(return_X_y=True), of_classes=True) == ""


def test_a_known_regression_has_no_twins():
    assert twins_in(*load_diabetes(return_X_y=True), of_classes=False) == ""


def test_twins_of_labels_are_seen():
    X, y = spectra(np.random.default_rng(0))
    assert "Rows stand in runs of 4" in twins_in(X, np.where(y > 2.0, "high", "low"), True)
    X, y = again(plain(np.random.default_rng(0)))
    assert "occur more than once" in twins_in(X, np.where(y > 14.0, "high", "low"), True)


def test_sparse_rows_and_several_outputs_are_looked_at_too():
    X, y = again(plain(np.random.default_rng(0)))
    said = twins_in(X, y, of_classes=False)
    assert twins_in(csr_array(X), y, of_classes=False) == said
    assert twins_in(X, np.column_stack([y, -y]), of_classes=False) == said
    assert twins_in(X * 1e300, y * 1e-300, of_classes=False) == said


def test_of_a_large_table_blocks_of_rows_are_looked_at():
    said = twins_in(*near(np.random.default_rng(0), 20_000, 4, 5, 0.01), of_classes=False)
    assert "stand in small groups" in said
    said = twins_in(*near(np.random.default_rng(0), 2000, 7, 5, 0.2), of_classes=False)
    assert "stand in runs of 7" in said


@pytest.fixture(scope="module")
def replicates():
    return spectra(np.random.default_rng(0), 20, 3)


@pytest.mark.slow
def test_a_page_on_replicates_says_so_before_it_vouches(replicates):
    page = report(RVR().fit(*replicates), *replicates)
    said = page.index("exactly the target of the row most like them")
    assert said < page.index("On rows that it had not seen")
    assert "Nothing else speaks against using it" not in page


@pytest.mark.slow
@pytest.mark.long
def test_a_page_on_new_rows_has_no_twins_to_speak_of(replicates):
    new = spectra(np.random.default_rng(1), 20, 3)
    assert "measured several times" not in report(RVR().fit(*replicates), *new, new=True)


@pytest.mark.slow
@pytest.mark.long
def test_a_page_on_plain_rows_says_nothing_of_twins():
    X, y = plain(np.random.default_rng(0), 60, 5)
    assert "measured several times" not in report(RVC().fit(X, y > 14.0), X, y > 14.0)


@pytest.mark.slow
def test_the_command_says_so_before_its_held_out_figures(tmp_path, capfd):
    from sparsebayes.cli.command import main

    X, y = again(plain(np.random.default_rng(0), 40, 5))
    table = tmp_path / "data.csv"
    names = ",".join([*"abcde", "y"])
    np.savetxt(table, np.column_stack([X, y]), delimiter=",", header=names, comments="")
    assert main(["fit", str(table), "--target", "y", "--out", str(tmp_path / "m.sbm")]) == 0
    told = capfd.readouterr()
    assert "held out" in told.out
    assert "warning: Of the rows, 100 % occur more than once, target included." in told.err
