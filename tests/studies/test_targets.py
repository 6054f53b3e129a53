"""Studies of other targets: their data, their scores, and what is plugged into distributions."""

import numpy as np
import pytest
from scipy.stats import nbinom, poisson

from studies.framework.experiment import MissingDataError
from studies.targets import agreement, counts, noise, outliers
from studies.targets.data import economy, marriages, publications, run_times, trips
from studies.targets.ordinal import ranked_probability_score
from studies.targets.peers import HuberOnKernels
from studies.targets.shown import by_measure, by_method


@pytest.mark.parametrize("name", outliers.TITLES)
def test_draws_of_a_seed_differ_by_their_outliers_only(name):
    none, some = (outliers.spoiled(name, share, 3, 50) for share in (0, 20))
    assert np.array_equal(none.X, some.X)
    for part in ("y", "y_new"):
        shift = np.abs(getattr(some, part) - getattr(none, part))
        assert np.mean(shift > 0.0) == pytest.approx(0.2)
        assert shift.max() == pytest.approx(10.0 * outliers.NOISE[name])


def test_a_requirement_is_judged_by_means_over_draws():
    none = {"error": 1.0}
    results = {
        f"{name}-{share}-00": dict.fromkeys(outliers.METHODS, none)
        for name in outliers.TITLES
        for share in ("00", "10")
    }
    results["sinc-10-00"] = {**results["sinc-10-00"], outliers.STUDENT: {"error": 1.3}}
    rows = outliers.asked(results).rows
    assert rows[0][2:] == ["0.0 %", "yes", "30.0 %", "no"]
    assert rows[1][2:] == ["0.0 %", "yes", "0.0 %", "yes"]


def test_results_are_kept_by_measure_and_read_by_method():
    found = {"a": {"error": 1.234567, "df": 3.0}, "b": {"error": 2.0}}
    kept = by_measure(found, ["a", "b"])
    assert kept == {"error": [1.2346, 2.0], "df": [3.0, None]}
    assert by_method({"one": kept}, ["a", "b"])["one"]["b"] == {"error": 2.0}


def test_huber_leaves_outliers_aside():
    random = np.random.default_rng(0)
    X = random.uniform(-2.0, 2.0, (60, 1))
    y = np.sin(X[:, 0])
    y[:5] += 30.0
    model = HuberOnKernels(np.array([0.5])).fit(X, y)
    assert np.abs(model.predict(X) - np.sin(X[:, 0])).max() < 0.1


def test_means_are_plugged_into_a_distribution():
    mean, y = np.array([0.5, 4.0]), np.array([0.0, 3.0])
    said = counts.plugged(mean, y)
    assert np.allclose(said.log_probability, poisson(mean).logpmf(y))
    said = counts.plugged(mean, y, 0.5)
    assert np.allclose(said.log_probability, nbinom(2.0, 2.0 / (2.0 + mean)).logpmf(y))
    assert np.all(said.low <= said.high)


@pytest.mark.parametrize("kind", counts.SIMULATED)
def test_simulated_counts_have_a_mean_of_about_three(kind):
    one, means = counts.simulated(kind, 0, 100)
    assert means.mean() == pytest.approx(3.0, abs=0.5)
    assert one.y_new.mean() == pytest.approx(means.mean(), rel=0.1)
    assert (one.exposure is not None) == (kind == "exposed")


def test_a_ranked_probability_score_counts_the_distance():
    sure = np.eye(3)
    assert ranked_probability_score(sure, np.arange(3)) == 0.0
    assert ranked_probability_score(sure[[0]], np.array([1])) == 0.5
    assert ranked_probability_score(sure[[0]], np.array([2])) == 1.0


SHAPES = {
    publications: (915, 5),
    trips: (659, 7),
    economy: (1525, 8),
    marriages: (601, 8),
    run_times: (4331, 24),
}


@pytest.mark.parametrize("load", SHAPES, ids=lambda load: load.__name__)
def test_real_sets_are_numbers(load):
    try:
        X, y = load()
    except MissingDataError as missing:
        pytest.skip(str(missing))
    assert X.shape == SHAPES[load]
    assert np.isfinite(X).all()
    assert np.array_equal(y, np.round(y))
    assert y.min() >= 0.0


def test_a_model_without_varying_noise_is_told_from_one_with():
    X = np.linspace(0.0, 1.0, 60)[:, None]
    y = np.random.default_rng(0).normal(size=60) * np.exp(3.0 * X[:, 0])
    rows = X, y, X, y
    assert not noise.METHODS[noise.GAUSSIAN](*rows).varies
    assert noise.METHODS[noise.VARYING](*rows).varies


def test_effects_are_found_by_both_libraries():
    pytest.importorskip("statsmodels")
    X, y = agreement.drawn("poisson", 0, 2000)
    for fit in (agreement.ours, agreement.theirs):
        found = agreement.quiet(lambda fit=fit: fit("poisson", X, y))
        assert np.allclose(found.coefficient, [agreement.CONSTANT, *agreement.EFFECTS], atol=0.1)
