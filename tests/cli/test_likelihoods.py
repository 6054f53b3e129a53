"""`--likelihood`: counts, classes in an order, heavy tails and varying noise."""

import re

import numpy as np
import pandas as pd
import pytest

import sparsebayes
from sparsebayes import RVC, RVR, targets
from sparsebayes.cli.held_out import held_out
from sparsebayes.cli.parser import OF_CLASSES, OF_NUMBERS

pytestmark = pytest.mark.slow

N_ROWS = 60
TARGETS = {
    "claims": "poisson",
    "visits": "negative_binomial",
    "grade": "ordinal",
    "speed": "student_t",
    "load": "heteroscedastic",
}


@pytest.fixture(scope="module")
def rows():
    """A table with a target for each likelihood."""
    random = np.random.default_rng(0)
    a = random.uniform(0.0, 2.0, N_ROWS)
    b = random.choice(["left", "right"], N_ROWS)
    latent = 0.8 + np.sin(3.0 * a) + 0.5 * (b == "left")
    mean = np.exp(latent)
    return pd.DataFrame(
        {
            "a": a.round(4),
            "b": b,
            "claims": random.poisson(mean),
            "visits": random.poisson(mean * random.gamma(3.0, 1.0 / 3.0, N_ROWS)),
            "grade": 1 + np.digitize(latent + 0.3 * random.logistic(size=N_ROWS), [0.5, 1.6]),
            "speed": latent + 0.1 * random.standard_t(3.0, N_ROWS),
            "load": latent + np.exp(1.5 * a - 3.5) * random.normal(size=N_ROWS),
            "word": np.where(latent > 1.0, "high", "low"),
        }
    )


@pytest.fixture(scope="module")
def models(run, rows, tmp_path_factory):
    """A folder with rows.csv, and by target a model of it and what `fit` printed."""
    folder = tmp_path_factory.mktemp("likelihoods")
    rows.to_csv(folder / "rows.csv", index=False)
    printed = {}
    for target, name in TARGETS.items():
        ended = fit(run, folder, target, name, "--folds", "2" if target == "claims" else "0")
        assert ended.code == 0, ended.err
        printed[target] = ended.out
    return folder, printed


def fit(run, folder, target, likelihood, *others):
    left_out = [name for name in (*TARGETS, "word") if name != target]
    return run(
        *("fit", folder / "rows.csv", "--target", target, "--likelihood", likelihood),
        *("--out", folder / f"{target}.sbm", *others, "--drop", *left_out),
    )


def test_names_are_those_of_the_estimators():
    assert list(OF_NUMBERS) == [each.name for each in targets.OF_NUMBERS[1:]]
    assert list(OF_CLASSES) == [each.name for each in targets.OF_CLASSES[1:]]


@pytest.mark.parametrize("target", TARGETS)
def test_the_model_is_that_of_the_estimator(models, rows, target):
    folder, _ = models
    model = sparsebayes.load(folder / f"{target}.sbm")
    left, right = rows["b"] == "left", rows["b"] == "right"
    inputs = np.column_stack([rows["a"], left, right]).astype(float)
    kind = RVC if target == "grade" else RVR
    own = kind(likelihood=TARGETS[target]).fit(inputs, rows[target].to_numpy())
    say = (lambda each: each.predict_proba(inputs)) if target == "grade" else None
    say = say or (lambda each: np.hstack(each.predict(inputs, return_std=True)))
    np.testing.assert_allclose(say(model), say(own), rtol=1e-8)
    assert model.to_estimator().likelihood == TARGETS[target]


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("claims", "likelihood  Poisson counts, "),
        ("visits", "likelihood  negative binomial counts of dispersion "),
        ("grade", "likelihood  classes in an order, cut at "),
        ("speed", "likelihood  Student-t noise of scale "),
        ("load", "likelihood  Gaussian noise that may vary with the inputs"),
    ],
)
def test_what_was_learned_is_printed_and_shown(run, models, target, words):
    folder, printed = models
    assert words in printed[target]
    shown = run("show", folder / f"{target}.sbm", "--formula")
    assert shown.code == 0, shown.err
    assert re.sub(" +", " ", words) in re.sub(" +", " ", shown.out)
    assert (" noise  " in shown.out) == (target in ("speed", "load"))
    assert (" noise  " in printed[target]) == (target in ("speed", "load"))


@pytest.mark.parametrize("target", TARGETS)
def test_rows_are_predicted(run, models, target):
    folder, _ = models
    flags = ["--proba"] if target == "grade" else ["--std", "--quantiles", "0.1", "0.9"]
    arguments = ("predict", folder / f"{target}.sbm", folder / "rows.csv", "--only", *flags)
    ended = run(*arguments, "-o", folder / "out.csv")
    assert ended.code == 0, ended.err
    found = pd.read_csv(folder / "out.csv")
    assert np.isfinite(found.to_numpy()).all()
    if target in ("claims", "visits"):
        ends = found[[f"{target}_q0.1", f"{target}_q0.9"]]
        assert (ends == np.floor(ends)).all(axis=None)
        assert (found[f"{target}_predicted"] > 0.0).all()


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_a_report_and_exports_are_written(run, models, target):
    folder, _ = models
    model = folder / f"{target}.sbm"
    ended = run("report", model, folder / "rows.csv", "-o", folder / "report.html")
    assert ended.code == 0, ended.err
    assert "On rows that it had not seen" in (folder / "report.html").read_text()
    for form in (["c"], ["sql", "--table", "t"], ["json"], ["onnx"]):
        ended = run("export", model, "--to", *form, "-o", folder / "out")
        assert ended.code == 0, ended.err


def test_held_out_figures_of_counts_are_of_counts():
    random = np.random.default_rng(1)
    X = random.uniform(0.0, 2.0, size=(80, 1))
    y = random.poisson(np.exp(1.0 + np.sin(3.0 * X[:, 0]))).astype(float)
    poisson, counts = (
        held_out(RVR(likelihood=name, gamma=1.0), X, y, 2)
        for name in ("poisson", "negative_binomial")
    )
    assert poisson["nlpd"] < poisson["nlpd_baseline"]
    # Counts of all rows vary more than Poisson counts, so the other baseline is better.
    assert counts["nlpd_baseline"] < poisson["nlpd_baseline"]
    assert 0.75 < poisson["coverage"] <= 1.0


def test_few_whole_numbers_are_counts_if_that_is_asked_for(models):
    _, printed = models
    assert "'claims': a regression, as was asked for" in printed["claims"]
    assert "'grade': a classification, as was asked for" in printed["grade"]


@pytest.mark.parametrize(
    ("target", "name", "others", "code", "words"),
    [
        ("word", "poisson", [], 1, "'high' is no number|'low' is no number"),
        ("word", "ordinal", [], 1, "holds texts such as .*whose order is not known"),
        ("load", "poisson", [], 1, "column 'load': y must hold counts or rates of 0 or more"),
        ("visits", "ordinal", ["--regress"], 2, "is for a target of classes, and --regress"),
        ("claims", "poisson", ["--classify"], 2, "is for a target of numbers, and --classify"),
        ("claims", "gamma", [], 2, "invalid choice"),
    ],
)
def test_a_likelihood_that_does_not_fit_is_refused(run, models, target, name, others, code, words):
    folder, _ = models
    left_out = [each for each in (*TARGETS, "word") if each != target]
    ended = run(
        *("fit", folder / "rows.csv", "--target", target, "--likelihood", name, *others),
        *("--out", folder / "no.sbm", "--drop", *left_out),
    )
    assert ended.code == code
    assert re.search(words, ended.err), ended.err
    assert not (folder / "no.sbm").exists()


def test_rates_are_no_counts_for_negative_binomial(run, csv):
    path = csv("a,y\n" + "".join(f"{k},{0.5 + k}\n" for k in range(12)))
    ended = run("fit", path, "--target", "y", "--likelihood", "negative_binomial")
    assert ended.code == 1
    assert "must hold whole numbers" in ended.err
