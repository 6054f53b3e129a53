"""What a reader can change on a page: controls of inputs, and the model that answers to them.

The script is the model, and what asks it; it answers in words and in pictures.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebayes.export.js import to_js
from sparsebayes.export.js.writing import text
from sparsebayes.model.columns import n_columns
from sparsebayes.report.drawing import COLOURS
from sparsebayes.report.given import InputFactor, Subject

# A page stays small, and writing it quick: columns with covering rows, and letters of the module.
MOST_COLUMNS, LONGEST = 300, 300_000
MOST_CONTROLS = 12
# Rows of which a usual one is found.
N_ROWS = 200


@dataclass(frozen=True)
class Control:
    """A slider for a number, or a list of texts.

    Parameters
    ----------
    factor : what it changes
    number : the place of the factor among all
    value : where it begins; the place of a text
    low, high : the ends of a slider
    whole : whether all values are whole numbers
    """

    factor: InputFactor
    number: int
    value: float
    low: float
    high: float
    whole: bool


@dataclass(frozen=True)
class Live:
    """A model that runs in the page.

    Parameters
    ----------
    module : its JavaScript
    row : what it is first asked; numbers, and places of texts
    controls : of the most relevant factors
    covers : whether it tells how new a row is
    """

    module: str
    row: tuple[float, ...]
    controls: tuple[Control, ...]
    covers: bool


def live(given: Subject, factors: list[InputFactor]) -> Live | None:
    """The model with controls of some factors; None if it is too large, or cannot leave Python."""
    if given.pairwise or not factors:
        return None
    try:
        portable = given.model.to_portable()
        columns = (*portable.plain.columns, *(portable.plain.spread.columns or ()))
        module = to_js(portable) if n_columns(columns) <= MOST_COLUMNS else ""
    except ValueError:  # a NotPortableError, or columns that are infinite away from the data
        return None
    if not 0 < len(module) <= LONGEST:
        return None
    usual = _usual_row(given)
    row = tuple(_value(each, usual) for each in given.factors)
    controls = [
        _control(given, each, given.factors.index(each), row) for each in factors[:MOST_CONTROLS]
    ]
    return Live(module, row, tuple(controls), portable.plain.spread.covers)


def _usual_row(given: Subject) -> np.ndarray:
    """The row that is nearest to the medians of all inputs, in units of their deviations."""
    rows = given.dense_rows(N_ROWS)
    scale = np.maximum(rows.std(axis=0), np.finfo(float).tiny)
    with np.errstate(over="ignore"):
        distance = np.sum(((rows - np.median(rows, axis=0)) / scale) ** 2, axis=1)
    return rows[int(np.argmin(distance))]


def _value(factor: InputFactor, row: np.ndarray) -> float:
    """The number of a factor in a row, or the place of its text."""
    own = row[list(factor.inputs)]
    return float(own[0]) if factor.categories is None else float(np.argmax(own))


def _control(given: Subject, factor: InputFactor, number: int, row: tuple[float, ...]) -> Control:
    column: Any = given.X[:, list(factor.inputs)]
    values = column.toarray() if hasattr(column, "toarray") else column
    whole = bool(np.all(values == np.round(values)))
    ends = float(values.min()), float(values.max())
    return Control(factor, number, row[number], *ends, whole)


CODE = r"""
const page = PAGE;
const row = page.row.map((value, k) => (inputs[k].texts ? inputs[k].texts[value] : value));
const controls = [...document.querySelectorAll("#try [data-input]")];
const short = (value) => String(Number(value.toPrecision(4)));

/** A mean and its deviation, with the two digits that the deviation leaves. */
function both(mean, deviation) {
    const digits = 1 - Math.floor(Math.log10(deviation));
    const written = digits >= 0 && digits < 13 ? (value) => value.toFixed(digits) : short;
    return `${written(mean)} \u00b1 ${written(deviation)}`;
}

/** [what is most probable or the mean, its deviation], of each output or class. */
function numbersOf(said) {
    if (said.probabilities) return said.probabilities.map((each) => [each, 0]);
    const deviations = [said.std].flat();
    return [said.mean].flat().map((mean, k) => [mean, deviations[k]]);
}

function valueOf(control) {
    const { texts } = inputs[control.dataset.input];
    return texts ? texts[control.selectedIndex] : control.valueAsNumber;
}

function drawn(parent, tag, attributes) {
    const element = document.createElementNS(parent.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return parent.appendChild(element);
}

/** The prediction as one input varies and all others are as they are chosen, in a picture. */
function pictureOf(figure) {
    const svg = figure.querySelector("svg");
    const [left, top, width, height, x0, x1, y0, y1] = svg.dataset.frame.split(" ").map(Number);
    const number = Number(figure.dataset.input), discrete = "discrete" in figure.dataset;
    const control = controls.find((each) => Number(each.dataset.input) === number);
    const { texts } = inputs[number];
    const inner = drawn(svg, "svg", { x: left, y: top, width, height });
    inner.classList.add("live");
    const across = (value) => (width * ((texts ? texts.indexOf(value) : value) - x0)) / (x1 - x0);
    const down = (value) => (height * (y1 - value)) / (y1 - y0);
    const columns = figure.dataset.columns.split(" ").map(Number);
    const shapes = columns.map((column, k) => {
        const stroke = columns.length > 1 ? page.colours[k % page.colours.length] : page.colours[1];
        const look = { stroke, fill: "none", "stroke-width": 1.2 };
        const curve = drawn(inner, "path", { ...look, "stroke-dasharray": "2 2" });
        const bar = drawn(inner, "path", { ...look, "stroke-width": 1.8 });
        const dot = drawn(inner, "circle", { ...look, r: 3.6 });
        return { column, curve, bar, dot };
    });
    const places = [];
    for (let k = 0; k <= 40 && !texts && !discrete; ++k) {
        places.push(Number(control.min) + ((control.max - control.min) * k) / 40);
    }
    return (now) => {
        const rows = places.map((value) => Object.assign([...row], { [number]: value }));
        const along = rows.map((each) => numbersOf(predict(each)));
        const x = across(row[number]);
        for (const { column, curve, bar, dot } of shapes) {
            const points = along.map((each, k) => `${across(places[k])},${down(each[column][0])}`);
            if (points.length) curve.setAttribute("d", `M${points.join("L")}`);
            const [mean, deviation] = now[column];
            const ends = [mean - 2 * deviation, mean + 2 * deviation].map(down);
            bar.setAttribute("d", `M${x},${ends[0]}L${x},${ends[1]}`);
            const y = Math.min(Math.max(down(mean), 4.5), height - 4.5);
            const inside = y === down(mean);
            dot.setAttribute("cx", x);
            dot.setAttribute("cy", y);
            dot.setAttribute("fill", inside ? dot.getAttribute("stroke") : "white");
        }
    };
}

const pictures = [...document.querySelectorAll("figure[data-input]")].map(pictureOf);

function answer() {
    for (const control of controls) {
        row[control.dataset.input] = valueOf(control);
        const shown = document.getElementById(`${control.id}-value`);
        if (shown) shown.textContent = short(control.valueAsNumber);
    }
    const said = predict(row), now = numbersOf(said);
    now.forEach(([mean, deviation], k) => {
        const shown = document.getElementById(`said-${k}`);
        const bar = document.getElementById(`said-${k}-bar`);
        shown.textContent = bar ? `${(100 * mean).toFixed(1)} %` : both(mean, deviation);
        if (bar) bar.style.width = `${100 * mean}%`;
    });
    const novelty = document.getElementById("said-novelty");
    if (novelty) novelty.textContent = `${(100 * said.novelty).toFixed(0)} %`;
    pictures.forEach((picture) => picture(now));
}

let asked = false;
document.getElementById("try").addEventListener("input", () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
        asked = false;
        answer();
    });
});
document.getElementById("try").hidden = false;
answer();
"""


def script_of(live: Live) -> str:
    """The model, and what asks it."""
    page = text({"row": live.row, "colours": COLOURS})
    return f"\n{live.module}{CODE.replace('PAGE', page)}"


def policy_of(script: str) -> str:
    """What a browser lets the page do: nothing but this script and styles of its own."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    scripts = f"script-src 'sha256-{digest}'; " if script else ""
    return f"default-src 'none'; {scripts}style-src 'unsafe-inline'; base-uri 'none'"
