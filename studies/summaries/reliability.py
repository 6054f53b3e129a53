"""Short tables on reliability: random fits, what does not matter, and faults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from studies.framework import sets
from studies.framework.experiment import Table
from studies.framework.markdown import table_text
from studies.reliability import fuzz
from studies.reliability.laws import LIMITS
from studies.summaries import Results, Summaries, found_in

RANDOM = {"reliability-fuzz": fuzz.KINDS, "reliability-targets": fuzz.OTHER_KINDS}
# What may change -> the laws of the study.
LAWS = {
    "order of rows, of inputs, of the parts of a basis": (
        *("order of rows", "order of inputs", "order of bases"),
    ),
    "units of y": ("units of y, 1e-6 to 1e6",),
    "an offset of y, up to 1e8": (
        *("offset of y, 0 to 1000", "offset of y, 1e3 to 1e6", "offset of y, 0 to 1e8"),
    ),
    "units or an offset of all inputs": ("offset of X by 1024", "units of X by 1024"),
    'units of one input, `gamma="ard"`': ("units of one input, gamma ard",),
    "a constant input more": ("a constant input more, gamma ard",),
    "integer weights instead of repeated rows, zero instead of absent ones": (
        *("weight 1 to 3 for repeated rows", "weight 0 for absent rows"),
    ),
    "names and order of classes": ("other class names", "classes swapped"),
    "`cache_size` and `n_jobs`": ("cache_size=0", "n_jobs=2"),
}


def random_fits(results: Results) -> str:
    """Cases of all kinds, and how they ended."""
    rows = []
    for name, kinds in RANDOM.items():
        found = found_in(results, name)
        for kind in kinds:
            own = list(sets.of_set(found, kind.replace(" ", "-")).values())
            rows += [[kind, *_of_cases(own)]] if own else []
    header = ["cases", "number", "refused with a `ValueError`", "with a finding"]
    return table_text(Table([*header, "slowest fit, seconds"], rows))


def _of_cases(found: list[dict]) -> list[str]:
    counts = (
        sum(one["cases"] for one in found),
        sum(one["refused"] for one in found),
        sum(len(one["findings"]) for one in found),
    )
    slowest = max(each["seconds"] for one in found for each in one["slowest"])
    return [*map(str, counts), f"{slowest:.1f}"]


def laws(results: Results) -> str:
    """How often what must not matter did."""
    found = list(found_in(results, "reliability-laws").values())
    defaults = [one for one in found if one["default"]]
    rows = [
        [what, *_above(list(_gaps(found, names))), _largest(_gaps(defaults, names))]
        for what, names in LAWS.items()
    ]
    header = ["what changes", "tried", *(f"gap above {limit:g}" for limit in LIMITS[:2])]
    return table_text(Table([*header, "largest", "largest of `RVR()` and `RVC()`"], rows))


def _gaps(found: Iterable[Mapping], names: Iterable[str]) -> Iterable[float]:
    return (one["gaps"][name] for one in found for name in names if name in one["gaps"])


def _above(gaps: list[float]) -> list[str]:
    above = [str(sum(gap > limit for gap in gaps)) for limit in LIMITS[:2]]
    return [str(len(gaps)), *above, _largest(gaps)]


def _largest(gaps: Iterable[float]) -> str:
    most = max(gaps, default=None)
    return "-" if most is None else f"{most:.0e}" if most else "0"


def faults(results: Results) -> str:
    """Interrupts, memory, threads and forks, a line each."""
    found = found_in(results, "reliability-faults")
    moving, forks = found["moving"], found["forks"]
    lines = [
        _harm(found, "interrupts/", "Ctrl-C at a random moment"),
        _harm(found, "memory/", "Too little memory"),
        _together([one for key, one in found.items() if key.startswith("threads")]),
        f"Predictions while the estimator is refitted: {moving['predictions']}, of which "
        f"{moving['wrong']} were of neither model.",
        f"Forks while a thread fits: {forks['forks']}. Of the new processes {forks['hung']} hung, "
        f"and {forks['failed']} failed.",
        memory(results),
    ]
    return "\n".join(f"- {line}" for line in lines)


def _harm(found: Mapping[str, dict], start: str, what: str) -> str:
    own = [one for key, one in found.items() if key.startswith(start)]
    met, harmed = (sum(one[name] for one in own) for name in ("inside", "harmed"))
    return f"{what}: {met} fits were hit, and {harmed} of them left something changed behind."


def _together(found: list[dict]) -> str:
    equal, jobs = (sum(one[name] for one in found) for name in ("equal", "jobs"))
    gap = max(one["gap"] for one in found)
    others = f"; the largest gap of the others is {gap:.0e}" if equal < jobs else ""
    return f"Jobs in threads: {equal} of {jobs} gave the numbers of one thread bit for bit{others}."


def memory(results: Results) -> str:
    """Resident memory along many fits."""
    found = found_in(results, "reliability-faults")["growth"]
    first, second, third = found["megabytes"]
    return (
        f"Resident memory was {first:.1f} MB at first, {second:.1f} MB after {found['fits']} fits, "
        f"and {third:.1f} MB after {found['refits']} more fits of one estimator."
    )


TABLES: Summaries = {
    "reliability-random": (tuple(RANDOM), random_fits),
    "reliability-what-does-not-matter": (("reliability-laws",), laws),
    "reliability-after-faults": (("reliability-faults",), faults),
    "reliability-memory": (("reliability-faults",), memory),
}
