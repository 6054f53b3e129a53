"""The reports of a run: a page and a Markdown file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from studies.framework.markdown import markdown
from studies.framework.origin import commit, machine, versions
from studies.framework.page import page
from studies.framework.section import Section, counts

TITLE = "Sparse Bayesian learning: the papers reproduced, and further studies"
PAPERS = (
    "**[T01]** M. E. Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1 "
    "(2001) 211-244. **[BT00]** C. M. Bishop and M. E. Tipping, Variational relevance vector "
    "machines, UAI 2000. **[B06]** C. M. Bishop, Pattern Recognition and Machine Learning, "
    "Springer 2006, section 7.2. **[KTH]** Marza, Santos, Gaul and Nygren, a replication "
    "of [T01], course project, KTH Stockholm 2019. **[D14]** G. Dorta-Perez, Relevance vector "
    "machine, coursework, University of Bath 2014."
)
HOW_TO_READ = (
    "Written by `python -m studies`. A cell such as 0.32 ± 0.01 is the mean over draws and "
    "its standard error. Times are those of all tasks one after the other, on one thread. "
    "Each section names the folder of JSON files, one for each task, that its numbers are "
    "computed from."
)
VERDICTS = (
    "A number of a paper is reproduced if ours differs from it by at most two standard errors "
    "of the difference; beyond, ours is better, or it is not reproduced. The paper's is taken "
    "to vary from draw to draw as ours does. Where a paper states one draw, it is therefore "
    "compared with the spread of ours, which is a weak test, so the page also says how many of "
    "ours are at or below it."
)
QUICK = "**A quick run**: few draws, so the verdicts mean little."


def write(sections: Sequence[Section], out: Path, quick: bool) -> None:
    """Write both reports, and say where they are."""
    about = _about(quick)
    for name, text in (
        ("index.html", page(TITLE, about, sections)),
        ("report.md", markdown(TITLE, about, sections, out)),
    ):
        (out / name).write_text(text, encoding="utf-8")
        print(f"wrote {out / name}")
    print(counts(sections))


def _about(quick: bool) -> list[str]:
    numbers = ", ".join(f"{name} {number}" for name, number in versions().items())
    made_with = f"Made with {numbers}, on {machine()['cpu']} with {machine()['blas']}"
    at_commit = f", at commit {commit()}." if commit() else "."
    lines = [HOW_TO_READ, VERDICTS, PAPERS, made_with + at_commit]
    return [QUICK, *lines] if quick else lines
