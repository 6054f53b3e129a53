"""What a page does with a script: the model answers to its controls, in words and in pictures."""

from __future__ import annotations

import base64
import hashlib

from sparsebayes.export.js.writing import text
from sparsebayes.report.drawing import COLOURS
from sparsebayes.report.live import Live

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
