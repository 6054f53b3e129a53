"""What was predicted, beside what happened."""

from __future__ import annotations

from typing import Any

import numpy as np

from sparsebayes.diagnostics.regression import standard_score
from sparsebayes.report.drawing import ACCENT, DARK, FAINT, picture
from sparsebayes.report.findings import Findings
from sparsebayes.report.held_out import LabelPredictions, TargetPredictions
from sparsebayes.report.markup import Html, beside, clipped, figure, paragraph, table
from sparsebayes.report.numbers import percent, short, to_its_scale

MOST_OUTPUTS = 4
# Points of a picture; more hide each other, and make the file large.
MOST_POINTS = 400
MOST_MISSES = 5
MOST_CLASSES = 12
N_STD = 2.0


def predictions(found: Findings) -> list[Html]:
    """A picture of targets, or a table of classes."""
    if not found.held_out.predictions:
        return [paragraph("Unknown.", found.held_out.how)]
    return _of_targets(found) if found.given.classes is None else _of_classes(found)


def _of_targets(found: Findings) -> list[Html]:
    """Pictures of all outputs, and the rows that are furthest off."""
    outputs: list[TargetPredictions] = found.held_out.predictions
    blocks = [
        block
        for k, held in enumerate(outputs[:MOST_OUTPUTS])
        for block in (
            figure(_scatter(found, k), _caption(held, found.given.targets[k])),
            _misses(found, k),
        )
    ]
    within = np.array([np.abs(each.observed - each.mean) <= N_STD * each.std for each in outputs])
    sentence = (
        f"Of {within.size} unseen targets, {percent(within.mean())} are within {N_STD:g} "
        "standard deviations of the prediction; if errors were Gaussian, 95.4 % would be."
    )
    return [paragraph(sentence), beside(blocks)]


def _caption(held: TargetPredictions, name: str) -> str:
    n_rows = len(held.rows)
    some = f" {MOST_POINTS} of {n_rows} rows are drawn." if n_rows > MOST_POINTS else ""
    return (
        f"On the dashed line, predictions of {name} are right. Bars are ± {N_STD:g} standard "
        f"deviations, noise included.{some}"
    )


def _scatter(found: Findings, k: int) -> Html:
    """Observed against predicted, with error bars."""
    held: TargetPredictions = found.held_out.predictions[k]
    chosen = np.unique(np.linspace(0, len(held.rows) - 1, MOST_POINTS).astype(np.intp))
    mean, std, observed = (each[chosen] for each in (held.mean, held.std, held.observed))
    name = clipped(found.given.targets[k], 30)

    def draw(ax: Any) -> None:
        ax.errorbar(mean, observed, xerr=N_STD * std, fmt="none", ecolor=FAINT, lw=0.6, alpha=0.3)
        ax.plot(mean, observed, "o", color=DARK, ms=3.2, mew=0.0, alpha=0.85)
        ends = [min(mean.min(), observed.min()), max(mean.max(), observed.max())]
        ax.plot(ends, ends, "--", color=ACCENT, lw=1.1)
        ax.set(xlabel=f"predicted {name}", ylabel=f"observed {name}")

    label = (
        f"Observed against predicted {name}: off by {found.scores[k].error}, root mean square, "
        f"where predicting the mean is off by {short(found.scores[k].trivial)}"
    )
    return picture(f"scatter{k}", label, draw)


def _misses(found: Findings, k: int) -> Html:
    """The rows that are most standard deviations off."""
    held: TargetPredictions = found.held_out.predictions[k]
    off = standard_score(held.observed - held.mean, held.std)
    worst = np.argsort(-np.abs(off), kind="stable")[:MOST_MISSES]
    rows = [
        (
            str(held.rows[i]),
            to_its_scale(held.observed[i], held.std[i]),
            to_its_scale(held.mean[i], held.std[i]),
            short(held.std[i]),
            f"{off[i]:+.1f}",
        )
        for i in worst
    ]
    head = ("Row", "Observed", "Predicted", "Std", "Off by")
    caption = (
        f"{found.naming(k)}The rows that are most standard deviations (std) off; the first row is "
        "0. Check these for mistakes first."
    )
    return table(head, rows, caption)


def _of_classes(found: Findings) -> list[Html]:
    """A table of what was taken for what."""
    held: LabelPredictions = found.held_out.predictions[0]
    names = found.given.class_names
    count = _confusion(held, len(names))
    shown = np.argsort(-count.sum(axis=1), kind="stable")[:MOST_CLASSES]
    shown = np.sort(shown)
    head = ["Observed", "Rows", *(f"as {clipped(names[k], 24)}" for k in shown), "Right"]
    rows = [_class_row(held, count, names, shown, k) for k in shown]
    caption = (
        "How many unseen rows of each class were taken for which class, and below it the mean "
        "probability that they were given of being of it"
    )
    some = len(names) > MOST_CLASSES and f"Only the {MOST_CLASSES} most common classes are shown."
    return [paragraph(_worst_confusion(count, names), some or ""), table(head, rows, caption)]


def _confusion(held: LabelPredictions, n_classes: int) -> np.ndarray:
    """Numbers of rows, observed by predicted (K, K)."""
    count = np.zeros((n_classes, n_classes), dtype=np.intp)
    np.add.at(count, (held.observed, held.probability.argmax(axis=1)), 1)
    return count


def _class_row(
    held: LabelPredictions, count: np.ndarray, names: list[str], shown: np.ndarray, k: int
) -> list[object]:
    """The cells of a class: what its rows were taken for."""
    own, total = held.observed == k, int(count[k].sum())
    if not total:
        return [names[k], "0", *("-" for _ in shown), "-"]
    mean = held.probability[own].mean(axis=0)
    cells = [
        Html(
            f'<span class="{"hit" if j == k else ""}">{count[k, j]}</span>'
            f'<br><span class="least">{mean[j]:.2f}</span>'
        )
        for j in shown
    ]
    return [names[k], str(total), *cells, percent(count[k, k] / total)]


def _worst_confusion(count: np.ndarray, names: list[str]) -> str:
    """What is mistaken most often."""
    wrong = count * (1 - np.eye(len(count), dtype=np.intp))
    if not wrong.any():
        return "Every unseen row was given the right class."
    true, taken = np.unravel_index(wrong.argmax(), wrong.shape)
    return str(
        f"The most common mistake: {wrong[true, taken]} of {count[true].sum()} rows of class "
        f"{names[true]} were taken for {names[taken]}."
    )
