"""Short tables for somebody who chooses: this package beside others, also where others win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from studies.beyond import classes as many_classes
from studies.beyond import model_choice
from studies.beyond.trust.report import means
from studies.columns import ours as our_columns
from studies.columns import peers as column_peers
from studies.columns import recovery, spectra
from studies.framework import sets
from studies.framework.comparison import values_of
from studies.framework.experiment import Table, mean_and_error
from studies.framework.markdown import table_text
from studies.scale import peers as row_peers
from studies.summaries import Results, Summaries, found_in
from studies.targets import counts, noise, ordinal, outliers
from studies.targets.shown import by_method, mean, shown

Found = Mapping[str, dict]


def middle(found: Found, quantity: str, form: str) -> str:
    """The median over sets of the mean over draws; a dash where nothing was measured."""
    values = means(found, quantity)
    return form.format(median(values.values())) if values else "-"


# Regression: names of models in trust-regression.
REGRESSORS = {
    "default": "`RVR()`",
    "fast": '`RVR(inference="fast")`',
    "gp": "Gaussian process, best of three starts",
}


def error_ratios(found: Found, kind: str, other: str) -> list[float]:
    """By set, the mean error of one kind of model over that of another."""
    own, theirs = (means(found, f"{each}_error") for each in (kind, other))
    return [own[name] / theirs[name] for name in own if name in theirs]


def regression(results: Results) -> str:
    """Medians over sets: error beside the Gaussian process, coverage, size, seconds."""
    found = found_in(results, "trust-regression")
    rows = []
    for kind, title in REGRESSORS.items():
        ratio = error_ratios(found, kind, "gp")
        rows.append([
            title,
            f"{median(ratio):.2f}",
            f"{min(ratio):.2f} to {max(ratio):.2f}",
            middle(found, f"{kind}_coverage", "{:.1f}"),
            "100" if kind == "gp" else middle(found, f"{kind}_share", "{:.1f}"),
            middle(found, "default_covering", "{:.1f}") if kind == "default" else "-",
            middle(found, f"{kind}_seconds", "{:.2g}"),
        ])  # fmt: skip
    header = ["model", "error / that of the process", "from set to set"]
    header += ["90 % intervals hold, %", "rows for the mean, %"]
    header += ["more rows for error bars, %", "fit, s"]
    return table_text(Table(header, rows))


CLASSIFIERS = {
    "default": "`RVC()`",
    "gp": "Gaussian process, a scale for each input",
    "gp1": "Gaussian process, one width",
    "svc": "SVC by cross-validation, Platt's probabilities",
}


def two_classes(results: Results) -> str:
    """Medians over sets of two classes: error, log loss, vectors, seconds."""
    found = found_in(results, "trust-classes")
    rows = [
        [
            title,
            middle(found, f"{kind}_error", "{:.1f}"),
            middle(found, f"{kind}_loss", "{:.3f}"),
            "all rows" if kind.startswith("gp") else middle(found, f"{kind}_vectors", "{:.0f}"),
            middle(found, f"{kind}_seconds", "{:.2g}"),
        ]
        for kind, title in CLASSIFIERS.items()
    ]
    return table_text(Table(["model", "wrong, %", "log loss", "vectors", "fit, s"], rows))


def times_lowest(found: Found, kinds: Sequence[str], quantity: str) -> dict[str, int]:
    """On how many sets each kind of model has the lowest mean of a quantity."""
    best = dict.fromkeys(kinds, 0)
    for name in sets.names(found):
        own = {kind: sets.mean(found, name, f"{kind}_{quantity}") for kind in kinds}
        best[min(own, key=lambda kind: own[kind])] += 1
    return best


def classes(results: Results) -> str:
    """Three and more classes: on how many sets each method is best, and medians."""
    found = found_in(results, "classes")
    kinds = {kind: title for kind, title in many_classes.METHODS.items() if kind != "ovr"}
    error, loss = (times_lowest(found, list(kinds), each) for each in ("error", "loss"))
    forms = {"error": "{:.1f}", "loss": "{:.3f}", "vectors": "{:.0f}", "seconds": "{:.2g}"}
    n_sets = len(sets.names(found))
    rows = [
        [
            f"`{title}`" if kind == "default" else title,
            f"{loss[kind]} of {n_sets}",
            f"{error[kind]} of {n_sets}",
            *(middle(found, f"{kind}_{quantity}", form) for quantity, form in forms.items()),
        ]
        for kind, title in kinds.items()
    ]
    header = ["method", "lowest log loss on", "lowest error on", "wrong, %", "log loss"]
    return table_text(Table([*header, "vectors", "fit, s"], rows))


def many_rows(results: Results) -> str:
    """The most rows that were measured, two functions: error, seconds, size of the model."""
    found = list(found_in(results, "large-peers").values())
    most = max(one["n"] for one in found)
    chosen = {(one["name"], one["kind"]): one for one in found if one["n"] == most}
    kinds = list(dict.fromkeys(kind for _, kind in chosen))
    rows = []
    for name in row_peers.MODELS:
        pair = [chosen[name, kind] for kind in kinds if (name, kind) in chosen]
        if pair:
            cells = [
                f"{one[key]:{form}}".replace(",", " ")
                for one in pair
                for key, form in _ROW_FORMS.items()
            ]
            rows.append([f"`{name}`" if name == "RVR()" else name, *cells])
    header = [f"{kind}: {title}" for kind in kinds for title in ("error", "s", "numbers kept")]
    return table_text(Table([f"{most:,} rows".replace(",", " "), *header], rows))


_ROW_FORMS = {"error": ".3f", "seconds": ".3g", "numbers": ",d"}


def of_spectra(results: Results) -> str:
    """Error and coverage, where all wavelengths matter and where five do."""
    found = found_in(results, "columns-spectra")
    parts = [sets.of_set(found, kind) for kind in spectra.TITLES]
    rows = []
    for name in spectra.MODELS:
        if name == spectra.ARD:
            continue
        cells = [
            form.format(mean_and_error(values_of(part, name, key))[0])
            for part in parts
            for key, form in {"error": "{:.2f}", "coverage": "{:.0f}", "seconds": "{:.2g}"}.items()
        ]
        rows.append([name, *cells])
    titles = ("RMSEP", "90 % intervals hold, %", "s")
    header = [f"{kind}: {title}" for kind in spectra.TITLES for title in titles]
    return table_text(Table(["60 rows, 700 inputs", *header], rows))


# Two settings and one size of columns-recovery.
DICTIONARY = 600
SETTINGS = {"noise-05": "independent", "neighbours-05": "correlated"}


def dictionaries(results: Results) -> str:
    """How often exactly the active columns are found, false columns, and seconds."""
    found = found_in(results, "columns-recovery")
    parts = [sets.of_set(found, f"{DICTIONARY}-{setting}") for setting in SETTINGS]
    rows = []
    for name in recovery.NAMES:
        if all(values_of(part, name, "exact") for part in parts):
            cells = [cell for part in parts for cell in _recovered(part, name)]
            title = "`SparseBayesRegressor(Linear())`" if name == our_columns.OURS else name
            title = "ARDRegression" if name == column_peers.ARD else title
            rows.append([title, *cells])
    size = recovery.SIZES[DICTIONARY]
    titles = ("exactly right, %", "false columns", "s")
    header = [f"{kind}: {title}" for kind in SETTINGS.values() for title in titles]
    return table_text(Table([f"{size.rows} rows, {size.columns} columns", *header], rows))


def _recovered(part: Found, name: str) -> list[str]:
    exact, false, seconds = (
        mean_and_error(values_of(part, name, key))[0] for key in ("exact", "false", "seconds")
    )
    return [f"{100 * exact:.0f}", f"{false:.3g}", f"{seconds:.2g}"]


class Target(NamedTuple):
    """A kind of target: where it was measured, and by what; then the models to show."""

    title: str
    study: str
    part: str
    measure: str
    methods: Sequence[str]
    shown: Sequence[str | None]
    sign: float = 1.0


_OUTLIERS = (outliers.GAUSSIAN, outliers.STUDENT, outliers.HUBER)
_NOISE = (noise.GAUSSIAN, noise.VARYING, noise.GP)
_COUNTS = (None, counts.NEGATIVE, counts.TREES)
_ORDER = (ordinal.PLAIN, ordinal.ORDINAL, ordinal.LINEAR)
TARGETS = (
    Target(
        "one target in ten is far off: RMS error",
        *("targets-outliers", "sinc-10", "error", outliers.METHODS, _OUTLIERS),
    ),
    Target(
        "noise that varies (motorcycle): NLPD",
        *("targets-noise", "motorcycle", "nlpd", list(noise.METHODS), _NOISE),
    ),
    Target(
        "counts of boating trips: log loss",
        *("targets-counts", "trips", "log_probability", counts.ROWS, _COUNTS, -1.0),
    ),
    Target(
        "counts of boating trips: deviance",
        *("targets-counts", "trips", "deviance", counts.ROWS, _COUNTS),
    ),
    Target(
        "ordered classes (run times): log loss",
        *("targets-ordinal", "run-times", "loss", list(ordinal.METHODS), _ORDER),
    ),
    Target(
        "ordered classes (view of the economy): log loss",
        *("targets-ordinal", "economy", "loss", list(ordinal.METHODS), _ORDER),
    ),
)


def other_targets(results: Results) -> str:
    """The default, the likelihood that fits the target, and a peer."""
    rows = []
    for one in TARGETS:
        found = by_method(sets.of_set(found_in(results, one.study), one.part), one.methods)
        values = [None if name is None else mean(found, name, one.measure) for name in one.shown]
        cells = [shown(None if value is None else one.sign * value, "{:.3g}") for value in values]
        own, peer = one.shown[1:]
        rows.append([one.title, cells[0], f"{own}: {cells[1]}", f"{peer}: {cells[2]}"])
    header = ["target and measure (lower is better)", "default", "its likelihood", "a peer"]
    return table_text(Table(header, rows))


SEARCHES = {
    "dense": "`EvidenceSearch(RVR(), ...)`",
    "marginal": '`EvidenceSearch(RVR(inference="fast"), ...)`',
    "folds": '`GridSearchCV(RVR(inference="fast"), ...)`, 5 folds',
}


def widths(results: Results) -> str:
    """Error at the width that a search chooses over that at the best width, and seconds."""
    found = found_in(results, "model-choice")
    rows = []
    for criterion, title in SEARCHES.items():
        cells = []
        for name in model_choice.SETS:
            runs = [one[criterion] for one in sets.of_set(found, name).values()]
            error = np.array([run["error"] for run in runs])
            best = [int(np.argmax(run["score"])) for run in runs]
            chosen = error[np.arange(len(runs)), best].mean()
            cells.append(f"{chosen / error.mean(axis=0).min():.2f}")
            cells.append(f"{np.median([run['seconds'] for run in runs]):.2g}")
        rows.append([title, *cells])
    names = [title.partition(" (")[0] for title in model_choice.SETS.values()]
    header = [f"{name}: {what}" for name in names for what in ("error", "s")]
    return table_text(Table(["search over ten widths", *header], rows))


TABLES: Summaries = {
    "choosing-regression": (("trust-regression",), regression),
    "choosing-two-classes": (("trust-classes",), two_classes),
    "choosing-classes": (("classes",), classes),
    "choosing-many-rows": (("large-peers",), many_rows),
    "choosing-spectra": (("columns-spectra",), of_spectra),
    "choosing-columns": (("columns-recovery",), dictionaries),
    "choosing-targets": (tuple(dict.fromkeys(one.study for one in TARGETS)), other_targets),
    "choosing-widths": (("model-choice",), widths),
}
