"""Files that somebody forged: changed in one to three places, with a right checksum.

`python -m studies.reliability.forged 1000` forges so many files of each of some models. A finding
is an error that is not ours, an answer that is not finite, or an estimator that was made and cannot
predict.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import Counter
from typing import Any

import numpy as np

from sparsebayes import ModelFileError, NotPortableError
from sparsebayes.model.arrays import NOT_FINITE
from sparsebayes.model.arrays import NOT_FINITE as NOT_FINITE_PLAIN
from sparsebayes.model.container import pack, unpack
from sparsebayes.model.files import from_bytes, to_bytes

OURS = (ModelFileError, NotPortableError)
WORDS = ("RVR", "Columns", "gaussian", "linear", "inputs", "CONVERGED", "items", "x0", "²", "")
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 2, 7, 10**9, 10**30, 0.0, -1.5, 1e300, "x", [], {}, [[]]),
    *(
        {"array": 0},
        {"array": 10**6},
        {"record": "os.system"},
        {"number": "nan"},
        {"number": "inf"},
    ),
    *({"tuple": []}, {"mapping": []}, {"record": "Bias", "fields": {}}, {"lower": 0, "size": 8}),
    {"items": ["a" * 3000] + [""] * 3000, "dtype": "U", "shape": [3001]},
)
QUESTIONS = ("predict", "predict_quantiles", "predict_proba", "decision_function", "novelty")


def places(tree: Any, path: tuple = ()) -> list[tuple]:
    """The paths to all values of JSON but the whole."""
    if not isinstance(tree, dict | list):
        return []
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree)
    return [each for key, value in pairs for each in [(*path, key), *places(value, (*path, key))]]


def at(tree: Any, path: tuple) -> Any:
    """The value in a place."""
    for key in path:
        tree = tree[key]
    return tree


def forged_tree(tree: Any, n_arrays: int, random: np.random.Generator) -> Any:
    """JSON with another value in one place, or without it."""
    tree = json.loads(json.dumps(tree))
    every = places(tree)
    path = every[random.integers(len(every))]
    parent, old = at(tree, path[:-1]), at(tree, path)
    way = random.integers(6)
    if way == 0:
        del parent[path[-1]]
        return tree
    numbers = isinstance(old, int | float) and not isinstance(old, bool)
    new = (
        VALUES[random.integers(len(VALUES))],
        at(tree, every[random.integers(len(every))]),
        {"array": int(random.integers(n_arrays))},
        old * int(random.integers(-3, 4)) if numbers else WORDS[random.integers(len(WORDS))],
        [old, old] if isinstance(old, dict) else {"tuple": [old] * int(random.integers(5))},
    )[way - 1]
    parent[path[-1]] = json.loads(json.dumps(new))
    return tree


def forged_arrays(arrays: list[np.ndarray], random: np.random.Generator) -> list[np.ndarray]:
    """The arrays, one of which has another shape, type or content."""
    k = int(random.integers(len(arrays)))
    old = arrays[k]
    wide = int(random.choice([1, 10**4, 10**6, 10**9]))
    ways = (
        old.ravel()[:-1],
        old[None],
        old[:0],
        old.T,
        np.zeros((0, wide)),
        np.zeros((wide, 0)),
        np.full(old.shape, random.choice([np.nan, np.inf, -1.0, 0.0, 1e300])),
        old.astype(np.int64) if np.isfinite(old.astype(float)).all() else old,
        -1 * old.astype(float),
        arrays[random.integers(len(arrays))],
    )
    with np.errstate(invalid="ignore"):
        return [*arrays[:k], ways[random.integers(len(ways))], *arrays[k + 1 :]]


def forged(data: bytes, random: np.random.Generator) -> bytes:
    """The bytes of a file with one to three changes."""
    texts, arrays = unpack(data)
    trees = {name: json.loads(texts[name]) for name in ("model", "estimator") if name in texts}
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        name = str(random.choice(["model", "estimator", "estimator", "arrays"]))
        if name in trees and isinstance(trees[name], dict) and places(trees[name]):
            trees[name] = forged_tree(trees[name], len(arrays), random)
        else:
            arrays = forged_arrays(arrays, random)
    return pack({**texts, **{name: json.dumps(tree) for name, tree in trees.items()}}, arrays)


def ask(model: Any, rows: np.ndarray) -> None:
    """Ask for all predictions, and for all attributes of an estimator."""
    names = getattr(model, "feature_names_in_", None)
    if names is not None:
        vars(model).pop("feature_names_in_")
    for name in QUESTIONS:
        if hasattr(model, name):
            try:
                found = getattr(model, name)(rows)
            except ValueError as error:
                if str(error) not in (NOT_FINITE, NOT_FINITE_PLAIN):
                    raise
            except AttributeError:
                if name != "novelty":
                    raise
            else:
                assert found.dtype.kind not in "fc" or np.isfinite(found).all(), "not finite"
    for name in dir(type(model)):
        if name.endswith("_") and not name.startswith("_"):
            getattr(model, name, None)


def finding(data: bytes, n_features: int) -> str | None:
    """What is wrong with how a forged file is taken, "refused", or None."""
    rows = np.vstack([np.zeros(n_features), np.full(n_features, 0.7)])
    stage = "load"
    try:
        model = from_bytes(data)
        stage = "the plain model"
        if model.n_features_in_ != n_features:
            return None
        ask(model, rows)
        stage = "to_estimator"
        estimator = model.to_estimator()
        stage = "the estimator"
        ask(estimator, rows)
    except OURS as error:
        return "refused" if stage in ("load", "to_estimator") else f"{stage}: {error!r}"
    except Exception as error:
        return f"{stage}: {error!r}"
    return None


def forge(model: Any, first: int, n_files: int) -> dict[str, Any]:
    """How many forged files of a fitted model were refused, and all findings with their numbers."""
    data, refused, findings = to_bytes(model.to_portable()), 0, {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for number in range(first, first + n_files):
            bad = forged(data, np.random.default_rng(number))
            found = finding(bad, model.n_features_in_)
            refused += found == "refused"
            if found not in (None, "refused"):
                findings[number] = found
    return {"files": n_files, "refused": refused, "findings": findings}


def main(n_files: int) -> None:
    """Forge files of models of several kinds."""
    from studies.carry.kinds import fitted, kinds

    for name, kind in kinds().items():
        found = forge(fitted(kind), 0, n_files)
        print(f"{name}: {found['files']} files, {found['refused']} refused, findings:", flush=True)
        for what, count in Counter(found["findings"].values()).most_common():
            print(f"  {count} times {what[:200]}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
