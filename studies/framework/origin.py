"""What a result depends on: the source code, the versions of libraries, and the machine."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path

from threadpoolctl import threadpool_info

import sparsebayes
import studies

LIBRARIES = ("numpy", "scipy", "scikit-learn")
PACKAGES = (Path(sparsebayes.__file__).parent, Path(studies.__file__).parent)
ROOT = PACKAGES[1].parent


@cache
def source_hash() -> str:
    """A hash of all Python files of the library and of the studies."""
    return hash_of(PACKAGES)


def hash_of(packages: tuple[Path, ...]) -> str:
    """A hash of the names and contents of all Python files below these folders."""
    digest = hashlib.sha256()
    for package in packages:
        for path in sorted(package.rglob("*.py")):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(package).as_posix()} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()[:16]


@cache
def versions() -> dict[str, str]:
    """The versions of Python and of the libraries."""
    libraries = {name: version(name) for name in LIBRARIES}
    return {
        "sparsebayes": sparsebayes.__version__,
        "python": platform.python_version(),
        **libraries,
    }


@cache
def machine() -> dict[str, str]:
    """The processor, and the libraries for linear algebra."""
    return {"cpu": _processor(), "blas": _blas()}


@cache
def commit() -> str:
    """The commit of the repository, with a plus where files were changed since; empty without."""
    head = _git("rev-parse", "--short", "HEAD")
    changed = _git("status", "--porcelain", "--untracked-files=no") if head else ""
    return f"{head}+" if changed else head


def origin() -> dict:
    """The source, the versions and the machine, as a result records them."""
    return {
        "source": source_hash(),
        "commit": commit(),
        "versions": versions(),
        "machine": machine(),
    }


def _processor() -> str:
    """The model as Linux names it, or what Python knows of it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def _blas() -> str:
    found = [one for one in threadpool_info() if one["user_api"] == "blas"]
    return ", ".join(
        sorted(
            {
                f"{one['internal_api']} {one['version']} {one.get('architecture', '')}".strip()
                for one in found
            }
        )
    )


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(ROOT), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
