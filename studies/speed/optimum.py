"""Where "fast" ends, against full MacKay re-estimation and with a price on columns.

Run as `OPENBLAS_NUM_THREADS=1 python -m benchmarks.speed.optimum [--quick] [--seeds 4]`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.cases import WIDTHS, small_cases
from benchmarks.speed.measure import interleaved, test_figures, write
from sparsebayes import RVC, RVR

PRICES = (0.5, 1.0, 2.0)


def measure(case, relative, seed, prices) -> dict:
    estimator = RVR if case.task == "regression" else RVC
    gamma = case.gamma(relative)
    makers = {
        "fast": lambda: estimator(gamma=gamma),
        "mackay": lambda: estimator(gamma=gamma, inference="mackay"),
    }
    makers |= {
        f"min_gain={price}": lambda price=price: estimator(gamma=gamma, min_gain=price)
        for price in prices
    }
    row = {"set": case.name, "n": len(case.y), "width": relative, "seed": seed}
    for name, (model, seconds) in interleaved(makers, case.X, case.y, 1).items():
        row[name] = {
            "seconds": seconds,
            "columns": len(model.weights_),
            "log_evidence": float(model.log_evidence_),
            "outcome": model.outcome_.name,
            **test_figures(model, case),
        }
    return row


def compare(rows, method, base="mackay") -> str:
    """One line of the table: a method against MacKay, over all cases."""
    gap = np.array([r[method]["log_evidence"] - r[base]["log_evidence"] for r in rows])
    error = [np.log(r[method]["error"] / r[base]["error"]) for r in rows]
    loss = [r[method]["loss"] - r[base]["loss"] for r in rows]
    columns = [r[method]["columns"] / max(1, r[base]["columns"]) for r in rows]
    speed = {
        n: np.median([r[base]["seconds"] / r[method]["seconds"] for r in rows if r["n"] == n])
        for n in (100, 240, 1000)
        if any(r["n"] == n for r in rows)
    }
    times = ", ".join(f"{ratio:.1f} (N={n})" for n, ratio in speed.items())
    return (
        f"| {method} | {np.mean(gap >= -0.5):.1%} | {gap.mean():+.2f} | {gap.min():.2f} | "
        f"{np.exp(np.mean(error)):.3f} | {np.mean(loss):+.4f} | {np.mean(columns):.3f} | {times} |"
    )


def noise_table(n_draws) -> str:
    """Columns kept on pure noise, of 100 rows in the plane and a bias."""
    lines = [
        "\nColumns kept on pure noise, of 100 kernels and a bias, by gamma and min_gain:\n",
        "| gamma | 0 | 0.5 | 1 | 2 |",
        "|---|---|---|---|---|",
    ]
    for gamma in (0.1, 1.0, 10.0, 1000.0):
        kept = []
        for seed in range(n_draws):
            random = np.random.default_rng(seed)
            X, y = random.normal(size=(100, 2)), random.normal(size=100)
            makers = {p: lambda p=p: RVR(gamma=gamma, min_gain=p) for p in (0.0, *PRICES)}  # noqa: B023
            fitted = interleaved(makers, X, y, 1)
            kept.append([len(fitted[p][0].weights_) for p in makers])
        lines.append(f"| {gamma} | " + " | ".join(f"{k:.1f}" for k in np.mean(kept, axis=0)) + " |")
    return "\n".join(lines)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two sets, one width")
    parser.add_argument("--seeds", type=int, default=4, help="draws of every set")
    parser.add_argument("--out", type=Path, default=Path("results"))
    options = parser.parse_args(arguments)
    rows = []
    for seed in range(1 if options.quick else options.seeds):
        for case in small_cases(seed, generated_only=options.quick):
            if options.quick and len(case.y) > 240:
                continue
            for relative in WIDTHS[2:3] if options.quick else WIDTHS:
                rows.append(measure(case, relative, seed, PRICES))
        print("seed", seed, "done", flush=True)
    text = "\n".join(
        [
            f"{len(rows)} cases: each line against full MacKay re-estimation.\n",
            "| | evidence within 0.5 or above | mean difference | worst | error ratio | loss | "
            "columns | times faster |",
            "|---|---|---|---|---|---|---|---|",
            *(compare(rows, name) for name in ("fast", *(f"min_gain={p}" for p in PRICES))),
            noise_table(2 if options.quick else 20),
        ]
    )
    write(options.out, "optimum", rows, text)


if __name__ == "__main__":
    main()
