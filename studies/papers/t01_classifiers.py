"""[T01] 4.2 and Appendix D: classifiers of two classes that overlap, Figures 3 and 10."""

from __future__ import annotations

from functools import partial

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import log_loss

from studies import models
from studies.data import sources as data
from studies.framework.drawings import DECISION, QUARTILES, Boundary, draw_boundaries
from studies.framework.experiment import Block, Experiment, Figure, Table, Text, cell, draws
from studies.framework.verdict import below, judge
from studies.measures import by_model, percent_wrong, rms, vectors_of
from studies.tuning import tuned_svc

RIPLEY_GAMMA = 0.5**-2
LINE_GAMMA = 0.1**-2
LINE = np.linspace(-0.05, 1.55, 161)
OVERLAP = (LINE > 0.5) & (LINE < 1.0)
MACHINES = {
    "rvm": "RVM",
    "mackay": 'RVM, inference="mackay"',
    "default": 'RVC(inference="fast"): a width for each input, learned',
    "svm": "SVM, C by 5-fold CV",
}
LEAST_LOSS = 0.5 * np.log(2.0)


def ripley_draw(seed: int) -> dict:
    """Figure 3: both machines on 100 of Ripley's 250 rows."""
    X, y, X_test, y_test = data.ripley_draw(seed)
    machines = {
        "rvm": models.paper_rvc(gamma=RIPLEY_GAMMA).fit(X, y),
        "mackay": models.paper_rvc("mackay", gamma=RIPLEY_GAMMA).fit(X, y),
        "default": models.rvc().fit(X, y),
        "svm": tuned_svc(X, y, gamma=RIPLEY_GAMMA),
    }
    result = by_model(machines, percent_wrong, X_test, y_test)
    return result | ({"picture": plane(machines, X, y)} if seed == 0 else {})


def plane(machines: dict, X, y) -> dict:
    """Data, vectors, and responses of SVM and RVM on a grid."""
    sides = [np.linspace(-1.3, 0.9, 60), np.linspace(-0.3, 1.2, 60)]
    points = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
    responses = {
        "svm": machines["svm"].decision_function(points),
        "rvm": machines["rvm"].predict_proba(points)[:, 1],
    }
    return {
        "sides": sides,
        "inputs": X,
        "labels": y,
        "responses": {name: response.round(4) for name, response in responses.items()},
        "vectors": {name: vectors_of(machines[name]) for name in responses},
    }


def draw_plane(figure, picture: dict) -> None:
    """SVM left, RVM right, as in the paper."""
    responses, vectors = picture["responses"], picture["vectors"]
    boundaries = {
        f"{name.upper()}, {len(vectors[name])} vectors": Boundary(
            responses[name], levels, vectors[name]
        )
        for name, levels in (("svm", DECISION), ("rvm", QUARTILES))
    }
    draw_boundaries(figure, picture["sides"], picture["inputs"], picture["labels"], boundaries)


def figure_3_report(results: dict[str, dict]) -> list[Block]:
    """The report of Figure 3: means over draws, where the paper shows one."""
    runs = list(results.values())
    error = {name: [one[name]["error"] for one in runs] for name in MACHINES}
    vectors = {name: [one[name]["vectors"] for one in runs] for name in MACHINES}
    rows = [["paper, RVM, one draw", "9.3", "4"], ["paper, SVM, one draw", "10.6", "38"]]
    rows += [
        [label, cell(error[name], "{:.2f}"), cell(vectors[name], "{:.1f}")]
        for name, label in MACHINES.items()
    ]
    return [
        Table(
            ("", "test error, %", "vectors"),
            rows,
            f"Ripley's own 1000 test rows; {len(runs)} draws of 100 of his 250 training rows; "
            "Gaussian kernel of width 0.5. The Bayes error is about 8 %.",
        ),
        *(
            Figure(
                partial(draw_plane, picture=one["picture"]),
                "First draw: boundary of the SVM; RVM with probabilities 0.25, 0.5, 0.75. Vectors "
                "circled.",
            )
            for one in runs
            if "picture" in one
        ),
        *figure_3_verdicts(error, vectors),
    ]


def figure_3_verdicts(error: dict, vectors: dict) -> list[Block]:
    """Verdicts on numbers by machine and draw."""
    return [
        judge("Test error of the RVM is 9.3 %", 9.3, error["rvm"], form="{:.2f}"),
        judge("The RVM has 4 vectors", 4, vectors["rvm"], form="{:.1f}"),
        below("The RVM's error is below the SVM's", error["rvm"], error["svm"], form="{:.2f}"),
        below("The RVM has fewer vectors than the SVM", vectors["rvm"], vectors["svm"]),
    ]


def uniform_classes(n_samples: int, random) -> tuple[np.ndarray, np.ndarray]:
    """Class 1 uniform in [0, 1], class 0 in [0.5, 1.5], in equal shares."""
    y = np.arange(n_samples) % 2
    return (random.uniform(size=n_samples) + 0.5 * (1 - y))[:, None], y


def log_odds_draw(seed: int, n_samples: int = 1000) -> dict:
    """Figure 10: output of both machines, that of the SVM also through a fitted sigmoid."""
    random = np.random.default_rng(seed)
    X, y = uniform_classes(n_samples, random)
    X_test, y_test = uniform_classes(10_000, random)
    relevance = models.paper_rvc(gamma=LINE_GAMMA).fit(X, y)
    support = tuned_svc(X, y, gamma=LINE_GAMMA)
    platt = CalibratedClassifierCV(support, method="sigmoid", ensemble=False).fit(X, y)
    result = {}
    for name, machine in (("rvm", relevance), ("svm", platt)):
        chance = machine.predict_proba(LINE[:, None])[:, 1]
        log_odds = np.log(chance / (1.0 - chance))
        result[name] = {
            "log_odds": log_odds.round(4),
            "off": rms(log_odds[OVERLAP], 0.0),
            "loss": log_loss(y_test, machine.predict_proba(X_test)),
            "error": percent_wrong(machine.predict(X_test), y_test),
        }
    result["rvm"] |= {
        "output": relevance.decision_function(LINE[:, None]).round(4),
        "vectors": len(relevance.relevance_),
    }
    result["svm"] |= {
        "output": support.decision_function(LINE[:, None]).round(4),
        "vectors": len(support.support_),
    }
    return result


def draw_log_odds(figure, result: dict) -> None:
    """The outputs along the line, that of the SVM rescaled as the paper does."""
    ax = figure.subplots()
    rvm, svm = (np.array(result[name]["output"]) for name in ("rvm", "svm"))
    ax.plot([0.0, 0.5, 0.5, 1.0, 1.0, 1.5], [9, 9, 0, 0, -9, -9], color="0.75", lw=3, label="true")
    ax.plot(LINE, rvm, color="C0", label="RVM")
    ax.plot(
        LINE, svm * np.abs(rvm).max() / np.abs(svm).max(), "--", color="C3", label="SVM, rescaled"
    )
    ax.set(xlabel="x", ylabel="log-odds", ylim=(-9, 9), xlim=(-0.05, 1.55))
    ax.legend()


UNIFORM = (
    "One class is uniform in [0, 1], the other in [0.5, 1.5]: the log-odds are 0 in [0.5, 1] (the "
    "paper prints [0.5, 1.5]), and infinite elsewhere. Gaussian kernel of width 0.1, 1000 rows; C "
    "by 5-fold CV, which the paper does not mention."
)


def figure_10_report(results: dict[str, dict]) -> list[Block]:
    """The report of Figure 10: how far each machine is from the true log-odds."""
    runs = list(results.values())
    measures = ("off", "loss", "error", "vectors")
    found = {
        name: {measure: [one[name][measure] for one in runs] for measure in measures}
        for name in ("rvm", "svm")
    }
    forms = ("{:.3f}", "{:.4f}", "{:.2f}", "{:.1f}")
    rows = [["truth", "0", f"{LEAST_LOSS:.4f}", "25", ""]]
    for name, label in (("rvm", "RVM"), ("svm", "SVM with a fitted sigmoid (Platt)")):
        cells = [cell(found[name][m], form) for m, form in zip(measures, forms, strict=True)]
        rows.append([label, *cells])
    return [
        Text(UNIFORM),
        Figure(
            lambda figure: draw_log_odds(figure, runs[0]),
            "Output of RVM and SVM, first draw, and the true log-odds (cut at ±9).",
            (7.0, 3.6),
        ),
        Table(
            ("", "RMS log-odds in [0.5, 1]", "log loss", "error, %", "vectors"),
            rows,
            f"{len(runs)} draws; log loss and error on 10 000 fresh rows.",
        ),
        *figure_10_verdicts(found["rvm"], found["svm"]),
    ]


def figure_10_verdicts(rvm: dict, svm: dict) -> list[Block]:
    """Verdicts on numbers by measure and draw."""
    nearer = "The RVM's log-odds are nearer to the truth than those of a sigmoid of the SVM's"
    lower = "Its probabilities have the lower log loss"
    return [
        below(nearer, rvm["off"], svm["off"]),
        below(lower, rvm["loss"], svm["loss"], form="{:.4f}"),
    ]


EXPERIMENTS = [
    Experiment(
        "t01-figure-3",
        "[T01] Figure 3",
        "Ripley's mixture, 100 rows",
        draws(ripley_draw, 50, key="{:02}"),
        figure_3_report,
    ),
    Experiment(
        "t01-figure-10",
        "[T01] Figure 10",
        "Log-odds of two uniform classes",
        draws(log_odds_draw, 20, quick_more=(200,), key="{:02}"),
        figure_10_report,
    ),
]
