"""Studies of the process: sets that repeat, measures, peers, and what is claimed of results."""

import json

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import log_loss

from studies import process
from studies.data.samples import regression_sample
from studies.framework.experiment import MissingDataError, Status, Verdict
from studies.process import claims, frames, labels, measuring, ours, peers, reading, sets, tasks
from studies.process.measuring import Belief


def drawn(name, seed=0):
    try:
        return sets.ALL[name](seed)
    except MissingDataError as missing:
        pytest.skip(str(missing))


# Reading these takes a second.
LARGE = ("grants",)


def named(names):
    return [pytest.param(name, marks=pytest.mark.slow) if name in LARGE else name for name in names]


@pytest.mark.parametrize("name", named(sets.ALL))
def test_a_draw_repeats_and_is_finite(name):
    one, again = drawn(name), drawn(name)
    for part, same in zip(one, again, strict=True):
        np.testing.assert_array_equal(part, same)
        assert np.isfinite(part).all()
    assert len(one.X) == len(one.y)
    assert 20 <= len(one.X_test) == len(one.y_test) <= frames.MOST_TEST_ROWS
    assert not np.array_equal(one.y, drawn(name, 1).y)


@pytest.mark.slow
def test_sizes_are_those_of_small_tables():
    for name in sets.REGRESSIONS:
        one = drawn(name)
        assert 60 <= len(one.X) <= 500
        assert one.y.dtype.kind == "f"
    assert sum(drawn(name).X.shape[1] <= 40 for name in sets.REGRESSIONS) >= 20


@pytest.mark.parametrize("name", [*sets.TWO_CLASSES, *sets.MANY_CLASSES])
def test_classes_are_numbered_and_in_both_parts(name):
    one = drawn(name)
    classes = np.arange(one.y.max() + 1)
    np.testing.assert_array_equal(np.unique(one.y), classes)
    np.testing.assert_array_equal(np.unique(one.y_test), classes)
    assert (len(classes) == 2) == (name in sets.TWO_CLASSES)
    assert 90 <= len(one.X) <= 500


@pytest.mark.parametrize("name", named(sets.WIDE))
def test_wide_sets_have_more_inputs_than_rows(name):
    one = drawn(name)
    assert one.X.shape[1] > len(one.X)
    assert 60 <= len(one.X) <= 200


def test_levels_become_columns():
    words = np.array(["b", "a", "c", "a"])
    np.testing.assert_array_equal(
        frames.levels(words), [[0, 1, 0], [1, 0, 0], [0, 0, 1], [1, 0, 0]]
    )
    np.testing.assert_array_equal(frames.levels(words[:2])[:, 0], [1, 0])
    np.testing.assert_array_equal(frames.levels(words[:1]), [[1]])


def test_crabs_have_a_class_for_each_species_and_sex():
    try:
        X, y = labels.crabs()
    except MissingDataError as missing:
        pytest.skip(str(missing))
    assert X.shape == (200, 5)
    assert list(np.bincount(y)) == [50] * 4


def test_twins_of_molecules_have_their_own_targets():
    one = drawn("molecules")
    twins = [
        (y, one.y[np.all(row == one.X, axis=1)])
        for row, y in zip(one.X_test, one.y_test, strict=True)
    ]
    apart = [abs(y - of[0]) for y, of in twins if len(of)]
    assert len(apart) >= len(one.X_test) // 10
    assert np.median(apart) > 0.1


def test_the_truth_is_free_of_noise():
    for name, formula in sets.TRUTHS.items():
        one = drawn(name)
        noise = one.y_test - formula(one.X_test)
        assert abs(noise.mean()) < 5 * noise.std() / len(noise) ** 0.5
        assert noise.std() < one.y_test.std()
    assert np.std(drawn("friedman1").y_test - formula_of("friedman1")) == pytest.approx(1, rel=0.1)


def formula_of(name):
    return sets.TRUTHS[name](drawn(name).X_test)


def test_measures_of_a_belief():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(50, 2)), random.normal(5.0, 3.0, 50)
    one = regression_sample("made", X, y, X, y, y)
    found = measuring.regression_measures(one, Belief(one.y_noisy - 0.5, np.ones(50)))
    assert found["error"] == pytest.approx(0.5)
    assert found["loss"] == pytest.approx(-norm.logpdf(0.5))
    assert found["coverage"] == 100.0
    assert "true" not in found
    named = one._replace(name="friedman1")
    found = measuring.regression_measures(named, Belief(one.y_test + 2 / one.spread, np.ones(50)))
    assert found["true"] == pytest.approx(4.0)


def test_measures_of_classes():
    one = measuring.scaled("monks", drawn("monks"))
    sure = np.where(one.y_test[:, None] == [0, 1], 0.9, 0.1)
    found = measuring.class_measures(one, sure)
    assert found == {"error": 0.0, "loss": pytest.approx(-np.log(0.9)), "auc": 1.0}
    shares = np.bincount(one.y) / len(one.y)
    expected = log_loss(one.y_test, np.tile(shares, (len(one.y_test), 1)))
    assert measuring.nothing_known(one)["loss"] == pytest.approx(expected)


def test_nothing_known_of_targets_is_their_spread():
    one = measuring.scaled("friedman1", drawn("friedman1"))
    found = measuring.nothing_known(one)
    assert found["error"] == pytest.approx(1.0, rel=0.15)
    assert found["loss"] == pytest.approx(1.42, abs=0.15)


@pytest.mark.parametrize("kind", ["hgb", "lgb", "cat"])
def test_boosting_has_a_spread_from_rows_held_out(kind):
    one = measuring.scaled("ethanol", drawn("ethanol"))
    try:
        found = peers.REGRESSION[kind](one)
    except MissingDataError as missing:
        pytest.skip(str(missing))
    assert found["error"] < 1.5
    assert 60.0 < found["coverage"] <= 100.0
    assert set(found) == {"error", "loss", "coverage", "seconds"}


def test_ours_is_given_the_table_and_measured_on_standardised_targets():
    one = drawn("ethanol")
    found = ours.measured("ethanol", one, {})
    moved = one._replace(y=40.0 + 7.0 * one.y, y_test=40.0 + 7.0 * one.y_test)
    again = ours.measured("ethanol", moved, {})
    assert found["error"] == pytest.approx(again["error"], rel=1e-4)
    assert found["loss"] == pytest.approx(again["loss"], abs=1e-3)
    assert found["share"] == pytest.approx(100.0 * found["vectors"] / 60)


def test_tasks_of_a_slow_peer_have_one_draw():
    keys = [task.key for task in tasks.class_peers(False)]
    assert f"hgb/pima-{tasks.N_DRAWS - 1:03}" in keys
    assert [key for key in keys if key.startswith("ebm/pima")] == ["ebm/pima-000"]
    assert not [key for key in keys if key.startswith("ebm/wine")]


def made(quantity, **of_kind):
    """Results by model and set, one draw each."""
    return {
        f"{kind}/{name}-000": {quantity: value}
        for kind, of_set in of_kind.items()
        for name, value in of_set.items()
    }


def test_values_are_means_over_draws():
    results = {"gp/friedman1-100-000": {"loss": 1.0}, "gp/friedman1-100-001": {"loss": 2.0}}
    assert reading.values(results, "gp", "loss") == {"friedman1-100": 1.5}
    assert reading.values(results, "gp", "auc") == {}
    assert reading.by_set(results, "loss").rows == [["friedman1-100", "1.500"]]


def test_additive_trees_are_compared_on_the_first_draw():
    results = made("loss", default={"a": 1.0, "b": 3.0}, ebm={"a": 2.0})
    results["default/a-001"] = {"loss": 9.0}
    results["ebm/a-000"]["numbers"] = 4000
    table = reading.beside_additive(results, "loss")
    assert table.header == ["set", "loss, default", "loss, EBM", "numbers, EBM"]
    assert table.rows == [["a", "1", "2", "4e+03"]]


def test_models_are_compared_on_the_draws_that_both_have():
    results = {"default/a-000": {"loss": 1.0}, "default/a-001": {"loss": 9.0}}
    results |= {"gp/a-000": {"loss": 2.0}, "gp/b-000": {"loss": 2.0}}
    assert reading.on_common_draws(results, ("default", "gp"), "loss") == {"a": (1.0, 2.0)}


def test_small_tables_have_more_draws():
    keys = {task.key for task in tasks.regression_peers(False)}
    assert {"gp/ozone-009", "cat/ozone-009", "gp/auto-002"} < keys
    assert not {"gp/ozone-010", "gp/auto-003", "ebm/ozone-001"} & keys
    rows = {name: len(drawn(name).X_test) for name in sets.REGRESSIONS}
    assert set(tasks.SMALL) == {name for name, n in rows.items() if n < 100}


def test_additive_trees_are_spared_many_inputs():
    wide = {name for name in [*sets.REGRESSIONS, *sets.TWO_CLASSES] if drawn(name).X.shape[1] > 50}
    assert set(tasks.MANY_INPUTS) == wide
    assert tasks.n_draws("ebm", "yield") == 0


def test_wins_count_sets_and_name_losses():
    results = made("loss", default={"a": 1.0, "b": 2.005, "c": 3.5}, gp={"a": 1.5, "b": 2, "c": 3})
    verdict = claims.wins(results, claims.Least("gp", 0.6, 0.01))
    assert verdict.status is Status.REPRODUCED
    assert verdict.why == "on 2 of 3 sets; not on c (+0.500)"
    assert claims.wins(results, claims.Least("gp", 0.6)).status is Status.NOT
    assert claims.wins(results, claims.Least("svc", 0.6)).status is Status.SKIPPED
    average = claims.lower_on_average(results, "gp")
    assert (average.status, average.why) == (Status.NOT, "by +0.002 over 3 sets")


def test_intervals_are_judged_by_set_and_on_average():
    each, average = claims.holds({"a": 87.0, "b": 96.0})
    assert each.status is Status.NOT
    assert "b (96.0 %)" in each.why
    assert average.status is Status.NOT
    assert claims.holds({"a": 89.0, "b": 91.0})[1].status is Status.REPRODUCED


def test_friedman_is_judged_beside_the_process():
    results = made(
        "true", default={"friedman1": 0.2, "friedman2": 1.2}, gp={"friedman1": 0.3, "friedman2": 1}
    )
    first, others = claims.friedman(results)
    assert (first.status, others.status) == (Status.REPRODUCED, Status.NOT)


def test_the_best_of_many_classes():
    results = made("loss", default={"a": 1.02, "b": 1.5}, svc={"a": 1.0, "b": 2.0}, hgb={"b": 1.0})
    verdict = claims.among_the_best(results, ["a", "b"])
    assert verdict.why == "on 1 of 2 sets; not on b (1.50 of the least)"


def test_wide_sets_are_judged_by_their_best_structure():
    kinds = {"default": {"genes": -1.0, "speech": 0.5}, "linear": {"genes": -1.02, "speech": 0.4}}
    results = made("loss", **kinds, nothing={"genes": 1.4, "speech": 0.3})
    assert claims.near_the_best(results).why == "on 1 of 2 sets; not on speech (1.25)"
    assert claims.above_nothing(results).why == "on 1 of 2 sets; not on speech (+0.200)"


@pytest.mark.parametrize("experiment", process.EXPERIMENTS, ids=lambda one: one.name)
def test_reports_cope_without_results(experiment):
    verdicts = [one for one in experiment.report({}) if isinstance(one, Verdict)]
    assert all(one.status is Status.SKIPPED for one in verdicts)
    assert bool(verdicts) != experiment.name.endswith("peers")


def test_a_report_reads_what_is_stored_of_peers_on_the_same_sets(tmp_path):
    stored = made("loss", gp={"a": 1.0, "b": 2.0})
    records = {key: {"result": result, "seconds": 1.0} for key, result in stored.items()}
    peer = process.EXPERIMENTS[0]
    (tmp_path / f"{peer.name}.json").write_text(json.dumps({"tasks": records}))
    found = reading.beside(peer, sorted, made("loss", default={"a": 1.5}), tmp_path)
    assert found == ["default/a-000", "gp/a-000"]
