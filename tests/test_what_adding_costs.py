"""What a new part takes: toy parts are added to a copy of the library, which then has to work.

The files that had to be written or edited are those that the table of CONTRIBUTING.md names.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# What is written into each file: a new file, or what it has once, and what comes before and after.
KERNEL = {
    "columns/kernels.py": (
        "def unit_variance(",
        """
def toy(inputs, centres, gamma):
    return (1.0 + squared_distance(inputs, centres, gamma)) ** -2


def toy_slope(inputs, centres, sensitivity, values, gamma):
    return squared_distance_slope(inputs, centres, gamma, 2.0 * sensitivity * values**1.5)

""",
        "",
    ),
    "columns/definitions.py": (
        "DEFINITIONS: dict[str, Definition] = {",
        "from sparsebayes.columns.kernels import toy, toy_slope",
        """
    "toy": Definition(toy, toy_slope, power=2.0, at_itself=unit_variance, local=True),""",
    ),
    "model/columns.py": (
        "FORMULAS: dict[str, PlainFormula] = {",
        """
def toy(inputs, centres, gamma):
    return cauchy(inputs, centres, gamma) ** 2
""",
        '\n    "toy": PlainFormula(toy, ("gamma",), _unit),',
    ),
    "model/graph/formulas.py": (
        "FORMULAS: dict[str, FormulaNodes] = {",
        """
def toy(row, centres, i, gamma):
    return square(cauchy(row, centres, i, gamma))
""",
        '\n    "toy": FormulaNodes(toy, _one),',
    ),
    "export/notation.py": (
        "KERNELS = {",
        "",
        """
    "toy": ("1 / (1 + {s})^2", r"\\frac{{1}}{{(1 + {s})^2}}", "square"),""",
    ),
    "basis/radial.py": (
        "class LaplacianKernel(",
        """
class ToyKernel(RadialKernel):
    keyword = "toy"
    formula_name = "toy"


__all__ += ["ToyKernel"]

""",
        "",
    ),
    "__init__.py": ('"basis": [', "", '"ToyKernel", '),
    "__init__.pyi": (
        "from sparsebayes.estimators import RVC as RVC",
        "from sparsebayes.basis import ToyKernel as ToyKernel",
        "",
    ),
}

# A target with noise of one, whose likelihood, response and words are its own.
LIKELIHOOD = {
    "likelihoods/toy.py": """
from dataclasses import dataclass

import numpy as np

from sparsebayes._parameters import Tunable
from sparsebayes.likelihoods.likelihood import Likelihood, Quadratic


@dataclass(repr=False)
class Toy(Tunable, Likelihood):
    scale: float = 1.0

    constant_curvature = has_units = True

    def check(self):
        assert self.scale == 1.0

    def expand(self, target, latent):
        residual = target - latent
        return Quadratic(-0.5 * residual**2, residual, np.ones_like(residual))
""",
    "likelihoods/__init__.py": (
        "__all__ = [",
        "from sparsebayes.likelihoods.toy import Toy",
        '\n    "Toy",',
    ),
    "model/toy.py": """
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sparsebayes.model.real import RealTargets


@dataclass(frozen=True)
class ToyTargets(RealTargets):
    kind: ClassVar = "toy"
""",
    "model/responses.py": (
        "RESPONSES = (",
        "from sparsebayes.model.toy import ToyTargets",
        "\n    ToyTargets,",
    ),
    "model/graph/responses.py": (
        "RESPONSES: dict[str, Callable[[Any, LatentNodes], Outputs]] = {",
        """
def toy(response, latent):
    return {"mean": latent.mean + float(response.offset[0]), "std": sqrt(latent.variance + 1.0)}
""",
        '\n    "toy": toy,',
    ),
    "export/targets.py": (
        "WRITTEN: dict[str, tuple[Lines, Lines]] = {",
        """
def _toy(model, number):
    return ["y = f(x) + toy noise"]
""",
        '\n    "toy": (_toy, _toy),',
    ),
    "targets/toy.py": """
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sparsebayes.likelihoods.toy import Toy
from sparsebayes.model.toy import ToyTargets
from sparsebayes.targets.numbers import Numbers


@dataclass(frozen=True)
class ToyTarget(Numbers):
    name: ClassVar = "toy"
    likelihoods: ClassVar = (Toy,)

    def response(self, fits, coded, inference):
        return ToyTargets(coded.offsets(1), np.ones(1))

    def words(self, number):
        return ["toy noise"]
""",
    "targets/__init__.py": (
        "OF_NUMBERS: tuple[type[Numbers], ...] = (",
        "from sparsebayes.targets.toy import ToyTarget",
        "\n    ToyTarget,",
    ),
    "__init__.py": ('"likelihoods": [', "", '"Toy", '),
    "__init__.pyi": (
        "from sparsebayes.model import load as load",
        "from sparsebayes.likelihoods import Toy as Toy",
        "",
    ),
}

EXPORT = {
    "export/toy.py": """
from sparsebayes.export.given import plain_model
from sparsebayes.model.graph import graph, in_order


def to_toy(model):
    nodes = in_order(graph(plain_model(model)).values())
    return "\\n".join(f"{each.kind} {each.name}" for each in nodes)
""",
    "export/__init__.py": (
        "__all__ = [",
        "from sparsebayes.export.toy import to_toy",
        '\n    "to_toy",',
    ),
    "cli/export.py": ('"json": (),', "", '\n    "toy": (),'),
    "cli/parser.py": ('choices=("c",', "", ' "toy",'),
}

# What has to work then, with X, y and the path of a file.
START = """
import sys
import numpy as np
import sparsebayes
from sparsebayes.export import formula, to_c, to_onnx, to_sql
assert sparsebayes.__file__.startswith(sys.argv[1]), sparsebayes.__file__
X = np.random.default_rng(0).uniform(-3.0, 3.0, (60, 2))
y = 5.0 + np.sin(X[:, 0]) + 0.1 * X[:, 1] + np.random.default_rng(1).normal(0.0, 0.05, 60)

def carried(model):
    model.save(sys.argv[1] + "/toy.sbm")
    loaded = sparsebayes.load(sys.argv[1] + "/toy.sbm")
    for one, other in zip(model.predict(X, return_std=True), loaded.predict(X, return_std=True)):
        np.testing.assert_allclose(other, one, rtol=1e-9)
    assert loaded.to_estimator().predict(X).shape == (60,)
    assert "float" in to_c(model, precision="float")
    assert "SELECT" in to_sql(model, "t")
    assert to_onnx(model).graph.node
    return formula(model)
"""
OF_KERNEL = """
model = sparsebayes.RVR(kernel="toy").fit(X, y)
assert model.score(X, y) > 0.9, model.score(X, y)
assert "(1 + " in carried(model)
basis = sparsebayes.ToyKernel("learn") + sparsebayes.Linear() + sparsebayes.Bias()
assert sparsebayes.SparseBayesRegressor(basis, inference="fast").fit(X, y).score(X, y) > 0.9
"""
OF_LIKELIHOOD = """
for inference in "projection", "fast":
    model = sparsebayes.RVR(likelihood="toy", inference=inference).fit(X, 20.0 * y)
    assert model.score(X, 20.0 * y) > 0.9, model.score(X, 20.0 * y)
    assert "toy noise" in carried(model)
assert isinstance(model.likelihood_, sparsebayes.Toy)
model.report(X, 20.0 * y, path=sys.argv[1] + "/toy.html")
"""
OF_EXPORT = """
from sparsebayes.cli import main
sparsebayes.RVR().fit(X, y).save(sys.argv[1] + "/some.sbm")
path = sys.argv[1] + "/some.toy"
assert main(["export", sys.argv[1] + "/some.sbm", "--to", "toy", "-o", path]) in (0, None)
assert "map exp" in open(path).read()
"""
PARTS = {
    "a likelihood with its response": (LIKELIHOOD, OF_LIKELIHOOD),
    "a kernel": (KERNEL, OF_KERNEL),
    "an export": (EXPORT, OF_EXPORT),
}


def write(path, change):
    """A new file, or text before and after what is there."""
    if isinstance(change, str):
        assert not path.exists()
        path.write_text(change)
        return
    anchor, before, after = change
    text = path.read_text()
    assert text.count(anchor) == 1, f"{path} does not have once: {anchor!r}"
    path.write_text(
        text.replace(anchor, f"{before}\n{anchor}{after}" if before else anchor + after)
    )


def table():
    """The files that CONTRIBUTING.md names for each part."""
    found = {}
    for line in (ROOT / "CONTRIBUTING.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 5 and cells[1] in PARTS:
            found[cells[1]] = sorted(re.findall(r"`([\w/<>]+\.pyi?)`", cells[2] + cells[3]))
    return found


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.slow
def test_a_toy_part_works_once_the_files_of_the_table_have_it(part, tmp_path):
    changes, trial = PARTS[part]
    shutil.copytree(ROOT / "src" / "sparsebayes", tmp_path / "sparsebayes")
    for name, change in changes.items():
        write(tmp_path / "sparsebayes" / name, change)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", START + trial, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert table()[part] == sorted(name.replace("toy.py", "<name>.py") for name in changes)


def test_a_response_takes_twelve_files_at_most_a_kernel_eight_and_an_export_its_own_and_three():
    assert len(LIKELIHOOD) <= 12
    assert len(KERNEL) <= 8
    assert len(EXPORT) <= 4
