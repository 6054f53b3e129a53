"""Modules of JavaScript run by Node: all of a list in one process, as it starts slowly."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np

NODE = shutil.which("node")

MAIN = """
import { readFileSync } from "node:fs";
const given = JSON.parse(readFileSync(process.argv[2], "utf8"));
const found = {};
for (const [name, { path, rows }] of Object.entries(given)) {
    const module = await import(path);
    const tried = (row) => {
        try { return module.predict(row); } catch (error) { return { error: error.message }; }
    };
    const big = (key, value) => (typeof value === "bigint" ? `${value}n` : value);
    const { inputs, labels } = module;
    const test = module.selfTest();
    found[name] = { said: rows.map(tried), test, inputs, labels };
    found[name] = JSON.parse(JSON.stringify(found[name], big));
}
console.log(JSON.stringify(found));
"""


def run(script, folder, *arguments):
    """What a script prints."""
    path = Path(folder) / "main.mjs"
    path.write_text(script, encoding="utf-8")
    command = [NODE, path, *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert not done.returncode, done.stderr[:4000]
    return done.stdout


def answers(modules, rows, folder):
    """By name "said" (of each row), "test", "inputs" and "labels".

    `modules` are texts, `rows` lists of what `predict` is given; both are by name.
    """
    given = {}
    for k, (name, text) in enumerate(modules.items()):
        path = Path(folder) / f"module{k}.mjs"
        path.write_text(text, encoding="utf-8")
        given[name] = {"path": str(path), "rows": list(rows[name])}
    path = Path(folder) / "given.json"
    path.write_text(json.dumps(given))
    return json.loads(run(MAIN, folder, path))


def column(said, name):
    """What all rows have by a name."""
    return np.array([row[name] for row in said])
