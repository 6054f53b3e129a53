"""
How does it fit a million rows?
===============================

In seconds, and without holding them in memory: above 10 000 rows ``RVR()`` passes over the rows a
few times, block by block. You set nothing.
"""

# %%
# One million rows of ten inputs (Friedman 1, with noise of standard deviation 1), as a memory map
# of single precision on the disk. It is filled in parts, as you would do with files of your own.

import tempfile
from pathlib import Path
from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.ensemble import HistGradientBoostingRegressor

from sparsebayes import RVR

N = 1_000_000
folder = tempfile.TemporaryDirectory()
X = np.memmap(Path(folder.name) / "X.float32", np.float32, "w+", shape=(N, 10))
y = np.memmap(Path(folder.name) / "y.float32", np.float32, "w+", shape=N)
for start in range(0, N, 100_000):
    part = slice(start, start + 100_000)
    X[part], y[part] = make_friedman1(100_000, noise=1.0, random_state=start)
print(f"{X.nbytes / 1e6:.0f} MB of inputs")

# %%
# ``RVR()`` beside gradient boosting, both with their defaults, on more and more of the rows. The
# error is the root mean squared distance from the true function, which has no noise. Boosting is
# quicker. The function is smooth, which suits kernels: the error of ``RVR`` is much smaller, and
# falls as rows are added. More trees would bring boosting closer, and take longer.

X_new, truth = make_friedman1(5_000, noise=0.0, random_state=1)
sizes = (10_000, 100_000, N)
errors, seconds = {}, {}
boosting = HistGradientBoostingRegressor(random_state=0)
for name, model in (("RVR", RVR()), ("HistGradientBoosting", boosting)):
    for n in sizes:
        began = perf_counter()
        model.fit(X[:n], y[:n])
        seconds[name, n] = perf_counter() - began
        errors[name, n] = np.sqrt(np.mean((model.predict(X_new) - truth) ** 2))
        more = ""
        if name == "RVR":
            more = f", {len(model.relevance_)} vectors, noise {model.noise_std_:.4f}"
        print(f"{name}, {n} rows: error {errors[name, n]:.3f} in {seconds[name, n]:.1f} s{more}")

figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
for name, colour in (("RVR", "C0"), ("HistGradientBoosting", "C1")):
    for ax, values in zip(axes, (errors, seconds), strict=True):
        ax.loglog(sizes, [values[name, n] for n in sizes], "o-", color=colour, label=name)
for ax, what, ticks in (
    (axes[0], "distance from the true function", (0.02, 0.05, 0.1, 0.2, 0.5)),
    (axes[1], "seconds of the fit", (0.3, 1, 3, 10, 30)),
):
    ax.set(xlabel="rows", ylabel=what)
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.tick_params(axis="y", which="minor", labelleft=False)
axes[1].legend(loc="lower right", fontsize=8)
plt.show()

# %%
# Rows that come later are added with ``partial_fit``. It adds them to sums over the earlier rows,
# so these are not needed again.

growing = RVR()
for start in range(0, 100_000, 50_000):
    growing.partial_fit(X[start : start + 50_000], y[start : start + 50_000])
error = np.sqrt(np.mean((growing.predict(X_new) - truth) ** 2))
print(f"two parts of 50 000 rows: error {error:.3f}, noise {growing.noise_std_:.4f}")
folder.cleanup()
