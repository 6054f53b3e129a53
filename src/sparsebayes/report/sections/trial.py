"""Controls that a reader can move, and what the model says of the values that they have."""

from __future__ import annotations

from sparsebayes.report.findings import Findings
from sparsebayes.report.given import Given
from sparsebayes.report.live import Control, Live
from sparsebayes.report.markup import Html, clipped, escaped, heading, joined, paragraph
from sparsebayes.report.numbers import short

# Letters of a name.
MOST_LETTERS = 40


def trial(found: Findings) -> list[Html]:
    """Controls and answers, which are hidden until a script shows them; nothing without a model."""
    if found.live is None:
        return []
    text = (
        "Move an input: the model itself answers, in this page. Inputs that are not listed stay as "
        "they are in a row near the middle of the data. In the pictures below, dots are the "
        "prediction for the chosen values, hollow where it lies beyond the picture; bars are ± 2 "
        "standard deviations of a number, and dotted lines are how it changes with one input."
    )
    controls = Html(f'<div class="controls">{"".join(map(_control, found.live.controls))}</div>')
    parts = [heading("Try it"), paragraph(text), controls, _answers(found.given, found.live)]
    return [Html(f'<div id="try" hidden>{joined(parts)}</div>')]


def _control(control: Control) -> Html:
    key = f"try-{control.number}"
    label = f'<label for="{key}">{escaped(clipped(control.factor.name, MOST_LETTERS))}</label>'
    own = f'id="{key}" data-input="{control.number}" autocomplete="off"'
    if control.factor.categories is not None:
        options = "".join(
            f"<option{' selected' * (k == control.value)}>{escaped(clipped(each, 60))}</option>"
            for k, each in enumerate(control.factor.categories)
        )
        return Html(f"<div>{label}<select {own}>{options}</select></div>")
    step = "1" if control.whole else "any"
    ends = f'min="{control.low!r}" max="{control.high!r}" step="{step}" value="{control.value!r}"'
    shown = f'<output id="{key}-value" for="{key}">{short(control.value)}</output>'
    return Html(f'<div>{label}<input type="range" {own} {ends}>{shown}</div>')


def _answers(given: Given, live: Live) -> Html:
    """Where the answers are written: means with deviations, or probabilities with bars."""
    what, bar = "Prediction, ± a standard deviation, noise included", ""
    names = [f"{clipped(name, MOST_LETTERS)}, ± its standard deviation" for name in given.targets]
    if given.classes is not None:
        what, bar = "Probabilities", '<span class="bar"><span id="said-{}-bar"></span></span> '
        names = [f"probability of {clipped(name, MOST_LETTERS)}" for name in given.class_names]
    pairs = [
        (escaped(name), f'{bar.format(k)}<span id="said-{k}"></span>')
        for k, name in enumerate(names)
    ]
    if live.covers:
        pairs.append((Html("novelty: 0 % is well known"), '<span id="said-novelty"></span>'))
    lines = "".join(f"<div><dt>{name}</dt><dd>{place}</dd></div>" for name, place in pairs)
    opened = f'<div role="status" aria-label="{what}"><dl class="facts">'
    return Html(f"{opened}{lines}</dl></div>")
