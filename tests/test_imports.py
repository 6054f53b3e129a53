"""What can be imported without what."""

import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import sparsebayes

SOURCE = Path(sparsebayes.__file__).parents[1]

# The package itself, its people-facing parts, the estimators and the recipes need scikit-learn.
NEED_SKLEARN = (
    "basis",
    "cli",
    "estimators",
    "plots",
    "diagnostics",
    "report",
    "__main__",
    "datasets",
)
CORE = sorted(
    found.name
    for found in pkgutil.walk_packages([str(SOURCE / "sparsebayes")], "sparsebayes.")
    if found.name.split(".")[1] not in NEED_SKLEARN
)

# An empty package stands in for this one, so that nothing but the part itself is imported.
SCRIPT = """
import importlib, sys, types
for name in ("sklearn", "joblib", "threadpoolctl"):
    sys.modules[name] = None
package = types.ModuleType("sparsebayes")
package.__path__ = [sys.argv[1]]
sys.modules["sparsebayes"] = package
for name in sys.argv[2:]:
    importlib.import_module(name)
assert sys.modules["sklearn"] is None
print(len(sys.argv) - 2)
"""


def run(*names):
    path = os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, str(SOURCE / "sparsebayes"), *names],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_everything_below_estimators_and_recipes_is_free_of_scikit_learn():
    assert len(CORE) > 50
    found = run(*CORE)
    assert found.returncode == 0, found.stderr
    assert int(found.stdout) == len(CORE)


@pytest.mark.parametrize("name", ["sparsebayes.estimators", "sparsebayes.basis"])
def test_the_others_are_not(name):
    found = run(name)
    assert found.returncode != 0
    assert "sklearn" in found.stderr.splitlines()[-1]
