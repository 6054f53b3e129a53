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


@contextmanager
def told_progress(what: str, first: float = FIRST_SECONDS) -> Iterator[None]:
    """Tell how long the body takes: after some seconds, and again after longer and longer times.

    Parameters
    ----------
    what : is being done; the last line that the body prints is told with it
    first : seconds until it is told for the first time
    """
    done, printed, start = threading.Event(), io.StringIO(), time.perf_counter()
    stderr = sys.stderr

    def tell() -> None:
        pause = first
        while not done.wait(pause):
            last = printed.getvalue().rstrip().rpartition("\n")[2]
            more = f" ({last})" if last else ""
            seconds = time.perf_counter() - start
            print(f"{what}: {seconds:.0f} s{more}", file=stderr, flush=True)
            pause = min(2.0 * pause, MOST_SECONDS)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        with redirect_stdout(printed):
            yield
    finally:
        done.set()
        teller.join()


def announce(what: str, seconds: float, way_out: str) -> None:
    """Say beforehand how long something will take, if it is long."""
    if seconds > FIRST_SECONDS:
        say("note", f"{what} takes about {seconds:.0f} s; {way_out}.")
