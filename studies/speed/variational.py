"""Seconds of variational fits, and how they grow, beside "fast".

Run as `OPENBLAS_NUM_THREADS=1 python -m benchmarks.speed.variational [--quick] [--out results]`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.cases import friedman_case
from benchmarks.speed.measure import interleaved, markdown, write
from benchmarks.speed.peers import moons_case
from sparsebayes import RVC, RVR

WIDTHS = (0.1, 1.0)


def measure(case, relative, repeats) -> dict:
    kind = RVR if case.task == "regression" else RVC
    gamma = case.gamma(relative)
    makers = {
        "variational": lambda: kind(gamma=gamma, inference="variational"),
        "fast": lambda: kind(gamma=gamma),
    }
    fitted = interleaved(makers, case.X, case.y, repeats)
    model, seconds = fitted["variational"]
    return {
        "set": case.name,
        "n": len(case.y),
        "width": relative,
        "seconds": seconds,
        "seconds_fast": fitted["fast"][1],
        "steps": model.n_iter_,
        "outcome": model.outcome_.name,
        "relevant": len(model.relevance_),
        "columns": len(model.weights_),
        "relevant_fast": len(fitted["fast"][0].relevance_),
    }


def table(rows) -> str:
    header = ["set", "N", "width", "seconds", "steps", "relevant of columns", "outcome"]
    cells = [
        [
            row["set"],
            str(row["n"]),
            str(row["width"]),
            f"{row['seconds']:.2f}",
            str(row["steps"]),
            f"{row['relevant']} of {row['columns']}",
            row["outcome"],
            f"{row['seconds_fast']:.2f}",
            str(row["relevant_fast"]),
        ]
        for row in rows
    ]
    lines = [markdown([*header, "fast: seconds", "relevant"], cells)]
    lines.append("\nGrowth of the seconds, from the least to the most rows:")
    for name in dict.fromkeys(row["set"] for row in rows):
        for width in WIDTHS:
            mine = [r for r in rows if (r["set"], r["width"]) == (name, width)]
            if len(mine) > 1:
                ratio = mine[-1]["seconds"] / mine[0]["seconds"]
                power = np.log(ratio) / np.log(mine[-1]["n"] / mine[0]["n"])
                lines.append(f"- {name}, width {width}: N^{power:.1f}")
    return "\n".join(lines)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one small size")
    parser.add_argument("--out", type=Path, default=Path("results"))
    options = parser.parse_args(arguments)
    rows = []
    for n_samples in [50] if options.quick else [125, 250, 500, 1000]:
        for case in (friedman_case(1, n_samples, 0), moons_case(n_samples, 0)):
            for relative in WIDTHS:
                rows.append(measure(case, relative, 1 if n_samples > 500 else 3))
    write(options.out, "variational", rows, table(rows))


if __name__ == "__main__":
    main()
