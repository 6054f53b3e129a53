"""How long something takes, told on stderr while it does."""

from __future__ import annotations

import io
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

from sparsebayes.cli.messages import say

FIRST_SECONDS, MOST_SECONDS = 5.0, 60.0


class LastLine(io.TextIOBase):
    """A stream that keeps the last line that was printed to it."""

    def __init__(self) -> None:
        self.line = ""

    def write(self, text: str) -> int:
        """Keep a text, if it is more than the end of a line."""
        self.line = text.strip() or self.line
        return len(text)


@contextmanager
def told_progress(what: str, first: float = FIRST_SECONDS) -> Iterator[None]:
    """Tell how long the body takes: after some seconds, and again after longer and longer times.

    Parameters
    ----------
    what : is being done; the last line that the body prints is told with it
    first : seconds until it is told for the first time
    """
    done, last, start = threading.Event(), LastLine(), time.perf_counter()
    stderr = sys.stderr

    def tell() -> None:
        pause = first
        while not done.wait(pause):
            more = f" ({last.line})" if last.line else ""
            seconds = time.perf_counter() - start
            print(f"{what}: {seconds:.0f} s{more}", file=stderr, flush=True)
            pause = min(2.0 * pause, MOST_SECONDS)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        with redirect_stdout(last):
            yield
    finally:
        done.set()
        teller.join()


def announce(what: str, seconds: float, way_out: str) -> None:
    """Say beforehand how long something will take, if it is long."""
    if seconds > FIRST_SECONDS:
        say("note", f"{what} takes about {seconds:.0f} s; {way_out}.")
