"""Whether error bars, or probabilities, are what they say."""

from __future__ import annotations

from typing import Any

from sparsebayes.diagnostics import ClassificationCalibrationDisplay, RegressionCalibrationDisplay
from sparsebayes.report.drawing import pictures
from sparsebayes.report.findings import Findings
from sparsebayes.report.markup import Html, beside, clipped, figure, heading, paragraph, table
from sparsebayes.report.numbers import Measured, percent, short

# Outputs that have pictures and tables of their own.
MOST_OUTPUTS = 4
COVERAGE = (
    "On the dashed line, intervals hold the share of targets that they say; below it, they are too "
    "small. Grey is what chance allows."
)
PLACES = (
    "Where targets fall within what was predicted, from far below (0) to far above (1). Even bars "
    "are right; high ends say that error bars are too small."
)
RELIABILITY = (
    "On the dashed line, what has a probability of 70 % happens in 70 % of rows. Bars are two "
    "standard errors."
)


def calibration(found: Findings) -> list[Html]:
    """Coverage of intervals, or reliability of probabilities."""
    if not found.calibrations:
        return [paragraph("Unknown.", found.held_out.how)]
    if found.given.classes is not None:
        return _of_probabilities(found)
    shown = range(len(found.calibrations))[:MOST_OUTPUTS]
    parts = [each for k in shown for each in _of_error_bars(found, k)]
    if len(found.calibrations) > MOST_OUTPUTS:
        parts.append(paragraph(f"Only the first {MOST_OUTPUTS} outputs are shown.", kind="quiet"))
    return parts


def _of_error_bars(found: Findings, k: int) -> list[Html]:
    """Intervals of one output."""
    report = found.calibrations[k]
    name = [heading(found.given.targets[k])] if len(found.calibrations) > 1 else []
    caption = (
        f"Share of {report.n_samples} unseen targets in the intervals that the model gives. ± is "
        "one standard error; more than 2 of them are hardly chance."
    )
    head = ("Interval", "Targets in it", "Off by, in standard errors")
    columns = zip(report.levels, report.coverage, report.coverage_error, strict=True)
    rows = [
        (percent(p), Measured(float(q), float(error)).in_percent, f"{(q - p) / error:+.1f}")
        for p, q, error in columns
    ]
    drawn = _pictures(f"cover{k}", found.trust[k].finding, RegressionCalibrationDisplay, report)
    return [
        *name,
        paragraph(found.trust[k].finding),
        table(head, rows, caption),
        beside([figure(drawn[0], COVERAGE), figure(drawn[1], PLACES)]),
    ]


def _of_probabilities(found: Findings) -> list[Html]:
    """Probabilities of classes."""
    report, names = found.calibrations[0], _axis_names(found)
    drawn = _pictures(
        "reliable", found.trust[0].finding, ClassificationCalibrationDisplay, report, names
    )
    rows = [
        ("Log loss", "minus the mean log probability of what happened", short(report.log_loss)),
        ("Brier score", "mean square of probability minus what happened", short(report.brier)),
        (
            "Calibration error",
            "mean distance of the dots from the dashed line",
            short(report.expected_calibration_error),
        ),
    ]
    caption = f"Probabilities against what happened, on {report.n_samples} unseen rows"
    return [
        paragraph(found.trust[0].finding),
        table(("Measure", "What it is (the lower the better)", "Value"), rows, caption, words=2),
        beside([figure(drawn[0], RELIABILITY), figure(drawn[1], "Rows by probability.")]),
    ]


def _axis_names(found: Findings) -> tuple[str, str]:
    names = found.given.class_names
    if len(names) == 2:
        name = clipped(names[1], 24)
        return f"probability of {name}", f"share of {name}"
    return "probability of the chosen class", "share of rows that are of it"


def _pictures(
    key: str, label: str, display: Any, report: Any, names: tuple[str, str] | None = None
) -> list[Html]:
    """The two pictures of a display of calibration."""

    def draw(*axes: Any) -> None:
        display.from_report(report, ax=axes)
        if names is None:
            axes[1].set(xlabel="place of the target within the prediction")
        else:
            axes[0].set(xlabel=names[0], ylabel=names[1])
            axes[1].set(xlabel=names[0])

    second = "Histogram of places of targets" if names is None else "Histogram of probabilities"
    return pictures(key, [label, f"{second}, {report.n_samples} rows"], draw)
