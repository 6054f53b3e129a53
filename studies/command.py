"""`python -m studies`: run studies, pack their results, write the tables of the docs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from studies import catalogue
from studies.framework import documents, packed
from studies.framework.experiment import Experiment
from studies.framework.markdown import summary
from studies.framework.origin import ROOT
from studies.framework.picture import need_matplotlib
from studies.framework.progress import Progress
from studies.framework.report import write
from studies.framework.runner import run
from studies.framework.section import section
from studies.framework.sets import limited
from studies.framework.store import Store
from studies.tables import UnknownTableError, block

WRONG_CALL = 2
INTERRUPTED = 130
WRONG_CALLS = (
    catalogue.UnknownNameError,
    packed.PackError,
    UnknownTableError,
    ImportError,
    OSError,
)
DESCRIPTION = (
    "Runs studies, and writes index.html and report.md. Results that are in DIR/draws and come "
    "from the same source code are not run again, so an interrupted run goes on. Other commands: "
    "`python -m studies pack --help` and `python -m studies tables --help`."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0, 1 if something failed or differs, 2 for a wrong call."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    commands = {"pack": _pack, "tables": _tables}
    command = commands.get(given[0], _run) if given else _run
    try:
        return command(given if command is _run else given[1:])
    except WRONG_CALLS as error:
        print(f"studies: error: {error}", file=sys.stderr)
        return WRONG_CALL
    except KeyboardInterrupt:
        print("\nInterrupted. The same command goes on from here.", file=sys.stderr)
        return INTERRUPTED


def _run(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser("python -m studies", description=DESCRIPTION)
    parser.add_argument(
        "names", nargs="*", help="studies, or how their names begin, such as t01; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="few and small tasks")
    parser.add_argument(
        "--jobs",
        type=_at_least_one,
        default=1,
        metavar="N",
        help="processes; take 1 for studies of speed, whose tasks would slow each other down",
    )
    parser.add_argument(
        "--out", type=Path, default=Path("results/studies"), metavar="DIR", help="%(default)s"
    )
    parser.add_argument(
        "--draws", type=_at_least_one, metavar="N", help="only the first N draws of each set"
    )
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="only tasks whose keys hold this, such as a set"
    )
    parser.add_argument("--show", action="store_true", help="print the tables and claims, too")
    parser.add_argument("--list", action="store_true", help="name the studies, and stop")
    options = parser.parse_args(arguments)
    experiments = catalogue.chosen(options.names)
    if options.list:
        print(catalogue.listing(experiments))
        return 0
    experiments = [limited(one, options.draws, options.only) for one in experiments]
    run_as = {"quick": options.quick, "jobs": options.jobs, "show": options.show}
    return study(experiments, options.out, **run_as)


def study(
    experiments: Sequence[Experiment], out: Path, *, quick: bool, jobs: int, show: bool = False
) -> int:
    """Run what has no result yet, write the reports; 1 if a task or a report failed, else 0.

    `show` prints tables and claims besides.
    """
    need_matplotlib()
    store = Store(out, quick)
    store.prepare()
    found = run(experiments, store, jobs, Progress())
    sections = [
        section(one, found[one.name], store.folder(one.name).relative_to(out).as_posix())
        for one in experiments
    ]
    write(sections, out, quick)
    if show:
        print("\n\n".join(map(summary, sections)))
    failed = [one.name for one in sections if one.failed]
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _pack(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        "python -m studies pack",
        description="Gathers the results of a full run into one compact file per study, below "
        "studies/results, from which `python -m studies tables` writes the tables of the docs.",
    )
    parser.add_argument("names", nargs="*", help="studies; default: all that have results")
    parser.add_argument("--from", dest="source", type=Path, required=True, metavar="DIR")
    parser.add_argument("--to", type=Path, default=packed.FOLDER, metavar="DIR")
    parser.add_argument(
        "--any-source",
        metavar="COMMIT",
        default="",
        help="take results of other source code, and record that they are of this commit",
    )
    options = parser.parse_args(arguments)
    experiments = catalogue.chosen(options.names)
    for line in packed.pack(experiments, options.source, options.to, options.any_source):
        print(line)
    return 0


def _tables(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        "python -m studies tables",
        description="Writes the tables of README and docs between their markers, from the packed "
        "results. A table without packed results stays as it is.",
    )
    parser.add_argument("--check", action="store_true", help="show differences, and write nothing")
    parser.add_argument("--from", dest="source", type=Path, default=packed.FOLDER, metavar="DIR")
    parser.add_argument("--root", type=Path, default=ROOT, metavar="DIR", help="of the documents")
    options = parser.parse_args(arguments)
    results = packed.load(catalogue.EXPERIMENTS, options.source)
    different = documents.update(options.root, lambda name: block(name, results), options.check)
    for line in different:
        print(line)
    return 1 if options.check and different else 0


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected 1 or more, got {number}")
    return number
