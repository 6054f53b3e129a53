"""How far a run is, on stderr."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence


class Progress:
    """One line that changes, on a terminal; else a line for each experiment that is done."""

    def __init__(self, stream=None):
        self.stream = sys.stderr if stream is None else stream
        self.changing = self.stream.isatty()

    def begin(self, experiments: Sequence[str]) -> None:
        """Begin a run: `names` has the experiment of each task."""
        self.left = Counter(experiments)
        self.total = len(experiments)
        self.start = time.monotonic()
        self._say(f"{self.total} tasks to run", stays=True)

    def step(self, experiment: str, key: str, failure: str) -> None:
        """Count a task that has ended."""
        self.left[experiment] -= 1
        done = self.total - self.left.total()
        if failure:
            self._say(f"{experiment} {key} failed\n{failure}", stays=True)
        if self.changing or not self.left[experiment]:
            elapsed = time.monotonic() - self.start
            self._say(f"{done} of {self.total}, {elapsed:.0f} s, {experiment}")

    def end(self) -> None:
        """End the line, as all tasks have ended."""
        if self.changing:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def _say(self, line: str, stays: bool = False) -> None:
        if not self.changing:
            self.stream.write(f"{line}\n")
        else:
            self.stream.write(f"\r\x1b[K{line}" + "\n" * stays)
        self.stream.flush()
