"""`sparsebayes reproduce`: run, and write the page."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from sparsebayes.reproduce.experiment import Experiment
from sparsebayes.reproduce.markdown import markdown
from sparsebayes.reproduce.page import page
from sparsebayes.reproduce.picture import need_matplotlib
from sparsebayes.reproduce.progress import Progress
from sparsebayes.reproduce.runner import run
from sparsebayes.reproduce.section import Section, counts, section
from sparsebayes.reproduce.store import Store, versions

TITLE = "The papers on sparse Bayesian learning, reproduced"
PAPERS = (
    "**[T01]** M. E. Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1 "
    "(2001) 211-244. **[BT00]** C. M. Bishop and M. E. Tipping, Variational relevance vector "
    "machines, UAI 2000. **[B06]** C. M. Bishop, Pattern Recognition and Machine Learning, "
    "Springer 2006, section 7.2. **[KTH]** Marza, Santos, Gaul and Nygren, a replication "
    "of [T01], course project, KTH Stockholm 2019. **[D14]** G. Dorta-Perez, Relevance vector "
    "machine, coursework, University of Bath 2014."
)


def reproduce(experiments: Sequence[Experiment], out: Path, *, quick: bool, jobs: int) -> int:
    """Run what has no result yet, write the reports; 1 if a task or a report failed, else 0."""
    need_matplotlib()
    store = Store(out, quick)
    found = run(experiments, store, jobs, Progress())
    sections = [
        section(one, found[one.name], store.folder(one.name).relative_to(out).as_posix())
        for one in experiments
    ]
    write(sections, out, quick)
    failed = [one.name for one in sections if one.failed]
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def write(sections: Sequence[Section], out: Path, quick: bool) -> None:
    """Both reports, and a word on them."""
    about = _about(quick)
    out.mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("index.html", page(TITLE, about, sections)),
        ("report.md", markdown(TITLE, about, sections, out)),
    ):
        (out / name).write_text(text, encoding="utf-8")
        print(f"wrote {out / name}")
    print(counts(sections))


def _about(quick: bool) -> list[str]:
    made_with = ", ".join(f"{name} {number}" for name, number in versions().items())
    lines = [
        "Written by `sparsebayes reproduce`. A cell such as 0.32 ± 0.01 is the mean over draws and "
        "its standard error. Times are those of all tasks one after the other, on one thread. "
        "Each section names the folder of JSON files, one for each task, that its numbers are "
        "computed from.",
        "A number of a paper is reproduced if ours differs from it by at most two standard errors "
        "of the difference; beyond, ours is better, or it is not reproduced. The paper's is taken "
        "to vary from draw to draw as ours does. Where a paper states one draw, it is therefore "
        "compared with the spread of ours, which is a weak test: how many of ours are at or below "
        "it is told.",
        PAPERS,
        f"Made with {made_with}.",
    ]
    quick_line = "**A quick run**: few draws, so that the verdicts mean little."
    return [quick_line, *lines] if quick else lines
