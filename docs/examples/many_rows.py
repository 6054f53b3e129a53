"""Many rows from a file: passed over block by block, and more of them later."""

import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import make_friedman1

from sparsebayes import RVR

X, y = make_friedman1(50_000, noise=1.0, random_state=0)
with tempfile.TemporaryDirectory() as folder:
    np.save(Path(folder) / "X.npy", X)
    mapped = np.load(Path(folder) / "X.npy", mmap_mode="r")  # read slice by slice, never as a whole
    model = RVR(verbose=1).fit(mapped, y)
print(f"{len(model.relevance_)} vectors for {len(y)} rows, noise {model.noise_std_:.3f}")

# Rows that come later are added to sums of those before.
growing = RVR().partial_fit(X[:5000], y[:5000])
for start in range(5000, 50_000, 15_000):
    growing.partial_fit(X[start : start + 15_000], y[start : start + 15_000])
gap = np.sqrt(np.mean((growing.predict(X[:1000]) - model.predict(X[:1000])) ** 2))
print(f"in pieces: noise {growing.noise_std_:.3f}, predictions {gap:.3f} apart")
