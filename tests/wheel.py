"""`python wheel.py README.md GALLERY TUTORIAL`: what is installed, without the source tree.

Run by the Python of an environment that has the wheel: the code of the README, every example of the
gallery and the tutorial, with warnings as errors, each in a new folder.
"""

from __future__ import annotations

import os
import re
import runpy
import shutil
import sys
import tempfile
import time
import warnings
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt

import sparsebayes

PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.S | re.M)


def main(readme: Path, *folders: Path) -> None:
    """Run everything; the first failure ends it."""
    home = Path(sparsebayes.__file__).resolve()
    if "site-packages" not in home.parts:
        raise SystemExit(f"sparsebayes comes from {home}, expected an installed wheel")
    print(f"sparsebayes {sparsebayes.__version__} of {home.parent}")
    matplotlib.use("Agg")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for path in [_code_of(readme, work), *_examples(folders, work)]:
            _run(path)


def _code_of(readme: Path, work: Path) -> Path:
    """The Python of the README as a file."""
    blocks = PYTHON_BLOCK.findall(readme.read_text(encoding="utf-8"))
    if not blocks:
        raise SystemExit(f"{readme} has no Python code")
    path = work / "readme.py"
    path.write_text("\n".join(blocks), encoding="utf-8")
    return path


def _examples(folders: tuple[Path, ...], work: Path) -> list[Path]:
    """All scripts below the folders, copied."""
    found = []
    for folder in folders:
        copied = shutil.copytree(folder, work / folder.name)
        found += sorted(copied.rglob("*.py"))
    if not found:
        raise SystemExit(f"no examples in {folders}")
    return found


def _run(path: Path) -> None:
    """One script, in its own folder."""
    start = time.perf_counter()
    os.chdir(path.parent)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*non-interactive.*cannot be shown")
        runpy.run_path(str(path), run_name="__main__")
    plt.close("all")
    print(f"{path.stem}: {time.perf_counter() - start:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main(*(Path(one).resolve() for one in sys.argv[1:]))
