"""The command `sparsebayes`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sparsebayes import __version__
from sparsebayes.reproduce import catalogue
from sparsebayes.reproduce.command import reproduce

INTERRUPTED = 130


def parser() -> argparse.ArgumentParser:
    """What can be typed."""
    whole = argparse.ArgumentParser("sparsebayes", description="Sparse Bayesian learning.")
    whole.add_argument("--version", action="version", version=f"sparsebayes {__version__}")
    commands = whole.add_subparsers(dest="command", required=True, metavar="command")
    command = commands.add_parser(
        "reproduce",
        help="run the experiments of the papers, and write a page about them",
        description="Runs the experiments of the papers and writes index.html and report.md. What "
        "was run before is read from the files in DIR/draws, so that an interrupted run goes on.",
    )
    command.add_argument(
        "names", nargs="*", help="experiments, or how their names begin, such as t01; default: all"
    )
    command.add_argument("--quick", action="store_true", help="few draws, a few minutes")
    command.add_argument("--jobs", type=_at_least_one, default=1, metavar="N", help="processes")
    command.add_argument(
        "--out", type=Path, default=Path("results/reproduce"), metavar="DIR", help="%(default)s"
    )
    command.add_argument("--list", action="store_true", help="name the experiments, and stop")
    return whole


def main(arguments=None) -> int:
    """Run the command; its exit code is 0, or 1 if an experiment failed, or 2 for a wrong call."""
    whole = parser()
    options = whole.parse_args(arguments)
    try:
        experiments = catalogue.chosen(options.names)
        if options.list:
            print(catalogue.listing(experiments))
            return 0
        return reproduce(experiments, options.out, quick=options.quick, jobs=options.jobs)
    except (catalogue.UnknownNameError, ImportError) as error:
        print(f"sparsebayes: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nInterrupted. The same command goes on from here.", file=sys.stderr)
        return INTERRUPTED


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected 1 or more, got {number}")
    return number
