"""The reports: each set by model, and what is claimed of the default."""

from __future__ import annotations

from studies.framework.experiment import Block, Text
from studies.process.claims import (
    Least,
    above_nothing,
    among_the_best,
    few_vectors,
    friedman,
    holds,
    lower_on_average,
    near_the_best,
    wins,
)
from studies.process.reading import Results, beside_additive, by_set, values
from studies.process.sets import MANY_CLASSES, TRUTHS, TWO_CLASSES

EBM = (
    "Beside EBM, on the first draw of each set; the numbers that EBM keeps are those of its terms."
)


def regression_peers_report(results: Results) -> list[Block]:
    """Loss, error and time of each peer by set."""
    text = Text(
        "Inputs and targets are standardised by the training rows. The Gaussian process has a "
        "scale for each input, white noise, and the best evidence of three starts. NLPD of "
        "boosting is that of a normal distribution whose spread is that of residuals on rows held "
        "out in 5 folds; other settings are the defaults. EBM has one draw of each set of at most "
        "50 inputs."
    )
    return [text, *_regression_tables(results)]


def _regression_tables(results: Results) -> list[Block]:
    """NLPD, error, coverage, error to the truth, and time."""
    return [
        Text("Minus the mean log density of standardised targets of the test."),
        by_set(results, "loss"),
        Text("Root of the mean squared error, in spreads of the training targets."),
        by_set(results, "error"),
        Text("Share of test targets in 90 % intervals, in percent."),
        by_set(results, "coverage", form="{:.1f}"),
        Text("Mean squared difference to the true function, in its units."),
        by_set(results, "true", TRUTHS, "{:.3g}"),
        Text("Seconds for the fit."),
        by_set(results, "seconds", form="{:.2g}"),
    ]


def regression_report(results: Results) -> list[Block]:
    """The default beside its peers: loss, error, coverage, and what it keeps."""
    claims = [
        wins(results, Least("gp", 0.8, 0.01)),
        lower_on_average(results, "gp"),
        *(wins(results, Least(peer, 0.8)) for peer in ("cat", "hgb")),
        *holds(values(results, "default", "coverage")),
        *friedman(results),
        few_vectors(results),
    ]
    return [
        *_regression_tables(results),
        Text("Vectors in percent of the training rows."),
        by_set(results, "share", form="{:.1f}"),
        Text(EBM),
        beside_additive(results, "error"),
        *claims,
    ]


def class_peers_report(results: Results) -> list[Block]:
    """Loss, error, area under the curve and time of each peer by set."""
    text = Text(
        "C and width of the SVC are chosen by 5-fold cross-validation, as is the penalty of the "
        "logistic regression; boosting and EBM have their defaults. EBM has one draw of each set "
        "of two classes and at most 50 inputs."
    )
    return [text, *_class_tables(results)]


def _class_tables(results: Results) -> list[Block]:
    return [
        Text("Log loss on test rows: two classes, then many."),
        by_set(results, "loss", TWO_CLASSES),
        by_set(results, "loss", MANY_CLASSES),
        Text("Percent in the wrong class."),
        by_set(results, "error", form="{:.1f}"),
        Text("Area under the ROC curve, of two classes."),
        by_set(results, "auc"),
        Text("Seconds for the fit."),
        by_set(results, "seconds", form="{:.2g}"),
    ]


def classes_report(results: Results) -> list[Block]:
    """The default beside its peers: losses, and on how many sets it is the best."""
    least = (Least("svc", 0.85), Least("hgb", 0.85), Least("cat", 0.6))
    claims = [wins(results, one, TWO_CLASSES) for one in least]
    return [
        *_class_tables(results),
        Text("Vectors in percent of the training rows."),
        by_set(results, "share", form="{:.1f}"),
        Text(EBM),
        beside_additive(results, "loss"),
        *claims,
        among_the_best(results, MANY_CLASSES),
    ]


def wide_report(results: Results) -> list[Block]:
    """The default beside its own structures, none of which it may be far behind."""
    return [
        Text("NLPD of standardised targets, or log loss; 100 to 2000 inputs, 60 to 200 rows."),
        by_set(results, "loss"),
        Text("Root of the mean squared error in spreads of targets, or percent wrong."),
        by_set(results, "error"),
        Text("Log evidence."),
        by_set(results, "evidence", form="{:.1f}"),
        Text("Seconds for the fit."),
        by_set(results, "seconds", form="{:.2g}"),
        near_the_best(results),
        above_nothing(results),
    ]
