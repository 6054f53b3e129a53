"""How a command is run, and how it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from sparsebayes.cli.messages import CommandError, say, told_warnings
from sparsebayes.cli.parser import parser

INTERRUPTED, NO_READER = 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, or print the help.

    Parameters
    ----------
    arguments : what was typed after `sparsebayes`; None for what the shell passes

    Returns
    -------
    code : for the shell; `sparsebayes.cli` lists them
    """
    whole = parser()
    options = whole.parse_args(arguments)
    if options.command is None:
        whole.print_help()
        return 0
    try:
        with told_warnings():
            import_module(f"sparsebayes.cli.{options.command}").run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        say("error", "interrupted.")
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return NO_READER
    except CommandError as error:
        say("error", str(error))
        return error.code
    except (ImportError, OSError, ValueError, MemoryError) as error:
        say("error", _text(error))
        return 2 if isinstance(error, ImportError | OSError) else 1
    return 0


def _text(error: BaseException) -> str:
    """What went wrong, in one line or a few."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    if isinstance(error, MemoryError):
        return f"there is not enough memory: {str(error) or 'take fewer rows'}."
    return str(error)


def _forget_output() -> None:
    """Nobody reads stdout any more: what is left goes nowhere when Python closes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
