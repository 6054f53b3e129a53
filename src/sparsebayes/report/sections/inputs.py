"""Which inputs matter, and how; and controls of them that a reader can move."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from sparsebayes.report.drawing import BAND, COLOURS, FAINT, LINES, legend_above, picture
from sparsebayes.report.effects import MOST_INPUTS, Effect, effect
from sparsebayes.report.findings import Findings
from sparsebayes.report.given import Subject
from sparsebayes.report.live import Control, Live
from sparsebayes.report.markup import (
    Html,
    bar,
    beside,
    clipped,
    escaped,
    figure,
    heading,
    joined,
    paragraph,
    table,
)
from sparsebayes.report.numbers import counted, listed, percent, short, to_its_scale

MOST_BARS, MOST_EFFECTS, MOST_LINES = 20, 6, 4
MOST_MARKS = 200
# Names of places that take more letters stand upright.
MOST_LETTERS = 40
N_STD = 2.0
# An input with a smaller part in the prediction is as good as unused.
LEAST_SHARE = 0.01
# Inputs that act together share parts; where shares sum to more, inputs stand in for one another.
MOST_SHARES = 2.0


def inputs(found: Findings) -> list[Html]:
    """Bars of relevance, and curves of effects."""
    if found.given.pairwise:
        why = (
            "The model was given kernel values, so it knows no inputs whose effects could be shown."
        )
    elif found.relevance is None:
        why = (
            f"There are more than {MOST_INPUTS} inputs, which are too many to try one by one, so "
            "their relevance is not known."
        )
    elif not found.relevance.any():
        why = "The prediction is the same for all rows: the model uses no input."
    else:
        return [*_bars(found), *_shares(found), *trial(found), *_effects(found)]
    return [paragraph(why)]


def _bars(found: Findings) -> list[Html]:
    """The most relevant inputs."""
    assert found.relevance is not None, "checked before"
    order = np.argsort(-found.relevance, kind="stable")[:MOST_BARS]
    order = order[found.relevance[order] > 0.0]
    rows = [
        (found.given.factors[k].name, percent(found.relevance[k]), bar(found.relevance[k]))
        for k in order
    ]
    caption = (
        "The share of the prediction's variance that an input has a part in. Inputs that act "
        "together share it, so the sum can be more than 100 %. Where inputs are correlated, others "
        "stand in for one that changes, so a share can be small, or above 100 %."
    )
    return [paragraph(_most_relevant(found)), table(("Input", "Share", ""), rows, caption)]


def _shares(found: Findings) -> list[Html]:
    """The largest effects of single inputs and of pairs, where the model is a sum of effects."""
    try:
        shares = found.given.estimator.effects().shares
    except AttributeError:
        return []
    largest = [(key, share) for key, share in shares.items() if share >= LEAST_SHARE]
    rows = [
        (" with ".join(key) or "three inputs and more", percent(share), bar(share))
        for key, share in largest[:MOST_BARS]
    ]
    caption = (
        "The model is a sum of effects of single inputs, of pairs and of more inputs, each with "
        "mean zero over the rows. The share is that of the variance of the prediction. Shares add "
        "up to 100 %; those below 1 % are left out."
    )
    return [table(("Effect", "Share", ""), rows, caption)] if rows else []


def _most_relevant(found: Findings) -> str:
    assert found.relevance is not None, "checked before"
    used = int(np.count_nonzero(found.relevance >= LEAST_SHARE))
    sentence = _first_inputs(found, found.relevance)
    n_factors, n_used = len(found.given.factors), int(np.count_nonzero(found.relevance))
    if n_factors > 1:
        sentence += (
            f" {used} of {counted(n_factors, 'input')} {'has' if used == 1 else 'have'} a part in "
            "1 % of it or more."
        )
    if n_used < n_factors:
        sentence += f" {n_factors - n_used} of them are not used at all."
    return sentence if n_used <= MOST_BARS else f"{sentence} The first {MOST_BARS} are shown."


def _first_inputs(found: Findings, relevance: np.ndarray) -> str:
    """The inputs of the largest shares, where shares say which input matters."""
    first, *others = found.most_relevant(4)
    names = listed([each.name for each in (first, *others)])
    if relevance.max() > 1.0 or relevance.sum() > MOST_SHARES:
        return (
            "Inputs stand in for one another, as correlated ones do: their shares of the "
            f"prediction's variance sum to {percent(relevance.sum())}, so no share says how much "
            f"one input matters. The largest {'are those' if others else 'is that'} of {names}."
        )
    share = percent(relevance.max())
    sentence = f"{first.name} matters most: it has a part in {share} of the prediction's variance."
    return f"{sentence} Next are {listed([each.name for each in others])}." if others else sentence


def _effects(found: Findings) -> list[Html]:
    """Curves of the most relevant inputs, of each output."""
    given = found.given
    n_outputs = 1 if given.classes is not None else len(given.targets)
    shown = range(min(n_outputs, 3))
    effects = [
        effect(given, each) for each in found.most_relevant(max(1, MOST_EFFECTS // len(shown)))
    ]
    blocks = [
        _picture(found, each, k, f"effect{j}-{k}") for k in shown for j, each in enumerate(effects)
    ]
    what, noise = "probability", ""
    if given.classes is None:
        what, noise = "prediction", " The noise of a single target comes on top."
    text = (
        f"Each picture shows the average {what} as one input varies and the others stay as they "
        f"are in the rows. The band is ± {N_STD:g} standard deviations of this average.{noise} "
        "Marks along the bottom are the rows: where there are none, the model has nothing to go by."
    )
    return [heading("Effects"), paragraph(text), beside(blocks)]


def _picture(found: Findings, each: Effect, k: int, key: str) -> Html:
    """An effect on output k or on the classes, and what it says."""
    given, name = found.given, clipped(each.factor.name, 40)
    columns = [k] if given.classes is None else _classes(found)
    finding = _finding(found, each, columns)

    def draw(ax: Any) -> None:
        for style, column in enumerate(columns):
            text = None if len(columns) == 1 else clipped(given.class_names[column], 20)
            _draw(ax, each, column, style, text)
        _finish(ax, each, name)
        ax.set_ylabel(_axis_name(found, columns))
        if len(columns) > 1:
            legend_above(ax)

    data: dict[str, object] = {}
    if found.live is not None:
        data = {"input": given.factors.index(each.factor), "columns": " ".join(map(str, columns))}
        data |= {"discrete": ""} if each.discrete else {}
    return figure(picture(key, finding, draw), finding, data)


def _classes(found: Findings) -> list[int]:
    """The classes that have a curve: of two the second, of more the most common."""
    assert found.given.classes is not None, "a regressor has no classes"
    count = np.bincount(found.given.y, minlength=len(found.given.classes))
    if len(count) == 2:
        return [1]
    return sorted(np.argsort(-count, kind="stable")[:MOST_LINES].tolist())


def _axis_name(found: Findings, columns: list[int]) -> str:
    given = found.given
    if given.classes is None:
        return f"average {clipped(given.targets[columns[0]], 24)}"
    if len(columns) == 1:
        return f"probability of {clipped(given.class_names[columns[0]], 20)}"
    return "average probability"


def _draw(ax: Any, each: Effect, column: int, style: int, label: str | None) -> None:
    """One curve and its band, or dots with bars where there is nothing between the places."""
    mean, reach = each.mean[:, column], N_STD * each.std[:, column]
    low, high = (np.clip(end, *each.limits) for end in (mean - reach, mean + reach))
    colour, line = COLOURS[style % len(COLOURS)], LINES[style % len(LINES)]
    if each.discrete:
        shift = 0.06 * style * (np.min(np.diff(each.places)) if len(each.places) > 1 else 1.0)
        bars, mark = (mean - low, high - mean), "osD^"[style % 4]
        look = {"fmt": mark, "ms": 5, "color": colour, "capsize": 3, "lw": 1.2, "label": label}
        ax.errorbar(each.places + shift, mean, bars, **look)
        return
    look = {"color": colour, "alpha": 0.18} if style else {"color": BAND, "alpha": 0.45}
    ax.fill_between(each.places, low, high, lw=0, **look)
    ax.plot(each.places, mean, line, color=colour, lw=1.7, label=label)


def _finish(ax: Any, each: Effect, name: str) -> None:
    """Names of places, and marks where the rows are."""
    ax.set_xlabel(name)
    if each.discrete:
        names = [_place(each, k, 14) for k in range(len(each.places))]
        crowded = sum(map(len, names)) > MOST_LETTERS
        ax.set_xticks(each.places, names, rotation=90 if crowded else 0)
        ax.margins(x=0.12)
        return
    marks = np.sort(each.observed)
    marks = marks[np.unique(np.linspace(0, len(marks) - 1, MOST_MARKS).astype(np.intp))]
    low, high = ax.get_ylim()
    ax.set_ylim(low - 0.07 * (high - low), high)
    look = {"transform": ax.get_xaxis_transform(), "color": FAINT, "ms": 6, "mew": 0.7}
    ax.plot(marks, np.full(len(marks), 0.03), "|", **look)


def _finding(found: Findings, each: Effect, columns: list[int]) -> str:
    """Where the average is lowest and highest; of several classes, the one that varies most."""
    given = found.given
    column = max(columns, key=lambda k: np.ptp(each.mean[:, k]))
    mean = each.mean[:, column]
    low, high = int(mean.argmin()), int(mean.argmax())
    varies = float(np.ptp(mean))
    written: Callable[[float], str] = percent
    if given.classes is None:
        what, written = given.targets[column], partial(to_its_scale, scale=varies)
    else:
        what = f"probability of {given.class_names[column]}"
    return (
        f"{each.factor.name}: the average {what} is lowest at {_place(each, low)}, "
        f"{written(mean[low])}, and highest at {_place(each, high)}, {written(mean[high])}."
    )


def _place(each: Effect, place: int, most: int = 40) -> str:
    """The name of a place."""
    if each.factor.categories is not None:
        return clipped(each.factor.categories[place], most)
    return short(each.places[place])


# Letters of a name.
LETTERS_OF_NAME = 40


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
    label = f'<label for="{key}">{escaped(clipped(control.factor.name, LETTERS_OF_NAME))}</label>'
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


def _answers(given: Subject, live: Live) -> Html:
    """Where the answers are written: means with deviations, or probabilities with bars."""
    what, bar = "Prediction, ± a standard deviation, noise included", ""
    names = [
        f"{clipped(name, LETTERS_OF_NAME)}, ± its standard deviation" for name in given.targets
    ]
    if given.classes is not None:
        what, bar = "Probabilities", '<span class="bar"><span id="said-{}-bar"></span></span> '
        names = [f"probability of {clipped(name, LETTERS_OF_NAME)}" for name in given.class_names]
    pairs = [
        (escaped(name), f'{bar.format(k)}<span id="said-{k}"></span>')
        for k, name in enumerate(names)
    ]
    if live.covers:
        pairs.append((Html("novelty: 0 % is well known"), '<span id="said-novelty"></span>'))
    lines = "".join(f"<div><dt>{name}</dt><dd>{place}</dd></div>" for name, place in pairs)
    opened = f'<div role="status" aria-label="{what}"><dl class="facts">'
    return Html(f"{opened}{lines}</dl></div>")
