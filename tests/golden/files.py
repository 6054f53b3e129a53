"""Models in files, as each version wrote them: `cd tests && python -m golden.files`.

The files of a version are written once, into a folder of its name, and never again: files of all
versions must be read for ever. Kinds of models that are new are added to those that are there.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from carried import KINDS, fitted

import sparsebayes

FOLDER = Path(__file__).with_name("files")
STORED = [
    *("default", "fast", "variational", "linear and kernel", "powers", "two outputs"),
    *("two outputs apart", "precomputed", "laplacian kernel, fast", "cauchy kernel"),
    *(
        "poly kernel",
        "linear kernel",
        "matern32 kernel",
        "sigmoid kernel, fast",
        "linear_spline kernel, fast",
    ),
    *("two classes", "each class, fast", "three classes", "three classes, poly"),
    *("softmax, fast", "shared softmax, fast"),
    *("student", "poisson", "negative binomial", "varying noise", "varying noise, fast"),
    *("ordered, fast", "ordered texts"),
    *("effects", "three classes, effects"),
]


def file_of(folder: Path, name: str) -> Path:
    """The file of the model of this name."""
    return folder / f"{name.replace(',', '').replace(' ', '_')}.sbm"


def said(model, new) -> dict[str, list]:
    """What a model says of rows."""
    if hasattr(model, "predict_proba"):
        return {"proba": model.predict_proba(new).tolist(), "label": model.predict(new).tolist()}
    mean, std = model.predict(new, return_std=True)
    quantiles = model.predict_quantiles(new)
    return {"mean": mean.tolist(), "std": std.tolist(), "quantiles": quantiles.tolist()}


def main() -> None:
    """Write the files of this version that are not there yet."""
    folder = FOLDER / sparsebayes.__version__
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "said.json"
    stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for name in (each for each in STORED if each not in stored):
        model, new = fitted(name), np.round(KINDS[name].new, 6)
        model.save(file_of(folder, name))
        stored[name] = {"new": new.tolist(), **said(model, new)}
    path.write_text(json.dumps(stored), encoding="utf-8")


if __name__ == "__main__":
    main()
