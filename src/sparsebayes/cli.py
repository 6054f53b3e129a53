"""The command `sparsebayes`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sparsebayes import __version__, demo


def parser() -> argparse.ArgumentParser:
    """What can be typed."""
    whole = argparse.ArgumentParser("sparsebayes", description="Sparse Bayesian learning.")
    whole.add_argument("--version", action="version", version=f"sparsebayes {__version__}")
    commands = whole.add_subparsers(dest="command", metavar="command")
    command = commands.add_parser(
        "demo",
        help="fit a regression and a classification beside tuned SVMs",
        description="Fits a regression and a classification beside tuned SVMs, prints a table, "
        "and draws two pictures into DIR. Needs the extra: pip install 'sparsebayes[plot]'.",
    )
    command.add_argument(
        "--out", type=Path, default=Path("demo"), metavar="DIR", help="default: %(default)s"
    )
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, or print the help; the exit code is 2 if it cannot be run."""
    whole = parser()
    options = whole.parse_args(arguments)
    if options.command is None:
        whole.print_help()
        return 0
    try:
        demo.main(["--out", str(options.out)])
    except (ImportError, OSError) as error:
        print(f"sparsebayes: error: {error}", file=sys.stderr)
        return 2
    return 0
