"""The six studies: peers apart from ours, since they need not be run again when we change."""

from __future__ import annotations

from functools import partial

from studies.framework.experiment import Experiment
from studies.process import report, tasks
from studies.process.effects import EFFECTS
from studies.process.reading import beside
from studies.process.sets import REGRESSIONS

SOURCE = "beyond the papers"
REGRESSION_PEERS = Experiment(
    name="process-regression-peers",
    source=SOURCE,
    title="Regressions of many kinds: a Gaussian process, boosting, additive trees",
    tasks=tasks.regression_peers,
    report=report.regression_peers_report,
)
CLASS_PEERS = Experiment(
    name="process-classes-peers",
    source=SOURCE,
    title="Classes of many kinds: an SVM, boosting, additive trees, logistic regression",
    tasks=tasks.class_peers,
    report=report.class_peers_report,
)
EXPERIMENTS = [
    REGRESSION_PEERS,
    CLASS_PEERS,
    Experiment(
        name="process-regression",
        source=SOURCE,
        title="Regressions of many kinds: the default beside its peers",
        tasks=partial(tasks.defaults, REGRESSIONS, "ethanol"),
        report=partial(beside, REGRESSION_PEERS, report.regression_report),
    ),
    Experiment(
        name="process-classes",
        source=SOURCE,
        title="Classes of many kinds: the default beside its peers",
        tasks=partial(tasks.defaults, tasks.CLASSES, "monks"),
        report=partial(beside, CLASS_PEERS, report.classes_report),
    ),
    Experiment(
        name="process-wide",
        source=SOURCE,
        title="More inputs than rows: the default beside each of its structures",
        tasks=tasks.structures,
        report=report.wide_report,
    ),
    EFFECTS,
]
