"""Models in C on a Cortex-M4: bytes of flash and memory, instructions, and what it says there."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sparsebayes import RVC, RVR
from sparsebayes.export.c import to_c
from studies.carry.board import ARM, target, version
from studies.carry.measuring import measure
from studies.framework.experiment import Block, Experiment, Status, Table, Task, Text, Verdict

N_ROWS = 8
MEGAHERTZ = 100.0
# What double precision may differ by; the library of the board rounds otherwise than NumPy.
TOLERANCE = 1e-9


def regressor(covering: bool) -> tuple[Any, np.ndarray]:
    """A model of two inputs with 6 vectors, and rows."""
    random = np.random.default_rng(2)
    X = random.uniform(-1.0, 1.0, size=(100, 2))
    y = np.sin(2.0 * X[:, 0]) + X[:, 1] ** 2 + 0.2 * random.normal(size=100)
    model = RVR().fit(X, y)
    return model if covering else model.drop_covering(), 1.2 * X[:N_ROWS]


def classifier(covering: bool) -> tuple[Any, np.ndarray]:
    """A model of two classes and two inputs with 10 vectors, and rows."""
    random = np.random.default_rng(0)
    X = random.uniform(-1.0, 1.0, size=(150, 2))
    odds = np.exp(6.0 * np.sin(3.0 * X[:, 0]) * np.cos(2.0 * X[:, 1]))
    y = (random.uniform(size=150) < odds / (1.0 + odds)).astype(int)
    model = RVC().fit(X, y)
    return model if covering else model.drop_covering(), 1.2 * X[:N_ROWS]


@dataclass(frozen=True)
class Function:
    """A function of a header: its call, its number of values, what Python says, and the scale."""

    call: str
    n_values: int
    expected: Callable[[Any, np.ndarray], np.ndarray]
    scale: Callable[[Any, np.ndarray], Any]


def _std(model: Any, rows: np.ndarray) -> np.ndarray:
    return model.predict(rows, return_std=True)[1][:, None]


FUNCTIONS: dict[str, Function] = {
    "predict": Function("model_predict(x, out);", 1, lambda m, x: m.predict(x)[:, None], _std),
    "predict_std": Function(
        "model_predict_std(x, out, out + 1);",
        2,
        lambda m, x: np.column_stack(m.predict(x, return_std=True)),
        _std,
    ),
    "predict_class": Function(
        "out[0] = ({real})model_predict_class(x);",
        1,
        lambda m, x: m.predict(x)[:, None],
        lambda m, x: 1.0,
    ),
    "predict_proba": Function(
        "model_predict_proba(x, out);", 2, lambda m, x: m.predict_proba(x), lambda m, x: 1.0
    ),
}
# (key, which model, with covering rows, what is called)
CASES: tuple[tuple[str, Callable[[bool], tuple[Any, np.ndarray]], bool, str], ...] = (
    ("rvr-covering-std", regressor, True, "predict_std"),
    ("rvr-std", regressor, False, "predict_std"),
    ("rvr-mean", regressor, True, "predict"),
    ("rvc-covering-proba", classifier, True, "predict_proba"),
    ("rvc-proba", classifier, False, "predict_proba"),
    ("rvc-class", classifier, True, "predict_class"),
)


def measured(case: int, real: str) -> dict:
    """Bytes and instructions of one function of one model."""
    _, maker, covering, name = CASES[case]
    model, rows = maker(covering)
    rows = rows.astype(np.float32).astype(float) if real == "float" else rows
    function, board = FUNCTIONS[name], target()
    needs_std = name in ("predict_std", "predict_proba")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # what single precision loses is measured
        header = to_c(model, precision=real, std=needs_std)
    with tempfile.TemporaryDirectory() as folder:
        found = measure(board, header, function.call, function.n_values, rows, real, Path(folder))
    values = found.pop("values")
    gap = np.abs(values - function.expected(model, rows)) / function.scale(model, rows)
    plain = model.to_portable().plain
    more = plain.spread.columns or ()
    return {
        "target": board.name,
        "function": name,
        "precision": real,
        "covering": covering,
        "estimator": type(model).__name__,
        "vectors": len(plain.weights),
        "covering_rows": sum(each.n_columns for each in more),
        "error": float(gap.max()),
        "versions": {tool: version(tool) for tool in (f"{board.tools}gcc", *board.run[:1])},
        **found,
    }


def tasks(quick: bool) -> list[Task]:
    """Each case in both precisions."""
    kinds = ("float",) if quick else ("double", "float")
    cases = range(1 if quick else len(CASES))
    return [Task(f"{CASES[k][0]}-{real}", measured, (k, real)) for k in cases for real in kinds]


def report(results: dict[str, dict]) -> list[Block]:
    """A row for each case."""
    header = [
        *("model", "numbers", "function", "flash, its own", "flash, with the library"),
        *("static memory", "stack", "instructions", f"µs at {MEGAHERTZ:.0f} MHz", "largest error"),
    ]
    note = (
        "Bytes. Flash of its own is code and tables; the library is newlib's mathematics and, for "
        "doubles, arithmetic in software. The stack is what a call writes to, library included. "
        "Microseconds are instructions at one each cycle, so a chip takes longer: qemu counts "
        "instructions, not cycles. Errors are relative to the std, or of a probability or class."
    )
    rows = [_row(each) for each in results.values()]
    return [Table(header, rows, note), *_where(results), *_verdict(results)]


def _row(result: dict) -> list[str]:
    covering = f" and {result['covering_rows']} covering rows" if result["covering"] else ""
    needed = result["function"] in ("predict_std", "predict_proba")
    counted = result["instructions"] is not None
    return [
        f"{result['estimator']}, {result['vectors']} vectors{covering if needed else ''}",
        *(result["precision"], result["function"]),
        *(str(result["own_flash"]), str(result["flash"]), str(result["static"])),
        str(result["stack"]) if counted else "-",
        f"{result['instructions']:.0f}" if counted else "-",
        f"{result['instructions'] / MEGAHERTZ:.0f}" if counted else "-",
        f"{result['error']:.1e}",
    ]


def _where(results: dict[str, dict]) -> list[Block]:
    """On which machine it was measured."""
    blocks: list[Block] = []
    for name in dict.fromkeys(each["target"] for each in results.values()):
        tools = next(each["versions"] for each in results.values() if each["target"] == name)
        shown = ", ".join(f"{tool} {number}" for tool, number in tools.items())
        lacking = (
            ""
            if name == ARM.name
            else (
                " The compiler for a Cortex-M4 or qemu is not installed, so these are sizes by "
                "gcc -Os for the machine that the study ran on, without instructions."
            )
        )
        blocks.append(Text(f"Measured on {name} with {shown}.{lacking}"))
    return blocks


def _verdict(results: dict[str, dict]) -> list[Block]:
    """Whether doubles say what Python says."""
    errors = [each["error"] for each in results.values() if each["precision"] == "double"]
    if not errors:
        return []
    return [
        Verdict(
            f"what is printed in double precision is within {TOLERANCE:.0e} of what Python says",
            Status.REPRODUCED if max(errors) < TOLERANCE else Status.NOT,
            f"the largest of {len(errors)} errors is {max(errors):.1e}",
        )
    ]


EXPERIMENTS = [
    Experiment(
        "carry-embedded",
        "sparsebayes",
        "Models in C on a Cortex-M4: bytes and instructions",
        tasks,
        report,
    )
]
