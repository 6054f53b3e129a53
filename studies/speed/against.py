"""The source beside another checkout of it, timed in turns.

    python -m studies.speed.against OTHER/src

Each source has a process of its own. Both do the same case one after the other, several times; the
table has the medians of CPU seconds, and the median of their ratios. It needs a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parents[2] / "src"
CASES = Path(__file__).with_name("against_cases.py")
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class Source:
    """A process that times cases with one source."""

    def __init__(self, folder: Path) -> None:
        environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(folder.resolve())}
        self._process = subprocess.Popen(
            [sys.executable, str(CASES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.cases = list(iter(self._read, ""))

    def seconds(self, case: str) -> float:
        """CPU seconds of one run."""
        assert self._process.stdin is not None
        print(case, file=self._process.stdin, flush=True)
        return float(self._read())

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().rstrip("\n")

    def end(self) -> None:
        """End the process."""
        self._process.communicate()


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="the folder `src` of another checkout")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--only", default="", help="cases whose names hold this")
    options = parser.parse_args(arguments)
    other, here = Source(options.other), Source(HERE)
    print("| case | other, s | here, s | here / other |\n|---|---|---|---|")
    for case in (case for case in here.cases if options.only in case):
        pairs = [(other.seconds(case), here.seconds(case)) for _ in range(options.repeats)]
        before, now = (median(each) for each in zip(*pairs, strict=True))
        ratio = median(new / old for old, new in pairs)
        print(f"| {case} | {before:.4f} | {now:.4f} | {ratio:.2f} |", flush=True)
    other.end()
    here.end()


if __name__ == "__main__":
    main()
