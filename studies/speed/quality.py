"""Default models of the source and of another checkout of it: what they are worth.

    python -m studies.speed.quality OTHER/src

Error, loss and vectors on the benchmark sets, and the evidence of the Gaussian process of all rows
(at most 1000) at the scales that each has learned. Both sources run at the same time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from sparsebayes.climber import Ascent, climb
from sparsebayes.dense.model import DenseModel
from sparsebayes.dense.rows import DenseRows
from sparsebayes.scales import ScalePrior
from studies.data.samples import sample
from studies.speed.against import HERE, ONE_THREAD
from studies.speed.quality_cases import SETS, problem_of

CASES = "studies.speed.quality_cases"
# Evidence is compared up to this many rows.
MOST_ROWS = 1000


def start(source: Path, n_draws: int, only: str) -> subprocess.Popen:
    """A process that measures all draws with one source."""
    path = os.pathsep.join([str(source.resolve()), str(HERE.parent)])
    return subprocess.Popen(
        [sys.executable, "-m", CASES, str(n_draws), only],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **ONE_THREAD, "PYTHONPATH": path},
    )


def results(process: subprocess.Popen) -> dict[tuple[str, int], dict]:
    """What a process says, by set and seed."""
    said = process.communicate()[0].splitlines()
    return {(one["set"], one["seed"]): one for one in map(json.loads, said)}


def dense_evidence(name: str, seed: int, log_scales: list[float]) -> float:
    """Log evidence of the Gaussian process at these scales and of the scales themselves."""
    problem = problem_of(sample(name.split("/")[0], seed, **SETS[name]))
    assert problem is not None
    model = DenseModel(problem.columns, DenseRows.of(problem.data, problem.likelihood))
    at = np.array(log_scales)
    parts = model.parts(at)
    (first,), (limits,) = model.first_settings(at, 1e-4)

    def function(settings: np.ndarray) -> tuple[float, np.ndarray]:
        found = model.evaluate_at(settings[None], parts)
        return found.value, found.by_setting[0]

    best = climb(function, first, limits, Ascent(least_rise=1e-3)).value
    return best + ScalePrior(problem.columns.kinds).log_density(at)


def evidence_gains(before: dict, now: dict) -> list[float]:
    """By how much the evidence at the scales learned here is above that at the others."""
    gains = []
    for key, one in now.items():
        scales = before[key]["log_scales"], one["log_scales"]
        if None in scales or len(sample_rows(key)) > MOST_ROWS:
            continue
        name, seed = key
        there, here = (dense_evidence(name, seed, each) for each in scales)
        gains.append(here - there)
    return gains


def sample_rows(key: tuple[str, int]) -> np.ndarray:
    """The training targets of a draw."""
    name, seed = key
    return sample(name.split("/")[0], seed, **SETS[name]).y


def means(found: dict, name: str) -> dict[str, float]:
    """The means over the draws of one set."""
    rows = [one for (key, _), one in found.items() if key == name]
    return {
        what: float(np.mean([row[what] for row in rows]))
        for what in ("error", "vectors", "loss", "seconds")
    }


def main(arguments: list[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="the folder `src` of another checkout")
    parser.add_argument("--draws", type=int, default=6)
    parser.add_argument("--only", default="", help="sets whose names hold this")
    options = parser.parse_args(arguments)
    sources = options.other, HERE
    processes = [start(each, options.draws, options.only) for each in sources]
    before, now = map(results, processes)
    print("| set | error | vectors | loss | times faster |\n|---|---|---|---|---|")
    ratios = []
    for name in dict.fromkeys(name for name, _ in now):
        old, new = means(before, name), means(now, name)
        ratio = {what: new[what] / old[what] for what in ("error", "vectors", "seconds")}
        ratios.append({**ratio, "loss": new["loss"] - old["loss"]})
        cells = [f"{old[what]:.4g} -> {new[what]:.4g}" for what in ("error", "vectors", "loss")]
        print("|", name, "|", " | ".join(cells), f"| {1 / ratio['seconds']:.1f} |")
    for what in ("error", "vectors", "seconds"):
        mean = np.exp(np.mean([np.log(one[what]) for one in ratios]))
        print(f"{what}, geometric mean of ratios: {mean:.3f}")
    print(f"loss, mean difference: {np.mean([one['loss'] for one in ratios]):.4f}")
    gains = np.array(evidence_gains(before, now))
    print(f"dense evidence lower by more than 0.5: {np.mean(gains < -0.5):.3f} of {len(gains)}")
    print(f"dense evidence, mean difference: {gains.mean():.3f}")


if __name__ == "__main__":
    main()
