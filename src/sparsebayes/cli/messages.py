"""What the command says besides its results, and while it works, on stderr, and how it ends."""

from __future__ import annotations

import io
import math
import sys
import threading
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any

NAME = "sparsebayes"


class CommandError(Exception):
    """The command ends with a message. The code is what the shell is told."""

    code = 1


class RefusedError(CommandError):
    """The data or the model do not allow what was asked for."""


class MisuseError(CommandError):
    """The command was used in a wrong way, or needs what is not installed."""

    code = 2


def say(kind: str, text: str) -> None:
    """A line on stderr, such as "sparsebayes: note: ..."."""
    print(f"{NAME}: {kind}: {text}", file=sys.stderr, flush=True)


def note(text: str) -> None:
    """Something to know, which is not wrong."""
    say("note", text)


@contextmanager
def told_warnings() -> Iterator[None]:
    """Warnings for users become lines on stderr, each once; those for programmers are left out."""
    told = set()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        text = str(message)
        if text not in told:
            told.add(text)
            say("warning", text)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield


def listed(texts: Iterable[Any], most: int = 8) -> str:
    """The first texts in quotes, and how many more there are."""
    every = [repr(str(each)) for each in texts]
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more


def counted(number: int, thing: str) -> str:
    """A number and its noun, such as "1 row" and "2 rows"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def rounded(value: float) -> str:
    """A number to four digits, without an exponent where people would not write one."""
    return f"{value:.0f}" if 1e3 <= abs(value) < 1e9 else f"{value:.4g}"


def with_error(value: float, error: float, other: float) -> tuple[str, str]:
    """A number with its standard error, and another number, to digits that the error allows."""
    if not math.isfinite(error) or error == 0.0:
        return rounded(value), rounded(other)
    decimals = max(0, 1 - math.floor(math.log10(error)))
    if decimals > 6 or abs(value) >= 1e9:
        return f"{value:.4g} +- {error:.2g}", f"{other:.4g}"
    return f"{value:.{decimals}f} +- {error:.{decimals}f}", f"{other:.{decimals}f}"


def in_columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows of texts below each other, in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return "\n".join(f"  {line}" for line in lines)


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
