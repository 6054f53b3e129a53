"""Studies of columns of your own: dictionaries, matching pursuit, MUSIC, scores, and reports."""

import numpy as np
import pytest
from sklearn.linear_model import OrthogonalMatchingPursuit

from sparsebayes import SparseBayesRegressor
from sparsebayes.basis import Linear
from studies.columns import (
    arrays,
    directions,
    mixtures,
    ours,
    peers,
    phase,
    problems,
    recovery,
    scores,
    spectra,
)
from studies.columns.matching import pursuit
from studies.columns.problems import Size
from studies.framework.experiment import Figure, Table

SMALL = Size(60, 100, 4)
ALL = {
    "plain": problems.plain(0, SMALL, 0.05),
    "neighbours": problems.plain(0, SMALL, 0.05, neighbours=True),
    "zeros": problems.mostly_zero(0, SMALL, 0.05, 0.1),
    "shared": problems.shared(0, SMALL, 0.05, 3),
    "grouped": problems.grouped(0, SMALL, 0.05, 5),
    "complex": problems.turning(0, SMALL, 0.05),
}


def dense(X):
    return X if isinstance(X, np.ndarray) else X.toarray()


@pytest.mark.parametrize("one", ALL.values(), ids=ALL)
def test_columns_have_unit_norm_and_the_noise_is_as_stated(one):
    X = dense(one.X)
    np.testing.assert_allclose(np.linalg.norm(X, axis=0), 1.0)
    clean = X @ one.weights
    noise = np.sqrt(np.mean(np.abs(one.y - clean) ** 2))
    assert one.noise == pytest.approx(0.05 * np.sqrt(np.mean(np.abs(clean) ** 2)))
    assert noise == pytest.approx(one.noise, rel=0.3)


def test_neighbours_are_correlated_and_active_ones_apart():
    X = problems.gaussian(np.random.default_rng(0), 5000, 30, neighbours=True)
    beside = np.einsum("ij,ij->j", X[:, :-1], X[:, 1:])
    np.testing.assert_allclose(beside, problems.CORRELATION, atol=0.02)
    for seed in range(20):
        where = problems.places(np.random.default_rng(seed), 40, 6, problems.APART)
        assert np.diff(where).min() >= problems.APART
        assert where.max() < 40


def test_sparse_columns_have_the_same_number_of_entries():
    X = problems.sparse_columns(np.random.default_rng(0), 100, 50, 0.05)
    assert X.has_canonical_format
    np.testing.assert_array_equal(np.diff(X.indptr), 5)


def test_active_groups_are_whole():
    one = ALL["grouped"]
    assert one.n_active == 5 * SMALL.active
    assert len(np.unique(one.groups[one.support])) == SMALL.active


def test_pursuit_is_that_of_scikit_learn_for_one_output():
    one = ALL["plain"]
    model = OrthogonalMatchingPursuit(n_nonzero_coefs=4, fit_intercept=False).fit(one.X, one.y)
    np.testing.assert_allclose(pursuit(one.X, one.y, 4), model.coef_, atol=1e-12)


@pytest.mark.parametrize("name", ["plain", "shared", "grouped", "complex"])
def test_pursuit_that_is_told_finds_the_active_columns(name):
    one = ALL[name]
    what = peers.pursuit_told(one)
    assert what.weights.shape == one.weights.shape
    found = scores.score(one, what)
    assert found["exact"] == 1
    assert found["error"] < 0.1


def test_complex_pursuit_fits_by_least_squares():
    one = ALL["complex"]
    weights = pursuit(one.X, one.y, 4)
    kept = weights != 0
    gradient = one.X[:, kept].conj().T @ (one.y - one.X @ weights)
    np.testing.assert_allclose(gradient, 0.0, atol=1e-12)


def test_score_counts_false_and_missed_columns():
    one = ALL["plain"]
    weights = one.weights.copy()
    weights[np.flatnonzero(one.support)[0]] = 0.0
    weights[np.flatnonzero(~one.support)[:2]] = 1.0
    found = scores.score(one, scores.Found(weights, 2.0 * one.noise))
    assert (found["false"], found["missed"], found["exact"]) == (2, 1, 0)
    assert found["noise"] == pytest.approx(2.0)
    assert scores.score(one, scores.Found(one.weights))["error"] == 0.0


@pytest.mark.parametrize("name", ["plain", "zeros", "shared"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_found_weights_are_those_that_predict(name):
    one = ALL[name]
    model = SparseBayesRegressor(Linear(), fit_intercept=False).fit(one.X, one.y)
    kept, weights = ours.found(model)
    assert weights.shape == one.weights.shape
    assert kept.sum() == len(model.column_names_)
    np.testing.assert_allclose(dense(one.X) @ weights, model.predict(one.X), atol=1e-10)


def test_peers_are_left_out_where_they_take_long():
    assert peers.ARD in recovery.methods_of("noise-01", 600, 0)
    assert peers.ARD not in recovery.methods_of("noise-01", 600, 3)
    always = {ours.OURS, peers.OMP_TOLD}
    assert set(recovery.methods_of("noise-01", 100_000, 0)) == always
    assert set(recovery.methods_of("noise-05", 100_000, 0)) == {*always, peers.LASSO}
    assert set(recovery.methods_of("noise-05", 100_000, 1)) == always
    assert set(recovery.methods_of("noise-01", 60, 0)) == {ours.OURS, *peers.METHODS}


@pytest.mark.skipif(peers.fastrvm is None, reason="fastrvm is not installed")
def test_core_of_fastrvm_takes_columns():
    assert scores.score(ALL["plain"], peers.fast_rvm(ALL["plain"]))["missed"] == 0


def test_share_of_exact_cells_ends_where_the_first_fails():
    column = np.array([1.0, 0.9, 0.5, 0.4, 0.6, *[0.0] * 5])
    assert phase._up_to(column) == "0.15"
    assert phase._up_to(np.zeros(10)) == "none"
    assert phase._up_to(np.full(10, np.nan)) == "-"


def test_phase_diagram_is_whole_and_drawn():
    from matplotlib.figure import Figure as Canvas

    results = {
        task.key: {
            "weights": task.arguments[0],
            "rows": task.arguments[1],
            "share": task.arguments[2],
            **{name: {"exact": 1.0, "seconds": 0.1} for name in phase.METHODS},
        }
        for task in phase.tasks(False)
    }
    table, figure = phase.report(results)
    assert isinstance(table, Table)
    assert isinstance(figure, Figure)
    assert all(row[2] == "100" for row in table.rows)
    canvas = Canvas()
    figure.draw(canvas)
    canvas.draw_without_rendering()


def test_steering_is_a_plane_wave():
    columns = arrays.steering(np.array([0.0, 30.0, 90.0]), 4)
    np.testing.assert_allclose(columns[:, 0], 1.0)
    np.testing.assert_allclose(columns[:, 1], [1, 1j, -1, -1j], atol=1e-12)
    np.testing.assert_allclose(columns[:, 2], [1, -1, 1, -1], atol=1e-12)


def test_two_sources_are_close_and_the_third_is_far():
    for seed in range(50):
        gaps = np.diff(arrays.scene(seed, 20.0, 1).angles)
        assert min(gaps) == arrays.CLOSE
        assert max(gaps) >= arrays.FAR


def test_music_finds_sources_but_not_coherent_ones_unless_smoothed():
    plain = [arrays.scene(seed, 20.0, 20) for seed in range(5)]
    together = [arrays.scene(seed, 20.0, 20, coherent=True) for seed in range(5)]
    assert all(_exact(arrays.music(one), one) for one in plain)
    assert sum(_exact(arrays.music(one), one) for one in together) <= 1
    assert all(_exact(arrays.smoothed_music(one), one) for one in together)


def _exact(found, one) -> bool:
    return bool(directions.score(found, one.angles)["exact"])


def test_power_of_noise_and_of_sources_is_as_stated():
    one = arrays.scene(0, 10.0, 20_000)
    assert one.noise**2 == pytest.approx(0.1)
    assert np.mean(np.abs(one.heard) ** 2) == pytest.approx(3.1, rel=0.05)


def test_kept_neighbours_are_one_source():
    power = np.zeros(len(arrays.GRID))
    power[[90, 91, 100]] = 3.0, 1.0, 2.0
    np.testing.assert_allclose(directions.merged(power), [0.25, 10.0])
    assert len(directions.merged(np.zeros(len(arrays.GRID)))) == 0


def test_angles_count_only_if_there_are_no_others():
    truth = np.array([-10.0, 0.0, 40.0])
    assert directions.score(truth + 1.0, truth) == {"exact": 1, "found": 3, "error": 1.0}
    assert directions.score(np.append(truth, 60.0), truth)["exact"] == 0
    assert directions.score(truth + 3.0, truth)["error"] is None


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_directions_are_reported_and_drawn_from_given_weights():
    from matplotlib.figure import Figure as Canvas

    one = directions.drawn("20dB", 0)
    weights = pursuit(arrays.steering(arrays.GRID), one.heard, 3)
    kept = problems.active(weights)
    curves = directions.curves(one, kept, weights, np.full(kept.sum(), 0.1))
    found = {**directions.peer_scores(one), directions.CURVES: curves}
    _, table, figure = directions.report({"20dB-00": found})
    assert [row[1] for row in table.rows] == list(directions.PEERS)
    canvas = Canvas()
    figure.draw(canvas)
    canvas.draw_without_rendering()


@pytest.mark.parametrize("kind", mixtures.KINDS)
def test_spectra_are_standardised_and_their_targets_have_the_error_of_the_reference(kind):
    one = mixtures.spectra(kind, 0)
    assert one.X.shape == (60, 700)
    np.testing.assert_allclose(one.X.mean(axis=0), 0.0, atol=1e-9)
    everything = np.vstack([one.X_new, one.X])
    targets = np.concatenate([one.y_new, one.y])
    left = np.linalg.lstsq(np.c_[everything, np.ones(len(targets))], targets)[1]
    assert np.sqrt(left[0] / (len(targets) - 701)) > 0.9 * mixtures.REFERENCE


def test_pls_is_chosen_by_cross_validation_and_covers():
    one = mixtures.spectra("bands", 0)
    found = spectra.measured(one, spectra.pls(one), 0.0)
    assert 0.4 < found["error"] < 0.8
    assert found["coverage"] == pytest.approx(90.0, abs=7.0)
