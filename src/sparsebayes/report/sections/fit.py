"""How the fit went, and what to know before the model is used."""

from __future__ import annotations

from typing import Any

from sparsebayes.report.cautions import cautions
from sparsebayes.report.drawing import COLOURS, LINES, legend_above, picture
from sparsebayes.report.findings import Findings
from sparsebayes.report.markup import Html, beside, bullets, clipped, figure, heading, paragraph
from sparsebayes.report.numbers import counted, short

MOST_LINES = 4
# Points of a line; a fit of thousands of steps needs no more.
MOST_STEPS = 300
# A smaller rise means nothing, and is drawn as one.
LEAST_RISE = 1.0


def fit(found: Findings) -> list[Html]:
    """Remarks, and the evidence along the fit."""
    sentences = cautions(found)
    remarks = bullets(sentences) if sentences else paragraph("There is nothing to warn of.")
    parts = [heading("Remarks"), remarks, heading("The evidence along the fit"), *_history(found)]
    return parts


def _history(found: Findings) -> list[Html]:
    model = found.given.estimator
    histories, outcome = found.given.fitted.histories, model.outcome_
    ended = "converged" if outcome.converged else "ended before it had converged"
    text = (
        f"The fit {ended} after {counted(model.n_iter_, 'step')}, with a log evidence of "
        f"{short(model.log_evidence_, 5)}. The evidence is the probability of the training targets "
        "under the model: it weighs how well they are met against how much the model can bend."
    )
    of_mean = (
        "The curve is that of the search for vectors that say the same as a Gaussian process, so "
        "it does not end at the evidence of the process."
        if getattr(model, "inference", None) == "projection" or hasattr(model, "covering_")
        else ""
    )
    if max(map(len, histories)) < 2:
        return [paragraph(text)]
    first, last = histories[0][0].log_evidence, histories[0][-1].log_evidence
    caption = (
        f"What the search maximises, after each step: from {short(first, 6)} to {short(last, 6)}."
    )
    return [paragraph(text, of_mean), beside([figure(_curves(found, caption), caption)])]


def _curves(found: Findings, label: str) -> Html:
    """The log evidence of each fit by step."""
    histories = found.given.fitted.histories[:MOST_LINES]
    names = found.given.class_names if found.given.classes is not None else found.given.targets

    def draw(ax: Any) -> None:
        for k, history in enumerate(histories):
            every = -(-len(history) // MOST_STEPS)
            steps = list(range(0, len(history), every))
            values = [history[step].log_evidence for step in steps]
            text = clipped(names[k], 20) if len(histories) > 1 else None
            marker = "o" if len(steps) < 40 else ""
            ax.plot(steps, values, LINES[k], marker=marker, ms=3.5, color=COLOURS[k], label=text)
        ax.set(xlabel="step", ylabel="what the search maximises")
        low, high = ax.get_ylim()
        if high - low < LEAST_RISE:
            ax.set_ylim(low - 0.5 * LEAST_RISE, high + 0.5 * LEAST_RISE)
        ax.xaxis.get_major_locator().set_params(integer=True)
        if len(histories) > 1:
            legend_above(ax)

    return picture("evidence", label, draw, size=(4.5, 2.7))
