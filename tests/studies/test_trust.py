"""Studies of trust: rows off the data, what is expected there, peers, and tables."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import kstest, norm
from sklearn.neighbors import NearestNeighbors

from sparsebayes.datasets import sinc
from studies import catalogue
from studies.beyond.trust import classes, ours, peers, regression, report, sets, spectra, wide
from studies.framework.experiment import Status

EXPERIMENTS = {one.name: one for one in catalogue.EXPERIMENTS}
ONE = sets.case("friedman1-tied", 0, n_train=40)


def beliefs(seed, n_rows=3):
    random = np.random.default_rng(seed)
    return random.normal(size=n_rows), random.uniform(0.5, 2.0, n_rows)


def test_expected_loss_is_that_of_many_targets():
    belief, truth = beliefs(0), beliefs(1)
    drawn = np.random.default_rng(2).normal(*truth, size=(200_000, 3))
    found = regression.expected_loss(belief, truth)
    assert found == pytest.approx(-norm.logpdf(drawn, *belief).mean(), abs=0.02)
    assert found > regression.expected_loss(truth, truth)


def test_expected_coverage_is_that_of_many_targets():
    belief, truth = beliefs(0), beliefs(1)
    assert regression.expected_coverage(truth, truth) == pytest.approx(90.0)
    drawn = np.random.default_rng(2).normal(*truth, size=(200_000, 3))
    inside = np.abs(drawn - belief[0]) < norm.ppf(0.95) * belief[1]
    assert regression.expected_coverage(belief, truth) == pytest.approx(100 * inside.mean(), abs=1)


def test_permuted_rows_have_the_values_of_each_column():
    rows = ONE.regions["permuted"]
    np.testing.assert_array_equal(np.sort(rows, axis=0), np.sort(ONE.sample.X_test, axis=0))
    again = sets.permuted(ONE.sample.X_test, 1)
    assert not np.array_equal(rows, again)


def test_rows_beyond_leave_the_range():
    X = ONE.sample.X
    rows = ONE.regions["beyond"]
    assert ((rows < X.min(axis=0)) | (rows > X.max(axis=0))).any(axis=1).all()
    assert 100 < len(rows) <= len(ONE.sample.X_test)


def test_one_input_has_nothing_to_permute():
    assert set(sets.case("sinc-gaussian", 0).regions) == {"beyond"}


def test_tied_inputs_are_uniform_and_off_their_surface_if_permuted():
    X = sets.tied_inputs(2000, 0)
    assert all(kstest(column, "uniform").statistic < 0.05 for column in X.T)
    nearest = NearestNeighbors(n_neighbors=1).fit(X[:1000])
    apart = [nearest.kneighbors(rows)[0].mean() for rows in (X[1000:], sets.permuted(X[1000:], 0))]
    assert apart[1] > 1.5 * apart[0]


def test_truth_is_scaled_as_the_targets():
    X = np.random.default_rng(0).normal(5.0, 3.0, (50, 1))
    made = sets.known("line", lambda rows: 7.0 - 2.0 * rows[:, 0], 0.0, 0, X, X, {"gap": X[:4]})
    np.testing.assert_allclose(made.truth["gap"], made.sample.y[:4], atol=1e-12)
    np.testing.assert_allclose(made.truth["beyond"], -made.regions["beyond"][:, 0])


def test_noise_is_scaled_as_the_targets():
    made = sets.case("friedman1", 0)
    residual = made.sample.y_noisy - made.sample.y_test
    assert residual.std() == pytest.approx(made.noise, rel=0.1)
    assert made.noise * made.sample.spread == pytest.approx(1.0)


def test_no_training_row_is_in_the_gap():
    made = sets.case("gap-sinc", 0)
    low, high = made.regions["gap"].min(), made.regions["gap"].max()
    for rows in (made.sample.X, made.sample.X_test):
        assert not ((rows > low) & (rows < high)).any()
        assert rows.min() < low
        assert rows.max() > high
    y, noise = made.truth["gap"], made.noise
    expected = sinc(np.linspace(*sets.GAP, 200)) * noise / sets.SINC_NOISE
    np.testing.assert_allclose(y - y[0], expected - expected[0], atol=1e-12)


def test_losses_off_the_data_are_least_for_the_process_itself():
    process = peers.one_width(ONE.sample)
    found = regression.off_data_measures(ONE, process, process)
    assert found["permuted_over"] == found["beyond_over"] == 0.0
    other = ours.fast(ONE.sample)
    found = regression.off_data_measures(ONE, other, process)
    assert found["permuted_over"] > 0.0
    assert {"permuted_loss", "beyond_coverage", "beyond_std"} <= set(found)


def test_covering_rows_are_counted_where_there_are_some():
    model = SimpleNamespace(covering_vectors_=np.zeros((10, 3)))
    assert ours.shares(ONE.sample, model, {"vectors": 4}) == {"share": 10.0, "covering": 25.0}
    assert ours.shares(ONE.sample, SimpleNamespace(), {}) == {}


class Fitted:
    """What novelty is asked of."""

    def predict(self, rows, return_std):
        return None, np.ones(len(rows))

    def novelty(self, rows):
        return np.zeros(len(rows))


def test_novelty_of_the_model_is_taken_where_it_has_covering_vectors(monkeypatch):
    model = Fitted()
    kinds = dict.fromkeys(("default", "fast", "gp"), lambda one: model)
    monkeypatch.setattr(regression, "MODELS", kinds)
    scores = regression.novelty_scores(ONE.sample)
    assert list(scores) == ["default", "fast", "gp", "nearest"]
    assert scores["nearest"](ONE.sample.X) == pytest.approx(0.0, abs=1e-6)
    model.covering_vectors_ = ONE.sample.X[:5]
    assert regression.novelty_scores(ONE.sample)["novelty"] == model.novelty


def test_far_rows_are_ten_ranges_away():
    X = np.random.default_rng(0).uniform(-3.0, [1.0, 2.0, 9.0], (30, 3))
    rows = classes.far_rows(X, 0)
    assert rows.shape == (20, 3)
    apart = np.abs(rows - X.mean(axis=0)) / np.ptp(X, axis=0)
    np.testing.assert_allclose(apart.max(axis=1), 10.0)


def test_who_says_the_base_rate_or_a_half_is_not_too_sure():
    assert classes.far_measures(np.array([0.3, 0.5, 0.7]), 0.3)["far_sure"] == pytest.approx(0)
    found = classes.far_measures(np.array([1.0, 1.0]), 0.3)
    assert found == pytest.approx({"far_rate": 0.7, "far_half": 0.5, "far_sure": 0.3})


def test_spectra_are_nearly_collinear():
    one = spectra.spectra("nir", 0)
    values = np.linalg.svd(one.X, compute_uv=False)
    assert one.X.shape == (150, 100)
    assert values[0] > 100 * values[10]
    assert (one.y_noisy - one.y_test).std() == pytest.approx(spectra.TARGET_NOISE, rel=0.2)


def test_which_inputs_matter():
    X = np.random.default_rng(0).normal(size=(20, 30))
    others = np.hstack([X[:, :3], X[:, 3:][:, ::-1]])
    np.testing.assert_array_equal(wide.three_matter(others), wide.three_matter(X))
    swapped = X[:, [*range(2, 30), 0, 1]]
    np.testing.assert_allclose(wide.all_alike(swapped), wide.all_alike(X))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_best_start_of_a_process_is_taken(monkeypatch):
    best = peers.one_width(ONE.sample).log_marginal_likelihood_value_
    assert len(peers.process(ONE.sample).kernel_.theta) == 12
    for start in peers.STARTS:
        monkeypatch.setattr(peers, "STARTS", (start,))
        assert peers.one_width(ONE.sample).log_marginal_likelihood_value_ <= best


def results(**values):
    """Two sets, of which the second has a value more than the first."""
    first = {f"default_{key}": value for key, value in values.items()}
    return {"boston-000": first, "auto-000": {key: value + 1 for key, value in first.items()}}


def test_a_loss_above_that_of_the_process_is_told():
    blocks = report.regression_report(results(over=0.01, coverage=90.0))
    verdicts = [block for block in blocks if hasattr(block, "status")]
    assert verdicts[0].status is Status.NOT
    assert "auto (+1.010)" in verdicts[0].why
    assert verdicts[1].status is Status.SKIPPED
    assert verdicts[-1].status is Status.REPRODUCED


def test_worst_draw_of_spectra_counts():
    values = {"nir-000": {"default_ratio_dense": 1.0}, "nir-001": {"default_ratio_dense": 1.3}}
    blocks = report.spectra_report(values)
    assert blocks[2].rows[0][:4] == ["nir", "default", "1.15 ± 0.15", "1.3"]
    assert blocks[3].status is Status.NOT
