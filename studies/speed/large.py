"""Time and memory for many rows, each fit in a process of its own.

Run as `python -m benchmarks.speed.large [--quick]`.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.speed.measure import write


def fit(n_samples: int, centres) -> dict:
    """One regression on Friedman 1, d = 10, and what it took."""
    from benchmarks.cases import friedman_case
    from sparsebayes import RVR

    case = friedman_case(1, n_samples, 0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.perf_counter()
    model = RVR(gamma=case.gamma(0.3), centres=centres).fit(case.X, case.y)
    seconds = time.perf_counter() - start
    return {
        "n": n_samples,
        "centres": centres,
        "seconds": seconds,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "mb_before": before,
        "vectors": len(model.relevance_),
        "rounds": model.n_iter_,
        "outcome": model.outcome_.name,
        "error": float(np.mean((model.predict(case.X_test) - case.y_test) ** 2)),
    }


def in_own_process(n_samples, centres) -> dict:
    command = [
        sys.executable,
        "-m",
        "benchmarks.speed.large",
        "--one",
        str(n_samples),
        str(centres),
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--one", nargs=2, metavar=("N", "CENTRES"), help="one fit, as JSON")
    parser.add_argument("--out", type=Path, default=Path("results"))
    options = parser.parse_args(arguments)
    if options.one:
        centres = options.one[1]
        print(json.dumps(fit(int(options.one[0]), centres if centres == "auto" else int(centres))))
        return
    sizes = (500, 1000) if options.quick else (20_000, 50_000, 100_000)
    rows = [in_own_process(n, c) for c in ("auto", 100 if options.quick else 1000) for n in sizes]
    lines = ["| N | centres | seconds | peak MB | vectors | rounds | error | outcome |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    lines += [
        f"| {r['n']} | {r['centres']} | {r['seconds']:.1f} | {r['peak_mb']:.0f} | {r['vectors']} | "
        f"{r['rounds']} | {r['error']:.5f} | {r['outcome']} |"
        for r in rows
    ]
    fixed = rows[len(sizes) :]
    growth = np.log(fixed[-1]["seconds"] / fixed[0]["seconds"]) / np.log(sizes[-1] / sizes[0])
    lines.append(f"\nAt a fixed number of centres, seconds grow as N^{growth:.2f}.")
    write(options.out, "large", rows, "\n".join(lines))


if __name__ == "__main__":
    main()
